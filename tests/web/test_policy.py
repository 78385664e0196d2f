"""The policy behind the pages: what is not changed keeps its bytes, what is changed changes its own lines alone, and no file elsewhere is read."""

from __future__ import annotations

import difflib
import html
import random
import re
import tomllib

import pytest

import incrowd
from seeds import how_many
from web.visitor import words

COLUMNS = ("age", "sex", "zip", "ward", "diagnosis", "drug")
TABLE = (",".join(COLUMNS) + "\n" + "".join(
    f"{20 + n % 40},{'fm'[n % 2]},{1000 + n % 7},w{n % 3},{'flu' if n % 3 else 'gout'},d{n % 4}\n" for n in range(120)
)).encode()  # fmt: skip
POLICY = """\
# the policy of the ward
qi = [
    "age",   # in years
    "sex",
    'zip',
]
sensitive = ["diagnosis"]   # nobody's business
k = 5
l=2

[mask]
max_stars=2 # at most two
keep = ["sex"]

[weights]
age = 2.5

[hierarchies]
age = "intervals:5,10"     # bands
zip = "prefix:3,1"

[job]
seed = 7
time_limit = 30
"""


@pytest.fixture(scope="module")
def table(visitor):
    return visitor.opened("ward.csv", TABLE)


class Held:
    """The policy of an open table."""

    def __init__(self, visitor, place, folder):
        self.visitor, self.place, self.folder = visitor, place, folder

    def text(self):
        return self.visitor.get(f"{self.place}/files/policy.toml").content.decode()

    def take(self, text):
        answer = self.visitor.post(f"{self.place}/send", files={"file": ("own.toml", text.encode())})
        assert answer.headers["location"] == f"{self.place}/settings", self.visitor.after(answer)
        assert self.text() == text

    def change(self, form, page="settings"):
        """What a form changed of the text: lines that went and came; the new policy is one, on this table."""
        before = self.text()
        answer = self.visitor.post(f"{self.place}/{page}", form)
        assert "said=" not in answer.headers["location"], self.visitor.after(answer)
        after = self.text()
        (self.folder / "policy.toml").write_text(after)
        incrowd.Policy.load(self.folder / "policy.toml")
        return after, [line for line in difflib.ndiff(before.splitlines(), after.splitlines()) if line[:1] in "+-"]

    def refused(self, form, page="settings"):
        before = self.text()
        said = self.visitor.after(self.visitor.post(f"{self.place}/{page}", form))
        assert "That did not work." in said
        assert self.text() == before
        return said

    def fields(self, page="settings"):
        """What a browser would send of a page's form, as it stands."""
        shown = self.visitor.text(f"{self.place}/{page}")
        found = {}
        for tag in re.findall(r"<input[^>]*>", shown):
            name, value = re.search(r' name="(\w+)"', tag), re.search(r' value="([^"]*)"', tag)
            if (
                name
                and 'type="file"' not in tag
                and ("checked" in tag or ("radio" not in tag and "checkbox" not in tag))
            ):
                found[name[1]] = html.unescape(value[1]) if value else ""
        for name, body in re.findall(r'<textarea[^>]* name="(\w+)"[^>]*>(.*?)</textarea>', shown, re.DOTALL):
            found[name] = html.unescape(body).removeprefix("\n")
        for name, body in re.findall(r'<select[^>]* name="(\w+)"[^>]*>(.*?)</select>', shown, re.DOTALL):
            chosen = re.search(r'<option value="([^"]*)" selected', body) or re.search(r'<option value="([^"]*)"', body)
            found[name] = html.unescape(chosen[1])
        return found


@pytest.fixture
def held(visitor, table, tmp_path):
    return Held(visitor, table, tmp_path)


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_what_is_not_changed_has_the_same_bytes(held, ends):
    text = POLICY.replace("\n", ends) + "# the end, without a line end"
    held.take(text)
    for form in ({}, {"k": "5", "seed": "7", "max_stars": "2"}, {"k": " 5 "}):
        assert held.change(form)[0] == text
    held.visitor.post(f"{held.place}/text", {"text": text})
    held.visitor.post(f"{held.place}/roles", {})
    for page in ("labels", "stars", "promise", "settings"):
        held.visitor.post(f"{held.place}/{page}", held.fields(page))
    assert held.text() == text


