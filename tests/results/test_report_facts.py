"""What a report shows beside the facts."""

import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import InputError, PolicyError
from incrowd.results import report_facts as module
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


def test_a_report_is_made_where_its_usefulness_cannot_be_looked_through(monkeypatch, tmp_path):
    def too_wide(*_, **__):
        raise InputError("too wide")

    monkeypatch.setattr(module, "coded_release", too_wide)
    incrowd.anonymize(TABLE, solver="greedy", report=tmp_path / "report.html", **WHO)
    assert "Is it still useful" not in (tmp_path / "report.html").read_text()


def test_labels_that_stand_for_too_much_are_not_asked_about(monkeypatch):
    for most, asked in ((32, True), (31, False)):  # 30 row types; labels of both columns stand for 32 values
        monkeypatch.setattr(module, "queries_within", lambda size, rows, most=most: 5 if size <= most else 0)
        with incrowd.anonymize(TABLE, solver="greedy", **{**WHO, "k": 2}) as release:
            assert (release._report_facts["usefulness"] is not None) is asked
