"""What every network question begins with: the network read, its clock started, its numbers checked."""

from __future__ import annotations

import functools
import time
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numpy as np

from incrowd.errors import InputError
from incrowd.jobs.network.memory import check_room, memory_of
from incrowd.networks.compress.components import largest_component
from incrowd.networks.input.limits import asking
from incrowd.networks.input.sources import ReadOptions, read_source
from incrowd.progress import Watch
from incrowd.settings import shortened

if TYPE_CHECKING:
    from collections.abc import Callable

    from incrowd.networks.options import NetworkOptions
    from incrowd.networks.values import Graph

__all__ = ["begin", "level_of", "read", "whole", "within_memory"]

Q = ParamSpec("Q")
R = TypeVar("R")


def within_memory(question: Callable[Q, R]) -> Callable[Q, R]:
    """Keep the limit on memory that a question was given, and turn a lack of it into an error of one sentence.

    The question takes ``memory`` (as ``"2GB"``) and ``watch`` as keywords. What is returned is the same question, which
    raises `InputError` where memory ends.
    """

    @functools.wraps(question)
    def ask(*args: Q.args, **kwargs: Q.kwargs) -> R:
        try:
            size: Any = kwargs.get("memory")
            if size is None:
                return question(*args, **kwargs)
            watch: Any = kwargs.get("watch") or Watch()
            with memory_of(size, watch):
                return question(*args, **{**kwargs, "watch": watch})
        except MemoryError:
            raise InputError(
                "there is not enough memory for this network; free some, or ask about a smaller one "
                "(component='largest', --component largest)"
            ) from None

    return ask


@within_memory
def read(
    source: Any, *, component: str = "all", watch: Watch | None = None, memory: str | None = None, **options: Any
) -> Graph:
    """Read a network.

    Parameters
    ----------
    source : path, bytes, or object
        Edge list, GraphML, GML, Pajek, METIS, Matrix Market or JSON node-link, compressed or not; a NetworkX or
        igraph graph, a SciPy sparse matrix, a pandas, polars or Arrow edge table, a list or array of pairs.
    component : {"all", "largest"}
    watch : Watch, optional
        Asked while reading whether to stop: of a network half read nothing is known.
    memory : str, optional
        What the whole process may hold while it is read, as ``"2GB"``.
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
        raise InputError(f"component must be 'all' or 'largest', not {shortened(component)}")
    graph = read_source(source, ReadOptions(**options), asking(watch))
    if component == "largest":
        graph = largest_component(graph)
        if graph.nodes < 2:
            raise InputError("no component of the network has two nodes, for no edge joins any; give one with edges")
    return graph


def begin(source: Any, options: NetworkOptions, watch: Watch | None) -> tuple[Watch, Graph, float]:
    """Read the graph, in no more time than the limit, then let the clock of the search start.

    `source` is a path, bytes, or an object, as `read` has it. Returned are a watch with the limit on time that the
    options have, the graph, and the clock's seconds when the search begins.
    """
    watch = watch or Watch()
    if options.time_limit is not None:
        watch.limit(options.time_limit)
    graph = read(source, component=options.component, watch=watch)
    check_room(graph, watch)
    if options.time_limit is not None:
        watch.limit(options.time_limit)
    return watch, graph, time.perf_counter()


def whole(name: str, value: Any) -> int:
    """Return a whole number that was given for an option.

    NumPy integers count too. `InputError` is raised if the value is none; its message holds the option's `name`.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise InputError(f"{name} must be a whole number, not {type(value).__name__}")
    return int(value)


def level_of(name: str, value: Any, graph: Graph) -> int:
    """Return a level k that was given for an option, from 1 to n - 1.

    `InputError` is raised if it is no whole number, or out of range; its message holds the option's `name`.
    """
    k = whole(name, value)
    if not 1 <= k <= graph.nodes - 1:
        raise InputError(f"{name} must be from 1 to {graph.nodes - 1} (nodes less one), not {shortened(k)}")
    return k
