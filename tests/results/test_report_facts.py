"""What a report shows beside the facts."""

import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import InputError, PolicyError
from incrowd.results.report_facts import level_names
from incrowd.tables.hierarchy import as_spec

TABLE = pa.table({"age": [20 + i % 30 for i in range(240)], "ward": [["a", "b"][i // 4 % 2] for i in range(240)]})
WHO = {"quasi_identifiers": ["age"], "sensitive": ["ward"], "k": 9}


def test_levels_are_called_as_their_settings_have_it():
    assert level_names(as_spec("intervals:5,10", "age")) == ["steps of 5", "steps of 10"]
    assert level_names(as_spec("dates:month,year", "born")) == ["month", "year"]
    assert level_names(as_spec("prefix:3,2", "zip")) == ["3 characters", "2 characters"]
    assert level_names(as_spec("prefix", "zip")) == level_names(as_spec("age.csv", "age")) == []
    assert level_names(incrowd.Hierarchy.from_tree({"a": ["b", "c"]})) == []


def test_a_release_at_hand_is_as_useful_as_its_table_is():
    with incrowd.anonymize(TABLE, solver="greedy", **WHO) as release:
        mine = release.usefulness(target="ward", queries=50)
        other = incrowd.usefulness(TABLE, release.table, target="ward", queries=50, **WHO)
    for name in ("counts", "associations", "distinction", "prediction", "columns", "rows"):
        assert mine.facts[name] == other.facts[name], name
    assert mine.summary().startswith("What 'the release' (240 rows) still says")


def test_what_cannot_be_asked_is_said():
    with incrowd.anonymize(TABLE, solver="greedy", **WHO) as release:
        with pytest.raises(InputError, match="column 'hair', named as the target, is not in the release"):
            release.usefulness(target="hair")
        with pytest.raises(PolicyError, match="queries must be a whole number"):
            release.usefulness(queries=0)
