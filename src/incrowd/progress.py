"""How a long run reports its progress, and how it is stopped.

A solver calls `Watch.report` when there is something to report, and looks at `Watch.stopped` between pieces of work.
Both are quick and neither waits; the caller (command line, notebook) decides what to do with events.
"""

from __future__ import annotations

import contextlib
import copy
import logging
import threading
import time
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


log = logging.getLogger("incrowd")

Fact = int | float | str | None


@dataclass(frozen=True, slots=True)
class _Standstill:
    """When the clock of time limits stood: so many seconds before, and since when it does now, for so many blocks."""

    over: float = 0.0
    since: float = 0.0
    blocks: int = 0


_stood, _changes = _Standstill(), threading.Lock()


def search_time() -> float:
    """Return seconds like `time.perf_counter`, on the clock of time limits: it stands still in blocks of `standstill`.

    Deadlines are on this clock, and whatever is compared with them; what a report calls seconds is wall time.
    """
    stood = _stood
    return (stood.since if stood.blocks else time.perf_counter()) - stood.over


@contextlib.contextmanager
def standstill() -> Iterator[None]:
    """Let the clock of time limits stand still in the block, for every thread: what searches waits for what is made.

    Blocks may overlap and lie in one another; the time in which there is any is taken off once.
    """
    global _stood
    with _changes:
        _stood = _Standstill(_stood.over, _stood.since if _stood.blocks else time.perf_counter(), _stood.blocks + 1)
    try:
        yield
    finally:
        with _changes:
            ended = time.perf_counter() - _stood.since if _stood.blocks == 1 else 0.0
            _stood = _Standstill(_stood.over + ended, _stood.since, _stood.blocks - 1)


@dataclass(frozen=True, slots=True)
class Event:
    """One report of progress.

    `stage`: ``read``, ``compress``, ``solve``, ``bound``, ``expand``, ``verify`` or ``write``. `facts`: counts and
    settings only, never a cell. `seconds`: wall time since the watch was made.
    """

    stage: str
    facts: Mapping[str, Fact]
    seconds: float


SEARCH = ("solve", "bound")  # the stages of a search
BOUNDS = ("bound", "lower_bound")  # what is left out of its events where they are bounds of another question


@dataclass
class Reached:
    """What the last search has reached so far, by the events that it was told of.

    `cost`, `bound`: as solvers count them; None until one is known. `scale`, `offset`: what makes a cost of the user's
    of one of a solver's. `stage`: that runs now, as far as is known.
    """

    stage: str = ""
    cost: int | None = None
    bound: int | None = None
    scale: int = 1
    offset: int = 0

    def take(self, event: Event) -> None:
        """Take in an event: of the whole table, as far as can be told."""
        facts, self.stage = event.facts, event.stage
        if event.stage == "solve" and "solver" in facts:
            self.cost = self.bound = None
            scale, offset = facts.get("scale"), facts.get("offset")
            self.scale, self.offset = scale if isinstance(scale, int) else 1, offset if isinstance(offset, int) else 0
        elif event.stage in SEARCH:
            bound, cost = facts.get("lower_bound"), facts.get("cost")
            if isinstance(bound, int):
                self.bound = bound if self.bound is None else max(self.bound, bound)
            if isinstance(cost, int) and not facts.get("rows_left") and cost >= (self.bound or 0):  # else of a part
                self.cost = cost if self.cost is None else min(self.cost, cost)

    def now(self) -> Reached:
        """Return it as it is, for a thread that reads it while another takes events in."""
        return copy.copy(self)

    def units(self, scaled: int) -> Fraction:
        """Return a cost in the user's units."""
        return Fraction(max(scaled - self.offset, 0), self.scale)

    @property
    def gap(self) -> float | None:
        """How far the cost is above the bound, in shares of the bound; None where it cannot be said."""
        if self.cost is None or self.bound is None:
            return None
        cost, bound = self.units(self.cost), self.units(self.bound)
        if cost <= bound:
            return 0.0
        return float((cost - bound) / bound) if bound else None


class Cut(KeyboardInterrupt):
    """A query was broken off because the watch said stop; who does not take it ends as by Ctrl-C."""


