"""Two releases told together, against every pairing of their rows."""

from __future__ import annotations

import itertools

import numpy as np
import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import InputError, PolicyError
from seeds import seeds

NAMES = ("age", "sex", "ill", "ward")
POLICY = {"quasi_identifiers": ["age", "sex"], "sensitive": ["ill"], "k": 2}
HIERARCHY = incrowd.Hierarchy(lines=[(v, "old" if v in "34" else "young", "*") for v in "1234"])


def table(rows: list[tuple[str, ...]]) -> pa.Table:
    return pa.table({name: [row[j] for row in rows] for j, name in enumerate(NAMES)})


def labels(value: str, column: int) -> list[str]:
    return [value, "old" if value in "34" else "young", "*"] if column == 0 else [value, "*"]


def drawn(seed: int) -> tuple[list, list, list]:
    """A table, and two releases of it in orders of their own."""
    rng = np.random.default_rng(seed)
    rows = [
        (str(rng.integers(1, 5)), "fm"[rng.integers(2)], "abc"[rng.integers(3)], "xy"[rng.integers(2)])
        for _ in range(int(rng.integers(2, 7)))
    ]

    def released() -> list[tuple[str, ...]]:
        out = [(str(rng.choice(labels(r[0], 0))), str(rng.choice(labels(r[1], 1))), r[2], r[3]) for r in rows]
        return [out[i] for i in rng.permutation(len(out))]

    return rows, released(), released()


def covers(row: tuple[str, ...], key: tuple[str, ...]) -> bool:
    return all(row[j] in labels(key[j], j) for j in range(2))


