"""Annealing again and again where there is a time limit, from the best release on; the releases meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.progress import search_time
from incrowd.tables.solve.improve.under_requirements import tuning
from incrowd.tables.solve.improve.under_requirements.checked_plan import is_release
from incrowd.tables.solve.improve.under_requirements.recombination import Recombination
from incrowd.tables.solve.shared.row_assignment import cost_of, to_plan
from incrowd.tables.solve.shared.time_share import TimeShare

if TYPE_CHECKING:
    from collections.abc import Callable

    from incrowd.tables.solve.improve.under_requirements.annealing import ClassAnnealing
    from incrowd.tables.solve.improve.under_requirements.class_programs import ClassPrograms
    from incrowd.tables.values import Int64

__all__ = ["evolve"]


def evolve(
    annealing: ClassAnnealing,
    best: ClassPrograms,
    watch: TimeShare,
    *,
    seed: int,
    enough: int,
    heard: Callable[[int, str], None],
) -> None:
    """Make the best release cheaper until time is over: a run from hot, then warm ones, and meetings between.

    `best` holds the release to start from, and the best one afterwards; the `annealing` is over the same list as these
    programs. The watch has a deadline; the search also stops at the scaled cost `enough`. `heard` is told the cost of
    the cheapest release met, and "moves" or "recombination".

    Notes
    -----
    The first run has `met_first` of the time. Runs that start from hot once more end too far above the best release to
    be of use to it (measured on CMC), so later ones start warm, from the best one.
    """
    own, span = tuning.DEFAULT, watch.left
    meetings, random = Recombination(best, seed), np.random.default_rng([seed, 4])
    pool: list[Int64] = []
    share, since = own.met_first, 0.0
    while not watch.stopped and best.cost > enough:
        until = TimeShare(watch, search_time() + min(share * span, watch.left))
        rows = annealing.run(
            best.rows, until, total=None, seed=seed if not pool else int(random.integers(2**63)), enough=enough,
            heard=lambda cost: heard(min(cost, best.cost), "moves"), since=since,
        )  # fmt: skip
        share, since = own.met_each, own.met_since
        if not is_release(best.problem, to_plan(best.problem, best.instances, rows)):
            continue
        if cost_of(best.instances, rows) < best.cost:
            best.rows, best.cost = rows, cost_of(best.instances, rows)
            heard(best.cost, "moves")
        pool = [rows, *pool][: own.met_releases]
        for _ in range(own.meetings):
            others = [other for other in pool if (other != best.rows).any()]
            before = best.cost
            if not others or watch.stopped:
                break
            meetings.meet(others, TimeShare(watch, search_time() + share * span), own.met_seconds)
            if best.cost < before:
                heard(best.cost, "recombination")
                pool = [best.rows, *pool][: own.met_releases]
            else:
                break
