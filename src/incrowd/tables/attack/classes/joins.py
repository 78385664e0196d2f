"""Pairs of classes: which classes show more in some columns and agree in all others with what a class may hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.attack.values import Released
    from incrowd.tables.values import Int64

__all__ = ["CheaperPairs", "Pairs", "row_keys"]

MOST_PAIRS = 20_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Source and target classes under one pair of patterns.

    Attributes
    ----------
    finer : tuple of int
        The columns in which the targets show more than the sources; in all others a source's row fits for certain.
    source, target : (p,) int64
    gain : (p,) int64
        What a row of the source would cost less in the target; above 0.
    """

    finer: tuple[int, ...]
    source: Int64
    target: Int64
    gain: Int64


class CheaperPairs:
    """The pairs of classes where a row of the first may fit the second, and would cost less there.

    `sources` is (c,) bool: classes that rows may leave. `most_finer` is the number of columns at most in which the
    target may show more than the source. The watch ends it. It takes O(p^2 m) for p patterns in use, and O((a + b)
    log(a + b)) for a sources and b targets of a pair of patterns that can be cheaper.

    Attributes
    ----------
    complete : bool
        Whether all of them were yielded, once one has gone through them.
    """

    def __init__(self, released: Released, sources: NDArray[np.bool_], most_finer: int, watch: Watch) -> None:
        self.released = released
        self.sources = sources
        self.most_finer = most_finer
        self.watch = watch
        self.complete = True

    def __iter__(self) -> Iterator[Pairs]:
        released = self.released
        vectors, which = released.vectors
        at_target = [np.flatnonzero(which == i) for i in range(len(vectors))]
        least = np.array([released.costs[rows].min() for rows in at_target])
        made = 0
        for i, vector in enumerate(vectors):
            sources = at_target[i][self.sources[at_target[i]]]
            if not sources.size:
                continue
            if self.watch.stopped or made > MOST_PAIRS:
                self.complete = False
                return
            finer = vectors < vector
            cheaper = (finer.sum(axis=1) <= self.most_finer) & (least < released.costs[sources].max())
            cheaper[i] = False
            for other in np.flatnonzero(cheaper):
                source, target = _joined(released, sources, at_target[other], np.maximum(vector, vectors[other]))
                gain = released.costs[source] - released.costs[target]
                kept = gain > 0
                if kept.any():
                    made += int(kept.sum())
                    yield Pairs(tuple(np.flatnonzero(finer[other]).tolist()), source[kept], target[kept], gain[kept])


def _joined(released: Released, sources: Int64, targets: Int64, vector: NDArray[np.integer]) -> tuple[Int64, Int64]:
    """Return the pairs of classes that show the same once both are raised to a level vector."""
    keys = row_keys(released.nodes(np.concatenate((sources, targets)), vector))
    first, second = keys[: sources.size], keys[sources.size :]
    order = np.argsort(second, kind="stable")
    begin = np.searchsorted(second[order], first, "left")
    many = np.searchsorted(second[order], first, "right") - begin
    source = np.repeat(np.arange(sources.size), many)
    ends = np.cumsum(many)
    place = np.arange(int(many.sum())) - np.repeat(ends - many, many) + np.repeat(begin, many)
    return sources[source], targets[order[place]]


def row_keys(rows: NDArray[np.integer]) -> Int64:
    """Return one number a row, equal where rows are, shape (x,); `rows` is (x, m) int, from 0."""
    keys = np.zeros(len(rows), np.int64)
    room = 1
    for column in rows.T:
        size = int(column.max(initial=0)) + 1
        if room * size >= 2**62:
            keys = np.unique(keys, return_inverse=True)[1].reshape(-1).astype(np.int64)
            room = len(rows)
        keys = keys * size + column
        room *= size
    return keys
