"""Among levels of equal cost the lowest: the same groups, no dearer, and nothing lower would do."""

from __future__ import annotations

import itertools

import numpy as np

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.shared.lowest_levels import lowest_levels
from incrowd.tables.values import Bound, Plan, Solution
from oracles.plans import cost_of, node, recount
from oracles.problems import random_problem


def solutions(count, certificate):
    """Releases with groups at levels that may be too high: the greedy's, and the whole table as one group."""
    for seed in range(count):
        problem = random_problem(np.random.default_rng([161, seed]), full=True)
        t = problem.types.t
        try:
            made = [Greedy().solve(problem, Watch()).plan]
        except Infeasible:
            made = []
        top = np.array([problem.top], np.int8)
        made.append(Plan(top, np.arange(t, dtype=np.int32), np.zeros(t, np.int32), problem.types.counts))
        for plan in made:
            yield problem, Solution(plan, Bound(0, 0, "none"), "heuristic", "drawn", {}, (), certificate)


def test_the_groups_stay_and_cost_no_more_and_exactly_the_same_where_a_certificate_names_the_cost():
    lower = cheaper = 0
    for certificate in (None, {"cost": 1}):
        for problem, solution in solutions(40, certificate):
            found = lowest_levels(problem, solution)
            before = recount(problem, solution.plan)
            after = recount(problem, found.plan)
            assert after <= before
            assert certificate is None or after == before
            for name in ("part_type", "part_group", "part_rows"):
                assert np.array_equal(getattr(found.plan, name), getattr(solution.plan, name))
            lower += (found.plan.levels < solution.plan.levels).any() and after == before
            cheaper += after < before
    assert lower and cheaper


def test_no_lower_levels_of_the_same_cost_would_do_for_a_group_but_those_of_another():
    for problem, solution in solutions(40, None):
        plan = lowest_levels(problem, solution).plan
        codes = problem.types.codes.tolist()
        shown = {(tuple(v), tuple(n)) for v, n in zip(plan.levels.tolist(), plan.nodes(problem).tolist(), strict=True)}
        for g, vector in enumerate(plan.levels.tolist()):
            members = [codes[i] for i in plan.part_type[plan.part_group == g]]
            few = problem.outliers == "suppress" and plan.sizes()[g] < problem.k and tuple(vector) == problem.top
            for lower in itertools.product(*(range(v + 1) for v in vector)):
                if list(lower) == vector or few or not problem.patterns.allows(lower) or not problem.uniform:
                    continue
                nodes = {tuple(node(problem, j, v, c) for j, (v, c) in enumerate(zip(lower, row, strict=True)))
                         for row in members}  # fmt: skip
                if len(nodes) == 1 and (lower, *nodes) not in shown:
                    assert cost_of(problem, lower, members[0]) > cost_of(problem, vector, members[0])
