"""Copies of row types in a table of their own: each row is in one of the two, as it is."""

from collections import Counter

import numpy as np
import pyarrow as pa

from incrowd.jobs.clock import Clock
from incrowd.jobs.prepare import prepare
from incrowd.policy.job import Policy
from incrowd.progress import Watch
from incrowd.tables.compress.taken_copies import taken_apart
from incrowd.tables.engine.open import open_engine
from incrowd.tables.write import as_frame
from seeds import seeds


def lines(table):
    return Counter(tuple(row.values()) for row in table.to_pylist())


@seeds(20)
def test_so_many_copies_of_each_type_are_taken_and_nothing_else(seed):
    rng = np.random.default_rng([71, seed])
    n = int(rng.integers(1, 30))
    a = [None if rng.random() < 0.2 else int(x) for x in rng.integers(0, 3, n)]
    table = pa.table({"a": a, "b": rng.choice(["x", "y"], n), "c": rng.integers(0, 5, n)})
    policy = Policy(quasi_identifiers=("a", "b"), k=1, suppressed="null")
    with open_engine("duckdb", None, table) as engine:
        made = prepare(engine, table, policy, Clock(Watch()))
        copies = rng.integers(0, made.types.types.counts + 1)
        kept, taken = (as_frame(part, keep_order=False) for part in taken_apart(made.table, made.types, copies, seed=0))
    assert lines(kept) + lines(taken) == lines(table)
    assert taken.num_rows == copies.sum()
    gone = Counter((row["a"], row["b"]) for row in taken.to_pylist())
    assert sorted(gone.values()) == sorted(copies[copies > 0].tolist())
