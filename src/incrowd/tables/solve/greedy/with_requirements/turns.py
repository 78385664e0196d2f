"""Cheapest instances first: each takes its remaining rows, or as many of them as meet everything.

`sweep` walks through the patterns and takes all instances of one together. With hierarchies the instances of a pattern
cost more or less, and one label alone under the next is shown a level up for nothing; here each waits for its turn.
"""

from __future__ import annotations

import heapq
import itertools
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.grouping import frequent
from incrowd.kernels.grouping.members import in_order
from incrowd.tables.solve.greedy.with_requirements.scan import Trim
from incrowd.tables.solve.shared.pattern_scan import PatternScan, Turn, Workers
from incrowd.tables.solve.shared.requirement_check import meets
from incrowd.tables.values import PatternBlock

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.greedy.with_requirements.scan import Crowd
    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Int8, Int32, Int64, Problem

__all__ = ["Turns", "turns"]

# Turns judged at a time, and the row numbers that they hold together, at most (one turn may hold more).
TURNS, ENTRIES = 64, 1 << 17


def turns(
    problem: Problem,
    encoded: ProblemArrays,
    blocks: Iterable[PatternBlock],
    watch: Watch,
    *,
    visits: int,
    threads: int | None = None,
) -> tuple[list[Crowd], Int64]:
    """Walk through patterns by increasing floor cost; return the crowds found and the rows of each type that remain.

    A crowd is a vector, its types and its rows; each meets every requirement and has its k rows (fully suppressed
    outliers need none). The remaining rows have shape (t,). `blocks` come with `Problem.floor_costs`, and at most
    `visits` row types times patterns are looked at. The result does not depend on `threads` (default: all cores).
    """
    with Workers(threads) as workers:
        walk = Turns(problem, encoded, workers=workers, watch=watch)
        walk.run(blocks, budget=visits)
        if not watch.stopped:
            walk.suppress()
    return walk.found, walk.weights.astype(np.int64)


