"""A part of the time that is left."""

from __future__ import annotations

import time

from incrowd.watch import Watch

__all__ = ["Slice"]


class Slice(Watch):
    """A watch that stops earlier than the one behind it, and hears the same interruption."""

    def __init__(self, watch: Watch, deadline: float | None) -> None:
        self._watch = watch
        self.on_event = watch.on_event
        self.started = watch.started
        self.deadline = deadline

    @classmethod
    def of(cls, watch: Watch, share: float | None, *, since: float | None = None) -> Slice:
        """Return a watch that stops after a share of the time between `since` (default: now) and the deadline.

        Without a deadline, or with None for the share, it stops when the one behind it does.
        """
        if share is None or watch.deadline is None:
            return cls(watch, watch.deadline)
        begun = time.perf_counter() if since is None else since
        return cls(watch, begun + share * (watch.deadline - begun))

    @property
    def left(self) -> float:
        """Seconds until it stops; infinite without a deadline."""
        return float("inf") if self.deadline is None else max(self.deadline - time.perf_counter(), 1e-6)

    @property
    def interrupted(self) -> bool:
        """Whether the watch behind it was interrupted."""
        return self._watch.interrupted

    @interrupted.setter
    def interrupted(self, value: bool) -> None:
        self._watch.interrupted = value