def fit(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    some = any(covers(one, key) and covers(other, key) for key in itertools.product("1234", "fm"))
    return some and one[2:] == other[2:]


def by_trying(first: list, second: list, *, same: bool) -> set[tuple[int, int]]:
    n = range(len(first))
    if not same:
        return {(i, j) for i in n for j in n if fit(first[i], second[j])}
    found = set()
    for order in itertools.permutations(n):
        if all(fit(first[i], second[j]) for i, j in enumerate(order)):
            found |= set(enumerate(order))
    return found


@seeds(200, 4)
def test_people_and_rows_are_counted_as_by_every_pairing(seed):
    rows, first, second = drawn(seed)
    same = bool(seed % 3)
    found = incrowd.attack(
        table(first), **{**POLICY, "k": 1}, hierarchies={"age": HIERARCHY}, others=[table(second)], same_people=same,
        original=table(rows),
    )  # fmt: skip
    line = found.facts["composition"]["others"][0]
    pairs = by_trying(first, second, same=same)
    crowds = [len({j for a, j in pairs if a == i}) for i in range(len(first))]
    backs = [len({i for i, b in pairs if b == j}) for j in range(len(first))]
    assert line["joint_crowd"] == {"min": min(crowds), "median": sorted(crowds)[(len(rows) - 1) // 2]}
    assert line["back"] == {"min": min(backs), "median": sorted(backs)[(len(rows) - 1) // 2]}
    assert line["below_k"] == sum(crowd < 1 for crowd in crowds)
    sizes, known, alone = [], 0, 0
    for key in rows:
        theirs = [(i, j) for i, j in pairs if covers(first[i], key) and covers(second[j], key)]
        assert theirs
        sizes.append(min(len({i for i, _ in theirs}), len({j for _, j in theirs})))
        known += len({first[i][2] for i, _ in theirs}) == 1
        alone += len({row[2] for row in first if covers(row, key)}) == 1
    people = line["people"]
    assert people["rows"] == len(rows)
    assert people["crowd"]["min"] == min(sizes)
    assert people["sensitive_known"] == known
    assert people["sensitive_known_alone"] == alone
    assert found.facts["composition"]["sensitive_known"] == known
    said = " ".join(found.summary().split())
    assert f"with {min(sizes)} rows at least" in said
    assert f"A sensitive value is known then of {known} p" in said


FIRST = [("1", "f", "a", "x"), ("*", "f", "b", "x"), ("*", "f", "b", "x")]
SECOND = [("1", "f", "a", "x"), ("*", "*", "b", "x"), ("*", "*", "b", "x")]
ASKED = {**POLICY, "k": 1, "hierarchies": {"age": HIERARCHY}}


def test_the_summary_says_whether_anything_is_excluded_for_certain():
    apart = incrowd.attack(table(FIRST), **ASKED, others=[table(SECOND)]).summary()
    assert "Nothing is excluded for certain" in " ".join(apart.split())
    together = " ".join(
        incrowd.attack(table(FIRST), **ASKED, others=[table(SECOND)], same_people=True).summary().split()
    )
    assert "of the same people: a row here may be any of 2 rows there in the median, of 1 at least" in together


def test_a_star_covers_people_with_a_value_that_the_hierarchy_lacks():
    rows = [FIRST[0], *[("9", "f", "b", "x")] * 2]
    found = incrowd.attack(
        table(FIRST), **ASKED, complete_hierarchies=True, others=[table(FIRST)], original=table(rows)
    )
    assert found.facts["composition"]["others"][0]["people"]["rows"] == 3


def test_releases_that_cannot_be_of_the_same_people_are_told_so():
    other = [(*row[:2], "c", "x") for row in SECOND]
    found = incrowd.attack(table(FIRST), **ASKED, others=[table(other)], same_people=True)
    assert not found.facts["composition"]["others"][0]["possible"]
    assert "do not hold the same people" in " ".join(found.summary().split())


def test_what_does_not_go_together_is_refused():
    with pytest.raises(InputError, match="do not hold the same people"):
        incrowd.attack(table(FIRST), **POLICY, others=[table(SECOND[:2])], same_people=True)
    with pytest.raises(PolicyError, match="name them as others"):
        incrowd.attack(table(FIRST), **POLICY, same_people=True)
    with pytest.raises(InputError, match="shares no quasi-identifier"):
        incrowd.attack(table(FIRST), **POLICY, others=[pa.table({"else": ["1"]})])


def with_names(rows: list[tuple[str, ...]]) -> pa.Table:
    """An original: the person's name, then the columns of `table`."""
    return pa.table({name: [row[j] for row in rows] for j, name in enumerate(("who", *NAMES))})


def drawn_apart(seed: int) -> tuple[list, list, list, list]:
    """Two tables of which some people are in both, some with other values since; and a release of each."""
    rng = np.random.default_rng([7, seed])

    def row(who: str) -> tuple[str, ...]:
        ill, ward = "abc"[rng.integers(3)], "xy"[rng.integers(2)]
        return (who, str(rng.integers(1, 5)), "fm"[rng.integers(2)], ill, ward)

    everybody = {who: row(who) for who in "ABCDEFGHIJ"[: int(rng.integers(3, 11))]}
    tables = []
    for _ in range(2):
        some = [one if rng.random() < 0.8 else row(who) for who, one in everybody.items() if rng.random() < 0.7]
        tables.append(some or [row("Z")])
    shown = []
    for rows in tables:
        out = [(str(rng.choice(labels(r[1], 0))), str(rng.choice(labels(r[2], 1))), *r[3:]) for r in rows]
        shown.append([out[i] for i in rng.permutation(len(out))])
    return *tables, *shown


def by_names(tables: list, first: list, second: list, k: int) -> dict:
    """What is left of everybody who is in both tables, person by person."""
    one, other = ({row[0]: row[1:] for row in rows} for rows in tables)
    counts = ("in_both", "changed", "rows", "below_k", "sensitive_known", "sensitive_known_alone", "sensitive_wrong")
    told = dict.fromkeys(counts, 0)
    crowds = []
    for who in set(one) & set(other):
        told["in_both"] += 1
        told["changed"] += one[who][2:] != other[who][2:]
        here = [row for row in first if covers(row, one[who])]
        there = [row for row in second if covers(row, other[who])]
        left = [row for row in here if any(row[2:] == its[2:] for its in there)]
        back = [row for row in there if any(row[2:] == its[2:] for its in here)]
        if not left:
            continue
        crowds.append(min(len(left), len(back)))
        told["rows"] += 1
        told["below_k"] += crowds[-1] < k
        told["sensitive_known"] += len({row[2] for row in left}) == 1
        told["sensitive_known_alone"] += len({row[2] for row in here}) == 1
        told["sensitive_wrong"] += {row[2] for row in left} == {left[0][2]} != {one[who][2]}
    told["crowd"] = dict.fromkeys(("min", "median"))
    if crowds:
        told["crowd"] = {"min": min(crowds), "median": sorted(crowds)[(len(crowds) - 1) // 2]}
    return told


@seeds(300, 4)
def test_people_who_are_in_both_tables_are_counted_one_by_one(seed):
    *tables, first, second = drawn_apart(seed)
    found = incrowd.attack(
        table(first), **{**POLICY, "k": 2}, identifiers=["who"], hierarchies={"age": HIERARCHY}, others=[table(second)],
        original=with_names(tables[0]), person="who", others_originals=[with_names(tables[1])],
    )  # fmt: skip
    people = found.facts["composition"]["others"][0]["people"]
    assert people == by_names(tables, first, second, 2)
    said = " ".join(found.summary().split())
    assert ("that cover them fit" in said) == (people["crowd"]["min"] is None)
    assert ("so that their own rows do not fit" in said) == (people["changed"] > 0 and people["rows"] > 0)


def test_the_summary_says_who_is_in_both_and_of_whom_a_value_is_known():
    one = [("A", "1", "f", "a", "x"), ("B", "1", "f", "b", "x"), ("C", "3", "m", "a", "y")]
    other = [("A", "1", "f", "a", "x"), ("C", "3", "m", "b", "y"), ("D", "2", "f", "c", "x")]
    found = incrowd.attack(
        table([row[1:] for row in one]), **ASKED, identifiers=["who"], others=[table([row[1:] for row in other])],
        original=with_names(one), person="who", others_originals=[with_names(other)],
    )  # fmt: skip
    said = " ".join(found.summary().split())
    assert "2 persons are in both" in said or "2 people are in both" in said
    assert "of 1 nothing fits" in said
    assert "One sensitive value is left of 1 person" in said


def test_people_are_not_counted_where_a_table_is_missing_or_names_somebody_twice():
    rows = [("A", "1", "f", "a", "x"), ("B", "1", "f", "b", "x")]
    shown, whole = table([row[1:] for row in rows]), with_names(rows)
    asked = {**ASKED, "identifiers": ["who"], "others": [shown]}
    with pytest.raises(PolicyError, match="for each of others its own original with others_originals"):
        incrowd.attack(shown, **asked, original=whole, person="who")
    with pytest.raises(PolicyError, match="name the column of people with person"):
        incrowd.attack(shown, **asked, original=whole, others_originals=[whole])
    with pytest.raises(InputError, match="'who' names 1 person in several rows of the original of the other release"):
        incrowd.attack(shown, **asked, original=whole, person="who", others_originals=[with_names([*rows, rows[0]])])
    with pytest.raises(InputError, match="has no column 'name'"):
        incrowd.attack(shown, **asked, original=whole, person="name", others_originals=[whole])
