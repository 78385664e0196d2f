"""A cheaper plan portion by portion: what fits in memory is given to the solvers that ever had it there."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from incrowd.tables.large.instances import whole
from incrowd.tables.large.leftovers import Settled, parts_of, problem_of
from incrowd.tables.large.pieces import Pieces
from incrowd.tables.large.portions import joined_up, portioned
from incrowd.tables.large.queries import Cut, stoppable
from incrowd.tables.row_numbers import row_numbers
from incrowd.tables.solve.shared.plan_of_groups import as_plan
from incrowd.tables.solve.shared.time_share import TimeShare
from incrowd.tables.values import Bound, Solution

if TYPE_CHECKING:
    from collections.abc import Callable

    from incrowd.progress import Watch
    from incrowd.tables.large.instances import Instances
    from incrowd.tables.large.portions import Portions
    from incrowd.tables.solve.auto import Auto
    from incrowd.tables.solve.improve.improve import Improve
    from incrowd.tables.values import Int64, Plan, Problem

__all__ = ["Improved", "improved"]

TOO_MANY = 2  # portions of more than so many times what was asked are left as they are


@dataclass(frozen=True, slots=True, eq=False)
class Improved:
    """What became of a plan.

    Attributes
    ----------
    plan : Settled
    bound : int
        What any release costs at least, scaled; 0 where the portions say nothing of that.
    portions, seen, lowered : int
        How many there are, how many there was time for, and how many cost less now.
    """

    plan: Settled
    bound: int
    portions: int
    seen: int
    lowered: int


def improved(
    instances: Instances, plan: Settled, cost: int, most: int, search: Auto | Improve, watch: Watch
) -> Improved:
    """Return a plan that costs no more.

    Parameters
    ----------
    instances : Instances
    plan : Settled
        Forgotten where another one is returned.
    cost : int
        What it costs, scaled.
    most : int
        Row types that are solved in memory together.
    search : Auto or Improve
        What solves a portion, from its part of the plan on.
    watch : Watch
        Its time is shared among the portions by their sizes.

    Notes
    -----
    A portion is whole groups and gets groups of at least k rows, so that every mixture of old and new portions is a
    release. Fully suppressed rows are one group in all portions: a portion changes only where k of them all or none are
    left. Where no other class can lie in two portions (`Portions.exact`), fully suppressed rows of one need no crowd:
    then what a release of the table does to it is a release of it, and so the sum of their bounds is a bound.
    """
    engine = instances.engine
    try:
        with stoppable(engine, watch):
            cut = portioned(instances, plan, most)
    except Cut:
        return Improved(plan, 0, 0, 0, 0)
    one = _Improvement(instances, plan, cost)
    left, bound, seen = sum(cut.sizes.values()), 0, 0
    for number, size in cut.sizes.items():
        if watch.stopped:
            break
        share = TimeShare.of(watch, size / left)
        share.on_event = None  # what it would tell is of a portion
        share.room = _half(watch)
        left -= size
        if size > TOO_MANY * most:  # a group, or a value that is kept, beyond what fits
            continue
        with engine.guard("improving the plan"):
            bound += one.look(cut, number, search, share)
        watch.short = False  # near its limit on memory this portion ended early; the next begins with room
        seen += 1
        watch.tell("solve", portions=seen, cost=one.cost)
    with engine.guard("putting the plan together"):
        plan = one.together(cut)
        engine.drop(cut.lines)
    return Improved(plan, bound if cut.exact and seen == len(cut.sizes) else 0, len(cut.sizes), seen, len(one.lowered))


class _Improvement:
    """A plan of which portions are replaced one by one."""

    def __init__(self, instances: Instances, plan: Settled, cost: int) -> None:
        self.instances, self.plan, self.cost = instances, plan, cost
        self.engine, self.problem = instances.engine, instances.problem
        self.top = tuple(self.problem.top)
        self.vectors = list(plan.vectors)
        self.groups = plan.groups
        self.lowered: list[int] = []
        self.pieces: Pieces | None = None
        self.stars = [seq for seq, vector in enumerate(self.vectors) if vector == self.top]
        self.starred = self._starred()

    def _starred(self) -> int:
        """Return how many rows are fully suppressed."""
        parts = self.plan.parts
        lines = parts.filter(parts.seq.isin([whole(seq) for seq in self.stars])) if self.stars else parts.limit(0)
        with self.engine.guard("adding up the plan"):
            return int(self.engine.one(lines.aggregate(rows=lines.n.sum()))["rows"] or 0)

    def look(self, cut: Portions, number: int, search: Auto | Improve, watch: Watch) -> int:
        """Solve a portion anew; return its bound."""
        wanted = cut.lines.filter(cut.lines.portion == whole(number)).order_by([*self.instances.words, "group"])
        found = self.engine.fetch(wanted)
        lines = {name: found.column(name).to_numpy().astype(np.int64) for name in found.column_names}
        if int(lines["n"].sum()) < self.problem.k:  # fully suppressed rows that need no crowd
            return 0
        small, now = self._now(lines, free=cut.exact and len(cut.sizes) > 1)
        before = now.cost(small)
        first = Solution(now, Bound(0, 0, "none"), "heuristic", "greedy", {})
        best = search.go_on(small, watch, first)
        cost = best.plan.cost(small)
        starred = self.starred + _rows_under(best.plan, self.top) - _rows_under(now, self.top)
        crowd = self.problem.outliers == "suppress" or starred == 0 or starred >= self.problem.k
        if cost < before and crowd:
            new = self.engine.put(parts_of(self.instances, small, best.plan, self.vectors, self.groups))
            if self.pieces is None:
                self.pieces = Pieces(self.engine, new.limit(0))
            self.pieces.add(new)
            self.groups += best.plan.groups
            self.cost -= before - cost
            self.starred = starred
            self.lowered.append(number)
        return best.bound.value

    def _now(self, lines: dict[str, Int64], *, free: bool) -> tuple[Problem, Plan]:
        """Return the problem of some lines, and the plan that they are."""
        words = [lines[name] for name in self.instances.words]
        small_numbers = [np.unique(word, return_inverse=True)[1].reshape(-1) for word in words]
        firsts, kind = row_numbers(small_numbers, len(lines["n"]))
        counts = np.zeros(len(firsts), np.int64)
        np.add.at(counts, kind, lines["n"])
        small, order = problem_of(self.instances, [word[firsts] for word in words], counts)
        starred = int(lines["n"][np.isin(lines["seq"], self.stars)].sum())
        if small.patterns.allows_full_suppression and (free or 0 < starred < small.k):
            small = dataclasses.replace(small, outliers="suppress")
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        turn = np.argsort(lines["group"], kind="mergesort")
        begins = np.flatnonzero(np.diff(lines["group"][turn], prepend=-1))
        groups = [
            (self.vectors[int(lines["seq"][some[0]])], place[kind[some]], lines["n"][some])
            for some in np.split(turn, begins[1:])
        ]
        return small, as_plan(small, groups)

    def together(self, cut: Portions) -> Settled:
        """Return the plan with what became of its portions."""
        if self.pieces is None:
            return self.plan
        columns = self.plan.parts.columns
        gone = self.engine.put(pa.table({"portion": pa.array(self.lowered, pa.int64())}))
        self.pieces.add(self.engine.keep(cut.lines.anti_join(gone, "portion").select(*columns)))
        every = self.pieces.table()
        lines = joined_up(self.instances, every.select(*columns), self.vectors)
        self.engine.drop(every)
        self.engine.drop(self.plan.parts)
        return Settled(lines, self.vectors, True, self.groups)


def _half(watch: Watch) -> Callable[[], int] | None:
    """Return what a search may plan with: half of what is left, for the engine works beside it."""
    room = watch.room
    return None if room is None else lambda: room() // 2


def _rows_under(plan: Plan, vector: tuple[int, ...]) -> int:
    return int(plan.sizes()[(plan.levels == np.array(vector, np.int8)).all(axis=1)].sum())
