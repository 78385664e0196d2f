"""Certificates of optima under requirements: recounted by the check, and honest where nothing closes."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.models.l_diversity import LDiversity
from incrowd.tables.solve.bounds import tuning
from incrowd.tables.solve.bounds.under_requirements.optimum import with_certificate
from incrowd.tables.solve.dynamic_programs import subset_dp
from incrowd.tables.solve.dynamic_programs.subset_dp import SubsetDp
from incrowd.tables.values import Bound, RowTypes
from incrowd.tables.verify.recount import recheck
from oracles.problems import random_problem, stars, types_of
from oracles.required import FAMILIES, drawn_required
from oracles.required_certificates import Case
from oracles.sensitive import domain_of
from seeds import seeds

found = Counter()


def solved(monkeypatch, case):
    """The least release without a certificate."""
    monkeypatch.setattr(subset_dp, "with_certificate", lambda problem, solution, watch: solution)
    return SubsetDp().solve(case.problem, Watch())


@seeds(1600, 38)
def test_the_check_confirms_what_is_said(monkeypatch, seed):
    rng = np.random.default_rng([62, seed])
    case = Case(*drawn_required(rng, FAMILIES[seed % len(FAMILIES)], rows=int(rng.integers(3, 9))))
    try:
        plain = solved(monkeypatch, case)
    except Infeasible:
        pytest.skip("no release")
    proven = with_certificate(case.problem, plain, Watch())
    bound, cost = proven.bound, plain.plan.cost(case.problem)
    assert bound.checked <= bound.value == cost
    written = json.loads(json.dumps(proven.certificate))
    recounted = recheck(case.table, written, cost)
    assert recounted.violations == () and recounted.lower_bound >= bound.checked
    assert recounted.proven == (bound.proof == "certificate") == (written["proof"] == "certificate")
    found["trees" if written.get("trees") else bound.proof] += 1


def test_prices_close_most_and_trees_most_of_the_rest():
    """Of the runs of the test above."""
    if not found:
        pytest.skip("they did not run here")
    assert found["certificate"] > 3 * (found["trees"] + found["solver"])
    assert found["trees"] >= found["solver"]


def hospital(rows=8):
    secrets = ["1", "1", "2", "2", "1", "3", "3", "2"][:rows]
    domain, kinds = domain_of([(value,) for value in secrets])
    problem = stars(types_of(np.arange(rows)[:, None] // np.array([2, 3])), 2)
    lines, counts = np.unique(np.column_stack((np.arange(rows)[:, None] // np.array([2, 3]), kinds)), axis=0,
                              return_counts=True)  # fmt: skip
    types = RowTypes(lines[:, :2].astype(np.int32), counts, problem.types.sizes, lines[:, 2].astype(np.int32))
    model = LDiversity(l=2, column="s0", kind="distinct")
    problem = dataclasses.replace(
        problem, types=types, sensitive=domain.sensitive, requirements=(model.bind(domain),)
    )  # fmt: skip
    return Case(problem, domain, (model,))


def test_numbers_that_a_certificate_cannot_hold_leave_the_solvers_word(monkeypatch):
    case = hospital()
    plain = solved(monkeypatch, case)
    monkeypatch.setattr(tuning, "DEFAULT", tuning.Tuning(class_box=1 << 56))
    assert with_certificate(case.problem, plain, Watch()) is plain
    monkeypatch.setattr(tuning, "DEFAULT", tuning.Tuning(class_pairs=1))
    assert with_certificate(case.problem, plain, Watch()) is plain


def test_large_costs_are_proven_in_fewer_parts(monkeypatch):
    case = hospital()
    levels = tuple(dataclasses.replace(level, cost=level.cost * 10**9) for level in case.problem.levels)
    case = dataclasses.replace(case, problem=dataclasses.replace(case.problem, levels=levels, scale=10**9))
    proven = with_certificate(case.problem, solved(monkeypatch, case), Watch())
    assert proven.bound.proof == "certificate"
    cost = proven.plan.cost(case.problem)
    assert recheck(case.table, proven.certificate, cost).proven


def test_nothing_is_begun_without_requirements_or_out_of_time(monkeypatch):
    case = hospital()
    plain = solved(monkeypatch, case)
    watch = Watch()
    watch.interrupt()
    assert with_certificate(case.problem, plain, watch) is plain
    alone = random_problem(np.random.default_rng(3), rows=5, full=True)
    assert with_certificate(alone, plain, Watch()) is plain


def test_a_certificate_that_proves_more_is_kept(monkeypatch):
    case = hospital()
    plain = solved(monkeypatch, case)
    kept = dataclasses.replace(plain, bound=Bound(plain.bound.value, plain.bound.value, "x"), certificate={"a": 1})
    assert with_certificate(case.problem, kept, Watch()) is kept
