"""One portion of a plan solved anew in memory: arrays in, lines out, and no engine, so that an executor can do it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import ibis
import numpy as np
import pyarrow as pa

from incrowd.tables.large.prices import SEARCH, PriceList
from incrowd.tables.large.sweep import parts_of, problem_of
from incrowd.tables.large.types import whole
from incrowd.tables.row_numbers import added_up, row_numbers
from incrowd.tables.solve.shared.partial_plan import as_plan
from incrowd.tables.solve.shared.time_limit import TimeShare
from incrowd.tables.values import Bound, Solution

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

    from incrowd.progress import Watch
    from incrowd.tables.large.floor import Floor
    from incrowd.tables.large.prices import PriceUnit
    from incrowd.tables.large.sweep import Settled
    from incrowd.tables.large.types import Instances
    from incrowd.tables.large.words import Layout
    from incrowd.tables.solve.auto import Auto
    from incrowd.tables.solve.improve.improve import Improve
    from incrowd.tables.values import Int64, Plan, Problem


@dataclass(frozen=True, slots=True, eq=False)
class Anew:
    """What became of a portion.

    `before`, `cost`: what it cost and what it costs now, scaled. `starred`, `leaves`: its fully suppressed rows before
    and now. `bound`: what any release of it alone costs at least, scaled. `classes`: how many classes it has now.
    `per_row`: its part of the table's per-row bound, scaled; 0 where no prices are wanted. `proven`: what its prices
    prove of it alone, in parts of the table's prices; 0 where none are wanted. `vectors`: level vectors that its plan
    adds to those there were.
    """

    before: int
    cost: int
    starred: int
    leaves: int
    bound: int
    classes: int
    per_row: int = 0
    proven: int = 0
    vectors: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class PortionSearch:
    """How portions of one plan are solved.

    `problem`: of the whole table; its row types are not looked at. `vectors`: of the plan, by ``seq``. `free`: whether
    fully suppressed rows of a portion need no crowd. `search`: what solves one, from its part of the plan on. `unit`:
    in what its prices are; None where none are wanted.
    """

    problem: Problem
    layout: Layout
    vectors: tuple[tuple[int, ...], ...]
    free: bool
    search: Auto | Improve
    unit: PriceUnit | None = None

    def anew(self, portion: pa.Table, watch: Watch) -> tuple[Anew | None, pa.Table | None]:
        """Solve a portion anew: what became of it, and lines: prices (of no rows), and its plan where that costs less.

        `portion` has lines of `Portions.lines`, and where prices are wanted also ``best``, what a row of the type costs
        at least. It stays as it is where its rows are fewer than k, which are fully suppressed and need no crowd.
        """
        words = [f"w{i}" for i in range(self.layout.words)]
        wanted = [*words, "n", "group", "seq", *(["best"] if self.unit is not None else [])]
        lines = {name: portion.column(name).to_numpy().astype(np.int64) for name in wanted}
        order = np.lexsort([lines[name] for name in ("group", *reversed(words))])
        lines = {name: array[order] for name, array in lines.items()}
        if int(lines["n"].sum()) < self.problem.k:
            return None, None
        small, now, named = self._now(lines)
        before, vectors, pieces = now.cost(small), list(self.vectors), list[pa.Table]()
        first = Solution(now, Bound(0, 0, "none"), "heuristic", "greedy", {})
        best = self.search.go_on(small, watch if self.unit is None else TimeShare.of(watch, SEARCH), first)
        cost = best.plan.cost(small)
        top = tuple(self.problem.top)
        if cost < before:
            pieces.append(parts_of(self.layout, small, best.plan, vectors, 0))
        told = Anew(
            before, cost, _rows_under(now, top), _rows_under(best.plan, top), best.bound.value, best.plan.classes,
            vectors=tuple(vectors[len(self.vectors) :]),
        )  # fmt: skip
        if self.unit is not None:
            least, counts = lines["best"][named], small.types.counts
            prices = PriceList.per_row(self.unit, least, counts).or_better(self.unit, small, best, watch)
            per_row = int((least * counts).sum())
            told = dataclasses.replace(told, bound=max(told.bound, per_row), per_row=per_row, proven=prices.value)
            pieces.append(pa.table({**{word: lines[word][named] for word in words}, "p": prices.prices}))
        number, names = portion.column("portion")[0].as_py(), [*words, *LINES]
        return told, pa.concat_tables([filled(number, piece, names) for piece in pieces]) if pieces else None

    def _now(self, lines: dict[str, Int64]) -> tuple[Problem, Plan, Int64]:
        """Return the problem of some lines, the plan that they are, and a line of each row type."""
        words = [lines[f"w{i}"] for i in range(self.layout.words)]
        small_numbers = [np.unique(word, return_inverse=True)[1].reshape(-1) for word in words]
        firsts, kind = row_numbers(small_numbers, len(lines["n"]))
        counts = added_up(kind, lines["n"], len(firsts))
        small, order = problem_of(self.problem, self.layout, [word[firsts] for word in words], counts)
        top = tuple(self.problem.top)
        stars = [seq for seq, vector in enumerate(self.vectors) if vector == top]
        starred = int(lines["n"][np.isin(lines["seq"], stars)].sum())
        if small.patterns.allows_full_suppression and (self.free or 0 < starred < small.k):
            small = dataclasses.replace(small, outliers="suppress")
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        turn = np.argsort(lines["group"], kind="mergesort")
        begins = np.flatnonzero(np.diff(lines["group"][turn], prepend=-1))
        classes = [
            (self.vectors[int(lines["seq"][some[0]])], place[kind[some]], lines["n"][some])
            for some in np.split(turn, begins[1:])
        ]
        return small, as_plan(small, classes), firsts[order]


# Columns of a portion's lines beside its number and words.
LINES = ("n", "group", "seq", "cost", "p")


def filled(number: int, lines: pa.Table, names: Sequence[str]) -> pa.Table:
    """Return lines of a portion; what they lack is 0."""
    nothing = np.zeros(lines.num_rows, np.int64)
    held = {name: np.asarray(lines.column(name)) if name in lines.column_names else nothing for name in names}
    return pa.table({"portion": nothing + number, **held})


def _rows_under(plan: Plan, vector: tuple[int, ...]) -> int:
    return int(plan.sizes()[(plan.levels == np.array(vector, np.int8)).all(axis=1)].sum())


# A plan in the engine, cut into portions that fit in memory; what lies near lies in one portion.
#
# A portion is whole classes, so that whatever becomes of it the others keep their k rows; rows that are fully
# suppressed are near what they would show. Where every pattern but full suppression keeps a column (or a level of it)
# and no value of what is kept has too many row types, the portions part at these values: a release of the table is then
# one of each.
PATTERNS = 4096  # that are looked through for what all of them keep


@dataclass(frozen=True, slots=True, eq=False)
class Portions:
    """The lines of a plan, each in a portion.

    `lines`: as `Settled.parts`, and ``portion``. `sizes`: lines of each portion. `exact`: whether no class of any
    release lies in two portions, but for the fully suppressed rows.
    """

    lines: ir.Table
    sizes: dict[int, int]
    exact: bool


def portioned(instances: Instances, plan: Settled, most: int) -> Portions:
    """Cut a plan into portions.

    The plan is not changed. `most` is the number of lines of a portion, at least 1; it has more by what its last class,
    or value that is kept, has. There is one GROUP BY over the plan, one sort of its classes and two joins.
    """
    engine = instances.engine
    with engine.guard("cutting the plan into portions"):
        lines, exact = _by_what_is_kept(instances, plan, most), True
        if lines is None:
            lines, exact = _by_groups(instances, plan, most), False
        counted = engine.fetch(lines.group_by("portion").aggregate(lines=lines.count()).order_by("portion"))
    return Portions(lines, {int(one["portion"]): int(one["lines"]) for one in counted.to_pylist()}, exact)


def with_per_row(instances: Instances, cut: Portions, least: Floor) -> Portions:
    """Return portions whose lines say as ``best`` what a row of their type costs at least.

    `cut` is forgotten, and `least` comes with prices. It takes one GROUP BY over the row types and one join.
    """
    if least.prices is None:
        raise ValueError("a per-row bound without prices")
    engine, words = instances.engine, instances.words
    with engine.guard("cutting the plan into portions"):
        told = least.prices.table()
        best = told.group_by(words).aggregate(best=told.best.min())
        lines = engine.keep(cut.lines.join(best, words).order_by("portion"))
        engine.drop(cut.lines)
    return dataclasses.replace(cut, lines=lines)


def _by_what_is_kept(instances: Instances, plan: Settled, most: int) -> ir.Table | None:
    """Return the lines in portions that no allowed pattern joins, None where some would be too large."""
    engine, keys = instances.engine, instances.keys
    kept = _reach(instances.problem)
    if kept == tuple(instances.problem.top):
        return None
    shown = instances.under(plan.parts, kept)
    grouped = engine.keep(shown.group_by(keys).aggregate(lines=shown.count()))
    lines = None
    if int(engine.one(grouped.aggregate(most=grouped.lines.max()))["most"]) <= most:
        lines = engine.keep(shown.join(_numbered(grouped, keys, most), keys).drop(*keys).order_by("portion"))
    engine.drop(grouped)
    return lines


def _reach(problem: Problem) -> tuple[int, ...]:
    """Return the highest level of each column in any allowed pattern but full suppression."""
    patterns, top = problem.patterns, tuple(problem.top)
    if not patterns.allows_full_suppression or patterns.count() > PATTERNS:
        return tuple(patterns.reach())
    blocks = patterns.by_cost(problem.floor_costs(), problem.ties())
    others = [vector for block in blocks for vector in map(tuple, block.levels.tolist()) if vector != top]
    return tuple(max(levels) for levels in zip(*others, strict=True)) if others else top


def _by_groups(instances: Instances, plan: Settled, most: int) -> ir.Table:
    """Return the lines in portions of whole classes, those that show like values one after the other."""
    engine, words = instances.engine, instances.words
    near, order = _what_is_shown(instances, plan)
    joined = plan.parts.join(near, "seq")
    shown = {f"b{j}": joined[f"w{instances.layout.place[j][0]}"] & joined[f"m{j}"] for j in order}
    own = {f"u{w}": ibis.ifelse(joined.loose == 1, joined[w], whole(-1)) for w in words}
    joined = joined.mutate(**shown, **own)
    units = ["group", *own]
    least = {name: joined[name].min() for name in shown}
    grouped = joined.group_by(units).aggregate(lines=joined.count(), **least)
    numbered = _numbered(grouped, [*shown, *units], most).select(*units, "portion")
    return engine.keep(joined.join(numbered, units).select(*plan.parts.columns, "portion").order_by("portion"))


def _what_is_shown(instances: Instances, plan: Settled) -> tuple[ir.Table, list[int]]:
    """Return by ``seq`` which bits of each column show (``m{j}``) and whether its rows go one by one (``loose``).

    And the columns, the one that most rows show first.
    """
    engine, layout, top = instances.engine, instances.layout, tuple(instances.problem.top)
    told = engine.fetch(plan.parts.group_by("seq").aggregate(rows=plan.parts.n.sum().cast("int64")))
    rows = np.zeros(len(plan.vectors), np.int64)
    rows[told.column("seq").to_numpy().astype(np.int64)] = told.column("rows").to_numpy().astype(np.int64)
    vectors = np.array(plan.vectors, np.int64).reshape(len(plan.vectors), len(top))
    starred = (rows[:, None] * (vectors == np.array(top))).sum(axis=0)
    order = [int(j) for j in np.argsort(starred, kind="mergesort")]
    loose = [vector == top for vector in map(tuple, vectors.tolist())]
    masks = {
        f"m{j}": np.array([layout.shown(j, 0 if one else int(v[j])) for v, one in zip(vectors, loose, strict=True)])
        for j in order
    }
    lines: dict[str, Any] = {"seq": np.arange(len(vectors)), "loose": np.array(loose, np.int64), **masks}
    return engine.put(pa.table({name: pa.array(each, pa.int64()) for name, each in lines.items()})), order


def _numbered(units: ir.Table, order: Sequence[str], most: int) -> ir.Table:
    """Return units of some ``lines`` with the ``portion`` in which each begins, in an order."""
    before = units.lines.sum().over(ibis.cumulative_window(order_by=list(order))) - units.lines
    return units.mutate(portion=(before // whole(most)).cast("int64")).drop("lines")


def joined_up(instances: Instances, parts: ir.Table, vectors: Sequence[Sequence[int]]) -> ir.Table:
    """Return the lines of a plan, kept, with classes that show the same as one.

    `parts` are as `Settled.parts`, lines of one row type and class perhaps more than one. `vectors` are by ``seq``. It
    takes two GROUP BYs and two joins.
    """
    engine, words, keys = instances.engine, instances.words, instances.keys
    masks = np.array([instances.layout.masks(vector) for vector in vectors], np.int64).reshape(-1, len(words))
    told = {"seq": np.arange(len(vectors))} | {f"m{w}": masks[:, i] for i, w in enumerate(words)}
    joined = parts.join(engine.put(pa.table({name: pa.array(each, pa.int64()) for name, each in told.items()})), "seq")
    joined = joined.mutate(**{v: joined[w] & joined[f"m{w}"] for v, w in zip(keys, words, strict=True)})
    classes = joined.group_by(["seq", *keys]).aggregate(group=joined.group.min())
    named = joined.drop("group").join(classes, ["seq", *keys])
    lines = named.group_by([*words, "group", "seq", "cost"]).aggregate(n=named.n.sum().cast("int64"))
    return engine.keep(lines.select(*parts.columns))
