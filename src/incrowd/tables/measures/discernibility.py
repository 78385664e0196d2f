"""The discernibility metric: what every row pays for looking like others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.tables.measures.context import MeasureContext, class_sizes

if TYPE_CHECKING:
    from incrowd.tables.table import Expanded

__all__ = ["Discernibility"]


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
