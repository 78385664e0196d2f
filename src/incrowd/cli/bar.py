"""What a search has reached so far, from its events: a bar on a terminal, or a line a stage."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from incrowd.progress import SEARCH, Reached, search_time
from incrowd.report.words import at_least, at_most, plain

if TYPE_CHECKING:
    from incrowd.progress import Event


WIDTH = 20  # characters of the bar itself
FULL, EMPTY = "#", "-"


@dataclass
class Progress(Reached):
    """The stage that a run is at, with the best cost and bound heard of so far.

    Attributes
    ----------
    limit : float or None
        Seconds that the search may take.
    began : float or None
        When the search did, on the clock of `time.perf_counter`; None before.
    since : float
        The same on the clock of time limits.
    point : str
        Of how many searches this is which; empty for the only one.
    counts : dict
        What else the last event counted.
    """

    stage: str = "read"
    limit: float | None = None
    began: float | None = None
    since: float = 0.0
    point: str = ""
    counts: dict[str, int] = field(default_factory=dict)

    def hear(self, event: Event) -> str:
        """Take in an event, and return the line for it where no bar is drawn; empty where it ends no stage."""
        facts = event.facts
        if event.stage == "solve" and "solver" in facts:
            return self._begins(event)
        if event.stage in SEARCH:
            self.take(event)
            self.counts = {
                name: value
                for name, value in facts.items()
                if isinstance(value, int) and name not in ("cost", "lower_bound", "bound", "moves")
            }
            return ""
        told = ""
        if event.stage == "tradeoff":
            told, self.point = self.last(), f"{facts.get('point')} of {facts.get('points')} searches done"
            return told + (f"tradeoff   {self.point}\n" if facts.get("points") else "")
        if self.began is not None:
            told = self.last()
        seconds = facts.get("seconds")
        self.stage = event.stage
        self.counts = {}
        return told + (f"{event.stage:10} {seconds:.1f} s\n" if isinstance(seconds, int | float) else "")

    def _begins(self, event: Event) -> str:
        told = self.last()
        self.take(event)
        self.began, self.since, self.counts = time.perf_counter(), search_time(), {}
        limit, types = event.facts.get("limit"), event.facts.get("row_types")
        self.limit = float(limit) if isinstance(limit, int | float) else None
        most = f", at most {plain(round(self.limit, 1))} s" if self.limit is not None else ""
        return f"{told}solve      {plain(types)} row types{most}\n"

    def last(self) -> str:
        """Return the line for a search that is over, if one was on; empty without one."""
        if self.began is None:
            return ""
        took = time.perf_counter() - self.began
        self.began = None
        reached = ", ".join(self._reached())
        return f"solve      {took:.1f} s{f': {reached}' if reached else ''}\n"

    def _reached(self) -> list[str]:
        out, now = [], self.now()
        if now.cost is not None:
            out.append(f"cost {plain(now.units(now.cost))}")
        if now.bound is not None:
            out.append(f"at least {at_least(now.units(now.bound))}")
        if now.gap is not None:
            out.append(f"gap {at_most(now.gap)}")
        return out

    def line(self, width: int) -> str:
        """Return the bar as it is now.

        What does not fit into `width` columns of the terminal is left out from its end.
        """
        parts = [self.point] if self.point else []
        counted = [f"{name.replace('_', ' ')} {plain(value)}" for name, value in self.counts.items()]
        if self.began is None:
            parts += counted[:3]
            bar = ""
        else:
            gone = search_time() - self.since
            share = min(gone / self.limit, 1.0) if self.limit else 0.0
            full = round(share * WIDTH)
            bar = f"[{FULL * full}{EMPTY * (WIDTH - full)}] " if self.limit else ""
            parts = [_time_left(self.limit - gone) if self.limit else f"{gone:.0f} s", *parts]
            parts += self._reached() or counted[:2]
        return f"{self.stage:8} {bar}{', '.join(parts)}".rstrip()[: max(width - 1, 10)]


def _time_left(seconds: float) -> str:
    if seconds <= 0:
        return "ending"
    whole = int(seconds) + 1
    return f"{whole // 60} min {whole % 60} s left" if whole >= 60 else f"{whole} s left"
