"""The check's own reading of a mask: the words of the policy, one after another, and nothing that solvers use.

A mask comes as data, as a policy file holds it: rules by their words, or ``{"any": [masks]}``, or ``{"all": [masks]}``.
A cell is changed when its level is above 0, and a star when it is at the top of a column that has levels above 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence


Vector = tuple[int, ...]


class MaskReading:
    """A mask read over the columns of one table.

    `said` is the mask as data, `columns` are the m quasi-identifiers in the order of the vectors, and `heights` the top
    level of each. `ranged` are the places of columns whose levels between 0 and the top are ranges of a grid: the mask
    speaks of 0, 1 and 2 there, the value, a range and the star. Raises `ValueError` if the mask has a word that is not
    known here, or names another column.
    """

    def __init__(
        self, said: Mapping[str, Any], columns: Sequence[str], heights: Sequence[int], ranged: Collection[int] = ()
    ) -> None:
        self.heights, self.ranged = tuple(heights), frozenset(ranged)
        place = {column: j for j, column in enumerate(columns)}
        self.mask = _read(said, place, tuple(2 if j in self.ranged else top for j, top in enumerate(self.heights)))

    def __call__(self, vector: Sequence[int]) -> bool:
        """Return whether a level vector obeys the rules."""
        if not all(0 <= level <= top for level, top in zip(vector, self.heights, strict=True)):
            return False
        if not self.ranged:
            return self.mask.allows(tuple(vector))
        kinds = (
            level if j not in self.ranged else 2 if level == self.heights[j] else min(level, 1)
            for j, level in enumerate(vector)
        )
        return self.mask.allows(tuple(kinds))

    def raised(self, vector: Sequence[int]) -> Vector | None:
        """Return levels that every allowed vector at or above one has at least, but that of stars alone.

        None where no such vector is allowed, whatever is raised.
        """
        return self.mask.raised(tuple(vector))


class _Rules:
    """Plain rules: a vector obeys all of them."""

    def __init__(self, said: Mapping[str, Any], place: Mapping[str, int], heights: Vector) -> None:
        unknown = [word for word in said if word not in WORDS]
        if unknown:
            raise ValueError(f"the check cannot read the mask's word {unknown[0]!r}")
        self.heights = heights
        self.stars_alone = bool(said.get("full_suppression", True))
        self.most_stars = said.get("max_stars", len(heights))
        limits = [*said.get("max_level", {}).items(), *((column, 0) for column in said.get("keep", ()))]
        self.limits = [(_at(place, column), limit) for column, limit in limits]
        self.together, self.at_most_one, self.never_together = (
            [[_at(place, column) for column in group] for group in said.get(word, ())]
            for word in ("together", "at_most_one", "never_together")
        )
        self.listed: set[Vector] | None = None
        if "patterns" in said:
            self.listed = {_vector(pattern, place, heights) for pattern in said["patterns"]}

    def allows(self, vector: Vector) -> bool:
        if vector == self.heights and any(self.heights):
            return self.stars_alone
        for group in self.together:
            if 0 < sum(vector[j] > 0 for j in group) < len(group):
                return False
        return not self.too_high(vector) and (self.listed is None or vector in self.listed)

    def too_high(self, vector: Vector) -> bool:
        """Return whether a rule is broken that higher levels break too."""
        if self.most_stars < len(vector) and self.most_stars < sum(map(_is_star, vector, self.heights)):
            return True
        if any(vector[j] > limit for j, limit in self.limits):
            return True
        if any(sum(vector[j] > 0 for j in group) > 1 for group in self.at_most_one):
            return True
        return any(all(vector[j] > 0 for j in group) for group in self.never_together)

    def raised(self, vector: Vector) -> Vector | None:
        low = list(vector)
        moved = True
        while moved:
            moved = False
            for group in self.together:
                if any(low[j] > 0 for j in group):
                    for j in group:
                        if low[j] == 0:
                            if self.heights[j] == 0:
                                return None
                            low[j], moved = 1, True
        if self.listed is not None:
            above = [one for one in self.listed if all(a >= b for a, b in zip(one, low, strict=True))]
            if not above:
                return None
            low = [min(levels) for levels in zip(*above, strict=True)]
        return None if self.too_high(tuple(low)) else tuple(low)


class _Any:
    """A union: at least one part allows a vector."""

    def __init__(self, parts: Sequence[_Rules | _Any | _All]) -> None:
        self.parts = parts

    def allows(self, vector: Vector) -> bool:
        return any(part.allows(vector) for part in self.parts)

    def raised(self, vector: Vector) -> Vector | None:
        each = [low for part in self.parts if (low := part.raised(vector)) is not None]
        return tuple(min(levels) for levels in zip(*each, strict=True)) if each else None


class _All:
    """An intersection: every part allows a vector."""

    def __init__(self, parts: Sequence[_Rules | _Any | _All]) -> None:
        self.parts = parts

    def allows(self, vector: Vector) -> bool:
        return all(part.allows(vector) for part in self.parts)

    def raised(self, vector: Vector) -> Vector | None:
        low: Vector | None = vector
        for part in self.parts:
            low = None if low is None else part.raised(low)
        return low


WORDS = (
    "max_stars", "keep", "together", "at_most_one", "never_together", "max_level", "full_suppression", "patterns",
)  # fmt: skip
COMPOSED: dict[str, Callable[[Sequence[_Rules | _Any | _All]], _Any | _All]] = {"any": _Any, "all": _All}


def _is_star(level: int, top: int) -> bool:
    return level == top > 0


def _read(said: Mapping[str, Any], place: Mapping[str, int], heights: Vector) -> _Rules | _Any | _All:
    for key, kind in COMPOSED.items():
        if key in said:
            if len(said) > 1:
                raise ValueError(f"a mask with {key!r} has no other word")
            return kind([_read(part, place, heights) for part in said[key]])
    return _Rules(said, place, heights)


def _at(place: Mapping[str, int], column: str) -> int:
    if column not in place:
        raise ValueError(f"the mask names {column!r}, which is not a quasi-identifier")
    return place[column]


def _vector(pattern: Any, place: Mapping[str, int], heights: Vector) -> Vector:
    """Return a listed pattern, columns that are stars or levels by column, as a level vector."""
    vector = [0] * len(heights)
    for column in pattern:
        j = _at(place, column)
        vector[j] = pattern[column] if isinstance(pattern, dict) else heights[j]
    return tuple(vector)
