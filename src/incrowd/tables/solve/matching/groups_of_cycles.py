"""From the permutation to groups: cut its cycles, repair what is left over, and the quick release."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.matching import assign, repair
from incrowd.kernels.matching.repair import EXIT, EXPOSED, PAIR, TRIPLE
from incrowd.tables.solve.matching import tuning
from incrowd.tables.solve.matching.all_pairs import NO_SETS, cheap_pairs
from incrowd.tables.solve.matching.limits import Stopped, ask, late, per_row, slices

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.solve.matching.active_rows import ActiveRows
    from incrowd.tables.solve.matching.assignment_relaxation import Relaxed
    from incrowd.tables.values import Int8, Int32, Int64

__all__ = ["Groups", "cost_of", "groups_of", "quick", "repaired"]

# Between two looks at the watch: pairs in the search for groups, and lines of rows looked at for a home.
PAIRS, LOOKED = 20_000_000, 2_000_000
# Slices of such looks that are still begun where the time is over: some tenths of a second.
LATE = 10


@dataclass(frozen=True, eq=False)
class Groups:
    """Every core row's group.

    Attributes
    ----------
    kind : (n,) int8
        EXPOSED (none yet), PAIR, EXIT or TRIPLE.
    mate : (n, 2) int32
        The others of the group, -1 for none.
    tree, home : (n,) int32
        Search trees and blossoms of the exposed rows, see `repair.repair_some`.
    ptr, adj : the tight pairs
    """

    kind: Int8
    mate: Int32
    tree: Int32
    home: Int32
    ptr: Int64
    adj: Int32

    @property
    def exposed(self) -> Int64:
        """Rows without a group."""
        return np.flatnonzero(self.kind == EXPOSED)


def repaired(core: ActiveRows, relaxed: Relaxed, watch: Watch) -> Groups:
    """Return groups made of pairs, triples and exits that cost what their prices say, and the rows left over.

    `relaxed` has prices and a permutation of the same core. Of the pairs that cost what their prices say, rows with
    very many list some of them only. When the watch says stop, more rows are left.
    """
    n = core.n
    nothing = np.zeros(0, np.int32)
    left, right, costs = nothing, nothing, np.zeros(0, np.int64)
    if (relaxed.column < 0).any():
        return _nobody(n)
    if relaxed.done:
        with contextlib.suppress(Stopped):
            left, right, costs = cheap_pairs(
                core.metric, relaxed.y.astype(np.float64), -0.5, 0, NO_SETS, 8 * n, watch, most=per_row(n)
            )
    ptr, adj, _ = assign.symmetric(n, left, right, costs)

    most = tuning.DEFAULT.repair_rows

    def attempt(flat: object, _: object) -> tuple[Int8, Int32, Int32, Int32]:
        kind, mate = repair.cycles(flat, relaxed.y, core.exits, core.real, relaxed.column)
        tree, home = np.zeros(n, np.int32), np.arange(n).astype(np.int32)
        state = np.zeros(3, np.int64)
        while not watch.stopped and not repair.repair_some(
            flat, relaxed.y, core.exits, core.real, ptr, adj, kind, mate, most, tree, home, state, PAIRS
        ):
            pass
        return kind, mate, tree, home

    kind, mate, tree, home = core.metric.settled(attempt)
    return Groups(kind, mate, tree, home, ptr, adj)


def _nobody(n: int) -> Groups:
    """Return groups that hold no row."""
    return Groups(
        np.full(n, EXPOSED, np.int8), np.full((n, 2), -1, np.int32),
        np.zeros(n, np.int32), np.arange(n).astype(np.int32), np.zeros(n + 1, np.int64), np.zeros(0, np.int32),
    )  # fmt: skip


def quick(core: ActiveRows, groups: Groups, watch: Watch) -> tuple[Int8, Int32] | None:
    """Put every row without a group where it costs least, and return `kind` and `mate` as in `Groups`.

    They are (n,) and (n, 2); None instead of both if a row finds no place, or there is no time. The `groups` are left
    as they are. O(n L) steps for each row without a group.
    """
    exposed = groups.exposed
    each = core.n * max(core.metric.rows.shape[1], 1)
    runs = slices(np.full(exposed.size, each), LOOKED)
    if len(runs) > LATE and watch.stopped:
        return None
    if len(runs) > 1:
        watch = late(watch)

    def attempt(flat: object, _: object) -> tuple[Int8, Int32, int]:
        kind, mate = groups.kind.copy(), groups.mate.copy()
        homeless = 0
        for first, last in runs:
            if first:
                ask(watch)
            homeless += repair.cheapest_home(flat, core.exits, core.real, kind, mate, exposed[first:last])
        return kind, mate, homeless

    try:
        kind, mate, homeless = core.metric.settled(attempt)
    except Stopped:
        return None
    return None if homeless else (kind, mate)


def groups_of(kind: Int8, mate: Int32) -> tuple[Int64, Int64]:
    """List the groups, as lines (u, v, w) of rows with w = -1 for a pair, and the rows in exits.

    The groups are (g, 3), pairs and triples, and the exits (e,). `kind` is (n,) and `mate` (n, 2), as in `Groups`.
    """
    n = kind.size
    own = np.arange(n)
    first_of_pair = (kind == PAIR) & (own < mate[:, 0])
    first_of_triple = (kind == TRIPLE) & (own < mate[:, 0]) & (own < mate[:, 1])
    chosen = np.flatnonzero(first_of_pair | first_of_triple)
    lines = np.column_stack((chosen, mate[chosen].astype(np.int64)))
    return lines, np.flatnonzero(kind == EXIT)


def cost_of(core: ActiveRows, kind: Int8, mate: Int32) -> int:
    """Return what groups and exits cost in all, in units of the divisor.

    `kind` is (n,) and `mate` (n, 2), as in `Groups`.
    """
    lines, leaving = groups_of(kind, mate)
    each = core.metric.costs(lines) * np.where(lines[:, 2] < 0, 2, 3)
    return int(each.sum()) + int(core.exits[leaving].sum())
