"""Pairs of classes: which classes show more in some columns and agree in all others with what a class may hold."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.attack.values import Exclusions
from incrowd.tables.row_numbers import Alike, row_keys, row_numbers, runs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.attack.values import Released
    from incrowd.tables.values import Int8, Int32, Int64

MOST_PAIRS = 20_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Source and target classes under one pair of patterns.

    `finer`: the columns in which the targets show more than the sources; in all others a source's row fits for certain.
    `source`, `target`: (p,) int64. `gain`: (p,) int64, what a row of the source would cost less in the target; above 0.
    """

    finer: tuple[int, ...]
    source: Int64
    target: Int64
    gain: Int64


class CheaperPairs:
    """The pairs of classes where a row of the first may fit the second, and would cost less there.

    `sources` is (c,) bool: classes that rows may leave. `most_finer` is the number of columns at most in which the
    target may show more than the source. The watch ends it. It takes O(p^2 m) for p patterns in use, and O((a + b)
    log(a + b)) for a sources and b targets of a pair of patterns that can be cheaper. `complete`: whether all of them
    were yielded, once one has gone through them.
    """

    def __init__(self, released: Released, sources: NDArray[np.bool_], most_finer: int, watch: Watch) -> None:
        self.released = released
        self.sources = sources
        self.most_finer = most_finer
        self.watch = watch
        self.complete = True

    def __iter__(self) -> Iterator[Pairs]:
        released = self.released
        vectors, which = released.vectors
        at_target = [np.flatnonzero(which == i) for i in range(len(vectors))]
        least = np.array([released.costs[rows].min() for rows in at_target])
        made = 0
        for i, vector in enumerate(vectors):
            sources = at_target[i][self.sources[at_target[i]]]
            if not sources.size:
                continue
            if self.watch.stopped or made > MOST_PAIRS:
                self.complete = False
                return
            finer = vectors < vector
            cheaper = (finer.sum(axis=1) <= self.most_finer) & (least < released.costs[sources].max())
            cheaper[i] = False
            for other in np.flatnonzero(cheaper):
                targets = at_target[other]
                keys = shown_keys(released, sources, targets, np.maximum(vector, vectors[other]))
                one, two = Alike(*keys).places()
                source, target = sources[one], targets[two]
                gain = released.costs[source] - released.costs[target]
                kept = gain > 0
                if kept.any():
                    made += int(kept.sum())
                    yield Pairs(tuple(np.flatnonzero(finer[other]).tolist()), source[kept], target[kept], gain[kept])


def shown_keys(
    released: Released, here: NDArray[np.integer], there: NDArray[np.integer], vector: NDArray[np.integer]
) -> tuple[Int64, Int64]:
    """Return a number for each class of two lists, equal where they show the same, raised to a level vector."""
    keys = row_keys(released.nodes(np.concatenate((here, there)), vector).T, here.size + there.size)
    return keys[: here.size], keys[here.size :]


def raised(ups: Sequence[Int32], values: Int32, levels: NDArray[np.integer]) -> list[NDArray[np.integer]]:
    """Return by column the nodes of values, (x, m), at levels, (m,) or (x, m); of one that is not known (-1) the star.

    Where the level is below the star's no node stands for it, and it is less than 0.
    """
    at = [(up, values[:, j], levels[..., j]) for j, up in enumerate(ups)]
    return [np.where(value >= 0, up[level, value], level - len(up) + 1) for up, value, level in at]


def covering(
    values: Int32, ups: Sequence[Int32], levels: Int8, nodes: NDArray[np.integer], most: int,
    apart: tuple[Int64, Int64] | None = None,
) -> tuple[Int64, Int64] | None:  # fmt: skip
    """Return the pairs of rows of values, and of shown cells that cover them all, (p,) each; None if more than `most`.

    `values` is (x, m), as for `raised`. The cells are (y, m), by level and node. `apart`, (x,) and (y,), are numbers of
    which both rows of a pair have the same.
    """
    first, which = row_numbers(levels.T, len(levels))
    found = [(np.zeros(0, np.int64),) * 2]
    made = 0
    for i, vector in enumerate(levels[first]):
        here = np.flatnonzero(which == i)
        pairs = [(node, nodes[here, j]) for j, node in enumerate(raised(ups, values, vector))]
        pairs += [] if apart is None else [(apart[0], apart[1][here])]
        keys = row_keys((np.concatenate(pair) for pair in pairs), len(values) + here.size)
        alike = Alike(keys[: len(values)], keys[len(values) :])
        made += alike.pairs
        if made > most:
            return None
        one, other = alike.places()
        found.append((one, here[other]))
    one, other = (np.concatenate(part) for part in zip(*found, strict=True))
    return one, other


