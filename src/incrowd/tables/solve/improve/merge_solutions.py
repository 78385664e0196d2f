"""Better releases from several: small integer programs over the instances that some of them open.

Two runs of an annealing end in releases of about the same cost that open different instances. The best assignment
over what either opens is an integer program far smaller than the whole one, and mostly better than both. Where a
table is large, the program is over a *piece*: some classes of the best release that the others cut across. Their
rows are free to go to any instance that one of the releases opens, and to classes outside the piece, which have
their crowd already; so whatever the program finds is a release.

The idea of recombining by integer programs:
E. Rothberg, "An Evolutionary Algorithm for Polishing Mixed Integer Programming Solutions", INFORMS J. Comput. 19, 2007.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_matrix

from incrowd.milp import Outcome, solve
from incrowd.tables.solve.improve import tuning
from incrowd.tables.solve.shared.row_assignment import best_rows, cost_of, holds
from incrowd.tables.solve.shared.strong_formulation import strong

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.progress import Watch
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Int64


class Recombination:
    """A release over a list of instances that gets cheaper by meeting others.

    The `instances` are all that the releases open, free ones included. `rows` is (p,): the rows per pair of the best
    release. `rows`, `cost`: the best release so far, and its scaled cost. `programs`: solved.
    """

    def __init__(self, instances: Instances, rows: Int64, seed: int) -> None:
        self.instances = instances
        self.rows = rows
        self.cost = cost_of(instances, rows)
        self.random = np.random.default_rng([seed, 1])
        self.programs = 0
        self._parts = tuning.DEFAULT.piece_pairs
        self._failed: set[int] = set()

    def offer(self, rows: Int64) -> None:
        """Take a release if it is cheaper."""
        cost = cost_of(self.instances, rows)
        if cost < self.cost:
            self.rows, self.cost = rows, cost

    def meet(self, others: Sequence[Int64], watch: Watch, seconds: float) -> bool:
        """Let the best release meet others, piece by piece; return whether every program came to its end.

        The `others` are (p,) rows per pair of releases over the same list. One program takes `seconds` at most. Pieces
        grow where programs end in time, and shrink elsewhere. O(pairs) for each piece beside its program.
        """
        ended = True
        for piece in self.pieces(others):
            if watch.stopped:
                return False
            ended &= self.improve(piece, others, watch, seconds)
        self._parts = int(self._parts * 1.5) if ended else max(int(self._parts * 0.8), tuning.DEFAULT.least_piece_pairs)
        self._parts = min(self._parts, 4 * max(self.instances.t, tuning.DEFAULT.piece_pairs))
        return ended

    def pieces(self, others: Sequence[Int64]) -> list[Int64]:
        """Return sets of classes of the best release, each grown along the classes of others that cut across."""
        return pieces(self.instances, self.rows, others, self._parts, self.random)

    def improve(self, piece: Int64, others: Sequence[Int64], watch: Watch, seconds: float) -> bool:
        """Solve a piece's program and take what it finds; return whether it came to its end."""
        part, places, own = self.part(piece, others)
        if part.pairs > tuning.DEFAULT.program_pairs:
            return False
        key = hash((places.tobytes(), own.tobytes(), part.needs.tobytes()))
        if key in self._failed:
            return True
        model = strong(part)
        before = cost_of(part, own)
        answer = solve(
            model.program, start=model.point(own), cutoff=before - 0.5, abs_gap=0.999, seconds=seconds, watch=watch
        )
        self.programs += 1
        ended = answer.outcome in (Outcome.OPTIMAL, Outcome.CUTOFF, Outcome.INFEASIBLE)
        rows: Int64 | None = None
        if answer.x is not None:
            rows = best_rows(part, model.opened(answer.x), answer.x[: part.pairs], watch)
        if rows is not None and cost_of(part, rows) < before:
            fresh = self.rows.copy()
            fresh[places] += rows - own
            assert holds(self.instances, fresh), "a piece of a release is exchanged for another"
            self.offer(fresh)
        elif ended:
            self._failed.add(key)
        return ended

    def part(self, piece: Int64, others: Sequence[Int64]) -> tuple[Instances, Int64, Int64]:
        """Return a piece as a list of instances over its rows, its pairs' places, and its rows per pair."""
        J = self.instances
        inside = np.zeros(J.size, np.bool_)
        inside[piece] = True
        holding = self.rows > 0
        free_rows = inside[J.owners]
        touched = np.zeros(J.t, np.bool_)
        touched[J.members[free_rows & holding]] = True
        open_ones = inside | (J.needs == 0)
        for other in others:
            open_ones[J.owners[(other > 0) & touched[J.members]]] = True
        # Fully suppressed rows, too, that some of these instances could take.
        near = np.zeros(J.t, np.bool_)
        near[J.members[(open_ones & (J.needs > 0))[J.owners]]] = True
        free_rows |= (J.needs[J.owners] == 0) & near[J.members]
        counts = np.bincount(J.members, weights=self.rows * free_rows, minlength=J.t).astype(np.int64)
        full = ~inside & (np.bincount(J.owners, weights=holding, minlength=J.size) > 0)
        needs = np.where(full, 0, J.needs)
        part, places = J.part(open_ones | full, needs, counts)
        return part, places, (self.rows * free_rows)[places]


# Pieces of a release along which others cut: classes whose rows the others put together otherwise.
def pieces(
    instances: Instances, rows: Int64, others: Sequence[Int64], parts: float, random: np.random.Generator
) -> list[Int64]:
    """Return sets of classes of a release, each grown along the classes of others that cut across.

    Each set holds classes that need a crowd, at least two a piece and none in two pieces. A piece is large enough when
    it has `parts` pairs with rows. `rows` and each of `others` are (p,): the rows per pair of the release, and of other
    releases over the same list. `random` draws the classes that pieces begin with. O(pairs with rows) for the overlaps
    and O(o log o) for o of them. The next class of a piece is the one whose rows share most of the others' classes with
    it, per row.
    """
    J = instances
    held = np.bincount(J.owners, weights=rows, minlength=J.size)
    crowd = (J.needs > 0).astype(np.float64)
    mine = _shares(J, rows)
    across = csr_matrix((J.size, J.size))
    for other in others:
        common = (mine @ _shares(J, other).T).multiply(crowd).tocsr()
        across = across + common @ common.T
    across = across.tocsr()
    used = np.bincount(J.owners, weights=rows > 0, minlength=J.size)
    left = (held > 0) & (J.needs > 0)
    found = []
    for first in random.permutation(np.flatnonzero(left)):
        piece: list[int] = []
        score: dict[int, float] = {}
        heap = [(0.0, int(first))]
        total = 0.0
        while heap and total < parts:
            _, h = heapq.heappop(heap)
            if not left[h]:
                continue
            left[h] = False
            piece.append(h)
            total += used[h]
            for place in range(across.indptr[h], across.indptr[h + 1]):
                g = int(across.indices[place])
                if left[g]:
                    score[g] = score.get(g, 0.0) + float(across.data[place]) / (held[g] * held[h])
                    heapq.heappush(heap, (-score[g], g))
        if len(piece) > 1:
            found.append(np.array(piece, np.int64))
    return found


def _shares(instances: Instances, rows: Int64) -> csr_matrix:
    """Return the rows per instance and type."""
    J, used = instances, np.flatnonzero(rows)
    return csr_matrix((rows[used].astype(np.float64), (J.owners[used], J.members[used])), shape=(J.size, J.t))
