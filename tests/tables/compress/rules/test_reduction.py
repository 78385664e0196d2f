"""What the rules on equal rows share: when they apply, and copies put back into groups of their own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.compress.rules.cap_copies import CapCopies
from incrowd.tables.compress.rules.reduction import own_groups, with_copies, without_copies
from incrowd.tables.compress.rules.strip_copies import StripCopies
from incrowd.tables.solve.greedy.greedy import Greedy
from oracles.copies import draw
from oracles.pattern_lists import PatternList
from oracles.plans import recount
from seeds import seeds

RULES = (CapCopies(), StripCopies())


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
def test_it_declines_requirements_and_masks_that_star_every_row(rule):
    problem = draw([61, 1])
    assert "sensitive" in rule.declines(replace(problem, requirements=(object(),)))
    assert "mask" in rule.declines(replace(problem, patterns=PatternList(problem.top, {problem.top})))


@seeds(200, 40)
def test_copies_put_back_cost_nothing_and_every_row_is_placed(seed):
    """With k copies or none of each row type, the groups of their own are crowds."""
    rng = np.random.default_rng([65, seed])
    problem = draw([65, seed])
    copies = problem.k * rng.integers(0, 3, problem.types.t)
    grown = without_copies(problem, -copies)
    assert (grown.types.counts - problem.types.counts == copies).all()
    try:
        plan = Greedy().solve(problem, Watch()).plan
    except Infeasible:
        return
    assert recount(grown, with_copies(plan, copies)) == recount(problem, plan)


@seeds(200, 40)
def test_a_group_of_its_own_shows_its_row_type_and_nothing_else(seed):
    problem = draw([66, seed])
    try:
        plan = Greedy().solve(problem, Watch()).plan
    except Infeasible:
        return
    for kind, group in enumerate(own_groups(plan, problem.types.t).tolist()):
        mine = {
            g
            for t, g in zip(plan.part_type.tolist(), plan.part_group.tolist(), strict=True)
            if t == kind and not plan.levels[g].any()
        }
        assert mine == ({group} if group >= 0 else set())
        if group >= 0:
            assert set(plan.part_type[plan.part_group == group].tolist()) == {kind}
