"""A column of ranges on a grid as a column of levels: its values, every run of its cells, and the star.

A level is a run. A value outside of it shows there a label of its own, which no release shows and which costs more than
anything, so that a release by these levels is one by ranges, and none is lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.check.hierarchies import Grid
from incrowd.proved.ladders import Ladder
from incrowd.tables.values import Levels

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from incrowd.proved.terms import Asked


FAR = 1 << 61
MOST_RUNS, MOST = 1 << 9, 1 << 22


class TooManyRuns(Exception):
    """A column has more runs than may be listed."""


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """The runs of one column, the cheaper and shorter ones first: the first that holds some values is their shortest.

    `holds`: (d, r) bool, whether a value lies in a run. `cost`: (r + 2, d) int64, what values cost at levels 0
    (themselves), 1 to r (the runs) and r + 1 (the star); more than 2^60 where a value does not lie in the run.
    """

    holds: NDArray[np.bool_]
    cost: NDArray[np.int64]


def runs_of(values: Sequence[str | None], step: Fraction, star: int, *, wide: bool) -> Runs:
    """Return the runs of a ranged column [G3], in O(d G^2) for d values in G cells.

    `values` are by rank and none is missing, and `star` is the scaled cost of a star. `wide` says whether a run costs
    its width, not its distinct values. Raise `TooManyRuns` above `MOST_RUNS`, or `MOST` pairs of run and value.
    """
    grid, d = Grid(values, step, wide=wide), len(values)
    places = [number // step for number in grid.sorted]
    cell = {place: x for x, place in enumerate(dict.fromkeys(places))}
    last = len(cell) - 1
    if last * (last + 3) // 2 > MOST_RUNS or d * last * (last + 3) // 2 > MOST:
        raise TooManyRuns
    high = {cell[place]: int(star * paid) for place, paid in zip(places, grid.paid, strict=True)}
    low = {cell[place]: int(star * paid) for place, paid in zip(reversed(places), reversed(grid.paid), strict=True)}
    every = ((high[b] - low[a], b - a, a, b) for a in range(last + 1) for b in range(a, last + 1))
    runs = np.array(sorted(one for one in every if one[1] < last), np.int64).reshape(-1, 4)
    cells = np.array([cell[grid.numbers[value] // step] for value in values], np.int64)
    holds = (runs[:, 2] <= cells[:, None]) & (cells[:, None] <= runs[:, 3])
    # [T5] far away, and a multiple of the step
    paid = np.where(holds, runs[:, 0], FAR // max(star, 1) * star).T
    return Runs(holds, np.vstack([np.zeros(d, np.int64), paid, np.full(d, star)]))


def on_grid(values: Sequence[str | None], asked: Asked, name: str, scale: int) -> tuple[Ladder, Levels]:
    """Return the ladder of a ranged column, and what its levels cost.

    The column's `values` are by rank [T1]. The hierarchy that `asked` has of the column has the released ranges that
    each value lies in, by their labels. `scale` is how many units of cost make one of the user's. TooManyRuns is raised
    if there are too many to be handed over.
    """
    rules, d = asked.rules, len(values)
    runs = runs_of(values, rules.steps[name], int(rules.star_cost(name) * scale), wide=rules.cost == "ncp")
    r, own = len(runs.cost) - 2, np.arange(1, d + 1)[:, None]
    lines = np.hstack([own, np.where(runs.holds, 0, own * r) + np.arange(r) + d + 1, 0 * own])
    number = {value: x + 1 for x, value in enumerate(values)}
    named = {runs.holds[:, x].tobytes(): x + d + 1 for x in range(r)}
    shown = [
        set(line[1:]) - {line[0]} for line in sorted(asked.hierarchies[name].shown(), key=lambda line: number[line[0]])
    ]
    # of two labels that hold the same values one alone is known: they are two classes
    found = {np.array([label in some for some in shown]).tobytes(): label for label in set().union(*shown)}
    number |= {label: named[held] for held, label in found.items() if held in named}
    return Ladder(lines.tolist(), number), Levels(up=np.zeros(runs.cost.shape, np.int32), cost=runs.cost)
