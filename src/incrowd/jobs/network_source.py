"""What a question about a network would take: the network is read, and the rest is estimated from that."""

from __future__ import annotations

import contextlib
import functools
import importlib
import time
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numpy as np

from incrowd.errors import InputError, count_of
from incrowd.memory import MB, PLANNED, as_bytes, give_back, in_words, limited
from incrowd.networks.compress import largest_component
from incrowd.networks.input.limits import asking
from incrowd.networks.input.sources import ReadOptions, read_source
from incrowd.networks.measure import Run
from incrowd.networks.options import NetworkOptions, least_bytes
from incrowd.progress import Watch
from incrowd.settings import shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from incrowd.networks.values import Graph


# What ``--memory`` is for questions about networks: a limit kept for the whole process, or one sentence.

# What a question needs at the least beside libraries: compiled kernels when they first run.
KERNELS = 60 * MB
LIBRARIES = (
    "numba", "scipy.sparse.csgraph", "incrowd.networks.methods", "incrowd.networks.curve", "incrowd.networks.verify",
)  # fmt: skip
WAYS = "give it more memory, or ask about a smaller network (component = largest)"


@contextlib.contextmanager
def memory_of(size: str | None, *watches: Watch) -> Iterator[None]:
    """Keep a limit on the memory of the process inside the block.

    `size` is such as ``"2GB"``; None: nothing is limited. The watches are told when the work is to end, and what may be
    planned with. `InputError` or `PolicyError` is raised if the limit is no size, or below what the libraries take, and
    if the run comes to its limit.
    """
    if size is None:
        yield
        return
    most = as_bytes(size)
    for name in LIBRARIES:
        importlib.import_module(name)
    with limited(most, watches, KERNELS, WAYS):
        yield


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
