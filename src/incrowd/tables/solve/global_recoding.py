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
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import Infeasible, count_of
from incrowd.kernels.grouping import instances
from incrowd.tables.row_numbers import added_up
from incrowd.tables.solve.mishap import release_kept
from incrowd.tables.solve.shared.partial_plan import as_plan
from incrowd.tables.solve.shared.refusals import none_in_time
from incrowd.tables.solve.shared.requirement_check import kinds_meet, requirements_in_words
from incrowd.tables.solve.shared.status import ended, head
from incrowd.tables.values import Bound, Solution

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.values import Int64, Plan, Problem

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

    def declines(self, problem: Problem) -> str | None:
        """Return why the solver will not start: it is not asked for one recoding."""
        if not self.single:
            return "it makes one recoding for the whole table: ask for recoding=global"
        return None

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return the least release under one level vector, or the best so far with a bound when it is stopped.

        Infeasible is raised if no vector has a release, with the least share of suppressed rows where the limit on them
        is what fails; or if none was found in time.
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
        watch.report("solve", cost=found.cost, lower_bound=value)
        notes = (f"{walk.looked} level vectors counted, of {problem.patterns.count()} that the mask allows",)
        seconds = {"solve": time.perf_counter() - begun}
        proof = by_walk(problem, vector, found.suppressed, found.cost, bound)
        return Solution(plan, bound, status, self.name, seconds, notes, proof)


