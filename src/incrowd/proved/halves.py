"""Which two requirements a matching of rows that differ leans on: a suggestion, which the program checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.proved.requirements import Rule


def halving(rules: Sequence[tuple[Rule, ...]]) -> list[int]:
    """Return 1 and the places of two requirements that let no value have more than half of a class [M1].

    One is named twice where all such requirements tell the same values apart; 0 alone where there is none. Each tuple
    of `rules` is one requirement, as of `Required`.
    """
    found: dict[tuple[int, ...], int] = {}
    for place, ((family, code, *told), *_) in enumerate(rules):
        if family == "shares" and 2 * max(told[0]) <= 1:
            found.setdefault(tuple(map(code.index, code)), place)
    return [1, *([*found.values()] * 2)[:2]] if found else [0]
