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
from incrowd.tables.compress import compress, places
from incrowd.tables.engine.base import Engine
from incrowd.tables.read import read
from incrowd.tables.roles import Reading, Roles
from incrowd.tables.solve.mondrian.median_splits import cut_up
from incrowd.tables.values import Levels, Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.reproduce.data_sets import DataSet
    from incrowd.tables.mask import Mask
    from incrowd.tables.protocols import Solver
    from incrowd.tables.solve.greedy.ties import Ties
    from incrowd.tables.values import Int64

__all__ = ["Line", "Method", "Numeric", "measure", "pose", "usefulness"]

Method = Literal["greedy", "mondrian", "exact"]
Numeric = Literal["declared", "all", "none"]
# A quick run is made several times, up to so many seconds in all, and the median time counts.
ENOUGH, TIMES = 0.5, 7
LENGTH = (1 << 30) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What one algorithm made of one data set at one k.

    Attributes
    ----------
    k : int
    method : {"greedy", "mondrian", "exact"}
    suppressed : int
        s: suppressed cells. Of Mondrian, which writes ranges: the cells of its groups in columns that are not
        constant there.
    usefulness : float
        u: Definition 5 of the paper; 0 to m, smaller is better.
    seconds : float
        r: wall time of the algorithm on the row types, without reading, bounds and checks.
    groups : int
        #h: output row types, the fully suppressed one included.
    mean, largest, smallest : float, int, int
        h_avg, h_max, and the size of the smallest group (fully suppressed rows are no group there).
    bound : int
        No release under the same mask has fewer suppressed cells.
    optimal : bool
        Whether `suppressed` is proven to be the least.
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


def pose(data: DataSet, rows: Sequence[Sequence[str]], mask: Mask, numeric: Numeric = "declared") -> Problem:
    """Return the problem of a data set at k = 1: a star costs 1, fully suppressed rows need no crowd.

    Parameters
    ----------
    data : DataSet
    rows : sequence of rows of texts
    mask : Mask
    numeric : {"declared", "all", "none"}
        Which columns are numbers for Mondrian and for the usefulness: `DataSet.numeric`, or all (texts by their rank),
        or none. The paper does not say.

    Returns
    -------
    Problem
        With k = 1, full suppression allowed to any number of rows, and every cost 0 or 1.
    """
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


def _ranks(d: int) -> Int64:
    """Return places for values that lie one apart."""
    line: Int64 = 1 + np.arange(d, dtype=np.int64) * LENGTH // max(d - 1, 1)
    return line


def measure(
    problem: Problem, method: Method, watch: Watch, *, seconds: float | None = None, ties: Ties = "domains"
) -> Line:
    """Run an algorithm and measure what it made.

    Parameters
    ----------
    problem : Problem
    method : {"greedy", "mondrian", "exact"}
    watch : Watch
        Hears events, and can stop the search.
    seconds : float, optional
        Limit for the exact solver.
    ties : {"domains", "pattern", "first", "colexicographic"}
        Order of the greedy's patterns of equal cost.

    Returns
    -------
    Line

    Notes
    -----
    A run of less than 0.5 s is repeated, up to 7 times or 0.5 s in all, and the median time counts.
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
    plan = solution.plan
    sizes = plan.sizes()
    shown = (plan.levels != np.array(problem.top, np.int8)).any(axis=1)
    cost = plan.cost(problem)
    return Line(
        k=problem.k,
        method=method,
        suppressed=cost,
        usefulness=usefulness(problem, plan.part_type, plan.part_group, plan.groups),
        seconds=statistics.median(taken),
        groups=plan.groups,
        mean=problem.types.n / plan.groups,
        largest=int(sizes.max()),
        smallest=int(sizes[shown].min()) if shown.any() else int(sizes.min()),
        bound=solution.bound.value,
        optimal=cost == solution.bound.value,
    )


def _mondrian(problem: Problem, watch: Watch) -> Line:
    """Measure Mondrian as in its paper: cut at medians alone, and parts as they are.

    They show ranges, so parts are not put together as those that show the same stars would be.
    """
    taken: list[float] = []
    while True:
        begun = time.perf_counter()
        parts = cut_up(problem, relaxed=False, median=True, watch=watch)
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


def usefulness(problem: Problem, types: NDArray[np.integer], group: NDArray[np.integer], groups: int) -> float:
    """Return the mean over the groups of the diversity of their rows, as `incrowd.tables.measures.usefulness` does.

    Parameters
    ----------
    problem : Problem
        Columns with `Problem.places` are numeric.
    types, group : (e,) int
        Row types with their groups.
    groups : int
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
