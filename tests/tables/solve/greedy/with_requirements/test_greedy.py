"""The greedy under requirements: every release is good, and there is one whenever there can be."""

import dataclasses
from fractions import Fraction

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.models.l_diversity import LDiversity
from incrowd.tables.models.likeness import DeltaDisclosure
from incrowd.tables.models.t_closeness import TCloseness
from incrowd.tables.solve.auto import Auto
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.shared import time_limit
from incrowd.tables.solve.shared.refusals import without_kinds
from incrowd.tables.values import Problem, RowTypes
from oracles.brute_force import optimum
from oracles.pattern_lists import PatternList
from oracles.plans import recount
from oracles.problems import star_levels
from oracles.required import FAMILIES, random_required
from oracles.sensitive import delta, distinct, domain_of, frequency, ground, moved
from seeds import seeds

SEEDS = 20


def asking(rows, secret, models, *, k=1, masked=None, outliers="forbid"):
    """A problem of stars on rows of integers with one sensitive text each."""
    domain, kinds = domain_of([(s,) if isinstance(s, str) else s for s in secret])
    lines, counts = np.unique(np.column_stack((np.asarray(rows), kinds)), axis=0, return_counts=True)
    codes = np.column_stack([np.unique(c, return_inverse=True)[1] for c in lines[:, :-1].T]).astype(np.int32)
    sizes = tuple(int(c.max()) + 1 for c in codes.T)
    types = RowTypes(codes, counts.astype(np.int64), sizes, lines[:, -1].astype(np.int32))
    m = codes.shape[1]
    patterns = PatternList([1] * m) if masked is None else PatternList([1] * m, masked)
    return Problem(
        types, star_levels(types), patterns, k, outliers=outliers,
        requirements=tuple(model.bind(domain) for model in models), sensitive=domain.sensitive,
    )  # fmt: skip


def secrets_of(problem, plan, domain):
    """The sensitive rows of every group, as the release shows them."""
    groups = [[] for _ in range(plan.classes)]
    for kind, group, rows in zip(problem.types.kinds[plan.part_type], plan.part_class, plan.part_rows, strict=True):
        values = tuple(domain.values[j][c] for j, c in enumerate(domain.sensitive.codes[kind]))
        groups[group] += [values] * int(rows)
    return groups


def met(problem, plan):
    """Whether every group meets every requirement, each judged by itself."""
    for g in range(plan.classes):
        mine = plan.part_class == g
        kinds, rows = problem.types.kinds[plan.part_type[mine]], plan.part_rows[mine]
        for requirement in problem.requirements:
            if not requirement.meets(np.zeros(rows.size, np.int64), kinds, rows, 1)[0]:
                return False
    return True


@pytest.mark.parametrize("family", FAMILIES)
@seeds(SEEDS)
def test_every_release_is_good_and_there_is_one_whenever_the_whole_table_is(family, seed):
    rng = np.random.default_rng([seed, FAMILIES.index(family)])
    problem = random_required(rng, family, rows=int(rng.integers(2, 40)))
    types = problem.types
    whole = all(r.meets(np.zeros(types.t, np.int64), types.kinds, types.counts, 1)[0] for r in problem.requirements)
    try:
        solution = Greedy().solve(problem, Watch())
    except Infeasible as error:
        assert error.proven or not problem.patterns.allows_full_suppression
        assert not (whole and problem.patterns.allows_full_suppression)
        return
    assert whole
    assert recount(problem, solution.plan) == solution.plan.cost(problem)
    assert met(problem, solution.plan)
    assert solution.bound.value <= solution.plan.cost(problem)
    assert (solution.status == "optimal") == (solution.bound.value == solution.plan.cost(problem))


@seeds(30)
def test_its_bound_holds_for_k_alone_and_so_for_more(seed):
    rng = np.random.default_rng(seed)
    problem = random_required(rng, FAMILIES[seed % len(FAMILIES)], rows=6)
    try:
        solution = Greedy().solve(problem, Watch())
    except Infeasible:
        return
    alone, plan = without_kinds(problem, solution.plan)
    assert recount(alone, plan) == solution.plan.cost(problem)
    assert solution.bound.value <= optimum(alone)


@seeds(60)
def test_its_groups_meet_the_definitions_themselves(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 60))
    rows = rng.integers(0, 4, (n, 3))
    secret = [(str(x), "uv"[y]) for x, y in zip(rng.integers(0, 4, n), rng.integers(0, 2, n), strict=True)]
    domain, _ = domain_of(secret)
    first = [a for a, _ in secret]
    t = Fraction(int(rng.integers(1, 6)), 10)
    problem = asking(
        rows, secret, [TCloseness(t, "s0", distance="ordered"), LDiversity("3/2", "s0"),
                       LDiversity(2, "s1", kind="distinct")], k=2,
    )  # fmt: skip
    try:
        plan = Greedy().solve(problem, Watch()).plan
    except Infeasible as error:
        assert error.proven
        assert not (frequency(first, "3/2") and distinct([b for _, b in secret], 2))
        return
    for group in secrets_of(problem, plan, domain):
        assert moved([a for a, _ in group], first, ground("ordered", first)) <= t
        assert frequency([a for a, _ in group], "3/2")
        assert distinct([b for _, b in group], 2)


