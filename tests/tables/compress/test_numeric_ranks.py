import pyarrow as pa
import pytest

from incrowd.tables.compress import compress, places
from incrowd.tables.engine.base import Engine
from incrowd.tables.read import read
from incrowd.tables.roles import Reading, Roles


def found(values, kind=None, numeric=("q",)):
    roles = Roles(quasi_identifiers=("other", "q"), numeric=numeric)
    data = pa.table({"other": pa.array(["x", "y"] * len(values))[: len(values)], "q": pa.array(values, kind)})
    with Engine() as engine:
        table = read(engine, data, roles, Reading(), text=("q",) if kind is None else (), star="*")
        compressed = compress(table)
        lines = engine.fetch(compressed.values.order_by("type")).to_pylist()
        other, own = places(table, compressed)
        assert other is None
        if own is None:
            return None
        name = table.quasi_identifiers[1].id
        return {line[name]: int(own[compressed.types.codes[i, 1]]) for i, line in enumerate(lines)}


def test_numbers_written_as_text_lie_in_their_own_order_and_proportion():
    assert found(["9", "10", "100", "-1.5", "9"]) == {
        "-1.5": 1,
        "9": 1 + int(10.5 / 101.5 * (2**30 - 1)),
        "10": 1 + int(11.5 / 101.5 * (2**30 - 1)),
        "100": 2**30,
    }


def test_null_lies_below_all_numbers_and_equal_numbers_together():
    got = found(["7", None, "7.0", "8"])
    assert got == {None: 0, "7": 1, "7.0": 1, "8": 2**30}


@pytest.mark.parametrize("kind", [pa.int64(), pa.float64(), pa.decimal128(10, 2)])
def test_typed_numbers_lie_like_texts(kind):
    got = found([3, 1, 2, None], kind)
    assert sorted(got.values()) == [0, 1, 2**29, 2**30]
    assert got[None] == 0


def test_a_range_beyond_all_floats_leaves_ranks():
    assert sorted(found([-1.5e308, 1.5e308, 0.0], pa.float64()).values()) == [1, 2, 3]


def test_one_number_and_no_number_are_no_trouble():
    assert found(["4", "4"]) == {"4": 1}
    assert found([None, None], pa.int64()) == {None: 0}


def test_columns_that_are_not_declared_numeric_have_no_places():
    assert found(["4", "5"], numeric=()) is None
