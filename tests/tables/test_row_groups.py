from __future__ import annotations

import pyarrow as pa

from incrowd.tables.engine.base import Engine
from incrowd.tables.read import open_source, with_roles
from incrowd.tables.roles import Reading, Roles
from incrowd.tables.row_groups import grouped_rows


def test_equal_rows_are_counted_null_with_null_and_nothing_but_their_number_crosses():
    with Engine() as engine:
        opened = open_source(
            engine, pa.table({"a": ["x", None, "x", None], "b": [1, 2, 1, 2], "s": [1, 2, 3, 4]}), Reading()
        )
        roles = Roles(quasi_identifiers=("a", "b"), sensitive=("s",))
        table = with_roles(engine, opened, roles, hierarchies={}, text=("a", "b"), star="*")
        grouped = grouped_rows(table, [column.id for column in table.quasi_identifiers])
        assert grouped.t == 2
        assert engine.fetch(grouped.rows).column("n").to_pylist() == [2, 2]
