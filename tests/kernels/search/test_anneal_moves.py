from __future__ import annotations

import numpy as np

from incrowd.errors import Infeasible
from incrowd.kernels.search import anneal
from incrowd.kernels.search import anneal as anneal_moves
from incrowd.progress import Watch
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve.candidates import gather
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.problem_arrays import encode
from oracles.problems import random_problem
from seeds import scaled


def started(seed):
    """A problem, its candidates (every kept instance) and the state of the greedy's release, or None."""
    rng = np.random.default_rng([53, seed])
    problem = random_problem(rng, rows=int(rng.integers(4, 40)))
    try:
        plan = Greedy().solve(problem, Watch()).plan
    except Infeasible:
        return None
    encoded = encode(problem)
    stored = list_instances(problem, encoded)
    if not stored.size:
        return None
    prices = np.zeros(encoded.t)
    found = gather(problem, encoded, plan, stored, prices, np.inf, 10**9)
    return problem, encoded, found, anneal.new_state(found.lists, found.rows, found.classes, seed)


def test_cold_moves_never_make_it_dearer():
    better = 0
    for seed in range(scaled(60)):
        made = started(seed)
        if made is None:
            continue
        _, _, found, state = made
        ladder = np.cumsum(np.where(found.lists.needs == 0, 0.0, 1.0))
        if ladder[-1] == 0:
            continue
        before = int(state.numbers[anneal.COST])
        last = before
        for _ in range(10):
            anneal_moves.anneal(found.lists, state, ladder, 10, 1e-9, np.array([0.4, 0.4, 0.2]), 50, 10.0)
            assert state.numbers[anneal.COST] <= last
            last = int(state.numbers[anneal.COST])
        better += last < before
    assert better


def test_types_are_of_one_class_exactly_when_their_lists_are_equal():
    merged = 0
    for seed in range(200):
        rng = np.random.default_rng([59, seed])
        t = int(rng.integers(1, 30))
        lists = [np.flatnonzero(rng.random(4) < 0.5).astype(np.int32) for _ in range(t)]
        begins = np.concatenate(([0], np.cumsum([len(x) for x in lists]))).astype(np.int64)
        which = np.concatenate(lists).astype(np.int32)
        label = anneal_moves.merge_types(begins, which, np.ones(t, np.int64))
        known = {}
        plain = [known.setdefault(x.tobytes(), len(known)) for x in lists]
        assert label.tolist() == plain
        merged += len(known) < t
    assert merged > 100
