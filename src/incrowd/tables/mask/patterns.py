"""The set of level vectors that a mask allows over one table's quasi-identifiers."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import PolicyError
from incrowd.tables.mask.automaton import Automaton, build
from incrowd.tables.mask.description import check, leaves
from incrowd.tables.mask.list import listed
from incrowd.tables.mask.order import Keys, tables
from incrowd.tables.mask.search import searched
from incrowd.tables.mask.vocabulary import pattern_vectors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from incrowd.tables.mask.description import Description
    from incrowd.tables.values import PatternBlock

__all__ = ["Patterns"]

# Levels travel as int8.
HIGHEST = 127


@dataclass(frozen=True, eq=False)
class Patterns:
    """A compiled mask; implements `incrowd.tables.protocols.PatternSet`. Made by `compile_mask`.

    Attributes
    ----------
    columns : tuple of str
        The quasi-identifiers; vectors follow their order.
    heights : tuple of int
        Top level per column.
    automaton : Automaton
        The vectors as paths.
    list_up_to : int
        Sets of at most so many vectors are ordered by listing them, larger ones by searching.
    written : tuple of tuple of int
        Vectors that the mask lists, in the order written; other rules may forbid some of them.
    """

    columns: tuple[str, ...]
    heights: tuple[int, ...]
    automaton: Automaton = field(repr=False)
    list_up_to: int = 1 << 20
    written: tuple[tuple[int, ...], ...] = ()

    @staticmethod
    def of(said: Description, columns: Sequence[str], heights: Sequence[int], *, list_up_to: int = 1 << 20) -> Patterns:
        """Return the vectors of a mask, perhaps none.

        `said` is the mask, see `incrowd.tables.mask.description`. `columns` are the quasi-identifiers, all different,
        and `heights` has the top level of each, from 0. For `list_up_to` see the attribute.

        Raises PolicyError if a rule does not fit the columns or the rules are too entangled, and ValueError if
        `columns` and `heights` do not fit one another.
        """
        if len(columns) != len(heights) or len(set(columns)) != len(columns) or any(top < 0 for top in heights):
            raise ValueError("compile needs one height, at least 0, for each of different columns")
        for column, top in zip(columns, heights, strict=True):
            if top > HIGHEST:
                raise PolicyError(
                    f"column {column!r} has {top} levels above the shown one; at most {HIGHEST} can be used"
                )
        check(said, dict(zip(columns, heights, strict=True)))
        tops = tuple(int(top) for top in heights)
        return Patterns(tuple(columns), tops, build(said, columns, tops), list_up_to, _written(said, columns, tops))

    @cached_property
    def allows_full_suppression(self) -> bool:
        """Whether the all-star vector belongs to the set."""
        return self.allows(self.heights)

    def allows(self, vector: Sequence[int]) -> bool:
        """Return whether the level vector belongs to the set; O(m).

        Raises ValueError if the vector has another length than m.
        """
        self._same_length(vector)
        if self.automaton.empty:
            return False
        state = 0
        for rows, j in zip(self.automaton.rows, self.automaton.order, strict=True):
            if not 0 <= vector[j] <= self.heights[j]:
                return False
            state = rows[state][vector[j]]
            if state < 0:
                return False
        return True

    def count(self) -> int:
        """Return the number of vectors, without listing them."""
        return self._count

    @cached_property
    def _count(self) -> int:
        if self.automaton.empty:
            return 0
        behind = [1]
        for rows in reversed(self.automaton.rows):
            behind = [sum(behind[after] for after in row if after >= 0) for row in rows]
        return behind[0]

    def reach(self) -> tuple[int, ...]:
        """Return per column the highest level that any vector of the set gives it.

        Where it is 0 the mask never changes the column. Raises ValueError if the set is empty.
        """
        if self.automaton.empty:
            raise ValueError("an empty set of patterns reaches no level")
        highest = [0] * len(self.heights)
        for arrows, j in zip(self.automaton.arrows, self.automaton.order, strict=True):
            # Every state lies on the path of some vector, so every arrow does.
            highest[j] = int(np.flatnonzero((arrows >= 0).any(axis=0))[-1])
        return tuple(highest)

    def by_cost(self, costs: Sequence[Sequence[int]], ties: Sequence[Sequence[int]]) -> Iterator[PatternBlock]:
        """Yield all vectors, cheapest first, in blocks; lazily, so that a huge set can be broken off.

        ``costs[j][l]`` is the cost of level l in column j. Among equal costs: fewer stars first, then the larger sum of
        ``ties[j][l]``, then the lexicographic order of the vectors. Raises PolicyError if the cost of a row does not
        fit into 62 bits.

        Notes
        -----
        Sets of at most `list_up_to` vectors are listed and sorted, O(count * m). Larger ones are searched:
        O(states * levels) before the first block, then O(m log) per vector, in memory too.
        """
        cost, tie = tables(self.heights, costs, "costs"), tables(self.heights, ties, "ties")
        if self._count <= self.list_up_to:
            return listed(self.automaton, self.heights, cost, tie)
        return searched(self.automaton, Keys.of(self.heights, cost, tie))

    def cheapest_above(self, vector: Sequence[int], costs: Sequence[Sequence[int]]) -> tuple[int, ...] | None:
        """Return a cheapest vector of the set that is at least `vector` everywhere.

        It is None where there is no such vector. Ties are broken as in `by_cost` (without `ties`). `vector` is (m,),
        and `costs` are per column and level. It takes O(states levels) time, by dynamic programming.

        Raises ValueError if a length does not fit, and PolicyError if costs of a row do not fit into 63 bits.
        """
        self._same_length(vector)
        if self.automaton.empty:
            return None
        cells = Keys.of(self.heights, tables(self.heights, costs, "costs"))
        least = {0: 0}
        for rows, j in zip(self.automaton.rows, self.automaton.order, strict=True):
            cell, low = cells.cells[j], max(0, int(vector[j]))
            found: dict[int, int] = {}
            for state, key in least.items():
                for level in range(low, len(cell)):
                    after = rows[state][level]
                    if after >= 0 and (after not in found or key + cell[level] < found[after]):
                        found[after] = key + cell[level]
            least = found
        return cells.vector(least[0]) if least else None

    def _same_length(self, vector: Sequence[int]) -> None:
        if len(vector) != len(self.heights):
            raise ValueError(f"a level vector has {len(self.heights)} entries here, not {len(vector)}")


def _written(said: Description, columns: Sequence[str], tops: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the vectors that the rules of a mask list, in the order written."""
    place = {column: j for j, column in enumerate(columns)}
    lists = [leaf["patterns"] for _, leaf in leaves(said) if leaf.get("patterns")]
    return tuple(tuple(vector) for patterns in lists for vector in pattern_vectors(patterns, place, tops))
