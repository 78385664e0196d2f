"""What levels show of a column, and its values grouped by hand: counted, named only where somebody asks, kept as a file."""

from __future__ import annotations

import csv
import html
import io
import re
import tomllib

import pytest

from web.visitor import words

TOWNS = ("Bonn", "Kiel", "Köln", "Ulm")


def rows(columns, lines):
    return (columns + "\n" + "\n".join(lines) + "\n").encode()


@pytest.fixture(scope="module")
def ages(visitor):
    """40 ages, two sexes and missing towns."""
    lines = [f"{20 + n % 40},{'fm'[n % 2]},{('Ulm', 'Kiel', '')[n % 3]}" for n in range(120)]
    place = visitor.opened("ages.csv", rows("age,sex,town", lines))
    visitor.post(f"{place}/text", {"text": 'quasi_identifiers = ["age", "sex", "town"]\nk = 2\n'})
    return place


def preview(visitor, place, column, kind, detail="", **more):
    """The levels that a preview tells: labels of each, some of them, or what is wrong."""
    form = {"column": str(column), "kind": kind, "detail": detail, **more}
    answer = visitor.post(f"{place}/preview", form)
    assert answer.status_code == 200
    return answer.text


LEVELS = [
    ((0, "intervals", "5,10"), {}, [40, 8, 4]),
    ((0, "intervals", "5\n10"), {}, [40, 8, 4]),
    ((0, "intervals", "10"), {"start": "5"}, [40, 5]),
    ((0, "intervals", "10"), {"top": "45"}, [40, 4]),
    ((0, "intervals", "10, 50+"), {}, [40, 4]),
    ((0, "prefix", "1"), {}, [40, 4]),
    ((0, "none", "7"), {}, [40]),
    ((1, "none", ""), {}, [2]),
    ((1, "prefix", ""), {}, [2]),
    ((2, "none", ""), {}, [2]),
]


@pytest.mark.few(5)
@pytest.mark.parametrize(("asked", "more", "labels"), LEVELS)
def test_labels_are_counted_level_by_level_over_the_table_and_named_only_where_some_are_asked_for(
    visitor, ages, asked, more, labels
):
    said = words(preview(visitor, ages, *asked, **more))
    counted = [int(number) for number in re.findall(r"(\d+) different (?:values|labels)", said)]
    assert counted == labels
    shown = words(preview(visitor, ages, *asked, some="yes", **more))
    first = {0: "20", 1: "f", 2: "Kiel"}[asked[0]]
    assert re.search(rf"\b{first}\b", shown)
    if asked[0] != 1:
        assert not re.search(rf"\b{first}\b", said.replace("20 different", ""))


def test_some_labels_are_six_spread_over_all(visitor, ages):
    shown = preview(visitor, ages, 0, "intervals", "5", some="yes")
    found = re.findall(r"<code>([^<]*)</code>", shown)
    assert found[:6] == ["20", "27", "34", "41", "48", "55"]
    assert found[6:] == ["20-24", "30-34", "40-44", "50-54"]


BAD = [
    ("1", "intervals", "5"), ("1", "dates", ""), ("0", "intervals", ""), ("0", "file", "/etc/passwd"), ("0", "../x", ""),
    ("0", "prefix", "x"), ("9", "none", ""), ("x", "none", ""), ("", "none", ""), ("-1", "none", ""),
]  # fmt: skip


@pytest.mark.few(2, "asked3", "asked4")
@pytest.mark.parametrize("asked", BAD)
def test_what_does_not_fit_is_said_in_its_place_without_a_value(visitor, ages, asked):
    said = preview(visitor, ages, *asked)
    assert 'class="bad"' in said and "different" not in words(said)
    assert not re.search(r"'(f|m|2\d)'", said)


PATTERNS = [
    ('quasi_identifiers = ["age", "sex"]', 4),
    ('quasi_identifiers = ["age", "sex"]\n[hierarchies]\nage = "intervals:5,10"', 8),
    ('quasi_identifiers = ["age", "sex"]\nkeep = ["age"]', 3),  # all stars are allowed with every mask
    ('quasi_identifiers = ["age", "sex"]\nkeep = ["age"]\nfull_suppression = false', 2),
    ('quasi_identifiers = ["age", "sex", "town"]\nmax_stars = 1', 5),
]


