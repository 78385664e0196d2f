"""Ranges of round width for numbers written as text."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,3})?")  # 007 is a code, no number

PART = r"-?\d+(?:\.\d*)?(?:[eE][+-]?\d{1,3})?"
CLOSED = re.compile(rf"[\[(]?({PART})(?: to under |, | to |-)({PART})[\])]?")
OPEN = re.compile(rf"(>=?|<=?) ?({PART})")


@dataclass(frozen=True, slots=True)
class Bin:
    """Numbers from `low` (included) to `high` (left out); both None: the one value `label`. `label`: None for NULL."""

    label: str | None
    low: float | None
    high: float | None
    rows: int


def number_of(text: str | None) -> float | None:
    """Return the finite number that a text is, or None; ``007`` is a code and no number."""
    if text is None or not NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def interval_of(text: str) -> tuple[float | None, float | None] | None:
    """Return the ends of the number or range that a label shows, or None where it shows none.

    Such labels are ``17``, ``20-29``, ``[17-34]``, ``>= 90`` or ``< 20``.
    """
    number = number_of(text)
    if number is not None:
        return number, number
    found = CLOSED.fullmatch(text)
    if found is not None:
        low, high = float(found[1]), float(found[2])
        return (low, high) if math.isfinite(low) and math.isfinite(high) and low <= high else None
    found = OPEN.fullmatch(text)
    if found is None or not math.isfinite(float(found[2])):
        return None
    return (float(found[2]), None) if found[1][0] == ">" else (None, float(found[2]))


def bins_of(found: Sequence[tuple[str | None, int]], *, most: int, least: int) -> list[Bin]:
    """Return at most `most` ranges of a column's numbers, each of at least `least` rows; none where they are few.

    No text of `found` is there twice; None is NULL and becomes a bin of its own. `most` is from 2, and as few values
    need no ranges. Ranges with fewer rows than `least` are joined with their lower neighbour (the lowest with the
    next).
    """
    values = sorted((number, rows) for text, rows in found if (number := number_of(text)) is not None)
    missing = [Bin(None, None, None, rows) for text, rows in found if text is None]
    if len(values) <= most or len(values) + len(missing) < len(found):
        return []
    whole = all(value == int(value) for value, _ in values)
    width = _round_width((values[-1][0] - values[0][0]) / (most - 2), whole)
    counts: dict[int, int] = {}
    for value, rows in values:
        place = math.floor(value / width)
        counts[place] = counts.get(place, 0) + rows
    joined: list[list[int]] = []  # first place, last place, rows
    for place in sorted(counts):
        if joined and (counts[place] < least or joined[-1][2] < least):
            joined[-1][1:] = [place, joined[-1][2] + counts[place]]
        else:
            joined.append([place, place, counts[place]])
    ends = [(a * width, (b + 1) * width, rows) for a, b, rows in joined]
    return [*(Bin(_label(low, high, whole), low, high, rows) for low, high, rows in ends), *missing]


def _round_width(width: float, whole: bool) -> float:
    """Return the next width of 1, 2, 5 or 10 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(width))
    rounded = next(step * power for step in (1, 2, 5, 10) if step * power >= width * (1 - 1e-9))
    return max(1.0, rounded) if whole else rounded


def _label(low: float, high: float, whole: bool) -> str:
    if whole:
        return f"{low:.0f}" if high - low == 1 else f"{low:.0f} to {high - 1:.0f}"
    return f"{low:.6g} to under {high:.6g}"


def size_bins(sizes: Sequence[tuple[int, int]], first: int) -> list[dict[str, int]]:
    """Return classes by their size in doubling ranges from `first` up: ``from``, ``to``, ``classes``, ``rows``.

    Sizes below `first` (an audit's, or what an outlier rule leaves) come in doubling ranges from 1 before them. `sizes`
    holds pairs of a size and its number of classes by increasing size, as `ClassSizes.classes`; `first` is at least 1.
    """
    edges = [1 << i for i in range(first.bit_length()) if 1 << i < first] + [first << i for i in range(64)]
    out: list[dict[str, int]] = []
    at = 0
    for size, times in sizes:
        while edges[at + 1] <= size:
            at += 1
        if not out or out[-1]["from"] != edges[at]:
            out.append({"from": edges[at], "to": edges[at + 1] - 1, "classes": 0, "rows": 0})
        out[-1]["classes"] += times
        out[-1]["rows"] += size * times
    if out:
        out[-1]["to"] = min(out[-1]["to"], sizes[-1][0])
    return out
