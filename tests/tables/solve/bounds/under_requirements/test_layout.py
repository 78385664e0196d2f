"""What inner problems read: instances with a valid class, sorted by kind."""

from __future__ import annotations

import numpy as np
import pytest

from incrowd.progress import Watch
from incrowd.tables.count_rules import Family
from incrowd.tables.solve.bounds.under_requirements import layout
from incrowd.tables.solve.shared.instances import list_instances
from oracles.inner_problems import best_class, valid_counts
from oracles.required import FAMILIES, random_required
from seeds import seeds


def drawn(seed):
    rng = np.random.default_rng([41, seed])
    return random_required(rng, FAMILIES[seed % len(FAMILIES)], rows=7), rng


@seeds(320, 32)
def test_what_is_left_out_holds_no_valid_class(seed):
    problem, rng = drawn(seed)
    every = layout.instances_of(problem, watch=Watch(), most_pairs=10**6)
    below = int(rng.integers(1, 6))
    kept = {tuple(name) for name in layout.with_a_class(problem, every, below).names.tolist()}
    valid = valid_counts(problem, 7)
    zero = np.zeros(problem.types.t, np.int64)
    for g in range(every.size):
        types = every.members[every.begins[g] : every.begins[g + 1]].tolist()
        if tuple(every.names[g].tolist()) not in kept:
            assert best_class(problem, valid, types, 0, int(every.needs[g]), zero) is None


@seeds(64, 16)
def test_instances_are_those_of_k_alone_with_members_sorted_by_kind(seed):
    problem, _ = drawn(seed)
    plain = list_instances(problem)
    found = layout.instances_of(problem, watch=Watch(), most_pairs=10**6)
    assert (found.needs == np.maximum(plain.needs, 1)).all()
    for a, b in zip(found.begins[:-1], found.begins[1:], strict=True):
        assert sorted(found.members[a:b].tolist()) == plain.members[a:b].tolist()
        assert (np.diff(problem.types.kinds[found.members[a:b]]) >= 0).all()


@seeds(64, 16)
def test_distances_are_a_metric_from_0_to_1(seed):
    problem, _ = drawn(seed)
    for place, rule in layout.rules_of(problem):
        if rule.family not in layout.CLOSE:
            continue
        far = layout.distances(rule)
        assert (far >= 0).all()
        assert (far <= 1).all()
        assert (far == far.T).all()
        assert (far[:, :, None] <= far[:, None, :] + far.T[None] + 1e-9).all()
        assert layout.column_of(problem, place).size == rule.code.size
        assert rule.family in Family


def test_a_watch_that_says_stop_ends_the_listing():
    problem, _ = drawn(0)
    watch = Watch()
    watch.limit(0)
    with pytest.raises(layout.Stopped):
        layout.instances_of(problem, watch=watch, most_pairs=10**6)
