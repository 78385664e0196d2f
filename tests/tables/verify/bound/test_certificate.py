"""A certificate is believed only as far as it recounts: every field is forged in turn."""

from __future__ import annotations

import copy
import json

import numpy as np
import pytest

from incrowd.errors import InputError
from incrowd.progress import Watch
from incrowd.tables.solve.exact.exact import Exact
from incrowd.tables.values import Problem
from incrowd.tables.verify.bound.certificate import recheck
from oracles.brute_force import optimum
from oracles.pattern_lists import PatternList
from oracles.pricing import lagrangian
from oracles.problems import as_table, random_problem, star_levels, types_of
from seeds import how_many

pytestmark = pytest.mark.seeds  # the certificates of `treed`


def drawn(seed):
    rng = np.random.default_rng([11, seed])
    m = int(rng.integers(3, 6))
    n = int(rng.integers(7, 10))
    rows = np.stack([rng.integers(0, 2 if rng.random() < 0.7 else 3, n) for _ in range(m)], axis=1)
    types = types_of(rows)
    return Problem(types, star_levels(types), PatternList([1] * m), int(rng.integers(2, 5)), "suppress")


def two_tables(a, b):
    """Two tables side by side whose rows share nothing but the fully suppressed instance."""
    problem, other = drawn(a), drawn(b)
    m = max(problem.types.m, other.types.m)

    def rows(p, shift):
        wide = np.zeros((p.types.t, m), int)
        wide[:, : p.types.m] = p.types.codes
        return np.repeat(wide + shift, p.types.counts, axis=0)

    types = types_of(np.concatenate((rows(problem, 0), rows(other, 50))))
    mask = [v for v in PatternList([1] * m).vectors if v[0] == 0] + [(1,) * m]
    return Problem(types, star_levels(types), PatternList([1] * m, mask), problem.k, "suppress")


@pytest.fixture(scope="module")
def treed():
    """Problems with their certificates, all with cuts or branchings."""
    found = []
    for seed in range(how_many(200, 40)):
        problem = two_tables(seed, 300 + seed) if seed % 2 else drawn(seed)
        solution = Exact().solve(problem, Watch())
        written = json.loads(json.dumps(solution.certificate))
        if written["trees"]:
            found.append((problem, solution.plan.cost(problem), written))
    kinds = {cut["kind"] for _, _, w in found for tree in w["trees"] for cut in tree["cuts"]}
    assert len(found) >= 10
    assert {"T", "C", "F"} <= kinds
    assert any("instance" in tree["tree"] for _, _, w in found for tree in w["trees"])
    return found


def test_honest_certificates_are_confirmed_in_full(treed):
    for problem, cost, written in treed:
        found = recheck(as_table(problem), written, cost)
        assert found.violations == ()
        assert found.proven
        assert found.lower_bound == cost


@pytest.mark.parametrize(
    ("field", "forge"),
    [
        ("rows", lambda v: v + 1), ("row_types", lambda v: v + 1), ("k", lambda v: v + 1),
        ("outliers", lambda v: "forbid"), ("scale", lambda v: v + 1), ("cost", lambda v: v + 1),
        ("cost", lambda v: v - 1), ("lower_bound", lambda v: v + 1), ("lower_bound_checked", lambda v: v + 1),
    ],
)  # fmt: skip
def test_a_forged_head_is_a_violation(treed, field, forge):
    for problem, cost, written in treed[:6]:
        forged = copy.deepcopy(written)
        forged[field] = forge(forged[field])
        found = recheck(as_table(problem), forged, cost)
        assert not found.proven
        assert found.violations


def test_lower_prices_prove_less_and_the_claim_is_refuted(treed):
    for problem, cost, written in treed:
        forged = copy.deepcopy(written)
        forged["prices"] = [p - written["parts"] for p in forged["prices"]]
        found = recheck(as_table(problem), forged, cost)
        assert not found.proven and found.violations
        assert found.lower_bound < cost


def test_whatever_the_prices_say_the_recount_is_no_more_than_the_optimum(treed):
    rng = np.random.default_rng(1)
    for problem, cost, written in treed:
        for _ in range(5):
            forged = copy.deepcopy(written)
            noise = rng.integers(-written["parts"], written["parts"] + 1, problem.types.t)
            forged["prices"] = [int(p + x) for p, x in zip(forged["prices"], noise, strict=True)]
            assert recheck(as_table(problem), forged, cost).lower_bound <= cost


