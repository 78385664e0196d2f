"""How far up its hierarchy a cell is shown."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from incrowd.tables.values import Int32

__all__ = ["LevelShares"]


@dataclass(frozen=True, slots=True)
class LevelShares:
    """A cell at level l of a hierarchy with h levels costs l / h, a star 1.

    References
    ----------
    L. Sweeney, "Achieving k-Anonymity Privacy Protection Using Generalization and Suppression", IJUFKS 10(5), 2002:
    one minus its precision is the mean of this cost over the cells.
    """

    name = "levels"
    cites = ("Sweeney2002Achieving",)
    summary = "a label costs its level's share of the height of its column's hierarchy, a star 1"

    def node_costs(self, column: str, up: Int32) -> list[list[Fraction]]:
        """Return level / height for every node of a level, shape (h + 1, d) as lists."""
        del column
        height = max(up.shape[0] - 1, 1)
        shares = [Fraction(level, height) for level in range(up.shape[0])]
        return [[share] * up.shape[1] for share in shares]
