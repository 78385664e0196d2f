"""One algorithm on one data set at one k, and the columns of the paper's tables."""

from __future__ import annotations

import dataclasses
import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pyarrow as pa

from incrowd import registry
from incrowd.errors import InputError
from incrowd.milp.engine import left_behind
from incrowd.tables.compress import compress, places
from incrowd.tables.engine.base import Engine
from incrowd.tables.read import read
from incrowd.tables.roles import Reading, Roles
from incrowd.tables.solve.mondrian import Parts
from incrowd.tables.solve.textbook.ilp import Ilp
from incrowd.tables.values import Levels, Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.reproduce.data_sets import DataSet
    from incrowd.tables.mask import Mask
    from incrowd.tables.protocols import Solver
    from incrowd.tables.solve.greedy.greedy import Ties
    from incrowd.tables.values import Int64, Plan

Method = Literal["greedy", "mondrian", "exact", "ilp"]
Numeric = Literal["declared", "all", "none"]
Texts = Literal["appearance", "sorted"]
# A quick run is made several times, up to so many seconds in all, and the median time counts.
ENOUGH, TIMES = 0.5, 7
# Seconds between two looks at an engine that has not ended.
LOOK = 0.05


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

    def to_json(self) -> dict[str, Any]:
        """Return the line as plain values."""
        return dataclasses.asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """A run of the integer program that ended without a release.

    `seconds`: wall time of the run. `bound`: no release under the same mask has fewer suppressed cells, as the engine
    says.
    """

    k: int
    seconds: float
    bound: int

    def to_json(self) -> dict[str, Any]:
        """Return the run as plain values."""
        return dataclasses.asdict(self)


def pose(
    data: DataSet,
    rows: Sequence[Sequence[str]],
    mask: Mask,
    numeric: Numeric = "declared",
    texts: Texts = "sorted",
) -> Problem:
    """Return the problem of a data set at k = 1: a star costs 1, fully suppressed rows need no crowd.

    `numeric`: which columns are numbers for Mondrian and for the usefulness: `DataSet.numeric`, or all (texts by their
    rank), or none. The paper does not say. `texts`: in which order the values of a text column lie for Mondrian: by the
    alphabet, or as they come in the file. The paper does not say. Returns with k = 1, full suppression allowed to any
    number of rows, and every cost 0 or 1.
    """
    rows = _renamed(rows, [numeric == "none" or name not in data.numeric for name in data.columns], texts)
    columns = [pa.array([row[j] or None for row in rows], pa.string()) for j in range(len(data.columns))]
    table = pa.table(columns, names=list(data.columns))
    roles = Roles(quasi_identifiers=data.columns, numeric=data.numeric)
    with Engine() as engine:
        # empty fields are values like any other here: the paper knows no missing ones
        opened = read(engine, table, roles, Reading(), text=data.columns, star="*")
        compressed = compress(opened)
        along = places(opened, compressed)
    types = compressed.types
    if numeric == "all":
        along = tuple(_ranks(d) if line is None else line for d, line in zip(types.sizes, along, strict=True))
    elif numeric == "none":
        along = ()
    levels = tuple(
        Levels(
            np.stack([np.arange(d), np.zeros(d)]).astype(np.int32),
            np.stack([np.zeros(d), np.ones(d)]).astype(np.int64),
        )
        for d in types.sizes
    )
    patterns = mask.compile(data.columns, [1] * types.m)
    return Problem(types, levels, patterns, 1, outliers="suppress", columns=data.columns, places=along)


def _renamed(rows: Sequence[Sequence[str]], text: Sequence[bool], texts: Texts) -> Sequence[Sequence[str]]:
    """Return the rows with texts whose alphabetical order is the one asked for; numbers keep theirs."""
    columns = []
    for column, renames in zip(zip(*rows, strict=True), text, strict=True):
        values = list(dict.fromkeys(column))
        if all(value.isdecimal() for value in values):
            values.sort(key=lambda value: (int(value), value))
        elif texts == "sorted":
            values.sort()
        names = {value: f"{number:09d}" for number, value in enumerate(values)} | {"": ""}
        columns.append(tuple(names[value] for value in column) if renames else column)
    return list(zip(*columns, strict=True))


