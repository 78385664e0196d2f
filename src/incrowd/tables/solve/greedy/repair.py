"""Leftover rows of a draft into classes of at least k rows, at little cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import Infeasible
from incrowd.tables.row_numbers import added_up, before_each

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.shared.partial_plan import PartialPlan
    from incrowd.tables.values import Int8, Int64, Problem


# Closures and patterns looked up for one leftover row; parts looked at in all, and once the run should end.
CLOSURES = 2000
CANDIDATES = 64
WORK = 500_000_000
WORK_STOPPED = 20_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Gathering:
    """An instance to open: who of the rest joins, how many rows of each part, and what it adds to the cost."""

    cost: int
    vector: Int8
    joins: NDArray[np.bool_]
    amounts: Int64
    broken: NDArray[np.bool_] | None = None


def suppress_rest(problem: Problem, draft: PartialPlan) -> None:
    """Put the whole rest into the fully suppressed class; the draft is changed in place."""
    if draft.rest_rows.size:
        draft.settle(np.ones(draft.rest_rows.size, np.bool_), draft.open_class(np.array(problem.top, np.int8)))


class Repair:
    """Moves that bring the rest of a draft into classes; every class keeps at least k rows or none."""

    def __init__(self, problem: Problem, watch: Watch) -> None:
        self.problem = problem
        self.watch = watch
        self.work = 0
        self.closed: dict[tuple[object, ...], tuple[int, ...] | None] = {}
        self.cheapest: list[tuple[Int8, int]] = []
        self.known: tuple[tuple[object, ...], Int64, Int64] | None = None

    # --- with full suppression ---------------------------------------------------------------------------

    def with_top(self, draft: PartialPlan) -> PartialPlan:
        """Return a draft without a rest, where the all-star instance is allowed but needs k rows.

        The better of: all leftover rows to the all-star instance, which fetches the missing rows from classes with more
        than k rows or swallows a class (the cheapest way to do so); every leftover row into the class that it is
        cheapest to widen; and the combinations in which the rows that widen at least cost do so and the others are
        suppressed. O(leftover types * (classes + parts) * m) time.
        """
        top = np.array(self.problem.top, np.int8)
        widened = draft.copy()
        best, best_cost = self._gather_all(draft, top)
        spent = 0
        single = sorted((self._widening(draft, x)[0], x) for x in range(draft.rest_type.size))
        names = [int(draft.rest_type[x]) for _, x in single]
        for name in names:
            x = int(np.flatnonzero(widened.rest_type == name)[0])
            cost, class_, vector = self._widening(widened, x)
            if class_ < 0:
                break
            spent += cost
            if spent >= best_cost:
                break
            self._widen(widened, x, class_, vector)
            candidate, cost = self._gather_all(widened, top)
            if spent + cost < best_cost:
                best, best_cost = candidate, spent + cost
        return best

    def _gather_all(self, draft: PartialPlan, top: Int8) -> tuple[PartialPlan, int]:
        """Return a copy with the whole rest fully suppressed, and what that adds to the cost."""
        copy = draft.copy()
        if not draft.rest_rows.size:
            return copy, 0
        gathering = self._gathering(draft, top, int(draft.rest_type[0]))
        assert gathering is not None, "n >= k rows agree on the all-star instance"
        self._open(copy, gathering)
        return copy, gathering.cost

    # --- without full suppression ------------------------------------------------------------------------

    def without_top(self, draft: PartialPlan) -> PartialPlan:
        """Return a draft without a rest, where the all-star instance is not allowed.

        Row after row, the cheaper of widening a class and opening an allowed instance with rows to spare elsewhere;
        where neither is possible an instance is opened at the cost of breaking classes, whose rows look for a place
        again. Infeasible is raised if a row finds no place, or the work runs out; its `proven` is False.
        """
        draft = draft.copy()
        forced: set[tuple[int, ...]] = set()
        while draft.rest_rows.size:
            self._check_work()
            cost, class_, vector = self._widening(draft, 0)
            gathering = self._best_opening(draft, cost if class_ >= 0 else None)
            if gathering is not None:
                self._open(draft, gathering)
            elif class_ >= 0:
                self._widen(draft, 0, class_, vector)
            else:
                gathering = self._best_opening(draft, None, forced)
                if gathering is None:
                    raise self._not_found(draft)
                self._open(draft, gathering)
        return draft

    def _best_opening(
        self, draft: PartialPlan, to_beat: int | None, forced: set[tuple[int, ...]] | None = None
    ) -> Gathering | None:
        """Return the cheapest opening for the first row of the rest below `to_beat`, or the first forced one.

        Tried are the cheapest patterns of the mask and one made from the rows nearest to the seed.
        """
        seed, e = int(draft.rest_type[0]), draft.encoded
        best: Gathering | None = None
        for vector, floor in self._candidates(draft, seed, spare=forced is None):
            if to_beat is not None and floor * draft.rest_rows[0] >= to_beat:
                continue
            self._check_work()
            self.work += draft.part_type.size
            if forced is None:
                found = self._gathering(draft, vector, seed)
                if found is not None and (to_beat is None or found.cost < to_beat):
                    best, to_beat = found, found.cost
                continue
            name = (*(int(l) for l in vector), *e.nodes[seed, e.start + vector].tolist())  # noqa: E741
            if name not in forced:
                found = self._gathering(draft, vector, seed, breaking=True)
                if found is not None:
                    forced.add(name)
                    return found
        return best

    def _candidates(self, draft: PartialPlan, seed: int, *, spare: bool) -> list[tuple[Int8, int]]:
        """Return level vectors with their floor costs: the mask's cheapest, and what the seed shares with k near rows.

        `spare`: near rows are looked for in classes with more than k rows and in the rest.
        """
        floors = self.problem.floor_costs()
        if not self.cheapest:
            for block in self.problem.patterns.by_cost(floors, self.problem.ties()):
                self.cheapest.extend(zip(block.levels, block.costs.tolist(), strict=True))
                if len(self.cheapest) >= CANDIDATES:
                    break
        e = draft.encoded
        rows = draft.part_rows
        if spare:
            rows = np.where(draft.sizes()[draft.part_class] > self.problem.k, rows, 0)
        types = np.concatenate((draft.rest_type, draft.part_type))
        rows = np.concatenate((draft.rest_rows, rows))
        types, rows = types[rows > 0], rows[rows > 0]
        apart = e.join(np.zeros((types.size, e.start.size), np.int8), types, seed)
        self.work += apart.size
        order = np.argsort(e.costs[apart + e.start, seed].sum(axis=1), kind="stable")
        enough = int(np.searchsorted(np.cumsum(rows[order]), self.problem.k)) + 1
        near = self._closure(tuple(apart[order[:enough]].max(axis=0).tolist()), floors)
        if near is None:
            return self.cheapest
        grown = np.array(near, np.int8), sum(floors[j][level] for j, level in enumerate(near))
        return [*self.cheapest, grown]

    def _check_work(self) -> None:
        if self.work > (WORK_STOPPED if self.watch.stopped else WORK):
            raise Infeasible(
                f"no release was found within the work allowed, though one may exist: k={self.problem.k} "
                "leaves rows without a group under a mask without full suppression; allow full suppression, "
                "allow more patterns or lower k",
                requirement=f"k={self.problem.k}",
                proven=False,
            )

    def _not_found(self, draft: PartialPlan) -> Infeasible:
        rows = int(draft.rest_rows.sum())
        return Infeasible(
            f"no release was found, though one may exist: {rows} {'row' if rows == 1 else 'rows'} found no group "
            f"for k={self.problem.k} under a mask without full suppression; allow full suppression, allow more "
            "patterns or lower k",
            requirement=f"k={self.problem.k}",
            proven=False,
        )

    # --- the moves ---------------------------------------------------------------------------------------

    def _widening(self, draft: PartialPlan, x: int) -> tuple[int, int, tuple[int, ...]]:
        """Return what it adds to put entry x of the rest into a class, the class (-1: none) and its new vector.

        Exact: classes are tried by increasing cost of the lowest common vector, allowed or not, until the best allowed
        one is cheaper (or 2,000 were tried).
        """
        e, row, rows = draft.encoded, int(draft.rest_type[x]), int(draft.rest_rows[x])
        sizes, costs = self._of_groups(draft)
        live = np.flatnonzero(sizes)
        if not live.size:
            return 0, -1, ()
        joined = e.join(draft.vectors[live], draft.first()[live], row)
        self.work += joined.size
        each = e.costs[joined + e.start, row].sum(axis=1)
        least = (sizes[live] + rows) * each - sizes[live] * costs[live]
        levels = [e.costs[a : a + h + 1, row].tolist() for a, h in zip(e.start, e.heights, strict=True)]
        found: tuple[int, int, tuple[int, ...]] = (0, -1, ())
        for tried, y in enumerate(np.argsort(least, kind="stable")):
            if found[1] >= 0 and (least[y] >= found[0] or tried >= CLOSURES):
                break
            vector = self._closure(tuple(joined[y].tolist()), levels)
            if vector is None:
                continue
            price = sum(levels[j][level] for j, level in enumerate(vector))
            g = int(live[y])
            cost = int(sizes[g] + rows) * price - int(sizes[g] * costs[g])
            if found[1] < 0 or cost < found[0]:
                found = cost, g, vector
        return found

    def _of_groups(self, draft: PartialPlan) -> tuple[Int64, Int64]:
        """Return sizes and row costs of the classes; every move makes new arrays, which tell that they are stale."""
        state = (draft, draft.vectors, draft.part_rows)
        if self.known is None or any(a is not b for a, b in zip(self.known[0], state, strict=True)):
            self.known = state, draft.sizes(), draft.class_costs()
        return self.known[1], self.known[2]

    def _closure(self, vector: tuple[int, ...], levels: list[list[int]]) -> tuple[int, ...] | None:
        """Return the allowed vector above that costs a row with these level costs least."""
        key = (vector, () if self.problem.uniform else tuple(map(tuple, levels)))
        if key not in self.closed:
            self.closed[key] = self.problem.patterns.cheapest_above(vector, levels)
        return self.closed[key]

    def _widen(self, draft: PartialPlan, x: int, class_: int, vector: tuple[int, ...]) -> None:
        draft.vectors = draft.vectors.copy()
        draft.vectors[class_] = vector
        draft.settle(np.arange(draft.rest_type.size) == x, class_)

    def _gathering(self, draft: PartialPlan, vector: Int8, seed: int, *, breaking: bool = False) -> Gathering | None:
        """Return the cheapest way to open the instance that shows row type `seed` under `vector`, or None.

        All leftover rows that agree join. Missing rows come from classes with more than k rows, or one whole class
        comes. `breaking`: classes may also lose the rows that agree and break up.
        """
        e, k = draft.encoded, self.problem.k
        joins = e.agree(vector, seed, draft.rest_type)
        fits = e.agree(vector, seed, draft.part_type) & (draft.part_rows > 0)
        joining = int(draft.rest_rows[joins].sum())
        if joining + int(draft.part_rows[fits].sum()) < k:
            return None
        price = int(e.costs[e.start + vector, seed].sum())
        sizes, costs = self._of_groups(draft)
        delta = price - costs
        fitting = added_up(draft.part_class[fits], draft.part_rows[fits], len(sizes))
        same = (draft.vectors == vector).all(axis=1) & (fitting > 0)
        need = max(k - joining - int(fitting[same].sum()), 0)
        base = joining * price
        nothing = np.zeros(draft.part_rows.size, np.int64)
        if need == 0:
            return Gathering(base, vector, joins, nothing)
        spare = np.where(same, 0, np.clip(np.minimum(fitting, sizes - k), 0, None))
        order = np.argsort(delta, kind="stable")
        chosen = np.zeros(len(sizes), np.int64)
        chosen[order] = np.clip(need - (np.cumsum(spare[order]) - spare[order]), 0, spare[order])
        best: Gathering | None = None
        if chosen.sum() == need:
            amounts = _from_parts(draft, fits, chosen)
            best = Gathering(base + int((chosen * delta).sum()), vector, joins, amounts)
        whole = np.flatnonzero((fitting == sizes) & (sizes > 0) & ~same)
        if whole.size:
            g = int(whole[np.argmin((delta * sizes)[whole])])
            if best is None or base + delta[g] * sizes[g] < best.cost:
                amounts = np.where(draft.part_class == g, draft.part_rows, 0)
                best = Gathering(base + int(delta[g] * sizes[g]), vector, joins, amounts)
        if best is None and breaking:
            chosen = spare.copy()
            missing, broken = need - int(spare.sum()), np.zeros(len(sizes), np.bool_)
            for g in np.argsort(sizes - fitting, kind="stable"):
                if missing <= 0:
                    break
                if fitting[g] > spare[g] and not same[g]:
                    broken[g] = True
                    missing -= int(fitting[g] - spare[g])
                    chosen[g] = fitting[g]
            best = Gathering(base, vector, joins, _from_parts(draft, fits, chosen), broken)
        return best

    def _open(self, draft: PartialPlan, gathering: Gathering) -> None:
        class_ = draft.open_class(gathering.vector)
        draft.move(gathering.amounts, class_)
        draft.settle(gathering.joins, class_)
        if gathering.broken is not None:
            broken = np.concatenate((gathering.broken, [False]))
            draft.unsettle(broken[draft.part_class])


def _from_parts(draft: PartialPlan, fits: NDArray[np.bool_], amounts: Int64) -> Int64:
    """Return how many rows of each fitting part make up ``amounts[g]`` rows of every class g."""
    order = np.lexsort((draft.part_type, draft.part_class))
    rows, class_ = np.where(fits, draft.part_rows, 0)[order], draft.part_class[order]
    taken = np.empty_like(rows)
    taken[order] = np.clip(amounts[class_] - before_each(class_, rows), 0, rows)
    return taken
