"""The search over candidates where there is a time limit: anneal again and again, and let the releases meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.progress import search_time
from incrowd.tables.solve.improve import tuning
from incrowd.tables.solve.improve.merge_solutions import Recombination
from incrowd.tables.solve.shared.time_share import TimeShare

if TYPE_CHECKING:
    from collections.abc import Callable

    from incrowd.tables.solve.improve.annealing import Annealing
    from incrowd.tables.values import Int64

__all__ = ["evolve"]


def evolve(
    annealing: Annealing,
    watch: TimeShare,
    *,
    seed: int,
    enough: int,
    heard: Callable[[int], None],
    patient: bool = False,
    dived: bool = False,
) -> tuple[Int64, int]:
    """Return the best release found over the annealing's candidates, and the integer programs it took.

    The release is the rows per pair of the candidates' lists, shape (q,), and never dearer than the candidates' first
    release. The watch has a deadline; the search also stops at the scaled cost `enough`. `heard` is told the cost
    reached. A `patient` search gives the first run time to come down from hot, where groups are many too. `dived` says
    that the candidates' first release was made by a dive: it meets others.

    Notes
    -----
    Where groups are few every run starts hot from the same release with a seed of its own: runs that start from the
    best one end too near to it to be of use, where one program can look at everything. The best release meets the
    newest, and more of the earlier ones as long as the programs end quickly. Where groups are many a run has no time
    to come down from hot; it starts from the best release, warm, and undoes it here and there.
    """
    candidates = annealing.candidates
    lists = candidates.reduced
    own = tuning.DEFAULT
    span, least = watch.left, own.pair_seconds * lists.pairs
    large = np.unique(lists.owners[candidates.rows > 0]).size > own.large_groups
    first, each, program = (share * span for share in (own.large_shares if large else own.small_shares))
    meetings = own.large_meetings if large else own.pool
    if not large:
        first, each = max(first, least), max(each, least)
    elif patient:
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
