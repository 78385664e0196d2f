"""What the bounds of a plan's portions come to: a portion that nobody looked at counts with its per-row prices."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from incrowd.tables.large.floor import Floor
    from incrowd.tables.large.portion import Anew
    from incrowd.tables.large.portion_prices import PriceUnit
    from incrowd.tables.large.portions import Portions

__all__ = ["BoundSum"]


class BoundSum:
    """The bound of a table, portion by portion.

    `least` is the table's per-row bound, and `unit` is in what the prices of portions are. Both are None where portions
    come without prices.
    """

    def __init__(self, cut: Portions, least: Floor | None, unit: PriceUnit | None) -> None:
        self.cut, self.least, self.unit = cut, least, unit
        self._bounds = self._per_row = self._proven = 0
        self._alone = True

    def add(self, told: Anew) -> None:
        """Hear of a portion."""
        self._bounds += told.bound
        self._per_row += told.per_row
        self._proven += told.proven
        if self.unit is not None and self.unit.rounded_up(told.proven) < told.bound:
            self._alone = False

    def proven(self) -> int:
        """Return what the prices of all portions prove of the table, scaled; 0 where there are none."""
        if self.unit is None or self.least is None:
            return 0
        return self.unit.rounded_up((self.least.value - self._per_row) * self.unit.parts + self._proven)

    def bound(self, cost: int, seen: int) -> int:
        """Return what any release costs at least, scaled; 0 where the portions say nothing of that.

        `cost` is that of the release at hand, scaled, and `seen` is how many portions were looked at. Bounds of
        portions are rounded up one by one, and prices of the table once. Where nothing but that lies between them, and
        no proof that nothing is cheaper is lost by it, the bound is what the prices prove.
        """
        if self.unit is None or self.least is None:
            return self._bounds if self.cut.exact and seen == len(self.cut.sizes) else 0
        every = self.least.value + self._bounds - self._per_row
        return self.proven() if self._alone and every < cost else every
