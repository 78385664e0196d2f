"""The optimum of a core is that of the best partition; whenever the search is stopped, its bound holds."""

from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.matching.active_rows import core_of
from incrowd.tables.solve.matching.groups_of_cycles import cost_of
from incrowd.tables.solve.matching.metric import metric
from incrowd.tables.solve.matching.search import optimum
from oracles.matching_drawn import FAMILIES, draw
from oracles.partitions import least
from seeds import how_many


class Asked(Watch):
    """Says stop from the n-th time on that it is asked."""

    def __init__(self, times):
        super().__init__()
        self.times = times

    @property
    def stopped(self):
        self.times -= 1
        return self.times < 0


def cases(count):
    """A core of all rows of a small table without exits, what its costs are counted in, and its optimum (or None)."""
    for seed in range(count):
        drawn = draw(FAMILIES[seed % len(FAMILIES)], 7000 + seed, (3, 7))
        types = drawn.types
        me = metric(types.codes, drawn.levels, drawn.patterns, drawn.sens, dense=seed % 3 > 0)
        core = core_of(
            me, types.counts, expand=99, unpooled=np.ones(types.t, bool), full_exit=False, pools=False
        )  # fmt: skip
        yield core, me.divisor, least(types.codes, types.counts, drawn.levels, drawn.vectors, "forbid", drawn.sens)


def test_the_optimum_is_that_of_the_best_partition():
    none = 0
    for core, unit, best in cases(how_many(400, 40)):
        found = optimum(core, Watch())
        if best is None:
            assert found.infeasible and found.cost is None
            none += 1
            continue
        assert found.optimal and not found.infeasible
        assert unit * found.cost == unit * found.bound == best
        assert cost_of(core, found.kind, found.mate) == found.cost
    assert none


def test_whenever_it_stops_its_bound_holds_and_its_release_costs_what_it_says():
    short = 0
    for core, unit, best in cases(how_many(200, 24)):
        for times in (0, 2, 5, 9):
            found = optimum(core, Asked(times))
            assert best is None or unit * found.bound <= best
            if found.kind is None:
                short += 1
                continue
            assert unit * found.cost >= best
            assert cost_of(core, found.kind, found.mate) == found.cost
    assert short
