"""What classes must meet beside k: every model at its very edge, by hand and on drawn classes, for all checkers.

One call judges all classes of a table by many models at once; the oracle judges each class by each definition.
"""

from __future__ import annotations

import decimal
import itertools
import json
import random
from collections import Counter, defaultdict
from fractions import Fraction

import pyarrow as pa
import pytest

import incrowd
from checkers import ask
from incrowd.check.exact import ln_between
from oracle.release_checks import meets, model_of
from seeds import how_many, seeds


def released(rows, names):
    return pa.table({name: pa.array([row[j] for row in rows], pa.string()) for j, name in enumerate(names)})


def judged(rows, names, require, **more):
    """The rules that a table as it is breaks: how many classes, and the rows of the smallest."""
    table = released(rows, names)
    columns = [name for name in names if name != "q"]
    found = incrowd.verify(table, table, quasi_identifiers=["q"], sensitive=columns, k=1, require=require, **more)
    return {v.rule: (v.count, v.example_group_size) for v in found}


# --- at the very edge ----------------------------------------------------------------------------------------------------

# Two classes of six; of every model one that asks for what they reach, and one that asks for a hair more.
ILL = ["a a b b c d", "a b b c d d"]
PAIRED = [(q, s, s) for q, values in zip("xy", ILL, strict=True) for s in values.split()]
EDGES = [
    ("l-diversity l=3 column=s", "l-diversity l=3.0000000001 column=s"),
    ("l-diversity l=4 column=s kind=distinct", "l-diversity l=5 column=s kind=distinct"),
    ("l-diversity l=3.7797631496846 column=s kind=entropy", "l-diversity l=3.77977 column=s kind=entropy"),
    ("l-diversity l=2 c=1 column=s kind=recursive", "l-diversity l=3 c=1 column=s kind=recursive"),
    ("l-diversity l=2 c=0.5001 column=s kind=recursive", "l-diversity l=2 c=0.5 column=s kind=recursive"),
    ("l-diversity l=4 columns=s,u kind=joint", "l-diversity l=5 columns=s,u kind=joint"),
    ("t-closeness t=1/12 column=s", "t-closeness t=0.083333333333333333333 column=s"),
    ("t-closeness t=1/12 column=s distance=ordered", "t-closeness t=0.0833333333 column=s distance=ordered"),
    ("p-sensitive p=4 column=s", "p-sensitive p=5 column=s"),
    ("alpha-k alpha=1/3 column=s", "alpha-k alpha=0.3333333333333333 column=s"),
    ("beta-likeness beta=1/3 column=s", "beta-likeness beta=0.3333333333333333 column=s"),
    ("beta-likeness beta=1/3 column=s enhanced=true", "beta-likeness beta=0.3333333333333333 column=s enhanced=true"),
    ("delta-disclosure delta=0.405466 column=s", "delta-disclosure delta=0.405464 column=s"),
]


def test_what_is_reached_at_the_very_edge_passes_and_a_hair_more_is_refused():
    met, unmet = ([pair[at] for pair in EDGES] for at in (0, 1))
    assert judged(PAIRED, ("q", "s", "u"), met) == {}
    assert len(judged(PAIRED, ("q", "s", "u"), unmet)) == len(unmet)


def cells(counts):
    """Values by name with so many rows each."""
    return [value for value, n in counts.items() for _ in range(n)]


LARGE = [  # a class, the rest of the table, a model, whether the class meets it
    # 10^9 rows would be counted without a wrap; these are near what floats tell apart
    ({"a": 5000, "b": 5000}, {}, "l-diversity l=2 column=s kind=entropy", True),
    ({"a": 5001, "b": 4999}, {}, "l-diversity l=2 column=s kind=entropy", False),
    ({"a": 3333, "b": 3333, "c": 3333}, {}, "l-diversity l=3 column=s kind=entropy", True),
    ({"a": 3334, "b": 3333, "c": 3332}, {}, "l-diversity l=3 column=s kind=entropy", False),
    ({"a": 1}, {}, "l-diversity l=1 column=s kind=entropy", True),
    ({"a": 7}, {}, "l-diversity l=1.0000001 column=s kind=entropy", False),
    ({"a": 4999, "b": 5001}, {"a": 5001, "b": 4999}, "t-closeness t=0.0001 column=s", True),
    ({"a": 4999, "b": 5001}, {"a": 5001, "b": 4999}, "t-closeness t=0.00009999 column=s", False),
    ({"a": 2, "b": 1}, {"a": 1, "b": 2}, "delta-disclosure delta=0.4054651081081645 column=s", True),
    ({"a": 2, "b": 1}, {"a": 1, "b": 2}, "delta-disclosure delta=0.4054651081081642 column=s", False),
    ({"a": 1, "b": 1}, {"a": 1, "b": 1, "c": 5}, "delta-disclosure delta=0.8 column=s", False),
    ({"a": 2, "b": 1}, {"a": 1, "b": 4}, "beta-likeness beta=7/9 column=s", True),
    ({"a": 2, "b": 1}, {"a": 1, "b": 4}, "beta-likeness beta=0.7777 column=s", False),
    ({"a": 3}, {"b": 1}, "beta-likeness beta=1 column=s enhanced=true", False),
    ({"a": 1, "b": 1, "c": 1}, {"d": 1}, "beta-likeness beta=1 column=s enhanced=true", True),
]  # fmt: skip


