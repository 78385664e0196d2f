"""The state of an annealing over a list of instances: how many rows of each type each instance holds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from incrowd.kernels.search.splitmix import STEP, fraction
from incrowd.loops import njit

__all__ = [
    "CEILING",
    "CLOSED",
    "COST",
    "LOGGED",
    "MOVE",
    "OPENED",
    "QUEUED",
    "Lists",
    "State",
    "drop",
    "enlist",
    "new_state",
    "send",
    "take_back",
    "uniform",
    "write",
]

# Places in `State.numbers`: scaled cost, entries of the log, number of the move, length of the queue.
COST, LOGGED, MOVE, QUEUED, CEILING = 0, 1, 2, 3, 4
OPENED, CLOSED = -1, -2
QUEUE = 4096


class Lists(NamedTuple):
    """The candidate instances, cheapest first, and the same lists by type; never changed.

    Pair p lies in instance ``owners[p]`` and stands for type ``members[p]``. Type i agrees with the instances
    ``which[type_begins[i]:type_begins[i + 1]]``, increasing, and ``pairs`` says where those pairs are.
    """

    begins: np.ndarray
    members: np.ndarray
    owners: np.ndarray
    costs: np.ndarray
    needs: np.ndarray
    type_begins: np.ndarray
    which: np.ndarray
    pairs: np.ndarray


class State(NamedTuple):
    """Rows per pair, and what it takes to change them quickly; the arrays are changed in place.

    Between moves every open instance holds at least the rows it needs, a closed one none. The pairs with rows of
    an instance form a list that starts at ``head``, those of a type one that starts at ``type_head``. ``log`` is
    what the move at hand has done: transfers (from, to, rows), openings and closings (code, instance, 0).
    The arrays from ``dying`` on belong to the move at hand, stamped with its number.
    """

    rows: np.ndarray
    size: np.ndarray
    opened: np.ndarray
    head: np.ndarray
    after: np.ndarray
    before: np.ndarray
    type_head: np.ndarray
    type_after: np.ndarray
    type_before: np.ndarray
    log: np.ndarray
    numbers: np.ndarray
    seed: np.ndarray
    dying: np.ndarray
    touched: np.ndarray
    overlap: np.ndarray
    donors: np.ndarray
    place: np.ndarray
    seen: np.ndarray
    queue: np.ndarray


def new_state(lists: Lists, rows: np.ndarray, types: int, seed: int) -> State:
    """Return the state that holds the given rows per pair of a release; free instances are open throughout.

    `rows` is (p,) int64, `types` the number of row types, and `seed`, at least 0, that of the random numbers.
    """
    groups, pairs = len(lists.costs), len(lists.members)
    state = State(
        rows=np.zeros(pairs, np.int64),
        size=np.zeros(groups, np.int64),
        opened=np.zeros(groups, np.uint8),
        head=np.full(groups, -1, np.int32),
        after=np.full(pairs, -1, np.int32),
        before=np.full(pairs, -1, np.int32),
        type_head=np.full(types, -1, np.int32),
        type_after=np.full(pairs, -1, np.int32),
        type_before=np.full(pairs, -1, np.int32),
        log=np.zeros((8 * types + 1024, 3), np.int64),
        numbers=np.zeros(8, np.int64),
        seed=np.array([seed], np.uint64),
        dying=np.zeros(groups, np.int64),
        touched=np.zeros(groups, np.int64),
        overlap=np.zeros(groups, np.int64),
        donors=np.zeros(groups, np.int64),
        place=np.zeros(types, np.int64),
        seen=np.zeros(types, np.int64),
        queue=np.zeros(QUEUE, np.int64),
    )
    _fill(lists, state, rows)
    return state


@njit(cache=True, nogil=True)
def _fill(lists, state, rows):  # type: ignore[no-untyped-def]
    for p in range(rows.size):
        if rows[p] > 0:
            enlist(lists, state, p)
            state.rows[p] = rows[p]
            g = lists.owners[p]
            state.opened[g] = 1
            state.size[g] += rows[p]
            state.numbers[COST] += rows[p] * lists.costs[g]
    for g in range(lists.costs.size):
        if lists.needs[g] == 0:
            state.opened[g] = 1


@njit(cache=True, nogil=True)
def uniform(state):  # type: ignore[no-untyped-def]
    """Return the next number of splitmix64, in [0, 1); `state` is changed in place."""
    state.seed[0] += STEP
    return fraction(state.seed[0])


@njit(cache=True, nogil=True)
def enlist(lists, state, p):  # type: ignore[no-untyped-def]
    """Put pair p at the head of its instance's and its type's lists, changing `state` in place.

    The pair has rows and is in no list.
    """
    g, i = lists.owners[p], lists.members[p]
    first = state.head[g]
    state.after[p] = first
    state.before[p] = -1
    if first >= 0:
        state.before[first] = p
    state.head[g] = p
    first = state.type_head[i]
    state.type_after[p] = first
    state.type_before[p] = -1
    if first >= 0:
        state.type_before[first] = p
    state.type_head[i] = p


@njit(cache=True, nogil=True)
def drop(lists, state, p):  # type: ignore[no-untyped-def]
    """Take pair p out of its lists, changing `state` in place; the pair is in both lists."""
    a, b = state.before[p], state.after[p]
    if a >= 0:
        state.after[a] = b
    else:
        state.head[lists.owners[p]] = b
    if b >= 0:
        state.before[b] = a
    a, b = state.type_before[p], state.type_after[p]
    if a >= 0:
        state.type_after[a] = b
    else:
        state.type_head[lists.members[p]] = b
    if b >= 0:
        state.type_before[b] = a


@njit(cache=True, nogil=True)
def _shift(lists, state, p, q, rows):  # type: ignore[no-untyped-def]
    g, h = lists.owners[p], lists.owners[q]
    if state.rows[q] == 0:
        enlist(lists, state, q)
    state.rows[q] += rows
    state.rows[p] -= rows
    if state.rows[p] == 0:
        drop(lists, state, p)
    state.size[g] -= rows
    state.size[h] += rows
    state.numbers[COST] += rows * (lists.costs[h] - lists.costs[g])


@njit(cache=True, nogil=True)
def write(state, a, b, rows):  # type: ignore[no-untyped-def]
    """Add a line to the log; False when it is full.

    `state` is changed in place. `a` and `b` are the pairs of a transfer, or a code and an instance; `rows` is how many
    were moved, or 0.
    """
    n = state.numbers[LOGGED]
    if n >= state.log.shape[0]:
        return False
    state.log[n, 0] = a
    state.log[n, 1] = b
    state.log[n, 2] = rows
    state.numbers[LOGGED] = n + 1
    return True


@njit(cache=True, nogil=True)
def send(lists, state, p, q, rows):  # type: ignore[no-untyped-def]
    """Move rows of a type from pair p to pair q and write it down; False when the log is full.

    An instance that had just the rows it needs gets in the queue of those that may pass some on. Both pairs are of one
    type, and `rows` is at least 1 and at most those of p. `state` is changed in place.
    """
    if not write(state, p, q, rows):
        return False
    h = lists.owners[q]
    queued = state.numbers[QUEUED]
    if state.size[h] <= lists.needs[h] < state.size[h] + rows and queued < QUEUE and lists.needs[h] > 0:
        state.queue[queued] = h
        state.numbers[QUEUED] = queued + 1
    _shift(lists, state, p, q, rows)
    return True


@njit(cache=True, nogil=True)
def take_back(lists, state):  # type: ignore[no-untyped-def]
    """Undo all that the log says, changing `state` in place."""
    for n in range(state.numbers[LOGGED] - 1, -1, -1):
        a, b = state.log[n, 0], state.log[n, 1]
        if a == OPENED:
            state.opened[b] = 0
        elif a == CLOSED:
            state.opened[b] = 1
        else:
            _shift(lists, state, b, a, state.log[n, 2])
    state.numbers[LOGGED] = 0
