"""The main job on row types that stay in the engine: solve, expand, verify and measure from there."""

from __future__ import annotations

import contextlib
import functools
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from incrowd import registry
from incrowd.check.exact import Unreadable
from incrowd.errors import Infeasible, InputError, OurBug
from incrowd.jobs.large.choice import check_disk, limit_engine_memory, memory_for_portions, portion_types
from incrowd.jobs.prepare import cost_levels
from incrowd.jobs.row_types import RowTypeStore, Solved
from incrowd.jobs.solver_choice import AUTO, AUTO_SECONDS
from incrowd.progress import BOUNDS, Cut, WithDeadline, search_time
from incrowd.results.price_lines import PriceLines, pack
from incrowd.tables.expand import cells_of, rows_of_parts
from incrowd.tables.large.floor import Floor, floor
from incrowd.tables.large.improvement import improved, improved_by_executors
from incrowd.tables.large.plan import counted, parts
from incrowd.tables.large.prices import ASKED, prices
from incrowd.tables.large.sweep import settled, sweep
from incrowd.tables.large.types import CountedTypes, Instances, dictionaries, packed
from incrowd.tables.solve.auto import Auto
from incrowd.tables.solve.bounds.counting import not_proven, with_bound
from incrowd.tables.solve.improve.improve import Improve
from incrowd.tables.solve.mishap import release_kept, with_mishaps
from incrowd.tables.solve.shared.status import ended, head
from incrowd.tables.solve.shared.time_limit import for_bound, for_plan, is_over
from incrowd.tables.user_units import in_units
from incrowd.tables.values import Advice, Bound, Problem, Solution
from incrowd.tables.verify.certificates import recheck_in_engine
from incrowd.tables.verify.lines import PriceFile, recount_per_row
from incrowd.tables.verify.row_types import grouped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from incrowd.jobs.shares import Clock, MemoryShare
    from incrowd.policy.job import Job
    from incrowd.progress import Watch
    from incrowd.tables.large.prices import Prices
    from incrowd.tables.large.sweep import Settled
    from incrowd.tables.large.types import Dictionaries, PackedTypes
    from incrowd.tables.measures import MeasureContext
    from incrowd.tables.table import Expanded, Grouped
    from incrowd.tables.values import Int64
    from incrowd.tables.verdict import Verdict

QUERIES = 3.0  # how much longer than the per-row bound the recount of other prices takes, a pattern (measured: 2.4)
RECOUNT = 1.0  # of the seconds that greedy and bound took, what the check's recount of the bound is left


@dataclass(frozen=True, slots=True, eq=False)
class Counted(RowTypeStore):
    """A table whose row types are counted and stay in the engine."""

    grouped: Grouped
    dictionaries: Dictionaries | None = None
    types: PackedTypes | None = None
    plan: Settled | None = None
    in_memory: ClassVar[bool] = False

    def solve(self, job: Job, clock: Clock, memory: MemoryShare) -> Solved:
        """Return the plan of a job, its bound recounted.

        The engine takes one GROUP BY a pattern over the row types that are left, and one over all of them for the
        bound. In this process lie the distinct values of each column, one line a pattern, and what a repair looks at.
        """
        watch, table, fitted, policy, t = clock.watch, self.table, self.fitted, self.fitted.policy, self.grouped.t
        disk = check_disk(table, t, memory)
        limit_engine_memory(table.engine, memory)
        watch.report("compress", row_types=t, **disk)
        with clock("pack"):
            held = dictionaries(table, self.grouped)
            nothing = np.zeros((0, len(held.sizes)), np.int32)
            types = CountedTypes(nothing, np.zeros(0, np.int64), held.sizes, held=t, rows=table.rows)
            nodes = fitted.nodes(held.lines)
            levels, scale = cost_levels(policy, types, nodes, fitted.counts)
            problem = Problem(
                types=types, levels=levels, patterns=fitted.patterns, k=int(policy.k or 1), outliers=policy.outliers,
                scale=scale, columns=policy.quasi_identifiers, gaps=tuple(fitted.rules.gapped),
                unsure=bool(fitted.rules.gaps),
            )  # fmt: skip
            rows = packed(table, self.grouped, held, levels)
        watch.limit(job.time_limit)
        watch.report(
            "solve", solver=registry.GREEDY, row_types=t, k=problem.k, limit=job.time_limit, scale=scale, offset=0
        )

        @contextlib.contextmanager
        def portions() -> Iterator[int]:
            with memory_for_portions(table.engine, memory, watch) as room:
                yield portion_types(job, fitted, room)

        watch.untold = BOUNDS if problem.unsure else ()
        try:
            plan, solution, least, prices = solve_in_engine(problem, rows, job, portions, watch)
        except Infeasible as error:
            raise not_proven(error) if problem.unsure else error from None
        finally:
            watch.untold = ()
        lines = None
        with clock("recount"):
            if job.certificate is None or problem.unsure:
                solution = recounted(self, problem, solution, least.value, watch)
            else:
                solution, lines = certified(self, problem, rows, solution, least, prices, watch)
            if problem.unsure:
                unproven = {**head(problem, solution.plan.cost(problem), solution.bound, NAME, VERSION), "parts": 1}
                lines = PriceLines(unproven, lambda: iter([np.zeros(t, np.int64)]))
        watch.limit(None)
        made = replace(self, nodes=nodes, dictionaries=held, types=rows, plan=plan)
        return Solved(made, problem, solution, watch.seconds, job.seed, {"types_in_engine": True, **disk}, lines)

    def expand(self, found: Solved) -> Expanded:
        """Return the released rows of the plan, which is forgotten."""
        assert self.types is not None and self.plan is not None
        table, star = self.table, self.fitted.star
        laid = parts(table, self.types, self.plan)
        table.engine.drop(self.plan.parts)
        cells = functools.partial(cells_of, table, star=star)
        return rows_of_parts(table, laid, cells, split=self.plan.split, star=star, seed=found.seed)

    def recount(self, found: Solved, expanded: Expanded, verdict: Verdict, clock: Clock) -> Solution:
        """Return the solution: its bound was recounted before the rows were made."""
        del expanded, verdict, clock
        return found.solution

    def context(self, problem: Problem) -> MeasureContext:
        """Return what measures must know of a release."""
        assert self.dictionaries is not None
        return replace(RowTypeStore.context(self, problem), dictionaries=self.dictionaries.tables)


