"""Facts of a release, of which its JSON and its document are made: names and counts, never a cell."""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from incrowd.errors import InputError
from incrowd.policy.document import shareable
from incrowd.policy.keys import DEFAULT_COST
from incrowd.progress import SEARCH, Event, Watch, WithDeadline
from incrowd.report.result import Result, if_asked, not_in_json
from incrowd.tables.hierarchy import Dates, Intervals, Prefix
from incrowd.tables.measures import ClassSizes, class_sizes
from incrowd.tables.measures.audit import number_facts
from incrowd.tables.measures.nice_bins import size_bins
from incrowd.tables.measures.nodes import star_facts
from incrowd.tables.measures.risks import risks_of, unique_rows
from incrowd.tables.measures.shown_values import shown_values
from incrowd.tables.recoding import load_recoding
from incrowd.tables.usefulness.coded_tables import coded_release
from incrowd.tables.usefulness.figures import figures_of
from incrowd.tables.user_units import in_units, offset_of
from incrowd.tables.values import Advice, Plan
from incrowd.tables.workload import plain_cost
from incrowd.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from incrowd.policy.job import Job, Policy
    from incrowd.tables.hierarchy import Spec
    from incrowd.tables.table import Expanded
    from incrowd.tables.usefulness.coded_tables import CodedTables
    from incrowd.tables.values import Problem, RowTypes, Solution
    from incrowd.tables.verdict import Verdict

Line = dict[str, Any]

MOST_PATTERNS = 1000


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ReleaseFacts(Result):
    """The facts of a release: costs in the user's units, shares from 0 to 1, sizes in rows, wall seconds by stage.

    Quiet ones, for those who receive the release, hold back what says how near it is to the cheapest one and how it was
    searched for. What stays is counted from the release itself. Under the usual cost so is the cost: whoever counts the
    stars knows it. What is held back is that no release costs less, or by how much at most.
    """

    rows: int
    columns: int
    quasi_identifiers: Sequence[str]
    row_types: int
    k: int
    requirements: Sequence[Line]
    k_anonymous: bool
    cost: int | float
    suppressed_cells: int
    changed_cells: int
    suppressed_fraction: float
    lower_bound: int | float
    lower_bound_checked: int | float
    gap: float | None
    optimal: bool
    proof: str
    status: str
    solver: str
    outliers: int
    classes: Line
    measures: Line
    bound_method: str
    outlier_rule: str
    fully_suppressed_rows: int
    mask: Sequence[str]
    patterns_allowed: int
    patterns_used: Sequence[Line]
    stars_per_column: Sequence[Line]
    levels_per_column: Sequence[Line]
    kept_columns: Sequence[Line]
    dropped_identifiers: int
    notes: Sequence[str]
    solver_notes: Sequence[str]
    advice: Sequence[str]
    seconds: Mapping[str, float]
    peak_mb: float | None
    suppressed: str
    recoding: str
    keep_order: bool
    dry_run: bool
    seed: int | None
    released_sha256: str | None = if_asked()
    released_sum: str | None = if_asked()
    blunt: int | None = if_asked()
    cost_name: str | None = if_asked()
    kernel: Line | None = if_asked()
    version: str
    cost_exact: str | None = if_asked()
    lower_bound_exact: str | None = if_asked()
    suppressed_rows: int | None = if_asked()
    levels: Mapping[str, int] | None = if_asked()
    suppression_limit: str | None = if_asked()
    most_suppressed: int | None = if_asked()
    types_in_engine: bool | None = if_asked()
    settled: bool
    gives_away: Line | None
    disk_mb: int | None = if_asked()
    disk_free_mb: int | None = if_asked()
    column_ties: Sequence[Line]
    column_pairs: Line | None = if_asked()
    grid: Mapping[str, str] | None = if_asked()
    grid_steps: Mapping[str, Line] | None = if_asked()
    proposed_hierarchies: Sequence[Line] | None = if_asked()
    stars_alone: Line | None = if_asked()
    progress: Sequence[Line] | None = if_asked()
    quiet: bool = not_in_json(False)

    @property
    def facts(self) -> dict[str, Any]:
        """Everything, as in ``--json``."""
        if not self.quiet:
            return super().facts
        return {name: value for name, value in super().facts.items() if name not in HELD_BACK} | {"quiet_facts": True}


