"""The network jobs, one screen each: read a network, ask one question, hand the answer out (`incrowd.networks`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from incrowd.errors import InputError
from incrowd.jobs.network_source import begin, level_of, read, whole, within_memory
from incrowd.networks.certificate import load_certificate
from incrowd.networks.curve import whole_curve
from incrowd.networks.measure import (
    attack_answer,
    crowd_answer,
    curve_answer,
    exact_answer,
    risk_answer,
)
from incrowd.networks.methods import method_answer, refuse_question, starts_asked
from incrowd.networks.models import metric_classes
from incrowd.networks.options import NetworkOptions, RiskOptions, SimulationOptions
from incrowd.networks.verify import Recheck, recheck
from incrowd.registry import load
from incrowd.results.network import Measurement, Risks, Simulation, handed_out
from incrowd.settings import name_and_options, shortened

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from incrowd.networks.values import Classes, Label
    from incrowd.progress import Watch

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
    question: Literal["adim", "at_least", "exactly"] = "adim"
    if at_least is not None or exactly is not None:
        question = "exactly" if at_least is None else "at_least"
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
    chosen = NetworkOptions(**options)
    run = begin(source, chosen, watch)
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
    chosen = NetworkOptions(**options)
    run = begin(source, chosen, watch)
    allowed = whole("attackers", attackers)
    if allowed < 1:
        raise InputError(f"attackers must be at least 1, not {shortened(allowed)}")
    return handed_out(crowd_answer(run, allowed))


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
    size = whole("attackers", attackers)
    if not 1 <= size < run.graph.nodes:
        raise InputError(f"attackers must be from 1 to {run.graph.nodes - 1} (nodes less one), not {shortened(size)}")
    return handed_out(risk_answer(run, parsed, size))


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
