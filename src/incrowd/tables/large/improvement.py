"""A cheaper plan portion by portion: what fits in memory is given to the solvers that ever had it there."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from incrowd.errors import Infeasible, InputError
from incrowd.progress import Watch, WithDeadline, search_time
from incrowd.tables.engine.spark_tasks import done_by_executors, slots
from incrowd.tables.large.pieces import Pieces
from incrowd.tables.large.portion import Anew, PortionSearch, joined_up, portioned, with_per_row
from incrowd.tables.large.prices import Prices, price_unit
from incrowd.tables.large.sweep import Settled
from incrowd.tables.large.types import Cut, stoppable, whole
from incrowd.tables.solve.mishap import release_kept
from incrowd.tables.solve.shared.time_limit import TimeShare
from incrowd.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

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


# Portions of a plan improved by Spark's executors, as many at a time as it has slots: what one machine does in turn.
#
# Each portion is solved by one task, with `incrowd` as it is installed there; what comes back to the driver is one line
# a portion. They go in waves. What a wave has found is kept as everything is that Spark computes, so that an executor
# which is lost costs time only, and a stop costs the wave that runs.
BEGIN = 4.0  # seconds that a wave takes beside those that its searches are given, before any wave has told
GRACE, LATE = 2.0, 0.1  # seconds after the time is over, and share of a wave's, in which it may still end
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
    A task solves `most` row types together. The time of `watch` is shared among the waves by their sizes; portions of
    one wave have the same. `least` is the per-row bound, complete and with prices, where a certificate is wanted. Where
    nothing ends by time, portions, what becomes of them and the order in which they are taken are those of one machine,
    and so is the plan. Where executors lack incrowd, or a wave cannot be computed, the plan stays as far as it is, and
    the note says so.
    """
    engine = instances.engine
    try:
        with stoppable(engine, watch), engine.guard("looking what executors have"):
            there = slots(engine, __name__)
        if there.versions != {__version__}:
            return Improved(plan, 0, 0, 0, 0, _lacking(there.versions))
        with stoppable(engine, watch):
            cut, unit = cut_for(instances, plan, most, least)
    except Cut:
        return Improved(plan, 0, 0, 0, 0, "not improved: greedy and bound took the time that there was")
    bounds = BoundSum(cut, least, unit)
    one = _Waves(instances, plan, cost, cut, search, bounds)
    fit = [(number, size) for number, size in cut.sizes.items() if size <= TOO_MANY * most]
    note = ""
    for at in range(0, len(fit), len(there.sent)):
        wave = fit[at : at + len(there.sent)]
        seconds = _seconds(watch, sum(size for _, size in wave) / sum(size for _, size in fit[at:]), one.begin)
        if watch.stopped or (seconds is not None and seconds < LEAST):
            break
        try:
            with stoppable(engine, _without_deadline(watch, seconds)), engine.guard("improving the plan on executors"):
                one.run([number for number, _ in wave], there.sent, seconds)
        except Cut:
            break
        except InputError as error:
            note = f"improvement on executors ended early ({error})"
            break
        watch.report("solve", portions=one.seen, cost=one.mixture.cost)
    with engine.guard("putting the plan together"):
        made = None if one.pieces is None else one.pieces.table()
        prices = None
        if made is not None and unit is not None:
            prices = Prices(one.prices(made), unit.parts, bounds.proven())
        plan = one.together(made)
        engine.drop(cut.lines)
    bound, lowered = bounds.bound(one.mixture.cost, one.seen), len(one.mixture.lowered)
    return Improved(plan, bound, len(cut.sizes), one.seen, lowered, note, prices)


