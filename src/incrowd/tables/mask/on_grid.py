"""Masks where some columns show ranges on a grid: 0 = the value, 1 = a range, 2 = the star.

A search begins with a ladder of some ranges, and a release shows one of those it uses: there every level between the
value and the star is a range. A mask is compiled for 0, 1 and 2, and counts the levels of such a ladder as these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.errors import PolicyError
from incrowd.tables.mask.words import Mask
from incrowd.tables.range_columns import ranged_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from incrowd.tables.mask.patterns import Patterns


RANGE, STAR = 1, 2


def patterns_of(policy: Any, hierarchies: Mapping[str, Any]) -> Patterns:
    """Return a policy's mask over the levels of its quasi-identifiers.

    `hierarchies` has a ladder of ranges for every ranged column. PolicyError is raised if the mask does not fit.
    """
    names, ranged = policy.quasi_identifiers, ranged_names(policy)
    heights = {name: hierarchies[name].height if name in hierarchies else 1 for name in names}
    kinds = kinds_of(policy, heights)
    # where a ladder has no range, the value is the highest level below the star
    ladders = {names.index(name): (0, *[RANGE] * (heights[name] - 1), STAR) for name in ranged}
    return kinds.counted_as(ladders) if ladders else kinds


def kinds_of(policy: Any, heights: Mapping[str, int]) -> Patterns:
    """Return a policy's mask over the levels of the other columns, and value, range and star of the ranged ones.

    `heights` has the top level of each quasi-identifier. Raises PolicyError if the mask does not fit the columns, or
    forbids rows of stars alone where columns are ranged.
    """
    names, ranged = policy.quasi_identifiers, ranged_names(policy)
    found: Patterns = policy.mask.compile(names, [STAR if name in ranged else heights[name] for name in names])
    if ranged and not found.allows_full_suppression:
        raise PolicyError("recoding=grid needs a mask that allows rows of stars alone: take out full_suppression=false")
    return found


def on_line(policy: Any) -> bool:
    """Return whether a policy has one quasi-identifier and no mask, so that classes are found along one line.

    The policy has ranges on a grid.
    """
    return len(policy.quasi_identifiers) == 1 and policy.mask == Mask()
