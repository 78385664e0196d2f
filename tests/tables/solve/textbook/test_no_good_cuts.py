"""Cuts for requirements without linear rows: one for every group that fails, none that a good group breaks."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.solve.textbook.ilp import Ilp, cuts_against
from incrowd.tables.values import Plan
from oracles.required import model, random_required
from oracles.sensitive import domain_of
from seeds import scaled


@pytest.mark.parametrize("family", ["entropy", "recursive"])
def test_a_cut_holds_for_every_group_that_meets_the_requirement_and_not_for_the_one_it_was_made_for(family):
    rng = np.random.default_rng([74, len(family)])
    made = 0
    for _ in range(12):
        domain, kinds = domain_of([(str(x),) for x in rng.integers(0, 3, int(rng.integers(3, 9)))])
        requirement = model(rng, family, domain.values[0]).bind(domain)
        groups = list(itertools.product(*(range(c + 1) for c in np.bincount(kinds))))[1:]
        place, kind = np.nonzero(groups)
        met = requirement.meets(place, kind, np.array(groups)[place, kind], len(groups))
        for failing in np.flatnonzero(~met):
            cut = requirement.cut_against(np.array(groups[failing]))
            worth = np.array(groups) @ cut.counts[0] + np.array(groups).sum(axis=1) * cut.size[0]
            assert worth[failing] > 1e-9 and (worth[met] <= 1e-9).all()
            made += 1
    assert made > 30


def test_cuts_are_needed_and_found():
    used = 0
    for seed in range(scaled(40)):
        problem = random_required(np.random.default_rng([75, seed]), "recursive")
        told = []
        try:
            Ilp().solve(problem, Watch(told.append))
        except Infeasible:
            continue
        used += any("cuts" in event.facts for event in told)
    assert used


def drawn_groups(seed):
    """A problem, and its rows in groups drawn at random, whatever they show."""
    rng = np.random.default_rng([77, seed])
    problem = random_required(rng, ("entropy", "recursive", "frequency")[seed % 3], rows=7)
    types = problem.types
    groups = rng.integers(0, 3, types.t)
    _, groups = np.unique(groups, return_inverse=True)
    levels = np.zeros((int(groups.max()) + 1, types.m), np.int8)
    return problem, Plan(levels, np.arange(types.t, dtype=np.int32), groups.astype(np.int32), types.counts)


def test_a_plan_gets_a_cut_for_every_group_that_fails_and_one_name_for_groups_of_equal_shares():
    made = none = 0
    for seed in range(60):
        problem, plan = drawn_groups(seed)
        (requirement,) = problem.requirements
        kinds = problem.types.kinds[plan.part_type]
        failing = [
            g
            for g in range(plan.classes)
            if not requirement.meets(
                np.zeros((plan.part_class == g).sum(), np.int64),
                kinds[plan.part_class == g],
                plan.part_rows[plan.part_class == g],
                1,
            )[0]
        ]
        found = list(cuts_against(problem, plan))
        assert len(found) == (len(failing) if requirement.by_cuts else 0)
        for g, (_, cut) in zip(failing, found, strict=False):
            mine = plan.part_class == g
            counts = requirement.counts_of(kinds[mine], plan.part_rows[mine])
            assert counts @ cut.counts[0] + counts.sum() * cut.size[0] > 0
        twice = Plan(plan.levels, plan.part_type, plan.part_class, 2 * plan.part_rows)
        assert [name for name, _ in cuts_against(problem, twice)] == [name for name, _ in found]
        made += len(found)
        none += not found
    assert made > 10 and none > 10
