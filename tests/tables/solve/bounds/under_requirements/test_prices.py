"""Prices under requirements against every class and every partition of small tables."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from incrowd.progress import Watch
from incrowd.tables.models.likeness import DeltaDisclosure
from incrowd.tables.solve.bounds.under_requirements import layout
from incrowd.tables.solve.bounds.under_requirements import layout as small_classes
from incrowd.tables.solve.bounds.under_requirements.prices import PricedRequirements
from incrowd.tables.values import RowTypes
from oracles.brute_force import optimum
from oracles.inner_problems import best_class, valid_counts
from oracles.problems import stars, types_of
from oracles.required import FAMILIES, random_required
from oracles.sensitive import domain_of
from seeds import seeds


def drawn(seed, rows=None):
    """A problem, and what tells how it is looked at."""
    rng = np.random.default_rng([17, seed])
    problem = random_required(rng, FAMILIES[seed % len(FAMILIES)], rows=rows or int(rng.integers(4, 8)))
    return problem, rng


def priced(problem, rng, *, upper=None, threads=1):
    """Prices for a problem, from any start."""
    found = layout.instances_of(problem, watch=Watch(), most_pairs=10**6)
    dearest = sum(int(level.cost.max(initial=0)) for level in problem.levels)
    start = rng.random(problem.types.t) * (dearest + 1)
    below = (1, 3, 5, 25)[int(rng.integers(4))]
    upper = problem.types.n * dearest if upper is None else upper
    return PricedRequirements(problem, found, start, upper, below=below, threads=threads)


@pytest.fixture(params=["listed", "not listed"])
def lists(request, monkeypatch):
    """Small classes from the list of all of them, or by the rules."""
    if request.param == "not listed":
        monkeypatch.setattr(small_classes, "LISTED", 0)


@pytest.mark.usefixtures("lists")
@seeds(4000, 32)
def test_no_instance_is_worth_less_than_its_best_class(seed):
    problem, rng = drawn(seed)
    prices = priced(problem, rng)
    valid = valid_counts(problem, problem.types.n)
    for _ in range(3):
        prices.step(Watch())
        prices.now = prices.now + rng.normal(0, 1, prices.now.size)
    whole = prices._whole(prices.prices)
    least = prices._recounted(whole, prices.kept.y, cut=False)
    every = layout.instances_of(problem, watch=Watch(), most_pairs=10**6)
    named = {tuple(name): value for name, value in zip(prices.instances.names.tolist(), least.tolist(), strict=True)}
    for g in range(every.size):
        types = every.members[every.begins[g] : every.begins[g + 1]].tolist()
        best = best_class(problem, valid, types, int(every.costs[g]) * prices.parts, int(every.needs[g]), whole)
        name = tuple(every.names[g].tolist())
        if best is not None:
            assert named[name] >= best
        if prices.lists.listed and prices.lists.whole_below > problem.types.n and name in named:
            assert max(named[name], 0) == max(best or 0, 0)


@pytest.mark.usefixtures("lists")
@seeds(4000, 32)
def test_no_bound_is_above_the_optimum(seed):
    problem, rng = drawn(seed)
    best = optimum(problem)
    if best is None:
        pytest.skip("no release")
    prices = priced(problem, rng, upper=best)
    for _ in range(25):
        prices.step(Watch())
    proof = prices.proof()
    assert prices.bound(proof) <= best
    assert proof.value <= best * proof.parts


def test_what_joined_classes_need_not_meet_proves_nothing():
    """Nine rows of one value beside one of another: no class, but two, the second of which another instance takes in."""
    secrets = ["1"] * 9 + ["2"] + ["1"] + ["2"] * 9 + ["3"] * 10
    codes = np.array([(0, 0)] * 10 + [(i, i) for i in range(1, 21)])
    domain, kinds = domain_of([(value,) for value in secrets])
    lines, counts = np.unique(np.column_stack((codes, kinds)), axis=0, return_counts=True)
    model = DeltaDisclosure(Fraction("1.0987"), "s0")  # just above ln 3
    problem = replace(
        stars(types_of(codes), 1),
        types=RowTypes(lines[:, :2].astype(np.int32), counts, (21, 21), lines[:, 2].astype(np.int32)),
        requirements=(model.bind(domain),),
        sensitive=domain.sensitive,
    )
    # the one row shows a star, and nothing else is changed: a release that costs 1
    group = np.array([0] * 9 + list(range(1, 22)))
    assert problem.requirements[0].meets(group, kinds, np.ones(30, np.int64), 22).all()
    start = np.where((lines[:, :2] == 0).all(axis=1), 2.0, 0.0)
    found = layout.instances_of(problem, watch=Watch(), most_pairs=10**6)
    prices = PricedRequirements(problem, found, start, 40, below=11)
    assert prices.lists.listed
    for _ in range(40):
        prices.step(Watch())
    assert prices.bound(prices.proof()) <= 1