def _ranks(d: int) -> Int64:
    """Return places for values that lie one apart."""
    line: Int64 = 1 + np.arange(d, dtype=np.int64) * LENGTH // max(d - 1, 1)
    return line


def measure(
    problem: Problem,
    method: Literal["greedy", "mondrian", "exact"],
    watch: Watch,
    *,
    seconds: float | None = None,
    ties: Ties = "domains",
) -> Line:
    """Run an algorithm and measure what it made.

    `watch`: hears events, and can stop the search. `seconds`: limit for the exact solver. `ties`: order of the greedy's
    patterns of equal cost. A run of less than 0.5 s is repeated, up to 7 times or 0.5 s in all, and the median time
    counts.
    """
    if method == "mondrian":
        return _mondrian(problem, watch)
    options: dict[str, Any] = {"leaves": 0} if method == "exact" else {"ties": ties}
    solver: Solver = registry.load("solvers", method)(**options)
    taken: list[float] = []
    while True:
        watch.limit(seconds if method == "exact" else None)
        begun = time.perf_counter()
        solution = solver.solve(problem, watch)
        wall = time.perf_counter() - begun
        watch.limit(None)
        taken.append(solution.seconds["solve"] if method == "greedy" else wall)
        if sum(taken) >= ENOUGH or len(taken) == TIMES:
            break
    return _of_plan(problem, method, solution.plan, statistics.median(taken), solution.bound.value)


def program(problem: Problem, watch: Watch, *, seconds: float | None = None) -> Line | Missed:
    """Run the paper's integer program in HiGHS, without a release to start from, and measure what it made.

    The watch hears events, and can stop the search. `seconds` is a limit of wall time. InputError is raised, with the
    sizes, if the program needs more memory than is at hand. One run; the time that the engine may take beyond its limit
    counts. An engine that did not end in its time (large programs are reduced first, and that hears no clock) is waited
    for as long again; where it still leaves too little memory, the run is missed.
    """
    solver = Ilp(first=False)
    end = time.perf_counter() + (seconds or 0.0)
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
        k=problem.k,
        method=method,
        suppressed=cost,
        usefulness=usefulness(problem, plan.part_type, plan.part_class, plan.classes),
        seconds=seconds,
        groups=plan.classes,
        mean=problem.types.n / plan.classes,
        largest=int(sizes.max()),
        smallest=int(sizes[shown].min()) if shown.any() else int(sizes.min()),
        bound=bound,
        optimal=cost == bound,
    )


def _mondrian(problem: Problem, watch: Watch) -> Line:
    """Measure Mondrian, as `incrowd.reproduce.measure` has it, with its parts as they are.

    They show ranges, so parts are not put together as those that show the same stars would be.
    """
    taken: list[float] = []
    while True:
        begun = time.perf_counter()
        parts = cut_regions(problem, watch)
        taken.append(time.perf_counter() - begun)
        if sum(taken) >= ENOUGH or len(taken) == TIMES:
            break
    sizes = np.add.reduceat(parts.rows, parts.begins[:-1])
    group = np.repeat(np.arange(parts.count), np.diff(parts.begins))
    apart = np.zeros(parts.count, np.int64)
    for column in problem.types.codes[parts.types].T:
        low, high = (found.reduceat(column, parts.begins[:-1]) for found in (np.minimum, np.maximum))
        apart += low != high
    return Line(
        k=problem.k,
        method="mondrian",
        suppressed=int((apart * sizes).sum()),
        usefulness=usefulness(problem, parts.types, group, parts.count),
        seconds=statistics.median(taken),
        groups=parts.count,
        mean=problem.types.n / parts.count,
        largest=int(sizes.max()),
        smallest=int(sizes.min()),
        bound=0,
        optimal=False,
    )


