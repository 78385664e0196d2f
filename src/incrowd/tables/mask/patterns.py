"""The set of level vectors that a mask allows over one table's quasi-identifiers."""

from __future__ import annotations

import functools
import heapq
import itertools
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import PolicyError
from incrowd.tables.mask.description import check, combined, leaves
from incrowd.tables.mask.vocabulary import DEAD, WORDS, Rule, pattern_vectors
from incrowd.tables.values import Int64, PatternBlock

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from incrowd.tables.mask.description import Description

# Levels travel as int8.
HIGHEST = 127


@dataclass(frozen=True, eq=False)
class Patterns:
    """A compiled mask; implements `incrowd.tables.protocols.PatternSet`. Made by `PatternMask.compile`.

    `heights`: top level per column, in the order of the quasi-identifiers. `automaton`: the vectors as paths.
    `list_up_to`: sets of at most so many vectors are ordered by listing them, larger ones by searching. `written`:
    vectors that the mask lists, in the order written; other rules may forbid some of them.
    """

    heights: tuple[int, ...]
    automaton: Automaton = field(repr=False)
    list_up_to: int = 1 << 20
    written: tuple[tuple[int, ...], ...] = ()

    @staticmethod
    def of(said: Description, columns: Sequence[str], heights: Sequence[int], *, list_up_to: int = 1 << 20) -> Patterns:
        """Return the vectors of a mask, perhaps none.

        `said` is the mask, see `incrowd.tables.mask.description`. `columns` are the quasi-identifiers, all different,
        and `heights` has the top level of each, from 0. For `list_up_to` see the attribute. Raises PolicyError if a
        rule does not fit the columns or the rules are too entangled.
        """
        for column, top in zip(columns, heights, strict=True):
            if top > HIGHEST:
                raise PolicyError(
                    f"column {column!r} has {top} levels above the shown one; at most {HIGHEST} can be used"
                )
        check(said, dict(zip(columns, heights, strict=True)))
        tops = tuple(int(top) for top in heights)
        return Patterns(tops, build(said, columns, tops), list_up_to, _written(said, columns, tops))

    @cached_property
    def allows_full_suppression(self) -> bool:
        """Whether the all-star vector belongs to the set."""
        return self.allows(self.heights)

    def allows(self, vector: Sequence[int]) -> bool:
        """Return whether the level vector belongs to the set; O(m)."""
        if self.automaton.empty:
            return False
        state = 0
        for rows, j in zip(self.automaton.rows, self.automaton.order, strict=True):
            if not 0 <= vector[j] <= self.heights[j]:
                return False
            state = rows[state][vector[j]]
            if state < 0:
                return False
        return True

    def count(self) -> int:
        """Return the number of vectors, without listing them."""
        return self._count

    @cached_property
    def _count(self) -> int:
        if self.automaton.empty:
            return 0
        behind = [1]
        for rows in reversed(self.automaton.rows):
            behind = [sum(behind[after] for after in row if after >= 0) for row in rows]
        return behind[0]

    def reach(self) -> tuple[int, ...]:
        """Return per column the highest level that any vector of the set gives it.

        Where it is 0 the mask never changes the column. The set is not empty.
        """
        highest, states = [0] * len(self.heights), np.zeros(1, np.int32)
        for arrows, j in zip(self.automaton.arrows, self.automaton.order, strict=True):
            after = arrows[states]  # every state leads to some vector, so every arrow does
            highest[j] = int(np.flatnonzero((after >= 0).any(axis=0))[-1])
            states = np.unique(after[after >= 0])
        return tuple(highest)

    def counted_as(self, levels: Mapping[int, Sequence[int]]) -> Patterns:
        """Return the vectors over other levels of some columns, each of which counts as one of these.

        `levels` has by column the level here that every new level counts as; its top counts as the top.
        """
        told = [levels.get(j, range(top + 1)) for j, top in enumerate(self.heights)]
        tops = [len(one) - 1 for one in told]
        order, arrows = self.automaton.order, self.automaton.arrows
        layers = [layer[:, told[j]] for layer, j in zip(arrows, order, strict=True)]
        automaton = _pruned(order, [tops[j] for j in order], layers, np.ones(1, np.bool_))
        return Patterns(tuple(tops), automaton, self.list_up_to)

    def by_cost(self, costs: Sequence[Sequence[int]], ties: Sequence[Sequence[int]]) -> Iterator[PatternBlock]:
        """Yield all vectors, cheapest first, in blocks; lazily, so that a huge set can be broken off.

        ``costs[j][l]`` is the cost of level l in column j. Among equal costs: fewer stars first, then the larger sum of
        ``ties[j][l]``, then the lexicographic order of the vectors. Raises PolicyError if the cost of a row does not
        fit into 62 bits. Sets of at most `list_up_to` vectors are listed and sorted, O(count * m). Larger ones are
        searched: O(states * levels) before the first block, then O(m log) per vector, in memory too.
        """
        cost, tie = tables(self.heights, costs, "costs"), tables(self.heights, ties, "ties")
        if self._count <= self.list_up_to:
            return listed(self.automaton, self.heights, cost, tie)
        return searched(self.automaton, Keys.of(self.heights, cost, tie))

    def cheapest_above(self, vector: Sequence[int], costs: Sequence[Sequence[int]]) -> tuple[int, ...] | None:
        """Return a cheapest vector of the set that is at least `vector` everywhere.

        It is None where there is no such vector. Ties are broken as in `by_cost` (without `ties`). `vector` is (m,),
        and `costs` are per column and level. It takes O(states levels) time, by dynamic programming. Raises PolicyError
        if costs of a row do not fit into 63 bits.
        """
        if self.automaton.empty:
            return None
        cells = Keys.of(self.heights, tables(self.heights, costs, "costs"))
        least = {0: 0}
        for rows, j in zip(self.automaton.rows, self.automaton.order, strict=True):
            cell, low = cells.cells[j], max(0, int(vector[j]))
            found: dict[int, int] = {}
            for state, key in least.items():
                for level in range(low, len(cell)):
                    after = rows[state][level]
                    if after >= 0 and (after not in found or key + cell[level] < found[after]):
                        found[after] = key + cell[level]
            least = found
        return cells.vector(least[0]) if least else None


