"""Which rules leave no pattern: a sentence for the user instead of an empty set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from incrowd.tables.mask.description import ALL, ANY, composition
from incrowd.tables.mask.explain import listing
from incrowd.tables.mask.patterns import Patterns

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from incrowd.tables.mask.description import Description

__all__ = ["explain_empty"]

# A line of the policy: the part of an intersection it belongs to, and the rule there ("" for the whole part).
Line = tuple[int, str]


def explain_empty(said: Description, columns: Sequence[str], heights: Sequence[int]) -> str | None:
    """Return why the mask allows no pattern over these columns, or None when it allows one.

    Lines are taken in the order of the policy; the sentence names the first one with which no pattern is left
    and those earlier ones without which there would be one.

    `said` is the mask, as its `to_dict` gives it. Raises PolicyError as `compile_mask` does on rules that do not fit.
    It makes one automaton per line, twice.
    """
    if not _empty(said, columns, heights):
        return None
    return f"mask allows no pattern: {_reason('mask', said, columns, heights)}"


def _empty(said: Description, columns: Sequence[str], heights: Sequence[int]) -> bool:
    return Patterns.of(said, columns, heights).automaton.empty


def _reason(line: str, said: Description, columns: Sequence[str], heights: Sequence[int]) -> str:
    if composition(said) == ANY:
        named = ((f"{line}.any[{i}]", part) for i, part in enumerate(said[ANY]))
        return "no alternative allows one: " + "; ".join(
            f"{name}: {_reason(name, part, columns, heights)}" for name, part in named
        )
    parts = _intersected(line, said)
    lines = [(i, rule) for i, (_, part) in enumerate(parts) for rule in _rules(part)]
    first = _first(lines, lambda some: _empty(_only(parts, some), columns, heights))
    needed = lines[: first + 1]
    for earlier in lines[:first]:
        fewer = [other for other in needed if other != earlier]
        if _empty(_only(parts, fewer), columns, heights):
            needed = fewer
    names = [".".join(filter(None, (parts[i][0], rule))) for i, rule in needed]
    with_others = f" together with {listing(names[:-1])}" if names[:-1] else ""
    mend = "; loosen one of them" if names[:-1] else "; loosen it"
    return f"{names[-1]} leaves none{with_others}{mend}"


def _first(lines: list[Line], empty: Callable[[list[Line]], bool]) -> int:
    # The whole list is known to leave nothing, so there is a first line that does.
    return next(i for i in range(len(lines)) if empty(lines[: i + 1]))


def _intersected(line: str, said: Description) -> list[tuple[str, Description]]:
    """Return the plain masks and unions that are intersected, with their lines."""
    if composition(said) == ALL:
        return [leaf for i, part in enumerate(said[ALL]) for leaf in _intersected(f"{line}.all[{i}]", part)]
    return [(line, said)]


def _rules(part: Description) -> list[str]:
    return [""] if composition(part) else list(part)


def _only(parts: list[tuple[str, Description]], lines: list[Line]) -> Description:
    """Return the intersection of these lines alone; fewer lines never allow less."""
    chosen: list[Description] = [{}]
    for i, (_, part) in enumerate(parts):
        rules = {rule for at, rule in lines if at == i}
        if not composition(part):
            chosen.append({rule: part[rule] for rule in rules})
        elif rules:
            chosen.append(part)
    return {ALL: chosen}
