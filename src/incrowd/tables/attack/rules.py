"""Rule (P2): a row of a class that it may leave would have been shown in any cheaper class that shows its values."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.attack.classes import (
    CheaperPairs,
    excluded_by,
    leavable,
    may_leave,
    pairs_of_units,
    shown_keys,
    units_of,
)
from incrowd.tables.attack.values import Exclusions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.attack.classes import Lowerings
    from incrowd.tables.attack.values import Premise, Released
    from incrowd.tables.values import Int64


@dataclass(frozen=True, slots=True)
class SingleRows:
    """Values that an existing, cheaper class shows are none of a row that could have moved there; see `Rule`.

    `premise`: under ``settled`` any gain is enough; under ``bound`` it has to be more than what the release may lie
    above the least cost.

    References
    ----------
    docs/papers/attacks.md, rule S1 (settled) and B1 (bound).
    """

    premise: Premise = "settled"

    @property
    def name(self) -> str:
        """Its name in the answer."""
        return "single_rows" if self.premise == "settled" else "single_rows_by_bound"

    def find(self, released: Released, slack: int, watch: Watch) -> Exclusions:
        """Return the values that cells cannot have had."""
        least = slack if self.premise == "bound" else 0
        pairs = CheaperPairs(released, may_leave(released), 1, watch)
        return excluded_by(released, pairs, least, leavable(released))


# Rule (P2): what several cheaper classes leave over of the combinations that a row could have, projected to cells.
MOST_COMBINATIONS = 20_000  # of the values that a row could have over its hidden columns
MOST_BOXES = 3_000_000  # pairs of a unit and a class that could take its rows


@dataclass(frozen=True, slots=True)
class Combinations:
    """A row's hidden values together are none that any cheaper class shows; see `Rule`.

    Only where the possible values of every hidden column of the class are known, and at most 20,000 combinations of
    them: each class is then looked at whole, so that under this premise nothing more can be said of single rows.

    References
    ----------
    docs/papers/attacks.md, rule S3.
    """

    name: str = field(default="combinations", init=False)
    premise: Premise = field(default="settled", init=False)

    def find(self, released: Released, slack: int, watch: Watch) -> Exclusions:
        """Return the values that cells cannot have had."""
        sources = may_leave(released) & self._small(released)
        if not sources.any():
            return Exclusions.of()
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
        out: list[tuple[NDArray[np.int64], ...]] = []
        for one, targets in boxes.items():
            if watch.stopped:
                complete = False
                break
            left = self._left(released, int(released.unit_class[one]), targets)
            if not left.any():
                certain += 1
                continue
            self._project(released, one, left, out)
        return Exclusions.of(out, complete=complete, contradictions=certain)

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
        self, released: Released, unit: int, left: NDArray[np.bool_], out: list[tuple[NDArray[np.int64], ...]]
    ) -> None:
        """Add the values that occur in no combination that is left."""
        for axis, (j, values) in enumerate(self._hidden(released, int(released.unit_class[unit]))):
            other = tuple(i for i in range(left.ndim) if i != axis)
            gone = values[~left.any(axis=other)]
            out.append((np.full(gone.size, unit), np.full(gone.size, j), gone))


# Rule (P1): a row of a class of exactly k could have moved to a cheaper class, had its place been taken care of.
@dataclass(frozen=True, slots=True)
class ReplacedRows:
    """Values of rows of classes of exactly k that would have made a cheaper release possible; see `Rule`.

    A row leaves for a cheaper class, and either a row of a larger class that fits for certain takes its place, or the
    other k - 1 join a class that fits them for certain. Where requirements judge sensitive values nothing is claimed.

    References
    ----------
    docs/papers/attacks.md, rules B2 and B3.
    """

    name: str = field(default="replaced_rows", init=False)
    premise: Premise = field(default="bound", init=False)

    def find(self, released: Released, slack: int, watch: Watch) -> Exclusions:
        """Return the values that cells cannot have had."""
        tight = (released.sizes == released.k) & ~may_leave(released)
        if released.requirements or not tight.any():
            return Exclusions.of()
        price = self._price(released, tight, watch)

        pairs = CheaperPairs(released, tight, 1, watch)
        return excluded_by(released, pairs, slack, tight[released.unit_class], price)

    @staticmethod
    def _price(released: Released, tight: NDArray[np.bool_], watch: Watch) -> Int64:
        """Return what it costs at most to mend each class of exactly k once a row has left, shape (c,).

        Either a row of a class with more than k, which shows no less in any column and so fits for certain, comes in;
        or the k - 1 that are left join a class that shows no more than theirs in any column and agrees with it.
        """
        price = np.full(released.sizes.size, np.int64(2**61))
        vectors, which = released.vectors
        spare = (released.sizes > released.k) & ~released.free
        limited = released.full if released.most_suppressed is not None else released.free & False
        classes = [np.flatnonzero(which == i) for i in range(len(vectors))]
        for i, vector in enumerate(vectors):
            here = classes[i][tight[classes[i]]]
            if watch.stopped:
                return price  # what was not looked at stays out of reach
            if not here.size:
                continue
            for other in range(len(vectors)):
                if other == i:
                    continue
                if (vectors[other] <= vector).all():
                    fit, sign, rows = classes[other][spare[classes[other]]], 1, 1
                elif (vectors[other] >= vector).all():
                    fit, sign, rows = classes[other][~limited[classes[other]]], -1, released.k - 1
                else:
                    continue
                target = _met(released, here, fit, np.maximum(vector, vectors[other]), sign)
                known = target >= 0
                dear = sign * (released.costs[here[known]] - released.costs[target[known]])
                price[here[known]] = np.minimum(price[here[known]], np.maximum(dear, 0) * rows)
        return price


def _met(released: Released, here: Int64, others: Int64, vector: NDArray[np.integer], sign: int) -> Int64:
    """Return for each class the dearest (`sign` 1) or cheapest (-1) of those that meet it at a level vector; -1: none.

    They are looked for among the others.
    """
    target = np.full(here.size, -1, np.int64)
    if not others.size:
        return target
    first, second = shown_keys(released, here, others, vector)
    order = np.lexsort((sign * released.costs[others], second))
    end = np.searchsorted(second[order], first, "right") - 1
    hit = (end >= 0) & (second[order][np.maximum(end, 0)] == first)
    target[hit] = others[order[end[hit]]]
    return target


# What a member of a class, who knows their own values, learns of the others in it (P2).
MOST_SIZES = 20  # class sizes told apart in the answer


def insiders(released: Released, found: Lowerings, excluded: Exclusions) -> dict[str, Any]:
    """Return what members of classes learn of one another.

    `found` says where not all rows of a class can agree, and `excluded` what is known from outside, under the same
    premise or a weaker one. In the result, ``cells`` are the hidden cells of which one other member, who knows their
    own value, excludes it for certain (classes of two), and ``determined`` those of them whose value is then known.
    ``together`` are the classes of two in which only some columns together are known to differ. ``by_size`` has per
    class size the cells of which all other members together exclude a value, and those that they then know.

    Notes
    -----
    Not all rows of a class agree where the class could be shown finer. A member of a class of two who holds v knows
    that the other does not, at the level at which it could be shown; of larger classes all other members have to
    agree and to put together what they know.

    References
    ----------
    docs/papers/attacks.md, rule S2.
    """
    cells: dict[int, int] = {}
    known: dict[int, int] = {}
    left = np.zeros(0, np.int64)
    for j, column in enumerate(released.columns):
        learned = found.level[:, j] >= 0
        if not learned.any():
            continue
        possible = candidates(released, j).astype(np.int64)
        if column.closed:  # under requirements rows of a class may differ in what is known of them from outside
            left = possible if released.requirements else possible - _fewest_excluded(released, excluded, j)
        for size in np.unique(released.sizes[learned]):
            here = learned & (released.sizes == size)
            cells[int(size)] = cells.get(int(size), 0) + int(size) * int(here.sum())
            if column.closed:
                known[int(size)] = known.get(int(size), 0) + int(size) * int((left[here] == 2).sum())
    sizes = sorted(cells)[:MOST_SIZES]
    return {
        "cells": cells.get(2, 0),
        "determined": known.get(2, 0),
        "together": int(sum((released.sizes[classes] == 2).sum() for classes, _ in found.together)),
        "by_size": [{"size": size, "cells": cells[size], "determined": known.get(size, 0)} for size in sizes],
    }


def _fewest_excluded(released: Released, excluded: Exclusions, column: int) -> np.ndarray:
    """Return how many values are excluded in every unit of a class at least, shape (c,)."""
    here = excluded.column == column
    per_unit = np.bincount(excluded.unit[here], minlength=released.unit_class.size)
    fewest = np.full(released.sizes.size, np.iinfo(np.int64).max)
    np.minimum.at(fewest, released.unit_class, per_unit)
    return fewest


# Rule (P0): a label that stands for one known value shows that value, if no other value is possible.
@dataclass(frozen=True, slots=True)
class Labels:
    """It excludes nothing; what is below a label is counted as possible, so that one value below is determined."""

    name: str = field(default="labels", init=False)
    premise: Premise = field(default="valid", init=False)

    def find(self, released: Released, slack: int, watch: Watch) -> Exclusions:
        """Return no exclusions: which values a label stands for is where all rules begin."""
        return Exclusions.of()


def candidates(released: Released, column: int) -> np.ndarray:
    """Return how many known values each class may have in a column, shape (c,)."""
    held = released.columns[column]
    counted = np.stack([np.bincount(up, minlength=held.size)[up] for up in held.levels.up])
    return np.asarray(counted[released.levels[:, column], released.reps[:, column]])
