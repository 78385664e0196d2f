"""Which rows take part in the matching: the core, its exits, and the pools of equal rows that it can do without.

A type with more than `expand` copies, of which a group of its own costs nothing, is a *pool*. All other rows are
the *core*. A core row v may *exit* to its nearest pool t at the price 2 h(v, t), or, where fully suppressed rows
leave one by one, at the price of full suppression. The optimum over groups of core rows and exits is at most
that of the table: of each group keep its core part K; with two rows or more it costs no more, one row pays no
more by its exit, none pays nothing. Conversely a solution is a release of equal cost if the exits into each pool
number all its copies or leave at least two; else that type moves into the core, and so on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.solve.matching.all_pairs import nearest_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.matching.metric import Metric
    from incrowd.tables.values import Int64

__all__ = ["ActiveRows", "core_of", "exits_per_pool"]


@dataclass(frozen=True, eq=False)
class ActiveRows:
    """The matching problem proper.

    Attributes
    ----------
    metric : Metric
        Of the core rows.
    who : (n,) int64
        Row type of each.
    exits : (n,) int64
        Price of each row's exit; `far` where there is none.
    real : (n,) bool
        Whether it has one.
    goal : (n,) int64
        Type of the pool it exits to, -1: it is fully suppressed.
    far : int
        More than any solution costs.
    """

    metric: Metric
    who: Int64
    exits: Int64
    real: NDArray[np.bool_]
    goal: Int64
    far: int

    @property
    def n(self) -> int:
        """Rows of the core."""
        return int(self.who.size)


def core_of(
    types: Metric,
    counts: Int64,
    *,
    expand: int,
    unpooled: NDArray[np.bool_],
    full_exit: bool,
    pools: bool,
    watch: Watch | None = None,
) -> ActiveRows:
    """Split row types into core and pools.

    The metric `types` has one row per type; `counts` and `unpooled` are (t,). Types with at most `expand` copies are
    always core, types marked in `unpooled` have to be, and without `pools` everything is. `full_exit` says whether
    every row may leave by itself at the price of full suppression. Raises Stopped when the watch says so.
    """
    pooled = np.zeros(counts.size, np.bool_)
    if pools:
        alone = np.stack([np.arange(counts.size)] * 2 + [np.full(counts.size, -1)], axis=1)
        pooled = (counts > expand) & ~unpooled
        pooled[pooled] = types.costs(alone[pooled]) == 0
    who = np.repeat(np.arange(counts.size), np.where(pooled, 0, counts))
    metric = types.take(who)
    n = who.size
    far = (types.most + 1) * int(counts.sum()) + 1
    exits = np.full(n, far, np.int64)
    goal = np.full(n, -1, np.int64)
    if full_exit:
        exits[:] = types.most
    places = np.flatnonzero(pooled)
    if places.size and n:
        outside = types.take(places)
        nothing = np.zeros(places.size)
        skip = np.zeros(places.size, np.bool_)
        value, nearest = nearest_rows(outside, places, metric, who, nothing, skip, watch, spread=True, table=types)
        better = value < exits
        exits[better] = value[better].astype(np.int64)
        goal[better] = places[nearest[better]]
    return ActiveRows(metric, who, exits, exits < far, goal, far)


def exits_per_pool(core: ActiveRows, leaving: NDArray[np.integer], t: int) -> Int64:
    """Count the exits into each type, shape (t,); rows that are fully suppressed are not counted.

    `leaving` is (r,): the core rows that exit. `t` is the number of row types.
    """
    goal = core.goal[leaving]
    return np.bincount(goal[goal >= 0], minlength=t).astype(np.int64)
