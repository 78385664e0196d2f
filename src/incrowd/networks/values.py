"""The values that travel between the network stages.

A graph is simple and undirected, its nodes 0..n-1 in the order of their sorted labels. The *measure* mu(V') of a
node set is the size of its smallest class: nodes outside V' are in one class when every node of V' sees them at the
same distance. A distance of infinity (another component) is a distance of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from incrowd.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence


Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Label = Any
Question = Literal["adim", "profile", "at_least", "exactly", "attackers"]
Status = Literal["optimal", "time_limit", "interrupted", "heuristic"]


@dataclass(frozen=True, eq=False)
class Graph:
    """A simple undirected graph in compressed sparse rows.

    Attributes
    ----------
    indptr : (n + 1,) int64
    indices : (2m,) int32
        Neighbours of node v are ``indices[indptr[v]:indptr[v + 1]]``, sorted.
    labels : sequence or None
        Label of every node, sorted (integers by value, texts by their UTF-8 bytes); None for 0..n-1.
    directed_merged : int
        Node pairs that were given in both directions and became one edge.
    loops_dropped, duplicates_dropped : int
        Edges from a node to itself, and repetitions in the same direction, that were dropped.
    notes : tuple of str
        What was ignored while reading, one sentence each, without any label.
    """

    indptr: Int64
    indices: Int32
    labels: Sequence[Label] | None = field(default=None, repr=False)  # they name people
    directed_merged: int = 0
    loops_dropped: int = 0
    duplicates_dropped: int = 0
    notes: tuple[str, ...] = ()

    @property
    def nodes(self) -> int:
        """Number of nodes n."""
        return int(self.indptr.size - 1)

    @property
    def edges(self) -> int:
        """Number of edges m."""
        return int(self.indices.size // 2)

    @property
    def degrees(self) -> Int64:
        """Neighbours of every node, (n,)."""
        return np.diff(self.indptr)

    @cached_property
    def component_of(self) -> Int32:
        """Connected component of every node, (n,), numbered by their first nodes."""
        from scipy.sparse.csgraph import connected_components

        label: Int32 = connected_components(self.matrix(), directed=False)[1]
        return label

    @cached_property
    def component_sizes(self) -> Int64:
        """Number of nodes of every connected component, in the order of their first nodes."""
        return np.bincount(self.component_of).astype(np.int64)

    @property
    def components(self) -> int:
        """Number of connected components."""
        return int(self.component_sizes.size)

    def matrix(self) -> Any:
        """Return the adjacency matrix as a SciPy CSR array of ones."""
        from scipy.sparse import csr_array

        n = self.nodes
        return csr_array((np.ones(self.indices.size, np.int8), self.indices, self.indptr), shape=(n, n))

    def part(self, nodes: Int32) -> Graph:
        """Return the graph that nodes, (s,), induce, without labels: its node i is ``nodes[i]``."""
        matrix = self.matrix()[nodes][:, nodes]
        matrix.sort_indices()
        return Graph(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32, copy=False))

    def label(self, node: int) -> Label:
        """Return the label of a node, as the source gave it.

        Parameters
        ----------
        node : int
            From 0 to n - 1.
        """
        if self.labels is None:
            return int(node)
        value = self.labels[int(node)]
        return value.item() if isinstance(value, np.generic) else value

    def index_of(self, labels: Iterable[Label]) -> Int32:
        """Find the nodes that have the labels given.

        Parameters
        ----------
        labels : iterable of labels

        Returns
        -------
        (s,) int32
            Indices, sorted, each once.

        Raises
        ------
        InputError
            If one is no node of the graph, or the labels are no list; the message does not repeat them.
        """
        if isinstance(labels, str | bytes) or not isinstance(labels, Iterable):
            raise InputError("the nodes must be a list of labels")
        wanted = list(labels)
        found = [self._positions.get(x if _hashable(x) else None, -1) for x in wanted]
        if -1 in found:
            raise InputError(
                f"entry {found.index(-1) + 1} of the {len(wanted)} nodes given is no node of the graph; "
                "give nodes by the labels of the source"
            )
        return np.unique(np.array(found, np.int32))

    @cached_property
    def _positions(self) -> dict[Label, int]:
        return {self.label(i): i for i in range(self.nodes)}


def simple_graph(u: NDArray[Any], v: NDArray[Any], n: int) -> Graph:
    """Build the graph of a list of arcs between nodes 0..n-1: loops and repetitions are dropped, and counted.

    O(n + e) time for e arcs and about 20 bytes of work space for each.
    """
    from scipy.sparse import coo_array

    proper = u != v
    ends = u[proper], v[proper]
    once = coo_array((np.ones(ends[0].size, np.bool_), ends), shape=(n, n)).tocsr()  # repetitions become one
    both = once + once.T
    return Graph(
        both.indptr.astype(np.int64),
        both.indices.astype(np.int32, copy=False),
        directed_merged=int(once.nnz - both.nnz // 2),
        loops_dropped=int(proper.size - ends[0].size),
        duplicates_dropped=int(ends[0].size - once.nnz),
    )


def _hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


@dataclass(frozen=True, slots=True, eq=False)
class NodeSet:
    """A set of nodes in little memory: at most n / 8 bytes.

    `nodes`: nodes of the graph. `content`: (size,) int32 or (ceil(n / 8),) uint8, members, or bits.
    """

    nodes: int
    size: int
    content: NDArray[Any]

    @classmethod
    def of(cls, members: Int32, nodes: int) -> NodeSet:
        """Keep a set of nodes, (s,) and distinct, in the smaller of the two forms; the graph has `nodes` nodes."""
        if 32 * members.size <= nodes:
            return cls(nodes, int(members.size), np.sort(members).astype(np.int32))
        flags = np.zeros(nodes, np.bool_)
        flags[members] = True
        return cls(nodes, int(members.size), np.packbits(flags))

    @property
    def members(self) -> Int32:
        """The members, sorted."""
        if self.content.dtype == np.int32:
            return self.content
        return np.flatnonzero(np.unpackbits(self.content, count=self.nodes)).astype(np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A stretch of the trade-off curve on which the least number of attackers stays the same.

    Attributes
    ----------
    first, last : int
        Levels k from `first` to `last`.
    attackers : int
        Size of the smallest known set of measure at least k, for these k.
    lower : int
        Proven lower bound on that size.
    nodes : NodeSet
        Such a set.
    """

    first: int
    last: int
    attackers: int
    lower: int
    nodes: NodeSet

    @property
    def witness(self) -> Int32:
        """The set by index, sorted, (attackers,) int32."""
        return self.nodes.members


