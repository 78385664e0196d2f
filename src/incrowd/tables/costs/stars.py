"""Costs that fall on stars alone."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from incrowd.tables.values import Int32

__all__ = ["star_costs"]


def star_costs(star: Fraction, up: Int32) -> list[list[Fraction]]:
    """Return the costs of a column where a star costs `star` and every other node nothing.

    Parameters
    ----------
    star : Fraction
        At least 0.
    up : (h + 1, d) int32
        The column's hierarchy; with h = 0 it has no star.

    Returns
    -------
    list of h + 1 lists of d Fractions
        In O(h d) time; the entries are two shared objects.
    """
    height, size = up.shape[0] - 1, up.shape[1]
    nothing = Fraction(0)
    return [[star if 0 < level == height else nothing] * size for level in range(height + 1)]
