"""Patterns one after another: the cheapest paths of the automaton, found only as far as they are asked for.

A pattern is a path and its key a sum over the arrows, so the patterns by cost are the k shortest paths of a
layered graph. Each state keeps the completions found so far (shared by all ways into it) and a heap of
candidates: the best completion over each arrow not yet used, and the next one over each arrow used.

References
----------
V. M. Jiménez, A. Marzal, "Computing the K Shortest Paths: A New Algorithm and an Experimental Comparison",
WAE 1999, LNCS 1668: the recursive enumeration algorithm; here without recursion, on exact costs to go.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from incrowd.tables.values import PatternBlock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from incrowd.tables.mask.automaton import Automaton
    from incrowd.tables.mask.order import Keys

__all__ = ["cheapest_rests", "search", "searched"]

FIRST, LARGEST = 128, 1024


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
    """Return the least key of a completion of every state, per layer and state.

    It takes O(states levels) time.
    """
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
    """Yield the keys of all patterns in rising order.

    It takes O(states * levels) before the first key. Each further one takes O(m) heap steps at most and as much memory:
    the memory is bounded by what was yielded.
    """
    if automaton.empty:
        return
    least = cheapest_rests(automaton, keys)
    m, rows = len(automaton.order), automaton.rows
    cells = [keys.cells[j] for j in automaton.order]
    yield least[0][0]
    if m == 0:
        return
    met: list[dict[int, _Rests]] = [{} for _ in range(m)]

    def rests(layer: int, state: int) -> _Rests:
        known = met[layer].get(state)
        if known is None:
            behind = least[layer + 1]
            arrows = enumerate(rows[layer][state])
            heap = [(cells[layer][level] + behind[after], level, 0) for level, after in arrows if after >= 0]
            known = met[layer][state] = _Rests(heap)
        return known

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
    """Yield the patterns in blocks of 128, 256, ... 1,024.

    The first is made at once, as `search` does.
    """
    size, block = FIRST, []
    for key in search(automaton, keys):
        block.append(key)
        if len(block) == size:
            yield PatternBlock(keys.levels(block), keys.costs(block))
            size, block = min(2 * size, LARGEST), []
    if block:
        yield PatternBlock(keys.levels(block), keys.costs(block))