CHANGES = [
    ("settings", {"k": "7"}, ["- k = 5", "+ k = 7"]),
    ("promise", {"k": "7"}, ["- k = 5", "+ k = 7"]),
    ("settings", {"l": ""}, ["- l=2"]),
    ("settings", {"max_stars": "3"}, ["- max_stars=2 # at most two", "+ max_stars=3 # at most two"]),
    ("stars", {"max_stars": ""}, ["- max_stars=2 # at most two"]),
    ("settings", {"weights": "age=2.5\r\nzip=3"}, ["+ zip = 3"]),
    ("settings", {"weights": ""}, ["- age = 2.5"]),
    ("settings", {"weights": "age=1/3"}, ["- age = 2.5", '+ age = "1/3"']),
    ("labels", {"kind2": "prefix", "detail2": "2"}, ['- zip = "prefix:3,1"', '+ zip = "prefix:2"']),
    ("labels", {"kind2": "none"}, ['- zip = "prefix:3,1"']),
    ("labels", {"detail0": "10\n20"}, ['- age = "intervals:5,10"     # bands', '+ age = "intervals:10,20"     # bands']),
    ("labels", {"kind0": "intervals", "detail0": "5, 10, 90+"},
     ['- age = "intervals:5,10"     # bands', '+ age = "intervals:5,10,90+"     # bands']),
    ("search", {"time_limit": "0.5"}, ["- time_limit = 30", "+ time_limit = 0.5"]),
    ("settings", {"t": "0.2"}, ["+ t = 0.2"]),
    ("settings", {"delimiter": ","}, ["+ [read]", '+ delimiter = ","']),
    ("settings", {"na": "NA\nno answer, ever"}, ["+ [read]", '+ na = ["NA", "no answer, ever"]']),
    ("settings", {"full_suppression": "no"}, ["+ full_suppression = false"]),
    ("settings", {"together": "age, zip"}, ['+ together = [["age", "zip"]]']),
    ("stars", {"keep_shown": "yes", "keep": ["0", "1"]}, ['- keep = ["sex"]', '+ keep = ["age", "sex"]']),
    ("stars", {"keep_shown": "yes"}, ['- keep = ["sex"]']),
    ("settings", {"quasi_identifiers": "age, sex, zip, ward"}, ['+     "ward",']),
    ("roles", {"role3": "quasi_identifiers"}, ['+     "ward",']),
    ("settings", {"outliers": "suppress"}, ['+ outliers = "suppress"']),
    ("settings", {"require": "p-sensitive p=2 column=diagnosis"}, None),
    ("settings", {"t": "0.2", "sensitive_distance": "diagnosis=ordered"}, ["+ t = 0.2", "+ [sensitive_distance]", '+ diagnosis = "ordered"']),
    ("roles", {"other": "drop"}, ['+ other = "drop"']),
]  # fmt: skip


@pytest.mark.few(10)
@pytest.mark.parametrize(("page", "form", "lines"), CHANGES)
def test_only_lines_of_what_changed_differ(held, page, form, lines):
    held.take(POLICY)
    text, found = held.change(form, page)
    if lines is None:
        assert tomllib.loads(text)["require"] and all(line[0] == "+" for line in found)
        return
    bare = [line for line in found if line.strip() not in ("+", "-")]
    # a column that becomes one that others may know brings the levels that are proposed for it
    proposed = [line for line in bare if page == "roles" and ("complete_hierarchies" in line or "ward =" in line)]
    assert sorted(line for line in bare if line not in proposed) == sorted(lines)


def test_a_column_taken_out_takes_its_line_its_levels_and_its_weight_alone(held):
    held.take(POLICY)
    text, found = held.change({"role2": "other"}, "roles")
    assert sorted(found) == sorted(["-     'zip',", '- zip = "prefix:3,1"'])
    assert "# in years" in text
    found = held.change({"role0": "identifiers"}, "roles")[1]
    assert {'-     "age",   # in years', "- age = 2.5", '- age = "intervals:5,10"     # bands'} <= set(found)
    assert tomllib.loads(held.text())["identifiers"] == ["age"]


