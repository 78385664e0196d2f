"""Rows of an integer program: on the values of groups, and on what all costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from incrowd.milp import Rows

if TYPE_CHECKING:
    from incrowd.milp import Program
    from incrowd.tables.solve.shared.strong_formulation import StrongFormulation

__all__ = ["cost_at_most", "stated"]

Float64 = NDArray[np.float64]


def stated(
    model: StrongFormulation,
    groups: NDArray[np.integer],
    values: Float64,
    opens: Float64,
    code: NDArray[np.integer],
) -> Rows:
    """Return the rows sum a_v c_v + b u <= 0 of some instances over the columns of a program.

    `groups` is (r,): the instance of each row. `values` is (r, v): the a_v. `opens` is (r,): the b; other than 0 only
    for instances that have a u. `code` is (p,): the value of the type of each pair of the model's instances. O(pairs of
    the instances) time and entries.
    """
    begins = model.instances.begins
    columns, entries, ends = [], [], [0]
    for g, row, b in zip(groups.tolist(), values, opens.tolist(), strict=True):
        pairs = np.arange(begins[g], begins[g + 1])
        own = row[code[pairs]]
        used = own != 0
        columns.append(pairs[used])
        entries.append(own[used])
        ends.append(ends[-1] + int(np.count_nonzero(used)))
        if b:
            columns.append(model.column[g : g + 1])
            entries.append(np.array([b]))
            ends[-1] += 1
    return Rows(
        np.array(ends, np.int32), np.concatenate(columns).astype(np.int32), np.concatenate(entries),
        np.full(len(groups), -np.inf), np.zeros(len(groups)),
    )  # fmt: skip


def cost_at_most(program: Program, pairs: int, limit: float) -> Rows:
    """Return the row that lets the first `pairs` columns of a program cost a limit at most, in the program's units."""
    columns = np.arange(pairs, dtype=np.int32)
    return Rows(np.array([0, pairs], np.int32), columns, program.cost[:pairs], np.array([-np.inf]), np.array([limit]))
