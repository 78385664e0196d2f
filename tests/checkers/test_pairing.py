"""What `incrowd.verify` says of small releases, by hand and drawn: which rule is broken, by how many rows, in how small a class.

Rows are written as words, `.` is a missing value. What is drawn is judged by trying every assignment of rows.
"""

from __future__ import annotations

import dataclasses
import io
import itertools
import pkgutil
import random
from collections import defaultdict

import ibis
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import incrowd
import incrowd.errors
from oracle.release_checks import Question, all_placed
from seeds import how_many, seeds


def table(header, text):
    """A table of texts."""
    rows = [line.split() for line in text.strip().splitlines()] if isinstance(text, str) else text
    names = header.split()
    cells = [[None if row[j] == "." else row[j] for row in rows] for j in range(len(names))]
    return pa.table({name: pa.array(column, pa.string()) for name, column in zip(names, cells, strict=True)})


def broken(original, released, **policy):
    """The violations by rule: how many, and the rows of the smallest class."""
    found = incrowd.verify(original, released, **{"quasi_identifiers": ["a", "b"], "k": 1, **policy})
    assert len({v.rule for v in found}) == len(found)
    return {v.rule: (v.count, v.example_group_size) for v in found}


HONEST = "x 1 f\n x 1 g\n y 2 f\n z 2 g", "* 2 g\n x 1 g\n x 1 f\n * 2 f"
CLASSES = "x 1 f\n x 1 f\n y 2 g\n y 2 g"
NULLS = ". 1\n x 1\n y 2\n y ."
KEPT = {"keep": ["a"], "full_suppression": False}
BOTH = {"together": [["a", "b"]]}
CASES = {  # columns, original, release, policy, what is broken
    "an honest release in another order": ("a b s", *HONEST, {"k": 2, "sensitive": ["s"]}, {}),
    "classes beneath k": ("a b s", *HONEST, {"k": 3}, {"k=3": (2, 2)}),
    "one class beneath k": ("a b", "x 1\n x 1\n x 1\n y 2\n y 2", "x 1\n x 1\n x 1\n y 2\n y 2", {"k": 3}, {"k=3": (1, 2)}),
    "a value that occurs": ("a b", "x 1\n x 1\n y 2", "x 1\n x 2\n y 2", {}, {"faithful": (1, 1)}),
    "a value of nobody": ("a b", "x 1\n x 1\n y 2", "x 1\n x 3\n y 2", {}, {"invented value: b": (1, None), "faithful": (1, 1)}),
    "a NULL where there was none": ("a b", "x 1\n x 1\n y .", "x .\n . 1\n y .", {}, {"invented value: a": (1, None), "faithful": (2, 1)}),
    "NULL is NULL": ("a b", ". 1\n x .", "x .\n . 1", {}, {}),
    "and nothing else": ("a b", ". 1\n x .", ". .\n x 1", {}, {"faithful": (2, 1)}),
    "a row lost": ("a b", "x 1\n x 1\n y 2", "x 1\n y 2", {}, {"rows": (1, None)}),
    "two rows lost": ("a b", "x 1\n x 1\n y 2", "y 2", {}, {"rows": (2, None)}),
    "a row added": ("a b", "x 1\n y 2", "x 1\n y 2\n y 2", {}, {"rows": (1, None), "faithful": (1, 2)}),
    "a row lost and one doubled": ("a b", "x 1\n y 2", "y 2\n y 2", {}, {"faithful": (1, 2)}),
    "all rows lost": ("a b", "x 1\n y 2", [], {}, {"rows": (2, None)}),
    "sensitive values of two classes": ("a b s", CLASSES, "x 1 f\n x 1 g\n y 2 g\n y 2 f", {"sensitive": ["s"]}, {"faithful": (2, 2)}),
    "sensitive values of one class": ("a b s", "x 1 f\n y 1 g\n z 2 h", "* 1 g\n * 1 f\n z 2 h", {}, {}),
    "no assignment is left": ("a b s", "x 1 f\n y 2 g", "* 2 f\n * 1 g", {}, {"faithful": (2, 1)}),
    "two other columns mixed up": (
        "a b s t", "x 1 f p\n x 1 g q", "x 1 f q\n x 1 g p", {}, {"other columns": (2, None), "faithful": (2, 2)},
    ),
    "another value of another column": (
        "a b s t", "x 1 f p\n x 1 g q", "x 1 f p\n x 1 g p", {}, {"other columns: t": (1, None), "faithful": (1, 2)},
    ),
    "three of them": (
        "a b s", "x 1 f\n x 1 f\n x 1 g\n x 1 h", "x 1 f\n x 1 p\n x 1 p\n x 1 p", {},
        {"other columns: s": (3, None), "faithful": (3, 4)},
    ),
    "NULL in another column": ("a b s t", "x 1 . p\n x 1 g .", "x 1 g .\n x 1 . p", {}, {}),
    "NULL for a value there": (
        "a b s t", "x 1 . p\n x 1 g .", "x 1 . .\n x 1 g p", {}, {"other columns": (2, None), "faithful": (2, 2)},
    ),
    "a star that the mask keeps": ("a b", "x 1\n x 2\n y 1", "x *\n x *\n * 1", {"mask": {"keep": ["a"]}}, {"mask": (1, 1)}),
    "stars alone, not allowed": ("a b", "x 1\n y 2", "* *\n * *", {"mask": {"full_suppression": False}}, {"mask": (2, 2)}),
    "two patterns of three": (
        "a b", "x 1\n x 1\n y 2\n y 3\n z 3", "x 1\n x 1\n y *\n y *\n * 3", {"mask": {"patterns": [["a"], []]}}, {"mask": (2, 2)},
    ),
    "stars alone need a crowd": ("a b", "x 1\n x 1\n y 2", "x 1\n x 1\n * *", {"k": 2}, {"k=2": (1, 1)}),
    "but not where they are suppressed": ("a b", "x 1\n x 1\n y 2", "x 1\n x 1\n * *", {"k": 2, "outliers": "suppress"}, {}),
    "others do": ("a b", "x 1\n x 1\n y 2", "x 1\n x 1\n y *", {"k": 2, "outliers": "suppress"}, {"k=2": (1, 1)}),
    "who takes whom": ("a b", "x 1\n x 2\n y 1\n y 2", "x *\n * 1\n x 1\n * 2", {}, {}),
    "who takes whom of three columns": ("a b c", "x 1 p\n x 1 q\n y 1 p", "x 1 *\n * 1 p\n x * p", {"quasi_identifiers": ["a", "b", "c"]}, {}),
    "three rows for two": ("a b", "x 1\n x 2\n y 3\n z 3", "x *\n x *\n x *\n * 3", {}, {"faithful": (1, 3)}),
    "a star that may be a NULL": ("a b", NULLS, ". 1\n . 1\n y .\n y .", {"suppressed": "null"}, {}),
    "a column that is never starred": ("a b", NULLS, ". 1\n x .\n y .\n y .", {"suppressed": "null", "mask": KEPT}, {}),
    "and is": ("a b", NULLS, ". 1\n . .\n y .\n y .", {"suppressed": "null", "mask": KEPT}, {"mask": (1, 1)}),
    "mask and pairing together": (
        "a b", ". 1\n x 1", ". 1\n . .", {"suppressed": "null", "mask": {"at_most_one": [["a", "b"]], "full_suppression": False}}, {},
    ),
    "a row that is left with what may not be starred": (
        "a b", ". 1\n x 1", ". .\n . 1", {"suppressed": "null", "mask": KEPT}, {"mask": (1, 1)},
    ),
    "NULL as a star beside a star": ("a b", ". x\n p y\n . z\n . z", ". .\n . .\n . z\n . z", {"suppressed": "null", "mask": BOTH, "k": 2}, {}),
    "an identifier that came along": (
        "id a b", "7 x 1", "7 x 1", {"identifiers": ["id"]}, {"columns: identifier id": (1, None)},
    ),
    "a requirement of stars alone": (
        "a b s", "x 1 f\n x 1 g\n y 2 f\n z 3 f", "x 1 f\n x 1 g\n * * f\n * * f",
        {"k": 2, "l": 2, "sensitive": ["s"], "outliers": "suppress"}, {"l-diversity l=2 column=s": (1, 2)},
    ),
    "the smallest of two classes that fail": (
        "a b s", "x 1 f\n x 1 f\n y 2 f\n y 2 f\n y 2 f\n z 3 g\n z 3 f", "x 1 f\n x 1 f\n y 2 f\n y 2 f\n y 2 f\n z 3 g\n z 3 f",
        {"k": 2, "l": 2, "sensitive": ["s"]}, {"l-diversity l=2 column=s": (2, 2)},
    ),
    "a sensitive value of nobody": (
        "a b s", "x 1 f\n x 1 g\n x 1 f", "x 1 f\n x 1 g\n x 1 new", {"t": 1, "sensitive": ["s"]},
        {"other columns: s": (1, None), "faithful": (1, 3), "t-closeness t=1 column=s": (1, 3)},
    ),
    "too many suppressed": (
        "a b", "x 1\n x 1\n y 2\n z 3", "x 1\n x 1\n * *\n * *", {"k": 2, "outliers": "suppress", "suppression_limit": "1/4"},
        {"suppression limit": (1, None)},
    ),
    "as many as may be": (
        "a b", "x 1\n x 1\n y 2\n z 3", "x 1\n x 1\n * *\n * *", {"k": 2, "outliers": "suppress", "suppression_limit": 0.5}, {},
    ),
    "two recodings": (
        "a b", "x 1\n x 2\n y 3\n z 3\n w 3", "x *\n x *\n * 3\n * 3\n * 3", {"k": 2, "recoding": "global"}, {"recoding": (2, None)},
    ),
    "one recoding and stars": ("a b", "x 1\n x 2\n y 3\n z 3", "x *\n x *\n * *\n * *", {"k": 2, "recoding": "global"}, {}),
    "one recoding that the mask does not have": (
        "a b", "x 1\n x 2", "x *\n x *", {"k": 2, "recoding": "global", "mask": {"keep": ["b"]}}, {"mask": (2, 2), "recoding": (1, None)},
    ),
    "a range that does not hold its value": (
        "a b", "1 p\n 2 p\n 8 q\n 9 q", "[1-2] p\n [1-2] p\n [8-9] q\n [1-7] q", {"k": 1, "recoding": "ranges"}, {"faithful": (1, 1)},
    ),
    "ranges": ("a b", "1 p\n 2 p\n 8 q\n 9 q", "[1-2] p\n [1-2] p\n [8-9] q\n [8-9] q", {"k": 2, "recoding": "ranges"}, {}),
    "ranges of classes beneath k": (
        "a b", "1 p\n 2 p\n 8 q\n 9 q", "[1-2] p\n [1-2] p\n [8-9] q\n 9 q", {"k": 2, "recoding": "ranges"}, {"k=2": (2, 1)},
    ),
    "what is no range": (
        "a b", "1 p\n 2 p\n 8 q\n 9 q", "[1-2] p\n [1-2] p\n [8to9] q\n [8-9] *", {"recoding": "ranges"},
        {"invented value: a": (1, None), "faithful": (1, 1)},
    ),
    "a range and a row lost": ("a b", "1 p\n 2 p\n 8 q", "[1-2] p\n [1-2] p", {"recoding": "ranges"}, {"rows": (1, None)}),
    "ranges of which three are for two": (
        "a b", "1 p\n 2 p\n 3 p\n 9 p", "[1-2] p\n [1-2] p\n [1-2] p\n 9 p", {"recoding": "ranges"}, {"faithful": (1, 3)},
    ),
}  # fmt: skip


