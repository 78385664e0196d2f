"""The cover by balls of Meyerson and Williams: rows near one another are a group."""

from __future__ import annotations

import heapq
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from incrowd.tables.solve.textbook.disjoint_groups import DisjointGroups
from incrowd.tables.solve.textbook.guarantee import harmonic, outside, released
from incrowd.tables.solve.textbook.row_distances import distances

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.values import Int64, Problem, Solution

__all__ = ["BallCover"]

MOST_TYPES = 3000


@dataclass(frozen=True, kw_only=True)
class BallCover:
    """At most (2 k - 1) H(k) times the optimum, H(k) = 1 + 1/2 + ... + 1/k, for every k in polynomial time.

    Parameters
    ----------
    most_types : int, default 3000
        Tables of more row types are declined.

    Notes
    -----
    d(u, v) is what a row pays in a group that holds u and v. A ball is all rows within r of a row c; one of k rows
    or more may be chosen, at the price r, for up to k rows that no chosen ball covers yet, the nearest first; it is
    filled up to k rows from others of the ball. The ball with the least price per row it newly covers is next, until
    all rows are covered; then sets that share rows are made disjoint (`DisjointGroups`). Where fully suppressed
    rows need no crowd a row may be suppressed at the price F / k, F its cost.

    Proof. Let an optimal group g have s rows; k <= s < 2 k, as larger ones can be split. Around one of its rows c
    the ball of its diameter holds it. While j of its rows are uncovered, that ball offers the price
    d(g) / min(j, k) per row, so all its rows are charged at most d(g) (H(k) + (s - k) / k), at most s d(g) H(k) / k;
    and the optimum pays s d(g) for g at least. So the radii chosen sum to at most H(k) / k times the optimum. A row in
    a set of k rows costs at most the sum of its distances to c, so k r; a group made of several sets has at most
    2 k - 1 rows, and each costs at most the sum of k r over the sets: in all (2 k - 1) k times the sum of the radii.

    Meyerson and Williams prove O(k log k) for sets of k to 2 k - 1 rows in time exponential in k, and O(k log m) for
    balls with m columns; the ratio here is proved above and is for balls. O(t^2 (m + log t)) time for the distances and
    O(t) for each look at a centre, O(n t) looks at worst; 12 t^2 bytes.

    References
    ----------
    .. [1] A. Meyerson, R. Williams, "On the Complexity of Optimal K-Anonymity", PODS 2004.
    """

    name: ClassVar[str] = "ball_cover"
    cites = ("MeyersonWilliams2004",)
    summary: ClassVar[str] = (
        "groups from the cheapest cover by balls (Meyerson, Williams): (2 k - 1) H(k) times the optimum"
    )
    most_types: int = MOST_TYPES

    def declines(self, problem: Problem) -> str | None:
        """Return why the solver will not start: requirements, forbidden patterns, too many row types."""
        if problem.types.t > self.most_types:
            return f"{self.name} takes up to {self.most_types} row types, not {problem.types.t}"
        return outside(problem)

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return the release with the per-row bound; cut short, that of Theorem 10 without a ratio."""
        begun = time.perf_counter()
        claim = (
            (2 * problem.k - 1) * harmonic(problem.k),
            "after Meyerson and Williams; proved in papers/approximations.md",
        )
        return released(problem, watch, self.name, _cover(problem, watch), claim, begun)


def _cover(problem: Problem, watch: Watch) -> list[dict[int, int]] | None:
    """Return disjoint groups, or None when told to stop."""
    types, k = problem.types, problem.k
    balls = _Balls(problem)
    groups = DisjointGroups(types.t, k)
    # What a fully suppressed row costs where it needs no crowd; else dearer than any ball.
    alone = int(problem.row_costs(problem.top).max()) if problem.outliers == "suppress" else None
    heap: list[tuple[int, int]] = []
    for c in range(types.t):
        if watch.stopped:
            return None
        balls.read(c)
        price = balls.best(c)[0]
        if price is not None:
            heapq.heappush(heap, (price, c))
    while balls.left.any():
        if watch.stopped:
            return None
        if not heap:
            break
        known, c = heapq.heappop(heap)
        price, end, radius = balls.best(c)
        if price is None:
            continue
        if price > known:
            heapq.heappush(heap, (price, c))
            continue
        near = balls.near[c, :end]
        fresh, lacking = {}, k
        if alone is not None and radius * k >= alone * min(k, int(balls.left[near].sum())):
            break  # every further ball is as dear: what is left is suppressed
        if radius == 0:
            lacking = int(balls.left[near].sum())
        for i in near.tolist():
            rows = min(int(balls.left[i]), lacking)
            if rows:
                fresh[i] = rows
                lacking -= rows
                balls.left[i] -= rows
            if not lacking:
                break
        groups.add(fresh, near.tolist())
        heapq.heappush(heap, (price, c))
    return groups.groups


class _Balls:
    """The balls around every row type, and which rows are not covered yet."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        t = problem.types.t
        self.left = problem.types.counts.copy()
        self.near = np.zeros((t, t), np.int32)
        self.far = np.zeros((t, t), np.int64)

    def read(self, c: int) -> None:
        """Sort the row types by their distance from type c."""
        to = distances(self.problem, np.array([c]))[0]
        self.near[c] = np.argsort(to, kind="stable")
        self.far[c] = to[self.near[c]]

    def best(self, c: int) -> tuple[int | None, int, int]:
        """Return the price of the cheapest ball around c, where it ends in `near`, and its radius (None: no ball).

        Notes
        -----
        Prices are radius (k^2 + 1) over the rows, up to k, that it newly covers, rounded down: two that differ do so by
        1 / k^2 at least before they are multiplied, so their order is exact.
        """
        k, counts = self.problem.k, self.problem.types.counts
        near, far = self.near[c], self.far[c]
        last = np.append(far[1:] != far[:-1], True)
        fresh = np.minimum(np.cumsum(self.left[near]), k)
        ends = np.flatnonzero(last & (np.cumsum(counts[near]) >= k) & (fresh > 0))
        if not ends.size:
            return None, 0, 0
        radii: Int64 = far[ends]
        wide = int(radii[-1]) * (k * k + 1) >= 1 << 62
        price = (radii.astype(object) if wide else radii) * (k * k + 1) // fresh[ends]
        at = int(np.argmin(price))
        return int(price[at]), int(ends[at]) + 1, int(radii[at])
