"""That an integer program has no solution: a tree of linear programs whose leaves are checked in whole numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.milp import Linear, Program, rows_of

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.values import Int64

__all__ = ["impossible", "refutes"]

MOST_LEAVES = 200
WHOLE = 1 << 20  # multipliers are rounded to parts of this
NEAR = 1e-6


def impossible(matrix: Int64, sides: Int64, upper: Int64, watch: Watch, most: int = MOST_LEAVES) -> bool:
    """Return whether no whole x with 0 <= x <= upper and matrix @ x <= sides exists; True only with a proof.

    Parameters
    ----------
    matrix : (r, c) int64
    sides : (r,) int64
    upper : (c,) int64
    watch : Watch
        Ends it without a proof.
    most : int
        Boxes that are looked at, at most.

    Notes
    -----
    Boxes are split at a variable until multipliers refute each of them. The engine proposes multipliers (the duals of
    the least sum of violations) and where to split; neither is trusted: any multipliers that `refutes` accepts are a
    proof, and the boxes cover all whole x whatever is split.
    """
    rows, columns = matrix.shape
    linear = Linear(_elastic(matrix, sides, upper), presolve=False)
    names = np.arange(columns, dtype=np.int32)
    boxes = [(np.zeros(columns, np.int64), upper.astype(np.int64))]
    for _ in range(most):
        if not boxes:
            return True
        if watch.stopped:
            return False
        low, high = boxes.pop()
        linear.bound(names, low.astype(np.float64), high.astype(np.float64))
        answer = linear.solve(watch)
        if answer.x is None or answer.duals is None:
            return False
        multipliers = np.rint(np.clip(np.abs(answer.duals[:rows]), 0, 1) * WHOLE).astype(np.int64)
        if refutes(multipliers, matrix, sides, low, high):
            continue
        x = answer.x[:columns]
        away = np.abs(x - np.rint(x))
        at = int(np.argmax(away))
        if away[at] <= NEAR:
            return False  # a solution, or too near to one to tell
        left, right = high.copy(), low.copy()
        left[at], right[at] = int(np.floor(x[at])), int(np.floor(x[at])) + 1
        boxes += [(low, left), (right, high)]
    return not boxes


def refutes(multipliers: Int64, matrix: Int64, sides: Int64, low: Int64, high: Int64) -> bool:
    """Return whether multipliers of the rows prove that a box holds no solution, in whole numbers.

    Parameters
    ----------
    multipliers : (r,) int64
        At least 0, of at most 2^20.
    matrix : (r, c) int64
    sides : (r,) int64
    low, high : (c,) int64

    Notes
    -----
    Every solution has ``multipliers @ (matrix @ x - sides) <= 0``, so none is there if the left side is above 0 in the
    whole box. Entries are Python's own whole numbers, which do not overflow.
    """
    if (multipliers < 0).any():
        return False
    if (low > high).any():
        return True
    weights = (multipliers.astype(object) @ matrix.astype(object)).tolist()
    least = sum(
        weight * (below if weight > 0 else above)
        for weight, below, above in zip(weights, low.tolist(), high.tolist(), strict=True)
    )
    return bool(least > sum(a * b for a, b in zip(multipliers.tolist(), sides.tolist(), strict=True)))


def _elastic(matrix: Int64, sides: Int64, upper: Int64) -> Program:
    """Return the linear program of the least sum by which rows are violated."""
    rows, columns = matrix.shape
    at, column = np.nonzero(matrix)
    entries = (
        np.concatenate((at, np.arange(rows))),
        np.concatenate((column, columns + np.arange(rows))),
        np.concatenate((matrix[at, column].astype(np.float64), np.full(rows, -1.0))),
    )
    return Program(
        cost=np.concatenate((np.zeros(columns), np.ones(rows))),
        lower=np.zeros(columns + rows), upper=np.concatenate((upper.astype(np.float64), np.full(rows, np.inf))),
        whole=np.zeros(columns + rows, np.bool_), rows=rows_of([entries], [(np.full(rows, -np.inf), sides)]),
    )  # fmt: skip
