"""Inferences held against the original: how many of them are wrong. It changes none of them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from incrowd.errors import InputError, count_of
from incrowd.tables.attack.classes import covering, raised, shown_keys, units_of
from incrowd.tables.coded import coded, coded_alike
from incrowd.tables.row_numbers import added_up, row_keys, row_numbers
from incrowd.tables.table import KEY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.progress import Watch
    from incrowd.tables.attack.values import Exclusions, Released
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Opened
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
    from incrowd.milp import Linear, Outcome, Program, rows_of  # with HiGHS

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


def by_order(engine: Engine, original: Opened, release: Opened, judged: Sequence[str], released: Released) -> Edges:
    """Return which original row became which released one, where both tables have the same order.

    `engine` holds both tables, and `judged` are the sensitive columns that requirements judge. Raises InputError if the
    tables have different numbers of rows, or some row cannot have become the one in its place.
    """
    names, m = [column.name for column in released.columns], released.m
    rows = original.data
    left = rows.select(KEY, **{f"b{j}": rows[original.ids[name]] for j, name in enumerate(names)})
    rows = release.data
    shown = {f"a{j}": rows[release.ids[name]] for j, name in enumerate((*names, *judged))}
    right = rows.select(released_key=rows[KEY], **shown)
    with engine.guard("laying the release beside its original"):
        joined = left.join(right, left[KEY] == right.released_key)
        codes, counts, texts = coded(engine, joined, [*(f"b{j}" for j in range(m)), *shown])
    if int(counts.sum()) != released.rows:
        raise InputError("the original and the release have different numbers of rows, so same_order cannot hold")
    unit, values = _units(released, codes[:, m:]), _known(released, codes[:, :m], texts[:m])
    classes = released.unit_class[unit]
    levels = released.levels[classes]
    held = np.stack(raised([column.levels.up for column in released.columns], values, levels), axis=1)
    fits = (held == released.nodes(classes, levels)).all(axis=1)
    if not fits.all():
        wrong = int(counts[~fits].sum())
        raise InputError(
            f"{count_of(wrong, 'row')} of the release cannot have come from the row in the same place of the original; "
            "leave out same_order, or name the original of this release"
        )
    each = np.arange(counts.size)
    return Edges("order", unit, values, each, each, counts, counts)


def by_pairing(
    engine: Engine, original: Opened, release: Opened, others: Sequence[str], judged: Sequence[str], released: Released
) -> Edges | None:
    """Return which kinds of original rows may have become which kinds of released ones.

    `engine` holds both tables. `others` are the other columns that were kept, and `judged` those of them that
    requirements judge. None is returned where too many pairs of kinds fit: the same other columns, and every shown cell
    covers the value. Raises InputError if no pairing of the rows exists.
    """
    names, x = [*others, *(column.name for column in released.columns)], len(others)
    with engine.guard("pairing the release with its original"):
        tables = [(one.data, [one.ids[name] for name in names]) for one in (original, release)]
        both, texts = coded_alike(engine, tables)
    (codes, left_rows), (shown, right_rows) = both
    if int(left_rows.sum()) != int(right_rows.sum()):
        raise InputError("the original and the release have different numbers of rows: it is not its release")
    unit = _units(released, shown[:, [*range(x, shown.shape[1]), *(others.index(name) for name in judged)]])
    values = _known(released, codes[:, x:], texts[x:])
    apart = row_keys(np.concatenate((codes[:, :x], shown[:, :x])).T, len(codes) + len(shown))
    classes = released.unit_class[unit]
    levels = released.levels[classes]
    pairs = covering(
        values, [column.levels.up for column in released.columns], levels, released.nodes(classes, levels), MOST_EDGES,
        (apart[: len(codes)], apart[len(codes) :]),
    )  # fmt: skip
    if pairs is None:
        return None
    left, right = pairs
    if np.unique(left).size < left_rows.size or np.unique(right).size < right_rows.size:
        raise InputError("the release has rows that no row of the original can have become: it is not its release")
    alone = np.bincount(left, minlength=left_rows.size).max() <= 1
    return Edges(
        "unique" if alone else "several", unit[right], values[left], left, right, left_rows, right_rows
    )  # fmt: skip


def _known(released: Released, codes: Int32, texts: Sequence[Sequence[str | None]]) -> Int32:
    """Return the known value of each cell, -1 where it is none, shape (x, m)."""
    out = np.empty(codes.shape, np.int32)
    for j, column in enumerate(released.columns):
        place = {value: i for i, value in enumerate(column.values)}
        out[:, j] = np.array([place.get(text, -1) for text in texts[j]], np.int32)[codes[:, j]]
    return out


def _units(released: Released, codes: Int32) -> Int64:
    """Return the unit of each released row kind, by its cells (and judged columns)."""
    # the release was coded from the same texts in the same order, so its units are the ranks of the distinct rows
    first, which = row_numbers(codes.T, len(codes))
    if first.size != released.unit_class.size:
        raise InputError("the release changed while it was read; run the command again")
    return which


# The best guess at every hidden cell: by what rows like it show, and by the column alone.
def column_guesses(released: Released) -> Int32:
    """Return the value that most rows of the release show, among those below each hidden cell, shape (u, m).

    -1 for a cell that is not hidden. This is the baseline: it knows neither the other columns nor any rule.
    """
    guess = np.full(released.levels.shape, -1, np.int32)
    for j, column in enumerate(released.columns):
        for level in range(1, column.levels.height + 1):
            here = released.levels[:, j] == level
            order, starts = column.by_node[level]
            guess[here, j] = order[starts[column.levels.up[level, released.reps[here, j]]]]
    return guess[released.unit_class]


def best_guesses(released: Released, excluded: Exclusions, watch: Watch) -> Int32:
    """Return the best guess at every hidden cell, -1 elsewhere, shape (u, m).

    Of the values that are not excluded it is the one that most rows show which show no less than the cell's class in
    any column and agree with it there; where there is none, the one that most rows of the release show. `excluded` is
    what rules exclude, whatever their premise. The watch ends the look at rows alike; what is left is guessed by the
    column. It takes O(p c m) for p patterns in use and c classes.
    """
    guess = np.full((released.unit_class.size, released.m), -1, np.int32)
    begins = units_of(released).tolist()
    gone = set(zip(excluded.column.tolist(), excluded.unit.tolist(), excluded.value.tolist(), strict=True))
    vectors, which = released.vectors
    for i, vector in enumerate(vectors):
        here = np.flatnonzero(which == i)
        alike = np.flatnonzero((released.levels <= vector).all(axis=1)) if not watch.stopped else here[:0]
        keys = shown_keys(released, here, alike, vector)
        for j in np.flatnonzero(vector).tolist():
            column = released.columns[j]
            by_class = _shown(*keys, alike, released, j)
            for c, key in zip(here.tolist(), keys[0].tolist(), strict=True):
                below = column.below(int(vector[j]), int(released.reps[c, j]))
                for unit in range(begins[c], begins[c + 1]):
                    some = itertools.chain(by_class.get(key, ()), below)
                    guess[unit, j] = next((value for value in some if (j, unit, value) not in gone), -1)
    return guess


def _shown(asked: Int64, keys: Int64, alike: Int64, released: Released, j: int) -> dict[int, list[int]]:
    """Return by key of a class the values that rows like it show in a column, the most shown first."""
    told = (released.levels[alike, j] == 0) & np.isin(keys, asked)
    key, value = keys[told], released.reps[alike[told], j]
    first, which = row_numbers((key, value), key.size)
    rows = added_up(which, released.sizes[alike[told]], first.size)
    found: dict[int, list[int]] = {}
    for place in first[np.argsort(-rows, kind="stable")]:
        found.setdefault(int(key[place]), []).append(int(value[place]))
    return found
