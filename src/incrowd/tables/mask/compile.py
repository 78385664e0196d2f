"""From the description of a mask to the set of level vectors it allows over the columns of one table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from incrowd.errors import PolicyError
from incrowd.tables.mask.empty import explain_empty
from incrowd.tables.mask.patterns import Patterns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.mask.description import Description

__all__ = ["compile_mask"]


def compile_mask(
    said: Description, columns: Sequence[str], heights: Sequence[int], *, list_up_to: int = 1 << 20
) -> Patterns:
    """Return the set of level vectors over the quasi-identifiers of one table.

    `said` is the mask, as its `to_dict` gives it. `columns` are the quasi-identifiers, in the order of the table, and
    `heights` the top level of each, 0 ... 127. Sets of at most `list_up_to` vectors are ordered by listing them, larger
    ones by searching.

    Raises PolicyError if a rule does not fit the columns, no vector is left, or the rules are too entangled.
    """
    patterns = Patterns.of(said, columns, heights, list_up_to=list_up_to)
    if patterns.count() == 0:
        raise PolicyError(explain_empty(said, columns, heights) or "mask allows no pattern")
    return patterns
