"""What the paper says of its Tables 1 to 8, as data: a figure of ours, the paper's value, and how both compare.

Times are those of our programs on this machine. The paper's were a Haskell program on lists, a Java program on a
database, and CPLEX: a sentence on time holds where ours keeps it too, and is not comparable otherwise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from incrowd.reproduce.measure import Line

LEAST = 1e-3  # seconds of the shortest run whose time says anything
ABOVE, BELOW = 1 + 1e-9, 1 - 1e-9  # more, and less, than as much
Ends = tuple[float, float]  # between what a value lies


@dataclass(frozen=True, slots=True)
class Pairs:
    """The lines of the heuristic and of what it is compared with, by k; `missed`: where that had no release in time."""

    greedy: Mapping[int, Line]
    other: Mapping[int, Line]
    missed: tuple[int, ...] = ()

    @property
    def ks(self) -> list[int]:
        """The k of both."""
        return sorted(set(self.greedy) & set(self.other))


@dataclass(frozen=True, slots=True)
class Verdict:
    """A claim with the paper's value and ours.

    `holds`: None: it cannot be judged by what was run. `comparable`: False: no run of ours could judge it, as it speaks
    of programs or machines that are not ours.
    """

    claim: str
    paper: str
    ours: str
    holds: bool | None
    comparable: bool = True

    @property
    def word(self) -> str:
        """The verdict in words."""
        if not self.comparable:
            return "not comparable"
        return "not judged" if self.holds is None else "holds" if self.holds else "does not hold"


def _cost(g: Line, o: Line) -> Ends:
    """Return between what the heuristic's cost lies as a multiple of the optimum, which may not be proven."""
    least, most = max(o.bound, g.bound), min(o.suppressed, g.suppressed)
    return g.suppressed / max(most, 1), g.suppressed / max(least, 1)


def _seconds(g: Line, o: Line) -> Ends:
    """Return its time; where the limit came before the proof, the time is open."""
    return o.seconds, o.seconds if o.optimal or o.method == "mondrian" else math.inf


def _exactly(value: Callable[[Line, Line], float]) -> Callable[[Line, Line], Ends]:
    return lambda g, o: (value(g, o), value(g, o))