HELD_BACK = frozenset(
    {
        "advice", "bound_method", "cost", "cost_exact", "gap", "gives_away", "kernel", "lower_bound",
        "lower_bound_checked", "lower_bound_exact", "optimal", "peak_mb", "progress", "proof", "seconds", "seed",
        "settled", "solver", "solver_notes", "stars_alone", "status",
    }
)  # fmt: skip


class ReportFacts(NamedTuple):
    """What a report shows beyond the facts, computed when it is first asked for.

    `class_sizes`: rows and classes by size. `columns_after`: what each quasi-identifier shows, values named where at
    least `least_shown` rows of the release show them. `before`: the risks of the original, in whole percents.
    `levels_top`: the level of a star by column (2 where cells show ranges, whose level 1 may be either). `files`: base
    names of source, output and certificate (or None) and the policy as TOML. `level_names`: by column what its levels
    are called. `usefulness`: rounded, None where the table is too small, or it is too large or its ranges too wide.
    """

    class_sizes: Sequence[Line]
    columns_after: Sequence[Line]
    before: Line
    levels_top: Mapping[str, int]
    least_shown: int
    files: Mapping[str, str | None]
    level_names: Mapping[str, Sequence[str]]
    usefulness: Line | None


def number(value: Fraction) -> int | float:
    """Return a whole number as an int, any other as the nearest float.

    OverflowError is raised if it is no whole number and beyond the range of floats.
    """
    return int(value) if value.denominator == 1 else float(value)


def facts_of(
    *,
    expanded: Expanded,
    problem: Problem,
    solution: Solution,
    verdict: Verdict,
    measures: Mapping[str, Any],
    kept: Sequence[Line],
    mask: Sequence[str],
    settings: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the facts of a release.

    They are those of a `ReleaseFacts` that are known when it was recounted; at most 1000 patterns. `expanded`,
    `problem`, `solution` and `verdict` are what was made, asked, found and recounted, and `measures` are values by the
    measure's name. `mask` is the mask in words. `settings` are what was asked besides (``keep_order``, ``suppressed``,
    ``seed``, ...).
    """
    table = expanded.table
    cost = in_units(problem, solution.plan.cost(problem))
    bound = in_units(problem, solution.bound.value)
    checked = in_units(problem, min(solution.bound.checked, solution.bound.value))
    rows = table.rows
    facts: dict[str, Any] = {
        "rows": rows,
        "columns": len(table.columns),
        "quasi_identifiers": [c.name for c in table.quasi_identifiers],
        "row_types": problem.types.t,
        "k": problem.k,
        "requirements": [_required(line) for line in verdict.requirements],
        "k_anonymous": verdict.ok and not 0 < verdict.outliers < problem.k,
        "cost": number(cost),
        "changed_cells": int(measures["changed_cells"]["cells"]),
        "lower_bound": number(bound),
        "lower_bound_checked": number(checked),
        "gap": _gap(cost, bound),
        "optimal": cost == bound and not problem.unsure,
        "proof": solution.bound.proof,
        "status": solution.status,
        "solver": solution.solver,
        "outliers": verdict.outliers,
        "classes": {
            "count": verdict.classes,
            "min": verdict.smallest if verdict.classes else None,
            "mean": (rows - verdict.outliers) / verdict.classes if verdict.classes else None,
            "max": verdict.largest if verdict.classes else None,
        },
        "measures": dict(measures),
        "bound_method": solution.bound.method,
        "outlier_rule": problem.outliers,
        "mask": list(mask),
        "patterns_allowed": problem.patterns.count(),
        "patterns_used": _used(table.roles.quasi_identifiers, solution),
        **star_facts(table, _stars(problem, solution).tolist(), _full(problem, solution)),
        "levels_per_column": _levels(table.roles.quasi_identifiers, problem, solution),
        "kept_columns": kept,
        "dropped_identifiers": len(table.roles.identifiers),
        "notes": list(table.notes),
        **notes_by_kind(solution.notes),
        "peak_mb": peak_mb(),
        **settings,
        "version": __version__,
    }
    for name, exact in (("cost", cost), ("lower_bound", bound)):
        if exact.denominator != 1:
            facts[f"{name}_exact"] = f"{exact.numerator}/{exact.denominator}"
    return facts


def notes_by_kind(notes: Sequence[str]) -> dict[str, list[str]]:
    """Return the notes of a solver by kind: its own words, and advice that everybody should read.

    An `Advice` among the notes is advice, and any other text is the solver's own words. The keys are ``solver_notes``
    and ``advice``, each a list in the order given.
    """
    own = [str(note) for note in notes if not isinstance(note, Advice)]
    return {"solver_notes": own, "advice": [str(note) for note in notes if isinstance(note, Advice)]}


def _required(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a model reached, and as a fraction too where no float is exact."""
    return {**line, **number_facts("reached", line["reached"])}


