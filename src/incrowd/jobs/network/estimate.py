"""What a question about a network would take: the network is read, and the rest is estimated from that."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError
from incrowd.jobs.network.memory import KERNELS, check_room
from incrowd.jobs.network.source import read, within_memory
from incrowd.memory.process import held, peak
from incrowd.memory.size import MB, as_bytes
from incrowd.networks.memory_use import least_bytes
from incrowd.networks.options import NetworkOptions
from incrowd.progress import Watch
from incrowd.results.estimate import NetworkEstimate
from incrowd.version import __version__

if TYPE_CHECKING:
    from incrowd.networks.values import Graph

__all__ = ["estimate"]

# How far off the memory may be, up or down: on random, scale-free and grid networks of 10^4 to 10^7 edges.
FACTOR = {"memory": 2}
# Bytes on disk of a certificate: sets of nodes by number, digits and commas.
MEMBER = 8


@within_memory
def estimate(
    source: Any,
    *,
    component: str = "all",
    time_limit: float | None = None,
    memory: str | None = None,
    certificate: bool = False,
    watch: Watch | None = None,
    **options: Any,
) -> NetworkEstimate:
    """Read a network, and say what a question about it would take; nothing is searched.

    Parameters
    ----------
    source : what `read` takes
    component : {"all", "largest"}
    time_limit : float, optional
        Seconds that the question would be given; without it nobody can say how long it takes.
    memory : str, optional
        The limit that the question would be given, as ``"2GB"``.
    certificate : bool
        Whether one would be written.
    watch : Watch, optional
        Asked while reading whether to stop.
    **options
        Fields of `ReadOptions`.

    Returns
    -------
    NetworkEstimate
        Counts, bytes and seconds; no label.

    Raises
    ------
    InputError
        If the network cannot be read, or the question cannot keep the limit on memory.
    """
    if not isinstance(certificate, bool):
        raise InputError("certificate must be True or False")
    asked = NetworkOptions(time_limit=time_limit, memory=memory, component=component)
    watch = watch or Watch()
    if asked.time_limit is not None:
        watch.limit(asked.time_limit)
    began = time.perf_counter()
    graph = read(source, component=component, watch=watch, **options)
    check_room(graph, watch)
    seconds = time.perf_counter() - began
    limit = None if time_limit is None else float(time_limit)
    facts: dict[str, Any] = {
        "nodes": graph.nodes,
        "edges": graph.edges,
        "memory_mb": round(_memory(graph, memory) / MB),
        "disk_mb": round(MEMBER * graph.nodes / MB, 1) if certificate else 0.0,
        "seconds": {
            "read": round(seconds, 1),
            "solve": limit,
            "total": None if limit is None else round(seconds + limit, 1),
        },
        "measured": ["read"],
        "factor": FACTOR,
        "version": __version__,
    }
    return NetworkEstimate(facts)


def _memory(graph: Graph, memory: str | None) -> float:
    """Return the most bytes at a time: while reading, which is over, or while solving."""
    most = max(peak() or 0, (held() or 0) + least_bytes(graph) + KERNELS / 2)
    return most if memory is None else min(most, as_bytes(memory))