def test_an_empty_policy_gets_what_is_said(held):
    held.take("")
    text = held.change({"quasi_identifiers": "age", "k": "3", "seed": "4"})[0]
    held.change({"max_stars": "1"})
    said = tomllib.loads(held.text())
    assert (said["quasi_identifiers"], said["k"], said["job"], said["mask"]) == (
        ["age"],
        3,
        {"seed": 4},
        {"max_stars": 1},
    )
    assert text.index("k = 3") < text.index("[job]")


def test_keys_outside_their_table_and_by_another_name_stay_where_they_are(held):
    held.take('qi = ["age", "zip"]\nk = 2\nmax_stars = 1\nseed = 3\n\n[hierarchy]\nzip = "prefix"\n')
    found = held.change({"max_stars": "2", "seed": "4"})[1]
    assert sorted(found) == ["+ max_stars = 2", "+ seed = 4", "- max_stars = 1", "- seed = 3"]
    found = held.change({"kind1": "prefix", "detail1": "1"}, "labels")[1]
    assert sorted(found) == ['+ zip = "prefix:1"', '- zip = "prefix"']
    assert "[mask]" not in held.text() and "[hierarchies]" not in held.text()


def test_many_changes_one_after_the_other_say_what_was_meant(held):
    draw = random.Random(5)
    held.take(POLICY)
    for _ in range(how_many(150, 12)):
        form, says = draw.choice([
            (lambda n: ({"k": n}, lambda s: s["k"] == int(n)))(str(draw.randint(1, 9))),
            (lambda n: ({"l": n}, lambda s: s.get("l", "") == (float(n) if n else "")))(draw.choice(["", "2", "2.5"])),
            (lambda n: ({"t": n}, lambda s: s.get("t", "") == (float(n) if n else "")))(draw.choice(["", "0.25"])),
            (lambda n: ({"max_stars": n}, lambda s: s.get("mask", {}).get("max_stars", "") == (int(n) if n else "")))(
                draw.choice(["", "1", "2"])),
            (lambda n: ({"weights": "\n".join(n)}, lambda s: len(s.get("weights", {})) == len(n)))(
                draw.sample(["age=1.5", "zip=2", "sex=1/3"], draw.randint(0, 3))),
            (lambda n: ({"seed": n}, lambda s: s.get("job", {}).get("seed", 0) == int(n)))(str(draw.randint(0, 3))),
            (lambda n: ({"na": n}, lambda s: s.get("read", {}).get("na", []) == n.split()))(draw.choice(["", "NA\n?"])),
            (lambda n: ({"outliers": n}, lambda s: s.get("outliers", "forbid") == n))(draw.choice(["forbid", "suppress"])),
            (lambda n: ({"sensitive": n}, lambda s: s["sensitive"] == n.split(", ")))(draw.choice(["diagnosis", "diagnosis, drug"])),
        ])  # fmt: skip
        text, _ = held.change(form)
        assert says(tomllib.loads(text)), form
    assert text.startswith("# the policy of the ward\n") and "# in years" in text


FULL = """
quasi_identifiers = ["age", "a, b", "q\\"q"]
sensitive = ["ill"]
identifiers = ["name"]
k = 5
l = 2.5
t = "1/3"
require = ["p-sensitive p=2 column=ill"]
max_stars = 2
keep = ["age"]
together = [["age", "a, b"]]
max_level = { age = 1 }
outliers = "suppress"
weights = { age = "1/3" }
sensitive_distance = { ill = "ordered" }

[read]
na = ["NA", "?"]
header = true
delimiter = ";"

[job]
time_limit = 7.5
seed = 3
"""


