"""The annealing's kernels: between moves the state is a release, and its lists say what its arrays say."""

from __future__ import annotations

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.kernels.search import anneal
from incrowd.kernels.search import anneal as anneal_moves
from incrowd.progress import Watch
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve.candidates import gather
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.problem_arrays import encode
from oracles.plans import recount
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


def chain(first, after):
    place, found = int(first), []
    while place >= 0:
        found.append(place)
        place = int(after[place])
    return found


def assert_sound(found, state):
    lists, rows = found.lists, state.rows
    sizes = np.zeros(len(lists.costs), np.int64)
    np.add.at(sizes, lists.owners, rows)
    placed = np.zeros(found.classes, np.int64)
    np.add.at(placed, lists.members, rows)
    assert (rows >= 0).all()
    assert (sizes == state.size).all()
    assert (placed == np.bincount(found.label, weights=found.instances.counts, minlength=found.classes)).all()
    assert ((sizes == 0) | (sizes >= lists.needs)).all()
    assert ((sizes > 0) <= (state.opened == 1)).all()
    assert (((state.opened == 1) & (lists.needs > 0)) <= (sizes > 0)).all()
    assert int((rows * lists.costs[lists.owners]).sum()) == state.numbers[anneal.COST]
    for g in range(len(lists.costs)):
        assert sorted(chain(state.head[g], state.after)) == list(np.flatnonzero((lists.owners == g) & (rows > 0)))
    for i in range(found.classes):
        held = sorted(chain(state.type_head[i], state.type_after))
        assert held == list(np.flatnonzero((lists.members == i) & (rows > 0)))


@pytest.mark.parametrize("depth", [0, 50])
def test_every_move_leaves_a_release(depth):
    taken = 0
    for seed in range(scaled(60)):
        made = started(seed)
        if made is None:
            continue
        problem, encoded, found, state = made
        ladder = np.cumsum(np.where(found.lists.needs == 0, 0.0, 1.0))
        if ladder[-1] == 0:
            continue
        assert_sound(found, state)
        for step in range(15):
            warmth = (0.01, 2.0, 50.0)[step % 3]
            taken += anneal_moves.anneal(
                found.lists, state, ladder, 5, warmth, np.array([0.3, 0.4, 0.3]), depth, 5.0 * (step % 2)
            )
            assert_sound(found, state)
        plan = found.plan(problem, encoded, state.rows)
        assert recount(problem, plan) <= state.numbers[anneal.COST]
    assert taken > scaled(100)