@pytest.mark.few(8)
@pytest.mark.parametrize("name", CASES)
def test_what_is_broken_is_named_and_counted(name):
    header, original, released, policy, expected = CASES[name]
    if policy.get("recoding") == "ranges":
        policy = {"numeric": ["a"], **policy}
    one, two = table(header, original), table(header, released)
    found = broken(one, two, **policy)
    assert found == expected


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("change", "policy", "expected"),
    [
        (lambda t: t.drop_columns("id"), {"identifiers": ["id"]}, {}),
        (lambda t: t.select(["id", "b", "a", "s"]), {}, {"columns: in another order": (2, None)}),
        (lambda t: t.drop_columns("s"), {}, {"columns: missing s": (1, None)}),
        (lambda t: t.drop_columns(["s", "a"]), {}, {"columns: missing a": (1, None), "columns: missing s": (1, None)}),
        (lambda t: t, {"other": "drop"}, {"columns: not in the original or to be dropped": (2, None)}),
        (lambda t: t.append_column("new", t["a"]), {}, {"columns: not in the original or to be dropped": (1, None)}),
        (lambda t: t.drop_columns(["s", "id"]), {"other": "drop"}, {}),
    ],
)
def test_columns_are_the_kept_ones_in_their_order(change, policy, expected):
    one = table("id a b s", "7 x 1 f\n 8 x 1 f")
    assert broken(one, change(one), **policy) == expected


