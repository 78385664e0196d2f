"""Stars that cost more in one column than in another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from incrowd.errors import PolicyError
from incrowd.settings import as_fraction, fraction_text
from incrowd.tables.costs.stars import star_costs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.values import Int32

__all__ = ["Weighted"]


@dataclass(frozen=True, slots=True)
class Weighted:
    """Suppressed cells, each at the weight of its column.

    Parameters
    ----------
    weights : mapping of str to number, or pairs
        Cost of a star per column, exact and at least 0 (0: a star is free there); a float means the decimal
        it prints as, a text may be ``"1/3"``. Columns without a weight cost 1. Held as a tuple of pairs.

    Raises
    ------
    PolicyError
        If a weight is no finite number, is negative, or is given twice.
    """

    weights: Mapping[str, Any] | Sequence[tuple[str, Any]] = ()

    name = "weighted"
    summary = "every suppressed cell costs the weight of its column"

    def __post_init__(self) -> None:
        pairs = self.weights.items() if isinstance(self.weights, Mapping) else self.weights
        exact: dict[str, Fraction] = {}
        for column, value in pairs:
            number = as_fraction(value, f"weight of {column!r}")
            if number < 0:
                raise PolicyError(f"weight of {column!r} must be a number of at least 0, not {fraction_text(number)}")
            if column in exact:
                raise PolicyError(f"weight of {column!r} is given twice; give every column one weight")
            exact[column] = number
        object.__setattr__(self, "weights", tuple(exact.items()))

    def node_costs(self, column: str, up: Int32) -> list[list[Fraction]]:
        """Return the column's weight for the star and 0 for every other node, shape (h + 1, d) as lists."""
        return star_costs(dict(self.weights).get(column, Fraction(1)), up)