# Figures: of the heuristic g and the other o at one k; "times" is the other's as a multiple of the heuristic's.
ALONE = {"seconds of the heuristic", "rows in the heuristic's largest class", "rows in the heuristic's least class"}
SPEED = {"seconds of the heuristic", "seconds of the other", "times the time"}
OF_PROGRAM = {"times the time", "seconds of the other", "rows in the other's least class"}  # of one alone
FIGURES: dict[str, Callable[[Line, Line], Ends]] = {
    "seconds of the heuristic": _exactly(lambda g, o: g.seconds),
    "rows in the heuristic's largest class": _exactly(lambda g, o: g.largest),
    "rows in the heuristic's least class": _exactly(lambda g, o: g.smallest),
    "seconds of the other": _seconds,
    "rows in the other's least class": _exactly(lambda g, o: o.smallest),
    "times the time": _exactly(lambda g, o: o.seconds / max(g.seconds, LEAST)),
    "times the usefulness": _exactly(lambda g, o: o.usefulness / g.usefulness),
    "times #h": _exactly(lambda g, o: o.groups / g.groups),
    "times h_avg": _exactly(lambda g, o: o.mean / g.mean),
    "times h_max": _exactly(lambda g, o: o.largest / g.largest),
    "times the optimum": _cost,
}


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence of the text: a figure lies from `low` to `high`.

    `of`: at every k, at some k, on average, or the figure at the first k over that at the last (`trend`). `ks`: at
    these k alone, all of which it needs; `but`: at all but these.
    """

    text: str
    figure: str
    low: float = -math.inf
    high: float = math.inf
    of: Literal["every", "some", "mean", "trend", "both sides"] = "every"
    ks: tuple[int, ...] = ()
    but: tuple[int, ...] = ()

    @property
    def paper(self) -> str:
        """The paper's value."""
        low, high = (f"{round(end, 6):,g}" for end in (self.low, self.high))
        if self.low == self.high:
            return f"on both sides of {low}" if self.of == "both sides" else low
        if math.isinf(self.high):
            return f"above {low}" if self.low == ABOVE else f"at least {low}" if self.low > -math.inf else "not said"
        return f"{low} to {high}" if self.low > -math.inf else f"{'below' if self.high == BELOW else 'at most'} {high}"

    def verdict(self, pairs: Pairs) -> Verdict:
        """Return the claim with the verdict that the lines give."""
        alone = self.figure in ALONE
        have = sorted(pairs.greedy) if alone else pairs.ks
        missed = () if alone else pairs.missed
        lacking = [k for k in self.ks if k not in have]
        if lacking or not have:
            late = f"no release within --time-limit at {at(missed)}" if missed and set(lacking) <= set(missed) else ""
            return Verdict(
                self.text, self.paper, late or (f"needs {at(lacking)}" if lacking else "nothing was run"), None
            )
        chosen = [k for k in self.ks or have if k not in self.but]
        if not chosen:
            return Verdict(self.text, self.paper, "nothing was run", None)
        lines = [(pairs.greedy[k], pairs.greedy[k] if alone else pairs.other[k]) for k in chosen]
        values = [FIGURES[self.figure](g, o) for g, o in lines]
        quick = self.of == "trend" and self.figure in SPEED and min(low for low, _ in values) < LEAST
        if self.of == "mean":
            values = [(sum(low for low, _ in values) / len(values), sum(high for _, high in values) / len(values))]
        elif self.of == "trend":
            (first, second), (third, fourth) = values[0], values[-1]
            values = [(first / max(fourth, 1e-12), second / max(third, 1e-12))]
        holds, strays = self._judged(values)
        found = span([end for ends in values for end in ends])
        ours = f"{found} {self.figure}"
        if self.of == "trend":
            ours = f"{found}: {self.figure} at {at(self.ks[:1])} over those at {at(self.ks[-1:])}"
        if self.of == "every" and strays and len(strays) < len(chosen):
            ours += f"; otherwise at {at(chosen[i] for i in strays)}"
        reason = self._not_ours(lines, holds, quick)
        if reason:
            return Verdict(self.text, self.paper, f"{ours}; {reason}", None, comparable=False)
        if holds and missed and not self.ks:
            return Verdict(self.text, self.paper, f"{ours}; no release within --time-limit at {at(missed)}", None)
        return Verdict(self.text, self.paper, ours, holds)

    def _judged(self, values: list[Ends]) -> tuple[bool | None, list[int]]:
        """Return whether the claim holds, and which values do not lie where it says."""
        if self.low == -math.inf and self.high == math.inf:
            return None, []
        if self.of == "both sides":
            return min(low for low, _ in values) < self.low and max(high for _, high in values) > self.high, []
        inside = [self.low <= low and high <= self.high for low, high in values]
        outside = [high < self.low or low > self.high for low, high in values]
        strays = [i for i, good in enumerate(inside) if not good]
        if self.of == "some":
            return (True if any(inside) else False if all(outside) else None), strays
        return (False if any(outside) else True if all(inside) else None), strays

    def _not_ours(self, lines: list[tuple[Line, Line]], holds: bool | None, quick: bool) -> str:
        """Return why our runs are no measure of what the claim speaks of, or an empty text."""
        method = lines[0][1].method
        if quick:
            return "a run of less than a millisecond shows no trend"
        if self.figure == "times the time" and method == "mondrian":
            return "both are other programs than the paper's"
        if self.figure in OF_PROGRAM and method == "exact":
            return "another program than the paper's integer program, which --solver ilp runs"
        if self.figure in SPEED and holds is False:
            return "other programs on another machine than the paper's"
        return ""


def at(ks: Iterable[int]) -> str:
    """Return some k as text: ``"k = 2, 5"``."""
    return f"k = {', '.join(map(str, ks))}"