def typed(a, b, s):
    return pa.table({"a": pa.array(a), "b": pa.array(b), "s": s})


def test_a_typed_original_and_a_csv_release_are_compared_by_one_spelling(tmp_path):
    stamps = pa.array([0, 86_400_000_000, None], pa.timestamp("us"))
    pq.write_table(typed([1, 2, None], [0.1, float("nan"), -0.0], stamps), tmp_path / "one.parquet")
    good = "a,b,s\n*,0.0,\n1,0.1,1970-01-01T00:00:00\n2,,1970-01-02T00:00:00\n"
    (tmp_path / "two.csv").write_text(good)
    assert broken(tmp_path / "one.parquet", tmp_path / "two.csv") == {}
    (tmp_path / "two.csv").write_text(good.replace("02T", "03T"))
    found = broken(tmp_path / "one.parquet", tmp_path / "two.csv")
    assert found == {"other columns: s": (1, None), "faithful": (1, 1)}


def test_a_csv_knows_no_empty_text_and_a_frame_does(tmp_path):
    names = ["a", "b", "s"]
    original = pa.table([pa.array(c) for c in (["", None], ["1", "2"], ["", "f"])], names=names)
    assert broken(original, original) == {}
    assert "faithful" in broken(
        original, pa.table([pa.array(c) for c in ([None, ""], ["1", "2"], ["", "f"])], names=names)
    )
    (tmp_path / "two.csv").write_text("a,b,s\n,1,\n,2,f\n")
    assert broken(original, tmp_path / "two.csv") == {}


