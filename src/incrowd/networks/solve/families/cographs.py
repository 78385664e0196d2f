"""Connected cographs: closures read off the cotree.

A cograph has no path of four nodes as an induced subgraph; a connected one has distances 1 and 2 only. The proofs are
in ``papers/privacy-measures.md``, section "Cographs".

References
----------
D. G. Corneil, H. Lerchs, L. Stewart Burlingham, Complement reducible graphs, Discrete Applied Mathematics 3, 1981:
cographs are what taking away one of two twins, again and again, leaves a single node of.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.networks.cotrees import beside_path, branch_sums, canonical, cotree, implied_edges
from incrowd.networks.solve.sweep import Curve
from incrowd.networks.values import NodeSet

if TYPE_CHECKING:
    from incrowd.networks.values import Int32, Int64
    from incrowd.progress import Watch

__all__ = ["Cotree", "cograph_curve", "cotree_of"]


@dataclass(frozen=True, slots=True)
class Cotree:
    """A cograph taken apart, joined and not joined taking turns.

    Attributes
    ----------
    nodes : int
        n; they come first.
    above : (2n - 1,) int32
        Parents; -1 for the root, -2 for what is contracted into its parent.
    beside : (2n - 1,) int64
        Nodes below the parent and not below oneself.
    joined : (2n - 1,) bool
        For inner ones: whether their children are joined.
    """

    nodes: int
    above: Int32
    beside: Int64
    joined: np.ndarray


def cotree_of(indptr: Int64, indices: Int32) -> Cotree | None:
    """Take a connected graph apart.

    Parameters
    ----------
    indptr, indices : CSR arrays of a connected graph of at least two nodes

    Returns
    -------
    Cotree or None
        None where the graph is no cograph.

    Notes
    -----
    O((n + m) log n) time; O(n) where the nodes near a node of least degree have too few neighbours for a diameter of 2,
    and O(n + m) where there are no twins. The cotree is checked against the edges.
    """
    degree = np.diff(indptr)
    n = degree.size
    v = int(degree.argmin())
    if 1 + int(degree[indices[indptr[v] : indptr[v + 1]]].sum()) < n:
        return None
    merges, parent, joined = cotree(indptr, indices, 0)
    if merges < n - 1 or not joined[2 * n - 2] or implied_edges(indptr, indices, parent, joined) != indices.size // 2:
        return None
    above, beside = canonical(parent, joined, n)
    return Cotree(n, above, beside, joined)


def cograph_curve(tree: Cotree, degree: Int64, first: int, last: int, watch: Watch) -> Curve:
    """Least attackers for every level of a connected cograph.

    Parameters
    ----------
    tree : Cotree
    degree : (n,) int64
    first, last : int
        Levels of interest, from 1 to at most the largest degree.
    watch : Watch
        When it stops the run, levels between those decided are an interval.

    Returns
    -------
    Curve

    Notes
    -----
    O(n) time for a level, and levels between two with the same answer are not looked at: O(n t log n) for t steps.
    """
    n = tree.nodes
    others = n - 1 - degree
    single = np.where(others > 0, np.minimum(degree, others), degree)
    best = int(single.argmax())
    top = int(single[best])
    upper = np.full(max(last, first) + 2, n, np.int64)
    upper[: top + 1] = 1
    lower = upper.copy()
    sets = {1: NodeSet.of(np.array([best], np.int32), n)}
    known: dict[int, int] = {}
    good: dict[int, int] = {}  # the last level each set was made for

    def size_at(k: int) -> int:
        if k not in known:
            known[k], members = _smallest(tree, k)
            if known[k] < n and k > good.get(known[k], 0):
                good[known[k]] = k
                sets[known[k]] = NodeSet.of_flags(members, known[k])
        return known[k]

    spans = [(max(first, top + 1), last)] if max(first, top + 1) <= last else []
    while spans:
        a, b = spans.pop()
        if watch.stopped:
            lower[a : b + 1] = known.get(a, 1)
            upper[a : b + 1] = known.get(b, n)
            continue
        low, high = size_at(a), size_at(b)
        lower[a : b + 1] = upper[a : b + 1] = low
        upper[b] = lower[b] = high
        if low != high and b - a > 1:
            middle = (a + b) // 2
            spans += [(a, middle), (middle, b)]
    return Curve(n, first, last, lower, upper, sets)


def _smallest(tree: Cotree, k: int) -> tuple[int, np.ndarray]:
    """Return the size of the least set of measure `k` or more, k above that of every node, and the set by flags."""
    n = tree.nodes
    sums = branch_sums(tree.above, tree.beside, tree.joined, k)[:, :n]
    kind, v = divmod(int(sums.argmax()), n)
    members = np.ones(n, np.bool_)
    left = int(sums[kind, v])
    if left:
        members = ~beside_path(tree.above, tree.beside, tree.joined, v, bool(kind), k)[:n]
    return n - left, members
