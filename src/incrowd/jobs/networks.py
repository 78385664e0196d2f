"""The network jobs, one screen each: read a network, ask one question, hand the answer out (`incrowd.networks`)."""

from __future__ import annotations

import contextlib
import functools
import importlib
import time
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar

from incrowd.errors import InputError, count_of
from incrowd.memory import MB, PLANNED, as_bytes, give_back, in_words, limited
from incrowd.networks.certificate import load_certificate
from incrowd.networks.compress import largest_component
from incrowd.networks.curve import whole_curve
from incrowd.networks.input.limits import asking
from incrowd.networks.input.sources import ReadOptions, read_source
from incrowd.networks.measure import (
    Run,
    attack_answer,
    crowd_answer,
    curve_answer,
    exact_answer,
    risk_answer,
)
from incrowd.networks.methods import method_answer, refuse_question, starts_asked
from incrowd.networks.models import metric_classes
from incrowd.networks.options import NetworkOptions, RiskOptions, SimulationOptions, least_bytes, whole_number
from incrowd.networks.verify import Recheck, recheck
from incrowd.progress import Watch
from incrowd.registry import load
from incrowd.results.network import Measurement, Risks, Simulation, handed_out
from incrowd.settings import name_and_options, shortened

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable
    from contextlib import AbstractContextManager

    from incrowd.networks.values import Classes, Graph, Label

# What ``--memory`` is for questions about networks: a limit kept for the whole process, or one sentence.

# What a question needs at the least beside libraries: compiled kernels when they first run.
KERNELS = 60 * MB
WAYS = "give it more memory, or ask about a smaller network (component = largest)"


def memory_of(size: str | None, *watches: Watch) -> AbstractContextManager[Any]:
    """Return what keeps a limit on the memory of the process inside its block.

    `size` is such as ``"2GB"``; None: nothing is limited. The watches are told when the work is to end, and what may be
    planned with. `InputError` or `PolicyError` is raised if the limit is no size, or below what the libraries take, and
    if the run comes to its limit.
    """
    if size is None:
        return contextlib.nullcontext()
    most = as_bytes(size)
    importlib.import_module("scipy.sparse.csgraph")  # all else that questions need is there
    return limited(most, watches, KERNELS, WAYS)


def check_memory(graph: Graph, watch: Watch) -> None:
    """Refuse a question that the memory left is too little for.

    The watch's `room` says what is left. `InputError` is raised if that is less than any question takes, and names the
    limit that would be enough.
    """
    if watch.memory_budget is None:
        return
    give_back()
    need, left = least_bytes(graph), watch.memory_budget()
    if need > left:
        raise InputError(
            f"memory is too little: a question about {count_of(graph.nodes, 'node')} and "
            f"{count_of(graph.edges, 'edge')} takes about {in_words(need)}, and {in_words(left)} are left; give it at "
            f"least {in_words(1.05 * (need - left) / PLANNED + MB)} more"
        )


# What every network question begins with: the network read, its clock started, its numbers checked.
Q = ParamSpec("Q")
R = TypeVar("R")


def within_memory(question: Callable[Q, R]) -> Callable[Q, R]:
    """Keep the limit on memory that a question was given, and turn a lack of it into an error of one sentence.

    The question takes ``memory`` (as ``"2GB"``) and ``watch`` as keywords. What is returned is the same question, which
    raises `InputError` where memory ends.
    """

    @functools.wraps(question)
    def ask(*args: Q.args, **kwargs: Q.kwargs) -> R:
        size: Any = kwargs.get("memory")
        watch: Any = kwargs.get("watch") or Watch()
        try:
            with memory_of(size, watch):
                return question(*args, **{**kwargs, "watch": watch})
        except MemoryError:
            raise InputError(
                "there is not enough memory for this network; free some, or ask about a smaller one "
                "(component = largest)"
            ) from None

    return ask


