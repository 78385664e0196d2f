"""What ``--memory`` is for questions about networks: a limit kept for the whole process, or one sentence."""

from __future__ import annotations

import contextlib
import importlib
from typing import TYPE_CHECKING

from incrowd.errors import InputError, count_of
from incrowd.memory.limit import PLANNED, MemoryLimit, too_little
from incrowd.memory.process import give_back
from incrowd.memory.size import MB, as_bytes, in_words
from incrowd.networks.memory_use import least_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from incrowd.networks.values import Graph
    from incrowd.progress import Watch

__all__ = ["check_room", "memory_of"]

# What a question needs at the least beside libraries: compiled kernels when they first run.
KERNELS = 60 * MB
LIBRARIES = (
    "numba", "scipy.sparse.csgraph", "incrowd.networks.methods.question", "incrowd.networks.methods.levels",
    "incrowd.networks.methods.measures", "incrowd.networks.curve", "incrowd.networks.verify.recheck",
)  # fmt: skip
WAYS = "give it more with --memory, or ask about a smaller network (component='largest', --component largest)"


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

    def near() -> None:
        for watch in watches:
            watch.near_full()

    limit = MemoryLimit(most, near, KERNELS, WAYS)
    try:
        with limit:
            for watch in watches:
                watch.room = lambda: limit.left
            yield
    except Exception as error:
        if limit.over or isinstance(error, MemoryError):
            raise InputError(too_little(most, WAYS)) from None
        raise
    finally:
        for watch in watches:
            watch.room, watch.short = None, False


def check_room(graph: Graph, watch: Watch) -> None:
    """Refuse a question that the memory left is too little for.

    The watch's `room` says what is left. `InputError` is raised if that is less than any question takes, and names the
    limit that would be enough.
    """
    if watch.room is None:
        return
    give_back()
    need, left = least_bytes(graph), watch.room()
    if need > left:
        raise InputError(
            f"memory is too little: a question about {count_of(graph.nodes, 'node')} and "
            f"{count_of(graph.edges, 'edge')} takes about {in_words(need)}, and {in_words(left)} are left; give it at "
            f"least {in_words(1.05 * (need - left) / PLANNED + MB)} more with --memory"
        )