@dataclass
class Watch:
    """Carries events from a run to its caller, and the wish to stop from the caller to the run.

    `on_event` is called with every `Event`, in the thread that makes it. `started` is when the watch was made, on the
    clock of `time.perf_counter`, and `deadline` is when `stopped` turns true, on the clock of `search_time` (None:
    never). `interrupted` says whether the run was asked to end, and `asked` whether somebody asked for the deadline,
    False where it is a default. `short` says whether memory is nearly used up: the run ends with the best it has, as if
    its time were over. `memory_budget` returns the bytes that a solver may plan with now (None: there is no limit on
    memory). `untold` are facts of another question than the one asked, which are left out of events. `failures` are
    errors of ours that ended a search which had a release: what they are and where they came from.
    """

    on_event: Callable[[Event], None] | None = None
    started: float = field(default_factory=time.perf_counter)
    deadline: float | None = None
    interrupted: bool = False
    asked: bool = True
    short: bool = False
    memory_budget: Callable[[], int] | None = None
    untold: tuple[str, ...] = ()
    failures: list[str] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """Wall time since the watch was made."""
        return time.perf_counter() - self.started

    def limit(self, seconds: float | None, *, asked: bool = True) -> None:
        """Set the time limit: `stopped` turns true that many seconds from now.

        `seconds` is at least 0 (None: no limit); what it takes to compile loops does not count. `asked` says whether
        somebody asked for this limit; `first_answer` treats a default more freely.
        """
        self.asked = asked
        self.deadline = None if seconds is None else search_time() + seconds

    def report(self, stage: str, **facts: Fact) -> None:
        """Make an event, log it at level INFO and give it to `on_event`.

        `stage` is as `Event` has it, and `facts` are counts and settings, never a cell.
        """
        facts = {name: value for name, value in facts.items() if name not in self.untold}
        event = Event(stage, MappingProxyType(facts), time.perf_counter() - self.started)
        log.info("%s %s", stage, " ".join(f"{name}={value}" for name, value in facts.items()))
        if self.on_event is not None:
            self.on_event(event)

    def without_deadline(self) -> Watch:
        """Return a watch for work that no time limit cuts short; an interruption of this watch ends it too."""
        return WithDeadline(self, None)

    def first_answer(self, least: float) -> Watch:
        """Return a watch for a first answer, without which there would be none at all.

        It has `least` seconds from now even where the limit is sooner; without a limit that somebody asked for it has
        all the time.
        """
        if self.deadline is None or not self.asked:
            return self.without_deadline()
        return WithDeadline(self, max(self.deadline, search_time() + least))

    def share(self, part: float) -> Watch:
        """Return a watch that stops after a part (0 to 1) of the time that is left, if that is limited."""
        end, now = self.deadline, search_time()
        return WithDeadline(self, end if end is None else now + part * max(0.0, end - now))

    def silent(self) -> Watch:
        """Return a watch for a search of another question than the job's: nobody hears of its costs and bounds."""
        silent = WithDeadline(self, self.deadline)
        silent.on_event = None
        return silent

    def interrupt(self) -> None:
        """Ask the run to end with the best it has."""
        self.interrupted = True

    def near_full(self) -> None:
        """Hear that memory is nearly used up."""
        self.short = True

    @property
    def out_of_time(self) -> bool:
        """True once the time limit has passed."""
        return self.deadline is not None and search_time() >= self.deadline

    @property
    def stopped(self) -> bool:
        """True when the run should end with the best it has."""
        return self.interrupted or self.out_of_time or self.short

    def within_memory(self, most: int, size: float) -> int:
        """Return how many things may be kept: `most`, or fewer where memory is limited.

        `size` is the number of bytes that each takes at the worst moment.
        """
        return most if self.memory_budget is None else min(most, int(self.memory_budget() / size))


class WithDeadline(Watch):
    """A watch with a deadline of its own; events go to the same listener, and an interruption of either ends both.

    `watch` is the one before it. The deadline is on the clock of `search_time`; None: never.
    """

    def __init__(self, watch: Watch, deadline: float | None) -> None:
        self._watch = watch
        self.on_event = watch.on_event
        self.started = watch.started
        self.deadline = deadline
        self.asked = watch.asked
        self.memory_budget = watch.memory_budget
        self.untold = watch.untold
        self.failures = watch.failures

    @property
    def short(self) -> bool:
        """Whether memory is nearly used up, as the watch before it says."""
        return self._watch.short

    @short.setter
    def short(self, value: bool) -> None:
        self._watch.short = value

    @property
    def interrupted(self) -> bool:
        """Whether the watch before it was interrupted."""
        return self._watch.interrupted

    @interrupted.setter
    def interrupted(self, value: bool) -> None:
        self._watch.interrupted = value


class StoppedBy(WithDeadline):
    """A watch that somebody else can interrupt, from any thread: by setting an event of Python's own.

    `watch` is the one before it. `stop` is a threading.Event; None: nobody else interrupts it.
    """

    def __init__(self, watch: Watch, stop: threading.Event | None) -> None:
        super().__init__(watch, watch.deadline)
        self._stop = stop

    @property
    def interrupted(self) -> bool:
        """Whether the event is set, or the watch before it was interrupted."""
        return self._watch.interrupted or (self._stop is not None and self._stop.is_set())

    @interrupted.setter
    def interrupted(self, value: bool) -> None:
        self._watch.interrupted = value
