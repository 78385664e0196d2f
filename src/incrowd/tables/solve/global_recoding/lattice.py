"""The least release with one recoding for the whole table, by a walk over the lattice of level vectors.

A release shows every row at one level vector of the mask, or suppresses it whole: a class of the vector that has fewer
than k rows, or fails a requirement, is suppressed, and no other (`level_vector`). Its cost is the sum of the nodes
shown plus the full price of every suppressed row.

**What the walk prunes by.** Let c(v) be what all rows cost when they are shown under v. Costs do not fall with the
level and a star is the dearest node of its column, so no release under v costs less than c(v). Vectors come by c(v);
as soon as c(v) reaches the cost of the best release, all that are left cost at least as much. (A way down from stars
alone, one level of one column at a time, gives a release to begin with.) Nothing else is used: the
cost with suppression, l and t are not monotone on the lattice. Stopped before, c of the next vector is a lower bound.

**Ties.** Of releases of equal cost the first in the walk is taken: the vector with the least c(v), then the one with
fewer columns of stars, then the first in the order of levels, column by column as the policy names them.

**What is counted.** Equal at one level means equal at every higher one, so classes are rolled up from those of a
vector below (`class_tables`).
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from incrowd.errors import Infeasible, PolicyError, count_of
from incrowd.tables.solve.global_recoding.certificate import by_walk
from incrowd.tables.solve.global_recoding.class_tables import ClassTables
from incrowd.tables.solve.global_recoding.level_vector import VectorReleases
from incrowd.tables.solve.mishap import release_kept
from incrowd.tables.solve.shared.plan_of_groups import as_plan
from incrowd.tables.solve.shared.refusals import none_in_time
from incrowd.tables.solve.shared.requirement_check import requirements_in_words
from incrowd.tables.solve.shared.status import ended
from incrowd.tables.values import Bound, Solution

if TYPE_CHECKING:
    from collections.abc import Iterator

    from incrowd.progress import Watch
    from incrowd.tables.solve.global_recoding.level_vector import Found
    from incrowd.tables.values import Plan, Problem

__all__ = ["Lattice"]

Vector = tuple[int, ...]
FIRST = 1.0  # seconds for a first release even where the time limit is sooner
TOLD = 500  # vectors between two events


@dataclass(frozen=True, kw_only=True)
class Lattice:
    """The least release with one recoding for the whole table, proven by a walk over all level vectors.

    Parameters
    ----------
    single : bool, default False
        Whether one recoding is what is asked for (``recoding=global``); it declines anything else.
    gap : float, default 0.0
        It stops when the relative gap to the bound is at most this.

    Notes
    -----
    O(v m t) expected time for v vectors that cost less before rows are suppressed than the least release does, at most
    all of the mask; O(m t) memory. With requirements each of them is asked once a vector besides.

    References
    ----------
    F. Kohlmayer, F. Prasser, C. Eckert, A. Kemper, K. A. Kuhn, "Flash: Efficient, Stable and Optimal K-Anonymity",
    PASSAT 2012, asks the same question; the walk here is proved in the module.
    """

    single: bool = False
    gap: float = 0.0
    name: str = field(default="lattice", init=False)
    keeps_suppression_limit = True
    summary: str = field(default="the least release with one recoding for the whole table, proven", init=False)
    cites = ("ElEmamEtAl2009",)

    def __post_init__(self) -> None:
        if not self.gap >= 0:
            raise PolicyError(f"gap must be at least 0, not {self.gap}")

    def declines(self, problem: Problem) -> str | None:
        """Return why the solver will not start: it is not asked for one recoding."""
        if not self.single:
            return "it makes one recoding for the whole table: ask for recoding=global"
        return None

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return the least release under one level vector, or the best so far with a bound when it is stopped.

        Raises
        ------
        Infeasible
            If no vector has a release, with the least share of suppressed rows where the limit on them is what fails;
            or if none was found in time.
        """
        begun = time.perf_counter()
        releases = VectorReleases(problem, ClassTables(problem))
        walk = Walk(problem, releases, self.gap)
        walk.run(watch)
        if walk.best is None:
            raise _none(problem, walk)
        found, vector = walk.best
        plan = _plan(problem, releases, vector)
        value = found.cost if walk.next is None else min(walk.next, found.cost)
        bound = Bound(value, value, "walk of the lattice of level vectors")
        status = ended(found.cost, value, watch, gap=self.gap, cut_short=walk.cut_short)
        watch.tell("solve", cost=found.cost, lower_bound=value)
        notes = (f"{walk.looked} level vectors counted, of {problem.patterns.count()} that the mask allows",)
        seconds = {"solve": time.perf_counter() - begun}
        proof = by_walk(problem, vector, found.suppressed, found.cost, bound)
        return Solution(plan, bound, status, self.name, seconds, notes, proof)


