"""A cheaper plan portion by portion: what fits in memory is given to the solvers that ever had it there."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from incrowd.errors import Infeasible, InputError
from incrowd.progress import Watch, WithDeadline, search_time
from incrowd.tables.engine.spark_tasks import done_by_group, tasks_of
from incrowd.tables.large.pieces import Pieces
from incrowd.tables.large.portion import Anew, PortionSearch, joined_up, portioned, with_per_row
from incrowd.tables.large.prices import Prices, price_unit
from incrowd.tables.large.sweep import Settled
from incrowd.tables.large.types import Cut, stoppable, whole
from incrowd.tables.solve.mishap import release_kept
from incrowd.tables.solve.shared.time_limit import TimeShare
from incrowd.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import ibis.expr.types as ir

    from incrowd.tables.large.floor import Floor
    from incrowd.tables.large.portion import Portions
    from incrowd.tables.large.prices import PriceUnit
    from incrowd.tables.large.types import Instances
    from incrowd.tables.solve.auto import Auto
    from incrowd.tables.solve.improve.improve import Improve

TOO_MANY = 2  # portions of more than so many times what was asked are left as they are


@dataclass(frozen=True, slots=True, eq=False)
class Improved:
    """What became of a plan.

    `bound`: what any release costs at least, scaled; 0 where the portions say nothing of that. `portions`, `seen`,
    `lowered`: how many there are, how many there was time for, and how many cost less now. `note`: what to tell the
    user besides. `prices`: those of the portions for a certificate; None where none are wanted, or where portions say
    nothing of the bound.
    """

    plan: Settled
    bound: int
    portions: int
    seen: int
    lowered: int
    note: str = ""
    prices: Prices | None = None


def improved(
    instances: Instances,
    plan: Settled,
    cost: int,
    most: int,
    search: Auto | Improve,
    watch: Watch,
    least: Floor | None = None,
) -> Improved:
    """Return a plan that costs no more.

    `plan` costs `cost`, scaled, and is forgotten where another one is returned. `most` row types are solved in memory
    together. `search` is what solves a portion, from its part of the plan on, and the time of `watch` is shared among
    the portions by their sizes. `least` is the per-row bound, complete and with prices, where a certificate is wanted.
    A portion is whole classes and gets classes of at least k rows, so that every mixture of old and new portions is a
    release. Fully suppressed rows are one class in all portions: a portion changes only where k of them all or none are
    left. Where no other class can lie in two portions (`Portions.exact`), fully suppressed rows of one need no crowd:
    then what a release of the table does to it is a release of it, and so the sum of their bounds is a bound. With the
    per-row prices at hand a portion that nobody looked at counts with these.
    """
    engine = instances.engine
    try:
        with stoppable(engine, watch):
            cut, unit = cut_for(instances, plan, most, least)
    except Cut:
        return Improved(plan, 0, 0, 0, 0)
    except InputError as error:
        return Improved(plan, 0, 0, 0, 0, f"not improved ({error})")
    one = Mixture(instances, plan, cost)
    solver = one.solver(cut, search, unit)
    pieces: Pieces | None = None
    priced: Pieces | None = None
    bounds = BoundSum(cut, least, unit)
    left, seen = sum(cut.sizes.values()), 0
    for number, size in cut.sizes.items():
        if watch.stopped:
            break
        share = TimeShare.of(watch, size / left)
        share.on_event = None  # what it would tell is of a portion
        share.memory_budget = _half(watch)
        left -= size
        if size > TOO_MANY * most:  # a class, or a value that is kept, beyond what fits
            continue
        with engine.guard("improving the plan"):
            here = cut.lines.filter(cut.lines.portion == whole(number)).order_by([*instances.words, "group"])
            vectors, classes = list(one.vectors), one.classes
            found = None
            with release_kept(watch):
                found = solver.solve(_arrays(engine.fetch(here)), vectors, share)
            if found is not None:
                told, made, prices = found
                bounds.add(told)
                if prices is not None:
                    fresh = engine.put(prices)
                    priced = priced or Pieces(engine, fresh.limit(0))
                    priced.add(fresh)
                if made is not None and one.takes(number, told):
                    one.vectors = vectors
                    at = made.schema.get_field_index("group")
                    new = engine.put(made.set_column(at, "group", pc.add(made.column(at), classes)))
                    pieces = pieces or Pieces(engine, new.limit(0))
                    pieces.add(new)
        watch.short = False  # near its limit on memory this portion ended early; the next begins with room
        seen += 1
        watch.report("solve", portions=seen, cost=one.cost)
    with engine.guard("putting the plan together"):
        plan = one.together(cut, pieces.table()) if pieces is not None else plan
        engine.drop(cut.lines)
    prices = None if priced is None or unit is None else Prices(priced.table(), unit.parts, bounds.proven())
    return Improved(plan, bounds.bound(one.cost, seen), len(cut.sizes), seen, len(one.lowered), prices=prices)


def cut_for(instances: Instances, plan: Settled, most: int, least: Floor | None) -> tuple[Portions, PriceUnit | None]:
    """Return the portions of a plan, and in what their prices are; None where they are worth nothing to a certificate.

    `most` is the number of row types of a portion. `least` has prices where a certificate is wanted.
    """
    cut = portioned(instances, plan, most)
    if least is None or least.prices is None or not cut.exact:
        return cut, None
    return with_per_row(instances, cut, least), price_unit(instances.problem)


class Mixture:
    """A plan of which portions are replaced one by one.

    The plan costs `cost`, scaled. `cost`: with what was replaced. `vectors`: by ``seq``. `groups`: numbers below it are
    taken. `lowered`: the portions that were replaced.
    """

    def __init__(self, instances: Instances, plan: Settled, cost: int) -> None:
        self.instances, self.plan, self.cost = instances, plan, cost
        self.engine, self.problem = instances.engine, instances.problem
        self.vectors = list(plan.vectors)
        self.classes = plan.classes
        self.lowered: list[int] = []
        self._starred = self._suppressed()

    def solver(self, cut: Portions, search: Auto | Improve, unit: PriceUnit | None) -> PortionSearch:
        """Return how a portion is solved. `unit` is in what its prices are, or None where none are wanted."""
        vectors, free = tuple(self.plan.vectors), cut.exact and len(cut.sizes) > 1
        return PortionSearch(self.problem, self.instances.layout, vectors, free, search, unit)

    def takes(self, number: int, told: Anew) -> bool:
        """Return whether the plan takes a portion that costs less: unless too few fully suppressed rows would be left.

        `number` is that of the portion, and `told` what became of it; its classes are counted where it is taken.
        """
        starred = self._starred + told.leaves - told.starred
        if self.problem.outliers != "suppress" and 0 < starred < self.problem.k:
            return False
        self.classes += told.classes
        self.cost -= told.before - told.cost
        self._starred = starred
        self.lowered.append(number)
        return True

    def together(self, cut: Portions, new: ir.Table) -> Settled:
        """Return the plan with what became of its portions.

        `new` has the lines of those that were replaced, and is forgotten.
        """
        columns = self.plan.parts.columns
        gone = self.engine.put(pa.table({"portion": pa.array(self.lowered, pa.int64())}))
        kept = self.engine.keep(cut.lines.anti_join(gone, "portion").select(*columns))
        every = new.select(*columns).union(kept, distinct=False)
        lines = joined_up(self.instances, every, self.vectors)
        for done in (new, kept, self.plan.parts):
            self.engine.drop(done)
        return Settled(lines, self.vectors, True, self.classes)

    def _suppressed(self) -> int:
        """Return how many rows are fully suppressed."""
        parts, top = self.plan.parts, tuple(self.problem.top)
        stars = [whole(seq) for seq, vector in enumerate(self.vectors) if vector == top]
        lines = parts.filter(parts.seq.isin(stars)) if stars else parts.limit(0)
        with self.engine.guard("adding up the plan"):
            return int(self.engine.one(lines.aggregate(rows=lines.n.sum()))["rows"] or 0)


def _arrays(lines: pa.Table) -> dict[str, np.ndarray]:
    return {name: lines.column(name).to_numpy().astype(np.int64) for name in lines.column_names}


def _half(watch: Watch) -> Callable[[], int] | None:
    """Return what a search may plan with: half of what is left, for the engine works beside it."""
    room = watch.memory_budget
    return None if room is None else lambda: room() // 2


# Portions of a plan improved by Spark's executors: what one machine does in turn.
#
# Each portion is a group of Spark's own grouped map, solved with `incrowd` as it is installed there; what comes back to
# the driver is one line a portion. An executor that is lost costs time only; a stop costs what was not told by then.
BEGIN = 4.0  # seconds that Spark takes beside those that the searches are given
GRACE, LATE = 2.0, 0.1  # seconds after the time is over, and share of a search's, in which the work may still end
LEAST = 0.2  # seconds that a search is begun for


def improved_by_executors(
    instances: Instances,
    plan: Settled,
    cost: int,
    most: int,
    search: Auto | Improve,
    watch: Watch,
    least: Floor | None = None,
) -> Improved:
    """Return a plan that costs no more, as `incrowd.tables.large.improvement.improved` does.

    The engine of `instances` is on Spark. `plan` costs `cost`, scaled, and is forgotten where another one is returned.
    A task solves `most` row types together, and each has the same time of `watch`. `least` is the per-row bound,
    complete and with prices, where a certificate is wanted. Where nothing ends by time, portions, what becomes of them
    and the order in which they are taken are those of one machine, and so is the plan. Where executors lack incrowd, or
    fail, the plan stays as it is, and the note says so.
    """
    engine = instances.engine
    try:
        with stoppable(engine, watch), engine.guard("looking what executors have"):
            tasks, versions = tasks_of(engine, __name__)
        if versions != {__version__}:
            return Improved(plan, 0, 0, 0, 0, _lacking(versions))
        with stoppable(engine, watch):
            cut, unit = cut_for(instances, plan, most, least)
    except Cut:
        return Improved(plan, 0, 0, 0, 0, "not improved: greedy and bound took the time that there was")
    one, bounds = Mixture(instances, plan, cost), BoundSum(cut, least, unit)
    solver = one.solver(cut, search, unit)
    fit = [(number,) for number, size in cut.sizes.items() if size <= TOO_MANY * most]
    seconds = _seconds(watch, -(-len(fit) // tasks))
    made, note = None, ""
    heads: list[dict[str, Any]] = []
    names = [*instances.words, "n", "group", "seq", "cost"]
    if fit and not watch.stopped and (seconds is None or seconds >= LEAST):
        kinds = ", ".join(["portion bigint", "told string", *(f"{name} bigint" for name in (*names, "p"))])
        try:
            with stoppable(engine, _a_little_later(watch, seconds)), engine.guard("improving the plan on executors"):
                wanted = cut.lines.semi_join(engine.put(_table(fit, ["portion"])), "portion")
                work = _work(solver, seconds)
                made = engine.keep(done_by_group(engine, wanted, "portion", work, kinds, len(fit)))
                told = made.filter(made.told.notnull()).select("portion", "told").order_by("portion")
                heads = engine.fetch(told).to_pylist()
        except Cut:
            pass
        except InputError as error:
            note = f"improvement on executors ended early ({error})"
    # of each portion that is replaced: where its class numbers begin, and what its new vectors are called here
    taken: list[tuple[int, int]] = []
    called: list[tuple[int, int, int]] = []
    for line in heads:
        number, said = int(line["portion"]), json.loads(line["told"])
        if said["anew"] is None:
            continue
        anew, begin = Anew(**said["anew"]), one.classes
        bounds.add(anew)
        if anew.cost >= anew.before or not one.takes(number, anew):
            continue
        taken.append((number, begin))
        for i, vector in enumerate(map(tuple, said["vectors"]), len(solver.vectors)):
            if vector not in one.vectors:
                one.vectors.append(vector)
            called.append((number, i, one.vectors.index(vector)))
    watch.report("solve", portions=len(heads), cost=one.cost)
    prices = None
    with engine.guard("putting the plan together"):
        if made is not None and heads:
            lines = made.filter(made.told.isnull())
            if unit is not None:
                priced = engine.keep(lines.filter(lines.n == 0).select(*instances.words, "p"))
                prices = Prices(priced, unit.parts, bounds.proven())
            if taken:
                lines = lines.filter(lines.n > 0).join(engine.put(_table(taken, ["portion", "taken"])), "portion")
                lines = lines.mutate(group=lines.group + lines.taken)
                if called:
                    lines = lines.left_join(
                        engine.put(_table(called, ["portion", "seq", "called"])), ["portion", "seq"]
                    )
                    lines = lines.mutate(seq=lines.called.fill_null(lines.seq))
                plan = one.together(cut, engine.keep(lines.select(*names)))
        for done in (made, cut.lines):
            if done is not None:
                engine.drop(done)
    bound = bounds.bound(one.cost, len(heads))
    return Improved(plan, bound, len(cut.sizes), len(heads), len(one.lowered), note, prices)


def _work(solver: PortionSearch, seconds: float | None) -> Callable[[pa.Table], pa.Table]:
    """Return what a task makes of a portion: a line that tells of it, prices (lines of no rows) and its new lines."""

    def work(table: pa.Table) -> pa.Table:
        words = [f"w{i}" for i in range(solver.layout.words)]
        wanted = [*words, "n", "group", "seq", *(["best"] if solver.unit is not None else [])]
        lines = _arrays(table.select(wanted))
        order = np.lexsort([lines[name] for name in ("group", *reversed(words))])
        watch = Watch()
        watch.limit(seconds)
        vectors = list(solver.vectors)
        try:
            found = solver.solve({name: array[order] for name, array in lines.items()}, vectors, watch)
        except (Infeasible, MemoryError):  # as it was is a release too
            found = None
        anew, made, prices = found or (None, None, None)
        told = {
            "anew": anew and {name: int(getattr(anew, name)) for name in Anew.__slots__},
            "vectors": [[int(level) for level in vector] for vector in vectors[len(solver.vectors) :]],
        }
        number, names = table.column("portion")[0].as_py(), [*words, "n", "group", "seq", "cost", "p"]
        pieces = [piece for piece in (prices, made) if piece is not None]
        return pa.concat_tables(
            [_told(number, json.dumps(told), None, names), *(_told(number, None, piece, names) for piece in pieces)]
        )

    return work


def _told(number: int, told: str | None, lines: pa.Table | None, names: list[str]) -> pa.Table:
    """Return lines of a portion; those of its plan and its prices have nothing told, and what they lack is 0."""
    rows = 1 if lines is None else lines.num_rows
    kinds = {"portion": pa.array([number] * rows, pa.int64()), "told": pa.array([told] * rows, pa.string())}
    there = set() if lines is None else set(lines.column_names)
    every = {
        name: np.asarray(lines.column(name)) if lines is not None and name in there else np.zeros(rows, np.int64)
        for name in names
    }
    return pa.table(kinds | {name: pa.array(column, pa.int64()) for name, column in every.items()})


def _table(lines: Sequence[tuple[int, ...]], names: list[str]) -> pa.Table:
    columns = zip(names, zip(*lines, strict=True), strict=True)
    return pa.table({name: pa.array(column, pa.int64()) for name, column in columns})


def _seconds(watch: Watch, turns: int) -> float | None:
    """Return how long each search has, where tasks do so many of them one after the other."""
    if watch.deadline is None:
        return None
    return (watch.deadline - search_time() - BEGIN) / max(turns, 1)


def _a_little_later(watch: Watch, seconds: float | None) -> Watch:
    """Return a watch for executors: searches end by themselves when the time is over, a little later they are cut."""
    if watch.deadline is None or seconds is None:
        return watch
    return WithDeadline(watch, watch.deadline + max(GRACE, LATE * seconds))


def _lacking(versions: frozenset[str]) -> str:
    """Return why executors improve nothing."""
    has = "lack it" if versions == {""} else "have another version, or some of them lack it"
    return (
        f"not improved: that is done by executors with incrowd {__version__} installed, and these {has}; send the "
        "environment (spark.archives)"
    )


# What the bounds of a plan's portions come to: a portion that nobody looked at counts with its per-row prices.
class BoundSum:
    """The bound of a table, portion by portion.

    `least` is the table's per-row bound, and `unit` is in what the prices of portions are. Both are None where portions
    come without prices.
    """

    def __init__(self, cut: Portions, least: Floor | None, unit: PriceUnit | None) -> None:
        self.cut, self.least, self.unit = cut, least, unit
        self._bounds = self._per_row = self._proven = 0
        self._alone = True

    def add(self, told: Anew) -> None:
        """Hear of a portion."""
        self._bounds += told.bound
        self._per_row += told.per_row
        self._proven += told.proven
        if self.unit is not None and self.unit.rounded_up(told.proven) < told.bound:
            self._alone = False

    def proven(self) -> int:
        """Return what the prices of all portions prove of the table, scaled; 0 where there are none."""
        if self.unit is None or self.least is None:
            return 0
        return self.unit.rounded_up((self.least.value - self._per_row) * self.unit.parts + self._proven)

    def bound(self, cost: int, seen: int) -> int:
        """Return what any release costs at least, scaled; 0 where the portions say nothing of that.

        `cost` is that of the release at hand, scaled, and `seen` is how many portions were looked at. Bounds of
        portions are rounded up one by one, and prices of the table once. Where nothing but that lies between them, and
        no proof that nothing is cheaper is lost by it, the bound is what the prices prove.
        """
        if self.unit is None or self.least is None:
            return self._bounds if self.cut.exact and seen == len(self.cut.sizes) else 0
        every = self.least.value + self._bounds - self._per_row
        return self.proven() if self._alone and every < cost else every