@pytest.mark.parametrize(("text", "count"), PATTERNS)
def test_patterns_are_counted_over_the_heights_of_this_table(visitor, ages, text, count):
    before = visitor.get(f"{ages}/files/policy.toml").text
    visitor.post(f"{ages}/text", {"text": f"k = 2\n{text}\n"})
    assert f"{count} patterns of blurred columns are allowed" in words(visitor.post(f"{ages}/patterns").text)
    assert f"{count} patterns of blurred columns are allowed" in words(visitor.text(f"{ages}/stars"))
    visitor.post(f"{ages}/text", {"text": before})


def test_a_hierarchy_of_a_file_is_held_against_the_values_and_completed_where_it_lacks_some(visitor, ages):
    def policy():
        return tomllib.loads(visitor.get(f"{ages}/files/policy.toml").text)

    def send(content):
        return visitor.post(f"{ages}/hierarchy", {"column": "2"}, files={"file": ("t.csv", content)})

    for wrong, said in (
        (b"Ulm;south;*\n", "its hierarchy lacks"),
        (b"Ulm;south;*\nKiel;north\n", "is not as long as the others"),
        (b"", "the file is empty"),
    ):
        page = visitor.after(send(wrong))
        assert "That did not work" in page and said in page and "Kiel" not in page
        assert "hierarchies" not in policy()
    for form, file in (({"column": "9"}, b"x"), ({"column": "x"}, b"x"), ({}, b"x")):
        answer = visitor.post(f"{ages}/hierarchy", form, files={"file": ("t.csv", file)})
        assert "choose the hierarchy" in words(visitor.text(answer.headers["location"]))
    assert send(b"Ulm;south;*\nKiel;north;*\nNULL;north;*\n").headers["location"] == f"{ages}/labels"
    assert policy()["hierarchies"] == {"town": "hierarchy1.csv"}
    assert "3 different" in words(preview(visitor, ages, 2, "file")) and "2 different" in words(
        preview(visitor, ages, 2, "file")
    )
    send(b"Ulm;s;*\nKiel;n;*\nNULL;n;*\n")
    assert policy()["hierarchies"] == {"town": "hierarchy2.csv"}
    visitor.post(f"{ages}/labels", {"kind2": "none"})
    assert "hierarchies" not in policy() or not policy()["hierarchies"]


def test_values_are_counted_anew_where_the_table_is_read_in_another_way(visitor):
    place = visitor.opened("again.csv", rows("age,sex", [f"{age},{'fm'[age % 2]}" for age in range(20, 60)]))
    visitor.post(f"{place}/text", {"text": 'quasi_identifiers = ["age"]\nk = 2\n'})
    assert "40 different values" in words(preview(visitor, place, 0, "none"))
    assert visitor.post(f"{place}/trees/0", {"act": "show"}).headers["location"].endswith("#tree")
    assert "<textarea" in visitor.text(f"{place}/trees/0")
    assert visitor.post(f"{place}/reading", {"na": "31"}).headers["location"] == f"{place}/columns"
    visitor.settled(f"{place}/columns")
    assert "39 different values" in words(preview(visitor, place, 0, "none"))
    assert "<textarea" not in visitor.text(f"{place}/trees/0")  # what was grouped were other values
    visitor.post(f"{place}/reading", {"header": "no"})
    assert "41 rows, 2 columns" in words(visitor.settled(f"{place}/columns"))


class Groups:
    """The page on which the values of a column are grouped."""

    def __init__(self, visitor, place):
        self.visitor, self.place, self.path = visitor, place, f"{place}/trees/0"
        self.act("hide")
        self.act("show")

    def text(self):
        found = re.search(r"<textarea[^>]*>\n?(.*?)</textarea>", self.visitor.text(self.path), re.DOTALL)
        return None if found is None else html.unescape(found[1])

    def act(self, act, text=""):
        """Press a button; where it leads."""
        return self.visitor.post(self.path, {"act": act, "text": text}).headers["location"]

    def kept(self, text):
        """The file that comes of it: every value with its labels, without what only repeats."""
        assert self.act("keep", text) == f"{self.place}/labels"
        made = {}
        for value, *labels in csv.reader(io.StringIO(self.visitor.get(f"{self.place}/beside/0").text), delimiter=";"):
            assert labels[-1] == "*"
            made[value] = tuple(dict.fromkeys(label for label in labels[:-1] if label != value))
        return made


@pytest.fixture(scope="module")
def towns(visitor):
    return visitor.opened("towns.csv", rows("town,sex", [f"{TOWNS[n % 4]},f" for n in range(40)]))


@pytest.fixture
def groups(visitor, towns):
    visitor.post(f"{towns}/text", {"text": 'quasi_identifiers = ["town"]\nk = 2\n'})
    return Groups(visitor, towns)


