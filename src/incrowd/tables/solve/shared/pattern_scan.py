"""Walk through patterns, cheapest instances first, and let every crowd among the remaining rows close.

The heart of Algorithm 1 of Bredereck, Nichterlein and Niedermeier: rows that found a crowd are out of the way
of all later patterns.
"""

from __future__ import annotations

import heapq
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.grouping import frequent
from incrowd.tables.values import Int8, Int32, Int64, PatternBlock

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays


# Row visits between two looks at the watch: some milliseconds.
BATCH = 1 << 22
# Row numbers that may wait for their instance's turn: 256 MiB.
WAITING = 1 << 26
# What a turn itself takes up, in row numbers.
OVERHEAD = 150


class Workers:
    """Threads that split a batch of patterns; results do not depend on their number."""

    def __init__(self, threads: int | None = None) -> None:
        self.threads = threads or os.cpu_count() or 1
        self.pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        if self.pool is not None:
            self.pool.shutdown()

    def split(self, vectors: Int8, visits: int) -> list[Int64]:
        """Return the indices of the vectors, in lexicographic order, cut into one piece per thread."""
        order = np.lexsort(vectors.T[::-1]) if vectors.shape[1] else np.arange(len(vectors))
        pieces = self.threads if self.pool is not None and visits > 1 << 17 else 1
        return [piece for piece in np.array_split(order, min(pieces, len(order))) if piece.size]


def batches(blocks: Iterable[PatternBlock], sizes: Iterator[int]) -> Iterator[PatternBlock]:
    """Cut blocks anew into batches of the sizes that `sizes` asks for, one size per batch.

    The blocks come in their order. A size is the patterns of a batch, at least 1; it is asked for when the batch
    begins.
    """
    vectors: list[Int8] = []
    costs: list[Int64] = []
    held = 0
    wanted = next(sizes)
    for block in blocks:
        first = 0
        while first < len(block.costs):
            last = min(len(block.costs), first + wanted - held)
            vectors.append(block.levels[first:last])
            costs.append(block.costs[first:last])
            held += last - first
            first = last
            if held == wanted:
                yield PatternBlock(np.concatenate(vectors), np.concatenate(costs))
                vectors, costs, held = [], [], 0
                wanted = next(sizes)
    if held:
        yield PatternBlock(np.concatenate(vectors), np.concatenate(costs))


@dataclass(order=True)
class Turn:
    """Instances of one pattern and one cost that wait for cheaper ones; without members: to be looked up."""

    cost: int
    seq: int
    vector: Int8 = field(compare=False)
    begins: Int64 | None = field(compare=False, default=None)
    members: Int32 | None = field(compare=False, default=None)

    @property
    def size(self) -> int:
        """What it takes up, in row numbers."""
        return 0 if self.members is None else self.members.size + OVERHEAD


