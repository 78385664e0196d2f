"""A mask as `incrowd.check` reads it: the words of the policy, one after another, and nothing that solvers use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.check.exact import Unreadable
from incrowd.check.mask import Mask
from incrowd.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    Vector = tuple[int, ...]


class MaskReading(Mask):
    """A mask over the columns of one table.

    `said` is the mask as a policy holds it, `columns` are the m quasi-identifiers in the order of the vectors, and
    `heights` the top level of each. `ranged` are the places of columns whose levels between 0 and the top are ranges of
    a grid: the mask speaks of 0, 1 and 2 there, the value, a range and the star.
    """

    def __init__(
        self, said: Mapping[str, Any], columns: Sequence[str], heights: Sequence[int], ranged: Collection[int] = ()
    ) -> None:
        self.highest, self.ranged = tuple(heights), frozenset(ranged)
        kinds = tuple(2 if j in self.ranged else top for j, top in enumerate(self.highest))
        try:
            super().__init__(dict(said), tuple(columns), kinds)  # type: ignore[no-untyped-call]
        except Unreadable as error:
            raise InputError(f"the check cannot read the mask: {error}") from None

    def allows(self, vector: Sequence[int]) -> bool:
        """Return whether a level vector obeys the rules."""
        told = list(zip(vector, self.highest, strict=True))
        if not all(0 <= level <= top for level, top in told):
            return False
        kinds = tuple(
            (2 if level == top else min(level, 1)) if j in self.ranged else level for j, (level, top) in enumerate(told)
        )
        return bool(super().allows(kinds))  # type: ignore[no-untyped-call]

    def looked_through(self, question: Callable[..., Any], low: Vector, high: Vector, *more: Any) -> Any:
        """Return what a question of `check` finds of a row between its lowest and its highest levels.

        Raise `InputError` where there are more readings than are looked through.
        """
        try:
            return question(self, low, high, *more)
        except Unreadable:
            raise InputError(
                f"{sum(map(int.__ne__, low, high))} columns can be read in several ways in the same row of the release "
                "(NULL as a star or as a missing value, a label at several levels), too many to decide whether the "
                "mask is kept; release with a star text, and name labels once"
            ) from None
