"""What every mask can do, and masks made of masks: ``a | b`` and ``a & b``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from incrowd.errors import PolicyError, and_
from incrowd.tables.mask import description
from incrowd.tables.mask.description import ALL, ANY, composition
from incrowd.tables.mask.patterns import Patterns

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from incrowd.tables.mask.description import Description


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

        `heights`: top level of every quasi-identifier. PolicyError is raised: naming the rule, the column and, where
        one is near, the name that may have been meant.
        """
        description.check(self.to_dict(), heights)

    def allows(self, levels: Mapping[str, int], heights: Mapping[str, int]) -> bool:
        """Return whether a level vector obeys the rules. To ask about many, `compile` once.

        `levels`, `heights`: level and top level of every quasi-identifier. PolicyError is raised if the rules do not
        fit the columns. ValueError is raised if `levels` and `heights` are not about the same columns.
        """
        if levels.keys() != heights.keys():
            raise ValueError("levels and heights must be given for the same columns")
        patterns = Patterns.of(self.to_dict(), list(heights), list(heights.values()))
        return patterns.allows([levels[column] for column in heights])

    def compile(self, columns: Sequence[str], heights: Sequence[int]) -> Patterns:
        """Return the set of level vectors over the quasi-identifiers of one table.

        `columns`: quasi-identifiers, in the order of the table. `heights`: top level of each, 0 ... 127. PolicyError is
        raised if a rule does not fit the columns, no vector is left, or the rules are too entangled. Time and memory
        grow with the states of the automaton, see `incrowd.tables.mask.patterns`.
        """
        said = self.to_dict()
        patterns = Patterns.of(said, columns, heights)
        if patterns.automaton.empty:
            raise PolicyError(f"mask allows no pattern: {_reason('mask', said, columns, heights)}")
        return patterns

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
    parts: tuple[PatternMask, ...]

    key: ClassVar[str]

    def __post_init__(self) -> None:
        if not self.parts:
            raise PolicyError(f"mask.{self.key} needs at least 1 mask, but lists none")

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
    return mask.parts if isinstance(mask, kind) else (mask,)


# Which rules leave no pattern: a sentence for the user instead of an empty set.


def _reason(line: str, said: Description, columns: Sequence[str], heights: Sequence[int]) -> str:
    """Return why a mask allows no pattern; it makes one automaton per line, twice.

    Lines are taken in the order of the policy; the sentence names the first one with which no pattern is left and those
    earlier ones without which there would be one.
    """
    if composition(said) == ANY:
        named = ((f"{line}.any[{i}]", part) for i, part in enumerate(said[ANY]))
        return "no alternative allows one: " + "; ".join(
            f"{name}: {_reason(name, part, columns, heights)}" for name, part in named
        )

    def none_left(lines: list[tuple[str, Description]]) -> bool:
        return Patterns.of({ALL: [part for _, part in lines]}, columns, heights).automaton.empty

    lines = _lines(line, said)
    # the whole list is known to leave nothing, so there is a first line that does
    first = next(i for i in range(len(lines)) if none_left(lines[: i + 1]))
    needed = lines[: first + 1]
    for earlier in lines[:first]:
        fewer = [other for other in needed if other is not earlier]
        if none_left(fewer):
            needed = fewer
    names = [name for name, _ in needed]
    with_others = f" together with {and_(names[:-1])}" if names[:-1] else ""
    mend = "; loosen one of them" if names[:-1] else "; loosen it"
    return f"{names[-1]} leaves none{with_others}{mend}"


def _lines(line: str, said: Description) -> list[tuple[str, Description]]:
    """Return the rules and unions that are intersected, each as a mask of its own, with their lines."""
    key = composition(said)
    if key == ALL:
        return [one for i, part in enumerate(said[ALL]) for one in _lines(f"{line}.all[{i}]", part)]
    if key == ANY:
        return [(line, said)]
    return [(f"{line}.{rule}", {rule: value}) for rule, value in said.items()]
