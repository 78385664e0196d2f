"""Recount of a bound over all ranges of some columns, in integers, from the row types and the prices alone.

Every release has one that costs no more in which each class shows, of the other columns, the lowest levels at which its
rows agree and, of every ranged column, its value or the shortest run of cells that holds them, classes that show the
same being one. So prices times counts, and what each such instance can add below 0, is a bound; `sweep` adds it up.
papers/ranges.md proves it.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError
from incrowd.tables.verify.bound.certificate import Recheck, rounded_up, verdict_on
from incrowd.tables.verify.bound.ranges.sweep import TOO_LOW, below_zero
from incrowd.tables.verify.bound.strict_numbers import LIMIT, Unreadable, numbers, read_head, whole
from incrowd.tables.verify.release.grid_labels import exact_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from incrowd.tables.values import Levels, Outliers
    from incrowd.tables.verify.release.groups import Rules

    Int64 = NDArray[np.int64]

NAME, VERSION, SEVERAL = "incrowd ranges bound", 1, 2
MOST_PATTERNS = 1 << 22
MOST_GRIDS = 1000
MOST_KINDS = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """One ranged column [G1].

    `column`: its place. `numbers`: (d,) tuple of Fraction, the number of each of its value codes. `step`: of the grid,
    above 0.
    """

    column: int
    numbers: tuple[Fraction, ...]
    step: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class RangedTable:
    """The problem as the check sees it: some columns on grids, the others on their levels.

    `codes`: (t, m) integer, row types in the order of the table sorted by UTF-8 bytes. `counts`: (t,) int64. `levels`:
    a ranged column's: value and star. `grids`: by place, one at least. `wide`: whether a run costs its width, not its
    distinct values. `allows`: whether the mask allows a level vector, ranged columns at 0 (value), 1 (run) or 2 (star);
    None: no mask. `ask`: asked at every pattern; ends the recount by an exception.
    """

    codes: NDArray[np.integer]
    counts: Int64
    levels: Sequence[Levels]
    grids: tuple[Grid, ...]
    k: int
    outliers: Outliers
    scale: int
    wide: bool = False
    allows: Callable[[tuple[int, ...]], bool] | None = None
    ask: Callable[[], object] = lambda: None


def steps_of(certificate: Mapping[str, Any]) -> tuple[Fraction, ...]:
    """Return the steps of the grids that a certificate speaks of, by column.

    Nothing in the certificate is believed. Raise `InputError` if one of them is no step.
    """
    if certificate.get("version") == SEVERAL:
        listed = certificate.get("steps")
        if not isinstance(listed, list) or not 0 < len(listed) <= MOST_GRIDS:
            raise InputError("the certificate cannot be read: steps is no list of pairs")
    else:
        listed = [certificate.get("step")]
    for said in listed:
        if (
            not isinstance(said, list)
            or len(said) != 2
            or not all(type(part) is int and 0 < part < LIMIT for part in said)
        ):
            raise InputError("the certificate cannot be read: step is no pair of whole numbers above 0")
    return tuple(Fraction(*said) for said in listed)


def recheck(table: RangedTable, certificate: Mapping[str, Any], cost: int | None = None) -> Recheck:
    """Recount a certificate, which is as read from JSON.

    `cost` is the scaled cost of the release, recounted. Raise `InputError` if the certificate cannot be read. Takes O(p
    t log t) for p patterns of the other columns, and a sweep of every group: from each value, up to the run that costs
    as much as the group's dearest price.
    """
    try:
        return _recheck(table, certificate, cost)
    except Unreadable as error:
        raise InputError(f"the certificate cannot be read: {error}") from None


def _recheck(table: RangedTable, certificate: Mapping[str, Any], cost: int | None) -> Recheck:
    facts: dict[str, int | str] = {
        "rows": int(table.counts.sum()), "row_types": len(table.counts), "k": table.k, "outliers": table.outliers,
        "scale": table.scale,
    }  # fmt: skip
    several = len(table.grids) > 1
    claims = read_head(certificate, NAME, SEVERAL if several else VERSION, facts, cost)
    wrong = list(claims.wrong)
    places = [grid.column for grid in table.grids]
    if several:
        if numbers(certificate.get("columns"), "columns", len(places)).tolist() != places:
            wrong.append("columns")
    elif whole(certificate, "column") != places[0]:
        wrong.append("column")
    if steps_of(certificate) != tuple(grid.step for grid in table.grids):
        wrong.append("steps" if several else "step")
    value = 0 if wrong else max(_value(table, certificate), 0)
    return verdict_on(claims, value, wrong, cost)


def _value(table: RangedTable, certificate: Mapping[str, Any]) -> int:
    parts = whole(certificate, "parts", least=1)
    counts = np.asarray(table.counts, np.int64)
    prices = numbers(certificate.get("prices"), "prices", len(counts))
    ranged = [grid.column for grid in table.grids]
    others = [j for j in range(len(table.levels)) if j not in ranged]
    tops = [table.levels[j].height for j in others]
    if math.prod(top + 1 for top in tops) > MOST_PATTERNS:
        raise Unreadable("the other columns have too many level vectors to recount")
    if any((np.diff(table.levels[j].cost, axis=0) < 0).any() for j in others):
        raise Unreadable("costs fall with the level, which this proof does not allow")
    lines_of = [priced_cells(grid, int(table.levels[grid.column].cost.max()), wide=table.wide) for grid in table.grids]
    dearest = sum(int(level.cost.max()) for level in table.levels)
    largest = max(int(np.abs(prices).max(initial=0)), parts * dearest)
    if int(counts.sum()) * largest * 4 >= -TOO_LOW:
        raise Unreadable("its numbers are too large to be added up")
    codes = np.asarray(table.codes)
    value = np.stack([codes[:, j] for j in ranged]).astype(np.int64)
    place = np.stack([cells[own] for (cells, _, _), own in zip(lines_of, value, strict=True)])
    widest = max(len(low) for _, low, _ in lines_of)
    low, high = np.zeros((len(ranged), widest), np.int64), np.zeros((len(ranged), widest), np.int64)
    for c, (_, least, most) in enumerate(lines_of):
        low[c, : len(least)], high[c, : len(most)] = least * parts, most * parts
    last = np.array([len(least) - 1 for _, least, _ in lines_of], np.int64)
    free = table.outliers == "suppress"
    total = int((prices * counts).sum())  # [G5]
    open_, starred = _left(table, tops, others, ranged)
    if free and starred:
        total += int((np.minimum(dearest * parts - prices, 0) * counts).sum())
    if table.allows is not None and not free and starred:
        total += min(0, _of_stars(dearest * parts, prices, counts, table.k))
    none = np.full(len(counts), -1, np.int64)
    for vector in itertools.product(*(range(top + 1) for top in tops)):
        if not open_[vector].any():
            continue
        table.ask()
        up = [table.levels[j].up[level][codes[:, j]].astype(np.int64) for j, level in zip(others, vector, strict=True)]
        under = [
            table.levels[j].up[level - 1][codes[:, j]].astype(np.int64) if level else none
            for j, level in zip(others, vector, strict=True)
        ]
        paid = np.zeros(len(counts), np.int64)
        for j, level in zip(others, vector, strict=True):
            paid += table.levels[j].cost[level][codes[:, j]]
        lines = np.array([*up, *under], np.int64).reshape(2 * len(others), len(counts))
        runs = np.lexsort((value[-1], place[-1], *up))
        found = below_zero(  # [G4]
            lines, paid * parts, place, value, low, high, last, counts, table.k, prices, free and list(vector) == tops,
            runs, np.ascontiguousarray(open_[vector].reshape(-1)),
        )  # fmt: skip
        total += int(found)
        if found <= TOO_LOW:
            return 0
    step = math.gcd(
        *(int(np.gcd.reduce(table.levels[j].cost, axis=None)) for j in others),
        *(int(np.gcd.reduce(np.concatenate((least, most)))) for _, least, most in lines_of),
    )
    return rounded_up(total, parts, max(step, 1))


def _left(
    table: RangedTable, tops: Sequence[int], others: Sequence[int], ranged: Sequence[int]
) -> tuple[NDArray[np.bool_], bool]:
    """Return which kinds of instances count by the mask, and whether stars alone are allowed.

    The first axes are the levels of the other columns, then for every ranged column 0, 1 or 2. An instance counts if
    the mask allows something at or above it that is not stars alone [G4].
    """
    shape = (*(top + 1 for top in tops), *(3 for _ in ranged))
    if table.allows is None:
        return np.ones(shape, np.bool_), True
    if math.prod(shape) > MOST_KINDS:
        raise Unreadable("there are too many level vectors to recount under a mask")
    known = np.zeros(shape, np.bool_)
    vector = [0] * len(table.levels)
    for place in itertools.product(*map(range, shape)):
        for j, level in zip((*others, *ranged), place, strict=True):
            vector[j] = level
        known[place] = table.allows(tuple(vector))
    starred = bool(known.flat[-1])
    known.flat[-1] = False
    for axis, size in enumerate(shape):
        lines = np.moveaxis(known, axis, 0)
        for level in range(size - 2, -1, -1):
            lines[level] |= lines[level + 1]
    return known, starred


def _of_stars(cost: int, prices: Int64, counts: Int64, k: int) -> int:
    """Return the least sum of (cost - price) over at least k rows of any types."""
    total = taken = 0
    for price, rows in sorted(zip(prices.tolist(), counts.tolist(), strict=True), reverse=True):
        use = rows if price > cost else min(rows, max(k - taken, 0))
        total += (cost - price) * use
        taken += use
    return total


def priced_cells(grid: Grid, star: int, *, wide: bool) -> tuple[Int64, Int64, Int64]:
    """Return the cell of each value; a run from cell a to cell b costs the third's b less the second's a [G3].

    `star` is the scaled cost of a star in the grid's column, and `wide` says whether a run costs its width, not its
    distinct values.
    """
    if len(grid.numbers) < 2 or len(set(grid.numbers)) < 2:
        raise Unreadable("a ranged column has one value")
    places = [math.floor(number / grid.step) for number in grid.numbers]
    occupied = {cell: x for x, cell in enumerate(sorted(set(places)))}
    cells = np.array([occupied[cell] for cell in places], np.int64)
    if wide:
        least, whole_width = min(grid.numbers), max(grid.numbers) - min(grid.numbers)
        paid = [star * (number - least) / whole_width for number in grid.numbers]
        if any(one.denominator != 1 for one in paid):
            raise Unreadable("the scale does not fit a column's ranges")
        from_ = [min(int(p) for p, c in zip(paid, cells, strict=True) if c == x) for x in range(len(occupied))]
        to = [max(int(p) for p, c in zip(paid, cells, strict=True) if c == x) for x in range(len(occupied))]
        return cells, np.array(from_, np.int64), np.array(to, np.int64)
    if star % (len(places) - 1):
        raise Unreadable("the scale does not fit a column's ranges")
    unit = star // (len(places) - 1)
    upto = np.cumsum(np.bincount(cells)).astype(np.int64)
    before = np.concatenate(([0], upto[:-1])).astype(np.int64)
    return cells, before * unit, (upto - 1) * unit


# Every run of a grid's cells, as a level of its column: which values lie in it and what it costs.
#
# Runs do not nest, so nothing climbs these levels; they are for a reader that goes through all of them.
FAR = 1 << 61
MOST_RUNS, MOST = 1 << 9, 1 << 22


class TooManyRuns(Exception):
    """A column has more runs than may be listed."""


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """The runs of one column, the cheaper and shorter ones first: the first that holds some values is their shortest.

    `holds`: (d, r) bool, whether a value lies in a run. `cost`: (r + 2, d) int64, what values cost at levels 0
    (themselves), 1 to r (the runs) and r + 1 (the star); more than 2^60 where a value does not lie in the run.
    """

    holds: NDArray[np.bool_]
    cost: NDArray[np.int64]


def runs_of(values: Sequence[str | None], name: str, rules: Rules, scale: int) -> Runs:
    """Return the runs of a ranged column of a policy.

    `values` are by rank and none is missing, `name` is the column, `rules` have a step for it, and `scale` is how many
    units of cost one of the user's is. Raise `TooManyRuns` as `all_runs` does.
    """
    numbers = exact_numbers([value for value in values if value is not None], name)
    grid = Grid(column=0, numbers=numbers, step=rules.steps[name])
    return all_runs(grid, int(rules.star_cost(name) * scale), wide=rules.cost == "ncp")


def all_runs(grid: Grid, star: int, *, wide: bool) -> Runs:
    """Return the runs of a grid [G3].

    `star` is the scaled cost of a star in the grid's column, and `wide` says whether a run costs its width, not its
    distinct values. Raise `TooManyRuns` above `MOST_RUNS` runs, or `MOST` pairs of a run and a value. Takes O(d G^2)
    for d values in G cells.
    """
    cells, low, high = priced_cells(grid, star, wide=wide)
    d, last = len(cells), len(low) - 1
    if last * (last + 3) // 2 > MOST_RUNS or d * last * (last + 3) // 2 > MOST:
        raise TooManyRuns
    every = ((int(high[b] - low[a]), b - a, a, b) for a in range(last + 1) for b in range(a, last + 1))
    runs = np.array(sorted(one for one in every if one[1] < last), np.int64).reshape(-1, 4)
    holds = (runs[:, 2] <= cells[:, None]) & (cells[:, None] <= runs[:, 3])
    # [T5] far away, and a multiple of the step
    paid = np.where(holds, runs[:, 0], FAR // max(star, 1) * star).T
    return Runs(holds, np.vstack([np.zeros(d, np.int64), paid, np.full(d, star)]))