@pytest.mark.few(5)
@pytest.mark.parametrize(("mine", "rest", "model", "met"), LARGE)
def test_thresholds_are_decided_exactly(mine, rest, model, met):
    rows = [("x", value) for value in cells(mine)] + [("y", value) for value in cells(rest)]
    found = judged(rows, ("q", "s"), [model])
    if not rest:
        assert (not found) == met
    elif met is False:
        assert found and min(found.values())[1] <= sum(mine.values())
    else:
        table = [row[1] for row in rows]
        assert meets(*model_of(model), {"s": cells(mine)}, {"s": table})
        assert (not found) == meets(*model_of(model), {"s": cells(rest)}, {"s": table})


@seeds(300, 60)
def test_a_logarithm_lies_between_two_fractions_next_to_each_other(seed):
    """A bound leans on both ends; no door tells a wrong one that is as near."""
    rng = random.Random(f"ln {seed}")
    number = Fraction(rng.randint(1, 10 ** rng.randint(1, 30)), rng.randint(1, 10 ** rng.randint(1, 30)) * 2 + 1)
    with decimal.localcontext(prec=90):
        low, high = ln_between(number)
        true = Fraction(decimal.Decimal(number.numerator).ln() - decimal.Decimal(number.denominator).ln())
    assert low < true < high < low + Fraction(1, 10**35)


def test_missing_values_are_values_like_others():
    rows = [("x", "1"), ("x", None), ("y", None), ("y", "1")]
    met = [
        "l-diversity l=2 column=s",
        "p-sensitive p=2 column=s",
        "t-closeness t=0 column=s",
        "l-diversity l=2 column=s kind=distinct",
    ]
    assert judged(rows, ("q", "s"), met) == {}
    assert judged([("x", None), ("x", None), ("y", "1")], ("q", "s"), met[:2]) == {
        "l-diversity l=2 column=s": (2, 1), "p-sensitive p=2 column=s": (2, 1),
    }  # fmt: skip


# --- what cannot be measured is refused ------------------------------------------------------------------------------------

TREE = [["a", "ab", "*"], ["b", "ab", "*"], ["c", "c", "*"]]
REFUSED = [  # values, model, what is said
    ("a b c", {"distance": "numeric"}, "are no numbers|is no number"),
    ("a 2 3", {"distance": "numeric"}, "1 of the 3 values of column 's' is no number"),
    ("1 2 .", {"distance": "numeric"}, "column 's' has missing values"),
    ("1 2 .", {"distance": "ordered"}, "column 's' has missing values"),
    ("a b .", {"distance": [[0, 1], [1, 0]]}, "missing values"),
    ("a b d", {"distance": "hierarchical", "hierarchy": TREE}, "has no line for 1 of its 3 values"),
    ("a b c", {"distance": [[0, 1], [1, 0]]}, "the distance matrix has 2 rows, column 's' has 3 values"),
    (
        "a b c",
        {"distance": [[0, 1], [1, 0]], "order": ["a", "b", "c"]},
        "order names 3 values, the distance matrix has 2 rows",
    ),
    (
        "a b d",
        {"distance": [[0, 1, 1], [1, 0, 1], [1, 1, 0]], "order": ["a", "b", "c"]},
        "has no row for 1 of the 3 values",
    ),
    ("a b d", {"distance": "ordered", "order": ["a", "b", "c"]}, "1 of the 3 values of column 's'"),
    ("1 1.0 2", {"distance": [[0, 1, 1], [1, 0, 1], [1, 1, 0]]}, "two spellings"),
    ("a b c", {"distance": [[0, 1, 1], [1, 0, 1], [1, 0.5, 0]]}, "must be symmetric"),
    ("a b c", {"distance": [[0, 1, 1], [1, 0.5, 1], [1, 1, 0]]}, "0 on its diagonal"),
    ("a b c", {"distance": [[0, -1, 1], [-1, 0, 1], [1, 1, 0]]}, "never negative|not be negative"),
    ("a b c", {"distance": [[0, 1, 2], [1, 0, 2], [2, 2, 0]]}, "largest entry 1|rescale"),
    ("a b c", {"distance": [[0, 0.1, 1], [0.1, 0, 0.1], [1, 0.1, 0]]}, "triangle|shorter|metric"),
]


