"""A simulated active attack: plant accounts, let the network be published, find them again, name their targets.

The walk-based attack: before publication the attacker makes h = (2 + delta) log2 n accounts, links them in a path
plus random inner edges, and to outside members by random degrees; every target is linked to a set of accounts of
its own. In the published graph, without names, a depth-first search looks for a path of nodes with the planted
degrees and inner edges. When it finds one place only, the targets are read off, and every other member can be
looked for by its distances to the accounts.

References
----------
L. Backstrom, C. Dwork, J. Kleinberg, Wherefore art thou r3579x? Anonymized social networks, hidden patterns, and
structural steganography, WWW 2007, section 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.networks.bfs import find_pattern
from incrowd.networks.solve.distances import class_sizes, classes_left
from incrowd.networks.values import simple_graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.networks.values import Graph, Int32


STEPS = 20_000_000


@dataclass(slots=True)
class Trial:
    """One attack.

    `recovered`: the accounts were found, and nothing else fitted. `ambiguous`: more than one place fitted, or the
    search gave up. `by_distance`: share of the members singled out by their distances to the recovered accounts; 0 if
    not recovered.
    """

    recovered: bool
    ambiguous: bool
    targets_found: int
    by_distance: float


def default_sybils(nodes: int) -> int:
    """Return how many accounts the walk-based attack plants: (2 + 1/2) log2 n, rounded up, at least 4.

    n is the number of the members of the network.
    """
    return max(4, math.ceil(2.5 * math.log2(max(2, nodes))))


def attack_once(graph: Graph, sybils: int, targets: int, noise: float, seed: int) -> Trial:
    """Plant accounts, publish the network, find the accounts again and name their targets, once.

    `sybils` accounts are planted, from 3, and `targets` members marked, at most n, and no more than the sets of two or
    three accounts. `noise` is the share of the edges moved before publication, from 0 to 1; `seed` draws everything.
    O(n + m) time, and a search that gives up after 20 million steps.
    """
    rng = np.random.default_rng(seed)
    n = graph.nodes
    marked = rng.choice(n, targets, replace=False)
    links, inner, marks = _plant(n, sybils, marked, rng)
    rows = np.repeat(np.arange(n, dtype=np.int64), graph.degrees)
    upper = rows < graph.indices
    u = np.concatenate([rows[upper], links[:, 0]])
    v = np.concatenate([graph.indices[upper].astype(np.int64), links[:, 1]])
    planted = np.bincount(links.ravel(), minlength=n + sybils)[n:]
    u, v = _publish(u, v, n + sybils, noise, rng)
    names = rng.permutation(n + sybils)  # names are gone: member i is published as names[i]
    published = simple_graph(names[u].astype(np.int32), names[v].astype(np.int32), n + sybils)
    found, matches = find_pattern(published.indptr, published.indices, planted.astype(np.int64), inner, STEPS)
    truth = names[n:]
    if matches != 1 or not np.array_equal(found[0], truth):
        return Trial(False, matches != 0, 0, 0.0)
    named = _read_off(published, found[0], marks)
    hits = sum(int(named[j] == names[x]) for j, x in enumerate(marked))
    alone = int((class_sizes(classes_left(published, found[0])[0]) == 1).sum()) / n
    return Trial(True, False, hits, alone)


def _plant(
    n: int, sybils: int, marked: NDArray[np.int64], rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.bool_], list[frozenset[int]]]:
    """Links of the accounts n..n+h-1, the inner edges, and the accounts every target is linked to."""
    inner = np.triu(rng.random((sybils, sybils)) < 0.5, 2)
    inner |= np.eye(sybils, k=1, dtype=np.bool_)
    links = [(n + int(i), n + int(j)) for i, j in np.argwhere(inner)]
    marks: list[frozenset[int]] = []
    sizes = (1, 2, 3)
    pool = [frozenset(c) for size in sizes[1:] for c in combinations(range(sybils), min(size, sybils))]
    for j in rng.permutation(len(pool))[: marked.size]:
        marks.append(pool[int(j)])
    for x, accounts in zip(marked, marks, strict=True):
        links += [(n + i, int(x)) for i in sorted(accounts)]
    others = np.setdiff1d(np.arange(n), marked)
    low = 2 + len(marked) * 2 // sybils  # outside degrees a little above what the targets need
    for i in range(sybils):
        wanted = min(int(rng.integers(low, 2 * low + 1)), others.size)
        links += [(n + i, int(x)) for x in rng.choice(others, wanted, replace=False)]
    return np.array(links, np.int64), inner | inner.T, marks


def _publish(
    u: NDArray[np.int64], v: NDArray[np.int64], n: int, noise: float, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Move a share of the edges to random places."""
    moved = round(noise * u.size)
    if moved:
        which = rng.choice(u.size, moved, replace=False)
        u, v = u.copy(), v.copy()
        u[which], v[which] = rng.integers(0, n, moved), rng.integers(0, n, moved)
    return u, v


def _read_off(graph: Graph, accounts: Int32, marks: list[frozenset[int]]) -> list[int]:
    """Find the published node linked to exactly the accounts of each mark; -1 where there is not exactly one."""
    near: dict[int, set[int]] = {}
    own = set(accounts.tolist())
    for i, x in enumerate(accounts.tolist()):
        for y in graph.indices[graph.indptr[x] : graph.indptr[x + 1]].tolist():
            if y not in own:
                near.setdefault(y, set()).add(i)
    at: dict[frozenset[int], list[int]] = {}
    for y, by in near.items():
        at.setdefault(frozenset(by), []).append(y)
    return [at[m][0] if len(at.get(m, [])) == 1 else -1 for m in marks]