def test_a_release_in_csv_is_not_stripped(tmp_path):
    (tmp_path / "one.csv").write_text("a,b\nx,1\n y,2\n")
    (tmp_path / "two.csv").write_text("a,b\nx,1\ny,2\n")
    assert broken(tmp_path / "one.csv", tmp_path / "two.csv") == {}
    (tmp_path / "two.csv").write_text("a,b\nx,1\n y,2\n")
    assert "invented value: a" in broken(tmp_path / "one.csv", tmp_path / "two.csv")


def test_types_stay_where_a_star_is_null():
    original = typed([1, 1, 2], ["p", "q", "q"], [0.5, 0.5, float("nan")])
    null = {"suppressed": "null"}
    assert broken(original, typed([1, 1, None], ["p", "q", "q"], [0.5, 0.5, None]), **null) == {}
    assert "faithful" in broken(original, typed([1, 2, 2], ["p", "q", "q"], [0.5, 0.5, None]), **null)


def test_no_violation_holds_a_cell():
    found = incrowd.verify(
        table("a b s", "secret1 secret2 secret3"),
        table("a b s", "secret4 secret5 secret6"),
        quasi_identifiers=["a", "b"],
        k=1,
    )
    assert found
    assert "secret" not in repr(found)


# --- labels ------------------------------------------------------------------------------------------------------------

TREE = "p;p;pq;*\nq;qr;pq;*\nr;qr;pq;*\ns;st;st;*\nt;st;st;*\n"
LABELS = [  # shown, mask, whether it may be
    ("p p", {}, True), ("pq pq pq", {}, True), ("qr qr", {}, False), ("st", {}, False), ("pq", {"max_level": {"a": 1}}, False),
    ("p", {"max_level": {"a": 0}}, True), ("p", {"patterns": [{"a": 1}, []]}, True), ("p", {"patterns": [{"a": 2}]}, False),
    ("*", {"max_level": {"a": 2}}, False), ("*", {"max_stars": 0, "full_suppression": False}, False), ("pq", {"max_stars": 0}, True),
]  # fmt: skip


