"""Random graphs of the classes that have a program of their own, and what each curve is compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.networks.build import simple_csr
from incrowd.networks.solve.families.recognition import family_curve
from incrowd.networks.solve.sweep import sweep
from incrowd.progress import Watch
from oracles import networks as plain

if TYPE_CHECKING:
    import random

Edges = list[tuple[int, int]]
Drawn = tuple[int, Edges]


def shuffled(n: int, edges: Edges, rng: random.Random) -> Drawn:
    """The same graph with its nodes renamed."""
    name = rng.sample(range(n), n)
    return n, [(name[a], name[b]) for a, b in edges]


def tree(rng: random.Random, most: int = 40) -> Drawn:
    """A tree of 2 to `most` nodes: random, deep, wide, with long legs, with hubs."""
    n, kind, w = rng.randint(2, most), rng.randrange(5), rng.randint(1, 6)
    above = [
        lambda v: rng.randrange(v),
        lambda v: max(0, v - rng.randint(1, w)),
        lambda v: (v - 1) // w,
        lambda v: v - 1 if v % w else rng.randrange(v),
        lambda v: rng.choice([0, rng.randrange(v), v - 1]),
    ][kind]
    return shuffled(n, [(above(v), v) for v in range(1, n)], rng)


def csr(n: int, edges: Edges) -> tuple[np.ndarray, np.ndarray]:
    """The arrays of a graph."""
    ends = np.array(edges, np.int32).reshape(-1, 2)
    indptr, indices, _ = simple_csr(ends[:, 0].copy(), ends[:, 1].copy(), n)
    return indptr, indices


def adjacency(indptr: np.ndarray, indices: np.ndarray) -> list[list[int]]:
    """Neighbours of every node."""
    return [indices[indptr[v] : indptr[v + 1]].tolist() for v in range(indptr.size - 1)]


def same_as_the_sweep(n: int, edges: Edges, name: str) -> None:
    """The program of a class is taken, and its sizes at every level are those of the sweep."""
    indptr, indices = csr(n, edges)
    found = family_curve(indptr, indices, first=1, last=None, watch=Watch())
    assert found is not None
    curve, said = found
    assert name in said
    truth = sweep(indptr, indices)
    assert curve.last == truth.last
    assert curve.exact
    assert curve.upper[1 : truth.last + 1].tolist() == truth.upper[1 : truth.last + 1].tolist()


def sets_hold(n: int, edges: Edges) -> None:
    """The sets that a program shows have the sizes and, by definition, the measures that it claims."""
    indptr, indices = csr(n, edges)
    found = family_curve(indptr, indices, first=1, last=None, watch=Watch())
    assert found is not None
    curve, _ = found
    dist = plain.distances(adjacency(indptr, indices))
    for k in range(1, curve.last + 1):
        size = int(curve.upper[k])
        if size < n:
            members = curve.sets[size].members.tolist()
            assert len(members) == size
            assert plain.mu(dist, members) >= k
