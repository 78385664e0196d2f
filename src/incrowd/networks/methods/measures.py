"""Algorithms I to IV: the largest measure of any set, and the least set of measure at least k."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.networks.methods.outcome import Method, Outcome
from incrowd.networks.solve.paper import algorithm_i, algorithm_ii, algorithm_iii, algorithm_iv

if TYPE_CHECKING:
    from incrowd.networks.methods.outcome import Asked

__all__ = ["AlgorithmFour", "AlgorithmOne", "AlgorithmThree", "AlgorithmTwo"]

NOT_AS_PRINTED = (
    "Theorem 1(b) as printed, that the paper's number of starts finds an optimum with high probability, does not hold: "
    "on a star with k = n - 1 only the centre leads to a solution, and ln n starts of n nodes miss it nearly always"
)


@dataclass(frozen=True)
class AlgorithmOne(Method):
    """Algorithm I. O(n^4) time, 2n^2 bytes."""

    name = "algorithm-1"
    summary = "Algorithm I: the least set of measure at least k, by absorbing small classes from every node"
    cites = "Theorem 1(a)"
    question = "at_least"
    guarantee = "its answer is the least number of attackers, or that no set exists"

    def run(self, asked: Asked) -> Outcome:
        """Return the least set, or the least of the starts that there was time for."""
        found = algorithm_i(asked.graph, asked.k, watch=asked.watch)
        if asked.watch.stopped:
            return Outcome(1, found and found[0], found and found[1], False)
        return Outcome(found and found[0], found and found[0], found and found[1], True)


@dataclass(frozen=True)
class AlgorithmTwo(Method):
    """Algorithm II. O(n^4) time, 2n^2 bytes."""

    name = "algorithm-2"
    summary = "Algorithm II: the antidimension, by absorbing the smallest classes from every node"
    cites = "Theorem 1(a)"
    question = "adim"
    guarantee = "its answer is the antidimension; its set need not be the least that reaches it"

    def run(self, asked: Asked) -> Outcome:
        """Return the largest measure, or the largest of the starts that there was time for."""
        measure, members = algorithm_ii(asked.graph, watch=asked.watch)
        proven = not asked.watch.stopped
        return Outcome(measure, measure if proven else asked.graph.nodes - 1, members or None, proven)


@dataclass(frozen=True)
class AlgorithmThree(Method):
    """Algorithm III. O(n^3) time a start, 2n^2 bytes."""

    name = "algorithm-3"
    summary = "Algorithm III: Algorithm I from nodes drawn at random"
    cites = "Theorem 1(b)"
    question = "at_least"
    guarantee = (
        "with s starts it finds a set as small as a given solution V' with probability 1 - (1 - |V'|/n)^s or more"
    )
    randomized = True

    def run(self, asked: Asked) -> Outcome:
        """Return the least set of the starts; it proves no lower bound but 1."""
        starts = asked.starts or papers_starts(asked.graph.nodes, asked.k)
        found = algorithm_iii(asked.graph, asked.k, starts=starts, seed=asked.seed, watch=asked.watch)
        remarks = (_chance(found.starts, asked.graph.nodes), NOT_AS_PRINTED)
        return Outcome(1, found.value, found.members, found.value == 1, remarks)


@dataclass(frozen=True)
class AlgorithmFour(Method):
    """Algorithm IV. O(n^3) time a start, 2n^2 bytes."""

    name = "algorithm-4"
    summary = "Algorithm IV: Algorithm II from nodes drawn at random"
    cites = "Theorem 1(b)"
    question = "adim"
    guarantee = (
        "with s starts it reaches the antidimension with probability 1 - (1 - |V'|/n)^s or more, for any V' that has it"
    )
    randomized = True

    def run(self, asked: Asked) -> Outcome:
        """Return the largest measure of the starts; it proves no upper bound but n - 1."""
        starts = asked.starts or papers_starts(asked.graph.nodes, 1)
        found = algorithm_iv(asked.graph, starts=starts, seed=asked.seed, watch=asked.watch)
        most = asked.graph.nodes - 1
        remarks = (_chance(found.starts, asked.graph.nodes), NOT_AS_PRINTED)
        return Outcome(found.value, most, found.members or None, found.value == most, remarks)


def papers_starts(nodes: int, k: int) -> int:
    """Return ceil(n ln n / k), at least 1: how many starting nodes the paper draws.

    Both numbers are from 1. For Algorithm IV, whose k is not known before, take 1.
    """
    return max(1, math.ceil(nodes * math.log(nodes) / k))


def _chance(starts: int, nodes: int) -> str:
    """Return what holds for so many starts, whatever the network."""
    if not starts:
        return "no start was followed to its end in the time given"
    share = 1.0 - (1.0 - 1.0 / nodes) ** starts
    return (
        f"{starts:,} of {nodes:,} nodes were drawn as starts, with replacement: the answer is the best with "
        f"probability {share:.3g} or more, whatever the network"
    )