def test_fields_show_every_setting_and_mean_what_they_show(visitor, tmp_path):
    rows = 'age;"a, b";"q""q";ill;name\n' + "".join(f"{n % 9};x;y;i{n % 3};n{n}\n" for n in range(40))
    held = Held(visitor, visitor.opened("full.csv", rows.encode()), tmp_path)
    held.take(FULL)
    fields = held.fields()
    shown = {
        "quasi_identifiers": 'age,"a, b", "q""q"', "sensitive": "ill", "k": "5", "l": "2.5", "t": "1/3",
        "require": "p-sensitive p=2 column=ill", "weights": "age=1/3", "max_stars": "2", "keep": "age",
        "together": 'age,"a, b"', "max_level": "age=1", "na": "NA\n?", "header": "yes", "delimiter": ";",
        "sensitive_distance": "ill=ordered", "time_limit": "7.5", "seed": "3", "outliers": "suppress", "solver": "auto",
        "full_suppression": "yes", "at_most_one": "", "strip": "yes", "memory": "",
    }  # fmt: skip
    assert {name: fields[name].replace("\r", "") for name in shown} == shown
    assert held.change({**fields, "na": "NA\r\n?"})[0] == FULL  # a form sent back as it was
    held.take('quasi_identifiers = ["age"]\nk = 2\n[read]\ndelimiter = ";"\n')
    wanted = {name: text for name, text in fields.items() if name not in ("text", "file", "said")}
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "p.toml").write_text(held.change(wanted)[0])
    (tmp_path / "one" / "q.toml").write_text(FULL)
    assert incrowd.Job.load(tmp_path / "one" / "p.toml") == incrowd.Job.load(tmp_path / "one" / "q.toml")
    visitor.post(f"{held.place}/close")


def test_every_setting_has_a_field_or_a_page_of_its_own_under_a_heading(visitor, table, held):
    held.take(POLICY)
    import inspect

    named = set(inspect.signature(incrowd.anonymize).parameters) - {
        "data",
        "policy",
        "people",
        "on_event",
        "stop",
        "mask",
    }
    # where files go, and which engine runs, is not asked in the app
    elsewhere = {"hierarchies", "output", "report", "certificate", "save_policy", "engine", "keep_best", "dry_run"}
    assert named - elsewhere <= set(held.fields()) and not elsewhere & set(held.fields())
    page = words(visitor.text(f"{table}/settings"))
    for said in (
        "k: how many look alike", "Time limit in seconds", "l: how many answers stay possible", "What is promised",
        "t: how near to the whole table", "Stars in a row, at most", "Only together", "No coarser than", "Seed",
        "What a star costs",
    ):  # fmt: skip
        assert said in page, said


REFUSED = [
    ("text", {"text": "k = "}), ("text", {"text": "kk = 5"}), ("text", {"text": "k = 0"}),
    ("text", {"text": "hierarchies = 5\nhierarchy = 6"}), ("text", {"text": "k = 5000"}),
    ("text", {"text": 'engine = "spark"'}), ("text", {"text": "#" * (1 << 20 | 1)}),
    ("settings", {"k": "0"}), ("settings", {"k": "x"}), ("settings", {"l": "0.5"}), ("settings", {"t": "2"}),
    ("settings", {"require": "nobody p=3"}), ("settings", {"gap": "wide"}), ("settings", {"together": "age, nobody"}),
    ("stars", {"together": "age, nobody"}), ("promise", {"k": "121"}),
    ("labels", {"kind0": "intervals", "detail0": "x"}), ("labels", {"kind0": "intervals", "detail0": ""}),
    ("labels", {"kind1": "file", "detail1": "/etc/passwd"}), ("labels", {"kind0": "../x"}), ("labels", {"kind2": "prefix", "detail2": "x"}),
    ("labels", {"kind1": "dates"}), ("curve", {"ks": ""}), ("curve", {"ks": "x"}), ("curve", {"ks": ",".join(["2"] * 21)}),
    ("roles", {"role0": "boss"}), ("open", {"file": "small.csv"}), ("open", {"file": "../own.toml"}),
]  # fmt: skip


@pytest.mark.few(3, "open-form26", "text-form3")
@pytest.mark.parametrize(("page", "form"), REFUSED)
def test_what_is_no_policy_changes_nothing(held, page, form):
    held.take(POLICY)
    held.refused(form, page)


