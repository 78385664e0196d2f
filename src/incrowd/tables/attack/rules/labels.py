"""Rule (P0): a label that stands for one known value shows that value, if no other value is possible."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.attack.values import Exclusions

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.attack.values import Premise, Released

__all__ = ["Labels"]


@dataclass(frozen=True, slots=True)
class Labels:
    """It excludes nothing; what is below a label is counted as possible, so that one value below is determined."""

    name: str = field(default="labels", init=False)
    premise: Premise = field(default="valid", init=False)

    def find(self, released: Released, slack: int, watch: Watch) -> Exclusions:
        """Return no exclusions: which values a label stands for is where all rules begin."""
        return Exclusions.none()


def candidates(released: Released, column: int) -> np.ndarray:
    """Return how many known values each class may have in a column, shape (c,)."""
    held = released.columns[column]
    counted = np.stack([np.bincount(up, minlength=held.size)[up] for up in held.levels.up])
    return np.asarray(counted[released.levels[:, column], released.reps[:, column]])
