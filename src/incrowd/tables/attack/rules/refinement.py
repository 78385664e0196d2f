"""Rule (P1): values that no original has of which every release costs as much, by an integer program (on request)."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from incrowd.milp import Outcome
from incrowd.progress import Behind, search_time
from incrowd.tables.attack.classes.departures import may_leave
from incrowd.tables.attack.refinement.exchange import Ground, demands_of
from incrowd.tables.attack.refinement.part import agreement, instance_of, part_around
from incrowd.tables.attack.refinement.program import Originals
from incrowd.tables.attack.refinement.witness import cheaper_by
from incrowd.tables.attack.values import Exclusions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from incrowd.progress import Watch
    from incrowd.tables.attack.refinement.exchange import Instance, Moves
    from incrowd.tables.attack.refinement.part import Part
    from incrowd.tables.attack.values import Premise, Released
    from incrowd.tables.values import Int64

__all__ = ["Refinement"]

SECONDS = 60.0
MOST_ROUNDS = 150  # originals that are looked at before a value is given up
MOST_LOWER = 256  # vectors below a class's own, and classes that a row could join, that are tried at once


@dataclass(frozen=True, slots=True)
class Refinement:
    """The combinatorial refinement program, class by class with those nearest to it.

    An integer program holds the originals of a few classes. It proposes one that has the value in question; an exact
    solver looks for a cheaper release of it; the exchange that makes it is forbidden from then on. When the program
    has no solution left, and that is proven in whole numbers, the value is excluded. Where requirements judge sensitive
    values nothing is claimed.

    Parameters
    ----------
    seconds : float
        Where the watch has no limit.

    References
    ----------
    papers/attacks.md, rule R1.
    """

    seconds: float = SECONDS
    name: str = field(default="refinement", init=False)
    premise: Premise = field(default="bound", init=False)

    def find(self, released: Released, slack: int, watch: Watch) -> Exclusions:
        """Return the values that cells cannot have had."""
        if released.requirements or released.k < 2:
            return Exclusions.none()
        if watch.deadline is None:
            watch = Behind(watch, search_time() + self.seconds)
        classes = {instance_of(released, c): int(n) for c, n in enumerate(released.sizes)}
        search = _Search(released, classes, slack, watch)
        hidden = (released.levels > 0).sum(axis=1)
        for at in np.lexsort((released.sizes, hidden, ~may_leave(released))).tolist():
            if watch.stopped:
                search.complete = False
                break
            if hidden[at]:
                search.ask(at)
        return search.found()


class _Search:
    """One run of `Refinement`."""

    def __init__(self, released: Released, classes: dict[Instance, int], slack: int, watch: Watch) -> None:
        self.released, self.classes, self.slack, self.watch = released, classes, slack, watch
        self.out: list[tuple[int, int, int]] = []
        self.complete = True
        self.contradicted = 0
        self.programs: dict[tuple[int, ...], tuple[Ground, Originals]] = {}
        self.possible: set[tuple[int, int, int]] = set()  # class, column and value of originals that were met

    def found(self) -> Exclusions:
        """Return what was found so far."""
        unit, column, value = (np.array(part, np.int64) for part in zip(*self.out, strict=True)) if self.out else (
            np.zeros((3, 0), np.int64)
        )  # fmt: skip
        return Exclusions.of(unit, column, value, complete=self.complete, contradictions=self.contradicted)

    def ask(self, at: int) -> None:
        """Look at every value that a class hides."""
        part = part_around(self.released, at)
        if part is None:
            self.complete = False
            return
        if int((self.released.costs[part.classes] * part.sizes).sum()) <= self.slack:
            return  # no release of these rows could save more
        ground, originals = self._program(part)
        place = int(np.flatnonzero(part.classes == at)[0])
        types = part.types[place]
        for j in np.flatnonzero(self.released.levels[at] > 0).tolist():
            for value in np.unique(types[:, j]).tolist():
                if value >= self.released.columns[j].size or (at, j, value) in self.possible:
                    continue
                asked = np.flatnonzero(types[:, j] == value)
                if self._excluded(ground, originals, place, asked):
                    self.out.append((at, j, value))
                if self.watch.stopped:
                    self.complete = False
                    return

    def _program(self, part: Part) -> tuple[Ground, Originals]:
        """Return the program of a part, with what follows for classes by themselves; one for all who share it."""
        key = tuple(part.classes.tolist())
        if key not in self.programs:
            if len(self.programs) > 50:
                self.programs.clear()
            ground, originals = Ground(part, self.classes, self.slack), Originals(part)
            for place in range(len(part.types)):
                for moves in _alone(ground, place):
                    self._forbid(originals, part, moves)
            self.programs[key] = ground, originals
        return self.programs[key]

    def _forbid(self, originals: Originals, part: Part, moves: Moves) -> bool:
        demands = demands_of(part, moves)
        if not demands:
            self.contradicted += 1  # a cheaper release exists whatever the original is
            return False
        return originals.forbid(demands)

    def _excluded(self, ground: Ground, originals: Originals, place: int, asked: Int64) -> bool:
        """Return whether no original of the part has a row of some types; note what the originals met have."""
        classes = ground.part.classes.tolist()
        for seed in range(MOST_ROUNDS):
            outcome, rows = originals.find(place, asked, self.watch, seed)
            if outcome is Outcome.INFEASIBLE:
                return True
            cheaper = None if rows is None else cheaper_by(ground, rows, self.watch)
            if cheaper is None or rows is None:
                break
            if not cheaper:
                # another class of a part that is not the whole release is asked about in a part of its own
                for i in range(len(classes)) if len(classes) == self.released.sizes.size else (place,):
                    held = ground.part.types[i][rows[i] > 0].tolist()
                    self.possible |= {(classes[i], j, v) for row in held for j, v in enumerate(row)}
                return False
            new = [self._forbid(originals, ground.part, moves) for moves in cheaper]
            if not any(new):
                break
        self.complete = False
        return False


def _alone(ground: Ground, place: int) -> Iterator[Moves]:
    """Yield the exchanges of one class alone: some of its rows are shown finer, or in a class that exists."""
    part, released = ground.part, ground.part.released
    at = int(part.classes[place])
    own = part.instance(place)
    targets: dict[Instance, None] = {}
    if len(part.types[place]) > 1:
        lower = itertools.islice(itertools.product(*(range(level + 1) for level in own[0])), MOST_LOWER)
        for vector in lower:
            if vector == own[0] or not released.patterns.allows(vector):
                continue
            nodes = [part.levels[j].up[level, part.types[place][:, j]] for j, level in enumerate(vector)]
            for one in np.unique(np.stack(nodes, axis=1), axis=0)[:MOST_LOWER].tolist():
                targets[vector, tuple(one)] = None
    near = np.flatnonzero(agreement(released, at).all(axis=1) & (released.costs < released.costs[at]))
    for one in near[np.argsort(released.costs[near], kind="stable")][:MOST_LOWER].tolist():
        targets[instance_of(released, one)] = None
    n, k = int(part.sizes[place]), released.k
    for target in targets:
        fits = np.flatnonzero(part.fitting(place, *target))
        if target == own or not fits.size:
            continue
        for rows in sorted({1, k, n}):
            moves = {(place, target, int(fits[0])): rows}
            if rows <= n and ground.pays(moves):
                yield moves
                break
