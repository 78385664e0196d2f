"""Groups that merge until they are good, and fall apart again where they can."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.grouping.labels import number_crowds
from incrowd.tables.solve.greedy.with_requirements.scan import honest
from incrowd.tables.solve.shared.requirement_check import kinds_meet, meets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from incrowd.tables.solve.greedy.with_requirements.group_state import GroupState
    from incrowd.tables.values import Int8, Int32, Int64, PatternBlock

__all__ = ["carve", "grow"]

NEAREST = 48  # groups judged at a time as partners of a merge
# Crowds judged at a time, at first, and their counts of combinations of sensitive values, at most.
AHEAD, DENSE = 8, 1 << 20


def grow(state: GroupState, group: int) -> bool:
    """Merge a group with others until it meets everything; return whether it does.

    `group` is its number; `state` is changed in place.

    Notes
    -----
    Of the 48 groups that are cheapest to merge with, the cheapest that makes it good; if there is none, the one
    that takes away most of its surplus values for the cost. O(groups * m + rows of those groups) time a merge. A time
    limit does not end it, for without it there may be no release but one of stars; but once the time is over, twice as
    many of the cheapest groups are taken in each merge as in the one before, so that at most O(log groups) are left.
    """
    at_once = 1
    while not state.watch.interrupted:
        mine = np.flatnonzero((state.group == group) & (state.rows > 0))
        types, rows = state.type[mine], state.rows[mine]
        if state.good(state.vectors[group], types, rows):
            return True
        sizes = state.sizes()
        live = np.flatnonzero(sizes)
        live = live[live != group]
        if not live.size:
            return False
        if state.watch.stopped:
            at_once *= 2
            partners, vector = _cheapest(state, group, types, live, sizes, at_once)
        else:
            partner, vector = _partner(state, group, types, rows, live, sizes)
            partners = np.array([partner])
        if (vector < 0).any() or partners[0] < 0:
            return False
        state.vectors[group] = vector
        state.group = np.where(np.isin(state.group, partners), group, state.group)
    return False


def _cheapest(
    state: GroupState, group: int, types: Int32, live: Int64, sizes: Int64, count: int
) -> tuple[Int64, Int8]:  # fmt: skip
    """Return the groups whose rows lose least by a merge, and the vector of all of them; -1 throughout: none allowed.

    The cost of a merge is that of the levels at which the rows agree, whether or not the mask allows them.
    """
    first = state.first()
    joined = np.maximum(state.encoded.join(state.vectors[live], first[live], int(types[0])), state.vectors[group])
    more = sizes[live] * (state.prices(joined, first[live]) - state.prices(state.vectors[live], first[live]))
    near = np.argsort(more, kind="stable")[:count]
    return live[near], state.closure.first(joined[near].max(axis=0)[None, :], types[:1])[0]


def _partner(state: GroupState, group: int, types: Int32, rows: Int64, live: Int64, sizes: Int64) -> tuple[int, Int8]:
    first = state.first()
    joined = np.maximum(state.encoded.join(state.vectors[live], first[live], int(types[0])), state.vectors[group])
    vectors = state.closure.first(joined, first[live])
    allowed = (vectors >= 0).all(axis=1)
    live, vectors = live[allowed], vectors[allowed]
    if not live.size:
        return -1, state.top
    size = int(rows.sum())
    price = int(state.prices(state.vectors[group][None, :], types[:1])[0])
    new = state.prices(vectors, first[live])
    more = (sizes[live] + size) * new - size * price - sizes[live] * state.prices(state.vectors[live], first[live])
    near = np.argsort(more, kind="stable")[:NEAREST]
    number = np.full(len(state.vectors), -1, np.int64)
    number[live[near]] = np.arange(near.size)
    parts = np.flatnonzero((number[state.group] >= 0) & (state.rows > 0))
    where = np.concatenate((number[state.group[parts]], np.repeat(np.arange(near.size), types.size)))
    all_types = np.concatenate((state.type[parts], np.tile(types, near.size)))
    all_rows = np.concatenate((state.rows[parts], np.tile(rows, near.size)))
    least = np.array([state.least(vectors[x]) for x in near])
    good = (sizes[live[near]] + size >= least) & meets(state.problem, where, all_types, all_rows, near.size)
    if good.any():
        x = near[int(np.flatnonzero(good)[0])]
        return int(live[x]), vectors[x]
    share = state.table / state.table.sum()
    mine = state.histogram(types, rows)
    surplus = np.clip(mine - share * size, 0, None).sum() / size
    table = np.zeros((near.size, mine.size))
    np.add.at(table, (where, state.kind[all_types]), all_rows)
    whole = table.sum(axis=1)
    after = np.clip(table - share * whole[:, None], 0, None).sum(axis=1) / whole
    x = near[int(np.argmax((surplus - after + 1e-9 * whole) / np.maximum(more[near], 1)))]
    return int(live[x]), vectors[x]


def carve(state: GroupState, group: int, blocks: Iterable[PatternBlock], *, visits: int) -> int:
    """Let instances below a group have their rows back where they and the rest meet everything; return how many.

    `group` is its number; `state` is changed in place. Patterns, which come in `blocks` cheapest first, are walked
    through for at most `visits` types times patterns.
    """
    carved = 0
    own = state.vectors[group]
    state.tidy()
    for block in blocks:
        for vector in block.levels:
            mine = np.flatnonzero((state.group == group) & (state.rows > 0))
            visits -= mine.size
            if visits < 0 or state.watch.stopped:
                return carved
            if (vector > own).any() or (vector == own).all():
                continue
            types, rows = state.type[mine], state.rows[mine]
            hashes = state.encoded.table[state.encoded.shown(vector)][:, types].sum(axis=0, dtype=np.uint64)
            label, crowds = number_crowds(hashes, rows, state.least(vector))
            inside = np.flatnonzero(label >= 0)
            if not inside.size:
                continue
            fine = meets(state.problem, label[inside], types[inside], rows[inside], crowds)
            inside = inside[fine[label[inside]]]
            if not inside.size:
                continue
            place = np.zeros(state.encoded.t, np.int64)
            place[types] = mine
            crowds_here = honest(state.encoded, vector, label[inside], types[inside], rows[inside])
            held = [state.histogram(crowd, amounts) for crowd, amounts in crowds_here]
            for x in _spared(state, own, state.histogram(types, rows), held):
                state.vectors = np.concatenate((state.vectors, vector[None, :]))
                state.group[place[crowds_here[x][0]]] = len(state.vectors) - 1
                carved += 1
    return carved


def _spared(state: GroupState, vector: Int8, have: Int64, held: list[Int64]) -> Iterator[int]:
    """Yield which crowds a group can do without, one after another.

    `vector`, (m,), is the group's. `have`, (kinds,), are its rows of each combination of sensitive values, and `held`
    are those of each crowd.
    """
    at, ahead = 0, AHEAD
    while at < len(held):
        rest = have - np.array(held[at : at + ahead])
        sizes = rest.sum(axis=1)
        group, kinds = np.nonzero(rest)
        good = (sizes >= state.least(vector)) & kinds_meet(state.problem, group, kinds, rest[group, kinds], len(rest))
        good |= sizes == 0
        if good.any():
            at += int(np.argmax(good))
            have = have - held[at]
            yield at
            at, ahead = at + 1, AHEAD
        else:
            at += len(rest)
            ahead = min(2 * ahead, max(1, DENSE // have.size))
