"""Releases to be written: rows that occur once are stars, the others are as they were."""

import datetime

import numpy as np
import pyarrow as pa

from incrowd.tables.compress import compress
from incrowd.tables.engine.base import Engine
from incrowd.tables.expand import expand
from incrowd.tables.read import read
from incrowd.tables.roles import Reading, Roles
from incrowd.tables.values import Plan

ENGINE = Engine()
SOURCE = pa.table(
    {
        "p": ["b", "b", "a", None],
        "A": pa.array([1, 1, 2, None], pa.int32()),
        "day": [datetime.date(2020, 1, 1)] * 4,
        "a": ['say "hi"', "x,y", "two\nlines", ""],
    }
)


def release_of(source, star="*", quasi=("p", "A")):
    roles = Roles(quasi_identifiers=quasi)
    text = quasi if star else ()
    table = read(ENGINE, source, roles, Reading(), text=text, star=star)
    found = compress(table)
    types = found.types
    vectors = [[0] * len(quasi) if n > 1 else [1] * len(quasi) for n in types.counts]
    groups, ids = [], []
    for i, vector in enumerate(vectors):
        instance = (tuple(vector), i if not any(vector) else -1)
        if instance not in groups:
            groups.append(instance)
        ids.append(groups.index(instance))
    plan = Plan(
        np.array([vector for vector, _ in groups], np.int8), np.arange(types.t, dtype=np.int32),
        np.array(ids, np.int32), types.counts,
    )  # fmt: skip
    return expand(table, found, plan, star=star, seed=0)
