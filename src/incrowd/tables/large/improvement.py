"""A cheaper plan portion by portion: what fits in memory is given to the solvers that ever had it there."""

from __future__ import annotations

import contextlib
import dataclasses
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from incrowd.errors import Infeasible, InputError
from incrowd.progress import Cut, Watch, WithDeadline, search_time
from incrowd.tables.engine.spark_tasks import done_by_group, tasks_of
from incrowd.tables.large.pieces import Pieces
from incrowd.tables.large.portion import LINES, Anew, PortionSearch, filled, joined_up, portioned, with_per_row
from incrowd.tables.large.prices import Prices, price_unit
from incrowd.tables.large.sweep import Settled
from incrowd.tables.large.types import whole
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
        with engine.stoppable(watch):
            cut, unit = cut_for(instances, plan, most, least)
    except Cut:
        return Improved(plan, 0, 0, 0, 0)
    except InputError as error:
        return Improved(plan, 0, 0, 0, 0, f"not improved ({error})")
    one = Mixture(instances, plan, cost, cut, BoundSum(cut, least, unit))
    solver = one.solver(search)
    pieces: Pieces | None = None
    left = sum(cut.sizes.values())
    for number, size in cut.sizes.items():
        if watch.stopped:
            break
        share = TimeShare.of(watch.silent(), size / left)  # what it would tell is of a portion
        share.memory_budget = _half(watch)
        left -= size
        if size > TOO_MANY * most:  # a class, or a value that is kept, beyond what fits
            continue
        with engine.guard("improving the plan"):
            here = engine.fetch(cut.lines.filter(cut.lines.portion == whole(number)))
            told = lines = None
            with release_kept(watch):
                told, lines = solver.anew(here, share)
            one.hear(number, told)
            if lines is not None:
                fresh = engine.put(lines)
                pieces = pieces or Pieces(engine, fresh.limit(0))
                pieces.add(fresh)
        watch.short = False  # near its limit on memory this portion ended early; the next begins with room
        watch.report("solve", portions=one.seen, cost=one.cost)
    return one.improved(None if pieces is None else pieces.table())


def cut_for(instances: Instances, plan: Settled, most: int, least: Floor | None) -> tuple[Portions, PriceUnit | None]:
    """Return the portions of a plan, and in what their prices are; None where they are worth nothing to a certificate.

    `most` is the number of row types of a portion. `least` has prices where a certificate is wanted.
    """
    cut = portioned(instances, plan, most)
    if least is None or least.prices is None or not cut.exact:
        return cut, None
    return with_per_row(instances, cut, least), price_unit(instances.problem)