@dataclass(frozen=True, eq=False)
class Classes:
    """The nodes outside a set, grouped by their distances to it.

    Attributes
    ----------
    nodes : (s,) int32
        The set, by index, sorted.
    class_of : (n,) int32
        Class of every node, numbered by their first node; -1 for the nodes of the set.
    sizes : (c,) int64
        Nodes of every class.
    """

    graph: Graph = field(repr=False)
    nodes: Int32
    class_of: Int32
    sizes: Int64

    @property
    def measure(self) -> int:
        """Size of the smallest class, mu."""
        return int(self.sizes.min())

    @property
    def singled_out(self) -> int:
        """Nodes that are alone in their class: re-identified."""
        return int((self.sizes == 1).sum())

    def groups(self) -> list[list[Label]]:
        """Return the classes in the graph's own labels."""
        out: list[list[Label]] = [[] for _ in range(self.sizes.size)]
        for i, c in enumerate(self.class_of):
            if c >= 0:
                out[int(c)].append(self.graph.label(i))
        return out

    def to_json(self) -> dict[str, Any]:
        """Return counts only."""
        return {
            "nodes": self.graph.nodes,
            "attackers": int(self.nodes.size),
            "classes": int(self.sizes.size),
            "measure": self.measure,
            "singled_out": self.singled_out,
        }
