"""True certificates of every kind with many numbers forged at once: none proves more, none ends in another error."""

import copy
import json

import numpy as np
import pytest

from incrowd.errors import InputError
from incrowd.progress import Watch
from incrowd.tables.solve.bounds.column_generation import Pricing
from incrowd.tables.solve.bounds.cuts_over_lattice import by_lattice_cuts
from incrowd.tables.solve.exact.exact import Exact
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.matching import Matching, optimal_classes
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.values import Problem
from incrowd.tables.verify.bound import certificate, matching
from incrowd.tables.verify.bound.strict_numbers import LIMIT, Unreadable, known_keys, numbers, read_head, whole
from oracles.brute_force import optimum
from oracles.matching_drawn import draw
from oracles.partitions import least
from oracles.pattern_lists import PatternList
from oracles.problems import alike_problem, as_table, star_levels, types_of

EDGES = [1, 2**31, 2**53, 2**58 - 1, 2**58, 2**59, 2**60, 2**61 - 1, 2**61, 2**62, 2**63 - 1, 2**63, 2**64, 10**30]
ODD = [None, True, False, "12", 1.5, float("nan"), float("inf"), [], [[1]], {}, "9" * 50]
TURNS = 60


def by_trees():
    """Certificates over components, with cuts and branchings."""
    for seed in range(60):
        problem = alike_problem(np.random.default_rng([11, seed]), "suppress")
        solution = Exact().solve(problem, Watch())
        if solution.certificate["trees"]:
            yield problem, None, solution.certificate, optimum(problem)


def by_cuts():
    """Certificates with cuts over the whole lattice."""
    for seed in range(40):
        problem = alike_problem(np.random.default_rng([97, seed]), ("forbid", "suppress")[seed % 2])
        first, encoded = Greedy().solve(problem, Watch()), encode(problem)
        pricing = Pricing(problem, encoded, first.plan, first.bound)
        pricing.first_look(Watch())
        pricing.round(Watch())
        pricing.cut(list_instances(problem, encoded), Watch())
        if pricing.proof is not None:
            cost = first.plan.cost(problem)
            written = by_lattice_cuts(problem, cost, pricing.bound, pricing.proof)
            yield problem, None, written, optimum(problem)


def by_pairs():
    """Certificates of matchings, one with so many rows that the sum of small numbers would wrap around."""
    rng = np.random.default_rng(5)
    types = types_of(np.stack([rng.integers(0, d, 60) for d in (5, 4, 3)], axis=1))
    large = Problem(types, star_levels(types), PatternList([1] * 3), 2)
    solution = Matching().solve(large, Watch())
    yield large, None, solution.certificate, solution.plan.cost(large)
    for family in ("mask", "weighted", "hierarchy", "diverse", "outliers", "ties"):
        for seed in range(40):
            drawn = draw(family, 600 + seed, (6, 8))
            best = least(drawn.types.codes, drawn.types.counts, drawn.levels, drawn.vectors, drawn.outliers, drawn.sens)
            if not best:
                continue
            result = optimal_classes(
                drawn.types.codes, drawn.types.counts, drawn.levels, drawn.patterns,
                outliers=drawn.outliers, sens=drawn.sens,
            )  # fmt: skip
            head = {"certificate": matching.NAME, "version": matching.VERSION}
            written = {**head, "proof": "certificate", "matching": result.certificate.as_dict()}
            yield drawn.problem, drawn.sens, written, best
            break


def claiming(written, table, cost):
    """The certificate with the head that the table asks for, and a cost that is proven to be least."""
    forged = copy.deepcopy(written) | table.facts()
    return forged | {"proof": "certificate", "cost": cost, "lower_bound": cost, "lower_bound_checked": cost}


def places(at, path=()):
    """Every list or object below the head with a key in it."""
    for key, value in at.items() if isinstance(at, dict) else enumerate(at) if isinstance(at, list) else ():
        if path or key in ("matching", "prices", "components", "trees", "parts"):
            yield (*path, key)
            yield from places(value, (*path, key))


