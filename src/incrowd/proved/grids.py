"""A column of ranges on a grid as a column of levels: its values, every run of its cells, and the star.

A level is a run. A value outside of it shows there a label of its own, which no release shows and which costs more than
anything, so that a release by these levels is one by ranges, and none is lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.proved.ladders import Ladder
from incrowd.tables.values import Levels
from incrowd.tables.verify.bound.ranges.recount import runs_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.proved.terms import Asked


def on_grid(values: Sequence[str | None], asked: Asked, name: str, scale: int) -> tuple[Ladder, Levels]:
    """Return the ladder of a ranged column, and what its levels cost.

    The column's `values` are by rank [T1]. The hierarchy that `asked` has of the column has the released ranges that
    each value lies in, by their labels. `scale` is how many units of cost make one of the user's. TooManyRuns is raised
    if there are too many to be handed over.
    """
    runs, d = runs_of(values, name, asked.rules, scale), len(values)
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
