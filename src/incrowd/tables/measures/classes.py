"""How many classes a release has, and how large they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.tables.measures.context import MeasureContext, class_sizes

if TYPE_CHECKING:
    from incrowd.tables.table import Expanded

__all__ = ["Classes"]


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
        some = bool(sizes.classes)
        return {
            "count": sizes.count,
            "min": sizes.classes[0][0] if some else None,
            "mean": sizes.rows / sizes.count if some else None,
            "max": sizes.classes[-1][0] if some else None,
            "outliers": sizes.outliers,
        }
