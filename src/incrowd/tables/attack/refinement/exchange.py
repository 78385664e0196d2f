"""Rows that are shown elsewhere, so that a release results which costs less; checked in whole numbers."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from incrowd.tables.attack.refinement.part import Part

__all__ = ["Demand", "Ground", "demands_of", "least_moves"]

Instance = tuple[tuple[int, ...], tuple[int, ...]]
Moves = dict[tuple[int, Instance, int], int]
"""Rows by class of the part, instance that shows them now, and type."""


@dataclass(frozen=True, slots=True)
class Demand:
    """That a class of a part has so many rows of some types.

    Attributes
    ----------
    place : int
    types : tuple of int
    rows : int
    """

    place: int
    types: tuple[int, ...]
    rows: int


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What an exchange among the rows of a part is held against.

    Attributes
    ----------
    part : Part
    classes : mapping of Instance to int
        Rows of every class of the release.
    slack : int
        What an exchange has to save more than.
    """

    part: Part
    classes: Mapping[Instance, int]
    slack: int

    def gain(self, moves: Moves) -> int | None:
        """Return what moves save, or None where what results is no release.

        Parameters
        ----------
        moves : Moves
        """
        released, part = self.part.released, self.part
        sizes: dict[Instance, int] = {}
        saved = 0
        for (place, target, row), rows in moves.items():
            source = part.instance(place)
            sizes[source] = sizes.get(source, self.classes[source]) - rows
            sizes[target] = sizes.get(target, self.classes.get(target, 0)) + rows
            before, after = self.price(source), self.price(target)
            if before is None or after is None or not part.fitting(place, *target)[row]:
                return None
            saved += rows * (before - after)
        for (vector, nodes), rows in sizes.items():
            free = released.outliers == "suppress" and vector == tuple(released.top)
            if rows < 0 or (0 < rows < released.k and not free):
                return None
            if (vector, nodes) not in self.classes and not released.patterns.allows(vector):
                return None
        if released.most_suppressed is not None:
            top = tuple(int(level) for level in released.top)
            if sum(rows for (vector, _), rows in sizes.items() if vector == top) > released.most_suppressed:
                return None
        return saved

    def price(self, instance: Instance) -> int | None:
        """Return the scaled cost of a row that an instance shows; None where it shows no value that is known.

        Parameters
        ----------
        instance : Instance
        """
        total = 0
        for column, at, node in zip(self.part.released.columns, *instance, strict=True):
            below = np.flatnonzero(column.levels.up[at] == node)
            if not below.size:
                return None
            total += int(column.levels.cost[at, below[0]])
        return total

    def pays(self, moves: Moves) -> bool:
        """Return whether moves make a release that saves more than the slack.

        Parameters
        ----------
        moves : Moves
        """
        saved = self.gain(moves)
        return saved is not None and saved > self.slack


def least_moves(ground: Ground, moves: Moves) -> list[Moves]:
    """Return exchanges within moves that pay by themselves and of which no row can stay; none where none is found.

    Parameters
    ----------
    ground : Ground
    moves : Moves
    """
    found: list[Moves] = []
    for one in (*_connected(ground, moves), moves):
        if found and one is moves:
            break
        if not ground.pays(one):
            continue
        left = dict(one)
        for key in sorted(left, key=lambda key: (left[key], key)):
            for fewer in range(left[key]):
                tried = {k: n for k, n in {**left, key: fewer}.items() if n}
                if tried and ground.pays(tried):
                    left = tried
                    break
        found.append(left)
    return found


def _connected(ground: Ground, moves: Moves) -> Iterator[Moves]:
    """Yield the moves by classes and instances that they connect."""
    group: dict[Instance, int] = {}
    for n, (place, target, _) in enumerate(moves):
        source = ground.part.instance(place)
        old = {group[one] for one in (source, target) if one in group}
        group = {one: n if at in old else at for one, at in group.items()} | {source: n, target: n}
    for label in sorted(set(group.values())):
        yield {key: rows for key, rows in moves.items() if group[key[1]] == label}


def demands_of(part: Part, moves: Moves) -> list[Demand]:
    """Return what the classes of a part have to hold for moves like these; demands that always hold are left out.

    Parameters
    ----------
    part : Part
    moves : Moves

    Notes
    -----
    Where the instances that take rows of a class show no type of it in common, any rows that each shows will do.
    """
    wanted: dict[int, dict[Instance, int]] = defaultdict(dict)
    for (place, target, _), rows in moves.items():
        wanted[place][target] = wanted[place].get(target, 0) + rows
    out = []
    for place, targets in wanted.items():
        shown = {target: part.fitting(place, *target) for target in targets}
        if (np.sum(list(shown.values()), axis=0) <= 1).all():
            out += [Demand(place, tuple(np.flatnonzero(shown[t]).tolist()), n) for t, n in targets.items()]
            continue
        by_type: dict[int, int] = defaultdict(int)
        for (at, _, row), n in moves.items():
            if at == place:
                by_type[row] += n
        out += [Demand(place, (row,), n) for row, n in by_type.items()]
    return [one for one in out if len(one.types) < len(part.types[one.place])]
