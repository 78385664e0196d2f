"""How often each node of each hierarchy is shown: what all measures of generalization are made of."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.costs import penalties
from incrowd.tables.measures.context import counted_once
from incrowd.tables.measures.range_values import behind
from incrowd.tables.row_numbers import added_up

if TYPE_CHECKING:
    from incrowd.tables.measures.context import MeasureContext
    from incrowd.tables.table import Expanded
    from incrowd.tables.values import Int64, Levels


@counted_once
def cells_shown(release: Expanded, context: MeasureContext) -> tuple[Int64, ...]:
    """Return per quasi-identifier how many rows show each of its values at each level, (h + 1, d) int64.

    Entry ``[l, v]`` of column j: rows of value code v that were released at level l; sums to the rows. Of the release
    only its parts are read, of the context its `types` and `levels`. What leaves the engine is one line of small
    integers per part. Time grows with row types times columns, memory with the row types and with levels times values.
    """
    counted = _counted_there(release, context) if context.dictionaries else _counted_here(release, context)
    for j in context.gapped:  # beside stars that are NULLs a missing value is as it was
        counted[j][0, 0] += counted[j][1:, 0].sum()
        counted[j][1:, 0] = 0
    return counted


def _counted_here(release: Expanded, context: MeasureContext) -> tuple[Int64, ...]:
    """Count in arrays."""
    engine = release.table.engine
    with engine.guard("counting the cells of each level"):
        names = [f"l{j}" for j in range(len(context.levels))]
        parts = engine.fetch(release.parts.select("type", "rows", *names))
    types = parts.column("type").to_numpy()
    rows = parts.column("rows").to_numpy()
    counted = []
    for j, level in enumerate(context.levels):
        height, d = level.up.shape
        place = parts.column(f"l{j}").to_numpy().astype(np.int64) * d + context.types.codes[types, j]
        counted.append(added_up(place, rows, height * d).reshape(height, d))
    return tuple(counted)


def _counted_there(release: Expanded, context: MeasureContext) -> tuple[Int64, ...]:
    """Count in the engine: one GROUP BY a column over the parts; one line a value and level crosses."""
    engine, parts = release.table.engine, release.parts
    counted = []
    for j, (level, values) in enumerate(zip(context.levels, context.dictionaries, strict=True)):
        with engine.guard("counting the cells of each level"):
            grouped = parts.group_by(f"o{j}", f"l{j}").aggregate(rows=parts["rows"].sum().cast("int64"))
            joined = grouped.join(values, grouped[f"o{j}"].identical_to(values[f"value{j}"]))
            found = engine.fetch(joined.select(code=joined[f"code{j}"], level=joined[f"l{j}"], rows=joined["rows"]))
        place = found.column("level").to_numpy().astype(np.int64) * level.up.shape[1] + found.column("code").to_numpy()
        counted.append(added_up(place, found.column("rows").to_numpy(), level.up.size).reshape(level.up.shape))
    return tuple(counted)


def weights_below(level: Levels, weights: Int64) -> Int64:
    """Return for every level and value code the sum of the weights, (d,), of the values below its node, (h + 1, d)."""
    out = np.stack([added_up(node, weights, int(node.max()) + 1)[node] for node in level.up])
    out[0] = weights  # shown as it is, also in a column that cannot change, whose level 0 is its top
    return out


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
        total = 0.0
        if context.ranges:
            for column in behind(release, context):
                total += math.fsum(column.rows * column.share)
            return total / (context.rows * len(context.levels))
        exact = Fraction(0)
        for j, (cells, level) in enumerate(zip(cells_shown(release, context), context.levels, strict=True)):
            shares = penalties(level.up, context.numbers.get(j))
            for shown, share in zip(cells[1:].tolist(), shares[1:], strict=True):
                rows: Counter[Fraction] = Counter()
                for number, one in zip(shown, share, strict=True):
                    if number:
                        rows[one] += number
                exact += sum((one * number for one, number in rows.items()), Fraction(0))
        return float(exact / (context.rows * len(context.levels)))


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
        if context.ranges:
            for column in behind(release, context):
                total += int((column.rows * (column.values - 1)).sum()) / max(column.size - 1, 1)
            return total / (context.rows * len(context.levels))
        for cells, level in zip(cells_shown(release, context), context.levels, strict=True):
            d = level.up.shape[1]
            leaves = weights_below(level, np.ones(d, np.int64))
            if d > 1:
                total += int((cells * (leaves - 1)).sum()) / (d - 1)
            elif level.height:
                total += int(cells[level.height].sum())
        return total / (context.rows * len(context.levels))


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
        for cells, level in zip(cells_shown(release, context), context.levels, strict=True):
            if level.height:
                climbed += int((cells.sum(axis=1) * np.arange(level.height + 1)).sum()) / level.height
        return 1 - climbed / (context.rows * len(context.levels))


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
        hidden, everything = [], []
        if context.ranges:
            for column in behind(release, context):
                hidden.append(math.fsum(column.rows * np.log2(column.below / column.own)))
        for cells, level in zip(cells_shown(release, context), context.levels, strict=True):
            rows = cells.sum(axis=0)  # every row shows its value at some level
            if not context.ranges:
                bits = np.log2(weights_below(level, rows) / rows)
                hidden.append(math.fsum((cells * bits).ravel()))
            everything.append(math.fsum(rows * np.log2(context.rows / rows)))
        most = math.fsum(everything)
        total = math.fsum(hidden)
        return {"bits": total, "fraction": total / most if most else 0.0}
