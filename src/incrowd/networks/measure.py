"""The network jobs, one screen each: they read as sentences and join stages that do not know one another."""

from __future__ import annotations

import functools
import math
import time
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar

import numpy as np

from incrowd.errors import InputError
from incrowd.networks.certificate import load_certificate
from incrowd.networks.compress.components import largest_component
from incrowd.networks.compress.twins import twin_classes
from incrowd.networks.curve import steps_of, whole_curve
from incrowd.networks.models.metric import metric_classes
from incrowd.networks.options import NetworkOptions, RiskOptions, SimulationOptions
from incrowd.networks.read.limits import asking
from incrowd.networks.read.sources import ReadOptions, read_source
from incrowd.networks.solve.attackers import least_measure
from incrowd.networks.solve.closed_sets import NODE_LIMIT, distance_matrix, search_exactly
from incrowd.networks.solve.re_identify import alone, greedy_group, mean_interval, random_groups, wilson_interval
from incrowd.networks.solve.single_exactly import single_of_measure
from incrowd.networks.solve.sybils import attack_once, default_sybils
from incrowd.networks.values import (
    Classes,
    Graph,
    Int32,
    Label,
    Measurement,
    Risks,
    Simulation,
    Status,
)
from incrowd.networks.verify.recheck import Recheck, recheck
from incrowd.progress import Watch

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable

__all__ = [
    "anonymity",
    "antidimension",
    "check",
    "classes",
    "profile",
    "read",
    "risks",
    "simulate_attack",
]

Q = ParamSpec("Q")
R = TypeVar("R")

TWIN_LIMIT = 200_000  # nodes up to which twins are looked for to bound (k, l)-anonymity


def _within_memory(question: Callable[Q, R]) -> Callable[Q, R]:
    """Tell of memory that did not suffice in one sentence."""

    @functools.wraps(question)
    def ask(*args: Q.args, **kwargs: Q.kwargs) -> R:
        try:
            return question(*args, **kwargs)
        except MemoryError:
            raise InputError(
                "there is not enough memory for this network; free some, or ask about a smaller one "
                "(component='largest', --component largest)"
            ) from None

    return ask


@_within_memory
def read(source: Any, *, component: str = "all", watch: Watch | None = None, **options: Any) -> Graph:
    """Read a network.

    Parameters
    ----------
    source : path, bytes, or object
        Edge list, GraphML, GML, Pajek, METIS, Matrix Market or JSON node-link, compressed or not; a NetworkX or
        igraph graph, a SciPy sparse matrix, a pandas, polars or Arrow edge table, a list or array of pairs.
    component : {"all", "largest"}
    watch : Watch, optional
        Asked while reading whether to stop: of a network half read nothing is known.
    **options
        Fields of `ReadOptions`: ``format``, ``delimiter``, ``comments``, ``header``.

    Returns
    -------
    Graph
        Simple and undirected: directions are merged, loops and repetitions dropped and counted, weights ignored
        with a note.

    Raises
    ------
    InputError
        If it is no graph, has fewer than two nodes, a missing id, or a negative or NaN weight; if it is damaged, claims
        more than it holds, or memory or the watch's time end before it is read.
    """
    if component not in ("all", "largest"):
        raise InputError(f"component must be 'all' or 'largest', not {component!r}")
    graph = read_source(source, ReadOptions(**options), asking(watch))
    return largest_component(graph) if component == "largest" else graph


@_within_memory
def classes(source: Any, nodes: Iterable[Label]) -> Classes:
    """Classes of the nodes outside a set by their distances to it; see `incrowd.networks.models.metric`.

    Parameters
    ----------
    source : what `read` takes
    nodes : labels of the set
    """
    graph = read(source)
    return metric_classes(graph, graph.index_of(nodes))


@_within_memory
def antidimension(
    source: Any,
    *,
    at_least: int | None = None,
    exactly: int | None = None,
    watch: Watch | None = None,
    **options: Any,
) -> Measurement:
    """Find the largest k that some set of attackers leaves to everybody else; or the least attackers for one k.

    Parameters
    ----------
    source : what `read` takes
    at_least : int, optional
        Least set of measure at least this, 1..n-1 (ADIM>=k).
    exactly : int, optional
        Least set of measure exactly this, 1..n-1 (ADIM=k, NP-hard: an interval when time runs out).
    watch : Watch, optional
        Carries progress out and the wish to stop in.
    **options
        Fields of `NetworkOptions`.

    Returns
    -------
    Measurement

    Raises
    ------
    InputError
        If k is out of range or both levels are given.

    Examples
    --------
    >>> from incrowd import networks
    >>> star = [("hub", leaf) for leaf in "abcde"]
    >>> networks.antidimension(star, show_labels=True).witness
    ['hub']
    """
    chosen, watch, graph, began = _begin(source, NetworkOptions(**options), watch)
    if at_least is not None and exactly is not None:
        raise InputError("give at_least or exactly, not both")
    if at_least is not None:
        k = _level("at_least", at_least, graph)
        curve = whole_curve(graph, k, k, chosen, watch)
        return _bounded(graph, "at_least", k, curve.interval(k), curve.method, began, watch, chosen)
    if exactly is not None:
        return _exactly(graph, _level("exactly", exactly, graph), chosen, watch, began)
    return _curve_answer(graph, "adim", chosen, watch, began)


