"""The paper's algorithms and theorems by name, each as it is written, with what it guarantees.

They are what the fast sweep is measured against, and readable next to the paper.

References
----------
T. Chatterjee, B. DasGupta, N. Mobasheri, V. Srinivasan, I. G. Yero, On the computational complexities of three
privacy measures for large networks under active attack, sections 4 to 6. D. S. Johnson, Approximation algorithms for
combinatorial problems, 1974.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from incrowd.errors import InputError, about
from incrowd.networks.measure import status_of
from incrowd.networks.solve.attackers import one_common_neighbour
from incrowd.networks.solve.distances import distance_matrix
from incrowd.networks.solve.large_exactly import single_of_measure
from incrowd.networks.values import NodeSet, Step
from incrowd.settings import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from incrowd.networks.answers import Measurement
    from incrowd.networks.measure import Run
    from incrowd.networks.values import Graph
    from incrowd.progress import Watch

MATRIX_NODES = 12_000  # 2n^2 bytes of distances: 288 MB
MOST_STARTS = 10_000_000
MOST_WALKS = 1_000_000_000  # walks of two edges among which Theorem 3(c) looks, some ten seconds
MOST_SETS = 50_000_000  # sets of c nodes that Theorem 2(c) goes through, about a quarter of an hour
TOLD = 64  # starts between two events
TAKES = {"adim": "no level", "at_least": "a level K (at_least = K)", "exactly": "exactly = K"}
OTHERS = {
    "adim": "without a level algorithm-2 and algorithm-4 answer",
    "at_least": "for at least K take algorithm-1 or algorithm-3",
    "exactly": (
        "for exactly 1 take algorithm-5, theorem-3b or theorem-3c, for exactly K above half of the nodes theorem-2c"
    ),
}
NOT_AS_PRINTED = (
    "Theorem 1(b) as printed, that the paper's number of starts finds an optimum with high probability, does not hold: "
    "on a star with k = n - 1 only the centre leads to a solution, and ln n starts of n nodes miss it nearly always"
)
Question = Literal["adim", "at_least", "exactly"]


class Asked(NamedTuple):
    """What a method is asked: a level (0 where it takes none), and the starts to draw (None: the paper's number)."""

    graph: Graph
    k: int
    starts: int | None
    seed: int
    watch: Watch


class Outcome(NamedTuple):
    """What a method found.

    `lower`, `upper`: on the least number of attackers for a level k (None: no set exists, or none is known), on k for
    the largest. `members`: a set by index: of `upper` nodes for a level, of measure `lower` for the largest k.
    `proven`: whether the bounds meet, or it is proven that there is no set. `remarks`: what is to be said about it.
    """

    lower: int | None
    upper: int | None
    members: list[int] | None
    proven: bool
    remarks: tuple[str, ...] = ()


Finder = Callable[[Asked], Outcome | str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """One algorithm or theorem of the paper.

    `name`, `summary`: as ``incrowd list methods`` shows them. `cites`: its statement in the paper. `question`: the
    largest k, or the least set of measure at least or exactly a level. `guarantee`: what holds for its answer, in one
    sentence. `level`: the only level it takes; None for any. `most_nodes`: nodes beyond which it declines.
    `randomized`: whether it draws starting nodes. `run`: what it finds, or why it declines, as the end of a sentence.
    """

    name: str
    summary: str
    cites: str
    question: Question
    guarantee: str
    run: Finder
    level: int | None = None
    most_nodes: int = MATRIX_NODES
    randomized: bool = False


def _method(**facts: Any) -> Callable[[Finder], Method]:
    """Make a method of the function that follows."""
    return lambda run: Method(run=run, **facts)


def starts_asked(method: Method, options: dict[str, str]) -> int | None:
    """Return the number of starting nodes that the options of a method give; refuse what it has no option for."""
    for key, value in options.items():
        if key != "starts" or not method.randomized:
            only = "starts=N is all" if method.randomized else "it draws no starting nodes; leave out starts"
            raise InputError(f"method {method.name!r} has no option {shortened(key)}: {only}")
        if not (value.isascii() and value.isdigit() and len(value) < 9 and 1 <= int(value) <= MOST_STARTS):
            raise InputError(f"starts must be from 1 to {MOST_STARTS:,}, not {shortened(value)}")
    return int(options["starts"]) if options else None


def refuse_question(method: Method, question: Question, level: int | None) -> None:
    """Raise InputError, which names the question that the method takes, where it takes another one or another level."""
    takes = TAKES[method.question]
    if method.level is not None:
        takes = f"the level {method.level} exactly (exactly = {method.level})"
    if question != method.question or (method.level is not None and level != method.level):
        raise InputError(f"method {method.name!r} takes {takes}; {OTHERS[question]}")


def method_answer(method: Method, run: Run, k: int, starts: int | None) -> Measurement:
    """Answer the question that a method takes, for a level where it takes one, by this method alone.

    InputError is raised if the network is beyond the method's size, or the method does not take it or the level.
    """
    graph, watch = run.graph, run.watch
    if graph.nodes > method.most_nodes:
        raise InputError(
            f"method {method.name!r} takes networks of up to {method.most_nodes:,} nodes, and this one has "
            f"{graph.nodes:,}; leave method out: the search without a name has no such limit"
        )
    found = method.run(Asked(graph, k, starts, run.options.seed, watch))
    if isinstance(found, str):
        raise InputError(f"method {method.name!r} {found}; leave method out")
    members = np.sort(np.array(found.members, np.int32)) if found.members else None
    steps: tuple[Step, ...] = ()
    if method.question == "adim":
        k = found.lower or 0
        if members is not None and k:
            steps = (Step(1, k, members.size, 1, NodeSet.of(members, graph.nodes)),)
    name = method.summary.split(":")[0]
    stated = name if name == method.cites else f"{name} ({method.cites})"
    return run.answer(
        method.question,
        k,
        (found.lower, found.upper, members, found.proven),
        name,
        status=status_of(found.proven, watch) if watch.stopped or found.proven else "heuristic",
        steps=steps,
        remarks=(f"{stated}: {method.guarantee}", *found.remarks),
    )


# Algorithms I to IV: the least set of measure at least k, and the largest measure of any set.
def equivalence_classes(distances: np.ndarray, members: set[int]) -> list[list[int]]:
    """Make the partition Pi of the nodes outside `members` by their distances to them.

    `distances` is (n, n), -1 between components. The classes are in the order of their first nodes.
    """
    rows = sorted(members)
    groups: dict[bytes, list[int]] = {}
    for x in range(distances.shape[0]):
        if x not in members:
            groups.setdefault(distances[rows, x].tobytes(), []).append(x)
    return list(groups.values())


def _chain(distances: np.ndarray, start: int, k: int | None, watch: Watch) -> Iterator[tuple[int, list[int]]]:
    """Run steps 3.1 and 3.2 from one node: the measure of every set on the way, and the set.

    Classes below `k` are absorbed (Algorithm I), or the smallest ones where it is None (Algorithm II).
    """
    members = {start}
    while len(members) < distances.shape[0] and not watch.stopped:
        groups = equivalence_classes(distances, members)
        measure = min(len(g) for g in groups)
        yield measure, sorted(members)
        for g in groups:
            if len(g) <= (measure if k is None else k - 1):
                members.update(g)


def _chains(asked: Asked, starts: Iterable[int], k: int | None) -> Iterator[Iterator[tuple[int, list[int]]]]:
    """Yield the chain of every start until the watch says stop, and tell it how many."""
    distances = distance_matrix(asked.graph, lambda: asked.watch.stopped)
    for done, start in enumerate(starts):
        if distances is None or asked.watch.stopped:
            return
        if done % TOLD == 0:
            asked.watch.report("solve", starts=done)
        yield _chain(distances, start, k, asked.watch)


def _least(asked: Asked, starts: Iterable[int]) -> tuple[list[int] | None, int]:
    """Return the least set of measure k or more, and how many starts were followed to their end."""
    chains = _chains(asked, starts, asked.k)
    found = [next((members for measure, members in chain if measure >= asked.k), None) for chain in chains]
    return min(filter(None, found), key=len, default=None), max(0, len(found) - asked.watch.stopped)


def _largest(asked: Asked, starts: Iterable[int]) -> tuple[int, list[int] | None, int]:
    """Return the largest measure met, a set that has it, and how many starts were followed to their end."""
    chains = _chains(asked, starts, None)
    found = [max(chain, key=lambda f: f[0], default=(0, [])) for chain in chains]
    measure, members = max(found, key=lambda f: (f[0], -len(f[1])), default=(0, []))
    return measure, members or None, max(0, len(found) - asked.watch.stopped)


def _size(members: list[int] | None) -> int | None:
    return None if members is None else len(members)


def _drawn(asked: Asked, k: int) -> list[int]:
    """Draw starting nodes with replacement: as many as were asked for, or the paper's n ln n / k."""
    n = asked.graph.nodes
    many = asked.starts or max(1, math.ceil(n * math.log(n) / k))
    drawn: list[int] = np.random.default_rng(asked.seed).integers(0, n, many).tolist()
    return drawn


def _chance(starts: int, nodes: int) -> tuple[str, str]:
    """Return what holds for so many starts, whatever the network, and what does not."""
    if not starts:
        return "no start was followed to its end in the time given", NOT_AS_PRINTED
    share = 1.0 - (1.0 - 1.0 / nodes) ** starts
    return (
        f"{starts:,} of {nodes:,} nodes were drawn as starts, with replacement: the answer is the best with "
        f"probability {share:.3g} or more, whatever the network"
    ), NOT_AS_PRINTED


@_method(
    name="algorithm-1",
    summary="Algorithm I: the least set of measure at least k, by absorbing small classes from every node",
    cites="Theorem 1(a)",
    question="at_least",
    guarantee="its answer is the least number of attackers, or that no set exists",
)
def algorithm_1(asked: Asked) -> Outcome:
    """O(n^4) time, 2n^2 bytes."""
    members, _ = _least(asked, range(asked.graph.nodes))
    size = _size(members)
    return Outcome(1, size, members, False) if asked.watch.stopped else Outcome(size, size, members, True)


@_method(
    name="algorithm-2",
    summary="Algorithm II: the antidimension, by absorbing the smallest classes from every node",
    cites="Theorem 1(a)",
    question="adim",
    guarantee="its answer is the antidimension; its set need not be the least that reaches it",
)
def algorithm_2(asked: Asked) -> Outcome:
    """O(n^4) time, 2n^2 bytes."""
    measure, members, _ = _largest(asked, range(asked.graph.nodes))
    proven = not asked.watch.stopped
    return Outcome(measure, measure if proven else asked.graph.nodes - 1, members, proven)


@_method(
    name="algorithm-3",
    summary="Algorithm III: Algorithm I from nodes drawn at random",
    cites="Theorem 1(b)",
    question="at_least",
    guarantee=(
        "with s starts it finds a set as small as a given solution V' with probability 1 - (1 - |V'|/n)^s or more"
    ),
    randomized=True,
)
def algorithm_3(asked: Asked) -> Outcome:
    """O(n^3) time a start, 2n^2 bytes; it proves no lower bound but 1."""
    members, followed = _least(asked, _drawn(asked, asked.k))
    size = _size(members)
    return Outcome(1, size, members, size == 1, _chance(followed, asked.graph.nodes))


@_method(
    name="algorithm-4",
    summary="Algorithm IV: Algorithm II from nodes drawn at random",
    cites="Theorem 1(b)",
    question="adim",
    guarantee=(
        "with s starts it reaches the antidimension with probability 1 - (1 - |V'|/n)^s or more, for any V' that has it"
    ),
    randomized=True,
)
def algorithm_4(asked: Asked) -> Outcome:
    """O(n^3) time a start, 2n^2 bytes; k is not known before, and it proves no upper bound but n - 1."""
    measure, members, followed = _largest(asked, _drawn(asked, 1))
    most = asked.graph.nodes - 1
    return Outcome(measure, most, members, measure == most, _chance(followed, asked.graph.nodes))


# Algorithm V and Theorems 2(c), 3(b), 3(c): the least set of measure exactly k, where the paper has a method.
def _cover(distances: np.ndarray, watch: Watch) -> list[int] | None:
    """Find few attackers who single somebody out; None where the watch said stop before any were found.

    For every v the elements are the other nodes; attacker u != v covers itself and all w with d(u, w) != d(u, v). The
    greedy cover takes, again and again, the attacker that covers most of what is left. Measured on n - 1 elements it is
    within H(n - 1) <= 1 + ln(n - 1) of the least cover, and the least cover over the right v is an optimal set.
    """
    n = distances.shape[0]
    best: list[int] | None = None
    for v in range(n):
        covers = distances != distances[:, [v]]  # covers[u, w]
        np.fill_diagonal(covers, True)
        covers[v, :] = False
        left = np.ones(n, np.bool_)
        left[v] = False
        chosen: list[int] = []
        while left.any() and (best is None or len(chosen) + 1 < len(best)):
            if watch.stopped:
                return best
            u = int(covers[:, left].sum(axis=1).argmax())
            chosen.append(u)
            left &= ~covers[u]
        if not left.any() and (best is None or len(chosen) < len(best)):
            best = chosen
    return best


@_method(
    name="algorithm-5",
    summary="Algorithm V: few attackers who single somebody out, by greedy covers",
    cites="Theorem 3(a)",
    question="exactly",
    guarantee="it takes at most 1 + ln(n - 1) times the least number of attackers",
    level=1,
    most_nodes=3_000,
)
def algorithm_5(asked: Asked) -> Outcome:
    """O(n^3 s) time for s attackers, O(n^2) memory; its ratio proves a lower bound."""
    n = asked.graph.nodes
    distances = distance_matrix(asked.graph, lambda: asked.watch.stopped)
    members = None if distances is None else _cover(distances, asked.watch)
    if asked.watch.stopped or members is None:
        size = _size(members)
        return Outcome(1, size, members, size == 1)
    # rounded down before it is rounded up: the bound is a proof, its logarithm is not exact
    lower = max(1, math.ceil(len(members) / (1.0 + math.log(n - 1)) - 1e-9)) if n > 2 else 1
    return Outcome(lower, len(members), members, lower == len(members))


@_method(
    name="theorem-2c",
    summary="Theorem 2(c): a set of measure exactly k for k above n/2, by trying all sets of n - k nodes",
    cites="Theorem 2(c)",
    question="exactly",
    guarantee="a set of measure k above n/2 has n - k nodes; it finds one, or there is none",
)
def theorem_2c(asked: Asked) -> Outcome | str:
    """O(C(n, c) n) time for c = n - k, 2n^2 bytes.

    A class of n - c > n / 2 nodes is the only one, so a solution has exactly c nodes: all C(n, c) sets are tried. Our
    text of the paper has lost the condition; "k > cn" would be wrong (a path of n / 2 nodes with n / 2 leaves at its
    end has a smallest set of n / 2 nodes for k = n / 2).
    """
    n, c = asked.graph.nodes, asked.graph.nodes - asked.k
    if n <= 2 * c:
        return f"takes levels above half of the {n:,} nodes, not {asked.k:,}"
    if math.comb(n, c) > MOST_SETS:
        return (
            f"tries all sets of n - k = {c:,} of the {n:,} nodes, {about(math.comb(n, c))} of them, "
            f"and takes {MOST_SETS:,} at most"
        )
    distances = distance_matrix(asked.graph, lambda: asked.watch.stopped)
    for members in combinations(range(n), c):
        if distances is None or asked.watch.stopped:
            return Outcome(c, None, None, False)
        seen = np.delete(distances[list(members)], members, axis=1)
        if (seen == seen[:, :1]).all():
            return Outcome(c, c, list(members), True)
    return Outcome(None, None, None, True)


@_method(
    name="theorem-3b",
    summary="Theorem 3(b): a node of degree 1 singles out its neighbour",
    cites="Theorem 3(b)",
    question="exactly",
    guarantee="where a node has degree 1, one attacker is enough",
    level=1,
    most_nodes=1 << 31,
)
def theorem_3b(asked: Asked) -> Outcome | str:
    """O(n) time."""
    leaves = np.flatnonzero(asked.graph.degrees == 1)
    if not leaves.size:
        return "takes networks with a node of degree 1, and this one has none"
    return Outcome(1, 1, [int(leaves[0])], True)


@_method(
    name="theorem-3c",
    summary="Theorem 3(c): two nodes single out their only common neighbour",
    cites="Theorem 3(c)",
    question="exactly",
    guarantee="where two nodes have one common neighbour only, one or two attackers are enough",
    level=1,
    most_nodes=1 << 31,
)
def theorem_3c(asked: Asked) -> Outcome | str:
    """O(sum of squared degrees) time, and a search from every node for a single attacker.

    The paper asks that no cycle has four edges; it is enough that one pair has one common neighbour.
    """
    walks = int((asked.graph.degrees**2).sum())
    if walks > MOST_WALKS:
        return f"goes through {walks:,} walks of two edges, and takes {MOST_WALKS:,} at most"
    pair = one_common_neighbour(asked.graph)
    if pair is None:
        return "takes networks in which two nodes have exactly one common neighbour, and this one has no such pair"
    node = single_of_measure(asked.graph, 1, asked.watch)
    if node is not None:
        return Outcome(1, 1, [node], True)
    return Outcome(1 if asked.watch.stopped else 2, 2, list(pair), not asked.watch.stopped)
