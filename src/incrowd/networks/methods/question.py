"""Which question a method of the paper takes, on which networks, and its answer."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal

import numpy as np

from incrowd.errors import InputError
from incrowd.networks.answers import Measurement
from incrowd.networks.measure import status_of
from incrowd.networks.methods.outcome import Asked
from incrowd.networks.values import NodeSet, Step
from incrowd.settings import shortened

if TYPE_CHECKING:
    from incrowd.networks.methods.outcome import Method, Outcome
    from incrowd.networks.options import NetworkOptions
    from incrowd.networks.values import Graph
    from incrowd.progress import Watch

__all__ = ["method_answer", "refuse_question"]

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
