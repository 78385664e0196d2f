from __future__ import annotations

import numpy as np
import pytest
from tests.seeds import how_many

from incrowd.tables.solve.textbook.simplex_matching import hyperedges, lightest, price_alone
from incrowd.tables.solve.textbook.triple_search import local_search
from oracles.matching_drawn import FAMILIES, draw


def textbook(drawn):
    rows = np.repeat(np.arange(drawn.types.t), drawn.types.counts).tolist()
    edges = hyperedges(drawn.types.codes, rows, drawn.levels, drawn.patterns, sens=drawn.sens)
    alone = price_alone(drawn.levels, drawn.patterns, drawn.outliers) if drawn.sens is None else None
    found = lightest(len(rows), edges, alone)
    return None if found is None else found[1]


@pytest.mark.parametrize("family", FAMILIES)
def test_local_search_finds_the_optimum_of_5_to_14_rows(family):
    for seed in range(how_many(25, 3)):
        drawn = draw(family, 500 + seed, (5, 14))
        best = textbook(drawn)
        found = local_search(drawn.types, drawn.levels, drawn.patterns, outliers=drawn.outliers, sens=drawn.sens)
        if best is None:
            assert found is None
            continue
        assert found is not None
        assert found[2] == best >= found[3]
