"""The originals of a part that no exchange found so far would have made cheaper, as an integer program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.milp import Outcome, Program, rows_of, solve
from incrowd.tables.attack.refinement.proof import impossible

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.attack.refinement.exchange import Demand
    from incrowd.tables.attack.refinement.part import Part
    from incrowd.tables.values import Int64

__all__ = ["Originals"]

Row = tuple[dict[int, int], int]


class Originals:
    """Whole numbers of rows by class and type, less those of which an exchange is known to pay.

    Parameters
    ----------
    part : Part

    Notes
    -----
    An exchange asks for rows of some types of some classes. That one of its demands is not met is a row of its own
    where there is one demand, and takes a binary each where there are several.
    """

    def __init__(self, part: Part) -> None:
        self.part = part
        sizes = [len(types) for types in part.types]
        self.begins = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        self.upper = np.repeat(part.sizes, sizes).tolist()
        self.rows: list[Row] = []
        self.told: set[tuple[Demand, ...]] = set()
        for place, n in enumerate(part.sizes.tolist()):
            every = range(int(self.begins[place]), int(self.begins[place + 1]))
            self.rows += [(dict.fromkeys(every, 1), n), (dict.fromkeys(every, -1), -n)]

    def forbid(self, demands: list[Demand]) -> bool:
        """Add that not all of some demands are met; False where that is known already.

        Parameters
        ----------
        demands : list of Demand
            At least one.
        """
        key = tuple(sorted(demands, key=lambda one: (one.place, one.types, one.rows)))
        if key in self.told:
            return False
        self.told.add(key)
        binaries = range(len(self.upper), len(self.upper) + (len(key) if len(key) > 1 else 0))
        self.upper += [1] * len(binaries)
        for i, one in enumerate(key):
            row = {int(self.begins[one.place]) + kind: 1 for kind in one.types}
            if len(key) > 1:  # below the demand unless the binary is 1
                row[binaries[i]] = -(int(self.part.sizes[one.place]) - one.rows + 1)
            self.rows.append((row, one.rows - 1))
        if len(key) > 1:
            self.rows.append((dict.fromkeys(binaries, 1), len(key) - 1))
        return True

    def find(self, place: int, types: Int64, watch: Watch, seed: int) -> tuple[Outcome, list[Int64] | None]:
        """Return an original in which a class has a row of some types, as rows by class and type.

        Parameters
        ----------
        place : int
        types : (x,) int64
        watch : Watch
        seed : int
            Which of them.

        Returns
        -------
        outcome : Outcome
            ``INFEASIBLE``: there is none, and that is proven in whole numbers. ``OPTIMAL``: there is this one.
            Anything else: it is not known.
        rows : list of (r,) int64 or None
        """
        matrix, sides = self._matrix(place, types)
        upper = np.array(self.upper, np.int64)
        at, column = np.nonzero(matrix)
        drawn = np.random.default_rng(seed).random(len(upper))
        program = Program(
            cost=drawn, lower=np.zeros(len(upper)), upper=upper.astype(np.float64), whole=np.ones(len(upper), np.bool_),
            rows=rows_of([(at, column, matrix[at, column])], [(np.full(len(sides), -np.inf), sides)]),
        )  # fmt: skip
        answer = solve(program, seconds=5.0, abs_gap=1e9, watch=watch)
        if answer.x is not None:
            x = np.rint(answer.x).astype(np.int64)
            if (x >= 0).all() and (x <= upper).all() and (matrix @ x <= sides).all():
                return Outcome.OPTIMAL, [x[a:b] for a, b in zip(self.begins[:-1], self.begins[1:], strict=True)]
            return Outcome.FAILED, None
        if answer.outcome is Outcome.INFEASIBLE and impossible(matrix, sides, upper, watch):
            return Outcome.INFEASIBLE, None
        return Outcome.FAILED, None

    def _matrix(self, place: int, types: Int64) -> tuple[Int64, Int64]:
        rows = [*self.rows, (dict.fromkeys((int(self.begins[place]) + types).tolist(), -1), -1)]
        matrix = np.zeros((len(rows), len(self.upper)), np.int64)
        for i, (row, _) in enumerate(rows):
            matrix[i, list(row)] = list(row.values())
        return matrix, np.array([side for _, side in rows], np.int64)
