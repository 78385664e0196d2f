"""Whatever the tuning says, releases are releases, never dearer than the greedy's, and bounds hold."""

from __future__ import annotations

import numpy as np

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.solve.bounds import tuning as of_bounds
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve import tuning
from incrowd.tables.solve.improve.improve import Improve
from oracles.brute_force import optimum
from oracles.plans import recount
from oracles.problems import random_problem
from seeds import how_many

OFF = (
    {"price_rounds": 1},
    {"candidate_reach": 1.0},
    {"chain_crowd": 1},
    {"draw_rarity": 0.0},
    {"move_odds": (1.0, 0.0, 0.0)},
    {"polished_parts": 0},
)


def test_every_mechanism_can_be_left_out_of_a_release_and_its_bound(monkeypatch):
    looked = 0
    for seed in range(how_many(12, 4)):
        rng = np.random.default_rng([97, seed])
        problem = random_problem(rng, rows=int(rng.integers(2, 9)))
        try:
            first = Greedy().solve(problem, Watch()).plan.cost(problem)
        except Infeasible:
            continue
        least = optimum(problem)
        for bounds in (of_bounds.Tuning(), of_bounds.Tuning(first_visits=0, stored_visits=0)):
            monkeypatch.setattr(of_bounds, "DEFAULT", bounds)
            for off in OFF:
                monkeypatch.setattr(tuning, "DEFAULT", tuning.Tuning(**off))
                found = Improve(work=100).solve(problem, Watch())
                cost = recount(problem, found.plan)
                assert cost == found.plan.cost(problem) <= first
                assert found.bound.checked == found.bound.value <= least <= cost
                looked += 1
    assert looked


def test_a_minute_has_room_for_the_blocks_of_twenty_thousand_row_types_at_k_5_and_not_at_10():
    own = tuning.DEFAULT
    ends = own.ends(60.0, 19_502, 5, cut=True)
    assert own.cuts_blocks(60 * ends.cuts - 10, 19_502, 5)  # prices take ten seconds
    assert not own.cuts_blocks(60 * ends.cuts - 13, 19_502, 10)  # and thirteen
    assert own.cuts_blocks(60 * own.ends(60.0, 2_722, 10, cut=True).cuts - 7, 2_722, 10)
    assert not own.cuts_blocks(1.0, 19_502, 5)


def test_steps_end_one_after_another_and_leave_time_for_dives():
    own = tuning.DEFAULT
    seen = set()
    for types in (1, 500, 3_000, 20_000, 10**6):
        for seconds in (0.0, 1.0, 15.0, 60.0, 600.0):
            for k in (2, 5, 10):
                for cut in (False, True):
                    ends = own.ends(seconds, types, k, cut=cut)
                    seen.add(ends)
                    assert 0 < ends.cuts < ends.annealing < ends.regrouping < own.dive_end < 1
    assert len(seen) == 5
