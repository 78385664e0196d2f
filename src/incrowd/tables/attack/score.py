"""Inferences held against the original: how many of them are wrong. It changes none of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from incrowd.errors import InputError, count_of
from incrowd.milp import Linear, Outcome, Program, rows_of
from incrowd.tables.attack.classes import shown_keys, units_of
from incrowd.tables.coded import coded
from incrowd.tables.row_numbers import Alike, row_keys, row_numbers
from incrowd.tables.table import KEY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import ibis.expr.types as ir
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.attack.values import AttackColumn, Exclusions, Released
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.values import Int32, Int64

MOST_EDGES = 5_000_000  # pairs of kinds of rows that may belong together


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Which original rows may have become which released ones.

    `unit`: (e,) int64, unit of the release. `values`: (e, m) int32, known value of the original row in each
    quasi-identifier; -1 for one that is not known. `left`, `right`: (e,) int64, kind of the original and of the
    released row, from 0. `left_rows`, `right_rows`: int64, rows of each kind.
    """

    how: Literal["order", "unique", "several"]
    unit: Int64
    values: Int32
    left: Int64
    right: Int64
    left_rows: Int64
    right_rows: Int64


@dataclass(frozen=True, slots=True)
class Wrong:
    """Cells with a wrong inference: at least and at most, over all ways to pair the rows."""

    least: int
    most: int


def wrong_of(edges: Edges, found: Exclusions, released: Released, watch: Watch) -> Wrong | None:
    """Count the cells whose true value is among those excluded; None where the pairing was not found in time.

    Where several pairings exist, these are two transportation problems, whose vertices are whole.
    """
    return _extremes(edges, _hits(edges, found, released), watch)


def right_of(edges: Edges, guess: Int32, watch: Watch) -> Wrong | None:
    """Count the cells whose true value is the one guessed, at least and at most over all pairings.

    `guess` is (u, m) int32 and holds a value of each cell, -1 where none is guessed.
    """
    right = (guess[edges.unit] == edges.values) & (edges.values >= 0)
    return _extremes(edges, right.sum(axis=1).astype(np.int64), watch)


def _extremes(edges: Edges, hit: Int64, watch: Watch) -> Wrong | None:
    """Return the least and greatest sum over all pairings of what a row of each edge counts."""
    if edges.how != "several":
        rows = np.minimum(edges.left_rows[edges.left], edges.right_rows[edges.right])
        total = int((hit * rows).sum())
        return Wrong(total, total)
    if not hit.any():
        return Wrong(0, 0)
    ends = []
    for sign in (1.0, -1.0):
        e = hit.size
        left, right = edges.left_rows.astype(np.float64), edges.right_rows.astype(np.float64)
        program = Program(
            cost=sign * hit.astype(np.float64), lower=np.zeros(e), upper=np.full(e, np.inf),
            whole=np.zeros(e, np.bool_),
            rows=rows_of(
                [(edges.left, np.arange(e), np.ones(e)), (edges.right, np.arange(e), np.ones(e))],
                [(left, left), (right, right)],
            ),
        )  # fmt: skip
        answer = Linear(program).solve(watch)
        if answer.outcome is not Outcome.OPTIMAL or answer.x is None:
            return None
        ends.append(int((np.rint(answer.x).astype(np.int64) * hit).sum()))
    return Wrong(ends[0], ends[1])


def _hits(edges: Edges, found: Exclusions, released: Released) -> Int64:
    """Return how many cells of a row of each edge have an excluded value, shape (e,)."""
    hit = np.zeros(edges.unit.size, np.int64)
    for j, column in enumerate(released.columns):
        here = found.column == j
        gone = found.unit[here].astype(np.int64) * column.size + found.value[here]
        inside = np.isin(edges.unit * column.size + edges.values[:, j], gone)
        hit += inside & (edges.values[:, j] >= 0)
    return hit


def by_order(
    engine: Engine, original: ir.Table, rows: ir.Table, before: Sequence[str], after: Sequence[str],
    judged: Sequence[str], released: Released,
) -> Edges:  # fmt: skip
    """Return which original row became which released one, where both tables have the same order.

    `engine` holds both tables: `original` and `rows` are the original's and the release's rows, with their numbers in
    the table. `before` and `after` are the engine's names of the m quasi-identifiers in each, and `judged` its names,
    in the release, of the sensitive columns that requirements judge. Raises InputError if the tables have different
    numbers of rows, or some row cannot have become the one in its place.
    """
    m = len(before)
    left = original.select(KEY, **{f"b{j}": original[name] for j, name in enumerate(before)})
    shown = {f"a{j}": rows[name] for j, name in enumerate((*after, *judged))}
    right = rows.select(released_key=rows[KEY], **shown)
    with engine.guard("laying the release beside its original"):
        joined = left.join(right, left[KEY] == right.released_key)
        codes, counts, texts = coded(engine, joined, [*(f"b{j}" for j in range(m)), *shown])
    if int(counts.sum()) != released.rows:
        raise InputError("the original and the release have different numbers of rows, so same_order cannot hold")
    unit = _units(released, codes[:, m:])
    values = _known(released, codes[:, :m], texts[:m])
    fits = _covers(released, released.unit_class[unit], values)
    if not fits.all():
        wrong = int(counts[~fits].sum())
        raise InputError(
            f"{count_of(wrong, 'row')} of the release cannot have come from the row in the same place of the original; "
            "leave out same_order, or name the original of this release"
        )
    each = np.arange(counts.size)
    return Edges("order", unit, values, each, each, counts, counts)


