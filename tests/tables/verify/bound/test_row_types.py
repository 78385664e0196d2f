"""The check's own count of row types agrees with the one that solvers are given."""

import random

import numpy as np
import pyarrow as pa

from incrowd.tables.compress import compress
from incrowd.tables.engine.base import Engine
from incrowd.tables.read import read
from incrowd.tables.roles import Reading, Roles
from incrowd.tables.verify.bound.row_types import count_types
from seeds import seeds

ENGINE = Engine()


@seeds(20, name="case")
def test_both_counts_agree(case):
    rng = random.Random(case)
    n = rng.randint(1, 60)
    source = pa.table(
        {
            "p": pa.array([rng.choice([None, "a", "B", "é", "😀", "10", "9"]) for _ in range(n)], pa.string()),
            "q": pa.array([rng.choice([None, 10, 9, -1, 100]) for _ in range(n)], pa.int64()),
            "r": pa.array([rng.choice([None, 0.0, -0.0, float("nan"), 1e20]) for _ in range(n)], pa.float64()),
        }
    )
    for text in (("p", "q", "r"), ("p",)):
        table = read(ENGINE, source, Roles(quasi_identifiers=("q", "p", "r")), Reading(), text=text, star=None)
        types = compress(table).types
        found = count_types(ENGINE, table.data, [table.data[c.id] for c in table.quasi_identifiers])
        np.testing.assert_array_equal(found.codes, types.codes)
        np.testing.assert_array_equal(found.counts, types.counts)


def test_both_counts_agree_on_a_real_table(adult2):
    types = compress(adult2).types
    found = count_types(adult2.engine, adult2.data, [adult2.data[c.id] for c in adult2.quasi_identifiers])
    np.testing.assert_array_equal(found.codes, types.codes)
    np.testing.assert_array_equal(found.counts, types.counts)
