"""A source becomes a table: roles given, values checked, identifiers gone."""

import datetime
import decimal

import pyarrow as pa
import pytest

from incrowd.errors import InputError, PolicyError
from incrowd.tables.engine.base import Engine
from incrowd.tables.read import read
from incrowd.tables.roles import Reading, Roles

TYPED = pa.table(
    {
        "whole": pa.array([1, 2, None], pa.int64()),
        "half": pa.array([0.1, 1e20, 2.5]),
        "day": [datetime.date(2020, 1, 2), None, datetime.date(1950, 12, 31)],
        "money": pa.array([decimal.Decimal("1.50"), None, decimal.Decimal("0.05")], pa.decimal128(9, 2)),
        "flag": [True, False, None],
        "word": ["x", "", None],
    }
)


@pytest.fixture(scope="module")
def engine():
    with Engine() as made:
        yield made


def refusal(engine, source, error=InputError, star="*", text=("a",), **roles):
    with pytest.raises(error) as caught:
        read(engine, source, Roles(**{"quasi_identifiers": ("a",), **roles}), Reading(), text=text, star=star)
    return str(caught.value)


def test_columns_that_are_never_changed_keep_their_type_and_values(engine):
    table = read(engine, TYPED, Roles(quasi_identifiers=("word",)), Reading(), text=("word",), star="*")
    found = table.engine.fetch(table.data.order_by("row_key"))
    by_name = {c.name: c.id for c in table.columns}
    for name in ("whole", "half", "day", "money", "flag"):
        assert found.column(by_name[name]).to_pylist() == TYPED.column(name).to_pylist()


def test_identifiers_never_leave_read(engine):
    roles = Roles(quasi_identifiers=("word",), identifiers=("whole", "half"), other="keep")
    table = read(engine, TYPED, roles, Reading(), text=("word",), star="*")
    assert not {"whole", "half"} & {c.name for c in table.columns}
    assert len(table.data.columns) == 1 + TYPED.num_columns - 2


def test_other_columns_can_be_dropped(engine):
    roles = Roles(quasi_identifiers=("word",), sensitive=("flag",), other="drop")
    table = read(engine, TYPED, roles, Reading(), text=("word",), star="*")
    assert [c.name for c in table.columns] == ["flag", "word"]


def test_a_star_among_the_values_is_refused(engine):
    source = pa.table({"a": ["x", "*", "*"]})
    assert "column 'a' already holds the star text in 2 rows" in refusal(engine, source)
    assert read(engine, source, Roles(quasi_identifiers=("a",)), Reading(), text=("a",), star="#").rows == 3


def test_lists_and_structs_cannot_be_quasi_identifiers(engine):
    assert "column 'a' holds array values" in refusal(engine, pa.table({"a": [[1], [2]]}))
    assert "column 'a' holds struct values" in refusal(engine, pa.table({"a": [{"p": 1}]}))


def test_numbers_declared_must_be_numbers(engine):
    said = refusal(engine, pa.table({"a": ["1", "Zebedee", None, "inf"]}), numeric=("a",))
    assert "column 'a' is declared numeric but 2 of its values are no numbers" in said
    assert "Zebedee" not in said


def test_a_column_that_is_not_there_is_named_with_a_guess(engine):
    said = refusal(engine, pa.table({"age": ["x"], "sex": ["y"]}), PolicyError, quasi_identifiers=("agee",))
    assert "'agee'" in said
    assert "did you mean 'age'" in said


def test_a_table_without_rows_is_refused(engine):
    assert "has no rows" in refusal(engine, pa.table({"a": pa.array([], pa.string())}))