@within_memory
def read(
    source: Any, *, component: str = "all", watch: Watch | None = None, memory: str | None = None, **options: Any
) -> Graph:
    """Read a network.

    `source`: edge list, GraphML, GML, Pajek, METIS, Matrix Market or JSON node-link, compressed or not; a NetworkX or
    igraph graph, a SciPy sparse matrix, a pandas, polars or Arrow edge table, a list or array of pairs. `watch`: asked
    while reading whether to stop: of a network half read nothing is known. `memory`: what the whole process may hold
    while it is read, as ``"2GB"``. `**options`: fields of `ReadOptions`: ``format``, ``delimiter``, ``comments``,
    ``header``. Returns simple and undirected: directions are merged, loops and repetitions dropped and counted, weights
    ignored with a note. InputError is raised if it is no graph, has fewer than two nodes, a missing id, or a negative
    or NaN weight; if it is damaged, claims more than it holds, or memory or the watch's time end before it is read.
    """
    if component not in ("all", "largest"):
        raise InputError(f"component must be 'all' or 'largest', not {shortened(component)}")
    graph = read_source(source, ReadOptions(**options), asking(watch))
    if component == "largest":
        graph = largest_component(graph)
        if graph.nodes < 2:
            raise InputError("no component of the network has two nodes, for no edge joins any; give one with edges")
    return graph


def begin(source: Any, options: NetworkOptions, watch: Watch | None) -> Run:
    """Read the graph, in no more time than the limit, then let the clock of the search start.

    `source` is a path, bytes, or an object, as `read` has it. The watch of what is returned has the limit on time that
    the options have.
    """
    watch = watch or Watch()
    if options.time_limit is not None:
        watch.limit(options.time_limit)
    graph = read(source, component=options.component, watch=watch)
    check_memory(graph, watch)
    if options.time_limit is not None:
        watch.limit(options.time_limit)
    return Run(graph, options, watch, time.perf_counter())


def level_of(name: str, value: Any, graph: Graph) -> int:
    """Return a level k that was given for an option, from 1 to n - 1.

    `InputError` is raised if it is no whole number, or out of range; its message holds the option's `name`.
    """
    k = whole_number(name, value)
    if not 1 <= k <= graph.nodes - 1:
        raise InputError(f"{name} must be from 1 to {graph.nodes - 1} (nodes less one), not {shortened(k)}")
    return k


@within_memory
def classes(source: Any, nodes: Iterable[Label], *, memory: str | None = None, watch: Watch | None = None) -> Classes:
    """Return the classes of the nodes outside a set by their distances to it; see `incrowd.networks.models`.

    Parameters
    ----------
    source : what `read` takes
    nodes : iterable of labels
        Of the set.
    memory : str, optional
        What the whole process may hold, as ``"2GB"``.
    watch : Watch, optional
        Asked while reading whether to stop.

    Returns
    -------
    Classes

    Raises
    ------
    InputError
        If the network cannot be read, or a label is not in it.
    """
    graph = read(source, watch=watch)
    return metric_classes(graph, graph.index_of(nodes))