@pytest.mark.few(8)
@pytest.mark.parametrize(("values", "settings", "said"), REFUSED)
def test_values_that_a_distance_cannot_measure_are_refused_and_never_quoted(values, settings, said):
    rows = [("x", None if value == "." else value) for value in values.split()]
    with pytest.raises(incrowd.PolicyError, match=said) as refused:
        judged(rows, ("q", "s"), [{"model": "t-closeness", "t": 0.5, "column": "s", **settings}])
    assert "'d'" not in str(refused.value)


def test_a_hard_question_is_declined_beyond_the_limit(monkeypatch):
    """Rows that differ in all of four columns: to find many of them is hard. The limit is lowered, to be met in no time."""
    monkeypatch.setattr("incrowd.check.rules.MOST_STEPS", 50)
    rng = random.Random(3)
    rows = [("x", *(str(rng.randrange(14)) for _ in range(4))) for _ in range(80)]
    with pytest.raises(incrowd.InputError, match="not decided within"):
        judged(
            rows,
            ("q", "s", "t", "u", "v"),
            [{"model": "l-diversity", "kind": "joint", "l": 9, "columns": ["s", "t", "u", "v"]}],
        )


# --- drawn -----------------------------------------------------------------------------------------------------------------

PLAIN = {"s": "abcd", "u": "0123", "v": "pqr"}
METRIC = [[0, "1/2", 1], ["1/2", 0, "3/4"], [1, "3/4", 0]]


def asked(rng):
    """A model of every kind with drawn settings."""
    part = lambda low, high, by: f"{rng.randrange(low, high)}/{by}"
    return [
        {"model": "l-diversity", "l": part(4, 13, 4), "column": "s"},
        {"model": "l-diversity", "l": rng.randrange(1, 4), "column": "u", "kind": "distinct"},
        {"model": "l-diversity", "l": part(8, 25, 8), "column": "s", "kind": "entropy"},
        {"model": "l-diversity", "l": rng.randrange(2, 4), "c": part(1, 9, 3), "column": "u", "kind": "recursive"},
        {"model": "l-diversity", "l": rng.randrange(2, 4), "columns": ["s", "v"], "kind": "joint"},
        {"model": "l-diversity", "l": 2, "columns": ["s", "u", "v"], "kind": "joint"},
        {"model": "p-sensitive", "p": rng.randrange(1, 4), "column": "v"},
        {"model": "alpha-k", "alpha": part(1, 6, 6), "column": "v"},
        {"model": "t-closeness", "t": part(0, 13, 12), "column": "s"},
        {"model": "t-closeness", "t": part(0, 13, 12), "column": "u", "distance": "numeric"},
        {"model": "t-closeness", "t": part(0, 13, 12), "column": "s", "distance": "ordered"},
        {"model": "t-closeness", "t": part(0, 13, 12), "column": "u", "distance": "ordered", "order": ["2", "0", "3", "1", "9"]},
        {"model": "t-closeness", "t": part(0, 13, 12), "column": "s", "distance": "hierarchical",
         "hierarchy": [["a", "x", "*"], ["b", "x", "*"], ["c", "y", "*"], ["d", "w", "*"]]},
        {"model": "t-closeness", "t": part(0, 13, 12), "column": "v", "distance": METRIC, "order": ["p", "q", "r"]},
        {"model": "beta-likeness", "beta": part(1, 13, 4), "column": "s"},
        {"model": "beta-likeness", "beta": part(1, 13, 4), "column": "u", "enhanced": True},
        {"model": "delta-disclosure", "delta": part(1, 9, 5), "column": "v"},
    ]  # fmt: skip


def drawn(rng, *, missing):
    """Classes of rows with three sensitive columns that hold every value somewhere."""
    rows = [("whole", *values) for values in itertools.zip_longest("abcd", "0123", "pqr", fillvalue="p")]
    for q in range(rng.randrange(2, 9)):
        for _ in range(rng.randrange(1, 9)):
            rows.append((f"q{q}", *(rng.choice(some[: rng.randrange(1, len(some) + 1)]) for some in PLAIN.values())))
    if missing:
        rows += [("q0", None, "0", None), ("q1", "a", "1", None)]
    return rows


