"""A release in its engine gives the codes that the two files give."""

from __future__ import annotations

import pyarrow as pa
import pytest

import incrowd
from incrowd.tables.usefulness.count_queries import count_errors
from incrowd.tables.usefulness.pair import coded_release

TABLE = pa.table({
    "age": [20 + i % 30 for i in range(240)],
    "town": [["Graz", "Linz", "Bonn", None][i % 4] for i in range(240)],
    "ward": [["a", "b", "c"][i // 4 % 3] for i in range(240)],
})  # fmt: skip
WHO = {"quasi_identifiers": ["age", "town"], "sensitive": ["ward"], "k": 5}
TOWNS = incrowd.Hierarchy.from_tree({"AT": ["Graz", "Linz"], "DE": ["Bonn", "NULL"]})
RANGES = {"recoding": "ranges", "numeric": ["age"]}


@pytest.mark.few(2)
@pytest.mark.parametrize("how", [{}, {"suppressed": "null"}, {"hierarchies": {"town": TOWNS}}, RANGES])
def test_counts_of_a_release_at_hand_are_off_as_those_of_its_table(how):
    asked = {**WHO, **how}
    with incrowd.anonymize(TABLE, solver="mondrian" if "recoding" in how else "greedy", **asked) as release:
        tables = coded_release(release._expanded, ["ward"], ranges="recoding" in how)
        found = incrowd.usefulness(TABLE, release.table, queries=100, **asked)
    assert [column.name for column in tables.columns] == ["age", "town", "ward"]
    assert [column.changing for column in tables.columns] == [True, True, False]
    assert vars_of(count_errors(tables, seed=0, queries=100)) == found.counts


def vars_of(errors):
    return {name: getattr(errors, name) for name in errors.__slots__}