def span(values: list[float]) -> str:
    """Return the range of some numbers as text: ``"1.2 to 3.4"``, or one number where both ends look the same."""
    low, high = (f"{end:,.0f}" if end >= 1000 else f"{end:.4g}" for end in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"


TREND, LARGE = (2, 100), (25, 50, 75, 100)
TRENDS = (
    Claim("the heuristic gets faster as k falls", "seconds of the heuristic", high=BELOW, of="trend", ks=TREND),
    Claim("Mondrian gets faster as k grows", "seconds of the other", low=ABOVE, of="trend", ks=TREND),
)
SLOW = Claim("for k <= 10 Mondrian is at least ten times slower", "times the time", low=10, but=LARGE)
BETTER = Claim("the heuristic's usefulness is (slightly) better at every k", "times the usefulness", low=ABOVE)
FALLING = Claim(
    "the heuristic comes closer to the optimum as k grows", "times the optimum", low=1, of="trend", ks=TREND
)
AVERAGE = Claim("the exact program is on average more than 1000 times slower", "times the time", low=1000, of="mean")


def _faster(times: float, than: str = "Mondrian") -> Claim:
    return Claim(
        f"the heuristic is at least {times:g} times faster than {than} at every k", "times the time", low=times
    )


CLAIMS: dict[str, tuple[Claim, ...]] = {
    # Section 3.5, "Heuristic vs. Mondrian"
    "adult": (
        *TRENDS,
        Claim("the heuristic takes less than three minutes at every k", "seconds of the heuristic", high=180),
        Claim("Mondrian takes more than half an hour at k = 3 and 4", "seconds of the other", low=1800, ks=(3, 4)),
        Claim("Mondrian is (slightly) faster at k = 75 and 100", "times the time", high=BELOW, ks=(75, 100)),
        Claim("Mondrian's usefulness is 1.5 to 1.7 times the heuristic's", "times the usefulness", 1.45, 1.75),
        Claim("#h (and so h_avg) is better for the heuristic at every k", "times #h", high=BELOW),
        Claim("h_max is better for the heuristic below k = 25", "times h_max", low=ABOVE, but=LARGE),
        Claim("h_max is not better for the heuristic from k = 25 on", "times h_max", high=1, ks=LARGE),
        SLOW,
    ),
    "adult-2": (
        *TRENDS,
        Claim("the heuristic takes at most five seconds", "seconds of the heuristic", high=5),
        Claim("Mondrian takes at most 20 minutes", "seconds of the other", high=1200),
        _faster(10),
        Claim("the heuristic's usefulness is better at every k but 50", "times the usefulness", ABOVE, but=(50,)),
        Claim("at k = 50 it is worse by less than 1 %", "times the usefulness", 1 / 1.01, 1, ks=(50,)),
        SLOW,
    ),
    "nursery": (
        *TRENDS,
        _faster(8),
        Claim("Mondrian's usefulness is better at every k but 5", "times the usefulness", high=BELOW, but=(5,)),
        Claim("at k = 5 the heuristic's usefulness is at least as good", "times the usefulness", low=1, ks=(5,)),
        Claim("the heuristic is better in h_max", "times h_max", low=1),
        Claim("the heuristic is better in h_avg (n / #h: not with the next)", "times h_avg", low=1),
        Claim("no clear winner in the number of output row types", "times #h", 1, 1, of="both sides"),
        SLOW,
    ),
    "cmc": (
        *TRENDS,
        Claim("the heuristic takes at most 1.2 seconds", "seconds of the heuristic", high=1.2),
        Claim("Mondrian takes at most 10 seconds", "seconds of the other", high=10),
        _faster(1),
        BETTER,
        Claim("Mondrian has at least 20 % fewer output row types at every k", "times #h", high=0.8),
        Claim("the heuristic's average output row type is smaller at every k", "times h_avg", low=ABOVE),
        Claim("Mondrian's h_max is lower at k = 5, 6, 7, 8", "times h_max", high=BELOW, ks=(5, 6, 7, 8)),
        Claim("Mondrian's h_max is not lower at any other k", "times h_max", low=1, but=(5, 6, 7, 8)),
        SLOW,
    ),
    "canada": (
        *TRENDS,
        _faster(3),
        BETTER,
        Claim("the heuristic has at least four times as many output row types", "times #h", high=0.25),
        Claim("the heuristic always makes a block of 2,448 rows", "rows in the heuristic's largest class", low=2448),
        Claim("the sizes of the output row types are better for Mondrian (h_max)", "times h_max", high=BELOW),
        SLOW,
    ),
    # Section 3.6, "Heuristic vs. Exact Solution": the paper's are those of its integer program in CPLEX
    "nursery-exact": (
        Claim("the exact solver solves every k within two minutes", "seconds of the other", high=120),
        Claim("the heuristic is optimal at every k", "times the optimum", high=1),
        _faster(25, "the exact solver"),
        Claim("at k = 6 the heuristic's release is 9-anonymous", "rows in the heuristic's least class", 9, 9, ks=(6,)),
        Claim("at k = 6 the exact release is 15-anonymous", "rows in the other's least class", 15, 15, ks=(6,)),
        Claim("the heuristic is at least as good in #h (and so h_avg)", "times #h", high=1),
        Claim("the heuristic is at least as good in h_max", "times h_max", low=1),
        AVERAGE,
    ),
    "cmc-exact": (
        _faster(10, "the exact solver"),
        FALLING,
        Claim("at k = 2 the heuristic suppresses 1.4 times the optimum", "times the optimum", 1.35, 1.45, ks=(2,)),
        Claim("for k > 10 the heuristic is optimal", "times the optimum", high=1, ks=LARGE),
        Claim("usefulness, beside the exact one's, for k [sign lost] 7 and k [sign lost] 50", "times the usefulness"),
        AVERAGE,
    ),
    "adult-2-exact": (
        Claim("the exact solver takes up to six minutes", "seconds of the other", high=360),
        Claim("the heuristic takes less than one second", "seconds of the heuristic", high=1),
        Claim("the heuristic suppresses at most 1.31 times the optimum at every k", "times the optimum", high=1.315),
        FALLING,
        Claim("the exact solution is slightly better in #h (and so h_avg)", "times #h", low=1),
        Claim("the heuristic's h_max is for some k twice the exact one's", "times h_max", high=0.5, of="some"),
        Claim("the heuristic's usefulness is slightly better at every k", "times the usefulness", low=ABOVE),
        AVERAGE,
    ),
}  # fmt: skip
