"""Which two requirements a matching of rows that differ leans on: a suggestion, which the program checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.verify.requirements.rules import Shares

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.verify.requirements.rules import Rule


def halving(rules: Sequence[tuple[Rule, ...]]) -> list[int]:
    """Return 1 and the places of two requirements that let no value have more than half of a class [M1].

    One is named twice where all such requirements tell the same values apart; 0 alone where there is none. Each tuple
    of `rules` is one requirement, as of `Required`.
    """
    found: dict[bytes, int] = {}
    for place, (rule, *_) in enumerate(rules):
        if isinstance(rule, Shares) and 2 * max(rule.share) <= 1:
            _, told = np.unique(rule.code, return_inverse=True)
            found.setdefault(told.tobytes(), place)
    return [1, *([*found.values()] * 2)[:2]] if found else [0]
