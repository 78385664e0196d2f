"""Portions of a plan improved by Spark's executors, as many at a time as it has slots: what one machine does in turn.

Each portion is solved by one task, with `incrowd` as it is installed there; what comes back to the driver is one line a
portion. They go in waves. What a wave has found is kept as everything is that Spark computes, so that an executor which
is lost costs time only, and a stop costs the wave that runs.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from incrowd.errors import Infeasible, InputError
from incrowd.progress import Behind, Watch, search_time
from incrowd.tables.engine.spark_tasks import done_by_executors, slots
from incrowd.tables.large.bound_sum import BoundSum
from incrowd.tables.large.improvement import TOO_MANY, Improved, Mixture, cut_for
from incrowd.tables.large.instances import whole
from incrowd.tables.large.pieces import Pieces
from incrowd.tables.large.portion import Anew
from incrowd.tables.large.prices import Prices
from incrowd.tables.large.queries import Cut, stoppable
from incrowd.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import ibis.expr.types as ir

    from incrowd.tables.large.floor import Floor
    from incrowd.tables.large.instances import Instances
    from incrowd.tables.large.leftovers import Settled
    from incrowd.tables.large.portion import PortionSearch
    from incrowd.tables.large.portions import Portions
    from incrowd.tables.solve.auto import Auto
    from incrowd.tables.solve.improve.improve import Improve

__all__ = ["improved_by_executors"]

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
    one wave have the same. `least` is the per-row bound, complete and with prices, where a certificate is wanted.

    Notes
    -----
    Where nothing ends by time, portions, what becomes of them and the order in which they are taken are those of one
    machine, and so is the plan. Where executors lack incrowd, or a wave cannot be computed, the plan stays as far as it
    is, and the note says so.
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
            with stoppable(engine, _patient(watch, seconds)), engine.guard("improving the plan on executors"):
                one.run([number for number, _ in wave], there.sent, seconds)
        except Cut:
            break
        except InputError as error:
            note = f"improvement on executors ended early ({error})"
            break
        watch.tell("solve", portions=one.seen, cost=one.mixture.cost)
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
        # of each portion that was replaced: where its group numbers begin, and what its new vectors are called here
        self.groups: list[tuple[int, int]] = []
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
        """Take a portion if it costs less, and say what its groups and vectors are called from now on."""
        one = self.mixture
        self.bounds.add(told)
        groups = one.groups
        if told.cost >= told.before or not one.takes(number, told):
            return
        self.groups.append((number, groups))
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
        if made is None or not self.groups:
            return self.mixture.plan
        groups = self.engine.put(_table(self.groups, ["portion", "taken"]))
        lines = made.filter(made.told.isnull() & (made.n > 0)).join(groups, "portion")
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


def _patient(watch: Watch, seconds: float | None) -> Watch:
    """Return a watch for a wave: its searches end by themselves when the time is over, and a little later it is cut."""
    if watch.deadline is None or seconds is None:
        return watch
    return Behind(watch, watch.deadline + max(GRACE, LATE * seconds))


def _lacking(versions: frozenset[str]) -> str:
    """Return why executors improve nothing."""
    has = "lack it" if versions == {""} else "have another version, or some of them lack it"
    return (
        f"not improved: that is done by executors with incrowd {__version__} installed, and these {has}; send the "
        "environment (spark.archives)"
    )
