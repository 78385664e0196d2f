"""Annealing over a list of candidate instances, from hot to cold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.search import anneal, anneal_moves
from incrowd.progress import search_time
from incrowd.tables.solve.improve import tuning
from incrowd.tables.solve.improve.pace import calls

if TYPE_CHECKING:
    from collections.abc import Callable

    from incrowd.tables.solve.improve.candidates import Candidates
    from incrowd.tables.solve.shared.time_share import TimeShare
    from incrowd.tables.values import Int64

__all__ = ["Annealing"]


class Annealing:
    """Runs over one list of candidates; temperature and thresholds grow with k.

    `star` is what a star costs on average, in scaled cost units.

    Attributes
    ----------
    moves : int
        Made in all runs.

    References
    ----------
    .. [1] S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by Simulated Annealing", Science 220, 1983.
    """

    def __init__(self, candidates: Candidates, k: int, star: float) -> None:
        self.candidates = candidates
        lists = candidates.lists
        own = tuning.DEFAULT
        width = own.draw_width * star * (k / 5) ** own.draw_growth
        weights = np.where(lists.needs == 0, 0.0, np.exp(-np.clip(candidates.rc / width, 0.0, own.draw_rarity)))
        self.ladder = np.cumsum(weights)
        self.hot = own.heat * star * (k / 5) ** own.heat_growth
        self.slack = max(own.move_cost * k, own.least_move_cost) * star
        self.depth = 0 if k < own.chain_crowd else own.chain_length
        self.odds = np.array(own.move_odds)
        self.moves = 0

    @property
    def idle(self) -> bool:
        """Whether there is nothing to open."""
        return not len(self.ladder) or self.ladder[-1] <= 0

    def run(
        self,
        rows: Int64,
        watch: TimeShare,
        *,
        total: int | None,
        seed: int,
        enough: int,
        heard: Callable[[int], None],
        heat: float = 1.0,
    ) -> tuple[int, Int64]:
        """Search from a release, and return the cheapest one met in the second half of the run, with its cost.

        It may be dearer than the first. `rows`, (q,), is the release to start from: rows per pair of the candidates'
        lists. The watch says when to stop. `total` is how many moves to make, which then say how warm it is; None: as
        many as the watch allows.

        `enough` is a scaled cost at which to stop, and `heard` is told the cost reached about twice a second. `heat` is
        a factor on the first temperature; the last one stays as it is.
        """
        lists = self.candidates.lists
        state = anneal.new_state(lists, rows, self.candidates.classes, seed)
        best, best_rows = int(state.numbers[anneal.COST]), rows
        if self.idle:
            return best, best_rows
        if best <= enough:
            return best, best_rows
        halfway = False
        told = search_time()
        for share, moves in calls(watch, total=total, temperatures=tuning.DEFAULT.temperatures):
            warmth = self.hot * heat * (tuning.DEFAULT.cooling / heat) ** share
            anneal_moves.anneal(lists, state, self.ladder, moves, warmth, self.odds, self.depth, self.slack)
            self.moves += moves
            reached = int(state.numbers[anneal.COST])
            if reached <= enough or (share > 0.5 and (reached < best or not halfway)):
                best, best_rows, halfway = reached, state.rows.copy(), True
            if best <= enough:
                break
            now = search_time()
            if now - told > 0.5:
                told = now
                heard(min(best, reached))
        reached = int(state.numbers[anneal.COST])
        if reached < best or not halfway:
            best, best_rows = reached, state.rows
        return best, best_rows
