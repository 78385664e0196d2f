from __future__ import annotations

import numpy as np
import pytest
from tests.seeds import how_many

from incrowd.tables.solve.matching import optimal_groups
from incrowd.tables.solve.textbook.simplex_matching import hyperedges, lightest, price_alone
from incrowd.tables.verify.bound.matching import matching_bound
from oracles.matching_drawn import FAMILIES, draw


def textbook(drawn):
    rows = np.repeat(np.arange(drawn.types.t), drawn.types.counts).tolist()
    edges = hyperedges(drawn.types.codes, rows, drawn.levels, drawn.patterns, sens=drawn.sens)
    alone = price_alone(drawn.levels, drawn.patterns, drawn.outliers) if drawn.sens is None else None
    found = lightest(len(rows), edges, alone)
    return None if found is None else found[1]


def agree(family, seed, rows):
    drawn = draw(family, seed, rows)
    best = textbook(drawn)
    result = optimal_groups(
        drawn.types.codes, drawn.types.counts, drawn.levels, drawn.patterns,
        outliers=drawn.outliers, sens=drawn.sens,
    )  # fmt: skip
    if best is None:
        assert result.infeasible
        return result
    assert result.optimal and result.cost == best
    proven = matching_bound(
        drawn.types, drawn.levels, drawn.patterns.allows, result.certificate.as_dict(),
        outliers=drawn.outliers, sens=drawn.sens,
    )  # fmt: skip
    assert max(proven, 0) == result.checked <= best
    return result


@pytest.mark.few(3)
@pytest.mark.parametrize("family", FAMILIES)
def test_pipeline_agrees_with_the_textbook_on_12_to_22_rows(family):
    for seed in range(how_many(15, 3)):
        agree(family, seed, (12, 22))
