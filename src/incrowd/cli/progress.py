"""Progress on a terminal, and what Ctrl-C does to a search."""

from __future__ import annotations

import contextlib
import signal
import sys
from typing import TYPE_CHECKING

from incrowd.cli.screen import show as write
from incrowd.cli.signals.handlers import interrupt as end_all
from incrowd.cli.signals.handlers import soft_interrupt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from incrowd.policy.job import Job
    from incrowd.progress import Event, Watch

__all__ = ["watching"]


@contextlib.contextmanager
def watching(job: Job | None, quiet: bool, watch: Watch | None = None) -> Iterator[Watch]:
    """Give a watch that writes progress to a terminal, and let Ctrl-C end the search.

    With ``--keep-best``, and where there is no job (a network's answer is an interval then), the first Ctrl-C ends the
    search with the best it has; otherwise it ends the whole command. A second Ctrl-C always does.

    Parameters
    ----------
    job : Job or None
        Says whether to keep the best; None where the answer so far is always of use.
    quiet : bool
        Write no progress. None is written either where standard error is no terminal.
    watch : Watch, optional
        The one to give; a new one by default.

    Yields
    ------
    Watch
        For the search. The handler of SIGINT from before is put back at the end.
    """
    from incrowd.progress import Watch  # with logging: only where something runs

    def show(event: Event) -> None:
        facts = "  ".join(f"{name.replace('_', ' ')} {value}" for name, value in event.facts.items())
        write(f"{event.seconds:8.2f} s  {event.stage:9} {facts}", err=True)

    watch = watch or Watch()
    watch.on_event = show if sys.stderr.isatty() and not quiet else None

    ends_all = job is not None and not job.keep_best

    def interrupt(*_: object) -> None:
        if ends_all or watch.interrupted:
            end_all()
        watch.interrupt()

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        with contextlib.nullcontext() if ends_all else soft_interrupt():
            yield watch
    finally:
        signal.signal(signal.SIGINT, before)
