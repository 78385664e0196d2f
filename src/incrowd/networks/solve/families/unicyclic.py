"""Connected graphs with one cycle: for k above 2 a solution holds none, one, two adjacent or all nodes of the cycle.

References
----------
R. Trujillo-Rasua, I. G. Yero, Characterizing 1-metric antidimensional trees and unicyclic graphs, The Computer
Journal 59, 2016, decide where the largest measure is 1. The curve and its proof here are in
``papers/privacy-measures.md``, section "Graphs with one cycle".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.networks.build import bfs_order, relabel, simple_csr
from incrowd.kernels.networks.one_cycle import far_side, farthest, hung_trees
from incrowd.kernels.networks.trees import entry_levels, far_bounds, heights, rooted
from incrowd.networks.solve.families.hubs import best_hub
from incrowd.networks.solve.families.trees import centre_of
from incrowd.networks.solve.sweep import Curve
from incrowd.networks.values import NodeSet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from incrowd.networks.values import Int32, Int64
    from incrowd.progress import Watch

__all__ = ["unicyclic_curve"]


@dataclass(frozen=True, slots=True)
class _Ring:
    """A graph with one cycle, its nodes by place: those of the cycle as they follow each other, then the others.

    Attributes
    ----------
    length : int
        Nodes of the cycle.
    parent : (n,) int32
        The neighbour towards the cycle; -1 on it.
    own, depth : (n,) int64
        The node of the cycle that each hangs from, and how far from it.
    """

    length: int
    parent: Int32
    own: Int64
    depth: Int64

    def below(self, j: int) -> Int32:
        """Return the nodes that hang from a node of the cycle, itself first, parents before their children."""
        return np.flatnonzero(self.own == j % self.length).astype(np.int32)

    def layers(self, j: int) -> Int64:
        """Count what does not hang from a node of the cycle by its distance from that node, from distance 1 on."""
        nodes = np.flatnonzero(self.own != j)
        offset = np.abs(self.own[nodes] - j)
        return np.bincount(np.minimum(offset, self.length - offset) + self.depth[nodes])[1:].astype(np.int64)

    def arm(self, j: int, step: int) -> Int64:
        """Count the nodes of half an even cycle by their distance from a node of it, which they hang from."""
        offset = (step * (self.own - j)) % self.length
        return np.bincount((offset + self.depth)[(offset > 0) & (offset < self.length // 2)])[1:].astype(np.int64)


@dataclass(frozen=True, slots=True)
class _State:
    """Closures of one form, for the levels at which they have it.

    Attributes
    ----------
    first, last : int
        Levels.
    nodes : (s,) int32
        Places.
    entry : (s,) int32
        The first level at which each is taken.
    """

    first: int
    last: int
    nodes: Int32
    entry: Int32


def unicyclic_curve(indptr: Int64, indices: Int32, first: int, last: int, watch: Watch) -> Curve | None:
    """Least attackers for every level of a connected graph with one cycle.

    Parameters
    ----------
    indptr, indices : CSR arrays of a connected graph with as many edges as nodes
    first, last : int
        Levels of interest, from 1 to at most the largest degree.
    watch : Watch
        When it stops the run, the result is an interval.

    Returns
    -------
    Curve or None
        None where no single node has measure 2, and level 2 is asked for.

    Notes
    -----
    O(n) time and memory, searches from the single nodes that no bound rules out, and O(n) for every pair of adjacent
    nodes of an even cycle that could do.
    """
    back = bfs_order(indptr, indices, int(np.diff(indptr).argmax()))  # neighbours close in memory
    indptr, indices = relabel(indptr, indices, back)
    length, order, parent = hung_trees(indptr, indices)
    ring = _ring(length, parent)
    reach = heights(parent)[:length].astype(np.int64) - 1  # the deepest node below each of the cycle
    tall = int(reach.argmax())
    offset = np.abs(np.arange(length) - tall)
    across = np.minimum(offset, length - offset)
    across[tall] = -1 - int(reach[tall])
    leaning = int(reach[tall]) > int((across + reach).max())
    bound = np.empty(order.size, np.int64)
    degree = np.diff(indptr)[order]
    if leaning:
        found = _leaning(ring, tall, degree)
        bound[order], states = found[0], iter(found[1])
    else:
        by_place = np.minimum(degree, _far_bounds(ring, reach)[ring.own])
        spined = _spined(ring, tall)
        inside, _ = _bounds_and_entries(spined.tree, 0)
        by_place[spined.nodes] = np.minimum(by_place[spined.nodes], inside[: spined.nodes.size])
        bound[order] = by_place
    hub = best_hub(indptr, indices, bound, watch, first - 1)
    if hub.possible < 2 <= last:
        return None
    if not leaning:
        states = _upright(ring, degree, max(hub.measure, first - 1))
    n = order.size
    upper = np.full(max(last, first) + 2, n, np.int64)
    best: dict[int, _State] = {}
    undecided = 0  # levels up to this one may have smaller sets
    for state in states:
        span = np.arange(max(state.first, first), min(state.last, last) + 1)
        if span.size:
            sizes = np.searchsorted(np.sort(state.entry), span, side="right")
            better = sizes < upper[span]
            upper[span[better]] = sizes[better]
            best.update(dict.fromkeys(span[better].tolist(), state))
        if watch.stopped:
            undecided = last
            break
    lower = upper.copy()
    lower[: max(hub.possible, first - 1) + 1] = 1
    lower[max(hub.possible, first - 1) + 1 : undecided + 1] = 2
    upper[: max(hub.measure, first - 1) + 1] = 1
    sets = {1: NodeSet.of(back[[hub.node]], n)} if hub.node >= 0 else {}
    last_of = {int(upper[k]): k for k in sorted(best) if 1 < upper[k] < n}
    current, flags, taken = None, np.zeros(n, np.bool_), 0
    for size, k in last_of.items():
        if best[k] is not current:
            current, taken = best[k], 0
            flags[:] = False
            rank = np.argsort(current.entry, kind="stable")
        flags[back[order[current.nodes[rank[taken:size]]]]] = True
        taken = size
        sets[size] = NodeSet.of_flags(flags, size)
    return Curve(n, first, last, lower, upper, sets, hub.searches)


def _ring(length: int, parent: Int32) -> _Ring:
    """Follow the parents of every node to the cycle."""
    own, depth = np.arange(parent.size), np.zeros(parent.size, np.int64)
    rows = parent.astype(np.int64)
    up = np.where(rows < 0, own, rows)
    depth[length:] = 1
    while (up >= length).any():  # by doubling
        depth, up = depth + depth[up], up[up]
    return _Ring(length, parent, up, depth)


def _far_bounds(ring: _Ring, reach: Int64) -> Int64:
    """Bound the measures of all nodes below each node of the cycle by the thin layers beyond it."""
    rank = np.lexsort((ring.depth, ring.own))
    starts = np.zeros(ring.length + 1, np.int64)
    starts[1:] = np.cumsum(reach + 1)
    layers = np.zeros(int(starts[-1]), np.int64)
    np.add.at(layers, starts[ring.own[rank]] + ring.depth[rank], 1)
    out: Int64 = far_side(starts, layers, farthest(reach))
    return out


def _spine(layers: Int64, foot: int, name: int) -> tuple[list[np.ndarray], int]:
    """Return the edges of a branch with so many nodes a layer, its first node `name`, and the next free name."""
    joints = np.concatenate([[name], name + np.cumsum(layers)[:-1]])
    above = np.concatenate([[foot], joints[:-1]])
    total = int(layers.sum())
    ends = np.arange(name, name + total)
    return [np.stack([np.repeat(above, layers), ends], 1)], name + total


def _tree(edges: list[np.ndarray], n: int) -> tuple[Int64, Int32]:
    """Return a tree as compressed rows."""
    ends = np.concatenate(edges).astype(np.int32)
    indptr, indices, _ = simple_csr(ends[:, 0].copy(), ends[:, 1].copy(), n)
    return indptr, indices


def _edges(ring: _Ring, nodes: Int32, name: Int32) -> np.ndarray:
    """Return the edges towards the cycle of what hangs from one of its nodes, under new names."""
    inner = nodes[1:]
    return np.stack([name[ring.parent[inner]], name[inner]], 1)


def _entries(indptr: Int64, indices: Int32, root: int) -> Int32:
    """Return the entry levels of a tree by node."""
    order, parent = rooted(indptr, indices, root)
    out = np.empty(order.size, np.int32)
    out[order] = entry_levels(parent, heights(parent))
    return out


@dataclass(frozen=True, slots=True)
class _Spined:
    """One tree with a path and leaves in place of all else: its nodes have the layers that they have in the graph.

    Attributes
    ----------
    nodes, name : (s,) and (n,) int32
        Places of the tree's nodes, the one on the cycle first, and the place of each among them.
    layers : (h,) int64
        How many nodes are put in at distance 1, 2, ... of the cycle's node; the path's first is number s.
    trunk : (s - 1, 2) integers
        The tree's edges.
    tree : CSR arrays
    """

    nodes: Int32
    name: Int32
    layers: Int64
    trunk: np.ndarray
    tree: tuple[Int64, Int32]


def _spined(ring: _Ring, tall: int) -> _Spined:
    """Put a path with leaves in place of all that does not hang from one node of the cycle."""
    n = ring.own.size
    nodes = ring.below(tall)
    name = np.full(n, -1, np.int32)
    name[nodes] = np.arange(nodes.size)
    trunk = _edges(ring, nodes, name)
    layers = ring.layers(tall)
    spine, _ = _spine(layers, 0, nodes.size)
    return _Spined(nodes, name, layers, trunk, _tree([trunk, *spine], n))


def _bounds_and_entries(tree: tuple[Int64, Int32], root: int) -> tuple[Int64, Int32]:
    """Return bounds on the measures of single nodes of a tree, and the entry levels from a root, by node."""
    order, parent = rooted(*tree, root)
    height = heights(parent)
    bound, entry = np.empty(order.size, np.int64), np.empty(order.size, np.int32)
    bound[order] = far_bounds(parent, height, np.diff(tree[0])[order])
    entry[order] = entry_levels(parent, height)
    return bound, entry


def _leaning(ring: _Ring, tall: int, degree: Int64) -> tuple[Int64, list[_State]]:
    """Return bounds on single nodes, and states, where a tree is higher than all else is far: its centre is taken."""
    n, length = degree.size, ring.length
    spined = _spined(ring, tall)
    nodes, name, layers = spined.nodes, spined.name, spined.layers
    root = centre_of(*spined.tree)
    by_place, entry = _bounds_and_entries(spined.tree, root)
    bound = np.full(n, int(np.bincount(ring.depth[nodes])[layers.size + 1 :].min()), np.int64)
    bound[nodes] = by_place[: nodes.size]
    until = int(entry[nodes.size]) - 1  # the cycle stays outside
    states = [_State(1, until, nodes, entry[: nodes.size])]
    for step in (1, -1) if length % 2 == 0 else ():
        state = _with_neighbour(ring, tall, step, root, name, nodes, until)
        states.append(state)
    begin = max(state.last for state in states) + 1
    rest = np.flatnonzero(ring.own != tall).astype(np.int32)
    # a path higher than all else makes sure that the node of the cycle is taken
    path, total = _spine(np.ones(nodes.size, np.int64), 0, nodes.size)
    own_tree = _entries(*_tree([spined.trunk, *path], total), root)[: nodes.size]
    name[rest] = np.arange(rest.size)
    above = np.where(rest < length, -1, name[ring.parent[rest]]).astype(np.int32)
    others = entry_levels(above, heights(above))
    states.append(_State(begin, degree.size, np.concatenate([nodes, rest]), np.concatenate([own_tree, others])))
    return np.minimum(bound, degree), states


def _with_neighbour(ring: _Ring, tall: int, step: int, root: int, name: Int32, nodes: Int32, until: int) -> _State:
    """Return closures that take one neighbour of the tall node on the cycle; half of the cycle hangs from each."""
    beside = (tall + step) % ring.length
    more = ring.below(beside)
    names = name.copy()
    names[more] = nodes.size + np.arange(more.size)
    free = nodes.size + more.size
    near, free_next = _spine(ring.arm(tall, -step), 0, free)
    far, total = _spine(ring.arm(beside, step), nodes.size, free_next)
    edges = [_edges(ring, nodes, names), _edges(ring, more, names), np.array([[0, nodes.size]]), *near, *far]
    entry = _entries(*_tree(edges, total), root)
    last = min(int(entry[free]), int(entry[free_next])) - 1
    return _State(until + 1, last, np.concatenate([nodes, more]), entry[:free])


def _upright(ring: _Ring, degree: Int64, measure: int) -> Iterator[_State]:
    """Yield states where no tree is that high: two adjacent nodes of the cycle are taken, or all of it."""
    n, length = degree.size, ring.length
    yield _State(1, n, np.arange(n, dtype=np.int32), entry_levels(ring.parent, heights(ring.parent)))
    if length % 2:
        return
    wide = degree[:length] - 1 > measure
    for j in np.flatnonzero(wide & np.roll(wide, -1)).tolist():
        beside = (j + 1) % length
        halves = []
        for at, step in ((j, -1), (beside, 1)):
            nodes = ring.below(at)
            name = np.full(n, -1, np.int32)
            name[nodes] = np.arange(nodes.size)
            layers = ring.arm(at, step)
            spine, total = _spine(layers, 0, nodes.size)
            entry = _entries(*_tree([_edges(ring, nodes, name), *spine], total), 0)
            halves.append((nodes, entry[: nodes.size], int(entry[nodes.size]) - 1))
        (one, entry, last), (other, entries, bound) = halves
        yield _State(1, min(last, bound), np.concatenate([one, other]), np.concatenate([entry, entries]))
