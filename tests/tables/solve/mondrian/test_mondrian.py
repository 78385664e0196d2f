import dataclasses
from dataclasses import dataclass

import numpy as np
import pytest

from incrowd import registry
from incrowd.errors import Infeasible
from incrowd.kernels.grouping import median_splits as kernel
from incrowd.progress import Watch
from incrowd.tables.mask import Mask
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.mondrian.median_splits import cut_up
from incrowd.tables.solve.mondrian.mondrian import Mondrian
from incrowd.tables.solve.mondrian.relaxed import MondrianRelaxed
from incrowd.tables.values import Problem, RowTypes
from oracles.brute_force import allowed_vectors
from oracles.mondrian import mondrian_parts, shown
from oracles.plans import recount
from oracles.problems import random_problem, star_levels, types_of
from seeds import seeds

BOTH = [Mondrian(), MondrianRelaxed()]
ids = [solver.name for solver in BOTH]


def drawn(seed, **options):
    """A random problem, with numbers in some columns of it."""
    rng = np.random.default_rng([77, seed])
    problem = random_problem(rng, rows=int(rng.integers(1, 40)), **options)
    if not rng.integers(2):
        return problem
    places = tuple(rng.integers(0, 12, d) if rng.integers(2) else None for d in problem.types.sizes)
    return dataclasses.replace(problem, places=places)


def as_rows(types, rows):
    return sorted(np.repeat(types, rows).tolist())


def parts_of(problem, relaxed, median=False):
    parts = cut_up(problem, relaxed=relaxed, median=median, watch=Watch())
    ranges = zip(parts.begins, parts.begins[1:], strict=False)
    return sorted(as_rows(parts.types[a:b], parts.rows[a:b]) for a, b in ranges)


@pytest.mark.parametrize("relaxed", [False, True])
@seeds(4000, few=15)
def test_the_parts_are_those_of_plain_mondrian(seed, relaxed):
    problem = drawn(seed)
    assert parts_of(problem, relaxed) == sorted(map(sorted, mondrian_parts(problem, relaxed=relaxed)))


@seeds(150)
def test_cuts_at_the_median_alone_are_those_of_plain_mondrian(seed):
    problem = drawn(seed)
    assert parts_of(problem, False, median=True) == sorted(map(sorted, mondrian_parts(problem, median=True)))


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
    for seed in range(300):
        problem = drawn(seed, full=False)
        try:
            solution = solver.solve(problem, Watch())
        except Infeasible:
            refused += 1
            continue
        recount(problem, solution.plan)
        repaired += any("does not let" in note for note in solution.notes)
    assert repaired > 10
    assert refused > 10


def test_a_mask_that_has_no_vector_for_a_part_does_not_lose_its_rows():
    types = types_of([[0, 0], [0, 1], [1, 0], [1, 1]] * 2)
    patterns = Mask(at_most_one=[["a", "b"]], full_suppression=False).compile(["a", "b"], [1, 1])
    problem = Problem(types, star_levels(types), patterns, 4)
    plan = Mondrian().solve(problem, Watch()).plan
    assert recount(problem, plan) == 8


@dataclass(frozen=True)
class AtMost:
    """No kind makes up more than `share` of `parts` of a group."""

    share: int
    parts: int
    closed_under_union: bool = True
    rule: str = "at-most"

    def describe(self):
        return f"no kind in more than {self.share} of {self.parts}"

    def meets(self, group, kind, count, groups):
        table = np.zeros((groups, 4), np.int64)
        np.add.at(table, (group, kind), count)
        return table.max(axis=1) * self.parts <= table.sum(axis=1) * self.share


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


def with_kinds(problem, rng):
    """The problem with its types told apart by one of four kinds."""
    parts = {}
    for i, count in enumerate(problem.types.counts):
        for kind in rng.integers(0, 4, count):
            parts[i, int(kind)] = parts.get((i, int(kind)), 0) + 1
    keys = sorted(parts)
    kinds = RowTypes(
        problem.types.codes[[i for i, _ in keys]],
        np.array([parts[key] for key in keys], np.int64),
        problem.types.sizes,
        np.array([kind for _, kind in keys], np.int32),
    )
    return dataclasses.replace(problem, types=kinds)


