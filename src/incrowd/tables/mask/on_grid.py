"""Masks where some columns show ranges on a grid: 0 = the value, 1 = a range, 2 = the star.

A search begins with a ladder of some ranges, and a release shows one of those it uses: there every level between the
value and the star is a range. A mask is written for 0, 1 and 2, and said again over such a ladder.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from incrowd.tables.mask.combine import AllOf, AnyOf
from incrowd.tables.mask.words import Mask, mask_from_dict
from incrowd.tables.range_columns import ranged_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from incrowd.tables.mask.patterns import Patterns


RANGE, STAR = 1, 2


def patterns_of(policy: Any, hierarchies: Mapping[str, Any]) -> Patterns:
    """Return a policy's mask over the levels of its quasi-identifiers.

    `hierarchies` has ladders of ranges for ranged columns, or none of these: then they have value, range and star.
    Raises PolicyError if the mask does not fit the columns.
    """
    names, ranged = policy.quasi_identifiers, ranged_names(policy)
    heights = {name: hierarchies[name].height if name in hierarchies else 1 for name in names}
    if not ranged or policy.mask == Mask():
        found: Patterns = policy.mask.compile(names, list(heights.values()))
        return found
    kinds = kinds_of(policy, heights)
    if not set(ranged) <= set(hierarchies):
        return kinds
    said = _said(policy.mask.to_dict(), {name: heights[name] for name in ranged}, names)
    return mask_from_dict(said).compile(names, list(heights.values()))


def kinds_of(policy: Any, heights: Mapping[str, int]) -> Patterns:
    """Return a policy's mask over the levels of the other columns, and value, range and star of the ranged ones.

    The policy has ``recoding="grid"``. `heights` has the top level of each quasi-identifier. Raises PolicyError if the
    mask does not fit the columns.
    """
    names, ranged = policy.quasi_identifiers, ranged_names(policy)
    found: Patterns = policy.mask.compile(names, [STAR if name in ranged else heights[name] for name in names])
    return found


def _said(said: Mapping[str, Any], tops: Mapping[str, int], names: Sequence[str]) -> dict[str, Any]:
    """Return a mask over ladders: a range is any level between the value and the star."""
    for key in (AnyOf.key, AllOf.key):
        if key in said:
            return {key: [_said(part, tops, names) for part in said[key]]}
    out = dict(said)
    if "max_level" in said:
        # where a ladder has no range, the value is the highest level below the star
        out["max_level"] = {
            name: (0, tops[name] - 1, tops[name])[level] if name in tops else level
            for name, level in dict(said["max_level"]).items()
        }
    if "patterns" in said:
        listed = said["patterns"]
        every = [one for part in ([listed] if isinstance(listed, dict) else listed) for one in _patterns(part, tops)]
        out["patterns"] = every or [list(names)]
    return out


def _patterns(one: Any, tops: Mapping[str, int]) -> list[Any]:
    """Return the patterns over ladders that one pattern stands for."""
    if not isinstance(one, dict):
        return [one]
    ways = [
        [(name, up) for up in ((0,), range(1, tops[name]), (tops[name],))[level]] if name in tops else [(name, level)]
        for name, level in one.items()
    ]
    return [dict(way) for way in itertools.product(*ways)]


def on_line(policy: Any) -> bool:
    """Return whether a policy has one quasi-identifier and no mask, so that classes are found along one line.

    The policy has ranges on a grid.
    """
    return len(policy.quasi_identifiers) == 1 and policy.mask == Mask()
