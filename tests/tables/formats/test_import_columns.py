import pyarrow as pa
import pytest

from incrowd.errors import InputError
from incrowd.tables.engine.base import Engine
from incrowd.tables.formats.import_columns import distinct_names, from_arrow


def test_names_given_twice_are_refused():
    distinct_names(("a", "A"), "'t'")
    with pytest.raises(InputError, match="columns 1 and 3 of 't' have the same name"):
        distinct_names(("a", "b", "a"), "'t'")


def test_columns_come_in_under_the_engines_names_with_their_values():
    table = pa.table({'a"b': [1, None], "": ["x", "y"]})
    with Engine() as engine:
        found = from_arrow(engine, table.schema, table.to_batches(), "arrow", None, "'t'")
        assert found.names == ('a"b', "")
        assert sorted(engine.fetch(found.data.select("c1")).column(0).to_pylist()) == ["x", "y"]
