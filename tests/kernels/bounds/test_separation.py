from __future__ import annotations

import numpy as np

from incrowd.kernels.bounds.cuts import rounding_sets
from oracles.instances_drawn import drawn


def search(rng, listed, work=10**6):
    values = rng.random(listed.members.size) * 2
    begins, instances, places = listed.turned
    u, k = rng.random(listed.costs.size), int(rng.integers(2, 5))
    found = rounding_sets(
        listed.begins, listed.members, values, begins, instances, values[places], listed.counts, u, k,
        np.arange(listed.costs.size), 50, 10, work, 0.01,
    )  # fmt: skip
    return values, u, k, found


def test_every_set_breaks_its_cut_by_as_much_as_is_said():
    met = 0
    for rng, listed in drawn(200):
        values, u, k, (violations, begins, sets) = search(rng, listed)
        for y, violation in enumerate(violations):
            types = set(sets[begins[y] : begins[y + 1]].tolist())
            rows = int(sum(listed.counts[i] for i in types))
            assert rows % k
            least = most = 0.0
            for g in range(u.size):
                own = range(listed.begins[g], listed.begins[g + 1])
                term = max(0.0, u[g] - sum(values[z] for z in own if listed.members[z] not in types) / (k - rows % k))
                most += term
                least += term if any(listed.members[z] in types for z in own) else 0.0
            # Instances that hold nothing of T may be summed over too.
            assert violation > 0.01 and least - 1e-9 <= violation + rows // k <= most + 1e-9
            met += 1
    assert met > 30


def test_without_work_the_search_ends_after_its_first_start():
    for rng, listed in drawn(20, seed=1):
        _, _, _, (violations, begins, sets) = search(rng, listed, work=-1)
        assert violations.size == sets.size == 0 and begins.tolist() == [0]
