"""A part of the time that is left."""

from __future__ import annotations

from incrowd.progress import Behind, Watch, search_time

__all__ = ["TimeShare"]


class TimeShare(Behind):
    """A watch that stops earlier than the one behind it, and hears the same interruption."""

    @classmethod
    def of(cls, watch: Watch, share: float | None, *, since: float | None = None) -> TimeShare:
        """Return a watch that stops after a share of the time between `since` (default: now) and the deadline.

        Without a deadline, or with None for the share, it stops when the one behind it does.
        """
        if share is None or watch.deadline is None:
            return cls(watch, watch.deadline)
        begun = search_time() if since is None else since
        return cls(watch, begun + share * (watch.deadline - begun))

    @property
    def left(self) -> float:
        """Seconds until it stops; infinite without a deadline."""
        return float("inf") if self.deadline is None else max(self.deadline - search_time(), 1e-6)
