"""The optimum of small random tables against all partitions, with the certificate rechecked."""

from __future__ import annotations

import numpy as np
import pytest
from tests.seeds import how_many

from incrowd.tables.solve.matching import optimal_groups
from incrowd.tables.solve.matching.plan import plan_of
from incrowd.tables.verify.bound.matching import matching_bound
from oracles.matching_drawn import FAMILIES, draw
from oracles.partitions import least


def check(family, seed, rows=(3, 8)):
    drawn = draw(family, seed, rows)
    types = drawn.types
    best = least(types.codes, types.counts, drawn.levels, drawn.vectors, drawn.outliers, drawn.sens)
    rng = np.random.default_rng(seed)
    result = optimal_groups(
        types.codes,
        types.counts,
        drawn.levels,
        drawn.patterns,
        outliers=drawn.outliers,
        sens=drawn.sens,
        expand=int(rng.integers(2, 5)),
        dense=bool(rng.random() < 0.7),
        star_exits=bool(rng.random() < 0.7),
    )
    if best is None:
        assert result.groups is None and result.infeasible
        return result
    assert result.optimal and result.cost == best
    plan = plan_of(types.codes, drawn.levels, drawn.patterns, result.groups, result.suppressed, result.rest)
    judge(drawn, plan, best)
    proven = matching_bound(
        types,
        drawn.levels,
        drawn.patterns.allows,
        result.certificate.as_dict(),
        outliers=drawn.outliers,
        sens=drawn.sens,
    )
    assert result.checked == max(proven, 0) <= result.bound == best
    return result


def judge(drawn, plan, cost):
    """The plan is a release of that cost: straight from the definitions."""
    types, problem = drawn.types, drawn.problem
    assert plan.cost(problem) == cost
    total = np.zeros(types.t, np.int64)
    np.add.at(total, plan.part_type, plan.part_rows)
    assert (total == types.counts).all() and (plan.part_rows > 0).all()
    seen = set()
    for g in range(plan.groups):
        vector = plan.levels[g]
        assert drawn.patterns.allows(vector)
        mine = plan.part_group == g
        rows, parts = plan.part_rows[mine], plan.part_type[mine]
        shown = {
            tuple(
                int(level.up[x, types.codes[t, j]])
                for j, (level, x) in enumerate(zip(drawn.levels, vector, strict=True))
            )
            for t in parts
        }
        assert len(shown) == 1
        seen.add((tuple(int(x) for x in vector), *shown))
        free = drawn.outliers == "suppress" and drawn.sens is None and tuple(vector) == problem.top
        assert free or rows.sum() >= 2
        for s in range(0 if drawn.sens is None else drawn.sens.shape[1]):
            most = max(rows[drawn.sens[parts, s] == v].sum() for v in drawn.sens[parts, s])
            assert 2 * most <= rows.sum()
    assert len(seen) == plan.groups


@pytest.mark.few(4)
@pytest.mark.parametrize("family", FAMILIES)
def test_cost_is_that_of_the_best_partition(family):
    ends = {"infeasible": 0, "relaxation": 0, "region": 0}
    tables = how_many(300, 30)
    for seed in range(tables):
        result = check(family, seed)
        if result.groups is None:
            ends["infeasible"] += 1
        else:
            ends["region" if "region" in result.steps else "relaxation"] += 1
    # Every way through the pipeline was taken.
    assert ends["relaxation"] > tables / 15


@pytest.mark.proofs
@pytest.mark.parametrize("family", FAMILIES)
def test_cost_is_that_of_the_best_partition_twenty_thousand_times(family):
    for seed in range(20_000):
        check(family, seed + 1_000_000)
