"""Rule (P2): a row of a class that it may leave would have been shown in any cheaper class that shows its values."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

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
    from collections.abc import Callable

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.attack.classes import Lowerings
    from incrowd.tables.attack.values import Premise, Released
    from incrowd.tables.values import Int64


def single_rows(released: Released, slack: int, watch: Watch) -> Exclusions:
    """Return what an existing, cheaper class shows: it is none of the values of a row that could have moved there.

    Under P2 any gain is enough; under P1 it has to be more than what the release may lie above the least cost.

    References
    ----------
    docs/papers/attacks.md, rule S1 (settled) and B1 (bound).
    """
    pairs = CheaperPairs(released, may_leave(released), 1, watch)
    return excluded_by(released, pairs, slack, leavable(released))


# Rule (P2): what several cheaper classes leave over of the combinations that a row could have, projected to cells.
MOST_COMBINATIONS = 20_000  # of the values that a row could have over its hidden columns
MOST_BOXES = 3_000_000  # pairs of a unit and a class that could take its rows


def combinations(released: Released, slack: int, watch: Watch) -> Exclusions:
    """Return values of which every combination of a row's hidden ones is shown by some cheaper class.

    Only where the possible values of every hidden column of the class are known, and at most 20,000 combinations of
    them: each class is then looked at whole, so that under this premise nothing more can be said of single rows.

    References
    ----------
    docs/papers/attacks.md, rule S3.
    """
    sources = may_leave(released) & _small(released)
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
        hidden = _hidden(released, int(released.unit_class[one]))
        left = _left(released, hidden, targets)
        if not left.any():
            certain += 1
            continue
        for axis, (j, values) in enumerate(hidden):  # the values that occur in no combination that is left
            gone = values[~left.any(axis=tuple(i for i in range(left.ndim) if i != axis))]
            out.append((np.full(gone.size, one), np.full(gone.size, j), gone))
    return Exclusions.of(out, complete=complete, contradictions=certain)


def _small(released: Released) -> NDArray[np.bool_]:
    """Return of which classes all combinations can be listed, shape (c,)."""
    product = np.ones(released.sizes.size)
    for j, column in enumerate(released.columns):
        hidden = released.levels[:, j] > 0
        product *= np.where(hidden, candidates(released, j) if column.closed else np.inf, 1)
    return np.asarray(product <= MOST_COMBINATIONS)


def _hidden(released: Released, at: int) -> list[tuple[int, NDArray[np.int64]]]:
    """Return the hidden columns of a class, with the values possible there."""
    return [
        (j, column.below(int(released.levels[at, j]), int(released.reps[at, j])))
        for j, column in enumerate(released.columns)
        if released.levels[at, j] > 0
    ]


def _left(released: Released, hidden: list[tuple[int, NDArray[np.int64]]], targets: list[int]) -> NDArray[np.bool_]:
    """Return which combinations of the hidden columns' values no target covers."""
    left = np.ones([len(values) for _, values in hidden], np.bool_)
    for target in targets:
        covered = []
        for j, values in hidden:
            up = released.columns[j].levels.up[released.levels[target, j]]
            covered.append(np.flatnonzero(up[values] == up[released.reps[target, j]]))
        left[np.ix_(*covered)] = False
    return left


# Rule (P1): a row of a class of exactly k could have moved to a cheaper class, had its place been taken care of.
def replaced_rows(released: Released, slack: int, watch: Watch) -> Exclusions:
    """Return values of rows of classes of exactly k that would have made a cheaper release possible.

    A row leaves for a cheaper class, and either a row of a larger class that fits for certain takes its place, or the
    other k - 1 join a class that fits them for certain. Where requirements judge sensitive values nothing is claimed.

    References
    ----------
    docs/papers/attacks.md, rules B2 and B3.
    """
    tight = (released.sizes == released.k) & ~may_leave(released)
    if released.requirements or not tight.any():
        return Exclusions.of()
    pairs = CheaperPairs(released, tight, 1, watch)
    return excluded_by(released, pairs, slack, tight[released.unit_class], _price(released, tight, watch))


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
    learned = found.level >= 0
    determined = np.zeros(learned.shape, np.bool_)
    for j, column in enumerate(released.columns):
        if column.closed:  # under requirements rows of a class may differ in what is known of them from outside
            possible = candidates(released, j)
            left = possible if released.requirements else possible - _fewest_excluded(released, excluded, j)
            determined[:, j] = learned[:, j] & (left == 2)
    by_size = []
    for size in np.unique(released.sizes[learned.any(axis=1)])[:MOST_SIZES].tolist():
        cells, known = (size * int(which[released.sizes == size].sum()) for which in (learned, determined))
        by_size.append({"size": size, "cells": cells, "determined": known})
    pairs = next((line for line in by_size if line["size"] == 2), {"cells": 0, "determined": 0})
    return {
        "cells": pairs["cells"],
        "determined": pairs["determined"],
        "together": int(sum((released.sizes[classes] == 2).sum() for classes, _ in found.together)),
        "by_size": by_size,
    }


def _fewest_excluded(released: Released, excluded: Exclusions, column: int) -> np.ndarray:
    """Return how many values are excluded in every unit of a class at least, shape (c,)."""
    here = excluded.column == column
    per_unit = np.bincount(excluded.unit[here], minlength=released.unit_class.size)
    fewest = np.full(released.sizes.size, np.iinfo(np.int64).max)
    np.minimum.at(fewest, released.unit_class, per_unit)
    return fewest


# Rule (P0): a label that stands for one known value shows that value, if no other value is possible.
def labels(released: Released, slack: int, watch: Watch) -> Exclusions:
    """Return nothing: what is below a label is counted as possible, so that one value below is determined."""
    return Exclusions.of()


class Rule(NamedTuple):
    """One way to reason backwards from a release that meets its policy as far as it shows; it sees the release alone.

    `premise`: what has to be true of the release for its findings to hold. `find`: asked with the release, the scaled
    cost that it may lie above the published lower bound (0 for other premises; an original is excluded if a release of
    it would be cheaper by more), and a watch that may end the search: what was found until then holds.
    """

    name: str
    premise: Premise
    find: Callable[[Released, int, Watch], Exclusions]


QUICK = (Rule("labels", "valid", labels), Rule("single_rows", "settled", single_rows))
"""The rules that are GROUP BYs, for a summary by the way."""
RULES = (
    *QUICK,
    Rule("combinations", "settled", combinations),
    Rule("single_rows_by_bound", "bound", single_rows),
    Rule("replaced_rows", "bound", replaced_rows),
)


def candidates(released: Released, column: int) -> np.ndarray:
    """Return how many known values each class may have in a column, shape (c,)."""
    held = released.columns[column]
    counted = np.stack([np.bincount(up, minlength=held.size)[up] for up in held.levels.up])
    return np.asarray(counted[released.levels[:, column], released.reps[:, column]])
