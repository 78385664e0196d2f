"""A component's integer program over some of its columns: what a release up to a limit may have, or given instances."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.milp import Program, Rows, matrix_of, stacked
from incrowd.tables.solve.shared.under_requirements.program_rows import cost_at_most

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.milp import Answer
    from incrowd.tables.solve.bounds.lagrangian import Float64
    from incrowd.tables.solve.shared.strong_formulation import StrongFormulation
    from incrowd.tables.values import Int64

__all__ = ["columns_up_to", "over", "restricted", "up_to"]


def columns_up_to(answer: Answer, limit: float) -> Int64:
    """Return the columns that a solution up to a limit may use: the others' reduced costs alone exceed it.

    The answer is the linear program's, with reduced costs, and the limit is in the program's units.
    """
    assert answer.x is not None
    assert answer.reduced is not None
    return np.flatnonzero((answer.x > 1e-9) | (answer.reduced <= _room(answer, limit)))


def up_to(model: StrongFormulation, more: Sequence[Rows], answer: Answer, limit: float) -> tuple[Program, Int64]:
    """Return the program over releases up to a limit, and the places of its columns.

    Instances without which a release exceeds the limit are open in it. `more` holds the rows beside the formulation's
    own, and `answer` is that of the linear program with these rows: its point and its reduced costs. `limit` is the
    highest cost, in the program's unit.
    """
    base, pairs = model.program, model.instances.pairs
    kept = columns_up_to(answer, limit)
    assert answer.x is not None
    assert answer.reduced is not None
    lower = base.lower.copy()
    full = (answer.x[pairs:] >= 1 - 1e-9) & (-answer.reduced[pairs:] > _room(answer, limit))
    lower[pairs:][full] = 1.0
    return over(base, (*more, cost_at_most(base, pairs, limit + 1e-6)), kept, lower, base.upper), kept


def over(base: Program, more: Sequence[Rows], kept: Int64, lower: Float64, upper: Float64) -> Program:
    """Return a program over some of its columns, the others 0, with more rows and other sides of the columns.

    `kept`, (c',), are the columns that stay, increasing; `more`, `lower` and `upper`, (c,), are over all columns.
    """
    rows = restricted(stacked((base.rows, *more)), len(base.cost), kept)
    return Program(base.cost[kept], lower[kept], upper[kept], base.whole[kept], rows)


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


def _room(answer: Answer, limit: float) -> float:
    """Return what a solution up to a limit may cost more than the linear program, with a margin for its floats."""
    return limit - answer.bound + 1e-4 + 1e-7 * abs(answer.bound)
