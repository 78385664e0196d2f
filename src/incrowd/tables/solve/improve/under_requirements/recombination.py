"""A better release from several under requirements: integer programs over the classes that some of them open.

Two runs of the annealing end in releases of about the same cost that open different instances. A program over a piece
of one of them, whose rows may go to what any of the releases opens, has far fewer instances than a neighbourhood, so
far more rows can be free in it.

The idea of recombining by integer programs:
E. Rothberg, "An Evolutionary Algorithm for Polishing Mixed Integer Programming Solutions", INFORMS J. Comput. 19, 2007.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.solve.improve.pieces import pieces
from incrowd.tables.solve.improve.under_requirements import tuning

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.progress import Watch
    from incrowd.tables.solve.improve.under_requirements.class_programs import ClassPrograms
    from incrowd.tables.values import Int64

__all__ = ["Recombination"]


class Recombination:
    """Meetings of the best release with others.

    The `programs` hold the best release, and solve. What comes of a meeting was asked by every requirement itself, and
    is never dearer. O(pairs) for each piece beside its program.
    """

    def __init__(self, programs: ClassPrograms, seed: int) -> None:
        self.programs = programs
        self.random = np.random.default_rng([seed, 5])
        self._parts = float(tuning.DEFAULT.met_parts)

    def meet(self, others: Sequence[Int64], watch: Watch, seconds: float | None) -> bool:
        """Let the best release meet others, piece by piece; return whether every program came to its end.

        The `others` are (p,) rows per pair of releases over the same list. One program may take `seconds`; with None it
        has so many nodes of its tree as the tuning says. Pieces grow where programs end in time, and shrink elsewhere.
        """
        best, own = self.programs, tuning.DEFAULT
        J = best.instances
        opened = np.zeros(J.size, np.bool_)
        for rows in (best.rows, *others):
            opened[J.owners[rows > 0]] = True
        ended = True
        for piece in pieces(J, best.rows, others, self._parts, self.random):
            if watch.stopped:
                return False
            # an earlier piece may have opened or emptied what this one holds no rows of
            held = np.bincount(J.owners, weights=best.rows, minlength=J.size)
            ended &= best.exchange(piece[held[piece] > 0], opened, watch, seconds)
        self._parts = self._parts * own.met_growth if ended else self._parts * own.met_shrinking
        self._parts = float(np.clip(self._parts, own.met_least, 4 * max(J.t, own.met_parts)))
        return ended
