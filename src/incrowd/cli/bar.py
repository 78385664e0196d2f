"""What a search has reached so far, from its events: a bar on a terminal, or a line a stage."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from incrowd.progress import search_time
from incrowd.report.words import at_least, at_most, plain

if TYPE_CHECKING:
    from incrowd.progress import Event


SEARCH = ("solve", "bound")
WIDTH = 20  # characters of the bar itself
FULL, EMPTY = "#", "-"


@dataclass
class Progress:
    """The stage that a run is at, with the best cost and bound heard of so far.

    Attributes
    ----------
    stage : str
        That runs now, as far as is known.
    cost, bound : int or None
        As solvers count them; None until one is known.
    scale, offset : int
        What makes a cost of the user's of one of a solver's.
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
    cost: int | None = None
    bound: int | None = None
    scale: int = 1
    offset: int = 0
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
            self._searches(event)
            return ""
        told = ""
        if event.stage == "tradeoff":
            told, self.point = self._ended(), f"{facts.get('point')} of {facts.get('points')} searches done"
            return told + (f"tradeoff   {self.point}\n" if facts.get("points") else "")
        if self.began is not None:
            told = self._ended()
        seconds = facts.get("seconds")
        self.stage = event.stage
        self.counts = {}
        return told + (f"{event.stage:10} {seconds:.1f} s\n" if isinstance(seconds, int | float) else "")

    def _begins(self, event: Event) -> str:
        told = self._ended()
        facts = event.facts
        self.stage, self.cost, self.bound, self.counts = "solve", None, None, {}
        self.began, self.since = time.perf_counter(), search_time()
        limit, scale, offset = facts.get("limit"), facts.get("scale"), facts.get("offset")
        self.limit = float(limit) if isinstance(limit, int | float) else None
        self.scale = scale if isinstance(scale, int) else 1
        self.offset = offset if isinstance(offset, int) else 0
        types = facts.get("row_types")
        most = f", at most {plain(round(self.limit, 1))} s" if self.limit is not None else ""
        return f"{told}solve      {plain(types)} row types{most}\n"

    def _searches(self, event: Event) -> None:
        """Take in what a solver tells: of the whole table, as far as can be told."""
        facts = event.facts
        self.stage = event.stage
        bound, cost = facts.get("lower_bound"), facts.get("cost")
        if isinstance(bound, int):
            self.bound = bound if self.bound is None else max(self.bound, bound)
        if isinstance(cost, int) and not facts.get("rows_left") and cost >= (self.bound or 0):  # else of a part
            self.cost = cost if self.cost is None else min(self.cost, cost)
        self.counts = {
            name: value
            for name, value in facts.items()
            if isinstance(value, int) and name not in ("cost", "lower_bound", "bound", "moves")
        }

    def _ended(self) -> str:
        """Return the line for a search that is over, if one was on."""
        if self.began is None:
            return ""
        took = time.perf_counter() - self.began
        self.began = None
        reached = ", ".join(self._reached())
        return f"solve      {took:.1f} s{f': {reached}' if reached else ''}\n"

    def last(self) -> str:
        """Return the line for a search that was on when the run ended; empty without one."""
        return self._ended()

    @property
    def gap(self) -> float | None:
        """How far the cost is above the bound, in shares of the bound; None where it cannot be said."""
        if self.cost is None or self.bound is None:
            return None
        cost, bound = self._units(self.cost), self._units(self.bound)
        if cost <= bound:
            return 0.0
        return float((cost - bound) / bound) if bound else None

    def _units(self, scaled: int) -> Fraction:
        return Fraction(max(scaled - self.offset, 0), self.scale)

    def _reached(self) -> list[str]:
        out = []
        if self.cost is not None:
            out.append(f"cost {plain(self._units(self.cost))}")
        if self.bound is not None:
            out.append(f"at least {at_least(self._units(self.bound))}")
        if self.gap is not None:
            out.append(f"gap {at_most(self.gap)}")
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
