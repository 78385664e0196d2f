"""What every mask can do, and masks made of masks: ``a | b`` and ``a & b``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from incrowd.errors import PolicyError
from incrowd.tables.mask import description
from incrowd.tables.mask.compile import compile_mask
from incrowd.tables.mask.patterns import Patterns

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["AllOf", "AnyOf", "PatternMask"]


class PatternMask(ABC):
    """A set of allowed level vectors, described by rules. Frozen; compared and hashed by its settings."""

    __slots__ = ()

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return the settings that differ from the defaults, as TOML can hold them."""

    def describe(self) -> list[str]:
        """Return the rules as plain sentences, settings only."""
        return description.describe(self.to_dict())

    def columns(self) -> tuple[str, ...]:
        """Return the columns that the rules name, in order of their first mention."""
        return tuple(dict.fromkeys(column for _, column, _ in self.mentions()))

    def mentions(self) -> Iterator[tuple[str, str, int | None]]:
        """Yield each (line of the policy, column, level or None) in the order written."""
        return description.mentions(self.to_dict())

    def check(self, heights: Mapping[str, int]) -> None:
        """Refuse rules that do not fit a table: unknown columns, levels above a column's top.

        Parameters
        ----------
        heights : mapping of str to int
            Top level of every quasi-identifier.

        Raises
        ------
        PolicyError
            Naming the rule, the column and, where one is near, the name that may have been meant.
        """
        description.check(self.to_dict(), heights)

    def allows(self, levels: Mapping[str, int], heights: Mapping[str, int]) -> bool:
        """Return whether a level vector obeys the rules. To ask about many, `compile` once.

        Parameters
        ----------
        levels, heights : mapping of str to int
            Level and top level of every quasi-identifier.

        Raises
        ------
        PolicyError
            If the rules do not fit the columns.
        ValueError
            If `levels` and `heights` are not about the same columns.
        """
        if levels.keys() != heights.keys():
            raise ValueError("levels and heights must be given for the same columns")
        patterns = Patterns.of(self.to_dict(), list(heights), list(heights.values()))
        return patterns.allows([levels[column] for column in heights])

    def compile(self, columns: Sequence[str], heights: Sequence[int], *, list_up_to: int = 1 << 20) -> Patterns:
        """Return the set of level vectors over the quasi-identifiers of one table.

        Parameters
        ----------
        columns : sequence of str
            Quasi-identifiers, in the order of the table.
        heights : sequence of int
            Top level of each, 0 ... 127.
        list_up_to : int, default 2**20
            Sets of at most so many vectors are ordered by listing them, larger ones by searching.

        Raises
        ------
        PolicyError
            If a rule does not fit the columns, no vector is left, or the rules are too entangled.

        Notes
        -----
        Time and memory grow with the states of the automaton, see `incrowd.tables.mask.automaton`.
        """
        return compile_mask(self.to_dict(), columns, heights, list_up_to=list_up_to)

    def __or__(self, other: object) -> AnyOf:
        if not isinstance(other, PatternMask):
            return NotImplemented
        return AnyOf((*_parts(AnyOf, self), *_parts(AnyOf, other)))

    def __and__(self, other: object) -> AllOf:
        if not isinstance(other, PatternMask):
            return NotImplemented
        return AllOf((*_parts(AllOf, self), *_parts(AllOf, other)))


@dataclass(frozen=True, slots=True)
class _Composed(PatternMask):
    parts: Sequence[PatternMask]

    key: ClassVar[str]

    def __post_init__(self) -> None:
        if isinstance(self.parts, PatternMask | str | Mapping):
            raise PolicyError(f"mask.{self.key} must be a list of masks, not {self.parts!r}")
        parts = tuple(self.parts)
        if not parts:
            raise PolicyError(f"mask.{self.key} needs at least 1 mask, but lists none")
        for part in parts:
            if not isinstance(part, PatternMask):
                raise PolicyError(f"mask.{self.key} must be a list of masks, but one entry is {part!r}")
        object.__setattr__(self, "parts", parts)

    def to_dict(self) -> dict[str, Any]:
        """Return ``{"any": [...]}`` or ``{"all": [...]}``."""
        return {self.key: [part.to_dict() for part in self.parts]}


@dataclass(frozen=True, slots=True)
class AnyOf(_Composed):
    """The union of masks: a pattern is allowed when at least one of the `parts` allows it.

    There is at least one part.
    """

    key: ClassVar[str] = description.ANY


@dataclass(frozen=True, slots=True)
class AllOf(_Composed):
    """The intersection of masks: a pattern is allowed when all of the `parts` allow it.

    Full suppression therefore needs the leave of every part. There is at least one part.
    """

    key: ClassVar[str] = description.ALL


def _parts(kind: type[_Composed], mask: PatternMask) -> tuple[PatternMask, ...]:
    return tuple(mask.parts) if isinstance(mask, kind) else (mask,)
