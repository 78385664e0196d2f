"""How many cells the rules exclude values of, and determine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.attack.rules.labels import candidates

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.attack.values import Exclusions, Released
    from incrowd.tables.values import Int64

__all__ = ["Counted", "counted", "known_before"]


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """What exclusions come to, by unit and column.

    Attributes
    ----------
    excluded : (u, m) int64
        Values excluded.
    mass : (u, m) float64
        Share of the rows, among those that show one of the values that the cell may have, whose value is excluded.
    determined : (u, m) bool
        Cells whose value is known.
    """

    excluded: Int64
    mass: NDArray[np.float64]
    determined: NDArray[np.bool_]

    def cells(self, released: Released) -> int:
        """Return the hidden cells of which at least one value is excluded."""
        return int((released.unit_rows[:, None] * (self.excluded > 0)).sum())

    def known(self, released: Released) -> int:
        """Return the hidden cells whose value is known."""
        return int((released.unit_rows[:, None] * self.determined).sum())

    def mean_mass(self, released: Released) -> float | None:
        """Return the mean prior mass excluded in cells of which a value is excluded; None without any."""
        rows = released.unit_rows[:, None] * (self.excluded > 0)
        return float((rows * self.mass).sum() / rows.sum()) if rows.any() else None

    def to_dict(self, released: Released) -> dict[str, Any]:
        """Return the counts as the answer has them."""
        mass = self.mean_mass(released)
        return {
            "excluded": self.cells(released),
            "excluded_mass": None if mass is None else round(mass, 4),
            "determined": self.known(released),
        }


def counted(released: Released, found: Exclusions) -> Counted:
    """Count what exclusions come to.

    The exclusions are of values below what the cell shows. It takes O(u m + e) for u units and e exclusions.
    """
    u, m = released.unit_class.size, released.m
    excluded, mass = np.zeros((u, m), np.int64), np.zeros((u, m))
    determined = np.zeros((u, m), np.bool_)
    hidden = released.levels > 0
    for j, column in enumerate(released.columns):
        here = found.column == j
        unit, value = found.unit[here], found.value[here]
        excluded[:, j] = np.bincount(unit, minlength=u)
        prior = column.shown.astype(np.float64)
        prior = prior if prior.any() else np.ones(column.size)
        below = np.stack([np.bincount(up, weights=prior, minlength=column.size)[up] for up in column.levels.up])
        total = below[released.levels[:, j], released.reps[:, j]][released.unit_class]
        gone = np.bincount(unit, weights=prior[value], minlength=u)
        mass[:, j] = np.divide(gone, total, out=np.zeros(u), where=total > 0)
        if column.closed:
            left = candidates(released, j)[released.unit_class] - excluded[:, j]
            determined[:, j] = hidden[released.unit_class, j] & (left == 1)
    return Counted(excluded, mass, determined)


def known_before(released: Released) -> NDArray[np.bool_]:
    """Return which hidden cells are known from their label alone, shape (u, m)."""
    out = np.zeros((released.unit_class.size, released.m), np.bool_)
    for j, column in enumerate(released.columns):
        if column.closed:
            alone = (candidates(released, j) == 1) & (released.levels[:, j] > 0)
            out[:, j] = alone[released.unit_class]
    return out
