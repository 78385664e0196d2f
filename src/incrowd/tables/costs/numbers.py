"""Texts of cells as exact numbers."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from incrowd.errors import PolicyError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.hierarchy import Hierarchy
    from incrowd.tables.values import Int64

__all__ = ["numbers_of"]

MISSING = "NULL"  # the line that stands for a missing value: a numeric column holds no such text
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
LONGEST = 1000  # characters


def numbers_of(column: str, hierarchy: Hierarchy, lines: Int64) -> Sequence[Fraction | None]:
    """Return the values of a column as exact numbers, None for a missing one.

    `lines` is (d,): the line of each value in the hierarchy. `column` is for messages. Raises PolicyError if a value is
    no finite number as `NUMBER` writes it.
    """
    return [_number(column, hierarchy.lines[int(line)][0]) for line in lines]


def _number(column: str, text: str) -> Fraction | None:
    if text == MISSING:
        return None
    if len(text) > LONGEST or not NUMBER.fullmatch(text):
        raise PolicyError(
            f"cost ncp takes the width of column {column!r}, which is declared numeric, but some of its values are no "
            "finite decimal numbers; leave it out of --numeric, or name what stands for a missing value with --na"
        )
    return Fraction(text)