@_within_memory
def profile(source: Any, *, watch: Watch | None = None, **options: Any) -> Measurement:
    """Draw the trade-off curve: the least number of attackers for every k, with one witness a step.

    Parameters as for `antidimension`.
    """
    chosen, watch, graph, began = _begin(source, NetworkOptions(**options), watch)
    return _curve_answer(graph, "profile", chosen, watch, began)


@_within_memory
def anonymity(source: Any, *, attackers: int, watch: Watch | None = None, **options: Any) -> Measurement:
    """Find the (k, l)-anonymity: the least crowd that at most `attackers` nodes can leave to somebody.

    Parameters
    ----------
    source : what `read` takes
    attackers : int
        l, from 1; more than n - 1 counts as n - 1.
    watch, **options
        As for `antidimension`.

    Raises
    ------
    InputError
        If `attackers` is below 1.
    """
    chosen, watch, graph, began = _begin(source, NetworkOptions(**options), watch)
    allowed = _whole("attackers", attackers)
    if allowed < 1:
        raise InputError(f"attackers must be at least 1, not {allowed}")
    twins = twin_classes(graph) if graph.nodes <= TWIN_LIMIT else None
    twin_sizes = None if twins is None else np.bincount(twins)[twins]
    found = least_measure(graph, min(allowed, graph.nodes - 1), twin_sizes, watch)
    optimal = found.lower == found.upper
    return Measurement(
        graph=graph,
        question="attackers",
        k=found.upper,
        attackers=int(found.members.size),
        members=np.sort(found.members),
        lower_bound=found.lower,
        upper_bound=found.upper,
        optimal=optimal,
        status=_status(optimal, watch),
        method=found.method,
        seconds=time.perf_counter() - began,
        allowed=allowed,
        show_labels=chosen.show_labels,
    )


@_within_memory
def risks(source: Any, *, attackers: int = 1, watch: Watch | None = None, **options: Any) -> Risks:
    """Estimate what attackers learn: every node alone, and groups of `attackers` drawn at random or grown greedily.

    Parameters
    ----------
    source : what `read` takes
    attackers : int
        Size of the groups, 1..n-1.
    watch : Watch, optional
    **options
        Fields of `RiskOptions`.
    """
    parsed = RiskOptions(**options)
    chosen, watch, graph, began = _begin(source, parsed, watch)
    size = _whole("attackers", attackers)
    if not 1 <= size < graph.nodes:
        raise InputError(f"attackers must be from 1 to {graph.nodes - 1} (nodes less one), not {size}")
    single = alone(graph, parsed.sample, watch, chosen.seed)
    if parsed.strategy == "greedy":
        drawn = greedy_group(graph, size, single, watch, chosen.seed)
        interval = (float(drawn.shares[0]), float(drawn.shares[0]))
    else:
        drawn = random_groups(graph, size, parsed.groups, watch, chosen.seed)
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
        status="heuristic" if not watch.stopped else _status(False, watch),
        seed=chosen.seed,
        seconds=time.perf_counter() - began,
        show_labels=chosen.show_labels,
    )


@_within_memory
def simulate_attack(source: Any, *, watch: Watch | None = None, **options: Any) -> Simulation:
    """Plant accounts, publish, find them again, name their targets: the walk-based attack, many times.

    Parameters
    ----------
    source : what `read` takes
    watch : Watch, optional
    **options
        Fields of `SimulationOptions`.

    References
    ----------
    L. Backstrom, C. Dwork, J. Kleinberg, Wherefore art thou r3579x?, WWW 2007.
    """
    parsed = SimulationOptions(**options)
    chosen, watch, graph, began = _begin(source, parsed, watch)
    sybils = parsed.sybils or default_sybils(graph.nodes)
    room = math.comb(sybils, 2) + math.comb(sybils, 3)
    targets = min(sybils, graph.nodes) if parsed.targets is None else parsed.targets
    if targets > min(graph.nodes, room):
        raise InputError(f"targets must be at most {min(graph.nodes, room)} for {sybils} accounts, not {targets}")
    done = []
    for seed in np.random.default_rng(chosen.seed).integers(0, 1 << 62, parsed.trials):
        done.append(attack_once(graph, sybils, targets, parsed.noise, int(seed)))
        watch.tell("solve", trials=len(done), recovered=sum(t.recovered for t in done))
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
        status="heuristic" if len(done) == parsed.trials else _status(False, watch),
        seed=chosen.seed,
        seconds=time.perf_counter() - began,
    )


