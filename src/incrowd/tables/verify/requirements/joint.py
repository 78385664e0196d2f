"""Joint l-diversity as the check reads it: every row lies in l rows of its class that differ pairwise everywhere.

"Everywhere" is in every one of the judged columns, so that rows matter by their combinations of values alone. In two
columns rows that differ everywhere are a matching between the values of both; from three columns on they are searched
for, with a limit (J. Blocki, R. Williams, "Resolving the Complexity of Some Data Privacy Problems", ICALP 2010,
Definition 1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import InputError
from incrowd.settings import fraction_text
from incrowd.tables.verify.requirements.reading import Judged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.verify.requirements.counts import Classes
    from incrowd.tables.verify.requirements.reading import Settings

__all__ = ["STEPS", "judge_jointly", "most_apart"]

STEPS = 200_000  # of one search

Line = tuple[int, ...]


class TooHard(Exception):
    """A search went beyond its limit."""


def judge_jointly(asked: Settings, classes: Classes) -> Judged:
    """Return which classes meet it, and the greatest l that all of them meet.

    The classes have the rows of every combination. Raise `InputError` where a class cannot be decided within the limit
    (three columns and more).
    """
    l, columns = int(asked["l"]), asked["columns"]  # noqa: E741
    found = classes.combinations(columns)
    try:
        met = np.array([_met(lines, l) for lines in found], np.bool_)
        shown = [lines for lines in found if lines]
        if not shown:
            return Judged(met, None)
        best = min(len({line[0] for line in lines}) for lines in shown)
        while best > 1 and not all(_met(lines, best) for lines in shown):
            best -= 1
    except TooHard:
        raise InputError(
            f"l-diversity of {', '.join(columns)} with l={fraction_text(asked['l'])}, joint: every row in "
            f"{fraction_text(asked['l'])} rows of its class that differ in all of them: not decided within {STEPS} "
            "steps of search, for this is hard from three columns on; lower l or name two columns at a time"
        ) from None
    return Judged(met, best)


def _met(lines: Sequence[Line], l: int) -> bool:  # noqa: E741
    if l <= 1 or not lines:
        return True
    width = len(lines[0])
    if any(len({line[j] for line in lines}) < l for j in range(width)):
        return False
    # of l + width - 1 rows that differ everywhere at most one a column meets a given row, and l - 1 are left beside it
    if _some_apart(lines) >= l + width - 1:
        return True
    return all(most_apart([other for other in lines if _differ(line, other)], l - 1) >= l - 1 for line in lines)


def _differ(one: Line, other: Line) -> bool:
    return all(a != b for a, b in zip(one, other, strict=True))


def _some_apart(lines: Sequence[Line]) -> int:
    taken: list[Line] = []
    used: list[set[int]] = [set() for _ in lines[0]]
    for line in lines:
        if not any(value in seen for value, seen in zip(line, used, strict=True)):
            taken.append(line)
            for value, seen in zip(line, used, strict=True):
                seen.add(value)
    return len(taken)


def most_apart(lines: Sequence[Line], enough: int) -> int:
    """Return how many of some combinations differ pairwise everywhere at most, or `enough` if that is less.

    `lines` are combinations of values, one from each column, and `enough`, where the search stops, is at least 1. Raise
    `TooHard` after `STEPS` steps of search (three columns and more).
    """
    if not lines or enough <= 0:
        return 0
    if len(lines[0]) == 1:
        return min(len(set(lines)), enough)
    if len(lines[0]) == 2:
        return min(_matched(lines), enough)
    steps = best = 0
    stack = [(list(lines), 0)]
    while stack and best < enough:
        left, size = stack.pop()
        best = max(best, size)
        steps += 1
        if steps > STEPS:
            raise TooHard
        if not left or best >= enough:
            continue
        values = [{line[j] for line in left} for j in range(len(left[0]))]
        j = min(range(len(values)), key=lambda j: len(values[j]))
        if size + len(values[j]) <= best:
            continue
        # the rarest value of the column with the fewest: none of its rows is taken, or one of them
        often = {value: sum(line[j] == value for line in left) for value in values[j]}
        rare = min(often, key=lambda value: (often[value], value))
        stack.append(([line for line in left if line[j] != rare], size))
        for line in reversed([line for line in left if line[j] == rare]):
            stack.append(([other for other in left if _differ(line, other)], size + 1))
    return min(best, enough)


def _matched(edges: Sequence[Line]) -> int:
    """Return the size of a largest matching between two columns: shortest augmenting paths, found breadth first."""
    beside: dict[int, list[int]] = {}
    for a, b in edges:
        beside.setdefault(a, []).append(b)
    mate: dict[int, int] = {}  # left value of a right one
    own: dict[int, int] = {}  # right value of a left one
    for start in beside:
        came: dict[int, int] = {}  # right node -> left node it was reached from
        queue = [start]
        end: int | None = None
        for a in queue:
            for b in beside[a]:
                if b in came:
                    continue
                came[b] = a
                if b not in mate:
                    end = b
                    break
                queue.append(mate[b])
            if end is not None:
                break
        while end is not None:
            a = came[end]
            mate[end] = a
            own[a], end = end, own.get(a)
    return len(mate)
