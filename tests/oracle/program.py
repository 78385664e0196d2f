"""The least release of some dozens of rows, as an integer program over row types and what they may show.

For k rows a class, hierarchies, masks, weights and both rules about outliers; of rules those that bound shares of values
(``l-diversity`` by frequency, ``alpha-k``), as linear rows. It is written out plainly and solved by HiGHS through SciPy.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from oracle.tables import STARRED


def least(asked, shares=None):
    """The least cost; None if there is no release. `shares`: (column, greatest share of a value in a class)."""
    column = None if shares is None else asked.columns.index(shares[0])
    types = Counter(
        (cells, None if column is None else row[column]) for cells, row in zip(asked.cells, asked.rows, strict=True)
    )
    groups = defaultdict(list)
    for t, (cells, _) in enumerate(types):
        for vector in asked.vectors:
            groups[vector, asked.row_shown(cells, vector)].append((t, int(asked.row_cost(cells, vector) * asked.scale)))
    counts = list(types.values())
    pairs, opened, rows = [], [], []  # rows: (terms by variable, low, up)
    for (_, shown), members in groups.items():
        free = asked.suppress and set(shown) == {STARRED}
        if not free and sum(counts[t] for t, _ in members) < asked.k:
            continue
        opened.append((members, free))
        pairs += [(len(opened) - 1, t, cost) for t, cost in members]
    n = len(pairs)
    by_type, by_group = defaultdict(list), defaultdict(list)
    for v, (g, t, _) in enumerate(pairs):
        by_type[t].append(v)
        by_group[g].append(v)
    if len(by_type) < len(counts):
        return None
    for t, mine in by_type.items():
        rows.append((dict.fromkeys(mine, 1), counts[t], counts[t]))
    for g, mine in by_group.items():
        if not opened[g][1]:
            rows.append(({**dict.fromkeys(mine, 1), n + g: -asked.k}, 0, np.inf))
            rows += [({v: 1, n + g: -counts[pairs[v][1]]}, -np.inf, 0) for v in mine]
        if shares is not None:
            kinds = list(types)
            for value in {kinds[pairs[v][1]][1] for v in mine}:
                terms = {v: (kinds[pairs[v][1]][1] == value) - float(shares[1]) for v in mine}
                rows.append((terms, -np.inf, 1e-9))
    whole = n + len(opened)
    at = [(r, v, x) for r, (terms, _, _) in enumerate(rows) for v, x in terms.items()]
    matrix = csr_array(
        ([x for _, _, x in at], ([r for r, _, _ in at], [v for _, v, _ in at])), shape=(len(rows), whole)
    )
    found = milp(
        [cost for _, _, cost in pairs] + [0] * len(opened),
        constraints=LinearConstraint(matrix, [low for _, low, _ in rows], [up for _, _, up in rows]),
        bounds=Bounds(0, [counts[t] for _, t, _ in pairs] + [1] * len(opened)),
        integrality=np.ones(whole),
        options={"mip_rel_gap": 0, "time_limit": 100},
    )
    assert found.status in (0, 2), "the program was not solved in time"
    return Fraction(round(found.fun), asked.scale) if found.status == 0 else None