class Turns(PatternScan):
    """The rows that still look for a crowd that meets everything, and the crowds found.

    The watch is asked between batches of patterns and of turns.

    Attributes
    ----------
    found : list of (vector, types, rows)
        Each meets every requirement and has its k rows.
    weights : (t,) int32 or int64
        The rows of each type that remain.

    Notes
    -----
    An instance whose remaining rows fail is trimmed: no sensitive value keeps more than a few times the rows that it
    would have by its share of the table. All turns of a batch of patterns wait, and are judged some at a time; those
    whose rows an earlier one took are judged again, so the crowds are those of one turn after another.
    """

    def __init__(self, problem: Problem, encoded: ProblemArrays, *, workers: Workers, watch: Watch) -> None:
        super().__init__(encoded, problem.k, uniform=False, workers=workers, watch=watch)
        self.weights = encoded.weights.copy()
        self.found: list[Crowd] = []
        self._problem = problem
        self._top = np.array(problem.top, np.int8)
        self._trim = Trim(problem, encoded)

    def suppress(self) -> None:
        """Suppress all remaining rows fully if they meet everything: they are the last class, and none of it is cut."""
        types = np.flatnonzero(self.alive).astype(np.int32)
        rows = self.weights[types].astype(np.int64)
        least = 1 if self._problem.outliers == "suppress" else self.k
        group = np.zeros(types.size, np.int64)
        allowed = self._problem.patterns.allows_full_suppression and self.left >= least
        if allowed and meets(self._problem, group, types, rows, 1)[0]:
            self._take(Turn(0, 0, self._top), group, types, rows)

    def _batch(self, batch: PatternBlock, live: Int32) -> None:
        for p, rows, hashes in self._found(batch, live):
            self._crowds(batch.levels[p], int(batch.costs[p]), self._seq + p, rows, hashes)
        self._seq += len(batch.costs)

    def _crowds(self, vector: Int8, floor: int, seq: int, rows: Int32, hashes: NDArray[np.uint64]) -> None:
        """Let the crowds of a pattern that cost at least `floor` get in line; full suppression comes last of all."""
        if (vector == self._top).all():
            return
        for turn in self._in_line(vector, floor, seq, rows, hashes):
            if not self._wait(turn):
                return

    def _in_line(self, vector: Int8, floor: int, seq: int, rows: Int32, hashes: NDArray[np.uint64]) -> Iterator[Turn]:
        e = self.encoded
        begins, members = frequent.crowds(e.nodes, e.shown(vector), rows, hashes, self.alive, self.weights, self.k)
        each = e.row_costs(vector, members[begins[:-1]])
        order = np.argsort(each, kind="stable")
        order = order[each[order] >= floor]
        begins, members = in_order(begins, members, order)
        each = each[order]
        cuts = np.concatenate(([0], np.flatnonzero(np.diff(each)) + 1, [each.size]))
        for a, b in itertools.pairwise(cuts if each.size else ()):
            first, last = begins[a], begins[b]
            yield Turn(int(each[a]), seq, vector, begins[a : b + 1] - first, members[first:last].copy())

    def _take_turns(self, up_to: int | None) -> None:
        while self._due(up_to) and self.left >= self.k:
            if self.watch.stopped:
                self._drop_turns()
                return
            turns: list[Turn] = []
            size = 0
            while self._due(up_to) and len(turns) < TURNS and size < ENTRIES and self._turns[0].members is not None:
                turns.append(heapq.heappop(self._turns))
                size += turns[-1].size
            self._waiting -= size
            if turns:
                self._judge(turns)
            else:
                self._look_again(heapq.heappop(self._turns))

    def _due(self, up_to: int | None) -> bool:
        return bool(self._turns) and (up_to is None or self._turns[0].cost <= up_to)

    def _look_again(self, turn: Turn) -> None:
        """Take a pattern's turn at a cost at which there was no room to wait; dearer instances get in line."""
        live = np.flatnonzero(self.alive).astype(np.int32)
        one = PatternBlock(turn.vector[None, :], np.array([turn.cost], np.int64))
        for _, rows, hashes in self._found(one, live):
            for x, fresh in enumerate(self._in_line(turn.vector, turn.cost, turn.seq, rows, hashes)):
                if x == 0:
                    self._judge([fresh])
                elif not self._wait(fresh):
                    return

    def _judge(self, turns: list[Turn]) -> None:
        """Let instances take what they can, one turn after another."""
        members = np.concatenate([turn.members for turn in turns if turn.members is not None])
        lengths = np.concatenate([np.diff(turn.begins) for turn in turns if turn.begins is not None])
        group = np.repeat(np.arange(lengths.size), lengths)
        ends = np.cumsum([turn.members.size for turn in turns if turn.members is not None])
        rows = self.weights[members].astype(np.int64)
        takes = self._largest(group, members, rows)
        begin = 0
        for turn, end in zip(turns, ends, strict=True):
            mine = slice(begin, end)
            begin = end
            now = self.weights[members[mine]]
            gone = now != rows[mine]
            wanted = takes[mine]
            if gone.any():
                again = np.isin(group[mine], group[mine][gone])
                wanted = wanted.copy()
                wanted[again] = self._largest(group[mine][again], members[mine][again], now[again].astype(np.int64))
            if wanted.any():
                self._take(turn, group[mine], members[mine], wanted)

    def _largest(self, group: Int64, members: Int32, rows: Int64) -> Int64:
        """Return how many rows of each member its group takes; groups have any increasing numbers."""
        takes = np.zeros(rows.size, np.int64)
        number = np.cumsum(np.append(0, np.diff(group) != 0))
        sizes = np.zeros(int(number[-1]) + 1, np.int64)
        np.add.at(sizes, number, rows)
        there = np.flatnonzero((rows > 0) & (sizes >= self.k)[number])
        if there.size:
            number = np.cumsum(np.append(0, np.diff(number[there]) != 0))
            groups = int(number[-1]) + 1
            takes[there] = self._trim.largest(number, members[there], rows[there], groups, self.k)
        return takes

    def _take(self, turn: Turn, group: Int64, members: Int32, takes: Int64) -> None:
        some = takes > 0
        members, takes = members[some], takes[some]
        cuts = np.flatnonzero(np.diff(group[some])) + 1
        for crowd, amounts in zip(np.split(members, cuts), np.split(takes, cuts), strict=True):
            self.found.append((turn.vector, crowd, amounts))
        self.weights[members] -= takes.astype(self.weights.dtype)
        self.alive[members] = self.weights[members] > 0
        rows = int(takes.sum())
        self.left -= rows
        self.cost += rows * turn.cost
