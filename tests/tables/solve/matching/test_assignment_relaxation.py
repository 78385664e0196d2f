from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.matching import all_pairs
from incrowd.tables.solve.matching.active_rows import core_of
from incrowd.tables.solve.matching.assignment_relaxation import relax
from incrowd.tables.solve.matching.metric import metric
from oracles.matching_drawn import FAMILIES, draw
from oracles.matching_plain import FAR
from seeds import scaled


class Asked(Watch):
    """Says stop from the n-th time on that it is asked, and counts."""

    def __init__(self, times):
        super().__init__()
        self.times, self.asks = times, 0

    @property
    def stopped(self):
        self.asks += 1
        return self.asks > self.times


def test_prices_of_a_relaxation_hold_for_all_pairs_whenever_it_stops(monkeypatch):
    monkeypatch.setattr(all_pairs, "PIECE", 100)
    some = 0
    for seed in range(scaled(60)):
        drawn = draw(FAMILIES[seed % len(FAMILIES)], 4000 + seed, (8, 14))
        for times in (3, 6, 9, 12, 16, 20, 30, 40):
            me = metric(drawn.types.codes, drawn.levels, drawn.patterns, drawn.sens, dense=seed % 3 > 0)
            core = core_of(
                me, drawn.types.counts, expand=99, unpooled=np.ones(drawn.types.t, bool), full_exit=seed % 2 > 0,
                pools=False,
            )  # fmt: skip
            found = relax(core, Asked(times))
            y = found.y
            assert (y[core.real] <= core.exits[core.real]).all()
            left, right = np.triu_indices(core.n, 1)
            cost = core.metric.costs(np.stack((left, right, np.full(left.size, -1)), axis=1))
            assert ((cost >= FAR) | (y[left] + y[right] <= 2 * cost)).all()
            some += bool(not found.done and y.sum() > 0)
    assert some > scaled(20)
