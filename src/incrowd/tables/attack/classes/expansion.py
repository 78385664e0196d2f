"""From pairs of classes to the values that cells of the first cannot have had."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.attack.classes.departures import meets_after, units_of
from incrowd.tables.attack.values import Exclusions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from incrowd.tables.attack.classes.joins import Pairs
    from incrowd.tables.attack.values import AttackColumn, Released
    from incrowd.tables.values import Int64

__all__ = ["excluded_by", "pairs_of_units", "saving_more", "values_below"]

MOST_VALUES = 50_000_000  # triples of unit, column and value that a rule lists


def values_below(column: AttackColumn, level: int) -> tuple[Int64, Int64]:
    """Return the known values sorted by their nodes at a level, shape (d,), and where those of each node begin."""
    up = column.levels.up[level]
    order = np.argsort(up, kind="stable").astype(np.int64)
    return order, np.searchsorted(up[order], np.arange(int(up.max(initial=0)) + 2)).astype(np.int64)


def saving_more(pairs: Iterable[Pairs], least: int, price: Int64 | None = None) -> Iterator[tuple[int, Int64, Int64]]:
    """Yield the pairs of classes in which a move saves more than a number, as `excluded_by` takes them.

    The targets of `pairs` show more in one column at most. The number is `least`, a scaled cost. `price` is (c,) int64:
    what the move costs elsewhere, by its source.
    """
    for found in pairs:
        kept = found.gain - (0 if price is None else price[found.source]) > least
        if kept.any():
            yield (found.finer or (-1,))[0], found.source[kept], found.target[kept]


def pairs_of_units(
    released: Released, source: Int64, target: Int64, leave: NDArray[np.bool_], begins: Int64
) -> tuple[Int64, Int64]:
    """Return which units of the sources may move to the targets: unit, and place of its pair.

    `source`, `target`: (p,) int64 classes.
    `leave`: (u,) bool, units of which a row may leave.
    `begins`: (c + 1,) int64, as `units_of` gives them.
    """
    many = np.diff(begins)[source]
    pair = np.repeat(np.arange(source.size), many)
    unit = np.arange(pair.size) - np.repeat(np.cumsum(many) - many, many) + begins[source][pair]
    kept = leave[unit]
    pair, unit = pair[kept], unit[kept]
    if released.requirements and pair.size:
        taken = meets_after(released, target[pair], released.unit_kind[unit], 1)
        pair, unit = pair[taken], unit[taken]
    return unit, pair


def excluded_by(
    released: Released, pairs: Iterable[tuple[int, Int64, Int64]], leave: NDArray[np.bool_], *, complete: bool = True,
) -> Exclusions:  # fmt: skip
    """Return the values that rows cannot have had which could have moved.

    Each of the `pairs` holds the one column in which a target shows more than the source (-1: none, so that every row
    fits), then the sources and the targets, (p,) int64 each. `leave` is (u,) bool: units of which a row may leave.
    `complete` says whether these are all pairs.
    """
    begins = units_of(released)
    found: list[tuple[NDArray[np.integer], ...]] = []
    listed, certain = 0, np.zeros(released.unit_class.size, np.bool_)
    for column, source, target in pairs:
        unit, pair = pairs_of_units(released, source, target, leave, begins)
        if column < 0:
            certain[unit] = True
            continue
        held = released.columns[column]
        for level in np.unique(released.levels[target[pair], column]):
            here = released.levels[target[pair], column] == level
            units, node = unit[here], held.levels.up[level, released.reps[target[pair[here]], column]]
            order, starts = values_below(held, int(level))
            many = np.diff(starts)[node]
            listed += int(many.sum())
            if listed > MOST_VALUES:
                complete = False
                break
            ends = np.cumsum(many)
            place = np.arange(int(many.sum())) - np.repeat(ends - many, many) + np.repeat(starts[node], many)
            found.append((np.repeat(units, many), np.full(place.size, column), order[place]))
    if not found:
        none = Exclusions.none()
        return Exclusions(none.unit, none.column, none.value, complete, int(certain.sum()))
    stacked = [np.concatenate(part) for part in zip(*found, strict=True)]
    return Exclusions.of(stacked[0], stacked[1], stacked[2], complete=complete, contradictions=int(certain.sum()))
