from __future__ import annotations

import dataclasses
from fractions import Fraction

import numpy as np
import pytest

from incrowd.progress import Watch
from incrowd.tables.large import portion_prices as module
from incrowd.tables.large.portion_prices import PriceList, PriceUnit, price_unit
from incrowd.tables.solve.auto import Auto
from incrowd.tables.solve.bounds.counting import per_row
from incrowd.tables.solve.shared.certificate_head import head
from incrowd.tables.solve.shared.pattern_scan import Workers
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.values import Bound
from incrowd.tables.verify.bound import certificate as bound
from oracles.brute_force import optimum
from oracles.pricing import lagrangian
from oracles.problems import as_table, random_problem, stars, types_of
from seeds import seeds


def solved(problem, unit):
    """A solution with its certificate, the per-row prices, and what is chosen."""
    found = Auto(work=50).solve(problem, Watch())
    with Workers(None) as workers:
        least = per_row(problem, encode(problem), workers, Watch()).least
    first = PriceList.per_row(unit, least, problem.types.counts)
    return found, first, first.or_better(unit, problem, found, Watch())


@seeds(150, 5)
def test_prices_are_worth_what_is_said_of_them_and_never_less_than_the_per_row_ones(seed):
    """By the plain sum over instances, and by the check's own recount; coarse units lose, and are never wrong."""
    rng = np.random.default_rng([401, seed])
    problem = random_problem(rng, rows=10, full=True, outliers="suppress" if seed % 2 else "forbid")
    unit = price_unit(problem)
    if seed % 3 == 0:
        unit = dataclasses.replace(unit, parts=7, most=7 * unit.most // unit.parts)
    found, first, best = solved(problem, unit)
    assert first.value <= best.value
    plain = lagrangian(problem, [Fraction(int(p), unit.parts) for p in best.prices])
    assert plain * unit.parts == best.value
    assert unit.rounded_up(best.value) <= optimum(problem)
    told = head(problem, found.plan.cost(problem), Bound(0, 0, "none"), bound.NAME, 1)
    told |= {"proof": "solver", "parts": unit.parts, "prices": best.prices.tolist(), "components": None, "trees": []}
    again = bound.recheck(as_table(problem), told, found.plan.cost(problem))
    assert again.lower_bound == min(unit.rounded_up(best.value), found.plan.cost(problem))


def test_a_solvers_prices_are_taken_and_where_cuts_made_its_bound_others_are_looked_for():
    more = searched = 0
    for seed in range(8):
        problem = random_problem(np.random.default_rng([402, seed]), rows=12, full=True, outliers="suppress")
        unit = price_unit(problem)
        found, first, best = solved(problem, unit)
        more += unit.rounded_up(best.value) > unit.rounded_up(first.value)
        bare = dataclasses.replace(found, certificate=None)
        alone = first.or_better(unit, problem, bare, Watch())
        searched += alone.value > first.value
    assert more
    assert searched


def test_a_count_that_is_stopped_leaves_the_per_row_prices(monkeypatch):
    problem = random_problem(np.random.default_rng([402, 1]), rows=12, full=True, outliers="suppress")
    unit = price_unit(problem)
    found, first, _ = solved(problem, unit)
    monkeypatch.setattr(module.lagrangian, "scan", lambda *_, **__: None)
    assert first.or_better(unit, problem, found, Watch()) is first


@pytest.mark.parametrize(
    ("parts", "given", "told"),
    [(10, [3, -4, 99], [3, -4, 50]), (5, [3, -4, 99], [6, -8, 50]), (20, [3, -3, 100], [1, -2, 50]), (3, [1], [3])],
)
def test_prices_of_other_parts_are_rounded_down_and_large_ones_cut(parts, given, told):
    unit = PriceUnit(10, 50, 1)
    assert unit.of(np.array(given, np.int64), parts).tolist() == told


def test_the_unit_is_as_fine_as_the_checks_numbers_allow_and_no_price_asks_for_too_many_patterns(monkeypatch):
    problem = stars(types_of([[0, 0, 0], [0, 1, 1], [1, 0, 1]]), 2)
    assert price_unit(problem) == PriceUnit(840_000, 3 * 840_000, 1)
    monkeypatch.setattr(module, "ASKED", 4)  # of cost 0, 1, 1, 1; the fifth costs 2
    assert price_unit(problem) == PriceUnit(840_000, 2 * 840_000, 1)
    many = dataclasses.replace(problem, types=dataclasses.replace(problem.types, counts=np.full(3, 10**14)))
    unit = price_unit(many)
    assert unit.parts < 840_000
    assert 2 * many.types.n * 5 * 3 * unit.parts < 1 << 61
