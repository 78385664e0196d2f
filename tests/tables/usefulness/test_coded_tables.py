"""What released cells may stand for."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from incrowd.errors import InputError
from incrowd.tables.coded import coded as coded_rows
from incrowd.tables.engine.base import Engine
from incrowd.tables.hierarchy import Fitted, Hierarchy
from incrowd.tables.usefulness import coded_tables as module
from incrowd.tables.usefulness.coded_tables import coded_column, rows_of_values, spread
from usefulness_tables import coded

FITTED = Fitted(Hierarchy(lines=(("Graz", "AT"), ("Linz", "AT"), ("Bonn", "DE"), ("Ulm", "DE"))), missing=False)


def stands_for(column, label):
    return [column.values[leaf] for leaf in column.leaves[column.begins[label] : column.begins[label + 1]]]


def test_values_labels_and_stars_stand_for_what_lies_below_them():
    column = coded_column(
        "town", ("Graz", "Linz", "Bonn"), ("Graz", "AT", "DE", "*"), changing=True, star="*", fitted=FITTED
    )
    assert [stands_for(column, label) for label in range(4)] == [
        ["Graz"], ["Graz", "Linz"], ["Bonn"], ["Graz", "Linz", "Bonn"],
    ]  # fmt: skip
    assert column.single().tolist() == [0, -1, 2, -1]


def test_a_missing_value_is_a_star_where_stars_are_missing_values():
    column = coded_column("town", ("Graz", "Linz"), (None, "Graz"), changing=True, star=None)
    assert stands_for(column, 0) == ["Graz", "Linz"]


@pytest.mark.parametrize(("label", "changing"), [("Rome", True), ("*", False), ("AT", False)])
def test_a_text_that_nothing_explains_is_refused_without_saying_it(label, changing):
    with pytest.raises(InputError, match="column 'town' of the release holds 1 texts") as refused:
        coded_column("town", ("Graz",), (label,), changing=changing, star="*", fitted=FITTED if changing else None)
    assert label == "*" or label not in str(refused.value)


def test_numbers_are_told_from_texts():
    def numbers(*values):
        return coded_column("n", values, values, changing=False, star="*").numbers

    assert numbers("1", "2.5", None).tolist()[:2] == [1, 2.5]
    assert numbers("1", "two") is None
    assert numbers("1", "nan") is None
    assert numbers("1", "inf") is None


def test_distinct_rows_get_codes_and_missing_values_one_of_their_own():
    rows = {"a": ["x", None, "x", None, "x"], "b": ["1", "1", None, "1", None]}
    with Engine() as engine:
        codes, counts, known = coded_rows(engine, engine.put(pa.table(rows)), ["a", "b"])
        assert [[known[j][code] for j, code in enumerate(line)] for line in codes] == [
            [None, "1"], ["x", None], ["x", "1"],
        ]  # fmt: skip
        assert counts.tolist() == [2, 2, 1]
        again = coded_rows(engine, engine.put(pa.table(rows).take([4, 0, 2, 3, 1])), ["a", "b"])
    assert (again[0] == codes).all()
    assert (again[1] == counts).all()
    assert again[2] == known


def test_a_cell_is_read_as_uniform_over_what_it_may_stand_for():
    tables = coded([("x",), ("y",), ("z",)], [("*",), ("y",)], rows=[1, 2, 3])
    assert np.allclose(spread(tables.columns[0], np.eye(3)), [[1 / 3] * 3, [0, 1, 0]])
    assert rows_of_values(tables, 0).tolist() == [1, 2, 3]


def test_means_are_the_same_where_they_are_taken_one_at_a_time(monkeypatch):
    column = coded_column("c", ("a", "b", "c"), ("a", "*", "c"), changing=True, star="*")
    parts = np.arange(6.0).reshape(3, 2)
    whole = spread(column, parts)
    monkeypatch.setattr(module, "MOST_GATHERED", 0)
    assert (spread(column, parts) == whole).all()
    assert whole.tolist() == [[0, 1], [2, 3], [4, 5]]
