"""How many classes a release has, and how large they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.tables.measures.context import MeasureContext, class_sizes
from incrowd.tables.measures.nodes import behind, cells_shown

if TYPE_CHECKING:
    from incrowd.tables.table import Expanded


@dataclass(frozen=True, slots=True)
class Classes:
    """Number of classes and their least, mean and greatest size.

    A class is the set of rows released as one instance. Under ``outliers="suppress"`` fully suppressed rows
    are outliers and no class; under ``"forbid"`` they are a class like any other. ``min`` is the k reached.

    References
    ----------
    L. Sweeney, "k-Anonymity: A Model for Protecting Privacy", IJUFKS 10(5), 2002: k as the least class size.
    """

    name = "classes"
    summary = "number of classes, their least, mean and greatest size, and the outliers beside them"
    unit = "rows"

    def measure(self, release: Expanded, context: MeasureContext) -> dict[str, int | float | None]:
        """Return ``count``, ``min``, ``mean``, ``max`` and ``outliers``.

        Where there is no class (every row is an outlier) ``min``, ``mean`` and ``max`` are None. Time grows
        with the row types.
        """
        sizes = class_sizes(release, context)
        return {**sizes.facts(), "outliers": sizes.outliers}


# The normalized average class size.
@dataclass(frozen=True, slots=True)
class AverageClassSize:
    """Mean class size as a multiple of the k asked.

    ``C_avg = (rows in classes / classes) / k``

    At least 1 for every k-anonymous release; 1 is best. Outliers are in no class.

    References
    ----------
    K. LeFevre, D. J. DeWitt, R. Ramakrishnan, "Mondrian Multidimensional k-Anonymity", ICDE 2006,
    section 2.2: (total_records / total_equiv_classes) / k.
    """

    name = "c_avg"
    summary = "mean class size divided by the k asked; 1 is best"
    unit = "multiples of k"

    def measure(self, release: Expanded, context: MeasureContext) -> float | None:
        """Return the ratio, or None where there is no class; time grows with the row types."""
        sizes = class_sizes(release, context)
        return sizes.rows / (sizes.count * context.problem.k) if sizes.count else None


# The discernibility metric: what every row pays for looking like others.
@dataclass(frozen=True, slots=True)
class Discernibility:
    """Every row pays the number of rows it cannot be told from; an outlier pays n.

    ``C_DM = sum over classes E of |E|^2  +  n * outliers``

    for a table of n rows. From n (all rows differ) to n^2; smaller is better.

    References
    ----------
    R. J. Bayardo, R. Agrawal, "Data Privacy Through Optimal k-Anonymization", ICDE 2005, section 2.2: the
    first sum runs over classes of at least k rows, and each row of a smaller (suppressed) one costs |D|.
    """

    name = "discernibility"
    summary = "sum over the rows of how many rows look the same; an outlier counts as the whole table"
    unit = "row pairs"

    def measure(self, release: Expanded, context: MeasureContext) -> int:
        """Return the metric exactly; time grows with the row types."""
        sizes = class_sizes(release, context)
        return sum(times * size**2 for size, times in sizes.classes) + sizes.outliers * context.rows


# How many cells were suppressed.
@dataclass(frozen=True, slots=True)
class SuppressedCellCount:
    """Cells of the quasi-identifiers at their top level (stars), and their share of all n x m such cells.

    ``|{(i, j): l_ij = h_j > 0}|``

    with l_ij the level of row i in column j and h_j the column's top. Outliers count with all their cells.

    References
    ----------
    A. Meyerson, R. Williams, "On the Complexity of Optimal K-Anonymity", PODS 2004: the number of suppressed
    entries as the cost of a release.
    """

    name = "suppressed_cells"
    summary = "cells that were suppressed, and their share of all quasi-identifier cells"
    unit = "cells"

    def measure(self, release: Expanded, context: MeasureContext) -> dict[str, int | float]:
        """Return ``cells`` and ``fraction`` (0 to 1)."""
        cells = sum(int((column.rows * column.star).sum()) for column in behind(release, context))
        return {"cells": cells, "fraction": cells / (context.rows * context.problem.types.m)}


# How many cells were changed.
@dataclass(frozen=True, slots=True)
class ChangedCellCount:
    """Cells of the quasi-identifiers above level 0, and their share of all n x m such cells.

    ``|{(i, j): l_ij > 0}|``

    with l_ij the level of row i in column j. Where nothing is generalized it equals the suppressed cells.

    References
    ----------
    P. Samarati, "Protecting Respondents' Identities in Microdata Release", IEEE TKDE 13(6), 2001, for levels
    of generalization; counting the cells above level 0 is ours.
    """

    name = "changed_cells"
    summary = "cells that were suppressed or generalized, and their share of all quasi-identifier cells"
    unit = "cells"

    def measure(self, release: Expanded, context: MeasureContext) -> dict[str, int | float]:
        """Return ``cells`` and ``fraction`` (0 to 1)."""
        cells = sum(int(rows[1:].sum()) for rows in cells_shown(release, context))
        return {"cells": cells, "fraction": cells / (context.rows * context.problem.types.m)}