def _gap(cost: Fraction, bound: Fraction) -> float | None:
    if cost == bound:
        return 0.0
    return float((cost - bound) / bound) if bound > 0 else None


def _stars(problem: Problem, solution: Solution) -> np.ndarray:
    """Return the stars per quasi-identifier."""
    top = np.array(problem.top, np.int8)
    starred = (solution.plan.levels == top) & (top > 0)
    found = starred.T.astype(np.int64) @ solution.plan.sizes() - _missing_above(problem, solution.plan)
    return np.asarray(found)


def _missing_above(problem: Problem, plan: Any) -> np.ndarray:
    """Return per quasi-identifier the missing values in classes of stars that are NULLs: they are as they were."""
    found = np.zeros(problem.types.m, np.int64)
    for j in problem.gaps if isinstance(plan, Plan) else ():
        missing = (problem.types.codes[plan.part_type, j] == 0) & (plan.levels[plan.part_class, j] > 0)
        found[j] = plan.part_rows[missing].sum()
    return found


def _levels(names: Sequence[str], problem: Problem, solution: Solution) -> list[dict[str, Any]]:
    """Return per quasi-identifier the rows at level 0, 1, ... up to the top."""
    sizes, above = solution.plan.sizes(), _missing_above(problem, solution.plan)
    told = []
    for j, (name, top) in enumerate(zip(names, problem.top, strict=True)):
        rows = np.bincount(solution.plan.levels[:, j], weights=sizes, minlength=int(top) + 1)
        rows[0], rows[-1] = rows[0] + above[j], rows[-1] - above[j]
        told.append({"name": name, "rows": rows.astype(np.int64).tolist()})
    return told


def _full(problem: Problem, solution: Solution) -> int:
    full = (solution.plan.levels == np.array(problem.top, np.int8)).all(axis=1)
    return int(solution.plan.sizes()[full].sum())


def _used(names: Sequence[str], solution: Solution) -> list[dict[str, Any]]:
    """Return the patterns in use by falling number of rows: levels of the changed columns, rows and classes."""
    rows: Counter[tuple[int, ...]] = Counter()
    in_use: Counter[tuple[int, ...]] = Counter()
    for vector, size, classes in zip(*solution.plan.by_pattern(), strict=True):
        rows[vector] += size
        in_use[vector] += classes
    order = sorted(rows, key=lambda vector: (-rows[vector], vector))[:MOST_PATTERNS]
    return [
        {
            "levels": {name: level for name, level in zip(names, vector, strict=True) if level},
            "rows": rows[vector],
            "classes": in_use[vector],
        }
        for vector in order
    ]


def peak_mb() -> float | None:
    """Return the most memory this process has held so far, in MB (None where the system does not report it)."""
    with contextlib.suppress(ImportError):
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return round(peak / (1e6 if sys.platform == "darwin" else 1024), 1)
    return None


# What a report shows beyond the facts: aggregates of a release, computed when a report is made.
UNASKED = 5  # rows that must show a value before a report names it, where k is 1 and says nothing


def report_facts(job: Job, expanded: Expanded, problem: Problem, facts: ReleaseFacts) -> ReportFacts:
    """Return what a report shows beside the facts of a release; the engine of `expanded` is still open.

    They are aggregates in the engine over the parts of the release (and, with hierarchies, one GROUP BY per column over
    its rows); what leaves the engine grows with neither.
    """
    least = problem.k if problem.k > 1 else UNASKED
    recoding = load_recoding(facts.recoding)
    context = recoding.measure_context(problem, ())
    found, queries = None, queries_within(problem.types.t, facts.rows)
    if queries:
        with contextlib.suppress(InputError):  # ranges too wide to look through: no reason to have no report
            tables = coded_columns(expanded, facts, None)
            labels = sum(column.leaves.size for column in tables.columns)
            if queries := queries_within(max(problem.types.t, labels), facts.rows):
                found = rough(figures_of(tables, seed=facts.seed or 0, queries=queries, models=False))
    files = {name: _base_name(getattr(job, name)) for name in ("source", "output", "certificate")}
    return ReportFacts(
        class_sizes=size_bins(class_sizes(expanded, context).classes, problem.k),
        columns_after=shown_values(expanded, context, least=least),
        before=_before(problem.types),
        levels_top=dict(zip(facts.quasi_identifiers, recoding.star_levels(problem), strict=True)),
        least_shown=least,
        files={**files, "policy": shareable(job.policy)},
        level_names={column: level_names(spec) for column, spec in job.policy.hierarchies},
        usefulness=found,
    )


