"""The parts are those of plain Mondrian, strict and relaxed, with and without requirements."""

import dataclasses
from dataclasses import dataclass

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.mask import Mask
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.mondrian.median_splits import cut_up
from incrowd.tables.solve.mondrian.mondrian import Mondrian
from incrowd.tables.solve.mondrian.relaxed import MondrianRelaxed
from incrowd.tables.values import Problem
from oracles.mondrian import drawn, mondrian_parts, with_kinds
from oracles.plans import recount
from oracles.problems import star_levels, types_of
from seeds import seeds


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
