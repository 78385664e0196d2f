"""Dynamic programming over sets of rows against every partition, by all three recursions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from incrowd.errors import Infeasible, PolicyError
from incrowd.progress import Watch
from incrowd.tables.models.l_diversity import LDiversity
from incrowd.tables.models.likeness import DeltaDisclosure
from incrowd.tables.models.t_closeness import TCloseness
from incrowd.tables.solve.dynamic_programs.subset_dp import SubsetDp, work_of
from incrowd.tables.solve.shared.requirement_check import broken
from incrowd.tables.values import Problem, RowTypes
from oracles.brute_force import optimum
from oracles.pattern_lists import PatternList
from oracles.plans import recount
from oracles.problems import random_problem, star_levels, types_of
from oracles.required import FAMILIES, random_required
from oracles.sensitive import domain_of
from seeds import how_many, scaled


def least(problem, recursion="first_group"):
    """The cost of what the solver finds, recounted; None if it proves that there is nothing."""
    solver = SubsetDp(recursion=recursion)
    assert solver.declines(problem) is None
    try:
        solution = solver.solve(problem, Watch())
    except Infeasible as error:
        assert error.proven
        return None
    assert broken(problem, solution.plan) is None
    assert solution.status == "optimal" and solution.bound.checked <= solution.bound.value
    if not problem.requirements:
        assert solution.bound.proof == ("solver" if solution.bound.value else "certificate")
    assert recount(problem, solution.plan) == solution.bound.value
    return solution.bound.value


def check(problem):
    best = optimum(problem)
    recursions = ["first_group", "thirds", *([] if problem.requirements else ["halves"])]
    assert {recursion: least(problem, recursion) for recursion in recursions} == dict.fromkeys(recursions, best)
    return best


def test_all_recursions_find_the_optimum_of_k_anonymity():
    found = [check(random_problem(np.random.default_rng([31, seed]), rows=1 + seed % 7)) for seed in range(scaled(140))]
    assert None in found and any(found)


@pytest.mark.few(8)
@pytest.mark.parametrize("family", FAMILIES)
def test_all_recursions_find_the_optimum_under_every_model(family):
    name = FAMILIES.index(family)
    found = [check(random_required(np.random.default_rng([32, name, seed]), family)) for seed in range(how_many(14, 7))]
    assert any(best is not None for best in found)


@pytest.mark.proofs
@pytest.mark.parametrize("family", ["k", *FAMILIES])
def test_all_recursions_find_the_optimum_thousands_of_times(family):
    for seed in range(1000):
        rng = np.random.default_rng([33, len(family), seed])
        check(random_problem(rng, rows=1 + seed % 8) if family == "k" else random_required(rng, family))


def hospital():
    """Table 1 of Liang and Yuan: digits of ZIP and age as columns of their own."""
    lines = [
        "98765 38 B v", "98654 39 D h", "98543 32 M h", "97654 65 B c", "96689 45 B v",
        "97427 33 B v", "96552 54 B h", "97017 69 D c", "97023 55 M c", "97009 62 B c",
    ]  # fmt: skip
    rows = [[ord(x) for x in line.replace(" ", "")[:-1]] for line in lines]
    domain, kinds = domain_of([(line[-1],) for line in lines])
    plain = types_of(rows)
    codes = np.stack([np.unique([row[j] for row in rows], return_inverse=True)[1] for j in range(8)], axis=1)
    order = np.lexsort((kinds, *codes.T[::-1]))
    types = RowTypes(codes[order].astype(np.int32), np.ones(10, np.int64), plain.sizes, kinds[order])
    return Problem(types, star_levels(types), PatternList([1] * 8), 1, sensitive=domain.sensitive), domain


def test_the_optima_of_liang_and_yuans_table():
    problem, domain = hospital()
    assert least(replace(problem, k=3)) == 54
    for recursion in ("first_group", "thirds"):
        diverse = replace(problem, requirements=(LDiversity(l=2, column="s0").bind(domain),))
        assert least(diverse, recursion) == 50
        close = replace(problem, requirements=(TCloseness(t=0.1, column="s0").bind(domain),))
        assert least(close, recursion) == 64


def test_the_optima_of_liang_and_yuans_table_have_certificates():
    problem, domain = hospital()
    for asked in (LDiversity(l=2, column="s0"), TCloseness(t=0.1, column="s0")):
        found = SubsetDp().solve(replace(problem, requirements=(asked.bind(domain),)), Watch())
        assert found.bound.proof == found.certificate["proof"] == "certificate"


def test_it_says_how_much_it_would_take():
    types = types_of(np.arange(80).reshape(40, 2))
    problem = Problem(types, star_levels(types), PatternList([1, 1]), 2)
    assert "MB for all sets of the 40 rows" in SubsetDp().declines(problem)
    assert work_of(problem)[0] == -(-(2**40) * 16 >> 20)
    assert "groups of the 40 rows" in SubsetDp(most_mb=1 << 40).declines(problem)
    assert "14 rows" in SubsetDp(recursion="halves").declines(problem)


@pytest.mark.parametrize(("recursion", "theorem"), [("halves", "Theorem 1.3"), ("thirds", "Theorem 8")])
def test_a_literal_recursion_is_named_after_its_theorem_and_gets_every_row(recursion, theorem):
    problem = replace(random_problem(np.random.default_rng(5), rows=9, full=True), k=2)
    solver = SubsetDp(recursion=recursion)
    assert theorem in solver.solve(problem, Watch()).bound.method and theorem in solver.summary
    assert not solver.few_copies and SubsetDp().few_copies


def test_it_declines_what_merging_breaks_and_halves_declines_requirements():
    problem, domain = hospital()
    strict = replace(problem, requirements=(DeltaDisclosure(delta=1, column="s0").bind(domain),))
    assert "need not meet it together" in SubsetDp().declines(strict)
    diverse = replace(problem, requirements=(LDiversity(l=2, column="s0").bind(domain),))
    assert "k-anonymity alone" in SubsetDp(recursion="halves").declines(diverse)


def test_a_requirement_that_the_whole_table_fails_is_named():
    problem, domain = hospital()
    asked = LDiversity(l=3, column="s0").bind(domain)
    with pytest.raises(Infeasible, match="l-diversity") as error:
        SubsetDp().solve(replace(problem, requirements=(asked,)), Watch())
    assert error.value.proven


@pytest.mark.parametrize("recursion", ["first_group", "halves", "thirds"])
def test_out_of_time_it_says_that_nothing_is_proven(recursion):
    problem = replace(random_problem(np.random.default_rng(3), rows=12, full=True), k=3)
    watch = Watch()
    watch.interrupt()
    with pytest.raises(Infeasible, match="not all sets of rows") as error:
        SubsetDp(recursion=recursion).solve(problem, watch)
    assert not error.value.proven


def test_bad_options_are_refused():
    with pytest.raises(PolicyError, match="recursion"):
        SubsetDp(recursion="quarters")
    with pytest.raises(PolicyError, match="at least 1"):
        SubsetDp(most_mb=0)


def test_it_declines_thousands_of_rows_in_words():
    types = types_of([(i,) for i in range(3000)])
    reason = SubsetDp().declines(Problem(types, star_levels(types), PatternList([1]), 2))
    assert "10^" in reason
