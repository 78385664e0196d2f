from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from incrowd.tables.engine.base import Engine
from incrowd.tables.verify.bound.row_types import count_types, grouped
from incrowd.tables.verify.lines import type_table as module
from incrowd.tables.verify.lines.type_table import type_table, with_prices
from seeds import seeds

TEXTS = ["b", "a", "Z", "é", "ê", "", "10", "9", "𝄞", "\uffee", None, "ä", "a\u0301", " a"]


@pytest.fixture(scope="module")
def engine():
    with Engine() as one:
        yield one


@seeds(60, 4)
def test_types_are_counted_and_numbered_as_in_memory(engine, monkeypatch, seed):
    """Texts in the order of their bytes, a missing value first; numbers, too; their prices stand beside them."""
    rng = np.random.default_rng([332, seed])
    monkeypatch.setattr(module, "JOINS", 1 + seed % 3)
    if seed % 2:  # as where no table keeps an order
        monkeypatch.setattr(module, "ORDERED", "")
    n, m = int(rng.integers(1, 400)), int(rng.integers(1, 4))
    columns = {f"c{j}": pa.array([TEXTS[i] for i in rng.integers(0, len(TEXTS), n)]) for j in range(m)}
    columns["f"] = pa.array(rng.choice([-0.0, 0.0, 1.5, np.nan, 10.0, 9.0], n))
    rows = engine.put(pa.table(columns))
    there = count_types(engine, rows, [rows[name] for name in rows.columns])
    found = grouped(engine, rows, [rows[name] for name in rows.columns])
    here = type_table(engine, found, {})
    assert (here.t, here.n) == (len(there.counts), n)
    assert here.sizes == tuple(int(rank) + 1 for rank in there.codes.max(axis=0))
    prices = rng.integers(-(2**60), 2**60, here.t)
    cut = int(rng.integers(0, here.t + 1))
    priced = engine.fetch(with_prices(here, iter([prices[:cut], prices[cut:]])).order_by("type"))
    codes = np.stack([priced.column(f"r{j}").to_numpy() for j in range(m + 1)], axis=1)
    assert (codes == there.codes).all()
    assert priced.column("n").to_pylist() == there.counts.tolist()
    assert priced.column("p").to_pylist() == prices.tolist()
    assert priced.column("type").to_pylist() == list(range(here.t))


@pytest.mark.proofs
def test_many_types_keep_their_order(engine):
    """More lines than the engine sorts and hands on in one piece, by several threads."""
    rng = np.random.default_rng(7)
    n = 700_000
    rows = engine.put(pa.table({"a": rng.integers(0, 900, n).astype(str), "b": rng.integers(0, 900, n).astype(str)}))
    there = count_types(engine, rows, [rows.a, rows.b])
    here = type_table(engine, grouped(engine, rows, [rows.a, rows.b]), {})
    prices = np.arange(here.t)
    priced = engine.fetch(with_prices(here, iter(np.array_split(prices, 17))))
    order = np.argsort(priced.column("type").to_numpy(), kind="mergesort")
    assert (priced.column("p").to_numpy()[order] == prices).all()
    assert (priced.column("n").to_numpy()[order] == there.counts).all()
    assert (priced.column("r1").to_numpy()[order] == there.codes[:, 1]).all()
