"""One open network, and the questions that are asked about it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from incrowd import networks
from incrowd.web.studio.work import Work

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from incrowd.progress import Watch

__all__ = ["NetworkDesk"]

SECONDS = 60.0


class NetworkDesk:
    """One open network; the questions of its page are asked at once, one after the other.

    Pages name it by `number`. `source` has the edges, and `room` is a private folder for what is made.
    """

    def __init__(self, number: str, source: Path, room: Path) -> None:
        self.number, self.source, self.room = number, source, room
        self.label = source.name
        self._work: dict[str, Work] = {}
        self._lock = threading.RLock()
        self.measure()

    def measure(self) -> Work:
        """Begin to read the network and ask for its curve and what single members see."""

        def do(watch: Watch) -> dict[str, Any]:
            graph = networks.read(self.source, watch=watch)
            curve = networks.profile(graph, time_limit=SECONDS, watch=watch)
            risks = networks.risks(graph, attackers=1, time_limit=SECONDS, watch=watch)
            return {"graph": graph, "curve": curve, "risks": risks}

        return self._begin("measure", "Measuring the network", do)

    def _begin(self, name: str, what: str, do: Callable[[Watch], Any]) -> Work:
        with self._lock:
            old = self._work.get(name)
            if old is not None:
                old.stop()
            self._work[name] = Work(what, do)
            return self._work[name]

    def work(self, name: str) -> Work | None:
        """Return the piece of work of a name, if there is one."""
        return self._work.get(name)

    def close(self) -> None:
        """End the work."""
        for one in self._work.values():
            one.stop()
        for one in self._work.values():
            one.wait(5)