def by_pairing(
    engine: Engine, original: ir.Table, rows: ir.Table, before: Sequence[str], after: Sequence[str],
    others: Mapping[str, str], judged: Sequence[str], released: Released,
) -> Edges | None:  # fmt: skip
    """Return which kinds of original rows may have become which kinds of released ones.

    `engine` holds both tables, and `before` and `after` are its names of the m quasi-identifiers in each. `others` maps
    the engine's name of each other column that was kept from that in the original to that in the release. `judged` are
    those of them, by their names in the release, that requirements judge. None is returned where too many pairs of
    kinds fit. Raises InputError if no pairing of the rows exists.
    """
    with engine.guard("pairing the release with its original"):
        read = [coded(engine, original, [*others, *before]), coded(engine, rows, [*others.values(), *after])]
    (codes, left_rows, left_texts), (shown, right_rows, right_texts) = read
    if int(left_rows.sum()) != int(right_rows.sum()):
        raise InputError("the original and the release have different numbers of rows: it is not its release")
    x = len(others)
    kept = list(others.values())
    sensitive = [kept.index(name) for name in judged]
    unit = _units(released, np.concatenate((shown[:, x:], shown[:, sensitive]), axis=1))
    values = _known(released, codes[:, x:], left_texts[x:])
    group = _same(codes[:, :x], left_texts[:x], shown[:, :x], right_texts[:x])
    left, right = _edges(released, values, released.unit_class[unit], *group)
    if left is None or right is None:
        return None
    if np.unique(left).size < left_rows.size or np.unique(right).size < right_rows.size:
        raise InputError("the release has rows that no row of the original can have become: it is not its release")
    alone = np.bincount(left, minlength=left_rows.size).max() <= 1
    return Edges(
        "unique" if alone else "several", unit[right], values[left], left, right, left_rows, right_rows
    )  # fmt: skip


def _edges(
    released: Released, values: Int32, classes: Int32, left_class: Int64, right_class: Int64
) -> tuple[Int64 | None, Int64 | None]:
    """Return the pairs of kinds that fit: the same other columns, and every shown cell covers the value."""
    lefts, rights, made = [], [], 0
    vectors, which = released.vectors
    for i, vector in enumerate(vectors):
        right = np.flatnonzero(which[classes] == i)
        if not right.size:
            continue
        shown = released.nodes(classes[right], vector)
        asked = np.stack(
            [np.where(values[:, j] >= 0, c.levels.up[vector[j], values[:, j]], -1 if vector[j] < c.levels.height else 0)
             for j, c in enumerate(released.columns)], axis=1,
        )  # fmt: skip
        both = [*np.concatenate((asked, shown)).T, np.concatenate((left_class, right_class[right]))]
        keys = row_keys(both, len(asked) + len(shown))
        alike = Alike(keys[: len(values)], keys[len(values) :])
        made += alike.pairs
        if made > MOST_EDGES:
            return None, None
        one, other = alike.places()
        lefts.append(one)
        rights.append(right[other])
    return np.concatenate(lefts), np.concatenate(rights)


def _same(
    left: Int32, left_texts: Sequence[Sequence[str | None]], right: Int32, right_texts: Sequence[Sequence[str | None]]
) -> tuple[Int64, Int64]:
    """Return one number for each combination of other columns, equal where the texts are."""
    both = np.zeros((len(left) + len(right), len(left_texts)), np.int64)
    for i, (a, b) in enumerate(zip(left_texts, right_texts, strict=True)):
        place: dict[str | None, int] = {}
        for text in (*a, *b):
            place.setdefault(text, len(place))
        both[: len(left), i] = np.array([place[text] for text in a], np.int64)[left[:, i]]
        both[len(left) :, i] = np.array([place[text] for text in b], np.int64)[right[:, i]]
    _, keys = row_numbers(both.T, len(both))
    return keys[: len(left)], keys[len(left) :]


def _known(released: Released, codes: Int32, texts: Sequence[Sequence[str | None]]) -> Int32:
    """Return the known value of each cell, -1 where it is none, shape (x, m)."""
    out = np.empty(codes.shape, np.int32)
    for j, column in enumerate(released.columns):
        place = {value: i for i, value in enumerate(column.values)}
        known = np.array([place.get(text, -1) for text in texts[j]], np.int32)
        out[:, j] = known[codes[:, j]]
    return out


def _covers(released: Released, classes: NDArray[np.integer], values: Int32) -> NDArray[np.bool_]:
    """Return whether what each class shows covers the values, shape (x,)."""
    fits = np.ones(len(values), np.bool_)
    for j, column in enumerate(released.columns):
        level, rep = released.levels[classes, j], released.reps[classes, j]
        up = column.levels.up
        same = up[level, rep] == up[level, np.maximum(values[:, j], 0)]
        fits &= np.where(values[:, j] >= 0, same, level == column.levels.height)
    return fits


