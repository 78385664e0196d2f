"""The cover by balls of Meyerson and Williams: rows near one another are a class."""

from __future__ import annotations

import heapq
import time
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from incrowd.tables.row_numbers import added_up
from incrowd.tables.solve.textbook.approximation import DisjointClasses, distances, harmonic, outside, released

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.values import Int32, Int64, Problem, Solution

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
    d(u, v) is what a row pays in a class that holds u and v. A ball is all rows within r of a row c; one of k rows
    or more may be chosen, at the price r, for up to k rows that no chosen ball covers yet, the nearest first; it is
    filled up to k rows from others of the ball. The ball with the least price per row it newly covers is next, until
    all rows are covered; then sets that share rows are made disjoint (`DisjointClasses`). Where fully suppressed
    rows need no crowd a row may be suppressed at the price F / k, F its cost.

    Proof. Let an optimal class g have s rows; k <= s < 2 k, as larger ones can be split. Around one of its rows c
    the ball of its diameter holds it. While j of its rows are uncovered, that ball offers the price
    d(g) / min(j, k) per row, so all its rows are charged at most d(g) (H(k) + (s - k) / k), at most s d(g) H(k) / k;
    and the optimum pays s d(g) for g at least. So the radii chosen sum to at most H(k) / k times the optimum. A row in
    a set of k rows costs at most the sum of its distances to c, so k r; a class made of several sets has at most
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
            "after Meyerson and Williams; proved in docs/papers/approximations.md",
        )
        return released(problem, watch, self.name, _cover(problem, watch), claim, begun)


def _cover(problem: Problem, watch: Watch) -> list[dict[int, int]] | None:
    """Return disjoint classes, or None when told to stop."""
    types, k = problem.types, problem.k
    balls = _Balls(problem)
    classes = DisjointClasses(types.t, k)
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
        classes.add(fresh, near.tolist())
        heapq.heappush(heap, (price, c))
    return classes.classes


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


# The cover by frequent instances of Park and Shim: rows that agree on much are a class.
MOST_LOOKS = 20_000_000