class _Waves:
    """A plan of which portions are replaced, some at a time."""

    def __init__(
        self,
        instances: Instances,
        plan: Settled,
        cost: int,
        cut: Portions,
        search: Auto | Improve,
        bounds: BoundSum,
    ) -> None:
        self.mixture, self.bounds = Mixture(instances, plan, cost), bounds
        self.solver = self.mixture.solver(cut, search, bounds.unit)
        self.engine, self.cut = instances.engine, cut
        self.names = [*instances.words, "n", "group", "seq", "cost"]
        self.told = [*self.names, "p"]
        self.pieces: Pieces | None = None
        self.seen = 0
        self.begin = BEGIN
        # of each portion that was replaced: where its class numbers begin, and what its new vectors are called here
        self.classes: list[tuple[int, int]] = []
        self.seqs: list[tuple[int, int, int]] = []

    def run(self, wave: list[int], sent: tuple[int, ...], seconds: float | None) -> None:
        """Let executors solve some portions, each in a slot, and take those that cost less."""
        begun = time.perf_counter()
        placed = self.engine.put(
            pa.table({"portion": pa.array(wave, pa.int64()), "slot": pa.array(sent[: len(wave)], pa.int64())})
        )
        lines = self.cut.lines
        wanted = lines.filter((lines.portion >= whole(min(wave))) & (lines.portion <= whole(max(wave))))
        kinds = [("portion", "bigint"), ("told", "string"), *((name, "bigint") for name in self.told)]
        made = done_by_executors(
            self.engine, wanted.join(placed, "portion"), "slot", len(sent), _work(self.solver, seconds), kinds
        )
        self.engine.drop(placed)
        heads = self.engine.fetch(made.filter(made.told.notnull()).select("portion", "told").order_by("portion"))
        spent = 0.0
        for line in heads.to_pylist():
            head = json.loads(line["told"])
            spent = max(spent, min(head["seconds"], head["seconds"] if seconds is None else seconds))
            if head["anew"] is not None:
                self._heard(int(line["portion"]), Anew(**head["anew"]), head["vectors"])
        self.seen += len(wave)
        self.begin = max(time.perf_counter() - begun - spent, 0.0)
        if self.pieces is None:
            self.pieces = Pieces(self.engine, made.limit(0))
        self.pieces.add(made)

    def _heard(self, number: int, told: Anew, vectors: list[list[int]]) -> None:
        """Take a portion if it costs less, and say what its classes and vectors are called from now on."""
        one = self.mixture
        self.bounds.add(told)
        classes = one.classes
        if told.cost >= told.before or not one.takes(number, told):
            return
        self.classes.append((number, classes))
        before = len(self.solver.vectors)
        for i, vector in enumerate(map(tuple, vectors)):
            if vector not in one.vectors:
                one.vectors.append(vector)
            self.seqs.append((number, before + i, one.vectors.index(vector)))

    def prices(self, made: ir.Table) -> ir.Table:
        """Return words and prices of the row types that tasks have priced."""
        return self.engine.keep(
            made.filter(made.told.isnull() & (made.n == 0)).select(*self.mixture.instances.words, "p")
        )

    def together(self, made: ir.Table | None) -> Settled:
        """Return the plan with what became of its portions; what tasks have made is forgotten."""
        if made is None or not self.classes:
            return self.mixture.plan
        classes = self.engine.put(_table(self.classes, ["portion", "taken"]))
        lines = made.filter(made.told.isnull() & (made.n > 0)).join(classes, "portion")
        lines = lines.mutate(group=lines.group + lines.taken)
        if self.seqs:
            seqs = self.engine.put(_table(self.seqs, ["portion", "seq", "called"]))
            lines = lines.left_join(seqs, ["portion", "seq"])
            lines = lines.mutate(seq=lines.called.fill_null(lines.seq))
        new = self.engine.keep(lines.select(*self.names))
        self.engine.drop(made)
        return self.mixture.together(self.cut, new)


def _work(solver: PortionSearch, seconds: float | None) -> Any:
    """Return what a task does with the lines of its portions."""

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield from _solved(solver, seconds, batches)

    return work


def _solved(
    solver: PortionSearch, seconds: float | None, batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Yield for each portion of a task what became of it, its prices (lines of no rows) and its new lines, if any."""
    held = [batch for batch in batches if batch.num_rows]
    if not held:
        return
    table = pa.Table.from_batches(held)
    words = [f"w{i}" for i in range(solver.layout.words)]
    wanted = [*words, "n", "group", "seq", "portion", *(["best"] if solver.unit is not None else [])]
    arrays = {name: table.column(name).to_numpy().astype(np.int64) for name in wanted}
    order = np.lexsort([arrays[name] for name in ("group", *reversed(words), "portion")])
    arrays = {name: array[order] for name, array in arrays.items()}
    numbers, starts = np.unique(arrays["portion"], return_index=True)
    for number, start, stop in zip(numbers, starts, [*starts[1:], len(order)], strict=True):
        begun = time.perf_counter()
        watch = Watch()
        watch.limit(seconds)
        vectors = list(solver.vectors)
        lines = {name: array[start:stop] for name, array in arrays.items() if name != "portion"}
        try:
            found = solver.solve(lines, vectors, watch)
        except (Infeasible, MemoryError):  # as it was is a release too
            found = None
        anew, made, prices = found or (None, None, None)
        head = {
            "anew": anew and {name: int(getattr(anew, name)) for name in Anew.__slots__},
            "vectors": [[int(level) for level in vector] for vector in vectors[len(solver.vectors) :]],
            "seconds": time.perf_counter() - begun,
        }
        names = [*words, "n", "group", "seq", "cost", "p"]
        yield _batch(int(number), [json.dumps(head)], None, names)
        for piece in (prices, made):
            if piece is not None:
                yield _batch(int(number), None, piece, names)


def _batch(number: int, told: list[str] | None, lines: pa.Table | None, names: list[str]) -> pa.RecordBatch:
    """Return lines of a portion; those of its plan and its prices have nothing told, and what they lack is 0."""
    rows = 1 if lines is None else lines.num_rows
    kinds = {
        "portion": pa.array([number] * rows, pa.int64()),
        "told": pa.nulls(rows, pa.string()) if told is None else pa.array(told, pa.string()),
    }
    there = set() if lines is None else set(lines.column_names)
    every = {
        name: np.asarray(lines.column(name)) if lines is not None and name in there else np.zeros(rows, np.int64)
        for name in names
    }
    return pa.RecordBatch.from_pydict(kinds | {name: pa.array(column, pa.int64()) for name, column in every.items()})


def _table(lines: Sequence[tuple[int, ...]], names: list[str]) -> pa.Table:
    columns = zip(names, zip(*lines, strict=True), strict=True)
    return pa.table({name: pa.array(column, pa.int64()) for name, column in columns})


def _seconds(watch: Watch, share: float, begin: float) -> float | None:
    """Return how long the searches of a wave have, so that it ends within its share of the time."""
    if watch.deadline is None:
        return None
    return share * max(watch.deadline - search_time(), 0.0) - begin


def _without_deadline(watch: Watch, seconds: float | None) -> Watch:
    """Return a watch for a wave: its searches end by themselves when the time is over, and a little later it is cut."""
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