def _units(released: Released, codes: Int32) -> Int64:
    """Return the unit of each released row kind, by its cells (and judged columns)."""
    # the release was coded from the same texts in the same order, so its units are the ranks of the distinct rows
    distinct, which = np.unique(codes, axis=0, return_inverse=True)
    if len(distinct) != released.unit_class.size:
        raise InputError("the release changed while it was read; run the command again")
    return which.reshape(-1).astype(np.int64)


# The best guess at every hidden cell: by what rows like it show, and by the column alone.
def column_guesses(released: Released) -> Int32:
    """Return the value that most rows of the release show, among those below each hidden cell, shape (u, m).

    -1 for a cell that is not hidden. This is the baseline: it knows neither the other columns nor any rule.
    """
    guess = np.full((released.unit_class.size, released.m), -1, np.int32)
    for j, column in enumerate(released.columns):
        best = np.stack([_most(column, column.shown, level) for level in range(column.levels.height + 1)])
        found = np.where(released.levels[:, j] > 0, best[released.levels[:, j], released.reps[:, j]], -1)
        guess[:, j] = found[released.unit_class]
    return guess


def _most(column: AttackColumn, shown: Int64, level: int) -> Int64:
    """Return for each value the most shown of those below its node at a level."""
    up = column.levels.up[level]
    order = np.lexsort((np.arange(column.size), -shown, up))
    first = np.searchsorted(up[order], np.arange(int(up.max(initial=0)) + 1))
    return np.asarray(order[np.minimum(first, column.size - 1)][up], np.int64)


def best_guesses(released: Released, excluded: Exclusions, watch: Watch) -> Int32:
    """Return the best guess at every hidden cell, -1 elsewhere, shape (u, m).

    Of the values that are not excluded it is the one that most rows show which show no less than the cell's class in
    any column and agree with it there; where there is none, the one that most rows of the release show. `excluded` is
    what rules exclude, whatever their premise. The watch ends the look at rows alike; what is left is guessed by the
    column. It takes O(p c m) for p patterns in use and c classes.
    """
    guess = np.full((released.unit_class.size, released.m), -1, np.int32)
    unit_of = units_of(released)
    gone: dict[int, set[tuple[int, int]]] = {}
    for unit, j, value in zip(excluded.unit.tolist(), excluded.column.tolist(), excluded.value.tolist(), strict=True):
        gone.setdefault(j, set()).add((unit, value))
    whole = column_guesses(released)
    vectors, which = released.vectors
    for i, vector in enumerate(vectors):
        here = np.flatnonzero(which == i)
        hidden = np.flatnonzero(vector > 0)
        if not hidden.size:
            continue
        alike = np.flatnonzero((released.levels <= vector).all(axis=1)) if not watch.stopped else here[:0]
        keys = shown_keys(released, here, alike, vector)
        for j in hidden:
            told = alike[released.levels[alike, j] == 0]
            by_class = _counts(*keys, alike, told, released, int(j))
            for c, at in zip(here.tolist(), keys[0].tolist(), strict=True):
                for unit in range(int(unit_of[c]), int(unit_of[c + 1])):
                    guess[unit, j] = _choice(released, unit, int(j), by_class.get(at), gone.get(int(j), set()), whole)
    return guess


def _counts(
    asked: Int64, keys: Int64, alike: Int64, told: Int64, released: Released, j: int
) -> dict[int, list[tuple[int, int]]]:
    """Return by key of a class the values that rows like it show in a column, the most shown first."""
    key = keys[np.searchsorted(alike, told)]
    wanted = np.isin(key, asked)
    key, value, rows = key[wanted], released.reps[told[wanted], j], released.sizes[told[wanted]]
    pairs, back = np.unique(np.stack((key, value.astype(np.int64)), axis=1), axis=0, return_inverse=True)
    counted = np.bincount(back.reshape(-1), weights=rows, minlength=len(pairs)).astype(np.int64)
    found: dict[int, list[tuple[int, int]]] = {}
    for (at, one), n in zip(pairs.tolist(), counted.tolist(), strict=True):
        found.setdefault(at, []).append((-n, one))
    return {at: sorted(values) for at, values in found.items()}


def _choice(
    released: Released, unit: int, j: int, by_class: list[tuple[int, int]] | None, gone: set[tuple[int, int]],
    whole: Int32,
) -> int:  # fmt: skip
    for _, value in by_class or ():
        if (unit, value) not in gone:
            return value
    if (unit, int(whole[unit, j])) not in gone:
        return int(whole[unit, j])
    column, c = released.columns[j], int(released.unit_class[unit])
    left = [
        value
        for value in np.flatnonzero(column.below(int(released.levels[c, j]), int(released.reps[c, j]))).tolist()
        if (unit, value) not in gone
    ]
    return max(left, key=lambda value: (int(column.shown[value]), -value), default=-1)
