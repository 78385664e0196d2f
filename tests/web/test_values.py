"""What levels show of a column, and its values grouped by hand: counted, named only where somebody asks, kept as a file."""

from __future__ import annotations

import csv
import io
import random
import re
import tomllib

import pytest

from web.visitor import words

TOWNS = ("Bonn", "Kiel", "Köln", "Ulm")
VALUE = re.compile(r'name="(value|group)" value="(\d+)"(?: checked)?> <(?:code|b)>([^<]*)<')


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


@pytest.mark.few(4)
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
    assert VALUE.findall(visitor.text(f"{place}/trees/0"))
    assert visitor.post(f"{place}/reading", {"na": "31"}).headers["location"] == f"{place}/columns"
    visitor.settled(f"{place}/columns")
    assert "39 different values" in words(preview(visitor, place, 0, "none"))
    assert VALUE.findall(visitor.text(f"{place}/trees/0")) == []  # what was grouped were other values
    visitor.post(f"{place}/reading", {"header": "no"})
    assert "41 rows, 2 columns" in words(visitor.settled(f"{place}/columns"))


class Tree:
    """The page on which the values of a column are grouped."""

    def __init__(self, visitor, place):
        self.visitor, self.place, self.path = visitor, place, f"{place}/trees/0"
        self.act("hide")
        self.act("show")

    def page(self):
        return self.visitor.text(self.path)

    def act(self, act, **fields):
        """Press a button, values and groups named as the page shows them; where it leads."""
        page = self.page()
        form = {"act": act, "stamp": "".join(re.findall(r'name="stamp" value="(\w+)"', page))}
        for field in ("value", "group"):
            at = {text: number for kind, number, text in VALUE.findall(page) if kind == field}
            form[field] = [at[name] for name in fields.pop(field, ())]
        if "into" in fields:
            groups = {text: number for kind, number, text in VALUE.findall(page) if kind == "group"}
            fields["into"] = groups.get(fields["into"], fields["into"])
        return self.visitor.post(self.path, form | fields).headers["location"]

    def said(self, act, **fields):
        return words(self.visitor.text(self.act(act, **fields)))

    def groups(self):
        return [text for kind, _, text in VALUE.findall(self.page()) if kind == "group"]

    def kept(self):
        """The file that comes of it: every value with its labels, without what only repeats."""
        assert self.act("keep") == f"{self.place}/labels"
        text = self.visitor.get(f"{self.place}/beside/0").text
        made = {}
        for value, *labels in csv.reader(io.StringIO(text), delimiter=";"):
            assert labels[-1] == "*"
            made[value] = tuple(dict.fromkeys(label for label in labels[:-1] if label != value))
        return made


@pytest.fixture(scope="module")
def towns(visitor):
    return visitor.opened("towns.csv", rows("town,sex", [f"{TOWNS[n % 4]},f" for n in range(40)]))


@pytest.fixture
def tree(visitor, towns):
    visitor.post(f"{towns}/text", {"text": 'quasi_identifiers = ["town"]\nk = 2\n'})
    return Tree(visitor, towns)


