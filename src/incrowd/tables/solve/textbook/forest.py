"""The forest of Aggarwal et al.: every row points to a near one, and the trees are cut into classes."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from incrowd.tables.solve.textbook.approximation import distances, outside, released

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.values import Int64, Problem, Solution


MOST_ROWS = 20_000


@dataclass(frozen=True, kw_only=True)
class Forest:
    """At most 3 (k - 1) times the optimum, for every k >= 2, in quadratic time.

    Parameters
    ----------
    most_rows : int, default 20,000
        Larger tables are declined.

    Notes
    -----
    d(u, v) is what a row pays in a class that holds u and v, r(v) the distance of v to the farthest of the k - 1 rows
    nearest to it. As long as some tree has fewer than k rows, the one row of it that points nowhere points to the
    nearest row of another tree: one of those k - 1, at most r(v) away. From the leaves on, what hangs below a row is
    gathered until it has k rows and is a class (with or without that row); what is left at the root joins a class
    beside it. Classes of 2 k rows and more are split.

    Proof. Every row of a release pays r(v) at least (suppressed alone, more than any distance), so the edges sum to at
    most the optimum. A row of a class costs at most the edges that join its rows, perhaps through one further row; no
    edge is counted for two classes. A class is gathered from fewer than k rows and a further part of fewer than k, so
    has at most 2 k - 2; with what is left at the root at most 3 k - 3. Splitting costs nothing.

    Aggarwal et al. prove O(k) for suppression by such a forest; the ratio here is proved above, and holds for weights
    and hierarchies. O(t^2 m + n k) time for t row types and n rows; O(n k) memory.

    References
    ----------
    .. [1] G. Aggarwal, T. Feder, K. Kenthapadi, R. Motwani, R. Panigrahy, D. Thomas, A. Zhu, "Approximation Algorithms
       for k-Anonymity", Journal of Privacy Technology, 2005.
    """

    name: ClassVar[str] = "forest"
    cites = ("AggarwalEtAl2005",)
    summary: ClassVar[str] = (
        "trees of near rows, cut into groups (Aggarwal et al.): at most 3 (k - 1) times the optimum"
    )
    most_rows: int = MOST_ROWS

    def declines(self, problem: Problem) -> str | None:
        """Return why the solver will not start: requirements, forbidden patterns, too many rows, k = 1."""
        if problem.types.n > self.most_rows:
            return f"{self.name} takes tables of up to {self.most_rows} rows, not {problem.types.n}"
        if problem.k < 2:
            return "its guarantee is for k of 2 or more, and every row is shown as it is for k = 1"
        return outside(problem)

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return the release with the per-row bound; cut short, that of Theorem 10 without a ratio."""
        begun = time.perf_counter()
        ratio = Fraction(3 * (problem.k - 1))
        claim = (ratio, "after Aggarwal et al.; proved in docs/papers/approximations.md")
        to = _pointers(problem, watch)
        classes = None
        if to is not None:
            row_type = np.repeat(np.arange(problem.types.t), problem.types.counts)
            classes = [
                Counter(row_type[part].tolist())
                for class_ in gathered(to, problem.k)
                for part in _split(class_, problem.k)
            ]
        return released(problem, watch, self.name, classes, claim, begun)


def _pointers(problem: Problem, watch: Watch) -> list[int] | None:
    """Return the row each row points to, -1 for roots; None when told to stop."""
    types, k = problem.types, problem.k
    near = _nearest_types(problem, watch)
    if near is None:
        return None
    first = np.concatenate(([0], np.cumsum(types.counts)))
    row_type = np.repeat(np.arange(types.t), types.counts).tolist()
    to, tree, size, root = [-1] * types.n, list(range(types.n)), [1] * types.n, list(range(types.n))

    def of(v: int) -> int:
        while tree[v] != v:
            tree[v] = tree[tree[v]]
            v = tree[v]
        return v

    for begin in range(types.n):
        if watch.stopped:
            return None
        here = of(begin)
        while size[here] < k:
            v = root[here]
            u = next(
                u
                for i in near[row_type[v]].tolist()
                for u in range(int(first[i]), int(first[i]) + min(int(types.counts[i]), k))
                if of(u) != here
            )
            there = of(u)
            to[v] = u
            tree[here] = there
            size[there] += size[here]
            here = there
    return to


def _nearest_types(problem: Problem, watch: Watch) -> Int64 | None:
    """Return of every row type the k nearest, itself first among equals; None when told to stop."""
    t, few = problem.types.t, min(problem.k, problem.types.t)
    near: Int64 = np.zeros((t, few), np.int64)
    step = max(1, 2_000_000 // t)
    for begin in range(0, t, step):
        if watch.stopped:
            return None
        these = np.arange(begin, min(begin + step, t))
        to = distances(problem, these)
        to[these - begin, these] = -1
        some = np.argpartition(to, few - 1, axis=1)[:, :few]
        order = np.argsort(np.take_along_axis(to, some, axis=1), axis=1, kind="stable")
        near[these] = np.take_along_axis(some, order, axis=1)
    return near


def gathered(to: list[int], k: int) -> list[list[int]]:
    """Return classes of k to 3 k - 3 rows, joined by edges of which no two classes share one.

    `to` is the row that each row points to, -1 at roots; every tree has at least k rows, and k is at least 2. O(n)
    time.
    """
    n = len(to)
    below = [0] * n
    for u in to:
        if u >= 0:
            below[u] += 1
    classes: list[list[int]] = []
    beside: defaultdict[int, list[int]] = defaultdict(list)  # classes that an unused edge, or none, joins to a row
    parts: list[list[int]] = [[] for _ in range(n)]
    ready = [v for v in range(n) if not below[v]]
    while ready:
        v = ready.pop()
        part = [*parts[v], v]
        parts[v] = []
        u = to[v]
        if len(part) >= k:
            beside[u].append(len(classes))
            classes.append(part)
        elif u < 0:
            classes[next(g for x in part for g in beside[x])].extend(part)
        else:
            parts[u].extend(part)
            if len(parts[u]) >= k:
                beside[u].append(len(classes))
                classes.append(parts[u])
                parts[u] = []
        if u >= 0:
            below[u] -= 1
            if not below[u]:
                ready.append(u)
    return classes


def _split(class_: list[int], k: int) -> list[list[int]]:
    """Return the rows in parts of k to 2 k - 1."""
    parts = max(len(class_) // k, 1)
    return [class_[p * k : (p + 1) * k if p < parts - 1 else None] for p in range(parts)]
