"""Limits while a network is read: requests to stop, and no more memory than the content of the file warrants."""

from __future__ import annotations

import io
import threading
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError
from incrowd.memory import in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from incrowd.progress import Watch


OFTEN = 20_000  # lines, nodes or edges between two questions
WAIT = 0.1  # seconds between two questions while a library works
NODES = 1_000_000  # nodes that any file may declare
NODES_AN_EDGE = 8  # and for every edge that it holds


def never() -> None:
    """Go on reading."""


def asking(watch: Watch | None) -> Callable[[], None]:
    """Return what readers call between pieces of work; it raises when the watch says so.

    The watch is None for a run that nothing stops. What is returned raises KeyboardInterrupt after an interruption (of
    a network half read nothing is known), and InputError when the time is over or memory nearly used up.
    """
    return never if watch is None else Asking(watch)


class Asking:
    """What readers call between pieces of work, and before they take much memory; see `asking`."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch

    def __call__(self) -> None:
        """Raise where the watch says so."""
        if self._watch.interrupted:
            raise KeyboardInterrupt
        if self._watch.out_of_time:
            raise InputError(
                "the time limit passed while the network was being read, so nothing is known of it; give more time"
            )
        if self._watch.short:
            raise InputError("memory came near its limit while the network was being read; give it more memory")

    def afford(self, size: int) -> None:
        """Raise where `size` bytes are more than is left."""
        left = None if self._watch.memory_budget is None else self._watch.memory_budget()
        if left is not None and size > left:
            raise InputError(
                f"memory is too little: reading the network takes about {in_words(size)} more, and {in_words(left)} "
                "are left; give it more memory"
            )


def afford(ask: Callable[[], None], size: int) -> None:
    """Raise InputError where reading takes more memory than is left of a limit.

    `size` is the number of bytes that will be taken at a time. `ask` is as `asking` returns it; where it is of another
    kind nothing is limited.
    """
    if isinstance(ask, Asking):
        ask.afford(size)


def each(items: Iterable[Any], ask: Callable[[], None]) -> Iterator[Any]:
    """Yield the items one after the other, and ask every 20,000 of them whether to stop; `ask` raises to stop."""
    for i, item in enumerate(items):
        if i % OFTEN == OFTEN - 1:
            ask()
        yield item


class AskedFile(io.BytesIO):
    """Bytes as a file that asks whenever a piece is taken."""

    def __init__(self, data: bytes, ask: Callable[[], None]) -> None:
        super().__init__(data)
        self._ask = ask

    def read(self, size: int | None = -1, /) -> bytes:
        """Read a piece."""
        self._ask()
        return super().read(size)


class _Left(Exception):
    """Nobody waits any more."""


def beside(work: Callable[[Callable[[], None]], Any], ask: Callable[[], None]) -> Any:
    """Let a library work in a thread, and ask here meanwhile: it may not look up for a long time.

    `work` gets what it should call now and then, and returns its result; `ask` raises to stop. Stopped, the work is
    left behind: it ends when it calls next, or when it is done.
    """
    if ask is never:
        return work(never)
    left = threading.Event()
    results: list[Any] = []
    errors: list[BaseException] = []

    def look_up() -> None:
        if left.is_set():
            raise _Left

    def run() -> None:
        try:
            results.append(work(look_up))
        except BaseException as error:  # noqa: BLE001 - raised where it is waited for
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(WAIT)
            ask()
    finally:
        left.set()
    if errors:
        raise errors[0]
    return results[0]


def check_declared(nodes: int, held: int) -> None:
    """Refuse a network that declares many more nodes than its edges speak of.

    `held` is the number of edges that the source really holds. InputError is raised if there are more than a million
    nodes, and more than eight for every edge.
    """
    if nodes > max(NODES, NODES_AN_EDGE * held):
        raise InputError(
            f"the network declares {nodes:,} nodes and holds {held:,} edge{'' if held == 1 else 's'}; at most "
            f"{NODES:,} nodes, or {NODES_AN_EDGE} for every edge, are read: leave out nodes without edges, or give an "
            "edge list"
        )
