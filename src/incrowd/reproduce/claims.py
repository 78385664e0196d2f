"""The sentences of a paper on its tables, and how each is judged by our figures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from incrowd.reproduce.measure import Line


# Seconds of the shortest run whose time says anything.
LEAST = 1e-3


class NotComparable(Exception):
    """A sentence speaks of something that our runs are no measure of, as the speed of another program; the reason."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """The lines of two algorithms, by k.

    `greedy`, `other`: with the same k, in increasing order. `missed`: the k at which the other algorithm had no release
    within its time limit.
    """

    greedy: Mapping[int, Line]
    other: Mapping[int, Line]
    missed: tuple[int, ...] = ()

    @property
    def ks(self) -> list[int]:
        """The k of both."""
        return sorted(set(self.greedy) & set(self.other))


@dataclass(frozen=True, slots=True)
class Verdict:
    """A claim with what we found.

    `holds`: None: it cannot be judged by what was run. `ours`: our figure. `comparable`: False: no run of ours could
    judge it, as it speaks of programs or machines that are not ours.
    """

    claim: str
    holds: bool | None
    ours: str
    comparable: bool = True

    @property
    def word(self) -> str:
        """The verdict in words."""
        if not self.comparable:
            return "not comparable"
        return "not judged" if self.holds is None else "holds" if self.holds else "does not hold"


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence of the text.

    `text`: what the text says, in few words. `judge`: `Pairs` -> whether it holds (None: cannot be said), and our
    figure; or it raises `NotComparable`. `needs`: without these k it is not judged. `alone`: whether it speaks of the
    heuristic alone.
    """

    text: str
    judge: Callable[[Pairs], tuple[bool | None, str]]
    needs: tuple[int, ...] = field(default=())
    alone: bool = False

    def verdict(self, pairs: Pairs) -> Verdict:
        """Return the claim with the verdict that the lines give."""
        missing = [k for k in self.needs if k not in pairs.ks]
        missed = () if self.alone else pairs.missed
        if missing:
            why = f"no release within --time-limit at {at(missed)}" if set(missing) <= set(missed) else None
            return Verdict(self.text, None, why or f"needs {at(missing)}")
        if not (pairs.greedy if self.alone else pairs.ks):
            return Verdict(self.text, None, "no release within --time-limit" if missed else "nothing was run")
        try:
            holds, ours = self.judge(pairs)
        except NotComparable as reason:
            return Verdict(self.text, None, str(reason), comparable=False)
        if holds and missed and not self.needs:
            return Verdict(self.text, None, f"{ours}; no release within --time-limit at {at(missed)}")
        return Verdict(self.text, holds, ours)


def always(pairs: Pairs, true: Callable[[Line, Line], bool], ks: Iterable[int] | None = None) -> list[int]:
    """Return the k at which a statement on the two lines is not true; an empty list where it always is.

    `true` takes the heuristic's line and the other's, and says whether the statement is true. Only the k in `ks` are
    asked, all by default.
    """
    return [k for k in pairs.ks if (ks is None or k in ks) and not true(pairs.greedy[k], pairs.other[k])]


def at(ks: Iterable[int]) -> str:
    """Return some k as text: ``"k = 2, 5"``, or ``"no k"``."""
    named = ", ".join(map(str, ks))
    return f"k = {named}" if named else "no k"


def span(values: Iterable[float], digits: int = 2) -> str:
    """Return the range of some numbers as text: ``"1.20 to 3.40"``, or one number where both ends look the same.

    There is at least one number. `digits` are those after the point.
    """
    found = list(values)
    low, high = f"{min(found):,.{digits}f}", f"{max(found):,.{digits}f}"
    return low if low == high else f"{low} to {high}"


def largest(seconds: Iterable[float]) -> str:
    """Return the greatest of some times, of which there is at least one, as text: ``"at most 0.12 s"``."""
    return f"at most {max(seconds):.3g} s"


def within(seconds: float, taken: Iterable[float]) -> tuple[bool | None, str]:
    """Return that a limit on times was kept, with the longest of them.

    The limit is at most `seconds`, as a text says, and there is at least one time. NotComparable is raised if one took
    longer: another program on another machine says nothing about the paper's.
    """
    found = list(taken)
    if max(found) <= seconds:
        return True, largest(found)
    raise NotComparable(f"{largest(found)}; another program on another machine than the paper's")