# what is typed, and what file comes of it: by value, the names of its groups from the innermost
TYPED = {
    "one group": ("Bonn;Rhine\nKiel\nKöln;Rhine\nUlm\n", {"Bonn": ("Rhine",), "Köln": ("Rhine",), "Kiel": (), "Ulm": ()}),
    "a group in a group": ("Bonn; Rhine; south\nKöln; Rhine; south\nUlm; south\nKiel\n",
                           {"Bonn": ("Rhine", "south"), "Köln": ("Rhine", "south"), "Ulm": ("south",), "Kiel": ()}),
    "as markup": ("Bonn;<b>top</b>\nKiel\nKöln\nUlm\n", {"Bonn": ("<b>top</b>",), "Köln": (), "Ulm": (), "Kiel": ()}),
}  # fmt: skip


@pytest.mark.parametrize("case", TYPED)
def test_values_are_grouped_by_hand_and_what_is_kept_is_that_hierarchy(groups, case):
    text, made = TYPED[case]
    assert groups.text().split() == list(TOWNS)
    assert groups.act("look", text).endswith("#tree")
    page = groups.visitor.text(groups.path)
    assert "<b>top" not in page and "<b>*</b> nothing is shown" in page
    assert groups.kept(text) == made
    again = Groups(groups.visitor, groups.place)  # taken up where the file left it
    before = groups.visitor.get(f"{groups.place}/files/policy.toml").text
    assert again.kept(again.text()) == made
    assert groups.visitor.get(f"{groups.place}/files/policy.toml").text == before
    again.act("show")
    again.act("keep", "\n".join(TOWNS))  # of no group
    policy = tomllib.loads(groups.visitor.get(f"{groups.place}/files/policy.toml").text)
    assert "town" not in policy.get("hierarchies", {})


def test_what_is_no_tree_of_the_values_is_said_and_changes_no_policy(groups):
    policy = groups.visitor.get(f"{groups.place}/files/policy.toml").text
    for text, said in (
        ("Bonn;\nKiel\nKöln\nUlm", "a group needs a name"), ("Bonn;*\nKiel\nKöln\nUlm", "a group needs a name"),
        ("Bonn;a;c\nKiel;a;d\nKöln\nUlm", "hierarchy"), ("Bonn;a\nKiel\nKöln", "lacks 1 of the column"),
    ):  # fmt: skip
        assert said in words(groups.visitor.text(groups.act("keep", text))), text
        assert groups.visitor.get(f"{groups.place}/files/policy.toml").text == policy
    groups.act("hide")
    assert "Kiel" not in groups.visitor.text(groups.path)
    assert "are not shown any more" in groups.visitor.after(groups.visitor.post(groups.path, {"act": "keep"}))
    groups.act("show")
    assert "are not shown any more" in groups.visitor.after(groups.visitor.post(groups.path, {"act": "explode"}))


@pytest.mark.parametrize("number", ["1", "x", "-1", "²", "9" * 30])
def test_a_column_that_there_is_not_is_not_found(groups, number):
    assert groups.visitor.get(f"{groups.place}/trees/{number}").status_code == 404
    assert groups.visitor.post(f"{groups.place}/trees/{number}", {"act": "show"}).status_code == 404
    assert groups.visitor.get(f"{groups.place}/beside/{number}").status_code == 404


def test_columns_that_cannot_be_grouped_by_hand_say_so(visitor):
    for name, lines, said in (
        ("many.csv", [str(n) for n in range(501)], "too many values"),
        ("gaps.csv", ["NULL", "", "a"] * 4, "the column has gaps and the text NULL"),
    ):
        place = visitor.opened(name, rows("who,sex", [f"{line},f" for line in lines]))
        visitor.post(f"{place}/text", {"text": 'quasi_identifiers = ["who"]\nk = 2\n'})
        assert said in visitor.after(visitor.post(f"{place}/trees/0", {"act": "show"}))
    place = visitor.opened("gap.csv", rows("who,sex", ["a,f", ",f", "b,f"] * 4))
    visitor.post(f"{place}/text", {"text": 'quasi_identifiers = ["who"]\nk = 2\n'})
    assert Groups(visitor, place).kept("NULL;either\na;either\nb") == {"NULL": ("either",), "a": ("either",), "b": ()}


def test_as_many_values_as_can_be_grouped_by_hand_are(visitor):
    place = visitor.opened("most.csv", rows("who,sex", [f"v{n % 500},f" for n in range(1000)]))
    visitor.post(f"{place}/text", {"text": 'quasi_identifiers = ["who"]\nk = 2\n'})
    assert len(Groups(visitor, place).text().split()) == 500