@pytest.mark.few(5)
@pytest.mark.parametrize(("shown", "mask", "good"), LABELS)
def test_a_label_stands_for_what_is_below_it_at_the_levels_at_which_it_stands(shown, mask, good, tmp_path):
    """p is its own label one level up. The second column never changes: stars of the first alone are no stars alone."""
    (tmp_path / "a.csv").write_text(TREE)
    cells = shown.split()
    original = table("a b", [["p", "1"]] * len(cells))
    released = table("a b", [[cell, "1"] for cell in cells])
    found = broken(original, released, hierarchies={"a": tmp_path / "a.csv"}, mask=mask)
    assert (not found) == good, found


# --- drawn -------------------------------------------------------------------------------------------------------------

MASKS = [
    {}, {"max_stars": 1}, {"keep": ["a"]}, {"keep": ["b"], "full_suppression": False},
    {"at_most_one": [["a", "b"]], "full_suppression": False}, {"any": [{"together": [["a", "b"]]}, {"max_stars": 1, "keep": ["b"]}]},
]  # fmt: skip


def drawn(rng):
    """A question and a release of it, of which cells were changed."""
    m, others, star = rng.randrange(2, 4), rng.randrange(3), rng.choice(["*", None])
    names = tuple("abcde"[: m + others])
    rows = [tuple(rng.choice(["x", "y", None]) for _ in names) for _ in range(rng.randrange(1, 8))]
    hidden = rng.random()
    released = [[star if j < m and rng.random() < hidden else cell for j, cell in enumerate(row)] for row in rows]
    for _ in range(rng.choice([0, 0, 1, 2])):
        j = rng.randrange(len(names))
        rng.choice(released)[j] = rng.choice(["x", "y", "w", None, *([star] if j < m else [])])
    rng.shuffle(released)
    said = {
        "quasi_identifiers": list(names[:m]),
        "k": rng.randrange(1, 3),
        "outliers": rng.choice(["forbid", "suppress"]),
    }
    said |= {"mask": rng.choice(MASKS), "suppressed": "text" if star else "null"}
    return Question(names, rows, said), [tuple(row) for row in released]


def unplaced(question, released, *, masked):
    """How many released rows find no original, however rows are assigned: the fewest."""
    m = len(question.quasi)
    asked = question if masked else Question(question.names, question.rows, question.said | {"mask": {}})
    fitting = [
        [o for o, row in enumerate(question.rows) if new[m:] == row[m:] and asked.fits(new[:m], row)]
        for new in released
    ]
    for size in range(len(released) + 1):
        for left in itertools.combinations(range(len(released)), size):
            if all_placed([some for r, some in enumerate(fitting) if r not in left]):
                return size
    return None


@seeds(1000, 9)
def test_verdicts_are_those_of_trying_every_assignment(seed):
    question, released = drawn(random.Random(seed))
    m, names = len(question.quasi), " ".join(question.names)
    found = broken(table(names, question_rows(question.rows)), table(names, question_rows(released)), **question.said)
    hints = {rule for rule in found if rule.startswith(("invented value", "other columns"))}
    free, masked = (unplaced(question, released, masked=some) for some in (False, True))
    assert found.get("faithful", (0,))[0] == free
    if question.star is None:
        assert found.get("mask", (0,))[0] == masked - free
    assert not hints or free  # a hint is never wrong
    assert question.good(question.names, released) == (not found)
    classes = defaultdict(int)
    for row in released:
        classes[row[:m]] += 1
    small = [
        n for cells, n in classes.items()
        if n < question.said["k"] and not (question.suppress and cells == (question.star,) * m)
    ]  # fmt: skip
    assert found.get(f"k={question.said['k']}") == ((len(small), min(small)) if small else None)
    assert all(found[rule][1] in classes.values() for rule in found.keys() - hints - {"rows", "mask"})


def question_rows(rows):
    return [["." if cell is None else cell for cell in row] for row in rows]


# --- many rows -----------------------------------------------------------------------------------------------------------


def crowd(seed, rows=400):
    """An original, an honest release of it, and one in which three rows were changed."""
    rng = random.Random(seed)
    original = [(f"p{rng.randrange(30)}", f"q{rng.randrange(9)}", f"i{rng.randrange(25)}") for _ in range(rows)]
    honest = [(p, "*" if rng.random() < 0.5 else q, ill) for p, q, ill in original]
    rng.shuffle(honest)
    wrong = list(honest)
    p, _, ill = wrong[0]
    wrong[0], wrong[1], wrong[2] = (p, "new", ill), ("p99", *wrong[1][1:]), ("*", "q1", "nothing")
    return [table("a b ill", some) for some in (original, honest, wrong)]


