"""A piece of work in a thread: how far it is, how it ended, and a wish to stop it."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Any

from incrowd.errors import IncrowdError
from incrowd.progress import Event, Watch
from incrowd.web.authentication import place_of

if TYPE_CHECKING:
    from collections.abc import Callable


log = logging.getLogger("incrowd.web")
MOST_POINTS = 400
THREAD = "incrowd-web-work"


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
        self.watch = Watch(on_event=self._hear)
        self._stage = ""
        self._facts: dict[str, Any] = {}
        self._points: list[tuple[float, int | None, int | None]] = []
        self._ended: float | None = None
        self._do = do
        self._thread = threading.Thread(target=self._run, name=THREAD, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.result = self._do(self.watch)
            state = "done"
        except IncrowdError as error:
            self.why, state = str(error), "failed"
        except MemoryError:
            self.why, state = (
                "there is not enough memory for this; close other programs, or take fewer columns",
                "failed",
            )
        except Exception as error:  # noqa: BLE001 - the text of an unforeseen error may hold a cell
            log.error("this is our bug: %s", place_of(error))
            self.why, state = f"this is our bug: {place_of(error)}; please report it", "failed"
        self._ended = self.watch.seconds
        self.state = state

    def _hear(self, event: Event) -> None:
        self._stage = event.stage
        facts = {name: value for name, value in event.facts.items() if isinstance(value, (int, float))}
        self._facts = {**self._facts, **facts}
        if event.stage not in ("solve", "bound") or facts.get("rows_left"):  # a draft with rows left costs less
            return
        cost, bound = facts.get("cost"), facts.get("lower_bound")
        if isinstance(cost, int) or isinstance(bound, int):
            self._points.append(
                (
                    round(event.seconds, 2),
                    cost if isinstance(cost, int) else None,
                    bound if isinstance(bound, int) else None,
                )
            )
            del self._points[:-MOST_POINTS]

    def stop(self) -> None:
        """Wish that it ends soon, with the best it has."""
        self.watch.interrupt()

    def wait(self, seconds: float) -> bool:
        """Wait for its end, at most so many seconds, and return whether it has come."""
        end = time.monotonic() + seconds
        while self.state == "working" and time.monotonic() < end:
            self._thread.join(0.02)
        return self.state != "working"

    @property
    def stopping(self) -> bool:
        """Whether somebody wished that it ends."""
        return self.watch.interrupted

    def told(self) -> dict[str, Any]:
        """Return how far it is: names and numbers, never a cell."""
        state = self.state  # first: what follows is at least as new
        costs = [cost for _, cost, _ in self._points if cost is not None]
        bounds = [bound for _, _, bound in self._points if bound is not None]
        offset = int(self._facts.get("offset", 0))
        cost = max(0, costs[-1] - offset) if costs else None
        bound = max(0, max(bounds) - offset) if bounds else None
        gap = None
        if cost is not None and bound is not None:
            gap = 0.0 if cost <= bound else (cost - bound) / bound if bound > 0 else None
        return {
            "state": state,
            "stage": self._stage,
            "seconds": round(self._ended if self._ended is not None else self.watch.seconds, 1),
            "cost": cost,
            "lower_bound": bound,
            "gap": gap,
            "scale": self._facts.get("scale", 1),
            "stopping": self.stopping,
            "why": self.why,
        }
