"""Columns in numbers: counts alone leave the engine, and a large table is looked at by a sample."""

import pyarrow as pa

import incrowd.tables.read.proposals as values_module
from incrowd.jobs.proposal.columns import columns_of, every_nth
from incrowd.tables.engine.base import Engine
from incrowd.tables.read import open_source
from incrowd.tables.roles import Reading

TABLE = pa.table({"age": ["31", "47", None, "NA", "?", "31"], "note": ["a b c", "d", "e f", "", "g", "h"]})


def test_gaps_words_for_gaps_and_blanks_are_counted():
    with Engine() as engine:
        age, note = columns_of(engine, open_source(engine, TABLE, Reading()))
    assert (age.rows, age.empty, age.missing, age.distinct, age.filled, age.whole) == (6, 1, 2, 4, 3, True)
    assert (age.proposal.seen.kind, age.proposal.seen.missing) == ("numbers", ("?", "NA"))
    assert (note.missing, round(note.blanks, 2)) == (1, 0.5)


def test_a_sample_is_the_same_rows_every_time():
    with Engine() as engine:
        opened = open_source(engine, pa.table({"n": list(range(1000))}), Reading())
        assert every_nth(opened, 1000, 1000) is opened
        found = [engine.fetch(every_nth(opened, 1000, 300).data).column("c0").to_pylist() for _ in range(2)]
    assert found[0] == found[1] and 200 < len(found[0]) <= 300


def test_of_a_column_with_too_many_values_a_sample_is_looked_at(monkeypatch):
    monkeypatch.setattr(values_module, "MOST_VALUES", 20)
    monkeypatch.setattr("incrowd.jobs.proposal.columns.SAMPLE_ROWS", 15)
    with Engine() as engine:
        (column,) = columns_of(engine, open_source(engine, pa.table({"n": list(range(100))}), Reading()))
    assert not column.whole and column.proposal.seen.kind == "numbers" and column.distinct == 100
