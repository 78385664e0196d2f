"""Progress on standard error, and what Ctrl-C does to a search."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from incrowd.cli.exit_status import line_in_place
from incrowd.cli.exit_status import show as write
from incrowd.cli.signals.handlers import leave, soft_interrupt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from incrowd.policy.job import Job
    from incrowd.progress import Event, Watch


EVERY = 0.2  # seconds between two drawings of the bar
PATIENCE = 2.0  # seconds of a run before it writes lines: a short one, and its mistake, is told by its answer alone


@contextlib.contextmanager
def watching(job: Job | None, quiet: bool, watch: Watch | None = None) -> Iterator[Watch]:
    """Give a watch that writes progress to standard error, and let Ctrl-C end the search.

    On a terminal a bar with cost, bound, gap and the time left; elsewhere a line a stage, once a run has lasted two
    seconds. With ``--keep-best``, and where there is no job (a network's answer is an interval then, and the answer so
    far is always of use), the first Ctrl-C ends the search with the best it has; otherwise it ends the whole command. A
    second Ctrl-C always does.

    The watch is a new one unless one is given, and with `quiet` it writes no progress. The handler of SIGINT from
    before is put back at the end.
    """
    from incrowd.progress import Watch  # with logging: only where something runs

    watch = watch or Watch()
    ends_all = job is not None and not job.keep_best

    def interrupt(*came: Any) -> None:
        if ends_all or watch.interrupted:
            leave(*came)
        watch.interrupt()

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        with contextlib.nullcontext() if ends_all else soft_interrupt(), told(quiet), _shown(quiet) as hear:
            watch.on_event = hear
            yield watch
    finally:
        signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def told(quiet: bool) -> Iterator[None]:
    """Write the library's warnings (that it compiles, the first time) to standard error, a line each.

    With `quiet` none is written.
    """
    import logging

    class Told(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            write(f"incrowd: {record.getMessage()}", err=True)

    handler = logging.NullHandler() if quiet else Told(logging.WARNING)
    logger = logging.getLogger("incrowd")
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


@contextlib.contextmanager
def _shown(quiet: bool) -> Iterator[Callable[[Event], None] | None]:
    """Give what hears the events: it draws a bar, writes lines, or is None."""
    if quiet:
        yield None
        return
    from incrowd.cli.bar import Progress

    progress = Progress()
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        began = time.perf_counter()
        waiting: list[str] = []

        def say(line: str) -> None:
            waiting.append(line)
            if time.perf_counter() - began >= PATIENCE:
                write("".join(waiting), nl=False, err=True)
                waiting.clear()

        try:
            yield lambda event: say(progress.hear(event))
        finally:
            say(progress.last())
        return

    over = threading.Event()

    def draw() -> None:
        while not over.wait(EVERY):
            line_in_place(progress.line(shutil.get_terminal_size().columns))

    drawer = threading.Thread(target=draw, name="incrowd-bar", daemon=True)

    def hear(event: Event) -> None:
        progress.hear(event)

    try:
        drawer.start()  # the bar moves on where a kernel has nothing to tell
        yield hear
    finally:
        over.set()
        drawer.join()
        line_in_place("")
