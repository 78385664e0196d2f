"""Annealing over a list of candidate instances, from hot to cold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.search import anneal
from incrowd.progress import search_time
from incrowd.tables.solve.improve import tuning
from incrowd.tables.solve.improve.merge_solutions import Recombination
from incrowd.tables.solve.shared.time_limit import TimeShare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from incrowd.tables.solve.improve.candidates import Candidates
    from incrowd.tables.values import Int64


class Annealing:
    """Runs over one list of candidates; temperature and thresholds grow with k.

    `star` is what a star costs on average, in scaled cost units. `moves`: made in all runs.

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
        many as the watch allows. `enough` is a scaled cost at which to stop, and `heard` is told the cost reached about
        twice a second. `heat` is a factor on the first temperature; the last one stays as it is.
        """
        lists = self.candidates.lists
        state, marks = anneal.new_state(lists, rows, self.candidates.classes, seed)
        best, best_rows = int(state.numbers[anneal.COST]), rows
        if self.idle:
            return best, best_rows
        if best <= enough:
            return best, best_rows
        halfway = False
        told = search_time()
        for share, moves in calls(watch, total=total, temperatures=tuning.DEFAULT.temperatures):
            warmth = self.hot * heat * (tuning.DEFAULT.cooling / heat) ** share
            anneal.anneal(lists, state, marks, self.ladder, moves, warmth, self.odds, self.slack)
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


# The search over candidates where there is a time limit: anneal again and again, and let the releases meet.
def evolve(
    annealing: Annealing,
    watch: TimeShare,
    *,
    seed: int,
    enough: int,
    heard: Callable[[int], None],
    slow_start: bool = False,
    dived: bool = False,
) -> tuple[Int64, int]:
    """Return the best release found over the annealing's candidates, and the integer programs it took.

    The release is the rows per pair of the candidates' lists, shape (q,), and never dearer than the candidates' first
    release. The watch has a deadline; the search also stops at the scaled cost `enough`. `heard` is told the cost
    reached. `slow_start` gives the first run time to come down from hot, where classes are many too. `dived` says
    that the candidates' first release was made by a dive: it meets others. Where classes are few every run starts hot
    from the same release with a seed of its own: runs that start from the best one end too near to it to be of use,
    where one program can look at everything. The best release meets the newest, and more of the earlier ones as long as
    the programs end quickly. Where classes are many a run has no time to come down from hot; it starts from the best
    release, warm, and undoes it here and there.
    """
    candidates = annealing.candidates
    lists = candidates.reduced
    own = tuning.DEFAULT
    span, least = watch.left, own.pair_seconds * lists.pairs
    large = np.unique(lists.owners[candidates.rows > 0]).size > own.large_classes
    first, each, program = (share * span for share in (own.large_shares if large else own.small_shares))
    meetings = own.large_meetings if large else own.pool
    if not large:
        first, each = max(first, least), max(each, least)
    elif slow_start:
        first = max(first, min(own.patient_first * least, 0.6 * span))
    random = np.random.default_rng([seed, 2])

    def anneal(rows: Int64, until: TimeShare, heat: float, seed: int) -> Int64:
        return annealing.run(rows, until, total=None, seed=seed, enough=enough, heard=heard, heat=heat)[1]

    alone = span < own.least_runs * least
    begun = watch if alone else _until(watch, first)
    best = Recombination(lists, anneal(candidates.rows, begun, 1.0, seed), seed)
    pool = [best.rows]
    if dived:
        best.offer(candidates.rows)
        pool.append(candidates.rows)
    while not (alone or watch.left < 0.1 * each or watch.stopped or best.cost <= enough):
        until = _until(watch, min(each, 0.5 * watch.left))
        start, heat = (best.rows, own.large_heat) if large else (candidates.rows, 1.0)
        pool = [*pool, anneal(start, until, heat, int(random.integers(2**63)))][-own.pool :]
        cost = best.cost
        _meet(best, pool, _until(watch, 2 * each), program, meetings, heard)
        if best.cost < cost and not large:
            pool.append(best.rows)
    best.offer(candidates.rows)
    return best.rows, best.programs


def _meet(
    best: Recombination, pool: list[Int64], watch: TimeShare, seconds: float, times: int, heard: Callable[[int], None]
) -> None:
    """Let the best release meet the newest, and more of the others, until that gains nothing."""
    others = [pool[-1]]
    best.offer(pool[-1])
    for _ in range(times):
        if watch.stopped:
            break
        before, begun = best.cost, search_time()
        ended = best.meet(others, watch, seconds)
        heard(best.cost)
        if ended and search_time() - begun < 0.3 * seconds and len(others) < len(pool):
            others.append(pool[int(best.random.integers(len(pool)))])
        elif best.cost >= before:
            break


def _until(watch: TimeShare, seconds: float) -> TimeShare:
    return TimeShare(watch, search_time() + min(seconds, watch.left))


# How many moves an annealing makes in one call, and how far through its run it is.

# Moves of one call: some tens of milliseconds; and those of the first, for a move may take long.
CHUNK, FIRST = 512, 16
SECONDS = 0.03


def calls(watch: TimeShare, *, total: int | None, temperatures: int) -> Iterator[tuple[float, int]]:
    """Yield the share of the run that is over, 0 to 1, and the moves to make next, until the run is over.

    A run of `total` moves makes them in calls of equal size, at least `temperatures` of them. With None it makes as
    many moves as the watch allows, in calls of about equal time.
    """
    begun, span = search_time(), watch.left
    chunk = FIRST if total is None else int(np.clip(total // temperatures, 1, CHUNK))
    made = 0
    while not watch.stopped and (total is None or made < total):
        now = search_time()
        share = (now - begun) / span if total is None else made / total
        moves = chunk if total is None else min(chunk, total - made)
        yield min(max(share, 0.0), 1.0), moves
        made += moves
        if total is None:
            spent = max(search_time() - now, 1e-6)
            chunk = int(np.clip(chunk * min(2.0, SECONDS / spent), 1, 1 << 16))
