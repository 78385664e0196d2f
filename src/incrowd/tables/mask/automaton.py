"""A mask as a layered automaton: one layer per column, a path is a level vector, a full path an allowed one.

The states of a layer are the answers the rules still owe to what came before. Equal states are one state,
states that lead nowhere are pruned, and states with equal futures are merged from the last layer back, so
that every rest is the smallest automaton for its order of columns. Columns are read in an order that keeps
the groups of one rule adjacent, since a rule costs states only between its first and its last column.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import PolicyError
from incrowd.tables.mask.description import combined, leaves
from incrowd.tables.mask.rules import DEAD, Rule
from incrowd.tables.mask.vocabulary import WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.mask.description import Description

__all__ = ["MOST_STATES", "Automaton", "arrange", "build"]

MOST_STATES = 200_000

# A leaf's states in the order of its rules; None once one of them is broken.
LeafState = tuple[int, ...] | None
# Whether all columns so far are at their tops (else the vector is not the all-star one), and the leaves.
State = tuple[bool, tuple[LeafState, ...]]


@dataclass(frozen=True, eq=False)
class Automaton:
    """A layered deterministic automaton over level vectors; start and end are state 0 of their layers.

    Attributes
    ----------
    order : tuple of int
        The column read in each layer.
    arrows : tuple of (states, top + 1) int32
        Per layer the state of the next layer that each level leads to, -1: none.
    empty : bool
        True when no vector is allowed; `arrows` then holds layers without states.
    """

    order: tuple[int, ...]
    arrows: tuple[NDArray[np.int32], ...]
    empty: bool

    @cached_property
    def rows(self) -> list[list[list[int]]]:
        """`arrows` as lists: plain loops read them several times faster."""
        return [layer.tolist() for layer in self.arrows]

    @property
    def states(self) -> int:
        """Number of states."""
        return sum(len(layer) for layer in self.arrows) + (not self.empty)


def arrange(m: int, groups: Sequence[frozenset[int]]) -> tuple[int, ...]:
    """Return an order of the columns that keeps few groups open at a time.

    Greedy: next comes a column after which the fewest groups are open (begun, not ended), then one of an open group,
    then one of the group nearest to its end, then the user's order.

    Columns are numbered from 0 and come once each. `groups` are the columns that a rule speaks of together. It takes
    O(m^2 groups) time.
    """
    order: list[int] = []
    left = set(range(m))
    while left:

        def rank(column: int, left: frozenset[int] = frozenset(left)) -> tuple[int, bool, int, int]:
            rest = left - {column}
            open_after = sum(1 for group in groups if group & rest and not group <= rest)
            begun = [len(group & left) for group in groups if column in group and not group <= left]
            return open_after, not begun, min(begun, default=0), column

        order.append(min(left, key=rank))
        left.remove(order[-1])
    return tuple(order)


def _rules(leaf: Description, names: Sequence[str], tops: Sequence[int]) -> list[Rule]:
    place = {name: at for at, name in enumerate(names)}
    return [rule for name, word in WORDS.items() if name in leaf for rule in word.machines(leaf[name], place, tops)]


def build(said: Description, columns: Sequence[str], heights: Sequence[int], most: int = MOST_STATES) -> Automaton:
    """Return the automaton of a mask that is known to fit the columns.

    `said` is the mask, see `incrowd.tables.mask.description`. `columns` are the quasi-identifiers, and `heights` the
    top level of each. Raises PolicyError when more than `most` states would be needed.

    Notes
    -----
    Time is states x levels x rules, memory states x levels. A rule on a group multiplies the states by at
    most 3 between its first and last column, `max_stars` by the limit + 1, a list adds its length.
    """
    parts = [leaf for _, leaf in leaves(said)]
    place = {name: j for j, name in enumerate(columns)}
    groups = {
        frozenset(place[name] for name in group)
        for leaf in parts
        for rule in leaf
        if WORDS[rule].grouped
        for group in leaf[rule]
    }
    order = arrange(len(columns), sorted(groups, key=sorted))
    tops = [heights[j] for j in order]
    machines = [_rules(leaf, [columns[j] for j in order], tops) for leaf in parts]
    spared = [leaf.get("full_suppression", True) for leaf in parts]

    def possible(state: State) -> bool:
        top, alive = state
        return combined(said, (one is not None or (top and spare) for one, spare in zip(alive, spared, strict=True)))

    def step(state: State, at: int, level: int) -> State:
        after = tuple(_step(machines[i], part, at, level) for i, part in enumerate(state[1]))
        return state[0] and level == tops[at], after

    # Where no column can change there is no star to speak of, and no all-star vector to forbid.
    start: State = (any(tops), tuple((0,) * len(rules) for rules in machines))
    current = [start]
    layers: list[NDArray[np.int32]] = []
    made = 1
    for at, top in enumerate(tops):
        number: dict[State, int] = {}
        arrows = np.full((len(current), top + 1), -1, np.int32)
        for s, state in enumerate(current):
            for level in range(top + 1):
                after = step(state, at, level)
                if possible(after):
                    arrows[s, level] = number.setdefault(after, len(number))
            if made + len(number) > most:
                raise PolicyError(
                    f"mask too entangled: its rules need more than {most:,} states by quasi-identifier "
                    f"{at + 1} of {len(tops)}; use fewer overlapping groups or list the patterns"
                )
        layers.append(arrows)
        current = list(number)
        made += len(current)
    ends = [combined(said, iter(_verdicts(state, spared))) for state in current]
    return _pruned(order, tops, layers, np.array(ends, bool))


def _step(rules: list[Rule], part: LeafState, at: int, level: int) -> LeafState:
    if part is None:
        return None
    after = tuple(
        rule.step(state, at, level) if at in rule.touches else state for rule, state in zip(rules, part, strict=True)
    )
    return None if DEAD in after else after


def _verdicts(state: State, spared: list[bool]) -> list[bool]:
    top, parts = state
    return [spare if top else part is not None for part, spare in zip(parts, spared, strict=True)]


def _pruned(
    order: tuple[int, ...], tops: list[int], layers: list[NDArray[np.int32]], ends: NDArray[np.bool_]
) -> Automaton:
    """Drop states that lead nowhere and merge states with the same future, last layer first."""
    # renumber[s]: new number of state s of the layer behind; its last entry keeps -1 at -1.
    renumber = np.append(np.where(ends, 0, -1), -1).astype(np.int32)
    kept: list[NDArray[np.int32]] = []
    for arrows in reversed(layers):
        futures = renumber[arrows]
        alive = (futures >= 0).any(axis=1)
        merged, number = np.unique(futures[alive], axis=0, return_inverse=True)
        renumber = np.full(len(arrows) + 1, -1, np.int32)
        renumber[:-1][alive] = number.reshape(-1)
        kept.append(merged)
    empty = bool(renumber[0] < 0)
    if empty:
        kept = [np.zeros((0, top + 1), np.int32) for top in reversed(tops)]
    return Automaton(order, tuple(reversed(kept)), empty)
