"""The answers to the questions about a network, each put together from the stages."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from incrowd.errors import InputError
from incrowd.networks.answers import Measurement, Risks, Simulation
from incrowd.networks.compress import twin_classes
from incrowd.networks.curve import steps_of, whole_curve
from incrowd.networks.solve.attackers import least_measure, one_common_neighbour
from incrowd.networks.solve.closed_sets import NODE_LIMIT, search_exactly
from incrowd.networks.solve.distances import distance_matrix
from incrowd.networks.solve.large_exactly import approach_exactly, single_of_measure
from incrowd.networks.solve.re_identify import alone, greedy_group, mean_interval, random_groups, wilson_interval
from incrowd.networks.solve.sybils import attack_once, default_sybils
from incrowd.settings import shortened

if TYPE_CHECKING:
    from incrowd.networks.options import NetworkOptions, RiskOptions, SimulationOptions
    from incrowd.networks.values import Graph, Int32, Question, Status
    from incrowd.progress import Watch


ALONE = 0.7  # share of the time for single nodes; the rest is for groups
PRODUCT_LIMIT = 10_000_000  # paths of two edges up to which two nodes with one common neighbour are looked for
TWIN_LIMIT = 200_000  # nodes up to which twins are looked for to bound (k, l)-anonymity
# lower and upper bound as in `Measurement`, a set or None, and whether the bounds meet or no set exists
Found: TypeAlias = "tuple[int | None, int | None, Int32 | None, bool]"


@dataclass(frozen=True, slots=True)
class Run:
    """One question about a network that was read; `began` is `time.perf_counter` when the search began."""

    graph: Graph
    options: NetworkOptions
    watch: Watch
    began: float

    @property
    def seconds(self) -> float:
        """Wall time of the search so far."""
        return time.perf_counter() - self.began

    def answer(self, question: Question, k: int, found: Found, method: str, **more: Any) -> Measurement:
        """Put an answer together; `k` is the level reached or asked for, `method` says in a few words what decided.

        `more` are fields of `Measurement`; what is to be said of it stands before what is said of memory.
        """
        low, high, members, optimal = found
        short = "the search ended early, for memory came near its limit"
        more["remarks"] = (*more.get("remarks", ()), *((short,) if self.watch.short and not optimal else ()))
        facts: dict[str, Any] = {"status": status_of(optimal, self.watch), "seconds": self.seconds} | more
        return Measurement(
            graph=self.graph,
            question=question,
            k=k,
            attackers=None if members is None else int(members.size),
            members=None if members is None else np.sort(members).astype(np.int32),
            lower_bound=low,
            upper_bound=high,
            optimal=optimal,
            method=method,
            show_labels=self.options.show_labels,
            **facts,
        )


def curve_answer(run: Run, question: Literal["adim", "profile"]) -> Measurement:
    """Answer with the ADIM or the whole curve, with one witness a step.

    ``adim`` is decided when the largest k is; ``profile`` when every level up to it is.
    """
    curve = whole_curve(run.graph, 1, None, run.options, run.watch)
    known = np.flatnonzero(curve.upper[1:] < curve.n)
    reached = int(known[-1]) + 1 if known.size else 0
    possible = int(np.flatnonzero(curve.lower[1:] < curve.n)[-1]) + 1
    steps = steps_of(curve, reached)
    optimal = reached == possible
    if question == "profile":
        optimal = optimal and bool((curve.lower[1 : reached + 1] == curve.upper[1 : reached + 1]).all())
    members = steps[-1].witness if steps else None
    return run.answer(question, reached, (reached, possible, members, optimal), curve.method, steps=steps)


def exact_answer(run: Run, k: int) -> Measurement:
    """Find the least set of measure exactly k, from 1: by quick tests or a search over closed sets, best first.

    Exponential time at worst. Above 12,000 nodes the upper bound is a set found by closures and descent, without a
    proven ratio, and the answer an interval where that set has more nodes than the lower bound says.
    """
    graph, watch = run.graph, run.watch

    def answer(found: Found, method: str) -> Measurement:
        return run.answer("exactly", k, found, method)

    curve = whole_curve(graph, k, min(k + 1, graph.nodes - 1), run.options, watch)
    low, high, members, exact = curve.interval(k)
    if exact and high is None:
        return answer((None, None, None, True), "no set has measure k or more")
    beyond, _, _, _ = curve.interval(k + 1)
    if exact and high is not None and (beyond is None or beyond > high) and not watch.stopped:
        return answer((high, high, members, True), "the end of a step of the curve")
    large = graph.nodes > NODE_LIMIT or watch.within_memory(1, 3 * graph.nodes**2) < 1
    if high == 1 or low == 1:
        part = watch.share(0.5) if large else watch  # the rest of the time is for larger sets
        node = single_of_measure(graph, k, part)
        if node is not None:
            return answer((1, 1, np.array([node], np.int32), True), "a single node")
        low = 1 if part.stopped else max(2, low or 1)
    if watch.stopped:
        return answer((low, None, None, False), "quick tests only: the time was over before a search")
    if large:
        return answer(*_large_exactly(run, k, low or 1, members))
    distances = distance_matrix(graph, lambda: watch.stopped)
    if distances is None:
        return answer((low, None, None, False), "quick tests only: there was no time for all distances")
    found = search_exactly(graph, distances, twin_classes(graph), k, watch=watch, lower=low or 1)
    method = f"best-first search over closed sets ({found.expanded} taken)"
    if found.complete and found.upper is None:
        return answer((None, None, None, True), method)
    return answer((found.lower, found.upper, found.members, found.complete), method)


def _large_exactly(run: Run, k: int, low: int, start: Int32 | None) -> tuple[Found, str]:
    """Return an interval, the set that is its upper end, and what found it."""
    graph, watch = run.graph, run.watch
    few = k == 1 and int((graph.degrees**2).sum()) <= PRODUCT_LIMIT
    pair = one_common_neighbour(graph, lambda: watch.stopped) if few else None
    if pair is not None:
        return (low, 2, np.array(pair, np.int32), low == 2), "two nodes with one common neighbour"
    if start is None:
        start = np.array([graph.degrees.argmax()], np.int32)
    found = approach_exactly(graph, k, start, watch, run.options.seed, low)
    size = None if found.members is None else int(found.members.size)
    return (low, size, found.members, size == low), f"closures and descent ({found.searches} searches)"


def crowd_answer(run: Run, allowed: int) -> Measurement:
    """Answer how small a crowd at most `allowed` attackers, from 1, can leave to somebody.

    More than n - 1 are read as n - 1. Twins, which give a lower bound, are looked for in networks of up to 200,000
    nodes.
    """
    graph = run.graph
    twins = twin_classes(graph) if graph.nodes <= TWIN_LIMIT else None
    twin_sizes = None if twins is None else np.bincount(twins)[twins]
    found = least_measure(graph, min(allowed, graph.nodes - 1), twin_sizes, run.watch)
    interval = (found.lower, found.upper, found.members, found.lower == found.upper)
    return run.answer("attackers", found.upper, interval, found.method, allowed=allowed)


def risk_answer(run: Run, parsed: RiskOptions, size: int) -> Risks:
    """Answer what nodes learn alone, and what groups of `size`, from 1 to n - 1, drawn or grown greedily learn."""
    graph, watch = run.graph, run.watch
    single = alone(graph, parsed.sample, watch.share(ALONE), parsed.seed)
    if parsed.strategy == "greedy":
        drawn = greedy_group(graph, size, single, watch, parsed.seed)
        interval = (float(drawn.shares[0]), float(drawn.shares[0]))
    else:
        drawn = random_groups(graph, size, parsed.groups, watch, parsed.seed)
        interval = mean_interval(drawn.shares)
    return Risks(
        graph=graph,
        attackers=size,
        strategy=parsed.strategy,
        re_identified=float(drawn.shares.mean()),
        worst=float(drawn.shares.max()),
        interval=interval,
        groups=int(drawn.shares.size),
        measure=single.measure,
        singles=single.singles,
        examined=single.examined,
        exposed=float((single.singles > 0).mean()),
        members=drawn.members,
        status="heuristic" if not watch.stopped else status_of(False, watch),
        seed=parsed.seed,
        seconds=run.seconds,
        show_labels=parsed.show_labels,
    )


def attack_answer(run: Run, parsed: SimulationOptions) -> Simulation:
    """Simulate the walk-based attack many times, and count what it achieves.

    InputError is raised if more members are to be marked than the network or the accounts allow.
    """
    graph, watch = run.graph, run.watch
    sybils = parsed.sybils or default_sybils(graph.nodes)
    room = math.comb(sybils, 2) + math.comb(sybils, 3)
    targets = min(sybils, graph.nodes) if parsed.targets is None else parsed.targets
    if targets > min(graph.nodes, room):
        raise InputError(
            f"targets must be at most {min(graph.nodes, room)} for {sybils} accounts, not {shortened(targets)}"
        )
    done = []
    rng = np.random.default_rng(parsed.seed)
    for _ in range(parsed.trials):
        done.append(attack_once(graph, sybils, targets, parsed.noise, int(rng.integers(0, 1 << 62))))
        watch.report("solve", trials=len(done), recovered=sum(t.recovered for t in done))
        if watch.stopped:
            break
    recovered = sum(t.recovered for t in done)
    return Simulation(
        graph=graph,
        sybils=sybils,
        targets=targets,
        trials=len(done),
        recovered=recovered,
        ambiguous=sum(t.ambiguous for t in done),
        re_identified=sum(t.targets_found for t in done) / (targets * len(done)),
        interval=wilson_interval(recovered, len(done)),
        by_distance=sum(t.by_distance for t in done) / len(done),
        noise=parsed.noise,
        status="heuristic" if len(done) == parsed.trials else status_of(False, watch),
        seed=parsed.seed,
        seconds=run.seconds,
    )


def status_of(optimal: bool, watch: Watch) -> Status:
    """Return how a search ended: "optimal", "interrupted", "time_limit" or "heuristic".

    `optimal` tells whether the answer is proven, and the watch whether the run was interrupted or had a time limit. It
    is ``heuristic`` where the answer is not proven, and neither time nor memory nor anybody ended the run.
    """
    if optimal:
        return "optimal"
    if watch.interrupted:
        return "interrupted"
    return "time_limit" if watch.deadline is not None or watch.short else "heuristic"
