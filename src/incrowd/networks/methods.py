"""The paper's algorithms and theorems by name, each as it is written, with what it guarantees."""

from __future__ import annotations

import math
import time
from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from incrowd.errors import InputError, about
from incrowd.networks.answers import Measurement
from incrowd.networks.measure import status_of
from incrowd.networks.solve.attackers import algorithm_v, theorem_3b, theorem_3c
from incrowd.networks.solve.distances import distance_matrix
from incrowd.networks.solve.large_exactly import single_of_measure
from incrowd.networks.solve.paper import algorithm_i, algorithm_ii, algorithm_iii, algorithm_iv, theorem_2c
from incrowd.networks.values import NodeSet, Step
from incrowd.settings import shortened

if TYPE_CHECKING:
    from incrowd.networks.options import NetworkOptions
    from incrowd.networks.values import Graph
    from incrowd.progress import Watch


# Which question a method of the paper takes, on which networks, and its answer.
Level = Literal["at_least", "exactly"]
MOST_STARTS = 10_000_000
TAKES = {"adim": "no level", "at_least": "a level K (--at-least K, at_least=K)", "exactly": "--exactly K, exactly=K"}


def refuse_question(method: Method, question: Level | None, level: int | None, starts: int | None) -> None:
    """Raise InputError where a method does not take a question.

    `question` is None for the largest k. `level` is the level asked for, and `starts` the starting nodes asked for. The
    error is raised if the method takes another question, another level, or draws no starting nodes; it is one sentence
    that names the question the method takes.
    """
    takes = TAKES[method.question]
    if method.level is not None:
        takes = f"the level {method.level} exactly (--exactly {method.level}, exactly={method.level})"
    if (question or "adim") != method.question or (method.level is not None and level != method.level):
        raise InputError(f"method {method.name!r} takes {takes}; {_other(question)}")
    if starts is not None and not method.randomized:
        raise InputError(f"method {method.name!r} draws no starting nodes; leave out starts (--starts)")
    if starts is not None and not 1 <= starts <= MOST_STARTS:
        raise InputError(f"starts must be from 1 to {MOST_STARTS:,}, not {shortened(starts)}")


def _other(question: Level | None) -> str:
    """Return which methods take the question that was asked."""
    if question is None:
        return "without a level algorithm-2 and algorithm-4 answer"
    if question == "at_least":
        return "for at least K take algorithm-1 or algorithm-3"
    return "for exactly 1 take algorithm-5, theorem-3b or theorem-3c, for exactly K above half of the nodes theorem-2c"


def method_answer(
    graph: Graph, method: Method, k: int, starts: int | None, chosen: NetworkOptions, watch: Watch, began: float
) -> Measurement:
    """Answer the question that a method takes, by this method alone.

    `k` is the level; 0 for a method that takes none. `starts` is the number of starting nodes of a randomized method;
    None for the paper's number. `began` is `time.perf_counter` at the start of the question, in seconds. InputError is
    raised if the network is beyond the method's size, or the method does not take it or the level.
    """
    if graph.nodes > method.most_nodes:
        raise InputError(
            f"method {method.name!r} takes networks of up to {method.most_nodes:,} nodes, and this one has "
            f"{graph.nodes:,}; leave --method out (method=None): the search without a name has no such limit"
        )
    reason = method.declines(graph, k)
    if reason is not None:
        raise InputError(f"method {method.name!r} {reason}; leave --method out (method=None)")
    found = method.run(Asked(graph, k, starts, chosen.seed, watch))
    members = np.sort(np.array(found.members, np.int32)) if found.members else None
    name = method.summary.split(":")[0]
    stated = name if name == method.cites else f"{name} ({method.cites})"
    known, attackers = k, found.upper
    steps: tuple[Step, ...] = ()
    if method.question == "adim":
        known, attackers, steps = found.lower or 0, None if members is None else members.size, _steps(found, graph)
    return Measurement(
        graph=graph,
        question=method.question,
        k=known,
        attackers=attackers,
        members=members,
        lower_bound=found.lower,
        upper_bound=found.upper,
        optimal=found.proven,
        status=status_of(found.proven, watch) if watch.stopped or found.proven else "heuristic",
        method=name,
        seconds=time.perf_counter() - began,
        steps=steps,
        show_labels=chosen.show_labels,
        remarks=(f"{stated}: {method.guarantee}", *found.remarks),
    )


def _steps(found: Outcome, graph: Graph) -> tuple[Step, ...]:
    """Return the one step that a set of measure k stands for."""
    if not found.members or not found.lower:
        return ()
    nodes = NodeSet.of(np.sort(np.array(found.members, np.int32)), graph.nodes)
    return (Step(1, found.lower, len(found.members), 1, nodes),)


# What a method of the paper found, and what every method says of itself.
MATRIX_NODES = 12_000  # 2n^2 bytes of distances: 288 MB


@dataclass(frozen=True, slots=True)
class Asked:
    """What a method is asked.

    `k`: the level asked for; 0 for a method that asks for none. `starts`: starting nodes that a randomized method
    draws; None for the paper's number. `watch`: asked after every start, set or guess.
    """

    graph: Graph
    k: int
    starts: int | None
    seed: int
    watch: Watch


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a method found.

    `lower`, `upper`: on the least number of attackers for a level k (None: no set exists, or none is known), on k for
    the largest. `members`: a set by index: of `upper` nodes for a level, of measure `lower` for the largest k.
    `proven`: whether the bounds meet, or it is proven that there is no set. `remarks`: what is to be said about it, one
    sentence each.
    """

    lower: int | None
    upper: int | None
    members: list[int] | None
    proven: bool
    remarks: tuple[str, ...] = ()


class Method:
    """One algorithm or theorem of the paper.

    `name`, `summary`: as ``incrowd list methods`` shows them. `cites`: its statement in the paper. `question`: the
    largest k, or the least set of measure at least or exactly a level. `level`: the only level it takes; None for any.
    `guarantee`: what holds for its answer, in one sentence. `most_nodes`: nodes beyond which it declines. `randomized`:
    whether it draws starting nodes.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    cites: ClassVar[str]
    question: ClassVar[Literal["adim", "at_least", "exactly"]]
    level: ClassVar[int | None] = None
    guarantee: ClassVar[str]
    most_nodes: ClassVar[int] = MATRIX_NODES
    randomized: ClassVar[bool] = False

    def declines(self, graph: Graph, k: int) -> str | None:
        """Return why it does not take a network and a level, as the end of a sentence, or None.

        `k`: 0 for a method that takes no level.
        """
        return None

    @abstractmethod
    def run(self, asked: Asked) -> Outcome:
        """Return what it finds."""


# Algorithms I to IV: the largest measure of any set, and the least set of measure at least k.
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


# Algorithm V and Theorems 2(c), 3(b), 3(c): the least set of measure exactly k, where the paper has a method.
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
