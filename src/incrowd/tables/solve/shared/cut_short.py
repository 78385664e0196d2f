"""Work that no time limit would cut short, cut short all the same."""

from __future__ import annotations

from incrowd.progress import Behind, Watch

__all__ = ["Hurried"]


class Hurried(Behind):
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
