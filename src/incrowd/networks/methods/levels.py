"""Algorithm V and Theorems 2(c), 3(b), 3(c): the least set of measure exactly k, where the paper has a method."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.errors import about
from incrowd.networks.methods.outcome import Method, Outcome
from incrowd.networks.solve.distances import distance_matrix
from incrowd.networks.solve.one import algorithm_v, theorem_3b, theorem_3c
from incrowd.networks.solve.paper import theorem_2c
from incrowd.networks.solve.single_exactly import single_of_measure

if TYPE_CHECKING:
    from incrowd.networks.methods.outcome import Asked
    from incrowd.networks.values import Graph

__all__ = ["AlgorithmFive", "TheoremThreeB", "TheoremThreeC", "TheoremTwoC"]

MOST_WALKS = 1_000_000_000  # walks of two edges among which Theorem 3(c) looks, some ten seconds
MOST_SETS = 50_000_000  # sets of c nodes that Theorem 2(c) goes through, about a quarter of an hour


@dataclass(frozen=True)
class AlgorithmFive(Method):
    """Algorithm V. O(n^3 s) time for s attackers, O(n^2) memory."""

    name = "algorithm-5"
    summary = "Algorithm V: few attackers who single somebody out, by greedy covers"
    cites = "Theorem 3(a)"
    question = "exactly"
    level = 1
    guarantee = "it takes at most 1 + ln(n - 1) times the least number of attackers"
    most_nodes = 3_000

    def run(self, asked: Asked) -> Outcome:
        """Return its set, with the lower bound that its ratio proves."""
        n = asked.graph.nodes
        distances = distance_matrix(asked.graph, lambda: asked.watch.stopped)
        members = None if distances is None else algorithm_v(distances, watch=asked.watch)
        if asked.watch.stopped:
            size = None if members is None else len(members)
            return Outcome(1, size, members, size == 1)
        assert members is not None
        # rounded down before it is rounded up: the bound is a proof, its logarithm is not exact
        lower = max(1, math.ceil(len(members) / (1.0 + math.log(n - 1)) - 1e-9)) if n > 2 else 1
        return Outcome(lower, len(members), members, lower == len(members))


@dataclass(frozen=True)
class TheoremTwoC(Method):
    """Theorem 2(c). O(C(n, c) n) time for c = n - k, 2n^2 bytes."""

    name = "theorem-2c"
    summary = "Theorem 2(c): a set of measure exactly k for k above n/2, by trying all sets of n - k nodes"
    cites = "Theorem 2(c)"
    question = "exactly"
    guarantee = "a set of measure k above n/2 has n - k nodes; it finds one, or there is none"

    def declines(self, graph: Graph, k: int) -> str | None:
        """Return why it does not take a level: k too far below n."""
        n, c = graph.nodes, graph.nodes - k
        if n <= 2 * c:
            return f"takes levels above half of the {n:,} nodes, not {k:,}"
        if math.comb(n, c) > MOST_SETS:
            return (
                f"tries all sets of n - k = {c:,} of the {n:,} nodes, {about(math.comb(n, c))} of them, "
                f"and takes {MOST_SETS:,} at most"
            )
        return None

    def run(self, asked: Asked) -> Outcome:
        """Return the set of n - k nodes, or that there is none."""
        c = asked.graph.nodes - asked.k
        found = theorem_2c(asked.graph, c, stopped=lambda: asked.watch.stopped)
        if found is not None:
            return Outcome(c, c, found[1], True)
        if asked.watch.stopped:
            return Outcome(c, None, None, False)
        return Outcome(None, None, None, True)


@dataclass(frozen=True)
class TheoremThreeB(Method):
    """Theorem 3(b). O(n) time."""

    name = "theorem-3b"
    summary = "Theorem 3(b): a node of degree 1 singles out its neighbour"
    cites = "Theorem 3(b)"
    question = "exactly"
    level = 1
    guarantee = "where a node has degree 1, one attacker is enough"
    most_nodes = 1 << 31

    def declines(self, graph: Graph, k: int) -> str | None:
        """Return why it does not take a network: it has no leaf."""
        return None if (graph.degrees == 1).any() else "takes networks with a node of degree 1, and this one has none"

    def run(self, asked: Asked) -> Outcome:
        """Return a leaf."""
        return Outcome(1, 1, theorem_3b(asked.graph), True)


@dataclass(frozen=True)
class TheoremThreeC(Method):
    """Theorem 3(c). O(sum of squared degrees) time, and a search from every node for a single attacker."""

    name = "theorem-3c"
    summary = "Theorem 3(c): two nodes single out their only common neighbour"
    cites = "Theorem 3(c)"
    question = "exactly"
    level = 1
    guarantee = "where two nodes have one common neighbour only, one or two attackers are enough"
    most_nodes = 1 << 31

    def declines(self, graph: Graph, k: int) -> str | None:
        """Return why it does not take a network: it has no such pair, or would take too long to look for one."""
        walks = int((graph.degrees**2).sum())
        if walks > MOST_WALKS:
            return f"goes through {walks:,} walks of two edges, and takes {MOST_WALKS:,} at most"
        if theorem_3c(graph) is not None:
            return None
        return "takes networks in which two nodes have exactly one common neighbour, and this one has no such pair"

    def run(self, asked: Asked) -> Outcome:
        """Return a single node where one is enough, else the two."""
        pair = theorem_3c(asked.graph)
        node = single_of_measure(asked.graph, 1, asked.watch)
        if node is not None:
            return Outcome(1, 1, [node], True)
        return Outcome(1 if asked.watch.stopped else 2, 2, pair, not asked.watch.stopped)