@pytest.mark.few(2)
@pytest.mark.parametrize("most", [None, 60, 10_000])
def test_the_verdict_is_the_same_in_any_number_of_portions(most, monkeypatch):
    """Portions begin at a quarter of a million different rows: the limits are lowered, for no door reaches them in a second."""
    if most:
        monkeypatch.setattr("incrowd.tables.verify.pairing.portions.LEAST", most)
        monkeypatch.setattr("incrowd.tables.verify.pairing.portions.MOST", most)
    original, honest, wrong = crowd(1)
    found = broken(original, wrong, sensitive=["ill"])
    assert {rule: count for rule, (count, _) in found.items()} == {
        "invented value: a": 1, "invented value: b": 1, "other columns: ill": 1, "faithful": 3,
    }  # fmt: skip
    assert broken(original, honest, sensitive=["ill"], memory="4GB") == {}


def test_what_fits_too_often_is_paired_by_halves_or_refused(monkeypatch):
    """The limits are for hundreds of millions of pairs of rows that fit."""
    original, honest, wrong = crowd(3)
    found = broken(original, wrong, sensitive=["ill"])
    for module in ("edges", "portions"):
        monkeypatch.setattr(f"incrowd.tables.verify.pairing.{module}.MOST_EDGES", 60)
    assert broken(original, honest, sensitive=["ill"]) == {}
    assert broken(original, wrong, sensitive=["ill"]) == found
    for module in ("edges", "portions"):
        monkeypatch.setattr(f"incrowd.tables.verify.pairing.{module}.MOST_EDGES", 1)
    with pytest.raises(incrowd.InputError, match="split both tables"):
        broken(original, honest, sensitive=["ill"])
    # a release that fails anyway is not refused
    assert broken(original, honest, sensitive=["ill"], k=400)["k=400"]


