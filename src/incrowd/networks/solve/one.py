"""Few attackers who single somebody out: the case k = 1.

Algorithm V guesses a member v to single out and covers all others by the attackers that tell them from v;
Theorem 3(b) and 3(c) are the cases with a short answer.

References
----------
T. Chatterjee et al., On the computational complexities of three privacy measures for large networks under active
attack, Theorem 3. D. S. Johnson, Approximation algorithms for combinatorial problems, 1974.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.networks.solve.attackers import one_common_neighbour

if TYPE_CHECKING:
    from incrowd.networks.values import Graph
    from incrowd.progress import Watch

__all__ = ["algorithm_v", "theorem_3b", "theorem_3c"]


def algorithm_v(distances: np.ndarray, *, watch: Watch | None = None) -> list[int] | None:
    """Algorithm V: a set of measure 1 with at most 1 + ln(n - 1) times the least number of attackers.

    For every v the elements are the other nodes; attacker u != v covers itself and all w with d(u, w) != d(u, v). The
    greedy cover takes, again and again, the attacker that covers most of what is left. The watch is asked after every
    attacker chosen; stopped, the least cover so far is returned. The members are sorted, and None is returned where the
    watch said stop before there was a cover. `distances` is (n, n) integers.

    Notes
    -----
    O(n^3 s) time for answers of s nodes, O(n^2) memory: meant for up to about a thousand nodes. Measured on
    n - 1 elements the greedy cover is within H(n - 1) <= 1 + ln(n - 1) of the least cover, and the least cover over
    the right v is an optimal set.
    """
    n = distances.shape[0]
    best: list[int] | None = None
    for v in range(n):
        covers = distances != distances[:, [v]]  # covers[u, w]
        np.fill_diagonal(covers, True)
        covers[v, :] = False
        left = np.ones(n, np.bool_)
        left[v] = False
        chosen: list[int] = []
        while left.any() and (best is None or len(chosen) + 1 < len(best)):
            if watch is not None and watch.stopped:
                return None if best is None else sorted(best)
            u = int(covers[:, left].sum(axis=1).argmax())
            chosen.append(u)
            left &= ~covers[u]
        if not left.any() and (best is None or len(chosen) < len(best)):
            best = chosen
    assert best is not None  # every u covers itself
    return sorted(best)


def theorem_3b(graph: Graph) -> list[int] | None:
    """Find a leaf, which singles out its only neighbour: Theorem 3(b).

    One node of degree 1 is returned; None where there is none. O(n) time.
    """
    leaves = np.flatnonzero(graph.degrees == 1)
    return [int(leaves[0])] if leaves.size and graph.nodes > 1 else None


def theorem_3c(graph: Graph) -> list[int] | None:
    """Find two nodes with exactly one common neighbour, which single it out: Theorem 3(c), more generally.

    The two are sorted; None is returned where there is no such pair. The paper asks that no cycle has four edges; it is
    enough that one pair has one common neighbour. O(sum of squared degrees).
    """
    pair = one_common_neighbour(graph)
    return None if pair is None else sorted(pair)
