import dataclasses
from dataclasses import dataclass

import numpy as np
import pytest

from incrowd import registry
from incrowd.errors import Infeasible
from incrowd.kernels.grouping import median_splits as kernel
from incrowd.progress import Watch
from incrowd.tables.mask import Mask
from incrowd.tables.solve.mondrian.mondrian import Mondrian
from incrowd.tables.solve.mondrian.relaxed import MondrianRelaxed
from incrowd.tables.values import Problem
from oracles.brute_force import allowed_vectors
from oracles.mondrian import drawn, mondrian_parts, shown, with_kinds
from oracles.plans import recount
from oracles.problems import star_levels, types_of
from seeds import how_many, scaled, seeds

BOTH = [Mondrian(), MondrianRelaxed()]
ids = [solver.name for solver in BOTH]


@pytest.mark.parametrize("solver", BOTH, ids=ids)
@seeds(150)
def test_every_part_shows_the_least_it_may_and_the_plan_keeps_every_rule(seed, solver):
    problem = drawn(seed, full=True)
    solution = solver.solve(problem, Watch())
    vectors = allowed_vectors(problem)
    parts = mondrian_parts(problem, relaxed=solver.relaxed)
    least = sum(len(part) * shown(problem, vectors, part)[0] for part in parts)
    assert recount(problem, solution.plan) == least
    assert solution.bound.checked == solution.bound.value <= least
    assert solution.certificate["lower_bound"] == solution.bound.value
    assert (solution.status == "optimal") == (least == solution.bound.value)


@pytest.mark.parametrize("solver", BOTH, ids=ids)
def test_without_full_suppression_lost_parts_are_repaired_or_nothing_is_released(solver):
    repaired = refused = 0
    for seed in range(scaled(300)):
        problem = drawn(seed, full=False)
        try:
            solution = solver.solve(problem, Watch())
        except Infeasible:
            refused += 1
            continue
        recount(problem, solution.plan)
        repaired += any("does not let" in note for note in solution.notes)
    assert repaired > scaled(10)
    assert refused > scaled(10)


def test_a_mask_that_has_no_vector_for_a_part_does_not_lose_its_rows():
    types = types_of([[0, 0], [0, 1], [1, 0], [1, 1]] * 2)
    patterns = Mask(at_most_one=[["a", "b"]], full_suppression=False).compile(["a", "b"], [1, 1])
    problem = Problem(types, star_levels(types), patterns, 4)
    plan = Mondrian().solve(problem, Watch()).plan
    assert recount(problem, plan) == 8


@dataclass(frozen=True)
class Even:
    """A group has an even number of rows of kind 0 and at most `most` rows: unions need not meet it."""

    most: int
    closed_under_union: bool = False
    rule: str = "even"

    def describe(self):
        return "even"

    def meets(self, group, kind, count, groups):
        rows, zeros = np.zeros(groups, np.int64), np.zeros(groups, np.int64)
        np.add.at(rows, group, count)
        np.add.at(zeros, group, count * (kind == 0))
        return (zeros % 2 == 0) & (rows <= self.most)


def test_groups_that_became_one_by_showing_the_same_are_judged_again():
    seen = {"ok": 0, "infeasible": 0}
    for seed in range(how_many(200, 120)):
        rng = np.random.default_rng([79, seed])
        problem = with_kinds(drawn(seed, full=True), rng)
        rule = Even(int(rng.integers(1, problem.types.n + 1)))
        problem = dataclasses.replace(problem, requirements=(rule,))
        try:
            plan = Mondrian().solve(problem, Watch()).plan
        except Infeasible as error:
            assert not error.proven
            seen["infeasible"] += 1
            continue
        recount(problem, plan)
        assert rule.meets(plan.part_group, problem.types.kinds[plan.part_type], plan.part_rows, plan.groups).all()
        seen["ok"] += 1
    assert min(seen.values()) > scaled(10)


def test_an_interrupted_run_releases_the_parts_at_hand():
    types = types_of(np.random.default_rng(0).integers(0, 50, (500, 3)))
    problem = Problem(types, star_levels(types), Mask().compile(["a", "b", "c"], [1, 1, 1]), 5)
    watch = Watch()
    watch.interrupt()
    solution = Mondrian().solve(problem, watch)
    assert recount(problem, solution.plan) == 1500
    assert solution.status == "interrupted"


def test_both_are_registered_and_their_kernels_are_warmed():
    assert registry.load("solvers", "mondrian") is Mondrian
    assert registry.load("solvers", "mondrian_relaxed")().relaxed
    kernel.warm()
    before = len(kernel.next_cuts.signatures), len(kernel.divide.signatures)
    for solver in BOTH:
        solver.solve(drawn(1, full=True), Watch())
    assert (len(kernel.next_cuts.signatures), len(kernel.divide.signatures)) == before