def recounted(made: Counted, problem: Problem, solution: Solution, per_row: int, watch: Watch) -> Solution:
    """Return a solution whose per-row bound the check has recounted from the original rows, if there was time for it.

    `solution` is one of `problem`, and `per_row` is its per-row bound, scaled, and at most its bound; beside gaps the
    bound is what the check counts of the rows that miss no value. `watch` ends the recount within two seconds. OurBug
    is raised if the check finds less than the bound that was claimed.
    """
    table, found = made.table, None
    with contextlib.suppress(Cut), table.engine.stoppable(for_bound(watch)):
        columns = [column.id for column in table.quasi_identifiers]
        found = recount_per_row(table.engine, table.data, columns, made.fitted.rules)
    if problem.unsure:
        return with_bound(problem, solution, Bound(int((found or 0) * problem.scale), checked=0, method="per row"))
    if found is None:
        return solution
    if found < in_units(problem, per_row):
        raise OurBug(
            "the independent check finds a lower bound below the one claimed; nothing was written. Please report this"
        )
    return replace(solution, bound=replace(solution.bound, checked=per_row))


def solve_in_engine(
    problem: Problem,
    types: PackedTypes,
    job: Job,
    portions: Callable[[], AbstractContextManager[int]],
    watch: Watch,
) -> tuple[Settled, Solution, Floor, Prices | None]:
    """Return a plan that does not leave the engine, its solution with the higher bound, its per-row bound, and prices.

    The prices are those that prove more than the per-row bound; None where there are none or no certificate is wanted.
    The plan is the greedy's, and with ``auto`` what improvement in portions makes of it. `job` gives the solver, seed,
    gap and time limit. `portions` makes room to solve row types in memory inside a block, and says for how many
    together. `watch` is as for `incrowd.tables.solve.greedy.greedy`; a stop is heard inside a query too. Infeasible is
    raised if some row has no allowed instance that k rows agree with (`proven`), or no place was found for a leftover
    row.
    """
    begun, since = time.perf_counter(), search_time()
    instances = Instances(types.engine, problem, types.layout)
    swept = sweep(types, instances, problem.types.n, for_plan(watch))
    notes = list(swept.notes)
    if swept.left:
        notes.append(f"{swept.left} leftover rows")
    top = problem.patterns.allows_full_suppression
    early, before = None, time.perf_counter()
    if swept.left and not top:  # counting may prove that no release exists before one is looked for in vain
        early = floor(types, instances, swept, for_bound(watch), prices=job.certificate is not None)
    early_seconds = time.perf_counter() - before
    plan = settled(instances, swept, for_plan(watch))
    total = counted(types.engine, plan)
    watch.report("solve", patterns=len(swept.vectors), cost=total.total, rows_left=0)
    solving = time.perf_counter()
    least = early or Floor(0, complete=False)
    try:
        with release_kept(watch, lambda: job.certificate is None):  # which is made of it
            least = early or floor(types, instances, swept, for_bound(watch), prices=job.certificate is not None)
    except InputError as error:
        if job.certificate is not None:
            raise
        notes.append(Advice(f"no lower bound was found ({error})"))
    watch.report("bound", lower_bound=least.value)
    bound_seconds = time.perf_counter() - solving + early_seconds
    if not least.complete:
        notes.append("bound not taken to its end")
    prices, certificate = None, job.certificate is not None
    solver, bound = registry.GREEDY, Bound(least.value, checked=0, method="per row")
    if job.solver_name == AUTO and least.complete and not swept.cut_short and total.total > least.value:
        kind = Auto if watch.memory_budget is None else Improve  # the exact solver does not know what it will take
        search = kind(work=job.work, seed=job.seed, gap=job.gap)
        # where executors hold the row types no portion of them comes to this process
        improve = improved if types.engine.in_process else improved_by_executors
        with portions() as most:
            rest = _rest(watch, job, since, _recount_seconds(problem, least, bound_seconds) if certificate else 0.0)
            found = improve(instances, plan, total.total, most, search, rest, least if certificate else None)
        if found.portions:
            notes.append(f"improved in {found.lowered} of {found.portions} portions, {found.seen} of them looked at")
        notes += [Advice(found.note)] if found.note else []
        plan = found.plan
        if found.prices is not None and found.prices.value > least.value:  # else the per-row ones are recounted sooner
            prices = found.prices
        if found.lowered:
            solver, total = "improve", counted(types.engine, plan)
        if found.bound > least.value:
            bound = Bound(found.bound, checked=0, method="prices")
            watch.report("bound", lower_bound=bound.value)
    cut_short = swept.cut_short or is_over(watch)
    status = ended(total.total, bound.value, watch, cut_short=cut_short)
    seconds = {"solve": time.perf_counter() - begun - bound_seconds, "bound": bound_seconds}
    return plan, with_mishaps(Solution(total, bound, status, solver, seconds, tuple(notes)), watch), least, prices


