"""The check's own walk over patterns and instances, against lists of lists."""

from __future__ import annotations

import numpy as np

from incrowd.tables.verify.bound import lattice
from incrowd.tables.verify.bound.layout import Layout
from oracles.pricing import kept_instances, reduced_cost
from oracles.problems import as_table, random_problem
from seeds import seeds


def found(problem, prices, *, everything, ask=lambda: None):
    """The instances of the walk: level vector and row types."""
    view = Layout(as_table(problem))
    free = view.top if problem.outliers == "suppress" and view.top >= 0 else -1
    which, begins, members = lattice.find(
        view.nodes, view.paid, view.start, view.heights, view.width, view.word, view.words, view.vectors, view.place,
        view.radix, view.uniform, problem.types.counts, problem.k, free, everything, 1, prices.astype(np.int64), 10**6,
        ask,
    )  # fmt: skip
    listed = [
        (tuple(view.vectors[v].tolist()), tuple(members[begins[g] : begins[g + 1]].tolist()))
        for g, v in enumerate(which)
    ]
    assert len(set(listed)) == len(listed)
    return set(listed)


@seeds(300, 10)
def test_the_instances_that_matter_are_found_with_their_row_types(seed):
    """All of them without prices; with prices those that lower the bound, and no others: room for sums goes by them."""
    rng = np.random.default_rng([71, seed])
    problem = random_problem(rng)
    wanted = {(v, types) for v, types, _, need in kept_instances(problem) if need}
    assert found(problem, np.zeros(problem.types.t, np.int64), everything=True) == wanted
    prices = rng.integers(-1, 12, problem.types.t)
    counts = problem.types.counts.tolist()
    below = {
        (vector, types)
        for vector, types, cost, need in kept_instances(problem)
        if need and reduced_cost(types, cost, need, counts, prices.tolist()) < 0
    }
    assert found(problem, prices, everything=False) == below


@seeds(40, 10)
def test_patterns_that_cost_as_much_as_every_price_are_not_walked(seed, monkeypatch):
    monkeypatch.setattr(lattice, "AT_ONCE", 1)  # a pattern at once
    problem, asked = random_problem(np.random.default_rng([72, seed])), []
    prices, view = np.random.default_rng([73, seed]).integers(0, 6, problem.types.t), Layout(as_table(problem))
    free = view.top if problem.outliers == "suppress" and view.top >= 0 else -1
    lines = view.start + view.vectors
    cheap = [v != free and view.paid[one].min(axis=1).sum() < prices.max() for v, one in enumerate(lines)]
    found(problem, prices, everything=False, ask=lambda: asked.append(1))
    assert len(asked) == problem.types.m + max(sum(cheap), 1)


@seeds(400, 40)
def test_what_an_instance_adds_is_the_least_over_its_crowds(seed):
    """Row by row: the cheapest rows, as many as it needs, and all others that lower the sum; open, closed, undecided."""
    rng = np.random.default_rng([70, seed])
    t, g = int(rng.integers(1, 6)), int(rng.integers(1, 5))
    counts, prices = rng.integers(1, 4, t), rng.integers(-3, 9, t)
    sets = [sorted(rng.choice(t, int(rng.integers(1, t + 1)), replace=False).tolist()) for _ in range(g)]
    begins = np.cumsum([0, *map(len, sets)]).astype(np.int64)
    members = np.concatenate(sets).astype(np.int32)
    needs = np.array([int(rng.integers(0, counts[mine].sum() + 1)) for mine in sets], np.int64)
    costs, fixed, state = rng.integers(0, 6, g), rng.integers(-4, 5, g), rng.integers(-1, 2, g)
    found = lattice.worth(
        begins, members, counts, costs, needs, prices, np.zeros(members.size, np.int64), fixed, state.astype(np.int8)
    )
    for at, mine in enumerate(sets):
        least = int(fixed[at]) + reduced_cost(mine, int(costs[at]), int(needs[at]), counts, prices.tolist())
        assert found[at] == (0 if state[at] < 0 else least if state[at] > 0 else min(least, 0))
