"""The algorithms of the paper by name, plainly: I, II, III and IV, and Theorem 2(c).

They are what the fast sweep is measured against, and readable next to the paper. For networks of more than a few
hundred nodes use `incrowd.networks.antidimension`.

References
----------
T. Chatterjee, B. DasGupta, N. Mobasheri, V. Srinivasan, I. G. Yero, On the computational complexities of three
privacy measures for large networks under active attack, sections 4 and 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import InputError
from incrowd.networks.solve.distances import distance_matrix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from incrowd.networks.values import Graph
    from incrowd.progress import Watch


Found = tuple[int, list[int]] | None
TOLD = 64  # starts between two events


def equivalence_classes(distances: np.ndarray, members: set[int]) -> list[list[int]]:
    """Make the partition Pi of the nodes outside `members` by their distance vectors.

    `distances`, (n, n) int16, is -1 between components; `members` are the indices of the attackers. The classes are
    returned by their first nodes. O(|members| n) time.
    """
    rows = sorted(members)
    groups: dict[bytes, list[int]] = {}
    for x in range(distances.shape[0]):
        if x not in members:
            groups.setdefault(distances[rows, x].tobytes(), []).append(x)
    return list(groups.values())


def _stopped(watch: Watch | None) -> bool:
    return watch is not None and watch.stopped


def _chain_i(distances: np.ndarray, k: int, start: int, watch: Watch | None) -> Found:
    """Run steps 3.1 and 3.2 of Algorithm I: absorb every class below k until none is left, or the watch says stop."""
    members = {start}
    while len(members) < distances.shape[0] and not _stopped(watch):
        groups = equivalence_classes(distances, members)
        if min(len(g) for g in groups) >= k:
            return len(members), sorted(members)
        for g in groups:
            if len(g) < k:
                members.update(g)
    return None


def _chain_ii(distances: np.ndarray, start: int, watch: Watch | None) -> tuple[int, list[int]]:
    """Run steps 3.1 and 3.2 of Algorithm II: absorb the smallest classes; the best measure on the way, and its set."""
    members = {start}
    best, kept = 0, [start]
    while len(members) < distances.shape[0] and not _stopped(watch):
        groups = equivalence_classes(distances, members)
        measure = min(len(g) for g in groups)
        if measure > best:
            best, kept = measure, sorted(members)
        for g in groups:
            if len(g) == measure:
                members.update(g)
    return best, kept


def algorithm_i(graph: Graph, k: int, *, watch: Watch | None = None) -> Found:
    """Find the smallest set of measure at least `k`: Algorithm I.

    `k` is at least 1. Size and members of the set are returned; None where there is none. The watch is asked at every
    step; stopped, the least set of the starts so far is returned. O(n^4) time, 2n^2 bytes.
    """
    distances = distance_matrix(graph, partial(_stopped, watch))
    found = [] if distances is None else [_chain_i(distances, k, v, watch) for v in _until(range(graph.nodes), watch)]
    return min((f for f in found if f is not None), key=lambda f: f[0], default=None)


def algorithm_ii(graph: Graph, *, watch: Watch | None = None) -> tuple[int, list[int]]:
    """Find the largest measure of any set, the ADIM: Algorithm II.

    The measure and a set that has it are returned. The watch is asked at every step; stopped, the largest measure so
    far is returned, 0 where there is none. O(n^4) time, 2n^2 bytes.
    """
    distances = distance_matrix(graph, partial(_stopped, watch))
    found = [] if distances is None else [_chain_ii(distances, v, watch) for v in _until(range(graph.nodes), watch)]
    return max(found, key=lambda f: (f[0], -len(f[1])), default=(0, []))


@dataclass(frozen=True)
class Randomized:
    """A randomized answer with what can be said of it.

    `value`: what the paper's algorithm returns: a size (III) or a measure (IV). `starts`: starting nodes drawn, with
    replacement, and followed to the end.
    """

    value: int | None
    members: list[int] | None
    starts: int
    nodes: int

    def success(self, size: int) -> float:
        """Return the probability that some start lay in a given set, so that the answer is as good as that set.

        `size` is the number of nodes of the set, from 0 to n.

        1 - (1 - size / n)^starts. The paper states high probability after O(n log n / k) starts; that needs
        |V'| >= k, which fails for the star: with k = n - 1 only the centre, one node in n, leads to a solution.
        """
        return float(1.0 - (1.0 - size / self.nodes) ** self.starts)

    @property
    def guaranteed(self) -> float:
        """Probability of an optimal answer whatever the graph: `success(1)`."""
        return self.success(1)


def _starts(graph: Graph, starts: int, seed: int) -> list[int]:
    if starts < 1:
        raise InputError(f"starts must be at least 1, not {starts}")
    drawn: list[int] = np.random.default_rng(seed).integers(0, graph.nodes, starts).tolist()
    return drawn


def _until(starts: Iterable[int], watch: Watch | None) -> Iterator[int]:
    """Hand out starting nodes until the watch says stop, and tell it how many."""
    for done, start in enumerate(starts):
        if _stopped(watch):
            return
        if watch is not None and done % TOLD == 0:
            watch.tell("solve", starts=done)
        yield start


def algorithm_iii(graph: Graph, k: int, *, starts: int, seed: int = 0, watch: Watch | None = None) -> Randomized:
    """Run Algorithm I from random starting nodes only: Algorithm III.

    `k` is at least 1. `starts` nodes, at least 1, are drawn by `seed`, with replacement. The watch is asked at every
    step; stopped, the starts so far count. O(n^3) time a start, 2n^2 bytes.
    """
    drawn = _starts(graph, starts, seed)
    distances = distance_matrix(graph, partial(_stopped, watch))
    found = [] if distances is None else [_chain_i(distances, k, v, watch) for v in _until(drawn, watch)]
    best = min((f for f in found if f is not None), key=lambda f: f[0], default=(None, None))
    return Randomized(best[0], best[1], len(found) - _stopped(watch) if found else 0, graph.nodes)


def algorithm_iv(graph: Graph, *, starts: int, seed: int = 0, watch: Watch | None = None) -> Randomized:
    """Run Algorithm II from random starting nodes only: Algorithm IV.

    `starts` nodes, at least 1, are drawn by `seed`, with replacement. The watch is asked at every step; stopped, the
    starts so far count. O(n^3) time a start, 2n^2 bytes.
    """
    drawn = _starts(graph, starts, seed)
    distances = distance_matrix(graph, partial(_stopped, watch))
    found = [] if distances is None else [_chain_ii(distances, v, watch) for v in _until(drawn, watch)]
    best = max(found, key=lambda f: f[0], default=(0, []))
    return Randomized(best[0], best[1], len(found) - _stopped(watch) if found else 0, graph.nodes)


def theorem_2c(graph: Graph, c: int, *, stopped: Callable[[], bool] = lambda: False) -> Found:
    """Find a smallest set of measure exactly n - c, for n > 2c: Theorem 2(c).

    c and the members are returned; None where there is no such set, or the search was ended. `stopped` is asked after
    every subset, and true ends the search. InputError is raised if c is below 1 or n is not above 2c. A class of n - c
    > n / 2 nodes is the only one, so a solution has exactly c nodes: all C(n, c) subsets are tried. Our text of the
    paper has lost the condition; "k > cn" would be wrong (a path of n / 2 nodes with n / 2 leaves at its end has a
    smallest set of n / 2 nodes for k = n / 2).
    """
    n = graph.nodes
    if c < 1 or n <= 2 * c:
        raise InputError(f"c must be at least 1 and below half the {n} nodes, not {c}")
    distances = distance_matrix(graph, stopped)
    if distances is None:
        return None
    everything = np.arange(n)
    for members in combinations(range(n), c):
        rest = np.delete(everything, members)
        if (distances[np.ix_(np.array(members), rest)] == distances[members, rest[0]][:, None]).all():
            return c, list(members)
        if stopped():
            return None
    return None