def _recount_seconds(problem: Problem, least: Floor, seconds: float) -> float:
    """Return about how long the check recounts prices of portions: some queries for every pattern there is.

    The per-row bound took `seconds`, with fewer queries and only for as many patterns as it had to look at.
    """
    return QUERIES * seconds * min(problem.patterns.count(), ASKED) / max(least.patterns, 1)


def _rest(watch: Watch, job: Job, begun: float, recount: float) -> Watch:
    """Return a watch for improvement: without a limit `AUTO_SECONDS`, else what is left but for the bound's recount.

    A recount of prices that takes `recount` seconds has half of what is left at most.
    """
    now = search_time()
    if watch.deadline is None:
        return WithDeadline(watch, now + AUTO_SECONDS) if job.work is None else watch
    kept = max(RECOUNT * (now - begun), min(recount, (watch.deadline - now) / 2))
    return WithDeadline(watch, max(watch.deadline - kept, now))


# The certificate of a bound on row types that stay in the engine: a price a line, recounted by the check.
NAME, VERSION = "incrowd k-anonymity bound", 13
QUICKLY = 1  # how hard what only this run reads is packed


def certified(
    made: Counted,
    problem: Problem,
    types: PackedTypes,
    solution: Solution,
    least: Floor,
    found: Prices | None,
    watch: Watch,
) -> tuple[Solution, PriceLines]:
    """Return a solution with what of its bound the check could recount from its certificate, and that.

    `solution` is one of `problem`. `least` is its per-row bound, with prices, and at most its bound; the prices are
    forgotten. `found` are the prices that prove more for some row types, or None; they are forgotten too. `watch` ends
    the recount within two seconds; then nothing of the bound is said to be recountable. OurBug is raised if the check
    refutes the certificate, or finds less than the bound that was claimed.
    """
    table, engine = made.table, types.engine
    cost = solution.plan.cost(problem)
    if least.prices is None:
        raise OurBug("a certificate was asked for, and its prices were not kept. Please report this")
    per_row, (proven, parts) = least.prices, (least.value, 1) if found is None else (found.value, found.parts)
    unchecked = replace(solution.bound, checked=0)
    told = {**head(problem, cost, unchecked, NAME, VERSION), "proof": "solver", "parts": parts}
    scratch = engine.private_file(".gz")
    pack(scratch, PriceLines(told, lambda: prices(table, types, per_row, found)), QUICKLY)
    checked = 0
    try:
        with engine.stoppable(for_bound(watch)):
            columns = [table.data[column.id] for column in table.quasi_identifiers]
            paid = in_units(problem, cost)
            types_there = grouped(engine, table.data, columns)
            again = recheck_in_engine(engine, types_there, made.fitted.rules, PriceFile(scratch), (paid, paid))
    except Cut:
        pass
    else:
        if again.violations or (least.complete and again.lower_bound < in_units(problem, proven)):
            raise OurBug(
                "the independent check finds less in the certificate than it claims; nothing was written. Please report"
            )
        checked = min(int(again.lower_bound * problem.scale), solution.bound.value)
    bound = replace(solution.bound, checked=checked)
    claims = {**told, "lower_bound_checked": checked, "proof": bound.proof}
    return replace(solution, bound=bound), PriceLines(claims, lambda: _read_again(scratch, problem.types.t))


def _read_again(scratch: Path, types: int) -> Iterator[Int64]:
    """Give the prices that the check has read, for the file that is written."""
    file = PriceFile(scratch)
    try:
        yield from file.prices(types)
    except Unreadable as error:
        raise file.refused(error) from None