def expected(rows, models):
    """Per model how many classes fail it, and the rows of the smallest."""
    table = {name: [row[j] for row in rows] for j, name in enumerate(("q", *PLAIN))}
    classes, found = defaultdict(list), {}
    for row in rows:
        classes[row[0]].append(row)
    for at, one in enumerate(models):
        failing = [
            len(some) for some in classes.values()
            if not meets(*model_of(one), {name: [row[1 + j] for row in some] for j, name in enumerate(PLAIN)}, table)
        ]  # fmt: skip
        if failing:
            found[at] = (len(failing), min(failing))
    return found


@seeds(400, 4)
def test_every_class_is_judged_by_the_definition_of_every_model(seed):
    rng = random.Random(seed)
    rows, models = drawn(rng, missing=seed % 4 == 3), asked(rng)
    if seed % 4 == 3:  # distances other than the equal one measure no missing value
        models = [one for one in models if one.get("distance", "equal") == "equal"]
    wanted = expected(rows, models)
    rng.shuffle(rows)
    table = released(rows, ("q", *PLAIN))
    policy = incrowd.Policy(quasi_identifiers=["q"], sensitive=list(PLAIN), k=1, require=models)
    rules = [one.rule for one in policy.requirements]
    found = incrowd.verify(table, table, policy=policy)
    assert {v.rule: (v.count, v.example_group_size) for v in found} == {rules[at]: told for at, told in wanted.items()}


@seeds(400, 6)
def test_the_second_checker_and_the_page_judge_classes_by_the_definitions(seed, tmp_path):
    rng = random.Random(1000 + seed)
    rows, models = drawn(rng, missing=False), asked(rng)
    for at, one in enumerate(models):
        text = "q,s,u,v\n" + "".join(",".join(row) + "\n" for row in rows)
        for name in ("original", "release"):
            (tmp_path / f"{name}.csv").write_text(text)
        settings = ", ".join(f"{key} = {json.dumps(value)}" for key, value in one.items())
        (tmp_path / "policy.toml").write_text(
            f'quasi_identifiers = ["q"]\nsensitive = ["s", "u", "v"]\nk = 1\nrequire = [{{{settings}}}]\n'
        )
        if at % 3 == seed % 3 or how_many(2, 1) == 2:
            assert ask.both(tmp_path, None).status == int(bool(expected(rows, [one]))), one


# Liang and Yuan, Table 1: digits of zip code and age, education; disease
PATIENTS = [
    "98765 38 B v", "98654 39 D h", "98543 32 M h", "97654 65 B c", "96689 45 B v",
    "97427 33 B v", "96552 54 B h", "97017 69 D c", "97023 55 M c", "97009 62 B c",
]  # fmt: skip
PARTS = [
    ([(1, 2, 3), (4, 5, 6, 7), (8, 9, 10)], 54, {"k": 3}, {"l": 2}),
    ([(1, 2), (3, 5, 8, 9), (4, 6), (7, 10)], 60, {"k": 2, "l": 2}, {"t": "0.39"}),
    ([(1, 2, 4), (3, 5, 8, 9), (6, 7, 10)], 67, {"k": 3, "t": "0.1"}, {"t": "0.06"}),
]


@pytest.mark.few(1)
@pytest.mark.parametrize(("groups", "loss", "met", "further"), PARTS)
def test_the_partitions_of_liang_and_yuan_meet_what_they_show_and_no_more(groups, loss, met, further):
    names = (*(f"q{j}" for j in range(8)), "disease")
    rows = [[*code, *age, school, ill] for code, age, school, ill in map(str.split, PATIENTS)]
    shown = [list(row) for row in rows]
    for group in groups:
        for j in range(8):
            if len({rows[i - 1][j] for i in group}) > 1:
                for i in group:
                    shown[i - 1][j] = "*"
    assert Counter(cell for row in shown for cell in row)["*"] == loss
    one, two = released(rows, names), released(shown, names)
    policy = {"quasi_identifiers": list(names[:8]), "sensitive": ["disease"], "k": 1}
    assert incrowd.verify(one, two, **{**policy, **met}) == []
    assert incrowd.verify(one, two, **{**policy, **met, **further}) != []


def test_what_is_reached_is_told_in_exact_numbers():
    table = released(PAIRED, ("q", "s", "u"))
    told = incrowd.audit(table, quasi_identifiers=["q"], sensitive=["s", "u"], k=2, require=[pair[0] for pair in EDGES])
    reached = {(one["name"], one.get("column")): one["reached"] for one in told.models if one["asked"] is not None}
    assert reached["p-sensitive", "s"] == 4
    assert Fraction(str(reached["alpha-k", "s"])).limit_denominator(10) == Fraction(1, 3)
