"""Bounds under requirements are recounted by the check's own rules: never above the least release, whoever wrote them."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import itertools
import json
import math
from fractions import Fraction

import numpy as np
import pytest

from incrowd.errors import InputError
from incrowd.tables.models.delta_disclosure import DeltaDisclosure
from incrowd.tables.values import RowTypes
from incrowd.tables.verify.bound import certificate, requirement_bound, small_classes
from incrowd.tables.verify.bound.requirement_bound import recheck
from oracles.pricing import lagrangian
from oracles.problems import random_problem, stars, types_of
from oracles.required_certificates import NAMES, Case, drawn_case
from oracles.sensitive import domain_of
from seeds import how_many, seeds

PARTS = 720


def priced(seed, name=None):
    """A case with its least release and prices from the linear program over its classes; skipped where it has none."""
    rng, case = drawn_case(seed, name)
    best = case.optimum
    prices = None if best is None else case.prices(PARTS)
    if prices is None:
        pytest.skip("no release")
    return rng, case, best, prices


@seeds(2000, 50)
def test_no_recounted_bound_is_above_the_least_release(seed):
    rng, case, best, prices = priced(seed)
    for small in (1, int(rng.integers(2, 9))):
        noise = rng.integers(-PARTS, PARTS + 1, len(prices)) * int(rng.integers(3))
        moved = [int(p + x) for p, x in zip(prices, noise, strict=True)]
        trees = [case.planted(case.tree(rng, PARTS, moved, int(rng.integers(3))))] if rng.integers(2) else []
        written = case.certificate(best, 0, moved, PARTS, small, case.multipliers(rng, PARTS), trees)
        value = case.recounted(json.loads(json.dumps(written)))
        assert value is None or value <= best
        found = recheck(case.table, case.required, written, best)
        assert found.lower_bound <= best


@seeds(1500, 60)
def test_without_lists_of_classes_no_bound_is_above_the_least_release_either(seed):
    rng, case, best, prices = priced(10_000 + seed)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(small_classes, "MOST_VECTORS", 0)
        for small in (2, 9):
            written = case.certificate(best, 0, prices, PARTS, small, case.multipliers(rng, PARTS))
            assert case.recounted(written) <= best


def test_good_prices_prove_the_least_release_in_most_cases():
    proven = tried = 0
    for seed in range(3 * len(NAMES)):
        try:
            _, case, best, prices = priced(seed)
        except pytest.skip.Exception:
            continue
        tried += 1
        found = recheck(case.table, case.required, case.certificate(best, 0, prices, PARTS, 9), best)
        assert not found.violations
        proven += found.lower_bound == best
    assert proven * 4 >= tried * 3


def test_multipliers_and_rules_prove_what_lists_of_classes_do_not_say():
    """With whole_below at 1 nothing is listed: what is above k's own prices is the rules' doing."""
    more = 0
    for seed in range(40):
        try:
            _, case, best, prices = priced(seed, ("equal", "frequency", "entropy", "distinct")[seed % 4])
        except pytest.skip.Exception:
            continue
        bare = case.certificate(best, 0, prices, PARTS, 1)
        low = case.recounted(bare)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(small_classes, "MOST_VECTORS", 0)
            high = case.recounted(bare | {"whole_below": 9})
        more += high > low
        assert high >= low
    assert more >= 3


@seeds(600, 30)
def test_a_tree_proves_the_least_of_its_leaves(seed):
    rng, case, best, prices = priced(20_000 + seed)
    tree = case.planted(case.tree(rng, PARTS, prices, 2))
    bare = case.certificate(best, 0, prices, PARTS, 9)
    low, high = case.recounted(bare), case.recounted(bare | {"trees": [tree]})
    assert low <= high <= best


def test_trees_close_what_prices_leave_open():
    closed = 0
    for seed in range(how_many(150, 60)):
        try:
            rng, case, best, prices = priced(seed)
        except pytest.skip.Exception:
            continue
        bare = case.certificate(best, 0, prices, PARTS, 9)
        low = case.recounted(bare)
        for _ in range(4 if low < best else 0):
            tree = case.planted(case.tree(rng, PARTS, prices, 3))
            closed += case.recounted(bare | {"trees": [tree]}) > low
    assert closed >= 2


@pytest.fixture(scope="module")
def written():
    """Certificates that hold, with their cases."""
    found = []
    for seed in range(3 * len(NAMES)):
        try:
            rng, case, best, prices = priced(seed)
        except pytest.skip.Exception:
            continue
        bare = case.certificate(best, 0, prices, PARTS, 3, case.multipliers(rng, PARTS))
        bare["lower_bound"] = bare["lower_bound_checked"] = max(case.recounted(bare), 0)
        found.append((case, best, bare))
        assert not recheck(case.table, case.required, bare, best).violations
        assert recheck(case.table, case.required, bare, best).proven
    return found


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("rows", lambda v: v + 1, "rows"), ("row_types", lambda v: v + 1, "row_types"), ("k", lambda v: v + 1, "k"),
        ("scale", lambda v: v + 1, "scale"), ("cost", lambda v: v + 1, "cost"), ("requirements", lambda v: [], "requirements"),
        ("requirements", lambda v: [*v, *v], "requirements"), ("requirements", lambda v: ["alpha-k alpha=1 column=s0"], "requirements"),
        ("requirements", lambda v: [None], "requirements"), ("lower_bound", lambda v: v + 10**6, "lower_bound"),
        ("prices", lambda v: [p - 10 * PARTS for p in v], None),
    ],
)  # fmt: skip
def test_a_forged_claim_is_a_violation(written, name, change, said):
    caught = 0
    for case, best, bare in written[:12]:
        found = recheck(case.table, case.required, bare | {name: change(bare[name])}, best)
        caught += bool(found.violations)
        assert found.lower_bound <= best
        if said is not None:
            assert found.violations[0].rule == f"certificate: {said}"
            assert not found.proven
    assert caught


HUGE = [2**61, 2**63, 2**64, -(2**63), 10**30]
ODD = [None, True, 1.0, float("nan"), "1", [], {}]


@pytest.mark.parametrize("name", ["version", "parts", "prices", "whole_below", "multipliers", "trees", "requirements"])
def test_what_is_no_whole_number_of_a_known_size_cannot_be_read(written, name):
    case, best, bare = written[0]
    for value in [*ODD, *HUGE, -1, 0, 4097]:
        if (name in ("multipliers", "trees", "requirements") and value == []) or (name in ("parts",) and value == 4097):
            continue
        if name == "version" and value == 2:
            continue
        with pytest.raises(InputError, match="cannot be read"):
            recheck(case.table, case.required, bare | {name: value}, best)


def test_numbers_in_lists_are_read_as_strictly(written):
    for case, best, bare in written[:3]:
        for value in [*ODD, *HUGE]:
            for forged in (
                bare | {"prices": [value, *bare["prices"][1:]]},
                bare | {"prices": [*bare["prices"], 0]},
                bare | {"multipliers": [[value, *one[1:]] for one in bare["multipliers"]] or [value]},
                bare | {"multipliers": [[*one[:-1], value] for one in bare["multipliers"]] or [value]},
                bare | {"trees": [value]},
                bare | {"trees": [{"component": 0, "instances": [[value]], "cuts": [], "tree": {"prices": [], "weights": []}}]},
                bare | {"trees": [{"component": 0, "instances": [], "cuts": [], "tree": {"prices": [[0, value]], "weights": []}}]},
                bare | {"trees": [{"component": 0, "instances": [], "cuts": [], "tree": {"instance": value, "open": {}, "closed": {}}}]},
            ):  # fmt: skip
                with pytest.raises(InputError, match="cannot be read"):
                    recheck(case.table, case.required, forged, best)


def test_numbers_too_large_to_be_added_up_are_refused(written):
    for case, best, bare in written[:8]:
        for power in range(40, 61):
            forged = bare | {"prices": [2**power * (-1) ** i for i in range(len(bare["prices"]))]}
            try:
                found = recheck(case.table, case.required, forged, best)
            except InputError as error:
                assert "too large" in str(error)
            else:
                assert found.lower_bound <= best
        with pytest.raises(InputError, match="too large"):
            recheck(case.table, case.required, forged, best)


def test_a_multiplier_given_twice_cannot_be_read(written):
    tried = 0
    for case, best, bare in written:
        for one in bare["multipliers"]:
            forged = bare | {"multipliers": [one, one], "prices": [9 * PARTS] * len(bare["prices"])}
            try:
                assert not recheck(
                    case.table, case.required, forged | {"lower_bound": 0, "lower_bound_checked": 0}, best
                ).violations
            except InputError as error:
                tried += 1
                assert "two multipliers" in str(error)
    assert tried >= 5


def test_a_certificate_of_another_table_proves_nothing_of_this_one(written):
    for (case, best, _), (_, _, other) in itertools.pairwise(written):
        head = case.certificate(best, 0, [], PARTS, 1)
        forged = head | {name: other[name] for name in ("prices", "multipliers", "whole_below")}
        with contextlib.suppress(InputError):
            assert recheck(case.table, case.required, forged, best).lower_bound <= best


@seeds(400, 40)
def test_whatever_is_changed_in_a_certificate_it_proves_no_more_than_the_least_release(seed):
    rng, case, best, prices = priced(30_000 + seed)
    bare = case.certificate(best, best, prices, PARTS, 4, case.multipliers(rng, PARTS))
    bare["trees"] = [case.planted(case.tree(rng, PARTS, prices, 2))]
    for _ in range(12):
        forged = copy.deepcopy(bare)
        for _ in range(int(rng.integers(1, 4))):
            mutate(rng, forged)
        try:
            found = recheck(case.table, case.required, forged, best)
        except InputError:
            continue
        assert found.lower_bound <= best


def mutate(rng, node):
    """One thing somewhere below a node is changed."""
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys:
            return
        key = keys[int(rng.integers(len(keys)))]
        if isinstance(node[key], dict | list) and node[key] and rng.random() < 0.9:
            node = node[key]
            continue
        if isinstance(node[key], int) and rng.random() < 0.9:
            node[key] += int(rng.choice([-(2**62), -PARTS, -1, 1, PARTS, 2**62]))
        elif isinstance(node, list):
            node.insert(key, copy.deepcopy(node[key]))
        else:
            node[key] = [None, True, 0.5, [], {}][int(rng.integers(5))]
        return


def test_an_early_certificate_stays_a_bound_of_k_alone_and_says_nothing_else(written):
    case, best, bare = written[0]
    later = ("requirements", "whole_below", "multipliers")
    early = bare | {"version": 1, "components": None, "trees": [], "lower_bound": 0, "lower_bound_checked": 0}
    with pytest.raises(InputError, match="a key that no certificate has there"):
        certificate.recheck(case.table, early, best)
    early = {key: value for key, value in early.items() if key not in later}
    found = certificate.recheck(case.table, early, best)
    assert not found.violations and found.lower_bound <= best
    with pytest.raises(InputError, match="version"):
        recheck(case.table, case.required, early, best)


def test_too_many_steps_are_refused_in_words(written, monkeypatch):
    case, best, bare = written[0]
    monkeypatch.setattr(requirement_bound, "STEPS", 0)
    with pytest.raises(InputError, match="more steps"):
        recheck(case.table, case.required, bare | {"prices": [9 * PARTS] * len(bare["prices"])}, best)


def test_multipliers_are_held_some_at_a_time(monkeypatch):
    for seed in range(8):
        rng, case = drawn_case(seed, "equal")
        if case.optimum is None:
            continue
        prices = rng.integers(0, 3 * PARTS, case.problem.types.t).tolist()
        written = case.certificate(0, 0, prices, PARTS, 3, case.multipliers(rng, PARTS))
        whole = case.recounted(written)
        with monkeypatch.context() as patched:
            patched.setattr(requirement_bound, "HELD", 1)
            assert case.recounted(written) == whole


def test_a_model_that_two_classes_need_not_meet_together_is_not_asked_of_listed_classes():
    """Nine rows of one value beside one of another: no class, but two, the second of which an instance left out takes."""
    secrets = ["1"] * 9 + ["2"] + ["1"] + ["2"] * 9 + ["3"] * 10
    codes = np.array([(0, 0)] * 10 + [(i, i) for i in range(1, 21)])
    domain, kinds = domain_of([(value,) for value in secrets])
    lines, counts = np.unique(np.column_stack((codes, kinds)), axis=0, return_counts=True)
    model = DeltaDisclosure(Fraction("1.0987"), "s0")  # just above ln 3
    problem = dataclasses.replace(
        stars(types_of(codes), 1),
        types=RowTypes(lines[:, :2].astype(np.int32), counts, (21, 21), lines[:, 2].astype(np.int32)),
        requirements=(model.bind(domain),),
    )
    case = Case(problem, domain, (model,))
    # the one row shows a star, and nothing else is changed: a release that costs 1
    group = np.array([0] * 9 + list(range(1, 22)))
    assert problem.requirements[0].meets(group, kinds, np.ones(30, np.int64), 22).all()
    assert not problem.requirements[0].meets(np.maximum(group - 1, 0), kinds, np.ones(30, np.int64), 21)[0]
    prices = [2 * PARTS if (a, b) == (0, 0) else 0 for a, b in lines[:, :2].tolist()]
    assert case.recounted(case.certificate(1, 0, prices, PARTS, 11)) <= 1


@seeds(200)
def test_without_requirements_it_is_the_bound_of_k_alone(seed):
    rng = np.random.default_rng(seed)
    problem = random_problem(rng)
    kinds = np.zeros(problem.types.t, np.int32)
    domain, _ = domain_of([("v",)] * int(problem.types.counts.sum()))
    case = Case(dataclasses.replace(problem, types=dataclasses.replace(problem.types, kinds=kinds)), domain, ())
    prices = rng.integers(-2, 15, problem.types.t).tolist()
    step = max(math.gcd(*(int(np.gcd.reduce(level.cost, axis=None)) for level in problem.levels)), 1)
    right = lagrangian(problem, prices)
    for small in (1, 4, 20):
        assert case.recounted(case.certificate(0, 0, prices, 1, small)) == -(-right // step) * step