@pytest.mark.parametrize("relaxed", [False, True])
@seeds(80)
def test_a_cut_is_made_only_where_both_sides_meet_every_requirement(seed, relaxed):
    rng = np.random.default_rng([78, seed])
    problem = with_kinds(drawn(seed, full=True), rng)
    rule = AtMost(int(rng.integers(2, 4)), 4)
    problem = dataclasses.replace(problem, requirements=(rule,))

    def allowed(rows):
        many = [sum(problem.types.kinds[i] == kind for i in rows) for kind in range(4)]
        return max(many) * rule.parts <= len(rows) * rule.share

    solver = MondrianRelaxed() if relaxed else Mondrian()
    whole = np.repeat(np.arange(problem.types.t), problem.types.counts).tolist()
    if not allowed(whole):
        with pytest.raises(Infeasible, match="no kind in more") as refused:
            solver.solve(problem, Watch())
        assert refused.value.proven
        return
    assert parts_of(problem, relaxed) == sorted(map(sorted, mondrian_parts(problem, relaxed=relaxed, allowed=allowed)))
    plan = solver.solve(problem, Watch()).plan
    recount(problem, plan)
    assert rule.meets(plan.part_group, problem.types.kinds[plan.part_type], plan.part_rows, plan.groups).all()


def test_groups_that_became_one_by_showing_the_same_are_judged_again():
    seen = {"ok": 0, "infeasible": 0}
    for seed in range(200):
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
    assert min(seen.values()) > 10


def test_an_interrupted_run_releases_the_parts_at_hand():
    types = types_of(np.random.default_rng(0).integers(0, 50, (500, 3)))
    problem = Problem(types, star_levels(types), Mask().compile(["a", "b", "c"], [1, 1, 1]), 5)
    watch = Watch()
    watch.interrupt()
    solution = Mondrian().solve(problem, watch)
    assert recount(problem, solution.plan) == 1500
    assert solution.status == "interrupted"


@pytest.mark.parametrize("relaxed", [False, True])
def test_columns_with_many_more_values_than_a_part_has_rows_are_cut_alike(relaxed):
    rng = np.random.default_rng(3)
    table = [rng.permutation(600), rng.permutation(600), rng.integers(0, 300, 600) ** 2, rng.integers(0, 3, 600)]
    types = types_of(np.stack(table, axis=1))
    problem = Problem(types, star_levels(types), Mask().compile(list("abcd"), [1] * 4), 2)
    assert parts_of(problem, relaxed) == sorted(map(sorted, mondrian_parts(problem, relaxed=relaxed)))


def test_relaxed_parts_of_real_data_are_below_twice_k_and_strict_ones_have_k(adult2_types):
    names = [f"c{j}" for j in range(9)]
    problem = Problem(adult2_types, star_levels(adult2_types), Mask().compile(names, [1] * 9), 10)
    for relaxed in (False, True):
        parts = cut_up(problem, relaxed=relaxed, watch=Watch())
        sizes = np.add.reduceat(parts.rows, parts.begins[:-1])
        assert sizes.min() >= 10
        assert sizes.sum() == 32561
        distinct = np.diff(parts.begins)
        if relaxed:
            assert sizes[distinct > 1].max() < 20
    strict, greedy = Mondrian().solve(problem, Watch()), Greedy().solve(problem, Watch())
    assert strict.bound == greedy.bound
    assert greedy.plan.cost(problem) < strict.plan.cost(problem)


def test_both_are_registered_and_their_kernels_are_warmed():
    assert registry.load("solvers", "mondrian") is Mondrian
    assert registry.load("solvers", "mondrian_relaxed")().relaxed
    kernel.warm()
    before = len(kernel.next_cuts.signatures), len(kernel.divide.signatures)
    for solver in BOTH:
        solver.solve(drawn(1, full=True), Watch())
    assert (len(kernel.next_cuts.signatures), len(kernel.divide.signatures)) == before
