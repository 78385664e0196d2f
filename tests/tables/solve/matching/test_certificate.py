from __future__ import annotations

import numpy as np

from incrowd.tables.mask import Mask
from incrowd.tables.solve.matching import optimal_classes
from incrowd.tables.values import Levels

SEVEN = [[int(c) for c in row] for row in ["2221", "2012", "1211", "0001", "1110", "0220", "0212"]]


def stars(m, d):
    up = np.stack([np.arange(d, dtype=np.int32), np.zeros(d, np.int32)])
    return tuple(Levels(up, np.stack([np.zeros(d, np.int64), np.ones(d, np.int64)])) for _ in range(m))


def solve(table):
    codes = np.array(table, np.int32)
    m = codes.shape[1]
    levels = stars(m, int(codes.max()) + 1)
    patterns = Mask().compile([f"c{j}" for j in range(m)], [1] * m)
    return optimal_classes(codes, np.ones(len(codes), np.int64), levels, patterns)


def test_gaps_add_up_and_the_closing_search_says_what_the_certificate_does_not_cover():
    copies = 5
    table = []
    for copy in range(copies):
        # Thirty equal columns tell the copies apart: no group mixes them.
        table.extend([*row, *[copy] * 30] for row in SEVEN)
    result = solve(table)
    assert result.optimal
    assert result.cost == 19 * copies
    # 18 2/3 a copy: the certificate can prove at most 94 of the 95.
    assert result.checked == 94
    assert result.bound == 95
