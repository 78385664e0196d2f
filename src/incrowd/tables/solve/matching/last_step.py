"""The last step: a whole-number solution at the bound, or the proof that there is none.

A solution of cost at most c uses only columns with rc <= c - LB. So for c = the bound rounded up, and one more,
... the columns up to that threshold are listed and an integer program over them is solved. If it can be met
without groups that leave A, that is an optimum; if it cannot even be met with them, c + 1 is a bound (on the
word of the integer program).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.matching import columns as matching_columns
from incrowd.kernels.matching.repair import EXIT, PAIR, TRIPLE
from incrowd.milp import Outcome, Program, Rows
from incrowd.milp.matching_lp import whole
from incrowd.tables.solve.matching import tuning
from incrowd.tables.solve.matching.limits import LISTED, TooMany
from incrowd.tables.solve.matching.odd_set_lp import BOUNDARY, GROUP, NOWHERE, OddSetProgram

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.values import Int8, Int64

__all__ = ["ClaimsAnswer", "Columns", "columns_within", "leaving", "settle", "whole_numbers"]


class ClaimsAnswer(Enum):
    """What the integer program said."""

    FOUND = "found"
    NONE = "none"
    UNKNOWN = "unknown"


@dataclass(frozen=True, eq=False)
class Columns:
    """Columns of the integer program.

    Attributes
    ----------
    groups : (c, 3) int64
        Rows by position in the region, -1 filling up.
    costs : (c,) int64
        Cost of each whole group, in units of the divisor.
    kind : (c,) int8
        GROUP, LEAVE, BOUNDARY or NOWHERE.
    """

    groups: Int64
    costs: Int64
    kind: Int8

    def pick(self, mask: NDArray[np.bool_]) -> Columns:
        """Return those that the mask, (c,) bool, marks."""
        return Columns(self.groups[mask], self.costs[mask], self.kind[mask])


def columns_within(region: OddSetProgram, gap: float) -> Columns | None:
    """List all columns of the region with reduced cost at most `gap`.

    None is returned where there are more than 8 million pairs or triples. The `region` is solved, and `gap` is at least
    0, in units of the divisor. Raises Stopped when the watch says so.
    """
    lifted, sets = region.lifted(), region.membership()
    everyone = np.arange(region.size)
    try:
        left, right, costs = region.pairs(lifted, sets, -2 * gap - 1e-9, everyone, True, limit=LISTED)
    except TooMany:
        return None
    pairs = np.column_stack((left, right, np.full(left.size, -1, np.int64)))
    inner = region.set_triples(lifted, sets, gap)
    others = region.triples(left, right, lifted, sets, gap, LISTED + 1)
    if len(inner) + len(others) > LISTED:
        return None
    triples = np.concatenate((others, inner))
    if len(triples):
        triples = np.unique(np.sort(triples, axis=1), axis=0)
    groups = np.concatenate((pairs, triples))
    total = np.concatenate((2 * costs, 3 * region.metric.costs(triples)))
    other = region.kind != GROUP
    groups = np.concatenate((groups, region.groups[other]))
    total = np.concatenate((total, region.costs[other]))
    kind = np.concatenate((np.full(len(pairs) + len(triples), GROUP, np.int8), region.kind[other]))
    rc = matching_columns.reduced(groups, total, lifted, *sets)
    found = Columns(groups, total, kind)
    return found.pick((rc <= gap + 1e-9) & ~((kind == BOUNDARY) & (total >= region.core.far)))


def whole_numbers(
    region: OddSetProgram, columns: Columns, most: int, watch: Watch, *, nodes: int | None = None, stay: bool = False
) -> tuple[ClaimsAnswer, NDArray[np.int64], int]:
    """Choose columns that hold every row of the region once, at total cost at most `most`.

    What is returned says whether they exist, which they are, shape (c,), and what they cost (recounted). With `stay`,
    solutions that do not leave the region are preferred.
    """
    none = np.zeros(0, np.int64)
    n, count = region.size, len(columns.groups)
    base = int(region.start[region.rows].sum())
    prices = np.where(columns.groups >= 0, region.start[region.rows[columns.groups]], 0).sum(axis=1)
    used = np.flatnonzero(region.z > 1e-9)
    column, place = np.nonzero(columns.groups >= 0)
    line_parts, column_parts = [columns.groups[column, place]], [column]
    for k, s in enumerate(used):
        mark = np.zeros(n + 1, np.bool_)
        mark[region.sets[s]] = True
        odd = np.flatnonzero(matching_columns.odd(columns.groups, mark))
        line_parts.append(np.full(odd.size, n + k, np.int64))
        column_parts.append(odd)
    row_of, column_of = np.concatenate(line_parts), np.concatenate(column_parts)
    if (np.bincount(row_of, minlength=n)[:n] == 0).any():
        return ClaimsAnswer.NONE, none, 0
    order = np.argsort(row_of, kind="stable")
    begins = np.concatenate(([0], np.cumsum(np.bincount(row_of, minlength=n + used.size)))).astype(np.int32)
    rows = Rows(
        begins, column_of[order].astype(np.int32), np.ones(order.size),
        np.ones(n + used.size), np.concatenate((np.ones(n), np.full(used.size, np.inf))),
    )  # fmt: skip
    cost = (columns.costs - prices).astype(np.float64)
    if stay:
        cost[(columns.kind == BOUNDARY) | (columns.kind == NOWHERE)] += tuning.DEFAULT.leaving_cost
    program = Program(cost, np.zeros(count), np.ones(count), np.ones(count, np.bool_), rows)
    answer = whole(program, watch=watch, nodes=nodes, abs_gap=2 * tuning.DEFAULT.leaving_cost if stay else 0.999)
    if answer.x is not None:
        chosen = np.flatnonzero(answer.x > 0.5)
        cost = int(columns.costs[chosen].sum())
        members = columns.groups[chosen]
        hit = np.bincount(members[members >= 0], minlength=n)
        if (hit == 1).all() and cost <= most:
            return ClaimsAnswer.FOUND, chosen, cost
    proven = answer.outcome is Outcome.INFEASIBLE or (
        answer.outcome is Outcome.OPTIMAL and not stay and answer.bound + base > most + 1e-6
    )
    return (ClaimsAnswer.NONE if proven else ClaimsAnswer.UNKNOWN), none, 0


def leaving(columns: Columns, chosen: Int64) -> Int64:
    """Return the rows whose chosen column leaves the region, as positions in the region, shape (r,).

    `chosen` is (s,): the indices of the chosen columns.
    """
    out = chosen[(columns.kind[chosen] == BOUNDARY) | (columns.kind[chosen] == NOWHERE)]
    rows: Int64 = columns.groups[out, 0]
    return rows


def settle(region: OddSetProgram, columns: Columns, chosen: Int64, kind: Int8, mate: NDArray[np.int32]) -> None:
    """Write the chosen groups into the arrays over the whole core.

    The `columns` are of that region, and `chosen` is (s,): the indices of the chosen ones, none of which leaves the
    region. `kind`, (n,), and `mate`, (n, 2), are changed in place.
    """
    for at in chosen:
        members = [int(region.rows[v]) for v in columns.groups[at] if v >= 0]
        shape = {1: EXIT, 2: PAIR, 3: TRIPLE}[len(members)]
        for v in members:
            others = [u for u in members if u != v] + [-1, -1]
            kind[v], mate[v] = shape, others[:2]
