"""Costs that fall on stars alone."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from incrowd.tables.values import Int32

__all__ = ["star_costs"]


def star_costs(star: Fraction, up: Int32) -> list[list[Fraction]]:
    """Return the costs of a column where a star costs `star` and every other node nothing.

    There are h + 1 lists of d entries, which are two shared objects and made in O(h d) time. `star` is at least 0. `up`
    is the column's hierarchy, (h + 1, d) int32; with h = 0 it has no star.
    """
    height, size = up.shape[0] - 1, up.shape[1]
    nothing = Fraction(0)
    return [[star if 0 < level == height else nothing] * size for level in range(height + 1)]
