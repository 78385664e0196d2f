"""All pairs of the core, in pieces and on all cores."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from incrowd.kernels import matching_metric, matching_price
from incrowd.tables.values import Int32, Int64

if TYPE_CHECKING:
    from collections.abc import Callable

    from incrowd.tables.solve.matching.metric import Metric
    from incrowd.watch import Watch

__all__ = ["NO_SETS", "Sets", "cheap_pairs", "near_rows"]

# Sets per row and their z: (mptr, mids, z).
Sets = tuple[Int64, Int64, NDArray[np.float64]]
NO_SETS: Sets = (np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0))
# Pairs a piece looks at: some tenths of a second.
PIECE = 400_000_000

Piece = TypeVar("Piece")


def near_rows(metric: Metric, neighbours: int, watch: Watch) -> tuple[Int32, Int64]:
    """Return the cheapest partners of every row and their costs; -1 where there are none or no time is left."""
    n = metric.n
    bounds = np.linspace(0, n, 2 + n * n // PIECE).astype(np.int64)

    def look(at: int) -> tuple[Int32, Int64]:
        low, high = int(bounds[at]), int(bounds[at + 1])
        if watch.stopped and at:
            return (
                np.full((high - low, neighbours), -1, np.int32),
                np.full((high - low, neighbours), matching_metric.FAR, np.int64),
            )
        found: tuple[Int32, Int64] = metric.settled(
            lambda flat, wide: matching_price.knn(wide, flat, neighbours, low, high)
        )
        return found

    parts = _each(metric, look, bounds.size - 1)
    return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


def cheap_pairs(
    metric: Metric,
    prices: NDArray[np.float64],
    floor: float,
    cap: int,
    sets: Sets,
    room: int,
    watch: Watch | None = None,
) -> tuple[Int32, Int32, Int64]:
    """Return pairs with y_u + y_v - 2 h - 2 (z of sets with both) > `floor`, and their h.

    Parameters
    ----------
    prices : (n,) float64
        Price of each row plus the z of its sets.
    cap : int
        At most so many per row and block, 0: all.
    room : int
        Pairs expected; more only take longer.
    watch : Watch, optional
        When it says stop, later pieces stay empty.
    """
    n = metric.n
    pieces = 1 + n * n // (2 * PIECE)
    # Row i meets n - i others: pieces of equal area.
    edges = n - np.sqrt(np.linspace(float(n) ** 2, 0.0, pieces + 1))
    bounds = np.concatenate(([0], np.rint(edges[1:-1]), [n])).astype(np.int64)

    def look(at: int) -> tuple[Int32, Int32, Int64]:
        rows = np.arange(bounds[at], bounds[at + 1])
        if watch is not None and watch.stopped:
            rows = rows[:0]
        space = room // pieces + 1024
        while True:
            left, right, costs, count = metric.settled(_price(prices, floor, cap, sets, rows, space))
            if count <= space:
                return left, right, costs
            space = count

    parts = _each(metric, look, pieces)
    return (
        np.concatenate([p[0] for p in parts]),
        np.concatenate([p[1] for p in parts]),
        np.concatenate([p[2] for p in parts]),
    )


def _price(
    prices: NDArray[np.float64], floor: float, cap: int, sets: Sets, rows: Int64, space: int
) -> Callable[[Any, Any], tuple[Int32, Int32, Int64, int]]:
    def call(flat: Any, wide: Any) -> tuple[Int32, Int32, Int64, int]:
        found: tuple[Int32, Int32, Int64, int] = matching_price.price(
            wide, flat, prices, floor, cap, *sets, rows, True, space
        )
        return found

    return call


def _each(metric: Metric, look: Callable[[int], Piece], pieces: int) -> list[Piece]:
    """Do the pieces on all cores; one after another under a mask, where costs still unknown are noted."""
    cores = os.cpu_count() or 1
    if metric.table is not None or pieces == 1 or cores == 1:
        return [look(at) for at in range(pieces)]
    with ThreadPoolExecutor(cores) as pool:
        return list(pool.map(look, range(pieces)))
