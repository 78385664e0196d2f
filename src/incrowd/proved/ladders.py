"""What the values of a column show at its levels: equal numbers for equal labels at whatever level; 0 is the star."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from incrowd.tables.hierarchy import Fitted


STAR, UNKNOWN = 0, -1


@dataclass(frozen=True, slots=True, eq=False)
class Ladder:
    """One column.

    `labels`: what it shows at levels 0 to h. `number`: mapping of (str or None) to int, by the text of a label, None
    for a missing value; those of the values are 1, 2, ... by rank [T1].
    """

    labels: Sequence[Sequence[int]]
    number: Mapping[str | None, int]


def by_rank(values: Iterable[str | None]) -> list[str | None]:
    """Return values by rank, each once: a missing one first, the others by their bytes [T1]."""
    return sorted(set(values), key=lambda value: (value is not None, (value or "").encode()))


def ladder_of(values: Sequence[str | None], fitted: Fitted | None) -> Ladder:
    """Return the ladder of a column.

    The column's `values` are by rank [T1], and `fitted` is its hierarchy, if there is one.
    """
    number = {value: rank + 1 for rank, value in enumerate(values)}
    above = {} if fitted is None else {line[0]: line[1 : fitted.height] for line in fitted.shown()}
    inner = [[number.setdefault(label, len(number) + 1) for label in above.get(value, ())] for value in values]
    return Ladder([[x, *labels, STAR] for x, labels in enumerate(inner, 1)], number)
