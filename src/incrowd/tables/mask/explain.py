"""The rules of a mask as sentences that a newcomer understands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from incrowd.tables.mask.words import Mask

__all__ = ["describe", "listing"]

SHOWN_PATTERNS = 5


def listing(words: Sequence[str]) -> str:
    """Return ``a``, ``a and b`` or ``a, b and c``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def describe(mask: Mask) -> list[str]:
    """Return one sentence per rule of `mask`, and one on full suppression."""
    told: list[str] = []
    if mask.max_stars is not None:
        many = "star" if mask.max_stars == 1 else "stars"
        told.append(f"at most {mask.max_stars} {many}" if mask.max_stars else "no stars")
    if mask.keep:
        told.append(f"{listing(mask.keep)} {'is' if len(mask.keep) == 1 else 'are'} never changed")
    told += [f"{listing(group)} change together or not at all" for group in mask.together]
    told += [f"at most one of {', '.join(group)} changes" for group in mask.at_most_one]
    for group in mask.never_together:
        told.append(f"{listing(group)} never {'both change' if len(group) == 2 else 'all change'} in one row")
    for column, level in mask.levels("max_level"):
        told.append(f"{column} is coarsened to level {level} at most" if level else f"{column} is never changed")
    if mask.patterns is not None:
        told.append(_patterns(mask.patterns))
    if not told:
        told.append("every pattern is allowed" if mask.full_suppression else "every other pattern is allowed")
        if mask.full_suppression:
            return told
    if mask.full_suppression:
        told.append("a row of stars alone is allowed, whatever else is said")
    else:
        told.append("a row of stars alone is not allowed")
    return told


def _patterns(patterns: Iterable[Any]) -> str:
    told = [_pattern(entry) for entry in patterns]
    shown = told[:SHOWN_PATTERNS]
    more = len(told) - len(shown)
    if more:
        shown.append(f"{more} more")
    return f"only listed patterns ({len(told)}): {'; '.join(shown)}"


def _pattern(entry: Sequence[Any]) -> str:
    if not entry:
        return "nothing changed"
    if all(isinstance(item, str) for item in entry):
        return f"{listing(entry)} starred"
    return listing([f"{column} at level {level}" for column, level in entry])
