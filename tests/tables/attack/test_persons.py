"""Who is in two tables at once."""

from __future__ import annotations

import pyarrow as pa
import pytest

from incrowd.errors import InputError
from incrowd.tables.attack.others import people_in_both
from incrowd.tables.engine.base import Engine

NAMES = ("who", "age", "ill")


def both(first, second, person="who"):
    engine = Engine()
    tables = [
        (engine.put(pa.table({name: pa.array([row[j] for row in rows], pa.string()) for j, name in enumerate(NAMES)})),
         {name: name for name in NAMES})
        for rows in (first, second)
    ]  # fmt: skip
    found = people_in_both(engine, tables, person, ["age"], ["ill"], ["ill"])
    return found, sorted(tuple(row.values()) for row in engine.fetch(found.rows).to_pylist())


def test_people_are_joined_by_name_with_their_keys_in_either_table_and_what_changed_is_counted():
    found, rows = both(
        [("A", "31", "flu"), ("B", "47", "flu"), ("C", "52", None), (None, "60", "flu")],
        [("B", "48", "cold"), ("A", "31", "flu"), ("C", "52", None), ("D", "47", "flu"), (None, "60", "flu")],
    )
    assert (found.people, found.changed) == (3, 1)
    assert rows == sorted([("31", "31", "flu"), ("47", "48", "flu"), ("52", "52", None)], key=str)


def test_nobody_in_both_is_no_mistake_and_somebody_twice_is_one():
    found, rows = both([("A", "31", "flu")], [("B", "31", "flu")])
    assert (found.people, found.changed, rows) == (0, 0, [])
    with pytest.raises(InputError, match="'who' names 1 person in several rows of the original"):
        both([("A", "31", "flu"), ("A", "31", "cold")], [("A", "31", "flu")])
    with pytest.raises(InputError, match="the original has no column 'name'"):
        both([("A", "31", "flu")], [("A", "31", "flu")], person="name")
