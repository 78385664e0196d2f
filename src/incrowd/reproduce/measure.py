"""One algorithm on one data set at one k, and the columns of the paper's tables."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from incrowd import registry
from incrowd.errors import InputError
from incrowd.milp.engine import left_behind
from incrowd.reproduce.mondrian import cut_regions
from incrowd.tables.solve.textbook.ilp import Ilp
from incrowd.tables.values import Levels, Problem, RowTypes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.reproduce.data_sets import DataSet
    from incrowd.tables.mask import Mask
    from incrowd.tables.values import Int64, Plan

Method = Literal["greedy", "mondrian", "exact", "ilp"]
Numeric = Literal["declared", "all", "none"]
Texts = Literal["appearance", "sorted"]
T = TypeVar("T")
# A quick run is made several times, up to so many seconds in all, and the median time counts.
ENOUGH, TIMES = 0.5, 7
# Seconds between two looks at an engine that has not ended.
LOOK = 0.05
LENGTH = (1 << 30) - 1  # the span of a numeric column's places


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What one algorithm made of one data set at one k.

    `suppressed`: s: suppressed cells. Of Mondrian, which writes ranges: the cells of its groups in columns that are not
    constant there. `usefulness`: u: Definition 5 of the paper; 0 to m, smaller is better. `seconds`: r: wall time of
    the algorithm on the row types, without reading, bounds and checks. `groups`: #h: output row types, the fully
    suppressed one included. `mean`, `largest`, `smallest`: h_avg, h_max, and the size of the smallest group (fully
    suppressed rows are no group there). `bound`: no release under the same mask has fewer suppressed cells. `optimal`:
    whether `suppressed` is proven to be the least.
    """

    k: int
    method: Method
    suppressed: int
    usefulness: float
    seconds: float
    groups: int
    mean: float
    largest: int
    smallest: int
    bound: int
    optimal: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """A run of the integer program that ended without a release, but with a bound, after so many seconds."""

    k: int
    seconds: float
    bound: int


def pose(data: DataSet, rows: Sequence[Sequence[str]], mask: Mask, numeric: Numeric, texts: Texts) -> Problem:
    """Return the problem of a data set at k = 1: a star costs 1, fully suppressed rows need no crowd.

    `numeric`: which columns are numbers for Mondrian and for the usefulness: those of the data set, all (texts by their
    rank), or none. `texts`: in which order the values of a text column lie for Mondrian: by the alphabet, or as they
    come in the file. The paper says neither. An empty field is a value like any other, the first; numbers keep their
    order.
    """
    codes, places, sizes = [], [], []
    for name, column in zip(data.columns, zip(*rows, strict=True), strict=True):
        values = [value for value in dict.fromkeys(column) if value]
        as_numbers = name in data.numeric and numeric != "none"
        if as_numbers or all(value.isdecimal() for value in values):
            values.sort(key=_number)
        elif texts == "sorted":
            values.sort()
        values = [""] * ("" in column) + values
        code = {value: i for i, value in enumerate(values)}
        codes.append([code[value] for value in column])
        sizes.append(len(values))
        places.append(
            _along([_number(value) for value in values]) if as_numbers
            else _along(range(len(values))) if numeric == "all" else None
        )  # fmt: skip
    distinct, counts = np.unique(np.array(codes, np.int32).T, axis=0, return_counts=True)
    levels = tuple(
        Levels(
            np.stack([np.arange(d), np.zeros(d)]).astype(np.int32),
            np.stack([np.zeros(d), np.ones(d)]).astype(np.int64),
        )
        for d in sizes
    )
    return Problem(
        RowTypes(distinct, counts.astype(np.int64), tuple(sizes)), levels, mask.compile(data.columns, [1] * len(sizes)),
        1, outliers="suppress", columns=data.columns, places=tuple(places),
    )  # fmt: skip


def _number(value: str) -> float:
    """Return a number; what is none comes first."""
    try:
        return float(value)
    except ValueError:
        return -np.inf


def _along(numbers: Sequence[float]) -> Int64:
    """Return places from 1 to 2^30 in proportion to ascending numbers; 0 for what is no number."""
    line = np.array(numbers, np.float64)
    known = np.isfinite(line)
    span = max(line[known].max() - line[known].min(), 1e-300) if known.any() else 1.0
    place = np.zeros(line.size, np.int64)
    place[known] = 1 + np.floor((line[known] - line[known].min(initial=np.inf)) / span * LENGTH).astype(np.int64)
    return place


def _timed(run: Callable[[], T], seconds_of: Callable[[T], float] | None = None) -> tuple[T, float]:
    """Return what a run gives, and its median time: a quick one is made up to 7 times, or 0.5 s in all."""
    taken: list[float] = []
    while True:
        begun = time.perf_counter()
        found = run()
        wall = time.perf_counter() - begun
        taken.append(wall if seconds_of is None else seconds_of(found))
        if sum(taken) >= ENOUGH or len(taken) == TIMES:
            return found, statistics.median(taken)


