"""Cuts over the whole lattice are believed only as far as they recount: every field is forged in turn."""

from __future__ import annotations

import copy
import json

import numpy as np
import pytest
from tests.seeds import how_many

from incrowd.errors import InputError
from incrowd.progress import Watch
from incrowd.tables.solve.bounds.column_generation import Pricing
from incrowd.tables.solve.bounds.lattice_certificate import by_lattice_cuts
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.verify.bound.certificate import recheck
from oracles.brute_force import optimum
from oracles.problems import alike_problem, as_table


def drawn(seed):
    rng = np.random.default_rng([97, seed])
    return alike_problem(rng, ("forbid", "suppress")[seed % 2])


@pytest.fixture(scope="module")
def proven():
    """Problems with what they cost at least and certificates whose bound needs its cuts."""
    made = []
    problems = how_many(150, 60)
    for seed in range(problems):
        problem = drawn(seed)
        first, encoded = Greedy().solve(problem, Watch()), encode(problem)
        pricing = Pricing(problem, encoded, first.plan, first.bound)
        pricing.first_look(Watch())
        for _ in range(3):
            pricing.round(Watch())
        pricing.cut(list_instances(problem, encoded), Watch())
        if pricing.proof is not None:
            cost = first.plan.cost(problem)
            written = by_lattice_cuts(problem, cost, pricing.bound, pricing.proof)
            if not recheck(as_table(problem), {**written, "trees": []}, cost).proven:
                made.append((problem, cost, optimum(problem), json.loads(json.dumps(written))))
    kinds = [cut["kind"] for *_, written in made for cut in written["trees"][0]["cuts"]]
    assert len(made) >= problems / 6
    assert {"T", "C", "S", "F"} <= set(kinds)
    return made


def test_honest_cuts_are_confirmed_and_without_them_the_claim_is_refuted(proven):
    for problem, cost, _, written in proven:
        assert recheck(as_table(problem), written, cost).proven
        bare = recheck(as_table(problem), {**written, "trees": []}, cost)
        assert bare.violations and not bare.proven
        assert bare.lower_bound < written["lower_bound"]


def forgeries(tree, kind):
    """Yield trees with one thing of a cut, its instances or its weight changed so that it does not hold any more."""
    at = next((c for c, cut in enumerate(tree["cuts"]) if cut["kind"] == kind), None)
    if at is None:
        return
    base = copy.deepcopy(tree)
    for name in ("weight below 0", "weight in between", "instance twice", "types", "one type twice", "kind"):
        forged = copy.deepcopy(base)
        cut, weight = forged["cuts"][at], forged["tree"]["weights"][at]
        if name == "weight below 0":
            weight[1] = -weight[1]
        elif name == "weight in between" and kind == "T":
            weight[1] += 1
        elif name == "instance twice":
            where = {"S": "pairs", "F": "part"}.get(kind, "instances")
            cut[where] = [*cut[where], cut[where][0]]
        elif name == "types" and kind == "S":
            cut["types"] = cut["types"][:2]
        elif name == "one type twice" and kind != "C":
            cut["types"] = [*cut["types"][:-1], cut["types"][0]] if len(cut["types"]) > 1 else cut["types"] * 2
        elif name == "kind":
            cut["kind"] = "U"
        if forged != base:
            yield name, forged


@pytest.mark.parametrize("kind", ["T", "C", "S", "F"])
def test_a_forged_cut_is_refused_or_refuted(proven, kind):
    forged = set()
    for problem, cost, least, written in proven:
        for name, tree in forgeries(written["trees"][0], kind):
            forged.add(name)
            try:
                found = recheck(as_table(problem), {**written, "trees": [tree]}, cost)
            except InputError:
                continue
            if name == "weight in between" and found.proven:
                assert found.lower_bound <= least  # k - r is 1: every weight is a multiple of it
                continue
            assert found.violations, name
            assert not found.proven
    assert len(forged) >= 3


def test_instances_that_may_be_open_together_are_no_clique(proven):
    refuted = 0
    for problem, cost, _, written in proven:
        tree = copy.deepcopy(written["trees"][0])
        m = problem.types.m
        if problem.types.n >= 2 * problem.k and problem.outliers == "forbid" and [1] * m != tree["instances"][0][:-1]:
            tree["instances"].append([1] * m + [0])
            tree["cuts"].append({"kind": "C", "instances": [0, len(tree["instances"]) - 1]})
            tree["tree"]["weights"].append([len(tree["cuts"]) - 1, 1])
            found = recheck(as_table(problem), {**written, "trees": [tree]}, cost)
            assert found.violations and not found.proven
            refuted += 1
    assert refuted


