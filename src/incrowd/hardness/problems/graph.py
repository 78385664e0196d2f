"""Graphs from edge lists and DIMACS files, and tripartite ones, whose nodes have a class.

An edge list has two names a line; a line of one name is a node without edges. DIMACS has ``p edge NODES EDGES`` (or
``p col``) and lines ``e U V`` of nodes from 1. Classes 1, 2 and 3 of a tripartite graph stand in lines ``1: NAMES``, or
in DIMACS in lines ``n NODE CLASS``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from incrowd.errors import InputError
from incrowd.hardness.problems.limits import MOST_ITEMS, MOST_PARTS
from incrowd.hardness.problems.problem import Given, Problem, bad, counted, tuples
from incrowd.hardness.problems.text import Names, blank_words, is_dimacs, whole, words_of
from incrowd.hardness.sources.edge_partition import Tripartite
from incrowd.hardness.sources.graphs import Graph

__all__ = ["GRAPH", "TRIPARTITE_GRAPH"]

CLASSES = ("1:", "2:", "3:")


@dataclass
class _Read:
    """What the lines of a file have said so far."""

    names: Names = field(default_factory=lambda: Names("node", MOST_ITEMS))
    edges: dict[tuple[int, int], int] = field(default_factory=dict)  # in the order given -> line
    classes: dict[int, int] = field(default_factory=dict)

    def join(self, u: int, v: int, line: int) -> None:
        """Add an edge."""
        if u == v:
            raise InputError(f"line {line} of the source joins a node with itself")
        if (u, v) in self.edges:
            raise InputError(f"line {line} of the source repeats the edge of line {self.edges[u, v]}")
        if len(self.edges) >= 2 * MOST_PARTS:
            raise InputError(f"the source has more than {MOST_PARTS:,} edges; that is too large a problem")
        self.edges[u, v] = line

    def put(self, v: int, side: int, line: int) -> None:
        """Give a node its class."""
        if v in self.classes:
            raise InputError(f"line {line} of the source gives a node a second class")
        self.classes[v] = side

    def graph(self) -> Graph:
        """Return the graph: every edge once, also where all of them stand in both directions."""
        found = {(min(pair), max(pair)) for pair in self.edges}
        if len(found) < len(self.edges) and 2 * len(found) != len(self.edges):
            for (u, v), line in self.edges.items():
                if (v, u) in self.edges and self.edges[v, u] < line:
                    raise InputError(f"line {line} of the source repeats the edge of line {self.edges[v, u]}")
        if len(found) > MOST_PARTS:
            raise InputError(f"the source has more than {MOST_PARTS:,} edges; that is too large a problem")
        return Graph(len(self.names.place), tuple(sorted(found)))


def _read(text: str) -> _Read:
    return _dimacs(text) if is_dimacs(text) else _edge_list(text)


def _edge_list(text: str) -> _Read:
    read = _Read()
    for line, words in words_of(text):
        if words[0] in CLASSES:
            for name in words[1:]:
                read.put(read.names.number(name, line), CLASSES.index(words[0]), line)
            continue
        if len(words) > 2:
            raise InputError(f"line {line} of the source has {len(words)} words where an edge has two ends")
        ends = [read.names.number(name, line) for name in words]
        if len(ends) == 2:
            read.join(ends[0], ends[1], line)
    if not read.names.place:
        raise InputError("the source holds no node: every line is blank or a comment")
    return read


def _dimacs(text: str) -> _Read:
    read, declared = _Read(), -1
    for line, words in blank_words(text, ("c ", "c\t", "#", "%")):
        if words == ["c"]:
            continue
        if words[0] == "p":
            if declared >= 0 or len(words) != 4 or words[1] not in ("edge", "col"):
                raise InputError(f"line {line} of the source must be the only problem line: p edge NODES EDGES")
            for v in range(whole(words[2], line, 1, MOST_ITEMS, "the number of nodes")):
                read.names.number(str(v + 1), line)
            declared = whole(words[3], line, 0, 2 * MOST_PARTS, "the number of edges")
        elif declared < 0:
            raise InputError(f"line {line} of the source stands before the problem line: p edge NODES EDGES")
        elif words[0] not in ("e", "n") or len(words) != 3:
            raise InputError(
                f"line {line} of the source is neither a comment (c), an edge (e U V) nor a class (n V CLASS)"
            )
        else:
            v = whole(words[1], line, 1, len(read.names.place), "a node") - 1
            if words[0] == "e":
                read.join(v, whole(words[2], line, 1, len(read.names.place), "a node") - 1, line)
            else:
                read.put(v, whole(words[2], line, 1, 3, "a class") - 1, line)
    if declared != len(read.edges):
        raise InputError(f"the problem line declares {declared} edges, and the source holds {len(read.edges)}")
    return read


class _GraphProblem(Problem):
    name = "graph"
    holds = "an edge list, or a DIMACS graph (p edge)"

    def read(self, text: str) -> Given:
        """Return the graph of a text."""
        found = _read(text)
        if found.classes:
            raise InputError("the source gives its nodes classes, and a graph has none here; leave those lines out")
        return Given(found.graph(), {"nodes": found.names.labels()})

    def pack(self, source: Graph) -> dict[str, Any]:
        """Return nodes and edges."""
        return {"nodes": source.nodes, "edges": [list(edge) for edge in source.edges]}

    def unpack(self, held: Any) -> Graph:
        """Return the graph; `Graph` refuses edges that are none."""
        edges = tuples(held, "edges", width=2)
        return Graph(counted(held, "nodes", 0, MOST_ITEMS), tuple((u, v) for u, v in edges))

    def counts(self, source: Graph) -> dict[str, int]:
        """Return the number of nodes."""
        return {"nodes": source.nodes}


class _TripartiteProblem(_GraphProblem):
    name = "tripartite graph"
    holds = "an edge list or a DIMACS graph, with the class 1, 2 or 3 of every node"

    def read(self, text: str) -> Given:
        """Return the tripartite graph of a text."""
        found = _read(text)
        graph = found.graph()
        if len(found.classes) < graph.nodes:
            raise InputError(
                f"{graph.nodes - len(found.classes)} of {graph.nodes} nodes have no class; a tripartite graph needs "
                "lines such as '1: a b', or 'n 4 1' in DIMACS"
            )
        for (u, v), line in found.edges.items():
            if found.classes[u] == found.classes[v]:
                raise InputError(f"line {line} of the source joins two nodes of one class")
        sides = tuple(found.classes[v] for v in range(graph.nodes))
        return Given(Tripartite(graph, sides), {"nodes": found.names.labels()})

    def pack(self, source: Any) -> dict[str, Any]:
        """Return nodes, edges and classes."""
        return {**super().pack(source.graph), "sides": list(source.sides)}

    def unpack(self, held: Any) -> Any:
        """Return the tripartite graph; `Tripartite` refuses edges inside a class."""
        graph = super().unpack(held)
        sides = held.get("sides")
        if not isinstance(sides, list) or not all(type(side) is int and 0 <= side < 3 for side in sides):
            bad("sides must be a list of 0, 1 and 2")
        return Tripartite(graph, tuple(sides))

    def counts(self, source: Any) -> dict[str, int]:
        """Return the number of nodes."""
        return {"nodes": source.graph.nodes}


GRAPH = _GraphProblem()
TRIPARTITE_GRAPH = _TripartiteProblem()