@dataclass(frozen=True, kw_only=True)
class InstanceCover:
    """At most (2 - 1/k) H(k) times the optimum, H(k) = 1 + 1/2 + ... + 1/k, for every k.

    Parameters
    ----------
    most_looks : int, default 20,000,000
        Patterns times row types; problems of more are declined.

    Notes
    -----
    An instance is a pattern with the values it shows; frequent, if k rows or more agree with it. It is chosen for all
    rows that agree with it and are not covered yet, u of them, at its cost c for each of max(u, k) rows; where u < k it
    is filled up with k - u covered ones. The one with the least price per row it newly covers is next, until all rows
    are covered; then sets that share rows are made disjoint (`DisjointClasses`). Where fully suppressed rows need no
    crowd a row may be suppressed at its cost.

    Proof. Let an optimal class have s rows at c* each; k <= s < 2 k, as larger ones can be split. While j of its rows
    are uncovered its instance offers c* max(1, k / j) per row, so its rows are charged at most c* (s - k + k H(k)), at
    most H(k) times what the optimum pays. A class of one set costs no more than was charged; one of several sets has at
    most 2 k - 1 rows, each at no more than the sum of c over the sets, each of which was charged k c at least.

    Park and Shim prove O(log k) for greedy covers, over all sets of k to 2 k - 1 rows or the closed frequent ones; the
    ratio here is proved above. O(P t log t) time for the P patterns and t row types; O(P t) memory.

    References
    ----------
    .. [1] H. Park, K. Shim, "Approximate Algorithms for K-Anonymity", SIGMOD 2007.
    """

    name: ClassVar[str] = "instance_cover"
    cites = ("ParkShim2007",)
    summary: ClassVar[str] = (
        "groups from the cheapest cover by instances (Park, Shim): (2 - 1/k) H(k) times the optimum"
    )
    most_looks: int = MOST_LOOKS

    def declines(self, problem: Problem) -> str | None:
        """Return why the solver will not start: requirements, forbidden patterns, too many instances."""
        reason = outside(problem)
        looks = problem.patterns.count() * problem.types.t
        if reason is None and looks > self.most_looks:
            return (
                f"{self.name} lists every instance: up to {self.most_looks} patterns times row types, not "
                f"{problem.patterns.count()} x {problem.types.t}"
            )
        return reason

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return the release with the per-row bound; cut short, that of Theorem 10 without a ratio."""
        begun = time.perf_counter()
        ratio = (2 - Fraction(1, problem.k)) * harmonic(problem.k)
        claim = (ratio, "after Park and Shim; proved in docs/papers/approximations.md")
        return released(problem, watch, self.name, _cover_of_instances(problem, watch), claim, begun)


def _cover_of_instances(problem: Problem, watch: Watch) -> list[dict[int, int]] | None:
    """Return disjoint classes, or None when told to stop."""
    types, k = problem.types, problem.k
    listed = _Instances(problem)
    if not listed.fill(watch):
        return None
    left = types.counts.copy()
    classes = DisjointClasses(types.t, k)
    alone = int(problem.row_costs(problem.top).max()) if problem.outliers == "suppress" else None
    costs = np.concatenate(listed.costs) if listed.costs else np.zeros(0, np.int64)
    first = np.argsort(costs, kind="stable")
    begins = np.concatenate(([0], np.cumsum(np.concatenate(listed.lengths)))) if listed.costs else np.zeros(1, np.int64)
    members = np.concatenate(listed.members) if listed.members else np.zeros(0, np.int32)

    # Prices are cost (k^2 + 1) over the rows, up to k, newly covered, rounded down: two that differ do so by 1 / k^2 at
    # least before they are multiplied, so their order is exact. At first every instance has k rows or more.
    heap: list[tuple[int, int]] = []
    at = 0
    while left.any():
        if watch.stopped:
            return None
        head = int(costs[first[at]]) * (k * k + 1) // k if at < first.size else None
        if heap and (head is None or heap[0][0] <= head):
            known, chosen = heapq.heappop(heap)
        elif head is not None:
            known, chosen = head, int(first[at])
            at += 1
        else:
            break
        inside = members[begins[chosen] : begins[chosen + 1]]
        rows = int(left[inside].sum())
        if not rows:
            continue
        covers, cost = min(rows, k), int(costs[chosen])
        price = cost * (k * k + 1) // covers
        if price > known:
            heapq.heappush(heap, (price, chosen))
            continue
        if alone is not None and cost * k >= alone * covers:
            break  # every further instance is as dear: what is left is suppressed
        fresh = {int(i): int(left[i]) for i in inside[left[inside] > 0]}
        left[inside] = 0
        classes.add(fresh, inside.tolist())
    return classes.classes


class _Instances:
    """The frequent instances: their row types, one after the other, and what a row costs in each."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.members: list[Int32] = []
        self.lengths: list[Int64] = []
        self.costs: list[Int64] = []

    def fill(self, watch: Watch) -> bool:
        """List them; False when told to stop."""
        t = self.problem.types.t
        return self._below(0, np.arange(t, dtype=np.int32), np.zeros(t, np.int64), np.zeros(t, np.int64), watch)

    def _below(self, column: int, who: Int32, name: Int64, cost: Int64, watch: Watch) -> bool:
        """List those below classes in the columns before `column`: row types, their class and its cost."""
        types, k = self.problem.types, self.problem.k
        if watch.stopped:
            return False
        if column == types.m:
            order = np.argsort(name, kind="stable")
            _, begin, length = np.unique(name[order], return_index=True, return_counts=True)
            self.members.append(who[order])
            self.lengths.append(length.astype(np.int64))
            self.costs.append(cost[order][begin])
            return True
        level = self.problem.levels[column]
        codes = types.codes[who, column]
        for x in range(level.height + 1):
            nodes = level.up[x][codes].astype(np.int64)
            _, finer = np.unique(name * (int(nodes.max(initial=0)) + 1) + nodes, return_inverse=True)
            finer = finer.reshape(-1)
            rows = added_up(finer, types.counts[who], int(finer.max(initial=-1)) + 1)
            keep = rows[finer] >= k
            if keep.any() and not self._below(
                column + 1, who[keep], finer[keep], (cost + level.cost[x][codes])[keep], watch
            ):
                return False
        return True
