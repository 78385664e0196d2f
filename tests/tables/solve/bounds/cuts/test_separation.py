"""Sets of types for counting cuts: what the search says of them is so, and it finds nearly the worst there is."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from incrowd.milp import Linear
from incrowd.tables.solve.bounds.cuts import separation
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.strong_formulation import strong
from incrowd.tables.values import Problem
from oracles.pattern_lists import PatternList
from oracles.problems import star_levels, types_of
from seeds import scaled


def point(seed, rows=9):
    """A small table's list and the point of its linear program."""
    rng = np.random.default_rng([21, seed])
    m = int(rng.integers(3, 6))
    n = int(rng.integers(rows - 2, rows + 1))
    types = types_of(np.stack([rng.integers(0, 2 if rng.random() < 0.7 else 3, n) for _ in range(m)], axis=1))
    k = int(rng.integers(2, 5))
    instances = list_instances(Problem(types, star_levels(types), PatternList([1] * m), k, "suppress"))
    model = strong(instances)
    x = Linear(model.program).solve().x
    u = np.ones(instances.size)
    u[model.crowd] = x[instances.pairs :]
    return instances, k, x[: instances.pairs], u


def violation(instances, k, x, u, chosen):
    """By the definition: T, and of all A the best."""
    inside = set(chosen)
    rows = sum(int(instances.counts[i]) for i in inside)
    if rows % k == 0:
        return -np.inf
    total = 0.0
    for g in range(instances.size):
        if instances.needs[g] > 0:
            places = range(int(instances.begins[g]), int(instances.begins[g + 1]))
            outside = sum(x[y] for y in places if int(instances.members[y]) not in inside)
            total += max(0.0, u[g] - outside / (k - rows % k))
    return total - rows // k


def test_a_set_is_broken_by_what_the_search_says():
    met = 0
    for seed in range(scaled(120)):
        instances, k, x, u = point(seed)
        for gain, types, members in separation.broken_sets(instances, k, x, u, least=0.01, most=50):
            met += 1
            assert gain == pytest.approx(violation(instances, k, x, u, types.tolist()), abs=1e-6)
            assert sorted(set(types.tolist())) == types.tolist()
            rows = int(instances.counts[types].sum())
            outside = np.bincount(
                instances.owners, weights=x * ~np.isin(instances.members, types), minlength=instances.size
            )
            own = float((u[members] - outside[members] / (k - rows % k)).sum()) - rows // k
            assert own == pytest.approx(gain, abs=1e-6), "with its own A"
    assert met > scaled(50)


def test_the_worst_set_is_mostly_found():
    """Against all sets of types."""
    there, found = 0, 0
    for seed in range(scaled(120)):
        instances, k, x, u = point(seed, rows=8)
        every = range(instances.t)
        worst = max(
            violation(instances, k, x, u, chosen)
            for size in range(1, instances.t + 1)
            for chosen in itertools.combinations(every, size)
        )
        mine = separation.broken_sets(instances, k, x, u, least=0.01, most=50)
        assert all(gain <= worst + 1e-6 for gain, _, _ in mine)
        if worst > 0.02:
            there += 1
            found += bool(mine) and mine[0][0] > worst - 1e-6
    assert there > scaled(20)
    assert found >= 0.9 * there, (found, there)


def test_the_search_ends_when_its_work_is_done(monkeypatch):
    monkeypatch.setattr(separation, "WORK", -1)
    for seed in range(20):
        assert separation.broken_sets(*point(seed), least=0.01, most=50) == []


def test_no_more_cuts_than_asked_for_the_worst_first():
    met = 0
    for seed in range(60):
        instances, k, x, u = point(seed)
        every = separation.broken_sets(instances, k, x, u, least=0.01, most=50)
        two = separation.broken_sets(instances, k, x, u, least=0.01, most=2)
        assert [gain for gain, _, _ in two] == [gain for gain, _, _ in every[:2]]
        assert [gain for gain, _, _ in every] == sorted((gain for gain, _, _ in every), reverse=True)
        met += len(every) > 2
    assert met


def test_undecided_is_what_needs_rows_and_is_open_in_part_the_middle_first():
    instances, *_ = point(0)
    needy = np.flatnonzero(instances.needs > 0)
    assert needy.size < instances.size, "one instance takes any number of rows"
    assert separation.undecided(instances, np.full(instances.size, 0.5)).tolist() == needy.tolist()
    u = np.ones(instances.size)
    u[needy[:3]] = 0.75, 0.5, 0
    assert separation.undecided(instances, u).tolist() == [needy[1], needy[0]]