# steps, and what file comes of them: by value, the names of its groups from the innermost
STEPS = {
    "one group": ([("group", {"value": ["Bonn", "Köln"], "name": "Rhine"})],
                  {"Bonn": ("Rhine",), "Köln": ("Rhine",), "Kiel": (), "Ulm": ()}),
    "a group in a group": ([("group", {"value": ["Bonn", "Köln"], "name": "Rhine"}), ("group", {"value": ["Ulm"], "group": ["Rhine"], "name": "south"})],
                           {"Bonn": ("Rhine", "south"), "Köln": ("Rhine", "south"), "Ulm": ("south",), "Kiel": ()}),
    "inside": ([("group", {"value": ["Bonn", "Köln", "Ulm"], "name": "south"}), ("group", {"value": ["Bonn", "Köln"], "name": "Rhine"})],
               {"Bonn": ("Rhine", "south"), "Köln": ("Rhine", "south"), "Ulm": ("south",), "Kiel": ()}),
    "across": ([("group", {"value": ["Bonn", "Köln", "Ulm"], "name": "south"}), ("group", {"value": ["Bonn", "Köln"], "name": "Rhine"}),
                ("group", {"value": ["Bonn", "Kiel"], "name": "B and K"})],
               {"Bonn": ("B and K",), "Kiel": ("B and K",), "Köln": ("Rhine", "south"), "Ulm": ("south",)}),
    "renamed": ([("group", {"value": ["Bonn", "Köln"], "name": "Rhine"}), ("rename", {"group": ["Rhine"], "name": " by  the Rhine "})],
                {"Bonn": ("by the Rhine",), "Köln": ("by the Rhine",), "Kiel": (), "Ulm": ()}),
    "moved": ([("group", {"value": ["Bonn", "Köln"], "name": "Rhine"}), ("group", {"value": ["Ulm"], "name": "Danube"}),
               ("move", {"value": ["Kiel"], "group": ["Rhine"], "into": "Danube"})],
              {"Bonn": ("Rhine", "Danube"), "Köln": ("Rhine", "Danube"), "Kiel": ("Danube",), "Ulm": ("Danube",)}),
    "removed": ([("group", {"value": ["Bonn", "Köln"], "name": "Rhine"}), ("group", {"value": ["Ulm"], "group": ["Rhine"], "name": "south"}),
                 ("remove", {"group": ["south"]})],
                {"Bonn": ("Rhine",), "Köln": ("Rhine",), "Kiel": (), "Ulm": ()}),
    "taken out": ([("group", {"value": ["Bonn", "Köln", "Ulm"], "name": "south"}), ("move", {"value": ["Bonn"], "into": ""})],
                  {"Köln": ("south",), "Ulm": ("south",), "Bonn": (), "Kiel": ()}),
    "a group with a group of it": (
        [("group", {"value": ["Bonn", "Köln"], "name": "Rhine"}), ("group", {"value": ["Ulm"], "group": ["Rhine"], "name": "south"}),
         ("group", {"group": ["Rhine", "south"], "name": "land"})],
        {"Bonn": ("Rhine", "south", "land"), "Köln": ("Rhine", "south", "land"), "Ulm": ("south", "land"), "Kiel": ()}),
    "as markup": ([("group", {"value": ["Bonn"], "name": "<b>top</b>"})], {"Bonn": ("<b>top</b>",), "Köln": (), "Ulm": (), "Kiel": ()}),
}  # fmt: skip


@pytest.mark.few(4)
@pytest.mark.parametrize("case", STEPS)
def test_values_are_grouped_by_hand_and_what_is_kept_is_that_hierarchy(tree, case):
    steps, made = STEPS[case]
    for act, fields in steps:
        assert tree.act(act, **fields).endswith("#tree")
    assert "<b>top" not in tree.page().replace("<b>&lt;b&gt;top", "")
    assert tree.kept() == made
    again = Tree(tree.visitor, tree.place)  # taken up where the file left it
    assert sorted(set(again.groups())) == sorted(
        {name.replace("<", "&lt;").replace(">", "&gt;") for names in made.values() for name in names}
    )
    before = tree.visitor.get(f"{tree.place}/files/policy.toml").text
    again.act("keep")
    assert tree.visitor.get(f"{tree.place}/files/policy.toml").text == before
    for name in again.groups()[::-1]:
        if name in again.groups():
            again.act("remove", group=[name])
    again.act("keep")  # of no group
    assert "town" not in tomllib.loads(tree.visitor.get(f"{tree.place}/files/policy.toml").text).get("hierarchies", {})


NO = [
    ("group", {"name": "x"}, "nothing is chosen"), ("move", {"into": ""}, "nothing is chosen"),
    ("remove", {}, "no group is chosen"), ("rename", {"name": "x"}, "choose the one group"),
    ("rename", {"name": "x", "group": ["Rhine"], "value": ["Ulm"]}, "choose the one group"),
    ("rename", {"name": "x", "group": ["Rhine", "rivers"]}, "choose the one group"),
    ("move", {"group": ["rivers"], "into": "Rhine"}, "cannot stand in itself"),
    ("move", {"group": ["rivers"], "into": "rivers"}, "cannot stand in itself"),
    ("move", {"value": ["Ulm"], "into": "7"}, "no such value or group"),
    ("move", {"value": ["Ulm"], "into": "../x"}, "no such value or group"),
    ("explode", {}, "no such button"),
    *((act, {"group": ["Rhine"], "name": name}, said) for act in ("group", "rename") for name, said in (
        ("", "needs a name"), ("  ", "needs a name"), ("*", "needs a name"), ("x" * 201, "needs a name"),
        ("Kiel", "has this name already"), ("Rhine", "has this name already"), ("rivers", "has this name already"))),
]  # fmt: skip


