"""Complete multipartite graphs: closed forms for every level, complete graphs and stars among them.

The proofs are in ``papers/privacy-measures.md``, section "Complete multipartite graphs".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.networks.solve.sweep import Curve
from incrowd.networks.values import NodeSet

if TYPE_CHECKING:
    from incrowd.networks.values import Int32, Int64

__all__ = ["Parts", "multipartite_curve", "multipartite_exactly", "parts_of"]


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a complete multipartite graph.

    Attributes
    ----------
    sizes : (r,) int64
        Nodes of every part, rising; r is at least 2.
    members : (n,) int32
        The nodes, part after part.
    """

    sizes: Int64
    members: Int32

    def some(self, part: int, number: int) -> Int32:
        """Return so many nodes of a part.

        Parameters
        ----------
        part, number : int
        """
        start = int(self.sizes[:part].sum())
        return self.members[start : start + number]


def parts_of(indptr: Int64, indices: Int32) -> Parts | None:
    """Find the parts of a complete multipartite graph.

    Parameters
    ----------
    indptr, indices : CSR arrays

    Returns
    -------
    Parts or None
        None where the graph is not complete multipartite with two or more parts.

    Notes
    -----
    O(n) time for graphs whose degrees alone rule it out, O(n + m) for others: a part is what a node is not joined to,
    so r parts cost r n <= 2m + n steps.
    """
    degree = np.diff(indptr)
    n = degree.size
    size = n - degree  # of the part that a node would be in
    number = np.bincount(size, minlength=n + 1)
    occurring = np.flatnonzero(number)
    if size.min() < 1 or size.max() >= n or (number[occurring] % occurring).any():
        return None
    part = np.full(n, -1, np.int64)
    inside = np.empty(n, np.bool_)
    found = 0
    for v in range(n):
        if part[v] >= 0:
            continue
        inside[:] = True
        inside[indices[indptr[v] : indptr[v + 1]]] = False
        if (size[inside] != size[v]).any() or (part[inside] >= 0).any():
            return None
        part[inside] = found
        found += 1
    if (np.repeat(part, degree) == part[indices]).any():
        return None
    sizes = np.bincount(part)
    rising = np.argsort(sizes, kind="stable")
    rank = np.empty(found, np.int64)
    rank[rising] = np.arange(found)
    return Parts(sizes[rising].astype(np.int64), np.argsort(rank[part], kind="stable").astype(np.int32))


def multipartite_curve(parts: Parts, first: int, last: int) -> Curve:
    """Least attackers for every level of a complete multipartite graph.

    Parameters
    ----------
    parts : Parts
    first, last : int
        Levels of interest, from 1 to at most the largest degree.

    Returns
    -------
    Curve

    Notes
    -----
    One node does up to k1, the largest measure of one; from there to n - a the smallest part does, of a nodes.
    """
    n, sizes = int(parts.sizes.sum()), parts.sizes
    smallest = int(sizes[0])
    single = _single_measures(sizes)
    best = int(single.argmax())
    top = int(single[best])
    upper = np.full(max(last, first) + 2, n, np.int64)
    upper[: n - smallest + 1] = smallest
    upper[: top + 1] = 1
    sets = {smallest: NodeSet.of(parts.some(0, smallest), n)}
    sets[1] = NodeSet.of(parts.some(best, 1), n)
    return Curve(n, first, last, upper.copy(), upper, sets)


def multipartite_exactly(parts: Parts, k: int) -> Int32 | None:
    """Return the least set of measure exactly `k` of a complete multipartite graph.

    Parameters
    ----------
    parts : Parts
    k : int
        From 1.

    Returns
    -------
    (s,) int32 or None
        None where there is none.

    Notes
    -----
    O(k sqrt(k) log k) time: which sums of parts are k, over the at most sqrt(2k) different sizes.
    """
    sizes, n = parts.sizes, int(parts.sizes.sum())
    if not 1 <= k <= n - 1:
        return None
    single = np.flatnonzero(_single_measures(sizes) == k)
    if single.size:
        return parts.some(int(single[0]), 1)
    options: list[tuple[int, dict[int, int]]] = []  # size of the set, and how many nodes of which part
    cheapest = {i: 1 if size > k else size for i, size in enumerate(sizes.tolist())}
    whole = sum(cheapest.values())
    larger = np.flatnonzero(sizes > k)
    with_rest = larger[n - sizes[larger] >= k]
    if with_rest.size:
        i = int(with_rest[0])
        options.append((int(sizes[i]) - k, {i: int(sizes[i]) - k}))
    if larger.size:
        i = int(larger[0])
        options.append((whole - 1 + int(sizes[i]) - k, cheapest | {i: int(sizes[i]) - k}))
    left = _parts_that_sum(sizes, k)
    if left is not None:
        options.append((whole - k, {i: c for i, c in cheapest.items() if i not in left}))
    if not options:
        return None
    _, taken = min(options, key=lambda option: option[0])
    return np.concatenate([parts.some(i, number) for i, number in taken.items()])


def _single_measures(sizes: Int64) -> Int64:
    """Return the measure of one node of every part: its own part is at distance 2, all others at distance 1."""
    n = int(sizes.sum())
    return np.where(sizes == 1, n - 1, np.minimum(sizes - 1, n - sizes))


def _parts_that_sum(sizes: Int64, k: int) -> set[int] | None:
    """Return parts with `k` nodes together, or None; each size is taken in runs of 1, 2, 4, ... parts."""
    runs = []
    for size in np.unique(sizes[sizes <= k]).tolist():
        same = np.flatnonzero(sizes == size)[: k // size].tolist()
        step = 1
        while same:
            runs.append(same[:step])
            same, step = same[step:], 2 * step
    by = np.full(k + 1, -1, np.int64)  # the run with which a sum was first met
    by[0] = len(runs)
    for index, run in enumerate(runs):
        weight = int(sizes[run].sum())
        if weight <= k:
            fresh = (by[: k + 1 - weight] >= 0) & (by[weight:] < 0)
            by[weight:][fresh] = index
    if by[k] < 0:
        return None
    found: set[int] = set()
    while k:
        run = runs[int(by[k])]
        found.update(run)
        k -= int(sizes[run].sum())
    return found
