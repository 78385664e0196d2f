"""The pipeline against the integer program over all pairs and triples, on tables brute force cannot reach."""

from __future__ import annotations

import numpy as np
import pytest
from tests.seeds import few_of, how_many

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


@pytest.mark.parametrize("family", few_of(["hierarchy", "plain"]))
def test_pipeline_agrees_with_the_textbook_on_40_rows(family):
    for seed in range(how_many(2, 1)):
        agree(family, 100 + seed, (40, 41))


@pytest.mark.proofs
@pytest.mark.parametrize("family", FAMILIES)
def test_pipeline_agrees_with_the_textbook_a_thousand_times(family):
    for seed in range(1000):
        agree(family, 10_000 + seed, (10, 26))