def test_long_ways_of_giving_way_are_found(tmp_path):
    """Row i may come from original i or i + 1: of one row too many at one end all give way to the other."""
    n = 300
    cells = [(str(i), str(i // 2), str((i + 1) // 2)) for i in range(n)]
    original = table("a b c", cells)
    # every second row shows b alone, the others c alone
    released = [("*", b, "*") if i % 2 else ("*", "*", c) for i, (_, b, c) in enumerate(cells)]
    policy = {"quasi_identifiers": ["a", "b", "c"]}
    assert broken(original, table("a b c", released[::-1]), **policy) == {}
    moved = [*released[1:], ("*", released[1][1], "*")]
    found = broken(original, table("a b c", moved), **policy)
    rows = [tuple(row) for row in cells]
    fitting = [
        [o for o, row in enumerate(rows) if all(x in ("*", y) for x, y in zip(new, row, strict=True))] for new in moved
    ]
    assert ("faithful" in found) == (not all_placed_fast(fitting))


def all_placed_fast(fitting):
    """Whether everyone has a place, by a matching of SciPy."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import maximum_bipartite_matching

    ones = np.array([(r, o) for r, some in enumerate(fitting) for o in some])
    graph = csr_matrix((np.ones(len(ones)), ones.T), shape=(len(fitting), len(fitting)))
    return bool((maximum_bipartite_matching(graph) >= 0).all())


@seeds(40, 3)
def test_large_pairings_are_those_of_a_matching(seed):
    rng = random.Random(seed)
    names = [f"c{j}" for j in range(rng.choice([3, 4, 70]))]  # more columns than bits
    rows = [tuple(rng.choice("xyz") for _ in names[:4]) + ("u",) * (len(names) - 4) for _ in range(150)]
    rows = [row[: len(names)] for row in rows]
    released = [tuple(cell if rng.random() < 0.5 else "*" for cell in row) for row in rows]
    for _ in range(rng.randrange(4)):
        at, j = rng.randrange(150), rng.randrange(3)
        released[at] = (*released[at][:j], rng.choice("xyz"), *released[at][j + 1 :])
    fitting = [
        [o for o, row in enumerate(rows) if all(x in ("*", y) for x, y in zip(new, row, strict=True))]
        for new in released
    ]
    rng.shuffle(released)
    found = broken(table(" ".join(names), rows), table(" ".join(names), released), quasi_identifiers=names)
    assert set(found) <= {"faithful"}
    assert bool(found) == (not all_placed_fast(fitting))


# --- what the check inside a job does with the rows of an expander that errs -----------------------------------------------


def ruined(case):
    """What is done to the rows before they are checked."""
    key = lambda t: t.row_key
    return {
        "a row lost": lambda t: t.filter(key(t) != 3),
        "a row twice": lambda t: ibis.union(t, t.filter(key(t) == 3)),
        "a row twice in the place of another": lambda t: ibis.union(t.filter(key(t) != 0), t.filter(key(t) == 1)),
        "a row of nobody in the place of another": lambda t: t.mutate(row_key=ibis.ifelse(key(t) == 3, 100, key(t))),
        "a missing key": lambda t: t.mutate(row_key=ibis.ifelse(key(t) == 3, ibis.null("int64"), key(t))),
        "all rows lost": lambda t: t.filter(key(t) < 0),
        "cells that change hands": lambda t: t.mutate(row_key=ibis.ifelse(key(t) < 4, 3 - key(t), key(t))),
        "an invented value": lambda t: t.mutate(c1=ibis.ifelse(key(t) == 0, "new", t.c1)),
        "a missing value shown": lambda t: t.mutate(c0=t.c0.fill_null("a")),
        "a shown value gone": lambda t: t.mutate(c0=t.c0.nullif("a").nullif("1")),
        "another column changed": lambda t: t.mutate(c2=ibis.ifelse(key(t) == 5, "9", t.c2)),
        "a star too many": lambda t: t.mutate(c1=ibis.ifelse(key(t) == 0, "*", t.c1)),
        "the same": lambda t: t,
    }[case]


@pytest.mark.few(4)
@pytest.mark.parametrize("recoding", ["levels", "ranges"])
@pytest.mark.parametrize("case", [
    "a row lost", "a row twice", "a row twice in the place of another", "a row of nobody in the place of another", "a missing key",
    "all rows lost", "cells that change hands", "an invented value", "a missing value shown", "a shown value gone", "another column changed",
    "a star too many", "the same",
])  # fmt: skip
def test_rows_that_are_no_release_are_found_before_anything_is_written(case, recoding, tmp_path, monkeypatch):
    """No door makes such rows: the expander of the recoding is made to err."""
    name = "incrowd.tables.recoding." + ("levels.expand" if recoding == "levels" else "ranges.expand_ranges")
    made, change = pkgutil.resolve_name(name.replace(".expand", ":expand")), ruined(case)

    def expand(*given, **more):
        release = made(*given, **more)
        return dataclasses.replace(release, rows=release.table.engine.keep(change(release.rows)))

    monkeypatch.setattr(name, expand)
    numbers = recoding == "ranges"
    rows = [("1" if numbers else "a", "x"), ("1" if numbers else "a", "x"), *[("2" if numbers else "b", "y")] * 2, ("2" if numbers else "b", "z"),
            ("3" if numbers else "c", "z"), (None, "x"), (None, "x")]  # fmt: skip
    out = io.StringIO()
    out.writelines(f"{p or ''},{q},{at}\n" for at, (p, q) in enumerate([("p", "q"), *rows]))
    (tmp_path / "t.csv").write_text(out.getvalue().replace("p,q,0", "p,q,pay", 1))
    asked = {
        "quasi_identifiers": ["p", "q"],
        "k": 2,
        "solver": "mondrian" if numbers else "greedy",
        "recoding": recoding,
    }
    asked |= {"numeric": ["p"]} if numbers else {}
    if case == "the same":
        assert incrowd.anonymize(tmp_path / "t.csv", output=tmp_path / "out.csv", **asked)
        return
    with pytest.raises(incrowd.errors.OurBug, match="nothing was written"):
        incrowd.anonymize(tmp_path / "t.csv", output=tmp_path / "out.csv", **asked)
    assert not (tmp_path / "out.csv").exists()


def test_many_draws_meet_every_verdict():
    """The sample that `make test` draws holds releases of each kind."""
    met = set()
    for seed in range(how_many(1000, 9)):
        question, released = drawn(random.Random(seed))
        met.add((question.good(question.names, released), unplaced(question, released, masked=False) > 0))
    assert met == {(True, False), (False, True), (False, False)}