def test_k_may_be_as_large_as_the_table_and_a_policy_need_not_name_one(held):
    held.take("k = 120\n")
    held.take('quasi_identifiers = ["age"]\n')


NAMED = [
    '[hierarchies]\nage = "{}"',
    '[hierarchies]\nage = {{ file = "{}" }}',
    '[hierarchies]\nage = {{ file = "{}", level_costs = [1] }}',
    'cost = "workload:{}"',
    'require = ["t-closeness t=0.2 column=diagnosis distance=hierarchical:{}"]',
    'require = [{{ model = "t-closeness", t = 0.2, column = "diagnosis", distance = "matrix:{}" }}]',
    '[sensitive_distance]\ndiagnosis = "hierarchical:{}"',
]


@pytest.mark.parametrize(("number", "text"), list(enumerate(NAMED)))
def test_files_elsewhere_are_refused_before_they_are_read_and_files_beside_it_are_asked_for(held, root, number, text):
    (root.parent / "outside.csv").write_text("a;*\n")
    if not (root / "outward.csv").is_symlink():
        (root / "outward.csv").symlink_to(root.parent / "outside.csv")
    held.take(POLICY)
    names = ("../outside.csv", "/etc/passwd", "deep/../../outside.csv")
    for name in (names * 2)[number % 3 :][: how_many(3, 1)]:
        said = held.refused({"text": text.format(name)}, "text")
        assert "names a file out of its own folder" in said, name
    (root / "links.toml").write_text(text.format("outward.csv"))
    assert "out of its own folder" in held.refused({"file": "links.toml"}, "open")
    name = f"deep/tree{number}.csv"
    held.take(text.format(name) + "\n")
    page = words(held.visitor.text(f"{held.place}/settings"))
    assert name in page
    assert "which is not here yet; add it under All settings" in words(held.visitor.text(f"{held.place}/labels"))
    assert held.visitor.get(f"{held.place}/beside/0").status_code == 404
    answer = held.visitor.post(f"{held.place}/send", files={"file": ("other.csv", b"f;*\n")})
    assert "the policy names no file of this name that is missing" in held.visitor.after(answer)
    held.visitor.post(f"{held.place}/send", files={"file": (f"tree{number}.csv", b"some;*\n")})
    assert held.visitor.get(f"{held.place}/beside/0").text == "some;*\n"
    assert "which is not here yet" not in words(held.visitor.text(f"{held.place}/labels"))


def test_a_policy_below_the_folder_is_opened_with_the_files_that_it_names(held, root):
    (root / "deep2" / "trees").mkdir(parents=True, exist_ok=True)
    (root / "deep2" / "own.toml").write_text('qi = ["sex"]\nk = 2\n[hierarchies]\nsex = "trees/sex.csv"\n')
    (root / "deep2" / "trees" / "sex.csv").write_text("f;any;*\nm;any;*\n")
    assert 'value="deep2/own.toml"' in held.visitor.text(f"{held.place}/settings")
    held.visitor.post(f"{held.place}/open", {"file": "deep2/own.toml"})
    assert tomllib.loads(held.text())["qi"] == ["sex"]
    assert held.visitor.get(f"{held.place}/beside/0").headers["content-disposition"] == 'attachment; filename="sex.csv"'
    assert "notice no" not in held.visitor.text(f"{held.place}/labels")
    (root / "latin.toml").write_bytes(b"# \xff\nk = 2\n")
    assert "is not UTF-8" in held.refused({"file": "latin.toml"}, "open")


def test_files_of_output_that_a_policy_names_are_not_written(held, tmp_path):
    held.take(
        f'quasi_identifiers = ["age"]\nk = 2\n[job]\noutput = "{tmp_path}/stolen.csv"\nreport = "{tmp_path}/r.html"\n'
        f'certificate = "{tmp_path}/c.json"\ntime_limit = 0.2\n'
    )
    held.visitor.post(f"{held.place}/search", {})
    held.visitor.settled(f"{held.place}/search")
    assert held.visitor.get(f"{held.place}/files/release.csv").status_code == 200
    assert [path.name for path in tmp_path.iterdir()] == []
