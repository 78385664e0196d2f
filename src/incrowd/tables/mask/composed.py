"""What every mask can do, and masks made of masks: ``a | b`` and ``a & b``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from incrowd.errors import PolicyError

if TYPE_CHECKING:
    from incrowd.tables.mask.patterns import Patterns
    from incrowd.tables.mask.words import Mask

__all__ = ["AllOf", "AnyOf", "PatternMask", "PlainReading"]


class PatternMask(ABC):
    """A set of allowed level vectors, said in words. Frozen; compared and hashed by its settings."""

    __slots__ = ()

    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """Return the columns that the rules name, in order of their first mention."""

    @abstractmethod
    def leaves(self, line: str = "mask") -> Iterator[tuple[str, Mask]]:
        """Yield the plain masks this one is made of, each with its line of the policy."""

    @abstractmethod
    def combine(self, verdicts: Iterator[bool]) -> bool:
        """Return whether a vector belongs to the set, given the verdicts of the leaves in their order."""

    @abstractmethod
    def describe(self) -> list[str]:
        """Return the rules as plain sentences, settings only."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return the settings that differ from the defaults, as TOML can hold them."""

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> PatternMask:
        """Return the mask that `to_dict` of any kind of mask gave.

        Raises
        ------
        PolicyError
            On an unknown key or a value that a mask refuses.
        """
        from incrowd.tables.mask.words import mask_from_dict  # the words are built on this module

        return mask_from_dict(data)

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
        for line, leaf in self.leaves():
            leaf.check_leaf(line, heights)

    def allows(self, levels: Mapping[str, int], heights: Mapping[str, int]) -> bool:
        """Return whether a level vector obeys the rules, by reading them one after another.

        This is the plain reading that a verifier relies on; it shares nothing with `compile`.

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
        self.check(heights)
        if not all(0 <= levels[column] <= heights[column] for column in heights):
            return False
        return self.combine(leaf.holds(levels, heights) for _, leaf in self.leaves())

    @abstractmethod
    def raised(self, levels: Mapping[str, int], heights: Mapping[str, int]) -> dict[str, int] | None:
        """Return levels that every allowed vector at or above `levels` has at least, but that of stars alone.

        As plain as `allows`: columns that change together are raised to 1, listed patterns to what those above have in
        common; None where no such vector is allowed, whatever is raised.
        """

    def reading(self, columns: Sequence[str], heights: Sequence[int]) -> PlainReading:
        """Return `allows` for the level vectors of one table: as plain, but the rules are fitted to the columns once.

        Parameters
        ----------
        columns : sequence of str
            Quasi-identifiers, in the order of the vectors.
        heights : sequence of int
            Top level of each.

        Raises
        ------
        PolicyError
            If the rules do not fit the columns.
        """
        return PlainReading(self, columns, heights)

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
        # Late, since the automaton is built on the words.
        from incrowd.tables.mask.empty import explain_empty
        from incrowd.tables.mask.patterns import Patterns

        patterns = Patterns.of(self, columns, heights, list_up_to=list_up_to)
        if patterns.count() == 0:
            raise PolicyError(explain_empty(self, columns, heights) or "mask allows no pattern")
        return patterns

    def __or__(self, other: object) -> AnyOf:
        if not isinstance(other, PatternMask):
            return NotImplemented
        return AnyOf((*_parts(AnyOf, self), *_parts(AnyOf, other)))

    def __and__(self, other: object) -> AllOf:
        if not isinstance(other, PatternMask):
            return NotImplemented
        return AllOf((*_parts(AllOf, self), *_parts(AllOf, other)))


class PlainReading:
    """A mask read over the columns of one table; made by `PatternMask.reading`."""

    def __init__(self, mask: PatternMask, columns: Sequence[str], heights: Sequence[int]) -> None:
        self.mask, self.columns = mask, tuple(columns)
        self.tops = dict(zip(columns, heights, strict=True))
        mask.check(self.tops)
        self.leaves = [(leaf, leaf.listed_vectors(self.tops)) for _, leaf in mask.leaves()]

    def __call__(self, vector: Sequence[int]) -> bool:
        """Return whether a level vector obeys the rules."""
        levels = dict(zip(self.columns, vector, strict=True))
        if not all(0 <= levels[column] <= top for column, top in self.tops.items()):
            return False
        return self.mask.combine(leaf.holds(levels, self.tops, listed) for leaf, listed in self.leaves)

    def raised(self, vector: Sequence[int]) -> tuple[int, ...] | None:
        """Return what every allowed vector at or above one has at least, but that of stars alone (None: none is)."""
        low = self.mask.raised(dict(zip(self.columns, vector, strict=True)), self.tops)
        return None if low is None else tuple(low[column] for column in self.columns)


@dataclass(frozen=True, slots=True)
class _Composed(PatternMask):
    parts: Sequence[PatternMask]

    key: ClassVar[str]
    first: ClassVar[str]
    then: ClassVar[str]

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

    def columns(self) -> tuple[str, ...]:
        """Return the columns that the parts name, in order of their first mention."""
        return tuple(dict.fromkeys(column for part in self.parts for column in part.columns()))

    def leaves(self, line: str = "mask") -> Iterator[tuple[str, Mask]]:
        """Yield the plain masks of every part."""
        for i, part in enumerate(self.parts):
            yield from part.leaves(f"{line}.{self.key}[{i}]")

    def describe(self) -> list[str]:
        """Return one sentence per part."""
        if len(self.parts) == 1:
            return self.parts[0].describe()
        return [f"{self.then if i else self.first}: {_one_line(part)}" for i, part in enumerate(self.parts)]

    def to_dict(self) -> dict[str, Any]:
        """Return ``{"any": [...]}`` or ``{"all": [...]}``."""
        return {self.key: [part.to_dict() for part in self.parts]}


@dataclass(frozen=True, slots=True)
class AnyOf(_Composed):
    """The union of masks: a pattern is allowed when at least one of the `parts` allows it.

    Parameters
    ----------
    parts : sequence of PatternMask
        At least one.
    """

    key: ClassVar[str] = "any"
    first: ClassVar[str] = "either"
    then: ClassVar[str] = "or"

    def combine(self, verdicts: Iterator[bool]) -> bool:
        """Return whether one part at least says yes."""
        # All parts are asked, whatever the first says: each takes its verdicts off the common iterator.
        said = [part.combine(verdicts) for part in self.parts]
        return any(said)

    def raised(self, levels: Mapping[str, int], heights: Mapping[str, int]) -> dict[str, int] | None:
        """Return what the parts' have in common."""
        each = [low for part in self.parts if (low := part.raised(levels, heights)) is not None]
        return {column: min(low[column] for low in each) for column in heights} if each else None


@dataclass(frozen=True, slots=True)
class AllOf(_Composed):
    """The intersection of masks: a pattern is allowed when all of the `parts` allow it.

    Full suppression therefore needs the leave of every part.

    Parameters
    ----------
    parts : sequence of PatternMask
        At least one.
    """

    key: ClassVar[str] = "all"
    first: ClassVar[str] = "all of this"
    then: ClassVar[str] = "and"

    def combine(self, verdicts: Iterator[bool]) -> bool:
        """Return whether all parts say yes."""
        said = [part.combine(verdicts) for part in self.parts]
        return all(said)

    def raised(self, levels: Mapping[str, int], heights: Mapping[str, int]) -> dict[str, int] | None:
        """Return what any of the parts asks for."""
        low: dict[str, int] | None = dict(levels)
        for part in self.parts:
            low = None if low is None else part.raised(low, heights)
        return low


def _parts(kind: type[_Composed], mask: PatternMask) -> tuple[PatternMask, ...]:
    return tuple(mask.parts) if isinstance(mask, kind) else (mask,)


def _one_line(part: PatternMask) -> str:
    text = "; ".join(part.describe())
    return f"({text})" if isinstance(part, _Composed) else text
