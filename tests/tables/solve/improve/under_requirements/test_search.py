"""The search under requirements: releases that meet everything, never dearer than the greedy's, often the cheapest."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.models.delta_disclosure import DeltaDisclosure
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve.improve import Improve
from incrowd.tables.solve.improve.under_requirements.checked_plan import is_release
from incrowd.tables.values import Domain
from oracles.brute_force import optimum
from oracles.plans import recount
from oracles.required import FAMILIES, random_required
from oracles.sensitive import delta
from seeds import how_many, seeds


def solved(problem, watch=None, **options):
    return Improve(**{"work": 400, **options}).solve(problem, watch or Watch())


def same(a, b):
    names = ("levels", "part_type", "part_group", "part_rows")
    return all(np.array_equal(getattr(a.plan, name), getattr(b.plan, name)) for name in names)


def test_releases_lie_between_the_optimum_and_the_greedys_and_sometimes_reach_it():
    """All models, any mask, hierarchies, weights, both outlier rules."""
    better = reached = asked = 0
    for seed in range(how_many(960, 64)):
        problem = random_required(np.random.default_rng([71, seed]), FAMILIES[seed % len(FAMILIES)])
        try:
            greedy = Greedy().solve(problem, Watch())
        except Infeasible:
            continue
        found = solved(problem, seed=seed)
        cost, first, least = recount(problem, found.plan), greedy.plan.cost(problem), optimum(problem)
        assert is_release(problem, found.plan)
        assert found.bound.value <= least <= cost <= first
        assert found.bound.checked == found.bound.value >= greedy.bound.value
        assert (found.status == "optimal") == (cost == found.bound.value)
        assert found.solver == "improve"
        asked += first > least
        better += cost < first
        reached += first > least == cost
    assert asked >= better >= reached > 0


@seeds(60, 12)
def test_a_requirement_that_merging_does_not_keep_is_met(seed):
    rng = np.random.default_rng([73, seed])
    problem = random_required(rng, "frequency")
    values = tuple(str(v) for v in range(problem.requirements[0].totals.size))
    model = DeltaDisclosure("1.2", "s0")
    counts = np.zeros(len(problem.sensitive.codes), np.int64)
    np.add.at(counts, problem.types.kinds, problem.types.counts)
    problem = dataclasses.replace(problem, requirements=(model.bind(Domain(problem.sensitive, (values,), counts)),))
    try:
        greedy = Greedy().solve(problem, Watch())
    except Infeasible:
        return
    found = solved(problem, seed=seed)
    assert recount(problem, found.plan) <= greedy.plan.cost(problem)
    kinds = np.repeat(problem.types.kinds[found.plan.part_type], found.plan.part_rows)
    groups = np.repeat(found.plan.part_group, found.plan.part_rows)
    table = np.repeat(problem.types.kinds, problem.types.counts).tolist()
    for g in range(found.plan.groups):
        assert delta(kinds[groups == g].tolist(), table, "1.2")


def larger(seed):
    return random_required(np.random.default_rng([79, seed]), FAMILIES[seed % len(FAMILIES)], rows=60)


def test_seed_and_work_decide_the_release():
    different = asked = 0
    for seed in range(how_many(6, 3)):
        problem = larger(seed)
        try:
            first = solved(problem, seed=seed)
        except Infeasible:
            continue
        asked += 1
        assert same(first, solved(problem, seed=seed))
        different += not same(first, solved(problem, seed=seed + 1))
    assert asked


class Stops(Watch):
    """Says stop after so many questions."""

    def __init__(self, questions, by_hand):
        super().__init__()
        self.questions, self.by_hand = questions, by_hand

    @property
    def stopped(self):
        self.questions -= 1
        if self.questions < 0:
            if self.by_hand:
                self.interrupted = True
            elif self.deadline is None:
                self.limit(0.0)
        return Watch.stopped.fget(self)


@pytest.mark.parametrize("by_hand", [True, False])
def test_whenever_it_is_stopped_the_release_meets_everything(by_hand):
    problem = larger(0)
    for questions in range(0, 30, 6):
        found = solved(problem, Stops(questions, by_hand), work=5000)
        assert is_release(problem, found.plan)
        assert found.bound.value <= recount(problem, found.plan)
        assert found.status in ("interrupted" if by_hand else "time_limit", "optimal", "heuristic")


@pytest.mark.parametrize("seconds", [0.0, 0.01, 0.3])
def test_a_time_limit_gives_a_release_no_dearer_than_the_greedys(seconds):
    for seed in (0, 1):
        problem = larger(seed)
        watch = Watch()
        watch.limit(seconds)
        found = solved(problem, watch, work=None)
        assert is_release(problem, found.plan)
        assert found.bound.value <= recount(problem, found.plan) <= Greedy().solve(problem, Watch()).plan.cost(problem)


def test_progress_is_told_with_cost_bound_moves_and_programs():
    events = []
    problem = larger(0)
    found = solved(problem, Watch(events.append))
    told = [event.facts for event in events if "moves" in event.facts]
    assert told
    assert any("small integer programs" in note for note in found.notes) == bool(told[-1]["programs"])
    assert all(facts["cost"] >= facts["lower_bound"] for facts in told)