def _written(said: Description, columns: Sequence[str], tops: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the vectors that the rules of a mask list, in the order written."""
    place = {column: j for j, column in enumerate(columns)}
    lists = [leaf["patterns"] for _, leaf in leaves(said) if leaf.get("patterns")]
    return tuple(tuple(vector) for patterns in lists for vector in pattern_vectors(patterns, place, tops))


# A mask as a layered automaton: one layer per column, a path is a level vector, a full path an allowed one.
#
# The states of a layer are the answers the rules still owe to what came before. Equal states are one state, states that
# lead nowhere are pruned, and states with equal futures are merged from the last layer back, so that every rest is the
# smallest automaton for its order of columns. Columns are read in an order that keeps the groups of one rule adjacent,
# since a rule costs states only between its first and its last column.
MOST_STATES = 200_000

# A leaf's states in the order of its rules; None once one of them is broken.
LeafState = tuple[int, ...] | None
# Whether all columns so far are at their tops (else the vector is not the all-star one), and the leaves.
State = tuple[bool, tuple[LeafState, ...]]


@dataclass(frozen=True, eq=False)
class Automaton:
    """A layered deterministic automaton over level vectors; start and end are state 0 of their layers.

    `order`: the column read in each layer. `arrows`: tuple of (states, top + 1) int32, per layer the state of the next
    layer that each level leads to, -1: none. `empty`: True when no vector is allowed; `arrows` then holds layers
    without states.
    """

    order: tuple[int, ...]
    arrows: tuple[NDArray[np.int32], ...]
    empty: bool

    @cached_property
    def rows(self) -> list[list[list[int]]]:
        """`arrows` as lists: plain loops read them several times faster."""
        return [layer.tolist() for layer in self.arrows]


def arrange(m: int, groups: Sequence[frozenset[int]]) -> tuple[int, ...]:
    """Return an order of the columns that keeps few groups open at a time.

    Greedy: next comes a column after which the fewest groups are open (begun, not ended), then one of an open group,
    then one of the group nearest to its end, then the user's order. Columns are numbered from 0 and come once each.
    `groups` are the columns that a rule speaks of together. It takes O(m^2 groups) time.
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


def build(said: Description, columns: Sequence[str], heights: Sequence[int], most: int = MOST_STATES) -> Automaton:
    """Return the automaton of a mask that is known to fit the columns.

    `said` is the mask, see `incrowd.tables.mask.description`. `columns` are the quasi-identifiers, and `heights` the
    top level of each. Raises PolicyError when more than `most` states would be needed. Time is states x levels x rules,
    memory states x levels. A rule on a group multiplies the states by at most 3 between its first and last column,
    `max_stars` by the limit + 1, a list adds its length.
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
    at_place = {columns[j]: at for at, j in enumerate(order)}
    machines = [
        [rule for name, word in WORDS.items() if name in leaf for rule in word.machines(leaf[name], at_place, tops)]
        for leaf in parts
    ]
    spared = [leaf.get("full_suppression", True) for leaf in parts]

    def possible(state: State) -> bool:
        top, alive = state
        return combined(said, (one is not None or (top and spare) for one, spare in zip(alive, spared, strict=True)))

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
                parts_after = tuple(_step(*one, at, level) for one in zip(machines, state[1], strict=True))
                after = state[0] and level == top, parts_after
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
    ends = [
        combined(said, (spare if stars else one is not None for one, spare in zip(alive, spared, strict=True)))
        for stars, alive in current
    ]
    return _pruned(order, tops, layers, np.array(ends, bool))


def _step(rules: list[Rule], part: LeafState, at: int, level: int) -> LeafState:
    if part is None:
        return None
    after = tuple(
        rule.step(state, at, level) if at in rule.touches else state for rule, state in zip(rules, part, strict=True)
    )
    return None if DEAD in after else after


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


# All patterns at once: a small set is listed and sorted in arrays.
FIRST, LARGEST = 256, 65_536


def listed(automaton: Automaton, heights: tuple[int, ...], costs: Table, ties: Table) -> Iterator[PatternBlock]:
    """Yield all patterns in the order of `PatternSet.by_cost`, in blocks of 256, 512, ... 65,536.

    `heights` has the top level per column. `costs` and `ties` are per column and level; see `PatternSet.by_cost`. Every
    state leads to an allowed vector, so no step holds more rows than the result: O(count (m + log count)) time and
    O(count m) memory before the first block.
    """
    states = np.zeros(0 if automaton.empty else 1, np.int32)
    # One row per column: a row of the growing table is copied whole, and a column is never strided over.
    found = np.zeros((0, len(states)), np.int8)
    for arrows in automaton.arrows:
        after = arrows[states]
        parent, level = np.nonzero(after >= 0)
        found = np.vstack([found[:, parent], level.astype(np.int8)[None]])
        states = after[parent, level]
    vectors = np.empty((found.shape[1], len(automaton.order)), np.int8)
    vectors[:, list(automaton.order)] = found.T

    def sums(table: Table) -> Int64:
        total = np.zeros(len(vectors), np.int64)
        for j, levels in enumerate(table):
            total += np.array(levels, np.int64)[vectors[:, j]]
        return total

    cost = sums(costs)
    stars = sums([[0] * top + [int(top > 0)] for top in heights])
    keys = [cost, stars, -sums(ties)]
    if automaton.order != tuple(range(len(heights))):  # else they are listed in their own order
        keys.extend(vectors.T)
    order = np.lexsort(keys[::-1])
    vectors, cost = vectors[order], cost[order]
    begin, size = 0, FIRST
    while begin < len(vectors):
        yield PatternBlock(vectors[begin : begin + size], cost[begin : begin + size])
        begin, size = begin + size, min(2 * size, LARGEST)


# Patterns one after another: the cheapest paths of the automaton, found only as far as they are asked for.
#
# A pattern is a path and its key a sum over the arrows, so the patterns by cost are the k shortest paths of a layered
# graph. Each state keeps the completions found so far (shared by all ways into it) and a heap of candidates: the best
# completion over each arrow not yet used, and the next one over each arrow used.
#
# References
# ----------
# V. M. Jiménez, A. Marzal, "Computing the K Shortest Paths: A New Algorithm and an Experimental Comparison",
# WAE 1999, LNCS 1668: the recursive enumeration algorithm; here without recursion, on exact costs to go.
SEARCH_FIRST, SEARCH_LARGEST = 128, 1024


class _Rests:
    """The completions of one state, cheapest first, as far as found."""

    __slots__ = ("dry", "found", "heap", "level", "rank")

    def __init__(self, heap: list[tuple[int, int, int]]) -> None:
        heapq.heapify(heap)
        key, self.level, self.rank = heapq.heappop(heap)
        self.heap = heap
        self.found = [key]
        self.dry = False


def cheapest_rests(automaton: Automaton, keys: Keys) -> list[list[int]]:
    """Return the least key of a completion of every state, per layer and state. It takes O(states levels) time."""
    rests = [[0]]
    for layer in reversed(range(len(automaton.order))):
        cells = keys.cells[automaton.order[layer]]
        behind = rests[-1]
        rests.append(
            [
                min(cell + behind[after] for cell, after in zip(cells, row, strict=True) if after >= 0)
                for row in automaton.rows[layer]
            ]
        )
    return rests[::-1]


def search(automaton: Automaton, keys: Keys) -> Iterator[int]:
    """Yield the keys of all patterns, of which there are some, in rising order.

    It takes O(states * levels) before the first key. Each further one takes O(m) heap steps at most and as much memory:
    the memory is bounded by what was yielded.
    """
    least = cheapest_rests(automaton, keys)
    m, rows = len(automaton.order), automaton.rows
    cells = [keys.cells[j] for j in automaton.order]
    yield least[0][0]

    @functools.cache
    def rests(layer: int, state: int) -> _Rests:
        behind = least[layer + 1]
        arrows = enumerate(rows[layer][state])
        return _Rests([(cells[layer][level] + behind[after], level, 0) for level, after in arrows if after >= 0])

    root = rests(0, 0)
    while True:
        # The follower of a state's last completion needs the follower of the completion it was made of.
        chain, state, below = [root], 0, None
        while len(chain) < m:
            last = chain[-1]
            state = rows[len(chain) - 1][state][last.level]
            rest = rests(len(chain), state)
            if rest.dry or len(rest.found) > last.rank + 1:
                below = rest
                break
            chain.append(rest)
        for layer in reversed(range(len(chain))):
            _follow(chain[layer], below, cells[layer][chain[layer].level])
            below = chain[layer]
        if root.dry:
            return
        yield root.found[-1]


def _follow(state: _Rests, below: _Rests | None, cell: int) -> None:
    """Find the next completion of a state; `below` is where its last arrow leads (None: the end)."""
    rank = state.rank + 1
    if below is not None and len(below.found) > rank:
        heapq.heappush(state.heap, (cell + below.found[rank], state.level, rank))
    if state.heap:
        key, state.level, state.rank = heapq.heappop(state.heap)
        state.found.append(key)
    else:
        state.dry = True


def searched(automaton: Automaton, keys: Keys) -> Iterator[PatternBlock]:
    """Yield the patterns in blocks of 128, 256, ... 1,024. The first is made at once, as `search` does."""
    found, size = search(automaton, keys), SEARCH_FIRST
    while block := list(itertools.islice(found, size)):
        yield keys.block(block)
        size = min(2 * size, SEARCH_LARGEST)


# The order of patterns as one integer per pattern, a sum over its cells.
#
# Cost, then fewer stars, then the larger sum of ties, then the lexicographic order of the vector: each is a sum of
# terms per cell (the last one by reading the vector as a number), so with far enough scales their order is the order of
# one sum of big integers. No two vectors have the same key, and a key tells its vector and its cost.
Table = list[list[int]]

# Sums over a row stay well inside int64.
MOST = 1 << 62


def tables(heights: Sequence[int], values: Sequence[Sequence[int]], what: str) -> Table:
    """Return `values` (one number per column and level) as plain lists.

    `heights` has the top level per column, and `what` is the name of the values, for messages. Raises ValueError if a
    column or level is missing or left over, and PolicyError if sums over a row do not fit into 63 bits.
    """
    if [len(levels) for levels in values] != [top + 1 for top in heights]:
        raise ValueError(f"{what} must hold one number for each of the levels 0 ... top of every column")
    table = [[int(value) for value in levels] for levels in values]
    if sum(max(map(abs, levels)) for levels in table) >= MOST:
        raise PolicyError(f"{what} of one row need more than 62 bits; give weights with fewer digits")
    return table


@dataclass(frozen=True, eq=False)
class Keys:
    """Keys of the patterns over one set of columns.

    `cells`: ``cells[j][l]``: what level l in column j adds to the key. `vectors`: number of level vectors; a key modulo
    it is the vector read as a number. `unit`: what one unit of cost adds to the key.
    """

    heights: tuple[int, ...]
    cells: Table
    vectors: int
    unit: int

    @staticmethod
    def of(heights: tuple[int, ...], costs: Table, ties: Table | None = None) -> Keys:
        """Return the keys for costs and ties.

        `heights` has the top level per column; `costs` and `ties` are per column and level. Of equal costs and numbers
        of stars the larger sum of `ties` comes first.
        """
        place = [1] * (len(heights) + 1)
        for j in reversed(range(len(heights))):
            place[j] = place[j + 1] * (heights[j] + 1)
        if ties is None:
            ties = [[0] * (top + 1) for top in heights]
        # The larger sum first: count what is missing to the largest one.
        missing = [[max(levels) - tie for tie in levels] for levels in ties]
        star = place[0] * (1 + sum(max(levels) for levels in missing))
        unit = star * (len(heights) + 1)
        cells = [
            [
                costs[j][level] * unit + (level == top > 0) * star + missing[j][level] * place[0] + level * place[j + 1]
                for level in range(top + 1)
            ]
            for j, top in enumerate(heights)
        ]
        return Keys(heights, cells, place[0], unit)

    def block(self, keys: Sequence[int]) -> PatternBlock:
        """Return the patterns with these keys."""
        numbers = np.array([key % self.vectors for key in keys], np.int64 if self.vectors <= MOST else object)
        levels = np.zeros((len(keys), len(self.heights)), np.int8)
        for j, top in reversed([*enumerate(self.heights)]):
            levels[:, j] = numbers % (top + 1)
            numbers //= top + 1
        return PatternBlock(levels, np.array([key // self.unit for key in keys], np.int64))

    def vector(self, key: int) -> tuple[int, ...]:
        """Return the vector with this key."""
        number = key % self.vectors
        levels = []
        for top in reversed(self.heights):
            number, level = divmod(number, top + 1)
            levels.append(level)
        return tuple(reversed(levels))
