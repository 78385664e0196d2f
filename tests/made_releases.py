"""Releases for the measures: real tables through read, compress and expand, with made-up plans."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pytest

from incrowd.tables.compress import compress
from incrowd.tables.engine.base import Engine
from incrowd.tables.expand import expand
from incrowd.tables.measures import MeasureContext
from incrowd.tables.read import read
from incrowd.tables.roles import Reading, Roles
from incrowd.tables.values import Levels, Plan, Problem
from oracles.pattern_lists import PatternList


@dataclass
class Made:
    release: object
    context: MeasureContext
    rows: list

    def measure(self, measure):
        return measure.measure(self.release, self.context)


@pytest.fixture(scope="session")
def engine():
    with Engine() as made:
        yield made


@pytest.fixture(scope="session")
def release_of(engine):
    """Make a release from original rows and the level vector of each.

    Equal rows get the multiset of their vectors. Level 1 of a column of height 2 shows half the value's code.
    """

    def make(rows, vectors, *, k=2, outliers="forbid", numeric=(), heights=None, star="*", types=None, as_text=True):
        m = len(rows[0])
        names = [f"q{j}" for j in range(m)]
        heights = tuple((1,) * m if heights is None else heights)
        types = types or [pa.string()] * m
        data = pa.table([pa.array([r[j] for r in rows], types[j]) for j in range(m)], names=names)
        roles = Roles(quasi_identifiers=tuple(names), numeric=tuple(f"q{j}" for j in numeric))
        table = read(engine, data, roles, Reading(), text=names if as_text else (), star=star)
        compressed = compress(table)
        levels = tuple(map(hierarchy, compressed.types.sizes, heights))
        found = engine.fetch(compressed.values.order_by("type")).to_pylist()
        values = [tuple(line[c.id] for c in table.quasi_identifiers) for line in found]
        as_read = engine.fetch(table.data.order_by("row_key")).to_pylist()
        index = {value: i for i, value in enumerate(values)}
        typed = [index[tuple(line[c.id] for c in table.quasi_identifiers)] for line in as_read]
        plan, shown = plan_of(compressed.types, levels, typed, vectors)
        problem = Problem(compressed.types, levels, PatternList(heights), k, outliers)
        release = expand(table, compressed, plan, star=star, seed=0)
        context = MeasureContext.of(problem, numeric=roles.numeric)
        return Made(release, context, list(zip(rows, vectors, shown, strict=True)))

    return make


def hierarchy(size, height):
    codes = np.arange(size)
    steps = [codes, *(codes >> level for level in range(1, height)), 0 * codes] if height else [0 * codes]
    up = np.array(steps, np.int32)
    return Levels(up, np.repeat(np.arange(height + 1), size).reshape(height + 1, size).astype(np.int64))


def plan_of(types, levels, typed, vectors):
    """The plan that releases row i, of type ``typed[i]``, under ``vectors[i]``; and each row's instance."""
    shown = [
        (tuple(v), tuple(int(levels[j].up[v[j], types.codes[t, j]]) for j in range(len(v))))
        for t, v in zip(typed, vectors, strict=True)
    ]
    group = {instance: g for g, instance in enumerate(dict.fromkeys(shown))}
    parts = {}
    for t, instance in zip(typed, shown, strict=True):
        key = (t, group[instance])
        parts[key] = parts.get(key, 0) + 1
    order = sorted(parts)
    plan = Plan(
        np.array([vector for vector, _ in group], np.int8).reshape(len(group), -1),
        np.array([t for t, _ in order], np.int32),
        np.array([g for _, g in order], np.int32),
        np.array([parts[key] for key in order], np.int64),
    )
    return plan, shown