def forge(written, rng):
    """Change many numbers of a certificate, in place."""
    every = list(places(written))
    lists = [path for path in every if path[-1] in ("prices", "rows", "components", "weights", "types", "part", "full")]
    edge = EDGES[rng.integers(len(EDGES))]
    turn = rng.integers(4)
    if turn == 0 and lists:  # one number everywhere in a list: what no single one shows is in their sum
        path = lists[rng.integers(len(lists))]
        held = at(written, path)
        if isinstance(held, list):
            some = int(rng.integers(1, len(held) + 1)) if held else 0
            put(written, path, [-(edge - int(rng.integers(2)))] * some + [0] * (len(held) - some))
        return
    for path in (every[i] for i in rng.integers(0, len(every), rng.integers(1, 9))):
        try:
            held, inside = at(written, path), at(written, path[:-1])
        except (KeyError, IndexError, TypeError):
            continue  # gone with something else
        if not isinstance(inside, (list, dict)):
            continue
        if turn == 1:
            put(written, path, copy.deepcopy(ODD[rng.integers(len(ODD))]))
        elif turn == 2 and isinstance(inside, list):
            inside[path[-1] : path[-1] + 1] = [] if rng.random() < 0.5 else [held, copy.deepcopy(held)]
        elif isinstance(held, int) and not isinstance(held, bool):
            put(written, path, held + [edge, -edge, 1, -1, held, -2 * held][rng.integers(6)])


def at(written, path):
    for key in path:
        written = written[key]
    return written


def put(written, path, value):
    at(written, path[:-1])[path[-1]] = value


@pytest.mark.few(1)
@pytest.mark.parametrize(("source", "most"), [(by_trees, 3), (by_cuts, 3), (by_pairs, 7)])
def test_no_forged_numbers_prove_more_than_the_optimum(source, most):
    rng = np.random.default_rng([7, most])
    refused = believed = met = 0
    for (problem, sens, written, best), _ in zip(source(), range(most), strict=False):
        table, written = as_table(problem), json.loads(json.dumps(written))
        met += 1
        for turn in range(TURNS + 1):
            cost = best + (0, 1, 3, 100)[turn % 4]
            forged = claiming(written, table, cost)
            if turn:
                forge(forged, rng)
            try:
                if "matching" in written:
                    found = matching.recheck(table, forged, cost, sens)
                else:
                    found = certificate.recheck(table, forged, cost)
            except InputError as error:
                assert "certificate cannot be read" in str(error)
                refused += 1
                continue
            assert found.lower_bound <= best
            assert not (found.proven and cost > best)
            believed += found.proven
    assert met == most
    assert believed > 0
    assert refused > TURNS


def test_prices_that_wrap_around_to_a_claim_prove_nothing():
    problem, _, written, best = next(by_pairs())
    table, written = as_table(problem), json.loads(json.dumps(written))
    n = len(written["matching"]["rows"])
    assert n > 40
    forged = claiming(written, table, best + 20)
    forged["matching"] |= {"sets": [], "prices": [-(2**58 - 1) if i < 40 else 0 for i in range(n)]}
    found = matching.recheck(table, forged, best + 20)
    assert not found.proven
    assert found.lower_bound == 0
    forged["matching"]["prices"] = [2**57 if i == 0 else -(2**63) if i < n - 1 else 0 for i in range(n)]
    with pytest.raises(InputError, match="cannot be read"):
        matching.recheck(table, forged, best + 20)
    forged["matching"]["prices"] = [0] * n
    forged["matching"]["sets"] = [{"rows": [0, 1, i], "price": 2**57} for i in range(2, 40)]
    with pytest.raises(InputError, match="add up to"):
        matching.recheck(table, forged, best + 20)


def test_what_a_certificate_names_is_no_more_than_the_table_has():
    problem, _, written, best = next(by_trees())
    table, written = as_table(problem), json.loads(json.dumps(written))
    for labels in ([2**60, 0], [2**31, 0], [-1, 0], [2, 0], [problem.types.t, 0]):
        forged = claiming(written, table, best)
        forged["components"] = labels + [0] * (problem.types.t - 2)
        with pytest.raises(InputError, match="components"):
            certificate.recheck(table, forged, best)
    for version in (1.0, True, "1", None, 2):
        with pytest.raises(InputError, match="cannot be read"):
            certificate.recheck(table, {**claiming(written, table, best), "version": version}, best)
    deep = {"prices": [], "weights": []}
    for _ in range(5000):
        deep = {"instance": 0, "open": deep, "closed": deep}
    forged = claiming(written, table, best)
    forged["trees"][0]["tree"] = deep
    with pytest.raises(InputError, match="cannot be read"):
        certificate.recheck(table, forged, best)


