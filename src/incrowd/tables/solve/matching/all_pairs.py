"""All pairs of the core, in pieces and on all cores."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from incrowd.kernels.matching import columns
from incrowd.kernels.matching import metric as matching_metric
from incrowd.tables.solve.matching.tuning import Stopped, TooMany, ask, slices
from incrowd.tables.values import Int32, Int64

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from incrowd.progress import Watch
    from incrowd.tables.solve.matching.metric import Metric

# Sets per row and their z: (mptr, mids, z).
Sets = tuple[Int64, Int64, NDArray[np.float64]]
NO_SETS: Sets = (np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0))


def sets_by_row(n: int, sets: Sequence[Int64], z: NDArray[np.float64]) -> Sets:
    """Return sets, each given by its rows of 0 to n - 1, as the sets per row, with their z."""
    rows = np.concatenate([np.zeros(0, np.int64), *sets])
    which = np.repeat(np.arange(len(sets)), [some.size for some in sets])[np.argsort(rows, kind="stable")]
    return np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=n)))), which, z


def _held(sets: Sets) -> csr_array:
    """Return which sets hold each row, shape (n, s)."""
    mptr, mids, z = sets
    return csr_array((np.ones(mids.size, np.int64), mids, mptr), shape=(mptr.size - 1, z.size))


def odd_sets_of(classes: Int64, sets: Sets) -> csr_array:
    """Return which sets hold an odd number of each class's rows, shape (g, s); `classes` is (g, 3), -1 filling up."""
    inside = classes >= 0
    shape = (len(classes), sets[0].size - 1)
    found = csr_array((np.ones(int(inside.sum()), np.int64), (inside.nonzero()[0], classes[inside])), shape=shape)
    found = found @ _held(sets)
    found.data %= 2
    found.eliminate_zeros()
    return found


def reduced(classes: Int64, costs: NDArray[Any], lifted: NDArray[np.float64], sets: Sets) -> NDArray[np.float64]:
    """Return the reduced costs of classes, (g,): costs - y - z (sets that hold an odd number of their rows).

    `costs`, (g,), is what each whole class costs, and `lifted`, (n,), is the y of each row plus the z of its sets.
    Exact where the numbers are integers below 2^52 in a common power of two.
    """
    y = np.append(lifted - _held(sets) @ sets[2], 0.0)
    found: NDArray[np.float64] = costs - y[classes].sum(axis=1) - odd_sets_of(classes, sets) @ sets[2]
    return found


# Bytes of codes that a piece reads: some tenths of a second.
PIECE = 300_000_000
# What looking up a pair's cost under a mask takes beside, in such bytes: in a table, in a hash table.
LOOKING: dict[int, int] = {matching_metric.SUM: 0, matching_metric.TABLE: 8, matching_metric.HASH: 256}

Piece = TypeVar("Piece")


def _per_pair(metric: Metric) -> int:
    """Return what a pair takes, in bytes read."""
    return max(len(metric.codes), 1) * int(metric.codes.itemsize) + LOOKING[metric.mode]


