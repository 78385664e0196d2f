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
    """Return ``a``, ``a and b`` or ``a, b and c``.

    Parameters
    ----------
    words : sequence of str
    """
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def stars(most: int) -> list[str]:
    """Say how many stars a row may have.

    Parameters
    ----------
    most : int
        From 0.

    Returns
    -------
    list of str
        One phrase.
    """
    many = "star" if most == 1 else "stars"
    return [f"at most {most} {many}" if most else "no stars"]


def unchanged(columns: Sequence[str]) -> list[str]:
    """Say which columns never change.

    Parameters
    ----------
    columns : sequence of str
        At least one.

    Returns
    -------
    list of str
        One phrase.
    """
    return [f"{listing(columns)} {'is' if len(columns) == 1 else 'are'} never changed"]


def change_together(groups: Sequence[Sequence[str]]) -> list[str]:
    """Say which columns change all or none.

    Parameters
    ----------
    groups : sequence of groups of column names

    Returns
    -------
    list of str
        A phrase a group.
    """
    return [f"{listing(group)} change together or not at all" for group in groups]


def at_most_one_changes(groups: Sequence[Sequence[str]]) -> list[str]:
    """Say of which columns at most one changes.

    Parameters
    ----------
    groups : sequence of groups of column names

    Returns
    -------
    list of str
        A phrase a group.
    """
    return [f"at most one of {', '.join(group)} changes" for group in groups]


def never_all_change(groups: Sequence[Sequence[str]]) -> list[str]:
    """Say which columns do not all change.

    Parameters
    ----------
    groups : sequence of groups of column names

    Returns
    -------
    list of str
        A phrase a group.
    """
    return [
        f"{listing(group)} never {'both change' if len(group) == 2 else 'all change'} in one row" for group in groups
    ]


def no_higher(levels: Mapping[str, int]) -> list[str]:
    """Say how far columns may be coarsened.

    Parameters
    ----------
    levels : dict of str to int
        Highest level of each column; 0: it is never changed.

    Returns
    -------
    list of str
        A phrase a column.
    """
    return [
        f"{column} is coarsened to level {level} at most" if level else f"{column} is never changed"
        for column, level in levels.items()
    ]


def only_listed(patterns: Sequence[Any]) -> list[str]:
    """Say which patterns are allowed, the first few of them one by one.

    Parameters
    ----------
    patterns : sequence of patterns
        As `incrowd.tables.mask.checks.pattern_list` returns them.

    Returns
    -------
    list of str
        One phrase.
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
