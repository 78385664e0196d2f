"""Annealing over classes that show what their rows share, where instances are too many to list."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.search import loose_moves, loose_transfers
from incrowd.kernels.search import loose_state as at
from incrowd.progress import search_time
from incrowd.tables.solve.improve.pace import calls
from incrowd.tables.solve.improve.under_requirements import tuning
from incrowd.tables.solve.improve.under_requirements.checked_plan import checked
from incrowd.tables.solve.improve.under_requirements.loose_layout import lay_out_loose, near, plan_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.count_rules import CountRule
    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.solve.shared.time_share import TimeShare
    from incrowd.tables.values import Int64, Plan, Problem

__all__ = ["LooseClasses"]

# Failing classes mended between two looks at the watch, of so many classes, and how often all are looked at.
MENDED, AMONG, ROUNDS = 8, 5000, 3
# What a row costs on average, in stars, at least: releases that cost nothing have nothing to search for.
LEAST = 0.02


class LooseClasses:
    """One run from a release on, without a list of candidates.

    Where requirements force coarse classes, good ones are neither near to what k alone favours nor few enough to list.
    Here a row moves into the class of a near row, which is shown as high as that needs, or is exchanged for a row
    there; classes open around a row, dissolve and split. A class that fails has a price per row, as in
    `ClassAnnealing`.

    `star` is what a star costs on average, in scaled cost units.

    Attributes
    ----------
    moves : int

    Notes
    -----
    A move takes O(rows of a class * m), for classes of at most 64 rows, and the time of the rules. Memory: some 500
    bytes a row type and 50 a row, beside 8 for each class and sensitive value.

    References
    ----------
    .. [1] S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by Simulated Annealing", Science 220, 1983.
    """

    def __init__(self, problem: Problem, encoded: ProblemArrays, rules: Sequence[CountRule], star: float) -> None:
        self.problem, self.encoded, self.rules, self.star = problem, encoded, rules, star
        self.moves = 0

    def run(
        self,
        plan: Plan,
        watch: TimeShare,
        *,
        total: int | None,
        seed: int,
        enough: int,
        heard: Callable[[int], None],
    ) -> Plan | None:
        """Return the release that the search ends in, which may be dearer than the first; None: it ends in none.

        The `plan` is a release. With `total` moves to make, these say how warm it is; with None it makes as many as the
        watch allows. The search stops at the scaled cost `enough`. `heard` is told the cost of the cheapest release
        met, about twice a second.
        """
        neighbours = near(self.problem, self.encoded, watch)
        if neighbours is None:
            return None
        own = tuning.DEFAULT
        whole, real = lay_out_loose(self.problem, self.encoded, self.rules, plan, neighbours, seed)
        row = max(plan.cost(self.problem) / self.problem.types.n, LEAST * self.star)
        dearest = sum(float(level.cost.max(initial=0)) for level in self.problem.levels)
        lenient, rigour = own.loose_lenience * row, max(own.loose_rigour * row, own.loose_rigour_least * dearest)
        severe = max(rigour, own.repair_penalty * self.star)
        shares = np.cumsum(np.array(own.loose_shares))
        told, mended = search_time(), own.loose_rigour_at
        for share, moves in calls(watch, total=total, temperatures=own.temperatures):
            warmth = row * own.loose_heat * (own.loose_chill / own.loose_heat) ** share
            strict = min(1.0, share / own.loose_rigour_at)
            penalty = lenient * (rigour / lenient) ** strict
            loose_moves.anneal(whole, real, moves, warmth, penalty, share > 0.5, shares)
            self.moves += moves
            if share >= mended:
                mended += own.loose_mends
                self._mend(whole, real, severe, watch, wide=share > own.loose_wide)
            if whole[at.NOTED] and whole[at.BEST_COST] <= enough:
                break
            if search_time() - told > 0.5:
                told = search_time()
                if whole[at.NOTED]:
                    heard(int(whole[at.BEST_COST]))
        late = watch.patient()
        late.deadline = None if watch.deadline is None else search_time() + own.repair_seconds
        self._mend(whole, real, severe, late, wide=True)
        group = whole[whole[at.BEST if whole[at.NOTED] else at.GROUP] :][: whole[at.ROWS]]
        found = plan_of(self.problem, self.encoded, whole, group)
        return None if found is None else checked(self.problem, self.encoded, found, watch)

    def _mend(self, whole: Int64, real: NDArray[np.float64], penalty: float, watch: Watch, *, wide: bool) -> None:
        """Mend the classes that fail, and remember what is without violation then."""
        most = max(1, MENDED * AMONG // max(int(whole[at.CLASSES]), AMONG))
        for _ in range(ROUNDS if wide else 1):
            c = 0
            while c < whole[at.CLASSES] and not watch.stopped:
                c = loose_moves.mend(whole, real, c, most, penalty, wide)
            loose_transfers.note(whole)
            if not whole[at.FAILING]:
                break
