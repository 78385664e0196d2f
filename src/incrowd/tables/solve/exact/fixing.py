"""Fixing by reduced costs: what is left of a component for releases up to a given cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.bounds import prices as kernel
from incrowd.milp import Rows, matrix_of, stacked
from incrowd.tables.solve.shared.instances import Instances

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.solve.bounds.lagrangian import Float64
    from incrowd.tables.solve.shared.strong_formulation import StrongFormulation
    from incrowd.tables.values import Int64


# What no release up to a limit has, by the duals of a component's linear program: instances and pairs left out.
#
# Rows are cuts, and under requirements theirs. Each added row sum a z <= b (or
# >= b) with a multiplier y of its sign holds for every release, so that a release z costs
#
#     c z >= y b + sum_i n_i p_i + sum over instances g of (what g comes to at costs c - p - y a, open or closed)
#
# for any prices p. What g comes to when it is open is at least its least over all classes of k rows, whatever their
# sensitive values. An instance (a pair) with which the sum exceeds the limit is closed (empty) in every release up to
# it; one without which it exceeds the limit is open.

# Parts of a program's unit that multipliers are cut into, at most, and what sums of them may come to.
PARTS, REDUCTION_MOST = 1 << 24, 2.0**60


@dataclass(frozen=True, slots=True, eq=False)
class Reduction:
    """What is left of a list.

    `places`: (p',) int64, for each pair of `instances` its place in the whole list. `ids`: (g',) int64, for each
    instance its number in the whole list. `opened`: (g',) bool, instances that are open in every release up to the
    limit.
    """

    instances: Instances
    places: Int64
    ids: Int64
    opened: NDArray[np.bool_]

    def rows(self, model: StrongFormulation, rows: Sequence[Rows]) -> list[Rows]:
        """Return rows over the columns of the whole list's program as rows over what is left of them."""
        if not rows:
            return []
        columns = model.column[self.ids]
        return [
            restricted(stacked(rows), len(model.program.cost), np.concatenate((self.places, columns[columns >= 0])))
        ]


def reduction(model: StrongFormulation, added: Sequence[Rows], duals: Float64, limit: float) -> Reduction:
    """Return what releases up to a limit, in the program's units, can have.

    `added` holds the rows that the linear program has beside the model's, in their order. `duals`, (r,), are those of
    all its rows; any numbers do: one of the wrong sign counts as 0. Nothing is left out where the numbers are too large
    for 62 bits. O(p log p) for p pairs, and the rows' entries. Multipliers are rounded to whole parts of a unit; what
    the rounding can come to over all rows of the table is added to the limit.
    """
    instances, pairs = model.instances, model.instances.pairs
    largest = float(np.abs(duals).max(initial=0.0)) + float(instances.costs.max(initial=0)) / model.unit
    constant, pull = 0.0, np.zeros(len(model.program.cost))
    if added:
        rows = stacked(added)
        y = duals[len(model.program.rows.lower) :]
        side = np.where(y < 0, rows.upper, rows.lower)
        y = np.where(np.isfinite(side), y, 0.0)
        constant = float(y @ np.where(y == 0, 0.0, side))
        pull = matrix_of(rows, pull.size).T @ y
    held = int(instances.counts.sum())
    largest = (largest + float(np.abs(pull).max(initial=0.0))) * (held + instances.size) + abs(constant) + abs(limit)
    parts = PARTS
    while parts > 1 and largest * parts >= REDUCTION_MOST:
        parts //= 2
    if largest * parts >= REDUCTION_MOST:
        every = np.arange(instances.size)
        return Reduction(instances, np.arange(pairs), every, np.zeros(every.size, np.bool_))
    prices = np.rint(duals[: instances.t] * parts).astype(np.int64)
    extra = np.rint(-pull[:pairs] * parts).astype(np.int64)
    fixed = np.zeros(instances.size, np.int64)
    fixed[model.crowd] = np.rint(-pull[pairs:] * parts).astype(np.int64)
    base = int((prices * instances.counts).sum()) + int(np.floor(constant * parts))
    most = int(np.ceil(limit * parts)) + held + instances.size + 2
    closed, opened, empty = kernel.ruled_out(
        instances.begins, instances.members, instances.counts, instances.costs // model.unit * parts, instances.needs,
        prices, extra, fixed, base, most,
    )  # fmt: skip
    rest, ids, places = without(instances, closed, empty)
    return Reduction(rest, places, ids, opened[ids])


def without(whole: Instances, closed: NDArray[np.bool_], empty: NDArray[np.bool_]) -> tuple[Instances, Int64, Int64]:
    """Return the list without some instances and pairs, and the places of what is left: instances, pairs."""
    pairs = ~(empty | closed[whole.owners])
    lengths = np.bincount(whole.owners[pairs], minlength=whole.size)
    keep = lengths > 0
    suppressed = whole.suppressed
    if suppressed >= 0:
        suppressed = int(np.count_nonzero(keep[:suppressed])) if keep[suppressed] else -1
    rest = Instances(
        whole.vectors[keep],
        whole.costs[keep],
        whole.needs[keep],
        np.concatenate(([0], np.cumsum(lengths[keep]))).astype(np.int64),
        whole.members[pairs],
        whole.counts,
        suppressed,
    )
    return rest, np.flatnonzero(keep).astype(np.int64), np.flatnonzero(pairs).astype(np.int64)


def restricted(rows: Rows, size: int, kept: Int64) -> Rows:
    """Return rows over some of `size` columns; those that say nothing then are left out.

    `size` is the number of columns that the rows are written over, and `kept`, (c,), are those that stay, rising.
    """
    matrix = matrix_of(rows, size)[:, kept]
    # a row without columns says something only where 0 is not within its sides
    said = (np.diff(matrix.indptr) > 0) | (rows.lower > 0) | (rows.upper < 0)
    matrix = matrix[said]
    return Rows(
        matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32), matrix.data, rows.lower[said], rows.upper[said]
    )  # fmt: skip
