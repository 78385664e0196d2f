"""Whatever the tuning says, the optimum and its bound are the same: it decides how fast they are found."""

from __future__ import annotations

import pytest

from incrowd.tables.solve.matching import optimal_groups, tuning
from oracles.matching_drawn import FAMILIES, draw
from oracles.partitions import least
from seeds import how_many

OFF = (
    {"region_share": 0.0},
    {"stay_nodes": 0},
    {"component_rows": 0},
    {"bettered_rows": 0},
    {"tree_rows": 1, "near_pairs": 1, "ring_rows": 1},
)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_mechanism_can_be_left_out_of_an_optimum(monkeypatch, family):
    for seed in range(how_many(12, 3)):
        drawn = draw(family, 90_000 + seed, (3, 8))
        types = drawn.types
        best = least(types.codes, types.counts, drawn.levels, drawn.vectors, drawn.outliers, drawn.sens)
        for off in OFF:
            monkeypatch.setattr(tuning, "DEFAULT", tuning.Tuning(**off))
            found = optimal_groups(
                types.codes, types.counts, drawn.levels, drawn.patterns, outliers=drawn.outliers, sens=drawn.sens
            )
            if best is None:
                assert found.groups is None and found.infeasible, off
            else:
                assert found.cost == found.bound == best, off
