"""Annealing over candidates under requirements, from hot and lenient to cold and strict."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.search import class_anneal
from incrowd.kernels.search.class_layout import BEST, BEST_COST, COST, FAILING, NOTED, ROWS
from incrowd.progress import search_time
from incrowd.tables.solve.improve.pace import calls
from incrowd.tables.solve.improve.under_requirements import tuning
from incrowd.tables.solve.improve.under_requirements.layout import lay_out

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from incrowd.tables.count_rules import CountRule
    from incrowd.tables.solve.improve.under_requirements.candidates import ClassCandidates
    from incrowd.tables.solve.shared.time_share import TimeShare
    from incrowd.tables.values import Int64

__all__ = ["ClassAnnealing", "RisingPenalty"]


class RisingPenalty:
    """The penalty for a row by which a class fails: it rises through the run, and further while some class fails.

    `star` is what a star costs on average, in scaled cost units.

    Notes
    -----
    Where it is dearer to mend a last class than to pay for it, a run at one penalty would end with that class failing,
    and what it found would be lost to a rough repair. Where moves through states that fail by more are what mends it, a
    high penalty bars them; so the penalty falls back after a while and rises anew.

    References
    ----------
    .. [1] M. Gendreau, A. Hertz, G. Laporte, "A Tabu Search Heuristic for the Vehicle Routing Problem", Management
       Science 40(10), 1994: penalties that rise while solutions are infeasible.
    """

    def __init__(self, star: float) -> None:
        self.star = star
        self.since = tuning.DEFAULT.urgent_from

    def at(self, share: float, failing: bool) -> float:
        """Return the penalty of the next moves, in scaled cost units.

        `share` is the share of the run that is over, 0 to 1, and increases from call to call. `failing` says whether
        some class fails now.
        """
        own = tuning.DEFAULT
        if not failing or own.urgency * (share - self.since) > np.log(own.urgent_most):
            self.since = max(share, own.urgent_from)
        strict = min(1.0, share / own.rigour_at)
        urgency = np.exp(own.urgency * max(share - self.since, 0.0))
        return float(self.star * own.lenience * (own.rigour / own.lenience) ** strict * urgency)


class ClassAnnealing:
    """Runs over one list of candidates.

    `kinds` is (t,): the combination of sensitive values of each type. `star` is what a star costs on average, in scaled
    cost units.

    Attributes
    ----------
    moves : int
        Made in all runs.

    References
    ----------
    .. [1] S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by Simulated Annealing", Science 220, 1983.
    """

    def __init__(
        self,
        candidates: ClassCandidates,
        kinds: NDArray[np.integer],
        rules: Sequence[CountRule],
        k: int,
        star: float,
    ) -> None:
        self.candidates = candidates
        self.kinds, self.rules = kinds, rules
        self.star = star
        own, needs = tuning.DEFAULT, candidates.instances.needs
        width = own.draw_width * star * max(k / 5, 1.0)
        rarity = np.clip((candidates.rc - candidates.rc.min(initial=0.0)) / width, 0.0, own.draw_rarity)
        self.ladder = np.cumsum(np.where(needs == 0, 0.0, np.exp(-rarity)))
        self.moves = 0

    def run(
        self,
        rows: Int64,
        watch: TimeShare,
        *,
        total: int | None,
        seed: int,
        enough: int,
        heard: Callable[[int], None],
    ) -> Int64:
        """Search from rows per pair, and return the cheapest ones without violation met in the second half of the run.

        What ends with violations is repaired; the rows may be dearer than the first, and may fail still. With `total`
        moves to make, these say how warm it is; with None it makes as many as the watch allows. The search stops at the
        scaled cost `enough`. `heard` is told the cost of the cheapest release met, about twice a second.
        """
        own, instances = tuning.DEFAULT, self.candidates.instances
        if not instances.size:
            return rows
        whole, real = lay_out(instances, self.kinds, self.rules, rows, seed)
        told, rising = search_time(), RisingPenalty(self.star)
        for done, moves in calls(watch, total=total, temperatures=own.temperatures):
            warmth = self.star * own.heat * (own.chill / own.heat) ** done
            penalty = rising.at(done, bool(whole[FAILING]))
            class_anneal.anneal(whole, real, self.ladder, moves, warmth, penalty, self.star, own.joined, done > 0.5)
            self.moves += moves
            noted = bool(whole[NOTED])
            if noted and whole[BEST_COST] <= enough:
                break
            now = search_time()
            if now - told > 0.5:
                told = now
                if noted or not whole[FAILING]:
                    heard(int(whole[BEST_COST] if noted else whole[COST]))
        self._repair(whole, real, watch)
        place = whole[BEST if whole[NOTED] else ROWS]
        return whole[place : place + rows.size].copy()

    def _repair(self, whole: Int64, real: NDArray[np.float64], watch: TimeShare) -> None:
        """Mend what fails at the end, at a high price for failing, in a second or two."""
        own = tuning.DEFAULT
        late = watch.patient()
        late.deadline = None if watch.deadline is None else search_time() + own.repair_seconds
        penalty, cold = own.repair_penalty * self.star, own.chill * self.star
        for _ in range(own.repair_helps):
            if not whole[FAILING] or late.stopped:
                break
            class_anneal.anneal(whole, real, self.ladder, 0, cold, penalty, self.star, 0.0, True)
        for turn in range(own.repair_rounds):
            if not whole[FAILING] or late.stopped:
                break
            class_anneal.repair(whole, real, self.candidates.instances.hub, penalty, turn)