def coded_columns(expanded: Expanded, facts: ReleaseFacts, target: str | None) -> CodedTables:
    """Return original and release coded: what was judged, what is sensitive, and the target where one is named."""
    judged = {column for line in facts.requirements for column in line["columns"]}
    asked = [*expanded.table.roles.sensitive, *judged, *([] if target is None else [target])]
    return coded_release(expanded, asked, ranges=load_recoding(facts.recoding).shows_ranges)


def level_names(spec: Spec) -> list[str]:
    """Return what the levels 1, 2, ... of a hierarchy are called; files and trees have no names for them."""
    plain = spec.plain()[spec.word] if isinstance(spec, (Intervals, Dates, Prefix)) else []
    said = {Intervals: "steps of {}", Dates: "{}", Prefix: "{} characters"}.get(type(spec), "{}")
    return [said.format(one) for one in plain]


def _base_name(file: Any) -> str | None:
    return Path(file).name if isinstance(file, (str, Path)) and file != "-" else None


def _before(types: RowTypes) -> dict[str, Any]:
    """Return how risky the original is, in whole percents: exact counts beside the release's would reveal too much."""
    differs = np.ones(types.t, bool)
    differs[1:] = (types.codes[1:] != types.codes[:-1]).any(axis=1)  # equal codes stand side by side
    alike = np.add.reduceat(types.counts, np.flatnonzero(differs)) if types.t else types.counts
    size, times = np.unique(alike, return_counts=True)
    sizes = ClassSizes(tuple(zip(size.tolist(), times.tolist(), strict=True)), 0)
    risks = risks_of(sizes)
    return {
        "unique_percent": _percent(unique_rows(sizes) / types.n),
        "prosecutor_percent": _percent(risks["prosecutor"]),
        "prosecutor_mean_percent": _percent(risks["prosecutor_mean"]),
        "above": [{"threshold": a["threshold"], "percent": _percent(a["fraction"])} for a in risks["above"]],
    }


def _percent(share: float | None) -> int:
    """Return a share in whole percents; 0 and 100 mean none and all, and what is not quite that becomes 1 or 99."""
    if share is None:
        return 0
    return 0 if share == 0 else 100 if share == 1 else min(99, max(1, round(100 * share)))


# How cost and bound moved while a solver searched, taken from its events.
MOST = 200


