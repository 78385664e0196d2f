"""How firm a time limit is, from the softest to the hardest.

================  ======================================================================================
`for_plan`        a release is due: a second at any rate, all the time where nobody asked for the limit
`for_bound`       its bound is due: half a second at any rate, likewise
the watch itself  the limit counts between pieces of work
`EndsAtDeadline`         the limit cuts short even what is due
`now`             the limit is over
================  ======================================================================================
"""

from __future__ import annotations

from incrowd.progress import Watch, WithDeadline, search_time

# Seconds that a first plan has at any rate, and its bound.
PLAN, BOUND = 1.0, 0.5


def for_plan(watch: Watch) -> Watch:
    """Return a watch for a plan without which there would be none, from that of the whole search."""
    return watch.first_answer(PLAN)


def for_bound(watch: Watch) -> Watch:
    """Return a watch for the bound of such a plan (`for_plan`), from that of the whole search."""
    return watch.first_answer(BOUND)


def is_over(watch: Watch) -> bool:
    """Return whether a limit that somebody asked for is over, or an interruption was heard."""
    return watch.first_answer(0).stopped


def now(watch: Watch) -> Watch:
    """Return a watch whose limit is over now, as if somebody had asked for it."""
    over = WithDeadline(watch, search_time())
    over.asked = True
    return over


class EndsAtDeadline(WithDeadline):
    """A watch that asks to end with the best there is when the time of the one behind it is over."""

    def __init__(self, watch: Watch) -> None:
        super().__init__(watch, watch.deadline)

    @property
    def interrupted(self) -> bool:
        """Whether the watch before it was interrupted, or its time is over."""
        return self._watch.stopped

    @interrupted.setter
    def interrupted(self, value: bool) -> None:
        self._watch.interrupted = value


# A part of the time that is left.
class TimeShare(WithDeadline):
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
