"""A piece of work in a thread: how far it is, how it ended, and a wish to stop it."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Any

from incrowd.errors import IncrowdError, place_of
from incrowd.progress import Reached, Watch
from incrowd.report.words import at_least, at_most, plain

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


log = logging.getLogger("incrowd.web")
THREAD = "incrowd-web-work"
STAGES = {
    "read": "Reading the table",
    "compress": "Grouping equal rows",
    "solve": "Searching",
    "bound": "Proving what any release must lose",
    "expand": "Writing the rows out",
    "verify": "Counting again",
    "measure": "Measuring what was lost",
    "write": "Done",
}
UNKNOWN = "not known yet"


class Work:
    """Something that takes a while; it begins when it is made.

    `what` is what is done, in words for people. `do` does it with a `Watch`, and returns what is found. `state`:
    ``working``, ``done`` or ``failed``. `result`: what was found, once it is done. `why`: one sentence, once it has
    failed; never a cell.
    """

    def __init__(self, what: str, do: Callable[[Watch], Any]) -> None:
        self.what = what
        self.state = "working"
        self.result: Any = None
        self.why = ""
        self._reached = Reached()
        self.watch = Watch(on_event=self._reached.take)
        self._ended: float | None = None
        self._do = do
        self._thread = threading.Thread(target=self._run, name=THREAD, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        state = "failed"
        try:
            self.result = self._do(self.watch)
            state = "done"
        except IncrowdError as error:
            self.why = str(error)
        except KeyboardInterrupt:  # raised where somebody wished an end
            self.why = "it was stopped before anything was found"
        except MemoryError:
            self.why = "there is not enough memory for this; close other programs, or take fewer columns"
        except Exception as error:  # noqa: BLE001 - the text of an unforeseen error may hold a cell
            log.error("this is our bug: %s", place_of(error))
            self.why = f"this is our bug: {place_of(error)}; please report it"
        self._ended = self.watch.seconds
        self.state = state

    def stop(self) -> None:
        """Wish that it ends soon, with the best it has."""
        self.watch.interrupt()

    def wait(self, seconds: float) -> bool:
        """Wait for its end, at most so many seconds, and return whether it has come."""
        end = time.monotonic() + seconds
        while self.state == "working" and time.monotonic() < end:
            self._thread.join(0.02)
        return self.state != "working"

    def let_go(self) -> None:
        """Close what was found, where it can be closed."""
        close = getattr(self.result, "close", None)
        if close is not None:
            close()

    @property
    def stopping(self) -> bool:
        """Whether somebody wished that it ends."""
        return self.watch.interrupted

    def told(self) -> dict[str, str]:
        """Return how far it is, in words by what they are about: names and numbers, never a cell."""
        state, reached = self.state, self._reached.now()  # state first: what follows is as new
        gap = reached.gap
        seconds = self._ended if self._ended is not None else self.watch.seconds
        return {
            "state": state,
            "why": self.why,
            "what": self.what,
            "stage": STAGES.get(reached.stage, self.what) + (", stopping" if self.stopping else ""),
            "seconds": f"{seconds:.1f} s",
            "cost": UNKNOWN if reached.cost is None else plain(reached.units(reached.cost)),
            "bound": UNKNOWN if reached.bound is None else at_least(reached.units(reached.bound)),
            "gap": UNKNOWN if gap is None else f"at most {at_most(gap)}" if gap else "nothing: it is the least",
        }


class Open:
    """What is open: a table or a network, with the work that goes on for it.

    Pages name it by `number`, a word of letters and digits. `source` is its file, and `room` a private folder for what
    is made. `text`: the policy as text, of a table.
    """

    def __init__(self, number: str, source: Path, room: Path) -> None:
        self.number, self.source, self.room = number, source, room
        self.label, self.text = source.name, ""
        self._work: dict[str, tuple[str, Work]] = {}
        self._lock = threading.RLock()

    def begin(self, name: str, what: str, do: Callable[[Watch], Any]) -> Work:
        """Begin a piece of work in place of the one of the same name, which is stopped.

        `what` says what is done, in words for people.
        """
        with self._lock:
            old = self.work(name)
            if old is not None:
                old.stop()
                old.let_go()
            made = Work(what, do)
            self._work[name] = (self.text, made)
            return made

    def work(self, name: str) -> Work | None:
        """Return the piece of work of a name, if there is one."""
        return self._work.get(name, (None, None))[1]

    def fresh(self, name: str) -> bool:
        """Return whether the policy is still what it was when a piece of work began."""
        return self._work.get(name, (None, None))[0] == self.text

    def close(self) -> None:
        """End the work, with what it begins meanwhile, and let what it holds go."""
        while self._work:
            going = [self._work.pop(name)[1] for name in [*self._work]]
            for one in going:
                one.stop()
            for one in going:  # without the lock: work that has found something takes it to say so
                one.wait(5)
                one.let_go()