def mutations(written, rng):
    """Yield certificates with one thing of a tree changed."""
    for at in range(len(written["trees"])):
        for name in ("component", "instances", "cuts", "tree"):
            forged = copy.deepcopy(written)
            tree = forged["trees"][at]
            if name == "component":
                tree["component"] += 1
            elif name == "instances" and tree["instances"]:
                victim = tree["instances"][int(rng.integers(len(tree["instances"])))]
                place = int(rng.integers(len(victim)))
                victim[place] = 1 - victim[place] if place < len(victim) - 1 else victim[place] + 1
            elif name == "cuts" and tree["cuts"]:
                cut = tree["cuts"][int(rng.integers(len(tree["cuts"])))]
                if cut["kind"] == "T":
                    cut["types"] = cut["types"][1:]
                elif cut["kind"] == "F":
                    cut["part"], cut["full"] = cut["full"], cut["part"]
                elif cut["kind"] == "C":
                    cut["instances"] = sorted({*cut["instances"], *range(len(tree["instances"]))})
                else:
                    cut["types"][0] = cut["types"][1]
            elif name == "tree":
                node = tree["tree"]
                while "instance" in node:
                    node = node["open" if rng.random() < 0.5 else "closed"]
                if node["weights"]:
                    node["weights"][0][1] *= -1
                else:
                    node["prices"].append([0, -written["parts"]])
            if forged != written:
                yield name, forged


def test_forged_trees_never_prove_more_than_the_optimum_and_mostly_fail(treed):
    rng = np.random.default_rng(2)
    caught = {"component": 0, "instances": 0, "cuts": 0, "tree": 0}
    for problem, cost, written in treed:
        for name, forged in mutations(written, rng):
            try:
                found = recheck(as_table(problem), forged, cost)
            except InputError:
                caught[name] += 1
                continue
            assert found.lower_bound <= cost
            caught[name] += bool(found.violations) and not found.proven
    assert all(count >= 3 for count in caught.values()), caught


def forged_flows(cut, named):
    """Yield flow cuts that differ from an honest one in a single thing."""
    for at in range(len(cut["types"])):
        yield {**cut, "types": cut["types"][:at] + cut["types"][at + 1 :]}
    for field in ("part", "full"):
        for at in range(len(cut[field])):
            yield {**cut, field: cut[field][:at] + cut[field][at + 1 :]}
            yield {**cut, field: [*cut[field], cut[field][at]]}
        for other in range(named):
            yield {**cut, field: [*cut[field], other]}
            yield {**cut, field: [other]}
    yield {**cut, "part": cut["full"], "full": cut["part"]}
    yield {**cut, "types": cut["types"] + cut["types"][:1]}
    yield {**cut, "kind": "T", "instances": cut["part"] + cut["full"]}


def test_forged_flow_cuts_never_prove_more_than_the_optimum(treed):
    met, refused = 0, 0
    for problem, cost, written in treed:
        for at, tree in enumerate(written["trees"]):
            for place, cut in enumerate(tree["cuts"]):
                if cut["kind"] != "F":
                    continue
                for wrong in forged_flows(cut, len(tree["instances"])):
                    forged = copy.deepcopy(written)
                    forged["trees"][at]["cuts"][place] = wrong
                    met += 1
                    try:
                        found = recheck(as_table(problem), forged, cost)
                    except InputError:
                        refused += 1
                        continue
                    assert found.lower_bound <= cost
                    refused += not found.proven
    assert met > 100 and refused > met / 3, (met, refused)


@pytest.mark.parametrize("weight", [-1, 2**59])
def test_a_flow_cuts_multiplier_cannot_be_below_nothing_or_wrap_around(treed, weight):
    met = 0
    for problem, cost, written in treed:
        for at, tree in enumerate(written["trees"]):
            for place, cut in enumerate(tree["cuts"]):
                node = tree["tree"]
                while "instance" in node:
                    node = node["open"]
                if cut["kind"] != "F" or all(c != place for c, _ in node["weights"]):
                    continue
                forged = copy.deepcopy(written)
                node = forged["trees"][at]["tree"]
                while "instance" in node:
                    node = node["open"]
                node["weights"] = [[c, weight if c == place else w] for c, w in node["weights"]]
                met += 1
                try:
                    assert not recheck(as_table(problem), forged, cost).proven
                except InputError as error:
                    assert "too large" in str(error)
    assert met