def test_a_whole_number_is_read_up_to_its_limits_and_no_further():
    for value in (LIMIT - 1, 0, 1 - LIMIT):
        assert whole({"n": value}, "n") == value
        assert numbers([value, 0], "n", 2).tolist() == [value, 0]
    for value in (LIMIT, -LIMIT, True, 1.0, "1", None):
        with pytest.raises(Unreadable, match="n is no whole number"):
            whole({"n": value}, "n")
        with pytest.raises(Unreadable, match="n holds something else"):
            numbers([0, value], "n")
    assert whole({"n": 3}, "n", least=3) == 3
    with pytest.raises(Unreadable, match="n is below 3"):
        whole({"n": 2}, "n", least=3)
    for value in ([1], (1, 2), "12", None):
        with pytest.raises(Unreadable, match="n is no list of 2 numbers"):
            numbers(value, "n", 2)


def test_a_head_is_wrong_where_the_tables_refute_it():
    said = {"certificate": "c", "version": 1, "rows": 2**63 - 1, "outliers": "forbid", "proof": "solver"}
    said |= {"cost": 5, "lower_bound": 4, "lower_bound_checked": 3}

    def wrong(cost=5, rows=2**63 - 1, outliers="forbid", **other):
        return read_head(said | other, "c", 1, {"rows": rows, "outliers": outliers}, cost).wrong

    assert wrong() == wrong(cost=None) == wrong(lower_bound=5, lower_bound_checked=5) == ()
    assert wrong(cost=6, rows=7, outliers="suppress") == ("rows", "outliers", "cost")
    assert wrong(lower_bound=6) == wrong(lower_bound_checked=5) == ("lower_bound",)
    for other in ({"certificate": "d"}, {"version": 2}, {"proof": "none"}):
        with pytest.raises(Unreadable):
            wrong(**other)


def objects(value):
    """Every object of a certificate."""
    if isinstance(value, dict):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(one)


@pytest.mark.parametrize("source", [by_trees, by_cuts, by_pairs])
def test_a_key_that_no_certificate_has_there_makes_it_unreadable_wherever_it_stands(source):
    problem, sens, written, best = next(source())
    table, written = as_table(problem), json.loads(json.dumps(written))
    ask = matching.recheck if "matching" in written else certificate.recheck
    more = (sens,) if "matching" in written else ()
    written = claiming(written, table, best)
    assert ask(table, written | {"for": "people"}, best, *more).proven
    places = range(len(list(objects(written))))
    assert len(places) > 1
    for at in places:
        for key in ("note", "whole_below", "Prices", ""):
            forged = copy.deepcopy(written) | {"rows": 1}  # a wrong claim beside it changes nothing
            list(objects(forged))[at][key] = 1
            with pytest.raises(InputError, match="a key that no certificate has"):
                ask(table, forged, best, *more)


def test_a_cut_or_a_node_has_the_keys_of_its_kind_alone():
    known_keys(
        {"cuts": [{"kind": "C", "instances": []}], "tree": {"instance": 0, "open": {}, "closed": {}}}, {"cuts", "tree"}
    )
    for bad in (
        {"cuts": [{"kind": "C", "types": []}]}, {"cuts": [{"kind": ["C"], "instances": []}]}, {"tree": {"instance": 0, "prices": []}},
        {"tree": {"prices": [], "cuts": []}}, {"cuts": {"rows": 1}}, {"tree": [[{"x": 1}]]}, {"cuts": [{"kind": "X", "pairs": []}]},
    ):  # fmt: skip
        with pytest.raises(Unreadable, match="key"):
            known_keys(bad, {"cuts", "tree"})
    for bad in ({"cuts": [1.0]}, {"tree": 1e3}, {"tree": [[float("nan")]]}):
        with pytest.raises(Unreadable, match="point"):
            known_keys(bad, {"cuts", "tree"})
    for bad in ({"for": 1}, {"for": None}, {"diverse": 1}, {"diverse": None}):
        with pytest.raises(Unreadable, match="'for' is no text"):
            known_keys(bad, {"for", "diverse"})