def measure(problem: Problem, method: Method, watch: Watch, *, seconds: float, ties: str) -> Line | Missed:
    """Run an algorithm and measure what it made.

    `seconds`: limit for the exact solver and the integer program. `ties`: order of the greedy's patterns of equal cost.
    """
    if method == "ilp":
        return _program(problem, watch, seconds)
    if method == "mondrian":
        parts, median = _timed(lambda: cut_regions(problem, watch))
        return _of_parts(problem, parts, median)
    options: dict[str, Any] = {"leaves": 0} if method == "exact" else {"ties": ties}
    solver = registry.load("solvers", method)(**options)

    def run() -> Any:
        watch.limit(seconds if method == "exact" else None)
        try:
            return solver.solve(problem, watch)
        finally:
            watch.limit(None)

    solution, median = _timed(run, (lambda found: found.seconds["solve"]) if method == "greedy" else None)
    return _of_plan(problem, method, solution.plan, median, solution.bound.value)


def _program(problem: Problem, watch: Watch, seconds: float) -> Line | Missed:
    """Run the paper's integer program in HiGHS, without a release to start from, and measure what it made.

    InputError is raised, with the sizes, if it needs more memory than is at hand. One run; the time that the engine may
    take beyond its limit counts. An engine that did not end in its time (large programs are reduced first, and that
    hears no clock) is waited for as long again; where it still leaves too little memory, the run is missed.
    """
    solver = Ilp(first=False)
    end = time.perf_counter() + seconds
    while left_behind() and not watch.interrupted and time.perf_counter() < end:
        time.sleep(LOOK)
    reason = solver.declines(problem)
    if reason is not None:
        if left_behind():
            return Missed(k=problem.k, seconds=0.0, bound=0)
        raise InputError(f"solver 'ilp' cannot take the experiment: {reason}")
    watch.limit(seconds)
    begun = time.perf_counter()
    try:
        found, bound = solver.attempt(problem, watch)
    finally:
        watch.limit(None)
    wall = time.perf_counter() - begun
    if found is None:
        return Missed(k=problem.k, seconds=wall, bound=bound)
    return _of_plan(problem, "ilp", found.plan, wall, bound)


def _of_plan(problem: Problem, method: Method, plan: Plan, seconds: float, bound: int) -> Line:
    sizes = plan.sizes()
    shown = (plan.levels != np.array(problem.top, np.int8)).any(axis=1)
    cost = plan.cost(problem)
    return Line(
        k=problem.k, method=method, suppressed=cost, seconds=seconds, bound=bound, optimal=cost == bound,
        usefulness=usefulness(problem, plan.part_type, plan.part_class, plan.classes), groups=plan.classes,
        mean=problem.types.n / plan.classes, largest=int(sizes.max()),
        smallest=int(sizes[shown].min()) if shown.any() else int(sizes.min()),
    )  # fmt: skip


def _of_parts(problem: Problem, parts: Sequence[NDArray[np.integer[Any]]], seconds: float) -> Line:
    """Measure Mondrian's parts: they show ranges, and are not put together as those of the same stars would be."""
    sizes = [int(problem.types.counts[part].sum()) for part in parts]
    apart = [int((np.ptp(problem.types.codes[part], axis=0) > 0).sum()) for part in parts]
    group = np.repeat(np.arange(len(parts)), [part.size for part in parts])
    return Line(
        k=problem.k, method="mondrian", suppressed=sum(map(int.__mul__, sizes, apart)), seconds=seconds, bound=0,
        optimal=False, usefulness=usefulness(problem, np.concatenate(parts), group, len(parts)), groups=len(parts),
        mean=problem.types.n / len(parts), largest=max(sizes), smallest=min(sizes),
    )  # fmt: skip


def usefulness(problem: Problem, types: NDArray[Any], group: NDArray[Any], groups: int) -> float:
    """Return the mean over the groups of the diversity of their rows, as `incrowd.tables.measures.usefulness` does.

    Columns with `Problem.places` are numeric. `types` and `group` are (e,) int: row types with their groups.
    """
    total = 0.0
    for j, size in enumerate(problem.types.sizes):
        codes = problem.types.codes[types, j].astype(np.int64)
        line = problem.places[j]
        if line is None:
            pairs = np.unique(group.astype(np.int64) * size + codes) // size
            total += float(np.bincount(pairs, minlength=groups).sum()) / size
        else:
            total += _spread(line, line[codes], group, groups)
    return total / groups


def _spread(line: Int64, at: Int64, group: NDArray[Any], groups: int) -> float:
    """Return the sum over the groups of a numeric column's diversity; 0 among the places is NULL."""
    numbers = line[line > 0]
    width = int(np.ptp(numbers)) if numbers.size else 0
    low, high = np.full(groups, LENGTH + 2), np.zeros(groups, np.int64)
    known = at > 0
    np.minimum.at(low, group[known], at[known])
    np.maximum.at(high, group[known], at[known])
    null = np.zeros(groups, np.bool_)
    null[group[~known]] = True
    some = high > 0
    each = np.where(some & ~null, (high - low) / max(width, 1), 0.0)
    return float(np.where(some & null, 1.0, each).sum())