def _runs(metric: Metric, pairs: NDArray[Any]) -> list[tuple[int, int]]:
    """Cut rows that look at so many others each into pieces."""
    return slices(pairs, max(PIECE // _per_pair(metric), 1))


def near_rows(metric: Metric, neighbours: int, watch: Watch) -> tuple[Int32, Int64]:
    """Find the cheapest partners of every row, by rising cost, and the cost per row of these pairs.

    Both arrays are (n, neighbours) for the n rows of the metric. Where a row has fewer partners, or no time was left,
    the partner is -1 and the cost FAR. `neighbours` is at least 1. When the watch says stop, the rows not looked at yet
    get no partner. O(n^2 L) steps, on all cores.
    """
    n = metric.n
    runs = _runs(metric, np.full(n, n))

    def look(at: int) -> tuple[Int32, Int64]:
        low, high = runs[at]
        try:
            if at:
                ask(watch)
            found: tuple[Int32, Int64] = metric.settled(
                lambda flat, wide: columns.knn(wide, flat, neighbours, low, high), watch
            )
        except Stopped:
            return (
                np.full((high - low, neighbours), -1, np.int32),
                np.full((high - low, neighbours), matching_metric.FAR, np.int64),
            )
        return found

    parts = _each(metric, look, len(runs))
    nothing = np.zeros((0, neighbours), np.int64)
    return (
        np.concatenate([nothing.astype(np.int32), *(p[0] for p in parts)]),
        np.concatenate([nothing, *(p[1] for p in parts)]),
    )


def nearest_rows(
    where: Metric,
    others: Int64,
    looking: Metric,
    rows: Int64,
    prices: NDArray[np.float64],
    skip: NDArray[np.bool_],
    watch: Watch | None,
    *,
    spread: bool,
    table: Metric,
) -> tuple[NDArray[np.float64], Int32]:
    """Find for each row of `looking` the least 2 h - y over the rows of `where`, and the row that has it.

    Both arrays are (rows.size,); the least is infinite where nothing is allowed, and the row of `where` is -1 for none.
    `table` holds all these rows, and the costs under a mask. Row t of `where` is its row ``others[t]``, and row r of
    `looking` its row ``rows[r]``. `prices` and `skip` have an entry for each row of `where`: the y, and whether to
    leave the row out. `spread` starts the walk elsewhere for each row, so that ties are spread. Raises Stopped when the
    watch says so.
    """
    wide, mine = where.wide, looking.wide

    def look(first: int, last: int) -> tuple[NDArray[np.float64], Int32]:
        ask(watch)
        found: tuple[NDArray[np.float64], Int32] = table.settled(
            lambda flat, _: columns.nearest(
                _again(wide, table), flat, mine, rows, others, prices, skip, spread, first, last
            ),
            watch,
        )
        return found

    parts = [look(*run) for run in _runs(where, np.full(rows.size, where.n))]
    return (
        np.concatenate([np.zeros(0), *(p[0] for p in parts)]),
        np.concatenate([np.zeros(0, np.int32), *(p[1] for p in parts)]),
    )


def _again(wide: Any, metric: Metric) -> Any:
    """Return a record with the costs as they are held now."""
    return wide if metric.table is None else wide._replace(values=metric.table.values, wanted=metric.table.wanted)


def cheap_pairs(
    metric: Metric,
    prices: NDArray[np.float64],
    floor: float,
    cap: int,
    sets: Sets,
    room: int,
    watch: Watch | None = None,
    *,
    most: int = 0,
    limit: int = 0,
    rows: Int64 | None = None,
    later: bool = True,
) -> tuple[Int32, Int32, Int64]:
    """Return pairs with y_u + y_v - 2 h - 2 (z of sets with both) > `floor`, and their h.

    `prices` is (n,): the price of each row plus the z of its sets. `rows` is (r,): the u to look at (default: every
    row); with `later` only v > u are looked at, else all others. At most `cap` pairs are listed per row and block, and
    at most `most` (the largest) per row; 0 means all. `room` is the number of pairs expected; more only take longer.
    Raises Stopped when the watch says so; nothing is known then of the pairs not looked at. Raises TooMany when there
    are more than `limit` pairs in all (0: any number).
    """
    n = metric.n
    who = np.arange(n) if rows is None else rows
    runs = _runs(metric, n - who if later else np.full(who.size, n))
    counts = [0] * len(runs)

    def look(at: int) -> tuple[Int32, Int32, Int64]:
        mine = who[slice(*runs[at])]
        space = room // len(runs) + 1024
        while True:
            ask(watch)
            call = _price(prices, floor, (cap, most), sets, mine, later, space)
            left, right, costs, count = metric.settled(call, watch)
            counts[at] = count
            if limit and sum(counts) > limit:
                raise TooMany
            if count <= space:
                # The lists keep what they need, not the room they had.
                return left.copy(), right.copy(), costs.copy()
            space = count

    parts = _each(metric, look, len(runs))
    if len(parts) == 1:
        return parts[0]
    return (
        np.concatenate([np.zeros(0, np.int32), *(p[0] for p in parts)]),
        np.concatenate([np.zeros(0, np.int32), *(p[1] for p in parts)]),
        np.concatenate([np.zeros(0, np.int64), *(p[2] for p in parts)]),
    )


def _price(
    prices: NDArray[np.float64],
    floor: float,
    caps: tuple[int, int],
    sets: Sets,
    rows: Int64,
    later: bool,
    space: int,
) -> Callable[[Any, Any], tuple[Int32, Int32, Int64, int]]:
    def call(flat: Any, wide: Any) -> tuple[Int32, Int32, Int64, int]:
        found: tuple[Int32, Int32, Int64, int] = columns.price(
            wide, flat, prices, floor, *caps, *sets, rows, later, space
        )
        return found

    return call


def _each(metric: Metric, look: Callable[[int], Piece], pieces: int) -> list[Piece]:
    """Do the pieces on all cores; one after another under a mask, where costs still unknown are noted."""
    cores = os.cpu_count() or 1
    if metric.table is not None or pieces <= 1 or cores == 1:
        return [look(at) for at in range(pieces)]
    with ThreadPoolExecutor(cores) as pool:
        return list(pool.map(look, range(pieces)))


# Which rows take part in the matching: the core, its exits, and the pools of equal rows that it can do without.
#
# A type with more than `expand` copies, of which a class of its own costs nothing, is a *pool*. All other rows are the
# *core*. A core row v may *exit* to its nearest pool t at the price 2 h(v, t), or, where fully suppressed rows leave
# one by one, at the price of full suppression. The optimum over classes of core rows and exits is at most that of the
# table: of each class keep its core part K; with two rows or more it costs no more, one row pays no more by its exit,
# none pays nothing. Conversely a solution is a release of equal cost if the exits into each pool number all its copies
# or leave at least two; else that type moves into the core, and so on.
@dataclass(frozen=True, eq=False)
class ActiveRows:
    """The matching problem proper.

    `metric`: of the core rows. `who`: (n,) int64, row type of each. `exits`: (n,) int64, price of each row's exit;
    `far` where there is none. `real`: (n,) bool, whether it has one. `goal`: (n,) int64, type of the pool it exits to,
    -1: it is fully suppressed. `far`: more than any solution costs.
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
