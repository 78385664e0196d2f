"""Rule (P2): what several cheaper classes leave over of the combinations that a row could have, projected to cells."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.attack.classes.departures import leavable, may_leave, units_of
from incrowd.tables.attack.classes.expansion import pairs_of_units
from incrowd.tables.attack.classes.joins import CheaperPairs
from incrowd.tables.attack.rules.labels import candidates
from incrowd.tables.attack.values import Exclusions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.attack.values import Premise, Released

__all__ = ["Combinations"]

MOST_COMBINATIONS = 20_000  # of the values that a row could have over its hidden columns
MOST_BOXES = 3_000_000  # pairs of a unit and a class that could take its rows


@dataclass(frozen=True, slots=True)
class Combinations:
    """A row's hidden values together are none that any cheaper class shows; see `Rule`.

    Only where the possible values of every hidden column of the class are known, and at most 20,000 combinations of
    them: each class is then looked at whole, so that under this premise nothing more can be said of single rows.

    References
    ----------
    papers/attacks.md, rule S3.
    """

    name: str = field(default="combinations", init=False)
    premise: Premise = field(default="settled", init=False)

    def find(self, released: Released, slack: int, watch: Watch) -> Exclusions:
        """Return the values that cells cannot have had."""
        sources = may_leave(released) & self._small(released)
        if not sources.any():
            return Exclusions.none()
        leave, begins = leavable(released), units_of(released)
        boxes: dict[int, list[int]] = defaultdict(list)
        made, complete, certain = 0, True, 0
        every = CheaperPairs(released, sources, released.m, watch)
        for pairs in every:
            unit, pair = pairs_of_units(released, pairs.source, pairs.target, leave, begins)
            made += unit.size
            if made > MOST_BOXES:
                complete = False
                break
            for one, target in zip(unit.tolist(), pairs.target[pair].tolist(), strict=True):
                boxes[one].append(target)
        complete &= every.complete
        out: list[tuple[NDArray[np.int64], int, int]] = []
        for one, targets in boxes.items():
            if watch.stopped:
                complete = False
                break
            left = self._left(released, int(released.unit_class[one]), targets)
            if not left.any():
                certain += 1
                continue
            self._project(released, one, left, out)
        if not out:
            none = Exclusions.none()
            return Exclusions(none.unit, none.column, none.value, complete, certain)
        sizes = [len(values) for values, _, _ in out]
        return Exclusions.of(
            np.repeat([unit for _, unit, _ in out], sizes), np.repeat([column for _, _, column in out], sizes),
            np.concatenate([values for values, _, _ in out]), complete=complete, contradictions=certain,
        )  # fmt: skip

    @staticmethod
    def _small(released: Released) -> NDArray[np.bool_]:
        """Return of which classes all combinations can be listed, shape (c,)."""
        product = np.ones(released.sizes.size)
        for j, column in enumerate(released.columns):
            hidden = released.levels[:, j] > 0
            product *= np.where(hidden, candidates(released, j) if column.closed else np.inf, 1)
        return np.asarray(product <= MOST_COMBINATIONS)

    @staticmethod
    def _hidden(released: Released, at: int) -> list[tuple[int, NDArray[np.int64]]]:
        """Return the hidden columns of a class, with the values possible there."""
        return [
            (j, np.flatnonzero(column.below(int(released.levels[at, j]), int(released.reps[at, j]))))
            for j, column in enumerate(released.columns)
            if released.levels[at, j] > 0
        ]

    def _left(self, released: Released, at: int, targets: list[int]) -> NDArray[np.bool_]:
        """Return which combinations of the hidden columns' values no target covers."""
        hidden = self._hidden(released, at)
        left = np.ones([len(values) for _, values in hidden], np.bool_)
        for target in targets:
            covered = []
            for j, values in hidden:
                up = released.columns[j].levels.up[released.levels[target, j]]
                covered.append(np.flatnonzero(up[values] == up[released.reps[target, j]]))
            left[np.ix_(*covered)] = False
        return left

    def _project(
        self, released: Released, unit: int, left: NDArray[np.bool_], out: list[tuple[NDArray[np.int64], int, int]]
    ) -> None:
        """Add the values that occur in no combination that is left."""
        for axis, (j, values) in enumerate(self._hidden(released, int(released.unit_class[unit]))):
            other = tuple(i for i in range(left.ndim) if i != axis)
            gone = values[~left.any(axis=other)]
            if gone.size:
                out.append((gone, unit, j))