@within_memory
def antidimension(
    source: Any,
    *,
    at_least: int | None = None,
    exactly: int | None = None,
    method: str | None = None,
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
    method : str, optional
        An algorithm or theorem of the paper to answer with, as it is written; ``incrowd list methods`` names them, the
        ``notes`` of the answer say what it guarantees. ``"algorithm-3:starts=9"`` and ``"algorithm-4:starts=9"`` say
        how many starting nodes are drawn (by `seed`); the paper's number by default.
    watch : Watch, optional
        Carries progress out and the wish to stop in.
    **options
        Fields of `NetworkOptions`.

    Returns
    -------
    Measurement
        Exact, or an interval where the time limit or an interruption ended the search.

    Raises
    ------
    InputError
        If k is out of range, both levels are given, the method takes another question or a smaller network, or the
        network cannot be read.
    PolicyError
        If there is no such method, or its options are not written as ``NAME:key=value``.

    Examples
    --------
    >>> from incrowd import networks
    >>> star = [("hub", leaf) for leaf in "abcde"]
    >>> networks.antidimension(star, show_labels=True).witness
    ['hub']
    """
    chosen = NetworkOptions(**options)
    if at_least is not None and exactly is not None:
        raise InputError("give at_least or exactly, not both")
    question: Literal["adim", "at_least", "exactly"] = "adim" if exactly is None else "exactly"
    question = question if at_least is None else "at_least"
    k = exactly if at_least is None else at_least
    named = starts = None
    if method is not None:
        name, own = name_and_options(method, "method")
        named = load("methods", name)
        refuse_question(named, question, k)
        starts = starts_asked(named, own)
    run = begin(source, chosen, watch)
    k = 0 if question == "adim" else level_of(question, k, run.graph)
    if named is not None:
        return handed_out(method_answer(named, run, k, starts))
    if question == "adim":
        return handed_out(curve_answer(run, "adim"))
    if question == "exactly":
        return handed_out(exact_answer(run, k))
    curve = whole_curve(run.graph, k, k, chosen, run.watch)
    return handed_out(run.answer("at_least", k, curve.interval(k), curve.method))


@within_memory
def profile(source: Any, *, watch: Watch | None = None, **options: Any) -> Measurement:
    """Find the trade-off curve: the least number of attackers for every k, with one witness a step.

    Parameters
    ----------
    source : what `read` takes
    watch, **options
        As for `antidimension`.

    Returns
    -------
    Measurement

    Raises
    ------
    InputError
        If the network cannot be read or an option has a bad value.
    """
    run = begin(source, NetworkOptions(**options), watch)
    return handed_out(curve_answer(run, "profile"))


@within_memory
def anonymity(source: Any, *, attackers: int, watch: Watch | None = None, **options: Any) -> Measurement:
    """Find the (k, l)-anonymity: the least crowd that at most `attackers` nodes can leave to somebody.

    Parameters
    ----------
    source : what `read` takes
    attackers : int
        l, from 1; more than n - 1 counts as n - 1.
    watch, **options
        As for `antidimension`.

    Returns
    -------
    Measurement

    Raises
    ------
    InputError
        If `attackers` is no whole number of at least 1, or the network cannot be read.
    """
    run = begin(source, NetworkOptions(**options), watch)
    return handed_out(crowd_answer(run, whole_number("attackers", attackers, 1)))


@within_memory
def risks(source: Any, *, attackers: int = 1, watch: Watch | None = None, **options: Any) -> Risks:
    """Estimate what attackers learn: every node alone, and classes of `attackers` drawn at random or grown greedily.

    Parameters
    ----------
    source : what `read` takes
    attackers : int
        Size of the classes, 1..n-1.
    watch : Watch, optional
        Carries progress out and the wish to stop in.
    **options
        Fields of `RiskOptions`.

    Returns
    -------
    Risks

    Raises
    ------
    InputError
        If `attackers` is out of range, an option has a bad value, or the network cannot be read.
    """
    parsed = RiskOptions(**options)
    run = begin(source, parsed, watch)
    return handed_out(risk_answer(run, parsed, level_of("attackers", attackers, run.graph)))


@within_memory
def simulate_attack(source: Any, *, watch: Watch | None = None, **options: Any) -> Simulation:
    """Simulate the walk-based attack many times: plant accounts, publish, find them again, identify their targets.

    Parameters
    ----------
    source : what `read` takes
    watch : Watch, optional
        Carries progress out and the wish to stop in.
    **options
        Fields of `SimulationOptions`.

    Returns
    -------
    Simulation

    Raises
    ------
    InputError
        If an option has a bad value, or the network cannot be read.

    References
    ----------
    L. Backstrom, C. Dwork, J. Kleinberg, Wherefore art thou r3579x?, WWW 2007.
    """
    parsed = SimulationOptions(**options)
    run = begin(source, parsed, watch)
    return handed_out(attack_answer(run, parsed))


@within_memory
def check(
    source: Any,
    certificate: dict[str, Any] | str | os.PathLike[str],
    *,
    component: str = "all",
    time_limit: float = 60.0,
    memory: str | None = None,
    watch: Watch | None = None,
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
    memory : str, optional
        What the whole process may hold, as ``"2GB"``.
    watch : Watch, optional
        Asked while reading whether to stop.

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
    return recheck(read(source, component=component, watch=watch), load_certificate(certificate), seconds=time_limit)