@_within_memory
def check(
    source: Any,
    certificate: dict[str, Any] | str | os.PathLike[str],
    *,
    component: str = "all",
    time_limit: float = 60.0,
) -> Recheck:
    """Recheck a certificate from the edges, with a search and a recount of its own.

    Parameters
    ----------
    source : what `read` takes
    certificate : dict or path
    component : {"all", "largest"}
        As when the certificate was made.
    time_limit : float
        Seconds for the bounds; witnesses are always rechecked.

    Returns
    -------
    Recheck
        ``ok`` is false where the certificate does not support what it says: a claim is wrong or says nothing, or the
        claims do not answer the certificate's own question. ``proven`` is true only when the question is answered
        wholly; ``answer`` holds as much as was proven.

    Raises
    ------
    InputError
        If the network or the certificate cannot be read: no JSON, nested without end, a version, key or kind that is
        not known, a number that is no whole number of its range, a key or a member twice.
    """
    return recheck(read(source, component=component), load_certificate(certificate), seconds=time_limit)


# ---------------------------------------------------------------- how the answers are put together


def _curve_answer(
    graph: Graph, question: Literal["adim", "profile"], chosen: NetworkOptions, watch: Watch, began: float
) -> Measurement:
    curve = whole_curve(graph, 1, None, chosen, watch)
    reached = int(np.flatnonzero(curve.upper[1:] < curve.n)[-1]) + 1 if (curve.upper[1:] < curve.n).any() else 0
    possible = int(np.flatnonzero(curve.lower[1:] < curve.n)[-1]) + 1
    steps = steps_of(curve, reached)
    # the ADIM is decided when its interval is a point; the whole curve when every level is
    optimal = reached == possible
    if question == "profile":
        optimal = optimal and bool((curve.lower[1 : reached + 1] == curve.upper[1 : reached + 1]).all())
    last = steps[-1] if steps else None
    return Measurement(
        graph=graph,
        question=question,
        k=reached,
        attackers=last.attackers if last else None,
        members=last.witness if last else None,
        lower_bound=reached,
        upper_bound=possible,
        optimal=optimal,
        status=_status(optimal, watch),
        method=curve.method,
        seconds=time.perf_counter() - began,
        steps=steps,
        show_labels=chosen.show_labels,
    )


def _exactly(graph: Graph, k: int, chosen: NetworkOptions, watch: Watch, began: float) -> Measurement:
    """Quick tests first; then closed sets, best first."""

    def answer(found: tuple[int | None, int | None, Int32 | None, bool], method: str) -> Measurement:
        return _bounded(graph, "exactly", k, found, method, began, watch, chosen)

    curve = whole_curve(graph, k, min(k + 1, graph.nodes - 1), chosen, watch)
    low, high, members, exact = curve.interval(k)
    if exact and high is None:
        return answer((None, None, None, True), "no set has measure k or more")
    beyond, _, _, _ = curve.interval(k + 1)
    if exact and high is not None and (beyond is None or beyond > high) and not watch.stopped:
        return answer((high, high, members, True), "the end of a step of the curve")
    if high == 1 or low == 1:
        node = single_of_measure(graph, k, watch)
        if node is not None:
            return answer((1, 1, np.array([node], np.int32), True), "a single node")
        low = 1 if watch.stopped else max(2, low or 1)
    if graph.nodes > NODE_LIMIT or watch.stopped:
        return answer((low, None, None, False), "quick tests only: the network is too large for the search")
    found = search_exactly(graph, distance_matrix(graph), twin_classes(graph), k, watch=watch, lower=low or 1)
    method = f"best-first search over closed sets ({found.expanded} taken)"
    if found.complete and found.upper is None:
        return answer((None, None, None, True), method)
    return answer((found.lower, found.upper, found.members, found.complete), method)


def _bounded(
    graph: Graph,
    question: Literal["at_least", "exactly"],
    k: int,
    found: tuple[int | None, int | None, Int32 | None, bool],
    method: str,
    began: float,
    watch: Watch,
    chosen: NetworkOptions,
) -> Measurement:
    low, high, members, optimal = found
    return Measurement(
        graph=graph,
        question=question,
        k=k,
        attackers=high,
        members=None if members is None else np.sort(members).astype(np.int32),
        lower_bound=low,
        upper_bound=high,
        optimal=optimal,
        status=_status(optimal, watch),
        method=method,
        seconds=time.perf_counter() - began,
        show_labels=chosen.show_labels,
    )


def _begin(source: Any, options: NetworkOptions, watch: Watch | None) -> tuple[NetworkOptions, Watch, Graph, float]:
    """Read the graph, in no more time than the limit, then let the clock of the search start."""
    watch = watch or Watch()
    if options.time_limit is not None:
        watch.limit(options.time_limit)
    graph = read(source, component=options.component, watch=watch)
    if options.time_limit is not None:
        watch.limit(options.time_limit)
    return options, watch, graph, time.perf_counter()


def _status(optimal: bool, watch: Watch) -> Status:
    if optimal:
        return "optimal"
    if watch.interrupted:
        return "interrupted"
    return "time_limit" if watch.deadline is not None else "heuristic"


def _whole(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise InputError(f"{name} must be a whole number, not {type(value).__name__}")
    return int(value)


def _level(name: str, value: Any, graph: Graph) -> int:
    k = _whole(name, value)
    if not 1 <= k <= graph.nodes - 1:
        raise InputError(f"{name} must be from 1 to {graph.nodes - 1} (nodes less one), not {k}")
    return k