class Walk:
    """The walk over the lattice, by what vectors cost before rows are suppressed.

    It ends when the relative gap to the bound is at most `gap`.

    Attributes
    ----------
    best : (Found, vector) or None
        The best release so far.
    next : int or None
        What the first vector not looked at costs before rows are suppressed; None when no other can be better.
    cut_short : bool
        Whether it was stopped.
    looked : int
        Vectors counted.
    least_suppressed : int or None
        The least rows that a release suppresses but for the limit on them.
    """

    def __init__(self, problem: Problem, releases: VectorReleases, gap: float) -> None:
        self.problem, self.releases, self.gap = problem, releases, gap
        self.best: tuple[Found, Vector] | None = None
        self.next: int | None = 0
        self.cut_short = False
        self.looked = 0
        self.least_suppressed: int | None = None

    def run(self, watch: Watch) -> None:
        """Walk until no vector left can be better, or the watch says stop.

        A way down from stars alone comes first, so that there is a release early.
        """
        first = self._descent(watch.first(FIRST))
        with release_kept(watch, lambda: first is not None or self.best is not None):
            self._walk(watch, None if first is None else first[0].cost)
        if self.best is None or (first is not None and first[0].cost < self.best[0].cost):
            self.best = first

    def _walk(self, watch: Watch, known: int | None) -> None:
        for vector in self._vectors():
            shown = self.releases.shown_cost(vector)
            reached = self.best is not None and self.best[0].cost == known
            if known is not None and shown + reached > known:
                break
            self.next = shown
            self.cut_short = watch.stopped
            near = self.gap > 0 and self.best is not None and self.best[0].cost - shown <= self.gap * shown
            if self.cut_short or near:
                return
            found = self.releases.at(vector)
            self.looked += 1
            if found.fits and (self.least_suppressed is None or found.suppressed < self.least_suppressed):
                self.least_suppressed = found.suppressed
            if found.good and (self.best is None or found.cost < self.best[0].cost):
                self.best = (found, vector)
                known = found.cost if known is None else min(known, found.cost)
                watch.tell("solve", cost=found.cost, lower_bound=shown)
            elif self.looked % TOLD == 0:
                watch.tell("solve", lower_bound=shown, vectors=self.looked)
        self.next = None

    def _descent(self, watch: Watch) -> tuple[Found, Vector] | None:
        """Return the best release on a way down from stars alone, one level of one column at a time, if there is one.

        Each step takes the vector whose release costs least among those within the limit, until none costs less.
        """
        here = self.problem.top
        now = self.releases.at(here)
        best = (now, here) if now.good and self.problem.patterns.allows(here) else None
        while not watch.interrupted and (best is None or not watch.stopped):
            below = [(*here[:j], level - 1, *here[j + 1 :]) for j, level in enumerate(here) if level]
            tried = [(self.releases.at(vector), vector) for vector in below]
            good = [(found.cost, vector, found) for found, vector in tried if found.good]
            for cost, vector, found in good:
                if self.problem.patterns.allows(vector) and (best is None or cost < best[0].cost):
                    best = (found, vector)
            if not good or (now.good and min(cost for cost, _, _ in good) >= now.cost):
                return best
            _, here, now = min(good, key=lambda one: one[:2])
        return best

    def _vectors(self) -> Iterator[Vector]:
        """Yield the vectors of the mask in the order of the walk."""
        ties = [[0] * len(total) for total in self.releases.totals]
        for block in self.problem.patterns.by_cost(self.releases.totals, ties):
            yield from map(tuple, block.levels.tolist())


def _plan(problem: Problem, releases: VectorReleases, vector: Vector) -> Plan:
    """Return the plan of a vector's release."""
    grouped = releases.tables.whole(vector)
    out = releases.failing(grouped)[grouped.number]
    types, rows = grouped.types, grouped.rows
    return as_plan(problem, [(vector, types[~out], rows[~out]), (problem.top, types[out], rows[out])])


def _none(problem: Problem, walk: Walk) -> Infeasible:
    """Return the error that says why there is no release, with the nearest where the limit on suppressed rows fails."""
    if walk.cut_short:
        return none_in_time(problem)
    if walk.least_suppressed is None:
        return Infeasible(
            f"no release meets {requirements_in_words(problem)} with one recoding for the table: under every "
            "level vector some row can be neither shown nor suppressed; allow full suppression or outliers",
            requirement=requirements_in_words(problem),
            proven=True,
        )
    share = Fraction(walk.least_suppressed, problem.types.n)
    return Infeasible(
        f"no level vector keeps the suppression limit: at most {count_of(walk.releases.most, 'row')} may be "
        "suppressed, and the least that one recoding for the whole table suppresses is "
        f"{count_of(walk.least_suppressed, 'row')} (--suppression-limit {share} would do)",
        requirement="suppression_limit",
        proven=True,
    )