@pytest.mark.parametrize(
    "name", [[0], [9, 9, 9, 9, 9, 0], [-1, 0, 0, 0, 0, 0], "star", [0, 0, 0, 0, 0, 10**6], [True, 0, 0], []]
)
def test_a_name_of_no_instance_is_refused_or_refuted(proven, name):
    problem, cost, _, written = proven[0]
    tree = copy.deepcopy(written["trees"][0])
    tree["instances"][0] = name
    try:
        found = recheck(as_table(problem), {**written, "trees": [tree]}, cost)
    except InputError:
        return
    assert found.violations and not found.proven


def test_the_instance_that_needs_no_crowd_is_in_no_cut(proven):
    tried = 0
    for problem, cost, _, written in proven:
        if problem.outliers == "suppress":
            tree = copy.deepcopy(written["trees"][0])
            tree["instances"][0] = [1] * problem.types.m + [0]
            found = recheck(as_table(problem), {**written, "trees": [tree]}, cost)
            assert found.violations and not found.proven
            tried += 1
    assert tried


def test_one_instance_under_two_names_is_one(proven):
    """Named by another of its types, and put beside itself into a clique."""
    tried = 0
    for problem, cost, _, written in proven:
        tree = copy.deepcopy(written["trees"][0])
        for cut in tree["cuts"]:
            if cut["kind"] != "C":
                continue
            *vector, one = tree["instances"][cut["instances"][0]]
            shown = [c for j, c in enumerate(problem.types.codes.T.tolist()) if vector[j] == 0]
            others = [i for i in range(problem.types.t) if i != one and all(c[i] == c[one] for c in shown)]
            if others:
                tree["instances"].append([*vector, others[0]])
                cut["instances"] = [*cut["instances"], len(tree["instances"]) - 1]
                with pytest.raises(InputError, match="twice"):
                    recheck(as_table(problem), {**written, "trees": [tree]}, cost)
                tried += 1
                break
    assert tried


def moved(leaf, g):
    """Yield trees in which a price is moved after the instances were listed."""
    raised = {**leaf, "prices": [[0, 10**7]]}
    yield raised
    yield {"instance": g, "open": raised, "closed": raised}
    yield {"instance": g, "open": raised, "closed": raised, "prices": []}
    yield {**raised, "prices": [[0, 1], [0, -1]]}


def test_no_price_may_be_moved_for_only_instances_that_add_below_0_are_listed(proven):
    for problem, cost, _, written in proven:
        tree = written["trees"][0]
        for root in moved(tree["tree"], 0):
            with pytest.raises(InputError, match="moves no price|a key that no certificate has there"):
                recheck(as_table(problem), {**written, "trees": [{**tree, "tree": root}]}, cost)


@pytest.mark.parametrize("trees", [[{}], ["tree"], [{"component": 1}], [{"component": 0}], [{"component": 0}] * 2])
def test_what_is_no_tree_is_refused(proven, trees):
    problem, cost, _, written = proven[0]
    with pytest.raises(InputError):
        recheck(as_table(problem), {**written, "trees": trees}, cost)


def numbers(at, path=()):
    """Yield the paths to every number in a tree of lists and objects."""
    entries = at.items() if isinstance(at, dict) else enumerate(at) if isinstance(at, list) else ()
    for key, value in entries:
        if isinstance(value, int):
            yield (*path, key)
        else:
            yield from numbers(value, (*path, key))


def test_whatever_number_is_forged_the_recount_is_no_more_than_the_optimum(proven):
    rng = np.random.default_rng(101)
    believed = refused = 0
    for problem, cost, least, written in proven:
        places = list(numbers({"prices": written["prices"], "trees": written["trees"]}))
        for _ in range(25):
            forged = copy.deepcopy(written)
            *path, last = places[int(rng.integers(len(places)))]
            spot = forged
            for key in path:
                spot = spot[key]
            far = written["parts"] if spot[last] > 1000 else 2
            spot[last] += int(rng.integers(1, far + 1)) * (1 if rng.random() < 0.6 else -1)
            try:
                found = recheck(as_table(problem), forged, cost)
            except InputError:
                refused += 1
                continue
            assert found.lower_bound <= least
            believed += found.proven
    assert refused
    assert believed