def test_a_tree_cannot_claim_more_by_leaving_out_a_side(treed):
    met = 0
    for problem, cost, written in treed:
        for at, tree in enumerate(written["trees"]):
            if "instance" in tree["tree"]:
                for side in ("open", "closed"):
                    forged = copy.deepcopy(written)
                    del forged["trees"][at]["tree"][side]
                    with pytest.raises(InputError):
                        recheck(as_table(problem), forged, cost)
                    met += 1
    assert met


def test_wrong_components_are_refuted(treed):
    for problem, cost, written in treed:
        forged = copy.deepcopy(written)
        if max(forged["components"]) == 0:
            big = max(range(problem.types.t), key=lambda i: forged["components"][i])
            forged["components"] = [0] * problem.types.t
            forged["components"][big] = 1
        else:
            forged["components"] = forged["components"][::-1]
        if forged["components"] == written["components"]:
            continue
        try:
            found = recheck(as_table(problem), forged, cost)
        except InputError:
            continue
        assert found.lower_bound <= cost


def test_a_claim_on_a_cheaper_world_is_refuted():
    """Lower bounds that the release itself undercuts, whatever the proof says."""
    problem = drawn(0)
    solution = Exact().solve(problem, Watch())
    cost = solution.plan.cost(problem)
    forged = {**solution.certificate, "lower_bound": cost + 1, "proof": "solver"}
    assert recheck(as_table(problem), forged, cost).violations


def test_a_solvers_word_is_not_proven_but_no_violation(treed):
    met = 0
    for problem, cost, written in treed:
        weak = copy.deepcopy(written)
        weak["trees"] = []
        weak["proof"] = "solver"
        weak["lower_bound_checked"] = 0
        found = recheck(as_table(problem), weak, cost)
        assert found.violations == ()
        met += not found.proven
        assert found.lower_bound <= cost
    assert met


@pytest.mark.parametrize(
    "broken",
    [
        {}, {"certificate": "something else"}, {"version": 7}, {"prices": None}, {"prices": [1.5]},
        {"parts": 0}, {"parts": True}, {"cost": "1"}, {"proof": "yes"}, {"trees": {}}, {"components": 3},
        {"components": "a"}, {"prices": []}, {"parts": 2**70}, {"version": 1.0}, {"version": True}, {"k": 2.0}, {"rows": "9"},
    ],
)  # fmt: skip
def test_an_unreadable_certificate_is_said_so_without_a_value(treed, broken):
    problem, cost, written = treed[0]
    source = {} if not broken else {**written, **broken}
    with pytest.raises(InputError, match="certificate cannot be read"):
        recheck(as_table(problem), source, cost)


def test_huge_numbers_are_refused_before_they_wrap_around(treed):
    problem, cost, written = treed[0]
    forged = {**written, "prices": [2**60] * problem.types.t}
    with pytest.raises(InputError, match="too large"):
        recheck(as_table(problem), forged, cost)


def test_the_recount_of_prices_is_the_definition():
    for seed in range(how_many(120, 24)):
        rng = np.random.default_rng([9, seed])
        problem = random_problem(rng)
        highest = sum(int(level.cost.max()) for level in problem.levels) + 1
        whole = rng.integers(-1, 2 * highest, problem.types.t).tolist()
        written = {
            "certificate": "incrowd k-anonymity bound", "version": 1, "rows": problem.types.n,
            "row_types": problem.types.t, "k": problem.k, "outliers": problem.outliers, "scale": 1,
            "cost": 10**6, "lower_bound": 0, "lower_bound_checked": 0, "proof": "certificate", "parts": 1,
            "components": None, "prices": whole, "trees": [],
        }  # fmt: skip
        found = recheck(as_table(problem), written).lower_bound
        exact = lagrangian(problem, whole)
        step = max(int(np.gcd.reduce([np.gcd.reduce(level.cost, axis=None) for level in problem.levels])), 1)
        assert found == max(-(-exact // step) * step, 0)
        assert found <= (optimum(problem) if problem.types.n <= 8 and optimum(problem) is not None else 10**6)