class Mixture:
    """A plan of which portions are replaced one by one, as it hears what became of them.

    The plan costs `cost`, scaled, and lies in the portions of `cut`. `cost`: with what was replaced. `vectors`: by
    ``seq``. `classes`: numbers below it are taken. `seen`: how many portions it has heard of. `taken`: the portions
    that were replaced, each with the number at which its classes begin. `called`: what their new vectors are called
    here, each with the portion and the number that it has there.
    """

    def __init__(self, instances: Instances, plan: Settled, cost: int, cut: Portions, bounds: BoundSum) -> None:
        self.instances, self.plan, self.cost = instances, plan, cost
        self.engine, self.problem = instances.engine, instances.problem
        self.cut, self.bounds = cut, bounds
        self.vectors = list(plan.vectors)
        self.classes = plan.classes
        self.seen = 0
        self.taken: list[tuple[int, int]] = []
        self.called: list[tuple[int, int, int]] = []
        self._starred = self._suppressed()

    def solver(self, search: Auto | Improve) -> PortionSearch:
        """Return how a portion is solved."""
        vectors, free = tuple(self.plan.vectors), self.cut.exact and len(self.cut.sizes) > 1
        return PortionSearch(self.problem, self.instances.layout, vectors, free, search, self.bounds.unit)

    def hear(self, number: int, anew: Anew | None) -> None:
        """Hear what became of a portion (None: it stays as it is), and take it where it costs less.

        It is not taken where too few fully suppressed rows would be left.
        """
        self.seen += 1
        if anew is None:
            return
        self.bounds.add(anew)
        starred = self._starred + anew.leaves - anew.starred
        if anew.cost >= anew.before or (self.problem.outliers != "suppress" and 0 < starred < self.problem.k):
            return
        self.taken.append((number, self.classes))
        self.classes += anew.classes
        self.cost -= anew.before - anew.cost
        self._starred = starred
        for i, vector in enumerate(map(tuple, anew.vectors), len(self.plan.vectors)):
            if vector not in self.vectors:
                self.vectors.append(vector)
            self.called.append((number, i, self.vectors.index(vector)))

    def improved(self, lines: ir.Table | None, note: str = "") -> Improved:
        """Return the plan with the portions that were taken; `lines`, of `PortionSearch.anew`, are forgotten."""
        engine, plan, prices, unit = self.engine, self.plan, None, self.bounds.unit
        with engine.guard("putting the plan together"):
            if lines is not None and self.seen:
                if unit is not None:
                    priced = engine.keep(lines.filter(lines.n == 0).select(*self.instances.words, "p"))
                    prices = Prices(priced, unit.parts, self.bounds.proven())
                if self.taken:
                    plan = self._together(lines.filter(lines.n > 0))
            if lines is not None:
                engine.forget(lines)
            engine.drop(self.cut.lines)
        bound = self.bounds.bound(self.cost, self.seen)
        return Improved(plan, bound, len(self.cut.sizes), self.seen, len(self.taken), note, prices)

    def _together(self, lines: ir.Table) -> Settled:
        """Return the plan with the portions that were taken, whose lines are among some lines of portions."""
        columns = self.plan.parts.columns
        taken = self.engine.put(_table(self.taken, ["portion", "taken"]))
        new = lines.join(taken, "portion")
        new = new.mutate(group=new.group + new.taken)
        if self.called:
            new = new.left_join(self.engine.put(_table(self.called, ["portion", "seq", "called"])), ["portion", "seq"])
            new = new.mutate(seq=new.called.fill_null(new.seq))
        kept = self.cut.lines.anti_join(taken, "portion").select(*columns)
        every = self.engine.keep(new.select(*columns).union(kept, distinct=False))
        joined = joined_up(self.instances, every, self.vectors)
        for done in (every, self.plan.parts):
            self.engine.drop(done)
        return Settled(joined, self.vectors, True, self.classes)

    def _suppressed(self) -> int:
        """Return how many rows are fully suppressed."""
        parts, top = self.plan.parts, tuple(self.problem.top)
        stars = [whole(seq) for seq, vector in enumerate(self.vectors) if vector == top]
        lines = parts.filter(parts.seq.isin(stars)) if stars else parts.limit(0)
        with self.engine.guard("adding up the plan"):
            return int(self.engine.one(lines.aggregate(rows=lines.n.sum()))["rows"] or 0)


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
        with engine.stoppable(watch), engine.guard("looking what executors have"):
            tasks, versions = tasks_of(engine, __name__)
        if versions != {__version__}:
            return Improved(plan, 0, 0, 0, 0, _lacking(versions))
        with engine.stoppable(watch):
            cut, unit = cut_for(instances, plan, most, least)
    except Cut:
        return Improved(plan, 0, 0, 0, 0, "not improved: greedy and bound took the time that there was")
    one = Mixture(instances, plan, cost, cut, BoundSum(cut, least, unit))
    fit = [(number,) for number, size in cut.sizes.items() if size <= TOO_MANY * most]
    seconds = _seconds(watch, -(-len(fit) // tasks))
    made, note = None, ""
    heads: list[dict[str, Any]] = []
    if fit and not watch.stopped and (seconds is None or seconds >= LEAST):
        names = ("portion", *instances.words, *LINES)
        kinds = ", ".join([*(f"{name} bigint" for name in names), "told string"])
        try:
            with engine.stoppable(_a_little_later(watch, seconds)), engine.guard("improving the plan on executors"):
                wanted = cut.lines.semi_join(engine.put(_table(fit, ["portion"])), "portion")
                work = _work(one.solver(search), seconds)
                made = engine.keep(done_by_group(engine, wanted, "portion", work, kinds, len(fit)))
                lines = made.filter(made.told.notnull()).select("portion", "told").order_by("portion")
                heads = engine.fetch(lines).to_pylist()
        except Cut:
            pass
        except InputError as error:
            note = f"improvement on executors ended early ({error})"
    for line in heads:
        told = json.loads(line["told"])
        one.hear(int(line["portion"]), told and Anew(**told))
    watch.report("solve", portions=one.seen, cost=one.cost)
    return one.improved(None if made is None else made.filter(made.told.isnull()), note)


def _work(solver: PortionSearch, seconds: float | None) -> Callable[[pa.Table], pa.Table]:
    """Return what a task makes of a portion: a line that tells of it, and the lines of `PortionSearch.anew`."""

    def work(portion: pa.Table) -> pa.Table:
        watch, told, lines = Watch(), None, None
        watch.limit(seconds)
        with contextlib.suppress(Infeasible, MemoryError):  # as it was is a release too
            told, lines = solver.anew(portion, watch)
        said = json.dumps(None if told is None else dataclasses.asdict(told), default=int)
        names = [*(f"w{i}" for i in range(solver.layout.words)), *LINES]
        head = filled(portion.column("portion")[0].as_py(), pa.table({"n": [0]}), names)
        tables = [(head, said), *([] if lines is None else [(lines, None)])]
        return pa.concat_tables(
            [table.append_column("told", pa.array([one] * len(table), pa.string())) for table, one in tables]
        )

    return work


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
