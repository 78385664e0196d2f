"""Prices, light triples and matchings of the local search against their definitions."""

from __future__ import annotations

import itertools

import numpy as np
from tests.seeds import seeds

from incrowd.progress import Watch
from incrowd.tables.solve.matching.active_rows import core_of
from incrowd.tables.solve.matching.assignment_relaxation import relax
from incrowd.tables.solve.matching.metric import metric
from incrowd.tables.solve.textbook.triple_changes import TripleChanges
from oracles.matching_drawn import draw


def search_of(drawn):
    types = drawn.types
    core = core_of(
        metric(types.codes, drawn.levels, drawn.patterns, drawn.sens), types.counts,
        expand=0, unpooled=np.ones(types.t, np.bool_), full_exit=False, pools=False,
    )  # fmt: skip
    return core, TripleChanges(core, relax(core, Watch()).y, Watch())


@seeds(200, 20)
def test_light_triples_are_those_whose_reduced_cost_is_small(seed):
    core, search = search_of(draw("plain", 800 + seed, (4, 11)))
    every = np.array(list(itertools.combinations(range(core.n), 3)))
    weight = 3 * core.metric.costs(every) - search.y[every].sum(axis=1)
    for most in (0, 1, 3, 9):
        found, weights = search.light(most)
        assert {tuple(t) for t in found.tolist()} == {tuple(t) for t in every[weight <= most].tolist()}
        assert (np.diff(weights) >= 0).all()


@seeds(200, 20)
def test_a_matching_is_taken_only_where_it_costs_no_more_than_asked(seed):
    core, search = search_of(draw("weighted", 900 + seed, (4, 10)))
    search.alone = False
    triple = (0, 1, 2) if core.n % 2 else None
    triples = [triple] if triple else []
    there = search.matched(triples, 1 << 30)
    assert there and search.cost == sum(
        (len(e) * int(core.metric.costs(np.array([[*e, -1][:3]]))[0])) for e in search.best
    )
    assert sorted(v for e in search.best for v in e) == list(range(core.n))
    cost = search.cost
    assert not search.matched(triples, cost - 1)
    assert search.matched(triples, cost) and search.cost == cost
