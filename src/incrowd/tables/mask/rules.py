"""One rule of a mask as a small machine that reads the level vector column by column.

Columns are counted in the automaton's order. A machine starts in state 0, is shown the columns it `touches`
only, answers DEAD once the rule is broken for good, and goes back to state 0 behind its last column, so that
nothing that no longer matters tells two states of the automaton apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["DEAD", "AtMostOne", "Bounds", "Listed", "NeverTogether", "Rule", "Stars", "Together"]

DEAD = -1


class Rule(Protocol):
    """A machine for one rule: it starts in state 0 and reads levels column by column.

    Attributes
    ----------
    touches : frozenset of int
        Places of the columns that it has to read.
    """

    touches: frozenset[int]

    def step(self, state: int, at: int, level: int) -> int:
        """Return the state after the column at place `at` is given `level`; `DEAD` where the rule is broken."""
        ...


class Stars:
    """At most `limit` columns at their top; the state counts them.

    `limit` is from 0, and `tops` has the top level of the column at every place.
    """

    def __init__(self, limit: int, tops: Sequence[int]) -> None:
        self.limit = limit
        self.tops = tops
        self.touches = frozenset(at for at, top in enumerate(tops) if top > 0)
        self.last = max(self.touches, default=-1)

    def step(self, state: int, at: int, level: int) -> int:
        """Count a star."""
        stars = state + (level == self.tops[at])
        if stars > self.limit:
            return DEAD
        return 0 if at == self.last else stars


class Bounds:
    """No column above its limit; it needs no memory.

    `limits` has the highest level of the column at a place.
    """

    def __init__(self, limits: Mapping[int, int]) -> None:
        self.limits = limits
        self.touches = frozenset(limits)

    def step(self, state: int, at: int, level: int) -> int:
        """Compare one level with its limit."""
        return DEAD if level > self.limits[at] else 0


class _Group:
    def __init__(self, group: Sequence[int]) -> None:
        self.touches = frozenset(group)
        self.last = max(group)


class Together(_Group):
    """All of a group change or none; the state is 0 at first, then 1 for none or 2 for all."""

    def step(self, state: int, at: int, level: int) -> int:
        """Compare with the columns before."""
        now = 2 if level else 1
        if state not in (0, now):
            return DEAD
        return 0 if at == self.last else now


class AtMostOne(_Group):
    """At most one of a group changes; the state says whether one has."""

    def step(self, state: int, at: int, level: int) -> int:
        """Count a change."""
        if state and level:
            return DEAD
        return 0 if at == self.last else int(state or level > 0)


class NeverTogether(_Group):
    """Not all of a group change; the state is 0 while all have, 1 once one has not."""

    def step(self, state: int, at: int, level: int) -> int:
        """Look for a column that stays."""
        safe = int(state or level == 0)
        if at == self.last:
            return 0 if safe else DEAD
        return safe


class Listed:
    """The vector is one of a list; the state numbers the set of those that agree so far.

    States form a trie of the list, at most one per listed vector and column. There is at least one vector, with its
    columns in the order in which they are read.
    """

    def __init__(self, vectors: Sequence[Sequence[int]]) -> None:
        self.vectors = vectors
        self.touches = frozenset(range(len(vectors[0])))
        self.last = len(vectors[0]) - 1
        self.members: list[tuple[int, ...]] = [tuple(range(len(vectors)))]
        self.number: dict[tuple[int, ...], int] = {self.members[0]: 0}
        self.steps: dict[tuple[int, int], dict[int, int]] = {}

    def step(self, state: int, at: int, level: int) -> int:
        """Keep those vectors that have this level here."""
        split = self.steps.get((state, at))
        if split is None:
            split = self.steps[state, at] = self._split(state, at)
        return split.get(level, DEAD)

    def _split(self, state: int, at: int) -> dict[int, int]:
        by_level: dict[int, list[int]] = {}
        for i in self.members[state]:
            by_level.setdefault(self.vectors[i][at], []).append(i)
        if at == self.last:
            return dict.fromkeys(by_level, 0)
        return {level: self._numbered(tuple(alive)) for level, alive in by_level.items()}

    def _numbered(self, alive: tuple[int, ...]) -> int:
        if alive not in self.number:
            self.number[alive] = len(self.members)
            self.members.append(alive)
        return self.number[alive]