class PatternScan:
    """The rows that still look for a crowd, and the classes closed so far.

    `alive`: (t,) bool, row types that are in no class. `left`: their rows. `label`: (t,) int32, class of each row type,
    -1 while alive. `vectors`: list of (m,) int8, level vector of each class. `patterns`, `visits`: patterns looked at,
    and row types looked at for them. Instances are closed by increasing (cost, place of the pattern in the list, first
    row type). Where all rows cost the same under a pattern this is the order of the list. Otherwise an instance that
    costs more than the next pattern's floor waits in a heap; when its turn comes it is counted again, since rows may
    have left.
    """

    def __init__(self, encoded: ProblemArrays, k: int, *, uniform: bool, workers: Workers, watch: Watch) -> None:
        self.encoded = encoded
        self.k = k
        self.uniform = uniform
        self.workers = workers
        self.watch = watch
        self.alive = np.ones(encoded.t, np.bool_)
        self.weights = encoded.weights
        self.left = int(encoded.counts.sum())
        self.label: Int32 = np.full(encoded.t, -1, np.int32)
        self.vectors: list[Int8] = []
        self.patterns = 0
        self.visits = 0
        self.cost = 0
        self._turns: list[Turn] = []
        self._waiting = 0
        self._seq = 0

    def run(self, blocks: Iterable[PatternBlock], *, budget: int) -> bool:
        """Go through patterns by increasing floor cost; return whether all were seen.

        It stops after `budget` row visits.
        """
        limit = self.visits + budget
        for batch in batches(blocks, self._sizes()):
            if self.watch.stopped:
                self._drop_turns()
                return False
            self._take_turns(int(batch.costs[0]))
            live = np.flatnonzero(self.alive).astype(np.int32)
            if self.left < self.k:
                return True
            visits = live.size * len(batch.costs)
            if self.visits + visits > limit:
                self._take_turns(None)
                return False
            self._batch(batch, live)
            self.visits += visits
            self.patterns += len(batch.costs)
            self.watch.report("solve", patterns=self.patterns, cost=self.cost, rows_left=self.left)
        self._take_turns(None)
        return True

    def _sizes(self) -> Iterator[int]:
        size = 1
        while True:
            live = max(int(np.count_nonzero(self.alive)), 1)
            yield max(1, min(size, BATCH // live))
            size = min(2 * size, 4096)

    def _found(self, batch: PatternBlock, live: Int32) -> Iterator[tuple[int, Int32, NDArray[np.uint64]]]:
        """Yield, in the order of the batch, the patterns with rows that may have a crowd, and those rows."""
        e = self.encoded
        full = live.size == e.t
        table = e.table if full else np.take(e.table, live, axis=1)
        weights = self.weights if full else self.weights[live]

        def look(piece: Int64) -> tuple[Int64, Int32, Int64]:
            vectors = np.ascontiguousarray(batch.levels[piece])
            found: tuple[Int64, Int32, Int64] = frequent.frequent(table, e.start, e.heights, vectors, weights, self.k)
            return found

        pieces = self.workers.split(batch.levels, live.size * len(batch.costs))
        pool = self.workers.pool
        results = list(map(look, pieces)) if pool is None or len(pieces) == 1 else list(pool.map(look, pieces))
        places: dict[int, tuple[int, int]] = {}
        for part, piece in enumerate(pieces):
            begins = results[part][0]
            for at in np.flatnonzero(begins[1:] > begins[:-1]):
                places[int(piece[at])] = part, int(at)
        for p in sorted(places):
            part, x = places[p]
            begins, rows, hashes = results[part]
            here = slice(int(begins[x]), int(begins[x + 1]))
            yield p, live[rows[here]], hashes[here].view(np.uint64)

    def _batch(self, batch: PatternBlock, live: Int32) -> None:
        for p, rows, hashes in self._found(batch, live):
            if self.left < self.k:
                break
            floor = int(batch.costs[p])
            self._take_turns(floor)
            self._crowds(batch.levels[p], floor, self._seq + p, rows, hashes)
        self._seq += len(batch.costs)

    def _crowds(self, vector: Int8, floor: int, seq: int, rows: Int32, hashes: NDArray[np.uint64]) -> None:
        """Close the crowds of a pattern that cost at most `floor`; the others get in line."""
        e = self.encoded
        begins, members = frequent.crowds(e.nodes, e.shown(vector), rows, hashes, self.alive, self.weights, self.k)
        if len(begins) == 1:
            return
        if self.uniform:
            self._close(vector, begins, members, floor)
            return
        each = e.row_costs(vector, members[begins[:-1]])
        for cost in np.unique(each):
            picked, chosen = _pick(begins, members, each == cost)
            if cost <= floor:
                self._close(vector, picked, chosen, int(cost))
            elif not self._wait(Turn(int(cost), seq, vector, picked, chosen)):
                return

    def _wait(self, turn: Turn) -> bool:
        """Let instances wait; where there is no room, come back to the pattern at this cost, and look again."""
        room = self._waiting + turn.size <= WAITING
        if room:
            self._waiting += turn.size
        heapq.heappush(self._turns, turn if room else Turn(turn.cost, turn.seq, turn.vector))
        return room

    def _take_turns(self, up_to: int | None) -> None:
        """Close waiting instances that cost at most `up_to` (None: all of them)."""
        while self._turns and (up_to is None or self._turns[0].cost <= up_to):
            if self.watch.stopped:
                self._drop_turns()
                return
            turn = heapq.heappop(self._turns)
            if turn.members is None or turn.begins is None:
                self._look_again(turn)
                continue
            self._waiting -= turn.size
            there = self.alive[turn.members]
            rows_there = np.where(there, self.weights[turn.members], 0)
            enough = np.add.reduceat(rows_there, turn.begins[:-1]) >= self.k
            if enough.any():
                class_ = np.repeat(np.arange(len(enough)), np.diff(turn.begins))
                keep = there & enough[class_]
                lengths = np.bincount(class_[keep], minlength=len(enough))[enough]
                begins = np.concatenate(([0], np.cumsum(lengths)))
                self._close(turn.vector, begins, turn.members[keep], turn.cost)

    def _look_again(self, turn: Turn) -> None:
        live = np.flatnonzero(self.alive).astype(np.int32)
        one = PatternBlock(turn.vector[None, :], np.array([turn.cost], np.int64))
        for _, rows, hashes in self._found(one, live):
            self._crowds(turn.vector, turn.cost, turn.seq, rows, hashes)

    def _drop_turns(self) -> None:
        self._turns.clear()
        self._waiting = 0

    def _close(self, vector: Int8, begins: Int64, members: Int32, cost: int) -> None:
        classes = len(begins) - 1
        self.label[members] = len(self.vectors) + np.repeat(np.arange(classes, dtype=np.int32), np.diff(begins))
        self.vectors.extend([vector] * classes)
        self.alive[members] = False
        rows = int(self.encoded.counts[members].sum())
        self.left -= rows
        self.cost += rows * cost


def _pick(begins: Int64, members: Int32, wanted: NDArray[np.bool_]) -> tuple[Int64, Int32]:
    """Return the wanted classes alone, in the same form."""
    lengths = np.diff(begins)
    return np.concatenate(([0], np.cumsum(lengths[wanted]))), members[np.repeat(wanted, lengths)]
