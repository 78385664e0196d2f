"""Rows lent to leftover ones, so that they are a group together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.grouping.labels import number_crowds
from incrowd.tables.solve.greedy.with_requirements.scan import honest
from incrowd.tables.solve.shared.requirement_check import meets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from incrowd.tables.solve.greedy.with_requirements.group_state import GroupState
    from incrowd.tables.values import Int8, Int32, Int64, PatternBlock

__all__ = ["gather", "lend"]

ROUNDS = 60  # of lending to one group
STEP = 0.1  # share by which a group may grow in a round, and that a lender may lose


def gather(state: GroupState, left: Int64, blocks: Iterable[PatternBlock], *, tries: int, visits: int) -> int:
    """Open instances for leftover rows with rows lent to them, cheapest patterns first; return how many.

    `left`, (t,), holds the leftover rows of each type and is changed in place. At most `tries` instances are tried, and
    at most `visits` row types times patterns looked at.

    Tried are instances of at least k leftover rows that would meet everything with all rows that agree, and only while
    that costs less than full suppression. O(parts * m) time a pattern and a try.
    """
    opened = 0
    for block in blocks:
        for vector in block.levels:
            visits -= state.encoded.t
            if tries <= 0 or visits < 0 or state.watch.stopped or (vector == state.top).all():
                return opened
            for crowd in _promising(state, vector, left):
                if tries <= 0 or state.watch.stopped:
                    return opened
                rows = left[crowd]
                tries -= 1
                taken = lend(state, vector, crowd, rows, _saved(state, vector, crowd, rows))
                if taken is not None:
                    state.take(vector, crowd, rows, taken)
                    left[crowd] = 0
                    opened += 1
    return opened


def _promising(state: GroupState, vector: Int8, left: Int64) -> list[Int32]:
    """Return the leftover types of instances that might do with rows lent, the largest first."""
    types = np.flatnonzero(left).astype(np.int32)
    shown = state.encoded.shown(vector)
    hashes = state.encoded.table[shown][:, types].sum(axis=0, dtype=np.uint64)
    label, crowds = number_crowds(hashes, left[types], state.problem.k)
    inside = np.flatnonzero(label >= 0)
    if not inside.size:
        return []
    names, at = np.unique(hashes[inside], return_index=True)
    every = state.encoded.table[shown].sum(axis=0, dtype=np.uint64)
    place = np.minimum(np.searchsorted(names, every), names.size - 1)
    members = np.flatnonzero(names[place] == every).astype(np.int32)
    good = meets(state.problem, place[members], members, state.encoded.counts[members], names.size)
    # an instance that is open already has taken what it can
    same = (state.vectors == vector).all(axis=1)
    shows = state.type[same[state.group] & (state.rows > 0)]
    good[place[shows][names[place[shows]] == every[shows]]] = False
    number = np.full(crowds, -1, np.int64)
    number[label[inside[at]]] = np.arange(names.size)
    inside = inside[good[number[label[inside]]]]
    if not inside.size:
        return []
    found = honest(state.encoded, vector, label[inside], types[inside], left[types[inside]])
    return [crowd for crowd, rows in sorted(found, key=lambda one: -int(one[1].sum()))]


def _saved(state: GroupState, vector: Int8, types: Int32, rows: Int64) -> int:
    """Return how much cheaper rows are under a level vector than fully suppressed."""
    shape = (types.size, state.top.size)
    top = state.prices(np.broadcast_to(state.top, shape), types)
    return int(((top - state.prices(np.broadcast_to(vector, shape), types)) * rows).sum())


def lend(state: GroupState, vector: Int8, types: Int32, rows: Int64, budget: int | None) -> Int64 | None:
    """Return how many rows of every part to lend to some rows so that they are a group, or None.

    `vector`, (m,), is the level vector under which the rows agree; only parts that agree too lend. `types` and `rows`
    are (x,). `budget` is what the lending may add to the scaled cost at most (None: anything).

    Notes
    -----
    Round by round, values that the group has too rarely (by the table's shares) are lent, the cheapest first, and
    lenders that would break a rule drop out. O(parts * m) time a round; None too once the time is over.
    """
    fits = np.flatnonzero(state.encoded.agree(vector, int(types[0]), state.type) & (state.rows > 0))
    fits = fits[(state.vectors[state.group[fits]] != vector).any(axis=1)]
    price = int(state.prices(vector[None, :], types[:1])[0])
    dearer = price - state.prices(state.vectors[state.group[fits]], state.type[fits])
    fits, dearer = fits[order := np.argsort(dearer, kind="stable")], dearer[order]
    kind = state.kind[state.type[fits]]
    lenders, kinds = _Turns(state.group[fits]), _Turns(kind)
    taken = np.zeros(state.rows.size, np.int64)
    able = np.ones(len(state.vectors), np.bool_)
    sizes = state.sizes()
    have = state.histogram(types, rows)
    share = state.table / state.table.sum()
    for _ in range(ROUNDS):
        if state.watch.stopped:
            return None
        got = np.flatnonzero(taken)
        if state.good(vector, np.concatenate((types, state.type[got])), np.concatenate((rows, taken[got]))):
            return taken
        size = int(have.sum())
        goal = max(state.least(vector), int(size * (1 + STEP)) + 1)
        want = np.ceil(np.clip(share * goal - have, 0, None)).astype(np.int64)
        # the cheapest first, at most what is wanted of each value and a share of each lender
        asked = np.where(able[state.group[fits]] & (want[kind] > 0), state.rows[fits] - taken[fits], 0)
        asked = lenders.served(asked, np.maximum(sizes * STEP, 1).astype(np.int64))
        offered = np.zeros(state.rows.size, np.int64)
        offered[fits] = kinds.served(asked, want)
        amounts = _allowed(state, offered, taken, able)
        if amounts is None:
            return None
        taken += amounts
        if budget is not None and int((taken[fits] * dearer).sum()) >= budget:
            return None
        lent = np.flatnonzero(amounts)
        np.subtract.at(sizes, state.group[lent], amounts[lent])
        have += state.histogram(state.type[lent], amounts[lent])
    return None


class _Turns:
    """Entries of several owners, each of whom has a limit: who comes first is served first."""

    def __init__(self, owner: NDArray[np.integer]) -> None:
        self.order = np.argsort(owner, kind="stable")
        self.owner = owner[self.order]
        fresh = np.concatenate(([True], self.owner[1:] != self.owner[:-1])) if owner.size else np.zeros(0, np.bool_)
        self.first = np.maximum.accumulate(np.where(fresh, np.arange(owner.size), 0))

    def served(self, asked: Int64, limit: Int64) -> Int64:
        """Return what each entry gets of what it asks for."""
        mine = asked[self.order]
        before = np.cumsum(mine) - mine
        gets = np.empty_like(asked)
        gets[self.order] = np.clip(limit[self.owner] - (before - before[self.first]), 0, mine)
        return gets


def _allowed(state: GroupState, amounts: Int64, taken: Int64, able: NDArray[np.bool_]) -> Int64 | None:
    """Return the offers of lenders that stay good; the others are no longer `able`. None: there are none."""
    lenders = np.unique(state.group[amounts > 0])
    if not lenders.size:
        return None
    left = state.rows - taken - amounts
    good = _stay(state, lenders, left)
    able[lenders[~good]] = False
    return np.where(able[state.group], amounts, 0)


def _stay(state: GroupState, groups: Int64, left: Int64) -> NDArray[np.bool_]:
    """Return which groups meet everything with the rows left to their parts; an empty one does not."""
    number = np.full(len(state.vectors), -1, np.int64)
    number[groups] = np.arange(groups.size)
    mine = np.flatnonzero((number[state.group] >= 0) & (left > 0))
    where = number[state.group[mine]]
    size = np.zeros(groups.size, np.int64)
    np.add.at(size, where, left[mine])
    least = np.array([state.least(state.vectors[g]) for g in groups])
    return (size >= least) & meets(state.problem, where, state.type[mine], left[mine], groups.size)
