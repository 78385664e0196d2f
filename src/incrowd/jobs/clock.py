"""Wall seconds of the stages of a job."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from incrowd.progress import Watch

__all__ = ["Clock"]


class Clock:
    """Wall seconds per stage; each stage that ends becomes an event, which `watch` gets."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.began = time.perf_counter()
        self.seconds: dict[str, float] = {}

    @contextlib.contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        """Time a stage; one that fails is not recorded.

        `stage` is its name, as of `incrowd.progress.Event`.
        """
        began = time.perf_counter()
        yield
        self.seconds[stage] = time.perf_counter() - began
        self.watch.tell(stage, seconds=round(self.seconds[stage], 3))

    def report(self, solving: Mapping[str, float]) -> dict[str, float]:
        """Return the seconds of every stage, the solver's own, and the total.

        `solving` holds the seconds of the solver's own stages. All are rounded to 0.1 ms; ``total`` counts from when
        the clock was made.
        """
        seconds = {**self.seconds, **solving, "total": time.perf_counter() - self.began}
        return {name: round(value, 4) for name, value in seconds.items()}
