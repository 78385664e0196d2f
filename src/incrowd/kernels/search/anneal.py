"""The moves of the annealing: open an instance, close some, and let rows settle where they are cheapest."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from incrowd.kernels.hash_table import STEP, following, fraction, picked, probe, room
from incrowd.loops import njit

# Instances closed to fill one, at most.
MOST_DYING = 4


@njit(cache=True, nogil=True)
def _evacuate(lists, state, h):  # type: ignore[no-untyped-def]
    """Close instance h and send its rows to the cheapest open ones; False when some have none."""
    if not write(state.log, state.numbers, CLOSED, h, 0):
        return False
    state.opened[h] = 0
    p = state.head[h]
    while p >= 0:
        following = state.after[p]
        i = lists.members[p]
        found = False
        for y in range(lists.type_begins[i], lists.type_begins[i + 1]):
            if state.opened[lists.which[y]]:
                found = send(lists, state, p, lists.pairs[y], state.rows[p])
                break
        if not found or state.numbers[COST] > state.numbers[CEILING]:
            return False
        p = following
    return True


@njit(cache=True, nogil=True)
def _settle(lists, state):  # type: ignore[no-untyped-def]
    """Let every instance in the queue pass rows that it does not need on to cheaper open ones."""
    done = 0
    while done < state.numbers[QUEUED]:
        h = state.queue[done]
        done += 1
        if not state.opened[h]:
            continue
        spare = state.size[h] - lists.needs[h]
        p = state.head[h]
        while p >= 0 and spare > 0:
            following = state.after[p]
            i = lists.members[p]
            for y in range(lists.type_begins[i], lists.type_begins[i + 1]):
                g = lists.which[y]
                if lists.costs[g] >= lists.costs[h]:
                    break
                if state.opened[g]:
                    rows = min(spare, state.rows[p])
                    if not send(lists, state, p, lists.pairs[y], rows):
                        return False
                    spare -= rows
                    break
            p = following
    return True


@njit(cache=True, nogil=True)
def _open(lists, state, marks, g, doomed):  # type: ignore[no-untyped-def]
    """Open instance g: what is dearer elsewhere and not needed there comes, then the dearest of the rest.

    Up to `doomed` instances that hold its rows, and as many as it takes to fill it, are closed.
    """
    move = state.numbers[MOVE]
    w, need = lists.costs[g], lists.needs[g]
    begin, end = lists.begins[g], lists.begins[g + 1]
    dead = 0
    victims = np.empty(2, np.int64)
    for _ in range(doomed):
        i = lists.members[begin + int(uniform(state.seed) * (end - begin))]
        h = lists.owners[state.type_head[i]]
        if lists.needs[h] > 0 and marks.dying[h] != move and state.size[h] < 3 * lists.needs[h]:
            marks.dying[h] = move
            victims[dead] = h
            dead += 1
    if not write(state.log, state.numbers, OPENED, g, 0):
        return False
    state.opened[g] = 1
    donors = 0
    for q in range(begin, end):
        i = lists.members[q]
        marks.seen[i] = move
        marks.place[i] = q
        p = state.type_head[i]
        while p >= 0:
            following = state.type_after[p]
            h = lists.owners[p]
            if h != g:
                rows = np.int64(0)
                if marks.dying[h] == move:
                    rows = state.rows[p]
                elif lists.costs[h] > w:
                    rows = min(state.rows[p], state.size[h] - lists.needs[h])
                if rows > 0 and not send(lists, state, p, q, rows):
                    return False
                left = state.rows[p]
                if left > 0:
                    if marks.touched[h] != move:
                        marks.touched[h] = move
                        marks.overlap[h] = 0
                        marks.donors[donors] = h
                        donors += 1
                    marks.overlap[h] += left
            p = following
    for x in range(dead):
        if not _evacuate(lists, state, victims[x]):
            return False
    while True:
        # The dearest rows that nobody needs, from what is cheaper than g.
        while state.size[g] < need:
            best = -1
            for x in range(donors):
                h = marks.donors[x]
                spare = marks.touched[h] == move and state.opened[h] and state.size[h] > lists.needs[h]
                if spare and (best < 0 or lists.costs[h] > lists.costs[best]):
                    best = h
            if best < 0:
                break
            wanted = min(need - state.size[g], state.size[best] - lists.needs[best])
            if _fetch(lists, state, marks, best, g, wanted) < wanted:
                marks.touched[best] = -move
        if state.size[g] >= need:
            return True
        # Then a whole instance: one with a large share of its rows in g, at random. What else it holds may give
        # others rows to spare.
        best, most = -1, 0.0
        for x in range(donors):
            h = marks.donors[x]
            if lists.needs[h] > 0 and marks.dying[h] != move and marks.overlap[h] > 0:
                share = marks.overlap[h] / state.size[h] * (0.5 + uniform(state.seed))
                if share > most:
                    best, most = h, share
        if best < 0 or dead >= MOST_DYING or state.numbers[COST] > state.numbers[CEILING]:
            return False
        marks.dying[best] = move
        dead += 1
        _fetch(lists, state, marks, best, g, state.size[best])
        if not _evacuate(lists, state, best):
            return False


@njit(cache=True, nogil=True)
def _fetch(lists, state, marks, h, g, rows):  # type: ignore[no-untyped-def]
    """Move up to so many rows from h to g; return how many came."""
    move = state.numbers[MOVE]
    p = state.head[h]
    came = np.int64(0)
    while p >= 0 and came < rows:
        following = state.after[p]
        i = lists.members[p]
        if marks.seen[i] == move:
            share = min(rows - came, state.rows[p])
            if not send(lists, state, p, marks.place[i], share):
                return came
            came += share
        p = following
    return came


@njit(cache=True, nogil=True, plain=False)
def anneal(lists, state, marks, ladder, moves, temperature, odds, slack):  # type: ignore[no-untyped-def]
    """Try some moves at one temperature; return how many were taken.

    `state` and `marks` are changed in place; the former is a release before and after. `ladder`, (g,) float64, has the
    increasing sums of the weights with which instances are picked. `temperature` is in scaled cost units and above 0: a
    move that adds d is taken with probability exp(-d / temperature). `odds`, (3,) float64, are the chances that 0, 1, 2
    instances are doomed when one is opened. `slack`, in scaled cost units, is how far above what will be allowed the
    cost may be before rows have settled.
    """
    taken = 0
    numbers = state.numbers
    for _ in range(moves):
        numbers[MOVE] += 1
        numbers[LOGGED] = 0
        numbers[QUEUED] = 0
        before = numbers[COST]
        g = picked(ladder, uniform(state.seed))
        limit = -temperature * math.log(max(uniform(state.seed), 1e-300))
        if lists.needs[g] == 0:
            continue
        numbers[CEILING] = before + np.int64(limit + slack)
        if state.opened[g]:
            well = _evacuate(lists, state, g)
        else:
            draw = uniform(state.seed)
            doomed = 0 if draw < odds[0] else 1 if draw < odds[0] + odds[1] else 2
            well = _open(lists, state, marks, g, doomed)
        well = well and _settle(lists, state)
        if not well or numbers[COST] - before > limit:
            take_back(lists, state)
        else:
            taken += 1
    numbers[LOGGED] = 0
    return taken


@njit(cache=True, nogil=True)
def merge_types(type_begins, which, counts):  # type: ignore[no-untyped-def]
    """Return the class of each type, (t,) int32: types that agree with the same instances are in one.

    Classes are numbered by their first types. O(pairs): lists are compared where their hashes are equal. `type_begins`,
    (t + 1,) int64, says where the instances of each type begin in `which`, (p,) int32, where they stand type by type,
    rising. `counts`, (t,) int64, has the rows of each type.
    """
    t = counts.size
    slots = np.full(room(t), -1, np.int32)
    first = np.empty(t, np.int32)
    key = np.empty(t, np.uint64)
    label = np.empty(t, np.int32)
    found = 0
    for i in range(t):
        begin, length = type_begins[i], type_begins[i + 1] - type_begins[i]
        h = np.uint64(length)
        for y in range(begin, begin + length):
            h = (h ^ np.uint64(which[y])) * np.uint64(0xBF58476D1CE4E5B9)
            h = h ^ (h >> np.uint64(29))
        s = probe(slots, key, h, h)
        while slots[s] >= 0 and not _same_list(type_begins, which, i, first[slots[s]]):
            s = probe(slots, key, h, following(s))
        if slots[s] < 0:
            slots[s] = found
            first[found] = i
            key[found] = h
            found += 1
        label[i] = slots[s]
    return label


@njit(cache=True, nogil=True)
def _same_list(begins, which, a, b):  # type: ignore[no-untyped-def]
    length = begins[a + 1] - begins[a]
    if begins[b + 1] - begins[b] != length:
        return False
    for y in range(length):  # noqa: SIM110 - compiled code knows no generators
        if which[begins[a] + y] != which[begins[b] + y]:
            return False
    return True


# The state of an annealing over a list of instances: how many rows of each type each instance holds.

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

    Between moves every open instance holds at least the rows it needs, a closed one none. The pairs with rows of an
    instance form a list that starts at ``head``, those of a type one that starts at ``type_head``. ``log`` is what the
    move at hand has done: transfers (from, to, rows), openings and closings (code, instance, 0).
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
    queue: np.ndarray


class Marks(NamedTuple):
    """What the opening of an instance notes of instances and types, stamped with the number of its move."""

    dying: np.ndarray
    touched: np.ndarray
    overlap: np.ndarray
    donors: np.ndarray
    place: np.ndarray
    seen: np.ndarray


def new_state(lists: Lists, rows: np.ndarray, types: int, seed: int) -> tuple[State, Marks]:
    """Return the state that holds the given rows per pair of a release, and no marks; free instances are always open.

    `rows` is (p,) int64, `types` the number of row types, and `seed`, at least 0, that of the random numbers.
    """
    classes, pairs = len(lists.costs), len(lists.members)
    state = State(
        rows=np.zeros(pairs, np.int64),
        size=np.zeros(classes, np.int64),
        opened=np.zeros(classes, np.uint8),
        head=np.full(classes, -1, np.int32),
        after=np.full(pairs, -1, np.int32),
        before=np.full(pairs, -1, np.int32),
        type_head=np.full(types, -1, np.int32),
        type_after=np.full(pairs, -1, np.int32),
        type_before=np.full(pairs, -1, np.int32),
        log=np.zeros((8 * types + 1024, 3), np.int64),
        numbers=np.zeros(8, np.int64),
        seed=np.array([seed], np.uint64),
        queue=np.zeros(QUEUE, np.int64),
    )
    held = np.flatnonzero(rows)
    owners = lists.owners[held]
    _chain(held, owners, state.head, state.after, state.before)
    _chain(held, lists.members[held], state.type_head, state.type_after, state.type_before)
    state.rows[held] = rows[held]
    state.opened[owners] = 1
    state.opened[lists.needs == 0] = 1
    np.add.at(state.size, owners, rows[held])
    state.numbers[COST] = state.size @ lists.costs
    return state, Marks(*np.zeros((4, classes), np.int64), *np.zeros((2, types), np.int64))


def _chain(pairs: np.ndarray, keys: np.ndarray, head: np.ndarray, after: np.ndarray, before: np.ndarray) -> None:
    """Make a list of the pairs of each key, the last one at its head."""
    order = np.argsort(keys, kind="stable")
    pairs, keys = pairs[order], keys[order]
    alike = keys[1:] == keys[:-1]
    after[pairs[1:][alike]] = pairs[:-1][alike]
    before[pairs[:-1][alike]] = pairs[1:][alike]
    last = np.append(~alike, True)[: pairs.size]
    head[keys[last]] = pairs[last]


@njit(cache=True, nogil=True)
def uniform(seed):  # type: ignore[no-untyped-def]
    """Return the next number of splitmix64, in [0, 1); `seed`, (1,) uint64, is changed in place."""
    seed[0] += STEP
    return fraction(seed[0])


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
def write(log, numbers, a, b, rows):  # type: ignore[no-untyped-def]
    """Add a line to the log; False when it is full.

    Both arrays are changed in place. `a` and `b` are the pairs of a transfer, or a code and an instance; `rows` is how
    many were moved, or 0.
    """
    n = numbers[LOGGED]
    if n >= log.shape[0]:
        return False
    log[n, 0] = a
    log[n, 1] = b
    log[n, 2] = rows
    numbers[LOGGED] = n + 1
    return True


@njit(cache=True, nogil=True)
def send(lists, state, p, q, rows):  # type: ignore[no-untyped-def]
    """Move rows of a type from pair p to pair q and write it down; False when the log is full.

    An instance that had just the rows it needs gets in the queue of those that may pass some on. Both pairs are of one
    type, and `rows` is at least 1 and at most those of p. `state` is changed in place.
    """
    if not write(state.log, state.numbers, p, q, rows):
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
