"""The strong integer program over listed instances.

    min  sum w_g x_ig
    (A)  sum_g x_ig = n_i          every type i
    (K)  sum_i x_ig >= k_g u_g     every instance g that needs a crowd
    (L)  x_ig <= n_i u_g           every pair of such an instance
    u_g 0 or 1, x_ig >= 0

x may be continuous: for fixed u the program is a transportation problem with lower bounds, whose matrix is
totally unimodular, so its vertices are whole. The literal program has one row sum_i x_ig <= n u_g instead of (L).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from incrowd.milp import Program, rows_of

if TYPE_CHECKING:
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Int64


Float64 = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class StrongFormulation:
    """A program with its columns' meaning: first the pairs of the list, then one u per crowd instance.

    `crowd`: (q,) int64, the instances that need a crowd; column ``pairs + y`` is the u of ``crowd[y]``. `column`: (g,)
    int64, column of each instance's u, -1 for a free one. `unit`: costs in the program are divided by it.
    """

    program: Program
    instances: Instances
    crowd: Int64
    column: Int64
    unit: int

    def point(self, rows: Int64) -> Float64:
        """Return the columns' values for given rows per pair."""
        used = np.zeros(self.instances.size)
        np.add.at(used, self.instances.owners, rows)
        return np.concatenate((rows.astype(np.float64), (used[self.crowd] > 0).astype(np.float64)))

    def read(self, x: Float64) -> tuple[Float64, Float64]:
        """Return the rows per pair, (p,), and how far each instance is open, (g,): 1 for a free one."""
        u = np.ones(self.instances.size)
        u[self.crowd] = x[self.instances.pairs :]
        return x[: self.instances.pairs], u

    def opened(self, x: Float64) -> NDArray[np.bool_]:
        """Return the instances that a solution opens, free ones included, shape (g,)."""
        opened = np.ones(self.instances.size, np.bool_)
        opened[self.crowd] = x[self.instances.pairs :] > 0.5
        return opened

    def with_open(self, opened: NDArray[np.bool_]) -> StrongFormulation:
        """Return the same with some instances, (g,) bool, open in every solution."""
        lower = self.program.lower.copy()
        lower[self.column[opened & (self.column >= 0)]] = 1.0
        return replace(self, program=replace(self.program, lower=lower))


def strong(
    instances: Instances,
    *,
    unit: int = 1,
    whole: bool = False,
    big: bool = False,
) -> StrongFormulation:
    """Set up the program.

    All costs are divided by `unit`. `whole` requires whole x, as the literal program does. `big` states one row sum_i
    x_ig <= n u_g per instance, as in the literal program, instead of one per pair. The program has pairs + instances
    columns, types + instances + pairs rows (types + 2 instances if `big`) and O(pairs) entries.
    """
    pairs, owners = instances.pairs, instances.owners.astype(np.int64)
    crowd = np.flatnonzero(instances.needs > 0)
    column = np.full(instances.size, -1, np.int64)
    column[crowd] = pairs + np.arange(crowd.size)
    place = np.full(instances.size, -1, np.int64)
    place[crowd] = np.arange(crowd.size)
    every = np.arange(pairs)
    bound = np.flatnonzero(place[owners] >= 0)
    whose = owners[bound]
    rows_there = instances.counts[instances.members].astype(np.float64)
    lines = np.arange(crowd.size)
    entries = [
        (instances.members.astype(np.int64), every, np.ones(pairs)),
        (
            np.concatenate((place[whose], lines)),
            np.concatenate((bound, column[crowd])),
            np.concatenate((np.ones(bound.size), -instances.needs[crowd].astype(np.float64))),
        ),
    ]
    total = instances.counts.astype(np.float64)
    bounds = [(total, total), (np.zeros(crowd.size), np.full(crowd.size, np.inf))]
    if big:
        everybody = np.full(crowd.size, -float(instances.counts.sum()))
        entries.append(
            (
                np.concatenate((place[whose], lines)),
                np.concatenate((bound, column[crowd])),
                np.concatenate((np.ones(bound.size), everybody)),
            )
        )
        bounds.append((np.full(crowd.size, -np.inf), np.zeros(crowd.size)))
    else:
        here = np.arange(bound.size)
        entries.append(
            (
                np.concatenate((here, here)),
                np.concatenate((bound, column[whose])),
                np.concatenate((np.ones(bound.size), -rows_there[bound])),
            )
        )
        bounds.append((np.full(bound.size, -np.inf), np.zeros(bound.size)))
    program = Program(
        cost=np.concatenate((instances.costs[owners] / unit, np.zeros(crowd.size))),
        lower=np.zeros(pairs + crowd.size),
        upper=np.concatenate((rows_there, np.ones(crowd.size))),
        whole=np.concatenate((np.full(pairs, whole), np.ones(crowd.size, np.bool_))),
        rows=rows_of(entries, bounds),
    )
    return StrongFormulation(program, instances, crowd, column, unit)
