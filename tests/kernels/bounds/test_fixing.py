from __future__ import annotations

import numpy as np

from incrowd.kernels.bounds.prices import ruled_out
from oracles.instances_drawn import cheapest, drawn


def test_what_is_ruled_out_would_lift_the_value_above_the_limit():
    seen = np.zeros(3, np.int64)
    for rng, listed in drawn(300):
        pairs = listed.members.size
        pi, extra = rng.integers(-1, 6, listed.counts.size), rng.integers(0, 2, pairs)
        fixed, base, most = rng.integers(0, 3, listed.costs.size), int(rng.integers(0, 9)), int(rng.integers(-9, 9))
        closed, opened, empty = ruled_out(
            listed.begins, listed.members, listed.counts, listed.costs, listed.needs, pi, extra, fixed, base, most
        )
        places = [range(listed.begins[g], listed.begins[g + 1]) for g in range(listed.costs.size)]

        def value(g, forced=-1, listed=listed, places=places, pi=pi, extra=extra, fixed=fixed):
            """What instance g costs when it is open; `forced`: with one row of this pair at least."""
            terms = {y: int(listed.costs[g] - pi[listed.members[y]] + extra[y]) for y in places[g]}
            rows = {y: int(listed.counts[listed.members[y]]) - (y == forced) for y in places[g]}
            need = int(listed.needs[g]) - (forced >= 0)
            own = terms[forced] if forced >= 0 else 0
            return int(fixed[g]) + own + cheapest([(terms[y], rows[y]) for y in places[g]], need)

        values = [value(g) for g in range(listed.costs.size)]
        whole = base + sum(min(v, 0) for v in values)
        for g, v in enumerate(values):
            rest = whole - min(v, 0)
            assert closed[g] == (rest + v > most)
            if not closed[g]:
                assert opened[g] == (listed.needs[g] > 0 and rest > most)
                for y in places[g]:
                    if empty[y]:
                        assert rest + value(g, y) > most
        seen += closed.sum(), opened.sum(), empty.sum()
    assert (seen > 10).all(), seen