# Mondrian as the toolbox has it that the paper compares with: cuts by the widths of regions.
#
# The paper's Mondrian is "an existing implementation" [1], by its address that of the UT Dallas Anonymization Toolbox
# [2]. It differs from the paper on Mondrian in what "widest" means: a part keeps the region that it was cut to (the
# whole domain at first, the halves of a range after a cut), and the region's width counts, not that of the rows in it.
# Texts are numbered in an order that its user writes down.
#
# References
# ----------
# .. [1] R. Bredereck, A. Nichterlein, R. Niedermeier, "Pattern-Guided k-Anonymity", Algorithms 2013, 6(4), Section 3.4.
# .. [2] UT Dallas Data Security and Privacy Lab, "UTD Anonymization Toolbox", ``mondrian/Mondrian.java``.
def cut_regions(problem: Problem, watch: Watch) -> Parts:
    """Return the toolbox's parts; each has at least k rows.

    The problem is without requirements. Columns with `Problem.places` lie by these, all others by their codes. The
    watch is asked at every part: parts not cut yet then stay as they are. A part is cut in the column whose region is
    widest as a share of the domain (the first of them), among those whose median leaves k rows on both sides; the
    median, the least value that half of the rows do not exceed, goes left. O(m t log t) time for a round of cuts over m
    columns and t row types, about log2(n / k) rounds; O(m t) memory.
    """
    types, m = problem.types, problem.types.m
    places = problem.places or (None,) * m
    at = np.stack([_line(places[j], types.sizes[j])[types.codes[:, j]] for j in range(m)])
    low, high = at.min(axis=1), at.max(axis=1)
    domain = np.maximum(high - low, 1).astype(np.float64)
    open_ = [(np.arange(types.t, dtype=np.int32), low, high)]
    done: list[NDArray[np.int32]] = []
    while open_:
        part, low, high = open_.pop()
        found = None if watch.stopped else _cut(at[:, part], types.counts[part], (high - low) / domain, problem.k)
        if found is None:
            done.append(part)
            continue
        column, median = found
        left = at[column, part] <= median
        until, since = high.copy(), low.copy()
        until[column] = since[column] = median
        open_ += [(part[left], low, until), (part[~left], since, high)]
    begins = np.concatenate(([0], np.cumsum([part.size for part in done]))).astype(np.int64)
    together = np.concatenate(done)
    return Parts(together, types.counts[together], begins)


def _line(places: Int64 | None, size: int) -> Int64:
    """Return where the values of a column lie, shape (size,)."""
    return np.arange(size, dtype=np.int64) if places is None else places


def _cut(at: NDArray[np.int64], rows: NDArray[np.int64], width: NDArray[np.float64], k: int) -> tuple[int, int] | None:
    """Return the column and the median of a part's cut, or None where none may be made."""
    total = int(rows.sum())
    if total < 2 * k:
        return None
    for column in np.argsort(-width, kind="stable"):
        if width[column] <= 0:
            return None
        order = np.argsort(at[column], kind="stable")
        median = at[column, order[np.searchsorted(2 * np.cumsum(rows[order]), total)]]
        below = int(rows[at[column] <= median].sum())
        if below >= k and total - below >= k:
            return int(column), int(median)
    return None


# Usefulness of the groups that an algorithm made, from the codes of their rows.

# The span of a numeric column's places.
LENGTH = (1 << 30) - 1


def usefulness(problem: Problem, types: NDArray[np.integer], group: NDArray[np.integer], groups: int) -> float:
    """Return the mean over the groups of the diversity of their rows, as `incrowd.tables.measures.usefulness` does.

    Columns with `Problem.places` are numeric. `types` and `group` are (e,) int: row types with their groups.
    """
    total = 0.0
    for j, size in enumerate(problem.types.sizes):
        codes = problem.types.codes[types, j].astype(np.int64)
        line = problem.places[j] if problem.places else None
        if line is None:
            pairs = np.unique(group.astype(np.int64) * size + codes) // size
            total += float(np.bincount(pairs, minlength=groups).sum()) / size
        else:
            total += _spread(line, line[codes], group, groups)
    return total / groups


def _spread(line: Int64, at: Int64, group: NDArray[np.integer], groups: int) -> float:
    """Return the sum over the groups of a numeric column's diversity; 0 among the places is NULL."""
    numbers = line[line > 0]
    width = int(numbers.max() - numbers.min()) if numbers.size else 0
    low, high = np.full(groups, LENGTH + 2), np.zeros(groups, np.int64)
    known = at > 0
    np.minimum.at(low, group[known], at[known])
    np.maximum.at(high, group[known], at[known])
    null = np.zeros(groups, np.bool_)
    null[group[~known]] = True
    some = high > 0
    each = np.where(some & ~null, (high - low) / max(width, 1), 0.0)
    return float(np.where(some & null, 1.0, each).sum())