def test_what_cannot_be_done_is_said_and_changes_nothing(tree):
    tree.act("group", value=["Bonn", "Köln"], name="Rhine")
    tree.act("group", group=["Rhine"], name="rivers")
    page, policy = VALUE.findall(tree.page()), tree.visitor.get(f"{tree.place}/files/policy.toml").text
    for act, fields, said in NO:
        assert said in tree.said(act, **fields), (act, fields)
        assert VALUE.findall(tree.page()) == page
    tree.act("group", value=["Ulm"], name="y" * 200)
    assert "y" * 200 in tree.groups()
    assert tree.visitor.get(f"{tree.place}/files/policy.toml").text == policy


def test_a_form_of_an_older_tree_and_one_of_no_tree_are_refused(tree):
    old = {
        "act": "group",
        "name": "x",
        "value": ["0"],
        "stamp": re.search(r'name="stamp" value="(\w+)"', tree.page())[1],
    }
    tree.act("group", value=["Kiel"], name="middle")
    for act in (old, old | {"act": "keep"}):
        page = tree.visitor.after(tree.visitor.post(tree.path, act))
        assert "the tree has changed" in page and "x 1 value" not in page
    tree.act("hide")
    assert "Kiel" not in tree.page()
    assert "the tree has changed" in tree.visitor.after(tree.visitor.post(tree.path, old))


@pytest.mark.parametrize("number", ["1", "x", "-1", "²", "9" * 30])
def test_a_column_that_there_is_not_is_not_found(tree, number):
    assert tree.visitor.get(f"{tree.place}/trees/{number}").status_code == 404
    assert tree.visitor.post(f"{tree.place}/trees/{number}", {"act": "show"}).status_code == 404
    assert tree.visitor.get(f"{tree.place}/beside/{number}").status_code == 404


def test_random_changes_leave_every_value_once_where_a_plain_list_of_groups_has_it(tree):
    """The same steps on a plain dictionary of paths: the names from the outermost."""
    draw, paths = random.Random(7), dict.fromkeys(TOWNS, ())
    for step in range(14):
        names = sorted({name for path in paths.values() for name in path})
        act = draw.choice(["group", "move", "remove", "rename"])
        value = draw.sample(TOWNS, 2)
        if act == "group":
            tree.act("group", value=value, name=f"g{step}")
            one, two = (paths[v] for v in value)
            common = next(
                (i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two))
            )
            paths |= dict.fromkeys(value, (*one[:common], f"g{step}"))
        elif names and act == "move":
            into = draw.choice(names)
            path = next(p[: p.index(into) + 1] for p in paths.values() if into in p)
            tree.act("move", value=value[:1], into=into)
            paths[value[0]] = path
        elif names and act == "remove":
            gone = draw.choice(names)
            tree.act("remove", group=[gone])
            paths = {v: tuple(name for name in p if name != gone) for v, p in paths.items()}
        elif names:
            old = draw.choice(names)
            tree.act("rename", group=[old], name=f"r{step}")
            paths = {v: tuple(f"r{step}" if name == old else name for name in p) for v, p in paths.items()}
        assert set(tree.groups()) == {name for path in paths.values() for name in path}
    assert len({name for path in paths.values() for name in path}) >= 1
    assert tree.kept() == {value: path[::-1] for value, path in paths.items()}


def test_columns_that_cannot_be_grouped_by_hand_say_so(visitor):
    for name, lines, said in (
        ("many.csv", [str(n) for n in range(501)], "more than the 500"),
        ("gaps.csv", ["NULL", "", "a"] * 4, "the column has gaps and the text NULL"),
    ):
        place = visitor.opened(name, rows("who,sex", [f"{line},f" for line in lines]))
        visitor.post(f"{place}/text", {"text": 'quasi_identifiers = ["who"]\nk = 2\n'})
        assert said in visitor.after(visitor.post(f"{place}/trees/0", {"act": "show"}))
    place = visitor.opened("gap.csv", rows("who,sex", ["a,f", ",f", "b,f"] * 4))
    visitor.post(f"{place}/text", {"text": 'quasi_identifiers = ["who"]\nk = 2\n'})
    tree = Tree(visitor, place)
    tree.act("group", value=["NULL", "a"], name="either")
    assert tree.kept() == {"NULL": ("either",), "a": ("either",), "b": ()}


def test_as_many_values_as_can_be_grouped_by_hand_are(visitor):
    place = visitor.opened("most.csv", rows("who,sex", [f"v{n % 500},f" for n in range(1000)]))
    visitor.post(f"{place}/text", {"text": 'quasi_identifiers = ["who"]\nk = 2\n'})
    assert (
        len(VALUE.findall(visitor.text(visitor.post(f"{place}/trees/0", {"act": "show"}).headers["location"]))) == 500
    )