# In which columns a whole class could be shown finer at less cost, if all its rows agreed there.
MOST_TOGETHER = 3  # columns that are tried together where none of them can be lowered alone


@dataclass(frozen=True, slots=True, eq=False)
class Lowerings:
    """To which level each class could be lowered.

    `level`: (c, m) int8, the highest level below the one shown at which the rows of the class cannot all agree in this
    column alone; -1 where nothing follows for the column alone. `together`: tuple of ((x,) int, (y,) int), classes, and
    columns of which the rows do not agree in all (shown as they are) where they could only be lowered together.
    """

    level: Int8
    together: tuple[tuple[NDArray[np.int64], tuple[int, ...]], ...]
    complete: bool


def lowerings(released: Released, watch: Watch) -> Lowerings:
    """Return to which levels classes could be lowered, were their rows to agree there.

    The watch ends it. Where the lower vector is not allowed itself, the cheapest allowed one above it is asked for;
    only where costs depend on levels alone. A class is lowered whole, so it stays as large and keeps its sensitive
    values; the class that it may join then must be able to take it, which every requirement closed under union grants.
    O(p m h) questions to the mask for p patterns, with costs that depend on nodes also per class.
    """
    c, m = released.levels.shape
    level = np.full((c, m), -1, np.int8)
    together: list[tuple[NDArray[np.int64], tuple[int, ...]]] = []
    if not all(requirement.closed_under_union for requirement in released.requirements):
        return Lowerings(level, (), complete=False)
    vectors, which = released.vectors
    costs = None  # where they depend on levels alone
    if all(column.levels.uniform for column in released.columns):
        costs = [[int(cost) for cost in column.levels.cost[:, 0]] for column in released.columns]
    # rows that need no crowd are a class that could be lowered only where they are k or more
    wide = released.sizes >= released.k
    for i, vector in enumerate(vectors):
        classes = np.flatnonzero((which == i) & wide)
        if watch.stopped:
            return Lowerings(level, tuple(together), complete=False)
        if not classes.size:
            continue
        hidden = [j for j in range(m) if vector[j] > 0]
        for j in hidden:
            for lower in range(int(vector[j]) - 1, -1, -1):
                asked = classes[level[classes, j] < 0]
                saved = _saved(released, asked, vector, {j: lower}, costs)
                level[asked[saved > 0], j] = lower
        for size in range(2, MOST_TOGETHER + 1):
            stuck = [j for j in hidden if (level[classes, j] < 0).any()]
            for columns in itertools.combinations(stuck, size):
                asked = classes[(level[classes][:, list(columns)] < 0).all(axis=1)]
                if any(set(known) < set(columns) for _, known in together):
                    continue
                saved = _saved(released, asked, vector, dict.fromkeys(columns, 0), costs)
                kept = asked[saved > 0]
                if kept.size:
                    together.append((kept, columns))
    return Lowerings(level, tuple(together), complete=True)


def _saved(
    released: Released,
    classes: NDArray[np.int64],
    vector: Int8,
    lowered: dict[int, int],
    costs: list[list[int]] | None,
) -> NDArray[np.int64]:
    """Return what a row of each class would surely save were some columns lowered, 0 where that is not allowed."""
    saved = np.zeros(classes.size, np.int64)
    if not classes.size:
        return saved
    wanted = [lowered.get(j, int(vector[j])) for j in range(released.m)]
    if released.patterns.allows(wanted):
        for j, level in lowered.items():
            saved += _dear(released, classes, j, int(vector[j]), level)
    elif costs is not None:
        found = released.patterns.cheapest_above(wanted, costs)
        for j, at in enumerate(found or ()):
            saved += costs[j][int(vector[j])] - costs[j][at]
    return np.maximum(saved, 0)


def _dear(released: Released, classes: NDArray[np.int64], j: int, now: int, lower: int) -> NDArray[np.int64]:
    """Return what a column saves at least when lowered: its node's cost less that of the dearest node below."""
    held = released.columns[j]
    node = held.levels.up[now]
    dearest = np.zeros(int(node.max(initial=0)) + 1, np.int64)
    np.maximum.at(dearest, node, held.levels.cost[lower])
    shown = released.reps[classes, j]
    out: NDArray[np.int64] = held.levels.cost[now, shown] - dearest[node[shown]]
    return out


# From pairs of classes to the values that cells of the first cannot have had.
MOST_VALUES = 50_000_000  # triples of unit, column and value that a rule lists


