"""The normalized average class size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.tables.measures.context import MeasureContext, class_sizes

if TYPE_CHECKING:
    from incrowd.tables.table import Expanded

__all__ = ["AverageClassSize"]


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
        return sizes.rows / (sizes.count * context.k) if sizes.count else None
