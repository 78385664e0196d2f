"""What each word of a mask says, as sentences that a newcomer understands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "at_most_one_changes",
    "change_together",
    "listing",
    "never_all_change",
    "no_higher",
    "only_listed",
    "stars",
    "unchanged",
]

SHOWN_PATTERNS = 5


def listing(words: Sequence[str]) -> str:
    """Return ``a``, ``a and b`` or ``a, b and c``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def stars(most: int) -> list[str]:
    """Say in one phrase how many stars a row may have; `most` is from 0."""
    many = "star" if most == 1 else "stars"
    return [f"at most {most} {many}" if most else "no stars"]


def unchanged(columns: Sequence[str]) -> list[str]:
    """Say in one phrase which columns, at least one, never change."""
    return [f"{listing(columns)} {'is' if len(columns) == 1 else 'are'} never changed"]


def change_together(groups: Sequence[Sequence[str]]) -> list[str]:
    """Say which columns change all or none, in a phrase a group."""
    return [f"{listing(group)} change together or not at all" for group in groups]


def at_most_one_changes(groups: Sequence[Sequence[str]]) -> list[str]:
    """Say of which columns at most one changes, in a phrase a group."""
    return [f"at most one of {', '.join(group)} changes" for group in groups]


def never_all_change(groups: Sequence[Sequence[str]]) -> list[str]:
    """Say which columns do not all change, in a phrase a group."""
    return [
        f"{listing(group)} never {'both change' if len(group) == 2 else 'all change'} in one row" for group in groups
    ]


def no_higher(levels: Mapping[str, int]) -> list[str]:
    """Say how far columns may be coarsened, in a phrase a column.

    `levels` has the highest level of each column; at 0 it is never changed.
    """
    return [
        f"{column} is coarsened to level {level} at most" if level else f"{column} is never changed"
        for column, level in levels.items()
    ]


def only_listed(patterns: Sequence[Any]) -> list[str]:
    """Say in one phrase which patterns are allowed, the first few of them one by one.

    They are as `incrowd.tables.mask.checks.pattern_list` returns them.
    """
    told = [_pattern(entry) for entry in patterns]
    shown = told[:SHOWN_PATTERNS]
    more = len(told) - len(shown)
    if more:
        shown.append(f"{more} more")
    return [f"only listed patterns ({len(told)}): {'; '.join(shown)}"]


def _pattern(entry: Sequence[str] | Mapping[str, int]) -> str:
    if not entry:
        return "nothing changed"
    if isinstance(entry, dict):
        return listing([f"{column} at level {level}" for column, level in entry.items()])
    return f"{listing(list(entry))} starred"
