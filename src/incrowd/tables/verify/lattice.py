"""The check's own walk over all patterns: which instances there are, counted anew.

Shares no code with the solvers. An instance is looked at when at least k rows agree with it. It is passed over
when its rows also agree under an allowed level vector that comes before its own by (cost, stars, lexicographic
order): whatever a release puts there it may put into the other one, at no more cost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.loops import njit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    Int64 = NDArray[np.int64]
    Int32 = NDArray[np.int32]


AT_ONCE = 1 << 24  # simple steps between two looks at whether to stop
MEMBERS = 1 << 20


def find(
    nodes: Int64, paid: Int64, start: Int64, heights: Int64, width: Int64, word: Int64, words: int, vectors: Int64,
    place: Int32, radix: Int64, uniform: bool, counts: Int64, k: int, skip: int, everything: bool, parts: int,
    prices: Int64, most: int, ask: Callable[[], object] = lambda: None,
) -> tuple[Int32, Int64, Int32]:  # fmt: skip
    """Return pattern, beginning and members of the instances that matter; broken off after `most` members.

    Unless everything is wanted, patterns under which no row can cost less than the highest price are not walked [I1],
    and only instances are returned that add something below 0 at `prices` [P2]. The pattern `skip` (the free one, or
    -1) is passed over. `uniform` says whether a row's cost depends on its level vector alone. `ask` is called again and
    again, and ends the walk by an exception. nodes, paid: (L, t), node and scaled cost per line (a column at a level)
    and row type. start, heights, word, radix: (m,); width: (L,); counts, prices: (t,), prices in `parts`. vectors: (p,
    m), the allowed level vectors in lexicographic order. place: (lattice,), -1 where a level vector is not allowed,
    indexed by ``radix``. `width` is what a line's node is multiplied with in its column's key word, and `word` which of
    the `words` key words that is. Together the key words tell any two instances of a pattern apart.
    """
    chosen = np.arange(len(vectors))
    if not everything and counts.size:
        cheapest = paid.min(axis=1)
        flat = np.zeros(len(vectors), np.int64)
        for j, first in enumerate(start):
            ask()
            flat += cheapest[first + vectors[:, j]]
        chosen = chosen[parts * flat < prices.max(initial=0)]
    chosen = chosen[chosen != skip]
    best = np.full(place.size, -2, np.int32)
    found, filled = [], 0
    some = max(AT_ONCE // max(counts.size * len(start), 1), 1)
    for low in range(0, max(len(chosen), 1), some):
        ask()
        found.append(_find(
            nodes, paid, start, heights, width, word, words, vectors, place, radix, uniform, counts, k,
            chosen[low : low + some], everything, parts, prices, most - filled, best,
        ))  # fmt: skip
        filled += len(found[-1][2])
        if filled > most:
            break
    which, begins, members = zip(*found, strict=True)
    lengths = np.concatenate([np.diff(one) for one in begins])
    return np.concatenate(which), np.concatenate(([0], np.cumsum(lengths))), np.concatenate(members)


def pieces(begins: Int64) -> Iterator[tuple[int, int]]:
    """Yield from and to of instances side by side, of some million members together or one instance."""
    low = 0
    while low < begins.size - 1:
        high = max(int(np.searchsorted(begins, begins[low] + MEMBERS, "right")) - 1, low + 1)
        yield low, high
        low = high


@njit(cache=True, nogil=True)
def _find(  # type: ignore[no-untyped-def]
    nodes, paid, start, heights, width, word, words, vectors, place, radix, uniform, counts, k, chosen, everything,
    parts, prices, most, best
):  # fmt: skip
    """Return what `find` does, of the chosen patterns alone; `best` is kept between calls."""
    m = vectors.shape[1]
    t = counts.size
    size = 16
    while size < 2 * t:
        size *= 2
    keys = np.empty((words, t), np.int64)
    cost = np.empty(t, np.int64)
    table = np.full(size, -1, np.int32)
    owner = np.empty(t, np.int32)
    slot_of = np.empty(t, np.int64)
    held = np.empty(t, np.int64)
    below = np.empty(t, np.int64)
    some = np.empty(t, np.int64)
    rest = np.empty(t, np.int64)
    first = np.empty(t, np.int32)
    link = np.empty(t, np.int32)
    last = np.empty(t, np.int32)
    joint = np.zeros(m, np.int64)
    which = np.empty(64, np.int32)
    begins = np.zeros(65, np.int64)
    members = np.empty(1024, np.int32)
    found = 0
    filled = 0
    for v in chosen:
        keys[:] = 0
        for j in range(m):
            line = start[j] + vectors[v, j]
            w = word[j]
            for i in range(t):
                keys[w, i] += nodes[line, i] * width[line]
        cost[:] = 0
        for j in range(m):
            line = start[j] + vectors[v, j]
            for i in range(t):
                cost[i] += paid[line, i]
        groups = 0
        # [I1] First those that open a group, then the others that belong to one.
        for turn in range(2):
            for i in range(t):
                opens = everything or parts * cost[i] < prices[i]
                if opens != (turn == 0):
                    continue
                mixed = np.uint64(0)
                for w in range(words):
                    mixed = (mixed ^ np.uint64(keys[w, i])) * np.uint64(0x9E3779B97F4A7C15)
                    mixed ^= mixed >> np.uint64(29)
                s = np.int64(mixed & np.uint64(size - 1))
                owner[i] = -1
                while table[s] >= 0:
                    g = table[s]
                    same = True
                    for w in range(words):
                        if keys[w, first[g]] != keys[w, i]:
                            same = False
                            break
                    if same:
                        owner[i] = g
                        break
                    s = (s + 1) & (size - 1)
                if owner[i] < 0:
                    if turn == 1:
                        continue
                    table[s] = groups
                    slot_of[groups] = s
                    owner[i] = groups
                    first[groups] = i
                    held[groups] = 0
                    below[groups] = 0
                    some[groups] = 0
                    rest[groups] = -1
                    last[groups] = -1
                    groups += 1
                g = owner[i]
                term = parts * cost[i] - prices[i]
                held[g] += counts[i]
                if term < 0:
                    below[g] += term * counts[i]
                    some[g] += counts[i]
                elif rest[g] < 0 or term < rest[g]:
                    rest[g] = term
                link[i] = last[g]
                last[g] = i
        for g in range(groups):
            table[slot_of[g]] = -1
            if held[g] < k:  # [I2]
                continue
            if not everything and below[g] + max(k - some[g], 0) * max(rest[g], 0) >= 0:
                continue  # nor with its cheapest row for all that it lacks
            lacks = k - some[g]
            if not everything and lacks > 0:  # [P2]
                below[g] += _filled(last[g], link, cost, counts, prices, parts, lacks)
            if not everything and below[g] >= 0:
                continue
            one = last[g]
            lower = False
            for j in range(m):
                level = np.int64(0)
                i = link[one]
                while i >= 0 and level < vectors[v, j]:
                    while level < vectors[v, j] and nodes[start[j] + level, i] != nodes[start[j] + level, one]:
                        level += 1
                    i = link[i]
                joint[j] = level
                lower = lower or level < vectors[v, j]
            if lower:
                spot = np.int64(0)
                for j in range(m):
                    spot += joint[j] * radix[j]
                if place[spot] >= 0:  # [I3]
                    continue
                come = best[spot]
                if come == -2 or not uniform:
                    come = _first_above(joint, vectors, paid, start, heights, one)
                    best[spot] = come
                if come != v:  # [I3]
                    continue
            if found == which.size:
                which = np.concatenate((which, np.empty(found, np.int32)))
                begins = np.concatenate((begins, np.empty(found, np.int64)))
            which[found] = v
            i = last[g]
            while i >= 0:
                if filled == members.size:
                    members = np.concatenate((members, np.empty(filled, np.int32)))
                members[filled] = i
                filled += 1
                i = link[i]
            found += 1
            begins[found] = filled
            members[begins[found - 1] : filled].sort()
            if filled > most:
                return which[:found].copy(), begins[: found + 1].copy(), members[:filled].copy()
    return which[:found].copy(), begins[: found + 1].copy(), members[:filled].copy()


@njit(cache=True, nogil=True)
def _filled(one, link, cost, counts, prices, parts, lacks):  # type: ignore[no-untyped-def]
    """Return what the rows add that an instance lacks, the cheapest of those that add 0 and more."""
    size = 0
    i = one
    while i >= 0:
        size += 1
        i = link[i]
    terms = np.empty(size, np.int64)
    rows = np.empty(size, np.int64)
    size = 0
    i = one
    while i >= 0:
        term = parts * cost[i] - prices[i]
        if term >= 0:
            terms[size] = term
            rows[size] = counts[i]
            size += 1
        i = link[i]
    value = np.int64(0)
    for y in np.argsort(terms[:size], kind="mergesort"):
        n = min(rows[y], lacks)
        value += n * terms[y]
        lacks -= n
        if lacks == 0:
            break
    return value


@njit(cache=True, nogil=True)
def _first_above(joint, vectors, paid, start, heights, one):  # type: ignore[no-untyped-def]
    """Return the allowed vector at or above `joint` that is first by (cost of row type `one`, stars, order)."""
    chosen = -1
    least = np.int64(0)
    fewest = np.int64(0)
    for v in range(vectors.shape[0]):
        cost = np.int64(0)
        stars = np.int64(0)
        above = True
        for j in range(joint.size):
            level = vectors[v, j]
            if level < joint[j]:
                above = False
                break
            cost += paid[start[j] + level, one]
            stars += level == heights[j]
        if above and (chosen < 0 or cost < least or (cost == least and stars < fewest)):
            chosen, least, fewest = v, cost, stars
    return chosen


def worth(
    begins: Int64, members: Int32, counts: Int64, scaled: Int64, needs: Int64, prices: Int64, extra: Int64,
    fixed: Int64, state: NDArray[np.int8], ask: Callable[[], object] = lambda: None,
) -> Int64:  # fmt: skip
    """Return per instance the least it can add to a release's cost less prices, shape (g,) int64.

    The least sum of row terms over at least `needs` rows, plus what opening costs; at most 0 unless the state says open
    (1), and 0 where it says closed (-1). Of row types, `begins` to the next one of `members` are an instance's; it
    needs so many rows, each costs `scaled` parts less its price and what is `extra` for that member, and opening it
    costs `fixed`. `ask` ends the count by an exception.
    """
    found = [np.zeros(0, np.int64)]
    for low, high in pieces(begins):
        ask()
        found.append(_worth(
            begins[low : high + 1], members, counts, scaled[low:high], needs[low:high], prices, extra, fixed[low:high],
            state[low:high],
        ))  # fmt: skip
    return np.concatenate(found)


@njit(cache=True, nogil=True)
def _worth(begins, members, counts, scaled, needs, prices, extra, fixed, state):  # type: ignore[no-untyped-def]
    result = np.zeros(scaled.size, np.int64)
    for g in range(scaled.size):
        if state[g] < 0:
            continue
        length = begins[g + 1] - begins[g]
        terms = np.empty(length, np.int64)
        for y in range(length):
            terms[y] = scaled[g] - prices[members[begins[g] + y]] + extra[begins[g] + y]
        value = fixed[g]
        rows = 0
        for y in np.argsort(terms, kind="mergesort"):  # [P2]
            n = counts[members[begins[g] + y]]
            if terms[y] >= 0:
                if rows >= needs[g]:
                    break
                n = min(n, needs[g] - rows)
            value += n * terms[y]
            rows += n
        result[g] = value if state[g] > 0 else min(value, 0)
    return result
