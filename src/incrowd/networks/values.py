"""The values that travel between the network stages.

A graph is simple and undirected, its nodes 0..n-1 in the order of their sorted labels. The *measure* mu(V') of a
node set is the size of its smallest class: nodes outside V' are in one class when every node of V' sees them at the
same distance. A distance of infinity (another component) is a distance of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from incrowd.errors import InputError
from incrowd.networks.report_methods import Reported

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


__all__ = [
    "Classes",
    "Graph",
    "Int32",
    "Int64",
    "Label",
    "Measurement",
    "NodeSet",
    "Question",
    "Risks",
    "Simulation",
    "Status",
    "Step",
]

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
    labels: Sequence[Label] | None = None
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
    def component_sizes(self) -> Int64:
        """Number of nodes of every connected component, in the order of their first nodes."""
        from scipy.sparse.csgraph import connected_components

        _, label = connected_components(self.matrix(), directed=False)
        return np.bincount(label).astype(np.int64)

    @property
    def components(self) -> int:
        """Number of connected components."""
        return int(self.component_sizes.size)

    def matrix(self) -> Any:
        """Return the adjacency matrix as a SciPy CSR array of ones."""
        from scipy.sparse import csr_array

        n = self.nodes
        return csr_array((np.ones(self.indices.size, np.int8), self.indices, self.indptr), shape=(n, n))

    def label(self, node: int) -> Label:
        """Return the label of a node, as the source gave it."""
        if self.labels is None:
            return int(node)
        value = self.labels[int(node)]
        return value.item() if isinstance(value, np.generic) else value

    def index_of(self, labels: Iterable[Label]) -> Int32:
        """Find the indices of labels, sorted.

        Raises
        ------
        InputError
            If one is no node of the graph; the message does not repeat it.
        """
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


def _hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


@dataclass(frozen=True, slots=True, eq=False)
class NodeSet:
    """A set of nodes in little memory: at most n / 8 bytes.

    Attributes
    ----------
    nodes : int
        Nodes of the graph.
    size : int
    content : (size,) int32 or (ceil(n / 8),) uint8
        Members, or bits.
    """

    nodes: int
    size: int
    content: NDArray[Any]

    @classmethod
    def of(cls, members: Int32, nodes: int) -> NodeSet:
        """Keep `members` of a graph of `nodes` nodes."""
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
class Measurement(Reported):
    """The answer to one question about a network, exact or an interval.

    Attributes
    ----------
    graph : Graph
    question : str
        ``adim``, ``profile``, ``at_least``, ``exactly`` or ``attackers``.
    k : int
        The level reached (``adim``, ``profile``, ``attackers``) or asked for.
    attackers : int or None
        Size of the witness; None when no set is known (with `optimal`: when none exists).
    members : (attackers,) int32 or None
        The witness by index, sorted.
    lower_bound, upper_bound : int or None
        On the number of attackers with ``at_least`` and ``exactly`` (None: no set exists, or none is known), on k
        otherwise.
    optimal : bool
        True when the bounds meet, so also when it is proven that no set exists.
    status : str
        ``optimal``, ``time_limit``, ``interrupted`` or ``heuristic``.
    method : str
        What decided, in a few words.
    seconds : float
        Wall time.
    steps : tuple of Step
        The curve, with ``adim`` and ``profile``.
    allowed : int or None
        With ``attackers``: how many the attacker may control.
    show_labels : bool
        Whether `to_json` and `summary` may name nodes.
    """

    graph: Graph = field(repr=False)
    question: Question
    k: int
    attackers: int | None
    members: Int32 | None
    lower_bound: int | None
    upper_bound: int | None
    optimal: bool
    status: Status
    method: str
    seconds: float
    steps: tuple[Step, ...] = ()
    allowed: int | None = None
    show_labels: bool = False

    @property
    def witness(self) -> list[Label] | None:
        """The attackers in the graph's own labels; None when there are none."""
        return None if self.members is None else [self.graph.label(i) for i in self.members]

    @property
    def profile(self) -> list[dict[str, int]]:
        """``{k, attackers}`` for every k up to the ADIM (or the best known)."""
        return [{"k": k, "attackers": s.attackers} for s in self.steps for k in range(s.first, s.last + 1)]

    def to_json(self) -> dict[str, Any]:
        """Return the keys of the contract; no label unless `show_labels`."""
        graph = self.graph
        out: dict[str, Any] = {
            "nodes": graph.nodes,
            "edges": graph.edges,
            "components": graph.components,
            "directed_merged": graph.directed_merged,
            "loops_dropped": graph.loops_dropped,
            "duplicates_dropped": graph.duplicates_dropped,
            "question": self.question,
            "k": self.k,
            "attackers": self.attackers,
            "witness": self.witness if self.show_labels else None,
            "lower_bound": self.lower_bound,
            "upper_bound": self.upper_bound,
            "optimal": self.optimal,
            "status": self.status,
            "method": self.method,
            "seconds": self.seconds,
            "notes": list(graph.notes),
        }
        if self.allowed is not None:
            out["attackers_allowed"] = self.allowed
        if self.question == "profile":
            out["profile"] = self.profile
        return out

    def certificate(self) -> dict[str, Any]:
        """Return sets by index of the sorted nodes and the values claimed for them; see `incrowd.networks.check`."""
        from incrowd.networks.certificate import certificate

        return certificate(self)

    def summary(self) -> str:
        """Tell the answer in words, for a reader who has never met the measure."""
        from incrowd.networks.words import measurement_words

        return measurement_words(self)


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


