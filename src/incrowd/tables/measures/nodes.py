"""How often each node of each hierarchy is shown, and what it stands for: what measures of generalization are made of.

A range of numbers stands for every number of the table between its ends, a star for the whole column (`docs/tables.md`
says which is shown when).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.costs import penalties
from incrowd.tables.measures.context import counted_once
from incrowd.tables.row_numbers import added_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.measures.context import MeasureContext
    from incrowd.tables.table import Expanded, Table
    from incrowd.tables.values import Int64, Levels


@counted_once
def cells_shown(release: Expanded, context: MeasureContext) -> tuple[Int64, ...]:
    """Return per quasi-identifier how many rows show each of its values at each level, (h + 1, d) int64.

    Entry ``[l, v]`` of column j: rows of value code v that were released at level l; sums to the rows. Of the release
    only its parts are read, of the problem its `types` and `levels`. What leaves the engine is one line of small
    integers per part. Time grows with row types times columns, memory with the row types and with levels times values.
    """
    counted = _counted_there(release, context) if context.dictionaries else _counted_here(release, context)
    for j in context.problem.gaps:  # beside stars that are NULLs a missing value is as it was
        counted[j][0, 0] += counted[j][1:, 0].sum()
        counted[j][1:, 0] = 0
    return counted


def _counted_here(release: Expanded, context: MeasureContext) -> tuple[Int64, ...]:
    """Count in arrays."""
    engine, problem = release.table.engine, context.problem
    with engine.guard("counting the cells of each level"):
        parts = engine.fetch(release.parts.select("type", "rows", *(f"l{j}" for j in range(len(problem.levels)))))
    codes = problem.types.codes[parts.column("type").to_numpy()]
    return tuple(
        _by_level(level, parts.column(f"l{j}").to_numpy(), codes[:, j], parts.column("rows").to_numpy())
        for j, level in enumerate(problem.levels)
    )


def _by_level(level: Levels, at: Int64, code: NDArray[np.integer], rows: Int64) -> Int64:
    """Return the rows at each level of each value, (h + 1, d)."""
    return added_up(at.astype(np.int64) * level.up.shape[1] + code, rows, level.up.size).reshape(level.up.shape)


def _counted_there(release: Expanded, context: MeasureContext) -> tuple[Int64, ...]:
    """Count in the engine: one GROUP BY a column over the parts; one line a value and level crosses."""
    engine, parts = release.table.engine, release.parts
    counted = []
    for j, (level, values) in enumerate(zip(context.problem.levels, context.dictionaries, strict=True)):
        with engine.guard("counting the cells of each level"):
            grouped = parts.group_by(f"o{j}", f"l{j}").aggregate(rows=parts["rows"].sum().cast("int64"))
            joined = grouped.join(values, grouped[f"o{j}"].identical_to(values[f"value{j}"]))
            found = engine.fetch(joined.select(code=joined[f"code{j}"], level=joined[f"l{j}"], rows=joined["rows"]))
        counted.append(_by_level(level, *(found.column(name).to_numpy() for name in ("level", "code", "rows"))))
    return tuple(counted)


def weights_below(level: Levels, weights: Int64) -> Int64:
    """Return for every level and value code the sum of the weights, (d,), of the values below its node, (h + 1, d)."""
    out = np.stack([added_up(node, weights, int(node.max()) + 1)[node] for node in level.up])
    out[0] = weights  # shown as it is, also in a column that cannot change, whose level 0 is its top
    return out


@dataclass(frozen=True, slots=True, eq=False)
class Behind:
    """What the shown cells of one column stand for: an entry a level and value, or a part where they show ranges.

    `rows`: (...) int64, rows of each entry. `own`: rows of the table with the entry's own value. `values`: values of
    the column that the shown cell stands for. `below`: rows of the table that have any of them. `share`: of the domain
    that the cell stands for, 0 where it shows its value, in whole numbers of which the domain is `whole`: the width of
    a range of numbers. `star`: whether it shows a star. `each`: (d,) int64, rows of each value of the column.
    """

    rows: Int64
    own: Int64
    values: Int64
    below: Int64
    share: NDArray[Any]
    whole: int
    star: NDArray[np.bool_]
    each: Int64


@counted_once
def behind(release: Expanded, context: MeasureContext) -> tuple[Behind, ...]:
    """Return what the cells of each quasi-identifier stand for.

    What leaves the engine is one line of integers per part. Time grows with parts times columns.
    """
    problem = context.problem
    if not context.ranges:
        shown = zip(cells_shown(release, context), problem.levels, strict=True)
        return tuple(_of_levels(cells, level, context.numbers.get(j)) for j, (cells, level) in enumerate(shown))
    engine = release.table.engine
    with engine.guard("measuring the ranges"):
        parts = engine.fetch(release.parts.select("type", "group", "rows"))
    group = np.unique(parts.column("group").to_numpy(), return_inverse=True)[1]
    rows = parts.column("rows").to_numpy().astype(np.int64)
    codes = problem.types.codes[parts.column("type").to_numpy()].astype(np.int64)
    lines = problem.places or (None,) * problem.types.m
    return tuple(
        _of_ranges(codes[:, j], rows, group, size, line)
        for j, (size, line) in enumerate(zip(problem.types.sizes, lines, strict=True))
    )


def _of_levels(cells: Int64, level: Levels, numbers: Sequence[Fraction | None] | None) -> Behind:
    each = cells.sum(axis=0)  # every row shows its value at some level
    shares = penalties(level.up, numbers)
    different = {id(share): share for line in shares for share in line}
    whole = math.lcm(*(share.denominator for share in different.values()))
    told = {key: int(share * whole) for key, share in different.items()}
    share = np.array([[told[id(one)] for one in line] for line in shares], object)
    star = np.zeros(level.up.shape, np.bool_)
    star[-1] = level.height > 0
    values, below = (weights_below(level, weights) for weights in (np.ones_like(each), each))
    return Behind(cells, each, values, below, share, whole, star, each)


def _of_ranges(codes: Int64, rows: Int64, group: Int64, size: int, line: Int64 | None) -> Behind:
    classes = int(group.max()) + 1
    count = added_up(codes, rows, size)
    pairs = np.unique(group * size + codes)
    alone = np.bincount(pairs // size, minlength=classes) == 1
    values = inside = np.zeros(classes, np.int64)
    share, star, span = np.zeros(classes, np.int64), ~alone, 1
    if line is not None:
        at = line[codes]
        low, high = np.full(classes, np.iinfo(np.int64).max), np.zeros(classes, np.int64)
        np.minimum.at(low, group, at)
        np.maximum.at(high, group, at)
        star = (low == 0) & ~alone  # a missing value among the numbers
        numbers = np.sort(line[line > 0])
        order = np.argsort(line, kind="stable")
        total = np.concatenate(([0], np.cumsum(count[order])))
        first, last = np.searchsorted(line[order], low, "left"), np.searchsorted(line[order], high, "right")
        values, inside = (last - first).astype(np.int64), total[last] - total[first]
        span = max(int(numbers[-1] - numbers[0]), 1) if numbers.size else 1
        share = high - low
    values = np.where(alone, 1, np.where(star, size, values))
    share = np.where(alone, 0, np.where(star, span, share))
    inside = np.where(star, rows.sum(), inside)
    below = np.where(alone[group], count[codes], inside[group])
    return Behind(rows, count[codes], values[group], below, share[group], span, star[group], count)


def star_facts(table: Table, stars: Sequence[int], full: int) -> dict[str, Any]:
    """Return the facts of the stars of each quasi-identifier among the released cells, and the rows of stars alone."""
    return {
        "suppressed_cells": sum(stars),
        "suppressed_fraction": sum(stars) / (table.rows * len(stars)),
        "fully_suppressed_rows": full,
        "stars_per_column": [
            {"name": column.name, "suppressed": n, "fraction": n / table.rows}
            for column, n in zip(table.quasi_identifiers, stars, strict=True)
        ],
    }


# The normalized certainty penalty: which share of a column's domain a cell may stand for.
@dataclass(frozen=True, slots=True)
class CertaintyPenalty:
    """Mean share of the domain behind a cell; 0 (nothing changed) to 1 (all stars), smaller is better.

    ``NCP = 1 / (n m) * sum over rows i and columns j of p(u_ij)``

    with u_ij the node shown and p what `incrowd.tables.costs.penalties` says: 0 where it stands for one value alone
    and ``|leaves(u)| / |D_j|`` otherwise, leaves(u) the values of the column that the node stands for, D_j all values
    that the column has (NULL is one); in a column declared numeric the width of leaves(u) over that of D_j. A star
    costs 1. Fully suppressed rows count with all their cells. The cost ``ncp`` is this times n m where no column has a
    weight.

    Notes
    -----
    A numeric column with values that are no finite decimal numbers is counted by its values. With ranges
    (``recoding="ranges"``) the penalty of a range of numbers is its width over that of the column too.

    References
    ----------
    J. Xu, W. Wang, J. Pei, X. Wang, B. Shi, A. W.-C. Fu, "Utility-Based Anonymization Using Local Recoding",
    KDD 2006 (the penalty of a cell). G. Ghinita, P. Karras, P. Kalnis, N. Mamoulis, "Fast Data
    Anonymization with Low Information Loss", VLDB 2007: the mean over all cells (there GCP).
    """

    name = "ncp"
    summary = "mean share of a column's domain that a cell may stand for; 0 is best, all stars is 1"
    unit = "share of the domain"

    def measure(self, release: Expanded, context: MeasureContext) -> float:
        """Return the mean penalty of a cell; time grows with row types times columns."""
        exact = (Fraction(int((one.rows * one.share).sum()), one.whole) for one in behind(release, context))
        return float(sum(exact, Fraction(0)) / (context.rows * context.problem.types.m))


# The general loss metric (granularity): which share of the other values a cell may stand for as well.
@dataclass(frozen=True, slots=True)
class GeneralLoss:
    """Mean share of the other values that a cell may stand for; 0 (nothing changed) to 1 (all stars).

    ``LM = 1 / (n m) * sum over rows i and columns j of (|leaves(u_ij)| - 1) / (|D_j| - 1)``

    with leaves(u) the values of the column that the node shown stands for and D_j all values that the column
    has (NULL is one). A star costs 1, also in a column of one value, where the fraction is 0/0: so does the
    cost that releases are made by. Fully suppressed rows count with all their cells.

    Notes
    -----
    1 - LM is what ARX calls granularity. Numbers are counted as values, whatever their distance.

    References
    ----------
    V. S. Iyengar, "Transforming Data to Satisfy Privacy Constraints", KDD 2002: the loss
    (M_P - 1) / (M - 1) of a categorical cell, averaged over a column; the mean over the columns is ours.
    """

    name = "loss"
    summary = "mean share of the other values of its column that a cell may stand for; 0 is best, all stars is 1"
    unit = "share of the other values"

    def measure(self, release: Expanded, context: MeasureContext) -> float:
        """Return the mean loss of a cell; time grows with row types times columns."""
        total = 0.0
        for column in behind(release, context):
            others = max(column.each.size - 1, 1)
            total += int((column.rows * np.where(column.star, others, column.values - 1)).sum()) / others
        return total / (context.rows * context.problem.types.m)


# Precision: how far up their hierarchies the cells were not moved.
@dataclass(frozen=True, slots=True)
class Precision:
    """One minus the mean share of the hierarchy that a cell climbed; 1 (nothing changed) to 0 (all stars).

    ``Prec = 1 - 1 / (n m) * sum over rows i and columns j of l_ij / h_j``

    with l_ij the level of row i in column j and h_j the column's top; a column that cannot change loses
    nothing. Without hierarchies it is one minus the suppressed share of the cells; a range counts like a star.

    References
    ----------
    L. Sweeney, "Achieving k-Anonymity Privacy Protection Using Generalization and Suppression", IJUFKS 10(5),
    2002 (Prec).
    """

    name = "precision"
    summary = "one minus the mean share of its hierarchy that a cell climbed; 1 is best, all stars is 0"
    unit = "share of the hierarchy"

    def measure(self, release: Expanded, context: MeasureContext) -> float:
        """Return the precision; time grows with row types times columns."""
        climbed = 0.0
        for cells, level in zip(cells_shown(release, context), context.problem.levels, strict=True):
            if level.height:
                climbed += int((cells.sum(axis=1) * np.arange(level.height + 1)).sum()) / level.height
        return 1 - climbed / (context.rows * context.problem.types.m)


# Non-uniform entropy: how many bits it takes to guess the cells back.
@dataclass(frozen=True, slots=True)
class NonUniformEntropy:
    """Bits that the changed cells hide, and their share of what stars everywhere would hide.

    ``H = sum over rows i and columns j of -log2( f_j(a_ij) / f_j(u_ij) )``

    with a_ij the original value, u_ij the node shown, f_j(a) the rows of the original that have the value a and
    f_j(u) those that have any value below u. A star of a rare value hides more bits than one of a common value,
    and a star in a column of one value hides none. ``fraction`` divides by the sum for stars in every cell
    (0 where that is 0).

    Notes
    -----
    Frequencies are those of the original table, also where a value is shown at several levels: the reader of
    the release is taken to know them. Columns are taken one by one.

    References
    ----------
    A. G. de Waal, L. C. R. J. Willenborg, "Information Loss Through Global Recoding and Local Suppression",
    Netherlands Official Statistics 14, 1999. A. Gionis, T. Tassa, "k-Anonymization with Minimal Loss of
    Information", IEEE TKDE 21(2), 2009: the non-uniform entropy measure, per cell as above.
    """

    name = "entropy"
    summary = "bits it takes to guess the changed cells back (non-uniform entropy), and their share of all"
    unit = "bits"

    def measure(self, release: Expanded, context: MeasureContext) -> dict[str, float]:
        """Return ``bits`` and ``fraction`` (0 to 1); time grows with row types times columns."""
        columns = behind(release, context)
        total = math.fsum(math.fsum((one.rows * np.log2(one.below / one.own)).ravel()) for one in columns)
        most = math.fsum(math.fsum(one.each * np.log2(context.rows / one.each)) for one in columns)
        return {"bits": total, "fraction": total / most if most else 0.0}
