"""From the permutation to groups: cut its cycles, repair what is left over, and the quick release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels import matching_assign, matching_repair
from incrowd.kernels.matching_repair import EXIT, EXPOSED, PAIR, TRIPLE
from incrowd.tables.solve.matching.pricing import NO_SETS, cheap_pairs

if TYPE_CHECKING:
    from incrowd.tables.solve.matching.core import Core
    from incrowd.tables.solve.matching.relax import Relaxed
    from incrowd.tables.values import Int8, Int32, Int64

__all__ = ["Groups", "cost_of", "groups_of", "quick", "repaired"]

LIMIT = 4000


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
        Search trees and blossoms of the exposed rows, see `matching_repair.repair`.
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


def repaired(core: Core, relaxed: Relaxed) -> Groups:
    """Return groups made of pairs, triples and exits that cost what their prices say, and the rows left over."""
    left, right, costs = cheap_pairs(core.metric, relaxed.y.astype(np.float64), -0.5, 0, NO_SETS, 8 * core.n)
    ptr, adj, _ = matching_assign.symmetric(core.n, left, right, costs)

    def attempt(flat: object, _: object) -> tuple[Int8, Int32, Int32, Int32]:
        kind, mate = matching_repair.cycles(flat, relaxed.y, core.exits, core.real, relaxed.column)
        tree, home, _left = matching_repair.repair(flat, relaxed.y, core.exits, core.real, ptr, adj, kind, mate, LIMIT)
        return kind, mate, tree, home

    kind, mate, tree, home = core.metric.settled(attempt)
    return Groups(kind, mate, tree, home, ptr, adj)


def quick(core: Core, groups: Groups) -> tuple[Int8, Int32] | None:
    """Put every exposed row where it costs least; None if one finds no place."""

    def attempt(flat: object, _: object) -> tuple[Int8, Int32, int]:
        kind, mate = groups.kind.copy(), groups.mate.copy()
        homeless = matching_repair.cheapest_home(flat, core.exits, core.real, kind, mate)
        return kind, mate, homeless

    kind, mate, homeless = core.metric.settled(attempt)
    return None if homeless else (kind, mate)


def groups_of(kind: Int8, mate: Int32) -> tuple[Int64, Int64]:
    """Return the pairs and triples as lines (u, v, w), w = -1 for a pair, and the rows in exits."""
    n = kind.size
    own = np.arange(n)
    first_of_pair = (kind == PAIR) & (own < mate[:, 0])
    first_of_triple = (kind == TRIPLE) & (own < mate[:, 0]) & (own < mate[:, 1])
    chosen = np.flatnonzero(first_of_pair | first_of_triple)
    lines = np.column_stack((chosen, mate[chosen].astype(np.int64)))
    return lines, np.flatnonzero(kind == EXIT)


def cost_of(core: Core, kind: Int8, mate: Int32) -> int:
    """Return what groups and exits cost in all."""
    lines, leaving = groups_of(kind, mate)
    each = core.metric.costs(lines) * np.where(lines[:, 2] < 0, 2, 3)
    return int(each.sum()) + int(core.exits[leaving].sum())
