"""What the values of a column show at its levels: equal numbers for equal labels at whatever level; 0 is the star."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from incrowd.tables.hierarchy import Fitted

__all__ = ["STAR", "UNKNOWN", "Ladder", "by_rank", "ladder_of"]

STAR, UNKNOWN = 0, -1


@dataclass(frozen=True, slots=True, eq=False)
class Ladder:
    """One column.

    Attributes
    ----------
    labels : sequence of lists of int, one a value
        What it shows at levels 0 to h.
    number : mapping of (str or None) to int
        By the text of a label, None for a missing value; those of the values are 1, 2, ... by rank [T1].
    """

    labels: Sequence[Sequence[int]]
    number: Mapping[str | None, int]


def by_rank(values: Iterable[str | None]) -> list[str | None]:
    """Return values by rank, each once: a missing one first, the others by their bytes [T1].

    Parameters
    ----------
    values : iterable of str or None
    """
    return sorted(set(values), key=lambda value: (value is not None, (value or "").encode()))


def ladder_of(values: Sequence[str | None], fitted: Fitted | None, lines: NDArray[np.int64] | None) -> Ladder:
    """Return the ladder of a column.

    Parameters
    ----------
    values : sequence of str or None
        By rank [T1].
    fitted : Fitted or None
        The hierarchy, if there is one.
    lines : (d,) int64 or None
        Line of each value in it.
    """
    number = {value: rank + 1 for rank, value in enumerate(values)}
    if fitted is None or lines is None:
        return Ladder([[number[value], STAR] for value in values], number)
    shown, found = fitted.shown(), []
    for value, line in zip(values, lines.tolist(), strict=True):
        above = [number.setdefault(label, len(number) + 1) for label in shown[line][1 : fitted.height]]
        found.append([number[value], *above, STAR])
    return Ladder(found, number)
