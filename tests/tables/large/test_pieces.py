from __future__ import annotations

import pyarrow as pa

from incrowd.tables.engine.base import Engine
from incrowd.tables.large.pieces import TOGETHER, Pieces


def test_every_line_of_every_piece_is_there_once_and_the_pieces_are_forgotten():
    with Engine() as engine:
        pieces = Pieces(engine, engine.put(pa.table({"n": pa.array([], pa.int64())})))
        for i in range(3 * TOGETHER * TOGETHER + 2):
            pieces.add(engine.put(pa.table({"n": [i]})))
        held = engine.con.con.execute("SELECT count(*) FROM duckdb_tables()").fetchone()[0]
        assert held < 3 * TOGETHER + 4
        found = sorted(engine.fetch(pieces.table()).column("n").to_pylist())
    assert found == list(range(3 * TOGETHER * TOGETHER + 2))
