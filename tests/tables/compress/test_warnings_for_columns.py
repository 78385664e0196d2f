"""A column of numbers that are mostly distinct is said before its rows turn out to be alone."""

import pyarrow as pa
import pytest

from incrowd.tables.compress import compress
from incrowd.tables.compress.warnings_for_columns import FEWEST_ROWS, advised
from incrowd.tables.engine.base import Engine
from incrowd.tables.read import read
from incrowd.tables.roles import Reading, Roles


@pytest.fixture(scope="module")
def engine():
    with Engine() as made:
        yield made


def notes_on(engine, cells, kind=None):
    data = pa.table({"q": pa.array(cells, kind), "town": pa.array(["x"] * len(cells))})
    roles = Roles(quasi_identifiers=("q", "town"))
    table = read(engine, data, roles, Reading(), text=("q", "town"), star="*")
    return list(advised(table, compress(table)).notes)


@pytest.mark.parametrize("kind", [pa.string(), pa.int32()])
def test_mostly_distinct_numbers_are_named_with_what_to_do(engine, kind):
    cells = pa.array(range(FEWEST_ROWS)).cast(kind)
    (note,) = notes_on(engine, cells, kind)
    assert note.startswith("column 'q' holds numbers that are mostly distinct (20 in 20 rows)")
    assert note.endswith("for example --hierarchy q=intervals:5,10,20")


def test_half_as_many_values_as_rows_are_too_few(engine):
    assert notes_on(engine, [str(i % 12) for i in range(24)]) == []
    assert len(notes_on(engine, [str(i % 13) for i in range(24)])) == 1


def test_one_word_among_the_numbers_makes_it_no_column_of_numbers(engine):
    assert notes_on(engine, [*map(str, range(30)), "unknown"]) == []


def test_missing_values_leave_it_a_column_of_numbers(engine):
    assert len(notes_on(engine, [*map(str, range(30)), None, None])) == 1


def test_a_handful_of_rows_says_nothing(engine):
    assert notes_on(engine, [str(i) for i in range(FEWEST_ROWS - 1)]) == []