def pairs_of_units(
    released: Released, source: Int64, target: Int64, leave: NDArray[np.bool_], begins: Int64
) -> tuple[Int64, Int64]:
    """Return which units of the sources may move to the targets: unit, and place of its pair.

    `source`, `target`: (p,) int64 classes. `leave`: (u,) bool, units of which a row may leave. `begins`: (c + 1,)
    int64, as `units_of` gives them.
    """
    pair, unit = runs(begins[source], np.diff(begins)[source])
    kept = leave[unit]
    pair, unit = pair[kept], unit[kept]
    if released.requirements and pair.size:
        taken = meets_after(released, target[pair], released.unit_kind[unit], 1)
        pair, unit = pair[taken], unit[taken]
    return unit, pair


def excluded_by(
    released: Released, pairs: CheaperPairs, least: int, leave: NDArray[np.bool_], price: Int64 | None = None
) -> Exclusions:
    """Return the values that rows cannot have had which could have moved, and saved more than `least`, scaled.

    A target of `pairs` shows at most one column finer than its source; where it shows none, every row fits. `leave` is
    (u,) bool: units of which a row may leave. `price` is (c,) int64, what leaving each class costs; None: nothing.
    """
    begins = units_of(released)
    found: list[tuple[NDArray[np.integer], ...]] = []
    listed, complete, certain = 0, True, np.zeros(released.unit_class.size, np.bool_)
    for some in pairs:
        kept = some.gain - (0 if price is None else price[some.source]) > least
        target = some.target[kept]
        unit, pair = pairs_of_units(released, some.source[kept], target, leave, begins)
        if not some.finer:
            certain[unit] = True
            continue
        column = some.finer[0]
        held = released.columns[column]
        for level in np.unique(released.levels[target[pair], column]):
            here = released.levels[target[pair], column] == level
            units, node = unit[here], held.levels.up[level, released.reps[target[pair[here]], column]]
            order, starts = held.by_node[level]
            many = np.diff(starts)[node]
            listed += int(many.sum())
            if listed > MOST_VALUES:
                complete = False
                break
            one, place = runs(starts[node], many)
            found.append((units[one], np.full(place.size, column), order[place]))
    return Exclusions.of(found, complete=complete and pairs.complete, contradictions=int(certain.sum()))


# Which classes a row may leave and which may take it, so that both still meet what is required.
MOST_PARTS = 30_000_000  # units listed at a time to judge classes with a row more or less


def may_leave(released: Released) -> NDArray[np.bool_]:
    """Return which classes are large enough for a row to leave, shape (c,)."""
    return np.asarray((released.sizes > released.k) | released.free | (released.sizes == 1))


def leavable(released: Released) -> NDArray[np.bool_]:
    """Return of which units a row may leave: its class stays large enough and meets what is required, shape (u,)."""
    allowed = may_leave(released)[released.unit_class]
    if released.requirements:
        asked = np.flatnonzero(allowed)
        allowed[asked] = meets_after(released, released.unit_class[asked], released.unit_kind[asked], -1)
    return allowed


def meets_after(
    released: Released, classes: NDArray[np.integer], kinds: NDArray[np.integer], change: int
) -> NDArray[np.bool_]:
    """Return which classes meet every requirement with one row of a kind more (1) or less (-1), shape (x,).

    `classes` and `kinds` are (x,) int: a class and a combination of sensitive values each. `change` is 1 or -1. It
    takes O(sum of the units of the classes asked); pairs beyond the stated number are answered False, which claims
    nothing.
    """
    first, back = row_numbers((classes, kinds), classes.size)
    begins = units_of(released)
    units = np.diff(begins)[classes[first]]
    asked = first[np.cumsum(units) <= MOST_PARTS]
    group, place = runs(begins[classes[asked]], units[: asked.size])
    kind, rows = released.unit_kind[place].astype(np.int64), released.unit_rows[place].copy()
    if change < 0:
        rows[kind == kinds[asked][group]] -= 1
    else:
        group = np.concatenate((group, np.arange(asked.size)))
        kind = np.concatenate((kind, kinds[asked]))
        rows = np.concatenate((rows, np.ones(asked.size, np.int64)))
    kept = rows > 0
    met = np.ones(asked.size, np.bool_)
    for requirement in released.requirements:
        met &= requirement.meets(group[kept], kind[kept].astype(np.int32), rows[kept], asked.size)
    found: NDArray[np.bool_] = np.zeros(first.size, np.bool_)
    found[: asked.size] = met
    return found[back]


def units_of(released: Released) -> Int64:
    """Return where the units of each class begin, and the end, shape (c + 1,)."""
    return np.searchsorted(released.unit_class, np.arange(released.sizes.size + 1)).astype(np.int64)
