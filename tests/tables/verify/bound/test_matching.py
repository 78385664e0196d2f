"""A forged certificate of the matching is refused, whatever was forged."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from incrowd.errors import InputError
from incrowd.progress import Watch
from incrowd.tables.solve.matching import Matching, optimal_classes
from incrowd.tables.verify.bound.certificate import Table
from incrowd.tables.verify.bound.matching import Refuted, matching_bound, recheck
from incrowd.tables.verify.bound.strict_numbers import Unreadable
from oracles.matching_drawn import FAMILIES, draw
from oracles.partitions import least
from seeds import how_many


def bound_of(drawn, certificate):
    return matching_bound(
        drawn.types, drawn.levels, drawn.patterns.allows, certificate, outliers=drawn.outliers, sens=drawn.sens
    )


@pytest.mark.few(4)
@pytest.mark.parametrize("family", FAMILIES)
def test_no_change_of_prices_proves_more_than_the_optimum(family):
    rng = np.random.default_rng(11)
    refused = tried = 0
    for seed in range(how_many(60, 16)):
        drawn = draw(family, 7000 + seed, (4, 8))
        best = least(drawn.types.codes, drawn.types.counts, drawn.levels, drawn.vectors, drawn.outliers, drawn.sens)
        result = optimal_classes(
            drawn.types.codes, drawn.types.counts, drawn.levels, drawn.patterns,
            outliers=drawn.outliers, sens=drawn.sens,
        )  # fmt: skip
        if best is None:
            continue
        honest = result.certificate.as_dict()
        for _ in range(12):
            forged = copy.deepcopy(honest)
            rows = forged["rows"]
            if not rows:
                break
            for _ in range(int(rng.integers(1, 4))):
                v = int(rng.integers(len(rows)))
                forged["prices"][v] += int(rng.integers(-1, 3)) * forged["scale"] // int(rng.integers(1, 4))
            if len(rows) >= 3 and rng.random() < 0.6:
                odd = sorted(map(int, rng.choice(len(rows), 3, replace=False)))
                forged["sets"].append({"rows": odd, "price": int(rng.integers(0, 2 * forged["scale"]))})
            tried += 1
            try:
                assert bound_of(drawn, forged) <= best
            except Refuted:
                refused += 1
    assert tried > 100
    assert refused > tried // 4


def test_raising_a_tight_price_by_one_part_is_refused():
    drawn = draw("plain", 3, (8, 8))
    result = optimal_classes(drawn.types.codes, drawn.types.counts, drawn.levels, drawn.patterns)
    honest = result.certificate.as_dict()
    assert bound_of(drawn, honest) == result.cost
    refused = 0
    for v in range(len(honest["rows"])):
        forged = copy.deepcopy(honest)
        forged["prices"][v] += 1
        try:
            bound_of(drawn, forged)
        except Refuted:
            refused += 1
    assert refused == len(honest["rows"])


def test_certificates_that_are_none_are_unreadable():
    drawn = draw("plain", 3, (8, 8))
    good = {"scale": 4, "divisor": 1, "rows": [0, 1, 2], "prices": [0, 0, 0], "sets": [{"rows": [0, 1, 2], "price": 0}]}
    assert bound_of(drawn, good) == 0
    broken = [
        {},
        {**good, "scale": 0},
        {**good, "divisor": 0},
        {**good, "divisor": 7},
        {**good, "prices": [0, 0]},
        {**good, "prices": ["x", 0, 0]},
        {**good, "prices": [2**60, 0, 0]},
        {**good, "rows": [0, 1, 99]},
        {**good, "rows": [0, 0, 0]},
        {**good, "scale": 2**60},
        {**good, "sets": [{"rows": [0, 1], "price": 1}]},
        {**good, "sets": [{"rows": [0, 1, 1], "price": 1}]},
        {**good, "sets": [{"rows": [0, 1, 3], "price": 1}]},
        {**good, "sets": [{"rows": [0, 1, 2], "price": -1}]},
        {**good, "sets": [{"price": 1}]},
        {**good, "sets": [[0, 1, 2]]},
        {**good, "sets": {}},
        {**good, "divisor": 2**63},
        {**good, "divisor": 2**62},
        {**good, "divisor": 1.0},
        {**good, "scale": "4"},
        {**good, "scale": True},
        {**good, "rows": [[0], [1], [2]]},
        {**good, "rows": [0, 1, 2.0]},
        {**good, "prices": [0, 0, 0.5]},
        {**good, "prices": [0, 0, "0"]},
        {**good, "prices": [0, 0, False]},
        {**good, "prices": [-(2**58), 0, 0]},
        {**good, "prices": [-(2**63), 0, 0]},
        {**good, "sets": [{"rows": [0, 1, 2], "price": 2**57}] * 2},
    ]
    for certificate in broken:
        with pytest.raises(Unreadable):
            bound_of(drawn, certificate)


def test_every_false_claim_of_a_written_certificate_is_a_violation():
    drawn = draw("weighted", 8, (8, 8))
    problem = drawn.problem
    solution = Matching().solve(problem, Watch())
    cost = solution.plan.cost(problem)
    table = Table(
        codes=drawn.types.codes, counts=drawn.types.counts, levels=drawn.levels, allows=drawn.patterns.allows,
        k=2, outliers=drawn.outliers, scale=1,
    )  # fmt: skip
    honest = solution.certificate
    assert cost > 0
    found = recheck(table, honest, cost)
    assert found.proven
    assert found.lower_bound == cost
    for name, value in [
        ("rows", 1), ("row_types", 1), ("k", 3), ("outliers", "other"), ("scale", 2), ("cost", cost + 1),
        ("cost", cost - 1),
    ]:  # fmt: skip
        assert recheck(table, {**honest, name: value}, cost).violations
    lower = {**honest["matching"], "prices": [y - honest["matching"]["scale"] for y in honest["matching"]["prices"]]}
    assert recheck(table, {**honest, "matching": lower}, cost).violations
    for name in ("certificate", "version", "proof", "cost", "matching"):
        with pytest.raises(InputError):
            recheck(table, {**honest, name: None}, cost)