@dataclass(frozen=True, eq=False)
class Risks(Reported):
    """What attackers learn: alone, and as a group.

    Attributes
    ----------
    attackers : int
    strategy : str
        ``random`` or ``greedy``.
    re_identified, worst : float
        Share of the other members who are alone in their class: mean over the random groups drawn (for ``greedy``:
        of the one group), and the largest met.
    interval : (float, float)
        95 % confidence interval of the mean; for ``greedy`` the value itself twice.
    groups : int
        Groups drawn.
    measure : (s,) int64
        mu of every node examined alone.
    singles : (s,) int64
        Members that every node examined singles out alone.
    examined : (s,) int32
        Which nodes those are: all, or a seeded sample.
    exposed : float
        Share of the examined nodes that single out somebody.
    members : (attackers,) int32
        The worst group met, by index.
    status : str
    seed : int
    seconds : float
    """

    graph: Graph = field(repr=False)
    attackers: int
    strategy: str
    re_identified: float
    worst: float
    interval: tuple[float, float]
    groups: int
    measure: Int64
    singles: Int64
    examined: Int32
    exposed: float
    members: Int32
    status: Status
    seed: int
    seconds: float
    show_labels: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the content of the key ``risks``."""
        return {
            "attackers": self.attackers,
            "strategy": self.strategy,
            "re_identified": self.re_identified,
            "interval": list(self.interval),
            "worst": self.worst,
            "groups": self.groups,
            "examined": int(self.examined.size),
            "exposed_nodes_share": self.exposed,
            "best_single_measure": int(self.measure.max()),
            "most_singled_out_by_one": int(self.singles.max()),
            "worst_group": [self.graph.label(i) for i in self.members] if self.show_labels else None,
            "status": self.status,
            "seed": self.seed,
            "seconds": self.seconds,
        }

    def summary(self) -> str:
        """Tell the risks in words."""
        from incrowd.networks.words import risks_words

        return risks_words(self)


@dataclass(frozen=True, eq=False)
class Simulation(Reported):
    """What a simulated attack achieved.

    Attributes
    ----------
    sybils, targets : int
        Accounts planted, members marked.
    trials : int
    recovered : int
        Trials in which the planted accounts were found again, and only them.
    ambiguous : int
        Trials in which more than one place fitted (or the search gave up).
    re_identified : float
        Mean share of the targets found, over all trials.
    interval : (float, float)
        95 % confidence interval of the share of trials recovered (Wilson).
    by_distance : float
        Mean share of all members singled out by their distances to the recovered accounts.
    noise : float
        Share of edges moved before publication.
    status : str
    seed : int
    seconds : float
    """

    graph: Graph = field(repr=False)
    sybils: int
    targets: int
    trials: int
    recovered: int
    ambiguous: int
    re_identified: float
    interval: tuple[float, float]
    by_distance: float
    noise: float
    status: Status
    seed: int
    seconds: float

    @property
    def success(self) -> float:
        """Share of the trials recovered."""
        return self.recovered / self.trials if self.trials else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return the content of the key ``simulation``."""
        return {
            "sybils": self.sybils,
            "targets": self.targets,
            "trials": self.trials,
            "recovered": self.recovered,
            "ambiguous": self.ambiguous,
            "success": self.success,
            "interval": list(self.interval),
            "re_identified": self.re_identified,
            "singled_out_by_distance": self.by_distance,
            "noise": self.noise,
            "status": self.status,
            "seed": self.seed,
            "seconds": self.seconds,
        }

    def summary(self) -> str:
        """Tell the attack in words."""
        from incrowd.networks.words import simulation_words

        return simulation_words(self)
