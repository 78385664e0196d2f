"""Tables of some dozens of rows, where bounds, cuts, prices, annealing and trees really run: judged by a program and by a record.

The least is known from an integer program written out plainly. How near a search comes to it was recorded and read by nobody:
it may not become worse by more than a little, whatever the search becomes.
"""

from __future__ import annotations

import functools
import json
import os
from fractions import Fraction

import pytest

from properties.asking import EXACT, held
from properties.middle import CASES, LONG, RECORDED, least_of, question, release_of

WORSE = Fraction(2, 100)  # of the recorded cost, and of the bound

told = json.loads(RECORDED.read_text())


@functools.lru_cache(2)
def asked_of(name):
    """A question and its least cost; the program is run anew in `make proofs` alone."""
    asked = question(name)
    if os.environ.get("INCROWD_PROOFS"):
        return asked, least_of(name, asked)
    least = told[name]["least"]
    return asked, None if least is None else Fraction(least)


def cases():
    for name, (_, solvers, _) in CASES.items():
        for solver in solvers:
            marks = (pytest.mark.proofs,) if (name, solver) in LONG else ()
            yield pytest.param(name, solver, id=f"{name}-{solver}", marks=marks)


@pytest.mark.few(8)
@pytest.mark.parametrize(("name", "solver"), list(cases()))
def test_costs_and_bounds_are_right_and_no_worse_than_recorded(name, solver):
    asked, least = asked_of(name)
    release = release_of(asked, solver)
    cost, bound = held(asked, release), release.exact_lower_bound
    if least is not None:
        assert bound <= least <= cost
        if solver in EXACT and not asked.tests:
            assert cost == least
    others = [Fraction(found[0]).limit_denominator(10**6) for solver, found in told[name].items() if solver != "least"]
    assert bound <= min(others), "some release is cheaper than a bound that was claimed"
    recorded_cost, recorded_bound = (Fraction(x).limit_denominator(10**6) for x in told[name][solver])
    assert cost <= recorded_cost * (1 + WORSE)
    assert bound >= recorded_bound * (1 - WORSE)