class Walk:
    """The walk over the lattice, by what vectors cost before rows are suppressed.

    It ends when the relative gap to the bound is at most `gap`. `best`: (Found, vector) or None, the best release so
    far. `next`: what the first vector not looked at costs before rows are suppressed; None when no other can be better.
    `cut_short`: whether it was stopped. `looked`: vectors counted. `least_suppressed`: the least rows that a release
    suppresses but for the limit on them.
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
        first = self._descent(watch.first_answer(FIRST))
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
                watch.report("solve", cost=found.cost, lower_bound=shown)
            elif self.looked % TOLD == 0:
                watch.report("solve", lower_bound=shown, vectors=self.looked)
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
        f"{count_of(walk.least_suppressed, 'row')} (suppression_limit {share} would do)",
        requirement="suppression_limit",
        proven=True,
    )


# What a release under one level vector comes to.
#
# A class that has fewer than k rows, or fails a requirement, is suppressed whole; every other class is shown at the
# vector. So a vector has one release or none: none where the suppressed rows are more than may be, have no place in the
# mask, lack the crowd that ``outliers="forbid"`` asks for, or fail a requirement as the one class that they are.
@dataclass(frozen=True, slots=True)
class Found:
    """A vector's release.

    `suppressed`: fully suppressed rows. `cost`: scaled cost. `fits`: whether it is a release but for the limit on
    suppressed rows. `within`: whether it keeps that limit.
    """

    suppressed: int
    cost: int
    fits: bool
    within: bool

    @property
    def good(self) -> bool:
        """Whether it is a release."""
        return self.fits and self.within


class VectorReleases:
    """The releases of a problem under single level vectors."""

    def __init__(self, problem: Problem, tables: ClassTables) -> None:
        self.problem, self.tables = problem, tables
        self.full = sum(int(level.cost[-1].max(initial=0)) for level in problem.levels)
        counts = problem.types.counts
        self.totals = [
            [int((line[problem.types.codes[:, j]] * counts).sum()) for line in level.cost]
            for j, level in enumerate(problem.levels)
        ]
        self.most = problem.types.n if problem.most_suppressed is None else problem.most_suppressed
        self.stars = problem.patterns.allows_full_suppression

    def shown_cost(self, vector: Sequence[int]) -> int:
        """Return what all rows cost when they are shown under a vector, (m,): no release under it costs less."""
        return sum(total[level] for total, level in zip(self.totals, vector, strict=True))

    def at(self, vector: Sequence[int]) -> Found:
        """Return the release of a vector, (m,)."""
        grouped = self.tables.under(vector)
        failing = self.failing(grouped)
        starred = all(a == top for a, top in zip(vector, self.problem.top, strict=True)) and any(self.problem.top)
        if starred:
            return Found(
                self.problem.types.n, self.shown_cost(vector), not failing.any(), self.problem.types.n <= self.most
            )
        rows = grouped.size[failing]
        suppressed = int(rows.sum())
        cost = self.shown_cost(vector) + suppressed * self.full
        for j, level in enumerate(self.problem.levels):
            paid = level.cost[int(vector[j])][self.problem.types.codes[grouped.first[failing], j]]
            cost -= int((paid * rows).sum())
        return Found(suppressed, cost, self._fits(grouped, failing, suppressed), suppressed <= self.most)

    def failing(self, grouped: Grouped) -> NDArray[np.bool_]:
        """Return which classes have too few rows or fail a requirement, shape (c,)."""
        small: NDArray[np.bool_] = grouped.size < self.problem.k
        if not self.problem.requirements:
            return small
        kinds = self.tables.kinds[grouped.types]
        return small | ~kinds_meet(self.problem, grouped.number, kinds, grouped.rows, len(grouped.size))

    def _fits(self, grouped: Grouped, failing: NDArray[np.bool_], suppressed: int) -> bool:
        """Return whether the suppressed rows may stand as the class that they are."""
        if not suppressed:
            return True
        if not self.stars or (self.problem.outliers == "forbid" and suppressed < self.problem.k):
            return False
        if not self.problem.requirements:
            return True
        out = failing[grouped.number]
        one: Int64 = np.zeros(int(out.sum()), np.int64)
        return bool(kinds_meet(self.problem, one, self.tables.kinds[grouped.types[out]], grouped.rows[out], 1)[0])


# The certificate of one recoding: its level vector, for whoever walks the lattice again.
NAME, VERSION = "incrowd single recoding bound", 11


def by_walk(problem: Problem, vector: Sequence[int], suppressed: int, cost: int, bound: Bound) -> dict[str, Any]:
    """Return the certificate of a release under one level vector, (m,).

    `suppressed` is the number of its fully suppressed rows, and `cost` its scaled cost; `bound` says that no release
    under one vector costs less.
    """
    return {
        **head(problem, cost, bound, NAME, VERSION),
        "requirements": [requirement.rule for requirement in problem.requirements],
        "most_suppressed": problem.types.n if problem.most_suppressed is None else problem.most_suppressed,
        "levels": [int(level) for level in vector],
        "suppressed_rows": suppressed,
    }


# How much the walk of the lattice holds.
@dataclass(frozen=True, slots=True)
class Tuning:
    """What is held while level vectors are looked at.

    `tables`: grouped tables held at most, beside the whole one. `entries`: entries of all of them at most, in entries
    of the whole one. `shrunk`: a table is held where it has at most this part of the entries of the one it was made
    from.
    """

    tables: int = 256
    entries: int = 16
    shrunk: float = 0.8


TUNING = Tuning()


# A table grouped under a level vector, rolled up from the smallest grouped table below that vector that is held.
KEYS = 1 << 62  # keys are below


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """A table under a level vector: rows by class, and by combination of sensitive values where these are judged.

    `types`: (e,) int64, a row type of each entry. `rows`: (e,) int64, rows of each entry. `number`: (e,) int64, class
    of each entry, from 0. `size`: (c,) int64, rows of each class. `first`: (c,) int64, a row type of each class.
    """

    types: Int64
    rows: Int64
    number: Int64
    size: Int64
    first: Int64


class ClassTables:
    """The classes of a table under one level vector after another.

    Equal at one level means equal at every higher one, so the classes of a vector are unions of those of any vector
    below it: they are counted from the grouped table of one below instead of from all row types. A vector takes O(m e)
    expected time, e the entries of the smallest table held below it. Memory O(m t) for the nodes, and for the tables
    held as `Tuning` bounds them.
    """

    def __init__(self, problem: Problem, tuning: Tuning = TUNING) -> None:
        types = problem.types
        t = types.t
        self.problem, self.tuning = problem, tuning
        levels = problem.levels
        self.start = np.concatenate(([0], np.cumsum([level.height + 1 for level in levels]))).astype(np.int64)[:-1]
        self.nodes = np.concatenate(
            [np.zeros((0, t), np.int32), *(level.up[:, types.codes[:, j]] for j, level in enumerate(levels))]
        ).astype(np.int32)
        self.radix = [int(level.up.max(initial=0)) + 1 for level in levels]
        kinds = np.zeros(t, np.int64) if types.kinds is None else types.kinds.astype(np.int64)
        self.kinds = kinds if problem.requirements else np.zeros(t, np.int64)
        self.most_entries = tuning.entries * max(t, 1)
        self.vectors = np.zeros((1, types.m), np.int64)
        self.held: list[tuple[Int64, Int64]] = [(np.arange(t, dtype=np.int64), types.counts.astype(np.int64))]

    def under(self, vector: Sequence[int]) -> Grouped:
        """Return the table under a level vector, (m,)."""
        levels = np.asarray(vector, np.int64)
        below = np.flatnonzero((self.vectors <= levels).all(axis=1))
        base = min(below.tolist(), key=lambda i: len(self.held[i][0]))
        types, rows = self.held[base]
        number, first = self._numbered(levels, types)
        size = added_up(number, rows, len(first))
        if self.problem.requirements:
            again, entry = instances.alike(
                np.zeros((0, 1), np.int32), np.zeros(0, np.int64), np.zeros(0, np.int64), types,
                number * (int(self.kinds.max(initial=0)) + 1) + self.kinds[types],
            )  # fmt: skip
            kept = (types[entry], added_up(again, rows, len(entry)))
            number_of = number[entry]
        else:
            kept, number_of = (types[first], size), np.arange(len(first), dtype=np.int64)
        if len(kept[0]) <= self.tuning.shrunk * len(types):
            self._hold(levels, kept)
        return Grouped(*kept, number_of, size, types[first])

    def whole(self, vector: Sequence[int]) -> Grouped:
        """Return the table under a level vector, (m,), with an entry for every row type, in their order."""
        types, rows = self.held[0]
        number, first = self._numbered(np.asarray(vector, np.int64), types)
        return Grouped(types, rows, number, added_up(number, rows, len(first)), types[first])

    def _numbered(self, levels: Int64, types: Int64) -> tuple[Int64, Int64]:
        """Return the class of each entry and the first entry of each; a starred column tells nothing apart."""
        number = np.zeros(len(types), np.int64)
        first = np.zeros(min(len(types), 1), np.int64)
        lines: list[int] = []
        width: list[int] = []
        room = 1
        open_columns = [j for j, level in enumerate(levels.tolist()) if level < self.problem.levels[j].height]
        for place, j in enumerate(open_columns):
            lines.append(int(self.start[j] + levels[j]))
            width.append(self.radix[j])
            room *= self.radix[j]
            after = self.radix[open_columns[place + 1]] if place + 1 < len(open_columns) else KEYS
            if room * after >= KEYS:  # as many columns in a key as fit, the classes so far before them
                number, first = instances.alike(self.nodes, np.array(lines), np.array(width), types, number)
                lines, width, room = [], [], len(first)
        return number, first

    def _hold(self, vector: Int64, kept: tuple[Int64, Int64]) -> None:
        """Hold a table, in place of the largest others where there are too many."""
        self.vectors = np.concatenate([self.vectors, vector[None]])
        self.held.append(kept)
        while len(self.held) - 1 > self.tuning.tables or self._entries() > self.most_entries:
            sizes = [len(types) for types, _ in self.held[1:]]
            worst = 1 + int(np.argmax(sizes))
            self.vectors = np.delete(self.vectors, worst, axis=0)
            del self.held[worst]

    def _entries(self) -> int:
        return sum(len(types) for types, _ in self.held[1:])