class History:
    """Keeps cost and bound over time, from the events of a watch.

    It is made with the watch that the caller listens to, which gets every event as before. `watch`: to be given to the
    solver in its place.
    """

    def __init__(self, watch: Watch) -> None:
        self._listener = watch.on_event
        self._heard: list[tuple[float, Any, Any]] = []
        self.watch: Watch = WithDeadline(watch, watch.deadline)
        self.watch.on_event = self._hear

    def _hear(self, event: Event) -> None:
        facts = event.facts
        if event.stage in SEARCH and not facts.get("rows_left"):  # a draft with rows left costs less
            cost, bound = facts.get("cost"), facts.get("lower_bound")
            if isinstance(cost, int) or isinstance(bound, int):
                self._heard.append((event.seconds, cost, bound))
        if self._listener is not None:
            self._listener(event)

    def points(self, problem: Problem, solution: Solution, seconds: float) -> list[dict[str, Any]]:
        """Return best cost and bound so far over time, in the user's units; the last point is the solution's.

        `problem` and `solution` are what was solved and how the search ended, and `seconds` is when it ended, on the
        watch's clock. There are at most 200 points, with ``seconds``, ``cost`` and ``lower_bound`` (None until one is
        known).
        """
        final, floor = solution.plan.cost(problem), solution.bound.value
        cost: int | None = None
        bound: int | None = None
        out: list[dict[str, Any]] = []
        offset = offset_of(problem)
        for at, new_cost, new_bound in [*self._heard, (seconds, final, floor)]:
            # what is better than the end is of a part of the problem
            better = isinstance(new_cost, int) and new_cost >= final and (cost is None or new_cost < cost)
            tighter = isinstance(new_bound, int) and new_bound <= floor and (bound is None or new_bound > bound)
            cost, bound = new_cost if better else cost, new_bound if tighter else bound
            if better or tighter or at == seconds:
                out.append(
                    {
                        "seconds": round(at, 3),
                        "cost": _units(cost, problem, offset),
                        "lower_bound": _units(bound, problem, offset),
                    }
                )
        if len(out) > 1 and out[-2]["seconds"] == out[-1]["seconds"]:
            del out[-2]
        every = -(-len(out) // MOST)
        return [*out[:-1:every], out[-1]]


def _units(value: int | None, problem: Problem, offset: int) -> int | float | None:
    return None if value is None else number(in_units(problem, value, offset))


# Facts of how a release is recoded: the one level vector where there is one, and the limit on suppressed rows.
def recoding_facts(policy: Policy, problem: Problem, solution: Solution) -> dict[str, Any]:
    """Return what the facts of a release hold of its recoding; nothing where every class has its own and no limit.

    They are ``levels`` (level by column, under one recoding for the whole table), ``suppressed_rows`` (fully
    suppressed), and ``suppression_limit`` (the share asked for, as text) with ``most_suppressed`` in rows.
    """
    one, limit = load_recoding(policy.recoding).single, policy.suppression_limit
    if not one and limit is None:
        return {}
    plan, top = solution.plan, np.array(problem.top, np.int8)
    full = (plan.levels == top).all(axis=1)
    facts: dict[str, Any] = {"suppressed_rows": int(plan.sizes()[full].sum())}
    if one:
        vector = top if full.all() else plan.levels[int(np.flatnonzero(~full)[0])]
        names = policy.quasi_identifiers
        facts["levels"] = {name: int(level) for name, level in zip(names, vector, strict=True)}
    if limit is not None:
        facts |= {"suppression_limit": str(limit), "most_suppressed": problem.most_suppressed}
    return facts


# Facts of a job's settings: what was asked beside the policy's thresholds.
def settings_facts(job: Job) -> dict[str, Any]:
    """Return what the facts of a release hold of its job's settings.

    They are ``suppressed``, ``recoding``, ``keep_order``, ``dry_run``, ``seed`` (None for a release drawn at random),
    ``blunt`` for one, and ``cost_name`` where it is not the usual one.
    """
    return {
        "suppressed": job.policy.suppressed,
        "recoding": job.policy.recoding,
        "keep_order": job.keep_order,
        "dry_run": job.dry_run,
        "seed": None if job.blunt else job.seed,
        "blunt": job.blunt,
        "cost_name": plain_cost(job.policy.cost) if job.policy.cost != DEFAULT_COST else None,
    }


# What a report tells of the usefulness of a release: rounded, for exact figures would tell of the original.
LEAST_ROWS = 100  # figures of fewer rows could tell what single cells held
# Distinct rows of both tables that the counts of a report look at in all: about half a second.
WORK = 8_000_000
FEWEST, USEFULNESS_MOST = 30, 500
MOST_TYPES = 1_000_000


def queries_within(row_types: int, rows: int) -> int:
    """Return how many counts a report asks by itself: as many as take a few percent of a run, by the table alone.

    It is 0 where none is asked: below `LEAST_ROWS` rows, above `MOST_TYPES` row types. The row types are those of the
    original, or what its released labels stand for together where that is more; the rows are those of the original.
    """
    if rows < LEAST_ROWS or row_types > MOST_TYPES:
        return 0
    return max(FEWEST, min(USEFULNESS_MOST, WORK // (2 * row_types)))


def rough(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return figures with two digits that say something, all the way down.

    `found` is as `incrowd.tables.usefulness.figures.figures_of` returns them; whole numbers, names and notes stay.
    """
    return {
        name: rough(value) if isinstance(value, dict) else float(f"{value:.2g}") if isinstance(value, float) else value
        for name, value in found.items()
    }
