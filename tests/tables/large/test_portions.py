from __future__ import annotations

import numpy as np
import pyarrow as pa

from incrowd.progress import Watch
from incrowd.tables.engine.base import Engine
from incrowd.tables.large.leftovers import settled
from incrowd.tables.large.portions import joined_up, portioned
from incrowd.tables.large.sweep import sweep
from oracles.large import in_engine
from oracles.pattern_lists import PatternList
from oracles.problems import stars, types_of
from seeds import how_many


def lines_of(engine, table, names):
    return [tuple(line[name] for name in names) for line in engine.fetch(table).to_pylist()]


def cut(engine, problem, most):
    types, instances = in_engine(engine, problem)
    plan = settled(instances, sweep(types, instances, problem.types.n, Watch()), Watch())
    return plan, portioned(instances, plan, most)


def drawn(seed, vectors=None):
    return stars(types_of(np.random.default_rng([101, seed]).integers(0, 4, (60, 3))), 3, vectors=vectors)


def test_portions_hold_every_line_once_and_groups_that_are_not_suppressed_whole():
    split = 0
    with Engine() as engine:
        for seed in range(how_many(60, 2)):
            problem = drawn(seed)
            plan, found = cut(engine, problem, 8)
            names = ("w0", "n", "group", "seq", "cost")
            lines = lines_of(engine, found.lines, (*names, "portion"))
            assert sorted(line[:-1] for line in lines) == sorted(lines_of(engine, plan.parts, names))
            assert not found.exact
            where = {}
            for _, _, group, seq, _, portion in lines:
                if plan.vectors[seq] != problem.top:
                    assert where.setdefault(group, portion) == portion, seed
            sizes = {}
            for line in lines:
                sizes[line[-1]] = sizes.get(line[-1], 0) + 1
            assert sizes == found.sizes
            largest = max(sum(line[2] == group for line in lines) for group in where)
            assert max(sizes.values()) < 8 + largest
            split += len(sizes) > 1
    assert split


def test_what_every_pattern_keeps_parts_the_portions_where_it_fits():
    vectors = [vector for vector in PatternList([1] * 3).vectors if not vector[1]]
    with Engine() as engine:
        problem = drawn(0, vectors)
        _, instances = in_engine(engine, problem)
        _, found = cut(engine, problem, 20)
        lines = lines_of(engine, instances.under(found.lines, (1, 0, 1)), ("v0", "portion"))
        assert found.exact
        assert len(found.sizes) > 1
        assert len({value for value, _ in lines}) == len(set(lines)) == 4
        assert not cut(engine, problem, 3)[1].exact


def test_groups_that_show_the_same_become_one():
    problem = stars(types_of([[0, 0], [0, 1], [1, 0]]), 2)
    with Engine() as engine:
        _, instances = in_engine(engine, problem)
        word = instances.layout.shifted(0)[0], instances.layout.shifted(0)[1]
        lines = {
            "w0": [word[0], word[0], word[1]],
            "n": [1, 2, 3],
            "group": [7, 4, 5],
            "seq": [0, 0, 0],
            "cost": [1] * 3,
        }
        parts = engine.put(pa.table({name: pa.array(each, pa.int64()) for name, each in lines.items()}))
        found = lines_of(engine, joined_up(instances, parts, [(0, 1)]), ("n", "group"))
    assert sorted(found) == [(3, 4), (3, 5)]
