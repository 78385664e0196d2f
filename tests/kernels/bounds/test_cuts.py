from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np

from incrowd.kernels.bounds import cuts
from oracles.instances_drawn import cheapest, drawn


def test_the_value_of_a_partial_decision_is_that_of_counting_rows():
    for rng, listed in drawn(200):
        pi, extra = rng.integers(-1, 6, listed.counts.size), rng.integers(0, 2, listed.members.size)
        fixed, state = rng.integers(-2, 3, listed.costs.size), rng.integers(-1, 2, listed.costs.size).astype(np.int8)
        found = cuts.priced(
            listed.begins, listed.members, listed.counts, listed.costs, listed.needs, pi, extra, fixed, state
        )
        wanted = 0
        for g in range(listed.costs.size):
            own = range(listed.begins[g], listed.begins[g + 1])
            terms = [
                (int(listed.costs[g] - pi[listed.members[y]] + extra[y]), int(listed.counts[listed.members[y]]))
                for y in own
            ]
            value = int(fixed[g]) + cheapest(terms, int(listed.needs[g]))
            wanted += 0 if state[g] < 0 else value if state[g] > 0 else min(value, 0)
        assert found == wanted


def point(rng, listed):
    """A point in which the rows of every type lie somewhere."""
    begins, _, places = listed.turned
    x, u = np.zeros(listed.members.size), np.zeros(listed.costs.size)
    for i in range(listed.counts.size):
        own = slice(begins[i], begins[i + 1])
        weights = rng.random(begins[i + 1] - begins[i])
        x[places[own]] = listed.counts[i] * weights / max(weights.sum(), 1e-9)
    for g in range(u.size):
        here = slice(listed.begins[g], listed.begins[g + 1])
        share = (x[here] / listed.counts[listed.members[here]]).max()
        u[g] = max(share, rng.random() * 0.2)
    return x, np.minimum(u, 1.0)


def test_a_rounding_cut_counts_an_instance_once_where_its_rows_add_up_to_nothing():
    """A linear program's x may lie a hair below 0."""
    begins, members = np.array([0, 3, 6], np.int64), np.array([0, 1, 2, 0, 1, 2], np.int32)
    turned = np.array([0, 2, 4, 6]), np.array([0, 1, 0, 1, 0, 1], np.int32), np.array([0, 3, 1, 4, 2, 5])
    x = np.array([1.0, 1.0, 1.0, 1e-9, -1e-9, 0.0])
    counts, needs = np.ones(3, np.int64), np.full(2, 2, np.int64)
    _, _, ends, chosen = cuts.counted(begins, members, *turned, counts, needs, x, np.ones(2), 2, 400, 0.02)
    found = [chosen[a:b].tolist() for a, b in pairwise(ends)]
    assert found == [[0, 1], [0, 1]]


def test_a_rounding_cut_that_is_found_is_broken_by_as_much_as_is_said():
    met = 0
    for rng, listed in drawn(400, seed=1):
        x, u = point(rng, listed)
        k = int(rng.integers(2, 5))
        sources, violations, begins, chosen = cuts.counted(
            listed.begins, listed.members, *listed.turned, listed.counts, listed.needs, x, u, k, 400, 0.01
        )
        for y, (h, violation) in enumerate(zip(sources, violations, strict=True)):
            types = set(listed.lists[h])
            rows = int(sum(listed.counts[i] for i in types))
            r = rows % k
            assert r and listed.needs[h] > 0
            total = 0.0
            for g in chosen[begins[y] : begins[y + 1]]:
                own = range(listed.begins[g], listed.begins[g + 1])
                outside = sum(x[z] for z in own if listed.members[z] not in types)
                total += u[g] - outside / (k - r)
            assert np.isclose(total - rows // k, violation) and violation > 0.01
            met += 1
    assert met > 20


def test_triples_that_are_found_are_broken_by_as_much_as_is_said():
    met = 0
    for rng, listed in drawn(400, seed=2):
        listed.counts[:] = 1
        x, u = point(rng, listed)
        u *= 0.6
        found, violations = cuts.triples(
            listed.begins, listed.members, *listed.turned, listed.counts, listed.needs, x, u, 0.01, 1000
        )
        known = {tuple(t): v for t, v in zip(found.tolist(), violations.tolist(), strict=True)}
        for t in combinations(range(listed.counts.size), 3):
            total = 0.0
            for g in range(u.size):
                own = range(listed.begins[g], listed.begins[g + 1])
                values = sorted((x[z] for z in own if listed.members[z] in t), reverse=True)
                if listed.needs[g] > 0 and len(values) > 1 and u[g] >= 1e-7:
                    total += max(0.0, values[0] + values[1] - u[g])
            if t in known:
                assert np.isclose(known[t], total - 1) and total > 1.01
                met += 1
    assert met > 5
