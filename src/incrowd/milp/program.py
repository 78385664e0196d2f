"""What goes to the adapter and what comes back, in arrays."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

if TYPE_CHECKING:
    from collections.abc import Sequence


Float64 = NDArray[np.float64]
Int32 = NDArray[np.int32]


class Outcome(Enum):
    """How a solve ended; every status of the engine maps to one of these.

    ``CUTOFF``: the engine says that no solution is better than the cutoff given to it.
    """

    OPTIMAL = "optimal"
    INFEASIBLE = "infeasible"
    CUTOFF = "cutoff"
    TIME_LIMIT = "time limit"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Constraints ``lower <= A x <= upper``, A in compressed rows.

    `begins`: (r + 1,) int32. `columns`: (z,) int32. `values`: (z,) float64. `lower`, `upper`: (r,) float64.
    """

    begins: Int32
    columns: Int32
    values: Float64
    lower: Float64
    upper: Float64


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """Minimise ``cost @ x + offset`` over ``lower <= x <= upper`` and the rows; some x whole.

    `cost`, `lower`, `upper`: (c,) float64. `whole`: (c,) bool.
    """

    cost: Float64
    lower: Float64
    upper: Float64
    whole: NDArray[np.bool_]
    rows: Rows
    offset: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What came back; nothing of it is a proof before it was recounted.

    `x`: (c,) float64 or None, the best solution found. `bound`: what the engine says no solution is below (minus
    infinity: nothing). `duals`: (r,) float64 or None, row duals of a linear program.
    """

    outcome: Outcome
    x: Float64 | None = None
    bound: float = -np.inf
    duals: Float64 | None = None


def unanswered(interrupted: bool) -> Answer:
    """Return what is known of a run that was left behind: nothing, but why.

    `interrupted` tells whether it was an interruption; else the time was over.
    """
    return Answer(Outcome.INTERRUPTED if interrupted else Outcome.TIME_LIMIT)


def rows_of(
    entries: Sequence[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]],
    bounds: Sequence[tuple[NDArray[Any], NDArray[Any]]],
) -> Rows:
    """Stack blocks of constraints given by coordinates.

    `entries` has per block the rows, columns and values of its entries, rows counted from 0 within the block; `bounds`
    has per block its sides, lower and upper.
    """
    first = 0
    rows, columns, values = [], [], []
    for (row, column, value), (lower, _) in zip(entries, bounds, strict=True):
        rows.append(np.asarray(row, np.int64) + first)
        columns.append(np.asarray(column, np.int32))
        values.append(np.asarray(value, np.float64))
        first += len(lower)
    row = np.concatenate(rows)
    order = np.argsort(row, kind="stable")
    begins = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=first)))).astype(np.int32)
    return Rows(
        begins,
        np.concatenate(columns)[order],
        np.concatenate(values)[order],
        np.concatenate([np.asarray(lower, np.float64) for lower, _ in bounds]),
        np.concatenate([np.asarray(upper, np.float64) for _, upper in bounds]),
    )


def stacked(parts: Sequence[Rows]) -> Rows:
    """Return the rows of all parts, one below the other; there is at least one part, and all have the same columns."""
    lengths = np.concatenate([np.diff(part.begins) for part in parts])
    return Rows(
        np.concatenate(([0], np.cumsum(lengths))).astype(np.int32),
        np.concatenate([part.columns for part in parts]),
        np.concatenate([part.values for part in parts]),
        np.concatenate([part.lower for part in parts]),
        np.concatenate([part.upper for part in parts]),
    )


def matrix_of(rows: Rows, columns: int) -> csr_matrix:
    """Return the A of rows, shape (r, columns) for the columns of the program; it shares their arrays."""
    return csr_matrix((rows.values, rows.columns, rows.begins), shape=(len(rows.lower), columns))
