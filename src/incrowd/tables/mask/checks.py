"""Checks of what a user writes in a mask: each function returns it in one frozen form, or refuses it."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Set
from typing import Any

from incrowd.errors import PolicyError

__all__ = ["groups", "level_pairs", "names", "pattern_list", "whole"]


def whole(line: str, value: Any) -> int:
    """Return a value as an integer of at least 0.

    `line` is the line of the policy, for the message. Raises PolicyError if the value is none; True and 2.0 are none
    either.
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if isinstance(value, bool) or number < 0:
        raise PolicyError(f"{line} must be a whole number of at least 0, not {value!r}")
    return number


def _items(line: str, value: Any, what: str) -> list[Any]:
    # A set has no order of its own: messages and files would differ from run to run.
    if isinstance(value, str | bytes | Mapping | Set) or not isinstance(value, Iterable):
        raise PolicyError(f"{line} must be a list of {what}, not {value!r}")
    return list(value)


def names(line: str, value: Any) -> tuple[str, ...]:
    """Return a list of different column names; one name alone is a list of one.

    `line` is the line of the policy, for the message. Raises PolicyError if the value is no list of names, a name is
    empty, or one stands there twice.
    """
    columns = [value] if isinstance(value, str) else _items(line, value, "column names")
    for column in columns:
        if not isinstance(column, str) or not column:
            raise PolicyError(f"{line} must be a list of column names, but one entry is {column!r}")
    doubled = next((column for i, column in enumerate(columns) if column in columns[:i]), None)
    if doubled is not None:
        raise PolicyError(f"{line} names column {doubled!r} twice; name each column once")
    return tuple(str(column) for column in columns)


def groups(line: str, value: Any, alone: str) -> tuple[tuple[str, ...], ...]:
    """Return a list of groups of at least two columns; one group alone is a list of one.

    `line` is the line of the policy, for the message. `alone` is a clause that says what the rule would mean for a
    group of one column, which is refused. Raises PolicyError if the value is no such list.
    """
    items = _items(line, value, "groups, each a list of column names")
    if items and all(isinstance(item, str) for item in items):
        items = [items]
    if any(isinstance(item, str) for item in items):
        raise PolicyError(f"{line} mixes column names and groups: {value!r}; write one list per group")
    parsed = tuple(names(line, item) for item in items)
    for group in parsed:
        if len(group) < 2:
            raise PolicyError(f"{line} needs groups of at least 2 columns, not {list(group)!r}: {alone}")
    return parsed


def level_pairs(line: str, value: Any) -> tuple[tuple[str, int], ...]:
    """Return a mapping of columns to levels as pairs in the order given.

    `value` is a mapping, or a list of pairs, and `line` the line of the policy, for the message. Raises PolicyError if
    it is neither, a column is named twice, or a level is no whole number of at least 0.
    """
    pairs = list(value.items()) if isinstance(value, Mapping) else None
    if pairs is None:
        items = _items(line, value, "levels by column, such as {age = 2}")
        if not all(isinstance(item, tuple | list) and len(item) == 2 for item in items):
            raise PolicyError(f"{line} must give a level by column, such as {{age = 2}}, not {value!r}")
        pairs = [(item[0], item[1]) for item in items]
    columns = names(line, [column for column, _ in pairs])
    return tuple((column, whole(f"{line}.{column}", level)) for column, (_, level) in zip(columns, pairs, strict=True))


def _pattern(line: str, value: Any) -> tuple[Any, ...]:
    if not isinstance(value, Mapping):
        items = _items(line, value, "column names, or a mapping of columns to levels")
        if not any(isinstance(item, tuple | list) for item in items):
            return names(line, items)
        value = items
    # Level 0 is what every unnamed column has: leaving it out gives each pattern one form.
    return tuple((column, level) for column, level in level_pairs(line, value) if level > 0)


def pattern_list(line: str, value: Any) -> tuple[tuple[Any, ...], ...]:
    """Return listed patterns: each a tuple of starred columns or of (column, level) pairs.

    `value` is a list of patterns, or one pattern alone, and `line` the line of the policy, for the message. Raises
    PolicyError if it is no such list, or an empty one.
    """
    if isinstance(value, Mapping):
        value = [value]
    items = _items(line, value, "patterns, each a list of starred columns or a mapping of columns to levels")
    if not items:
        raise PolicyError(f"{line} lists no pattern, but needs at least 1; [[]] lists the one that changes nothing")
    if all(isinstance(item, str) for item in items):
        items = [items]
    if any(isinstance(item, str) for item in items):
        raise PolicyError(f"{line} mixes column names and patterns: {value!r}; write one list per pattern")
    return tuple(_pattern(line, item) for item in items)