@pytest.mark.parametrize("outliers", ["forbid", "suppress"])
@seeds(40)
def test_delta_disclosure_is_met_though_merging_may_break_it(seed, outliers):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 50))
    secret = [str(x) for x in rng.integers(0, 3, n)]
    problem = asking(rng.integers(0, 3, (n, 3)), secret, [DeltaDisclosure("0.4", "s0")], k=2, outliers=outliers)
    plan = Greedy().solve(problem, Watch()).plan
    recount(problem, plan)
    domain, _ = domain_of([(s,) for s in secret])
    for group in secrets_of(problem, plan, domain):
        assert delta([value for (value,) in group], secret, "0.4")


def test_fully_suppressed_outliers_are_judged_as_a_class():
    # rows (0, 0) agree, the last is alone and would be an outlier with its secret shown
    rows, secret = [[0, 0], [0, 0], [0, 0], [0, 0], [1, 1]], ["a", "b", "a", "b", "a"]
    problem = asking(rows, secret, [LDiversity(2, "s0", kind="distinct")], k=2, outliers="suppress")
    plan = Greedy().solve(problem, Watch()).plan
    domain, _ = domain_of([(s,) for s in secret])
    assert all(distinct(group, 2) for group in secrets_of(problem, plan, domain))
    alone = dataclasses.replace(problem, requirements=())
    assert Greedy().solve(without_kinds(alone, plan)[0], Watch()).plan.outlier_rows(alone) == 1


@seeds(20)
def test_masks_too_large_to_walk_through_are_met_with_patterns_of_the_k_anonymous_release(seed):
    rng = np.random.default_rng(seed)
    problem = random_required(rng, "frequency", rows=30)
    try:
        plan = Greedy(visits=40).solve(problem, Watch()).plan
    except Infeasible as error:
        assert error.proven or not problem.patterns.allows_full_suppression
        return
    recount(problem, plan)
    assert met(problem, plan)


def test_an_infeasible_requirement_is_named_and_proven():
    problem = asking([[0], [0], [1]], ["a", "a", "b"], [TCloseness(1, "s0"), LDiversity(2, "s0")])
    with pytest.raises(Infeasible, match="l-diversity l=2 column=s0") as caught:
        Greedy().solve(problem, Watch())
    assert caught.value.proven
    assert caught.value.requirement == "l-diversity l=2 column=s0"


def test_without_full_suppression_it_may_find_none_and_says_that_it_is_no_proof():
    rows, secret = [[0], [0], [1], [1]], ["a", "a", "b", "b"]
    problem = asking(rows, secret, [LDiversity(2, "s0")], masked={(0,)})
    with pytest.raises(Infeasible, match="though one may exist") as caught:
        Greedy().solve(problem, Watch())
    assert not caught.value.proven


def test_a_row_of_a_rare_value_is_lent_where_that_saves_more():
    # eight rows of value a in one instance and two pairs of a and b beside it
    rows = [[0, 0, 0]] * 8 + [[0, 1, 1]] * 4 + [[0, 2, 2]] * 4
    secret = ["a"] * 8 + ["a", "b", "b", "b"] * 2
    problem = asking(rows, secret, [LDiversity(2, "s0", kind="distinct")], k=2)
    plan = Greedy().solve(problem, Watch()).plan
    assert met(problem, plan)
    assert plan.cost(problem) < 3 * 8


@seeds(10)
def test_auto_under_requirements_is_never_dearer_than_the_greedy(seed):
    problem = random_required(np.random.default_rng(seed), "frequency", rows=7)
    try:
        greedy = Greedy().solve(problem, Watch())
    except Infeasible:
        return
    found = Auto().solve(problem, Watch())
    assert met(problem, found.plan)
    assert found.plan.cost(problem) <= greedy.plan.cost(problem)


def test_without_full_suppression_and_without_time_there_is_no_release_and_the_sentence_says_so(monkeypatch):
    """The last row is left over and has to join the others; a plan has a second at any rate, here none."""
    monkeypatch.setattr(time_limit, "PLAN", 0.0)
    masked = [(0, 0), (0, 1), (1, 0)]
    rows = [(0, 0)] * 3 + [(0, 1)]
    problem = asking(rows, ["x", "y", "x", "y"], [LDiversity(2, "s0", kind="distinct")], k=3, masked=masked)
    assert met(problem, Greedy().solve(problem, Watch()).plan)
    watch = Watch()
    watch.limit(0)
    with pytest.raises(Infeasible, match="no release was found in the time given") as told:
        Greedy().solve(problem, watch)
    assert not told.value.proven
