"""Sets of row types whose rows, counted, cut off a point of a linear program: found by local search."""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

__all__ = ["rounding_sets"]

NEIGHBOURS = 40  # instances around a start that are joined to it, at most


@njit(cache=True, nogil=True)
def rounding_sets(  # type: ignore[no-untyped-def]
    begins, members, values, type_begins, type_instances, type_values, counts, u, k, starts, widest, steps, work, least
):  # fmt: skip
    """Find sets T of types with a violated counting cut; see `incrowd.tables.solve.bounds.cuts.counting`.

    From every start (the types that an instance draws on, alone, with those of one instance beside it, or of all
    of them) one type at a time goes in or out, the best at the point, each at most twice; the best T passed is kept.

    `begins`, `members` and `values` have per instance that needs a crowd the types it draws on at the point, and how
    many rows of each (all above 0); nothing for any other instance. The arrays by type are the same, turned round.
    `counts` is (t,) int64, and `u` (g,) float64. `starts`, int64, are the instances to start from, in order.

    Instances that draw on more than `widest` types are not grown along. From each start at most `steps` types are
    moved. The search ends once `work` terms are added up. The violation is at least `least`.

    Returned are the violations, (c,) float64, and `set_begins`, (c + 1,) int64, and `sets`, int64: the types of set y
    are ``sets[set_begins[y]:set_begins[y + 1]]``, in no order.
    """
    g, t = u.size, counts.size
    held = np.zeros(g)
    for h in range(g):
        for y in range(begins[h], begins[h + 1]):
            held[h] += values[y]
    inside = np.zeros(t, np.bool_)
    flips = np.zeros(t, np.int64)
    known = np.zeros(t, np.bool_)  # met since the start
    met = np.empty(t, np.int64)
    stamp = np.zeros(t, np.int64)
    options = np.empty(t, np.int64)
    drawn = np.zeros(g)  # rows of T in an instance
    touched = np.zeros(g, np.bool_)
    line = np.empty(g, np.int64)
    moved = np.empty(steps, np.int64)
    beside = np.empty(NEIGHBOURS, np.int64)
    violations = []
    lengths = []
    sets = []
    turn = 0
    done = 0
    for h in starts:
        if done > work:
            break
        near = 0
        for y in range(begins[h], begins[h + 1]):
            for z in range(type_begins[members[y]], type_begins[members[y] + 1]):
                other = type_instances[z]
                fresh = other != h and begins[other + 1] - begins[other] <= widest and near < NEIGHBOURS
                for q in range(near):
                    fresh = fresh and beside[q] != other
                if fresh:
                    beside[near] = other
                    near += 1
        for variant in range(-2, near):
            if done > work:
                break
            size = 0
            rows = 0
            count = 0
            for q in range(-1, near):
                if q >= 0 and variant != -1 and variant != q:
                    continue
                other = h if q < 0 else beside[q]
                for y in range(begins[other], begins[other + 1]):
                    i = members[y]
                    if inside[i]:
                        continue
                    inside[i] = True
                    known[i] = True
                    met[count] = i
                    count += 1
                    rows += counts[i]
                    size = _move(i, 1.0, type_begins, type_instances, type_values, drawn, touched, line, size)
            best = _violation(drawn, held, u, line, size, rows, k) if rows % k else -1e9
            place = 0
            last = 0
            for _ in range(steps):
                turn += 1
                found = 0
                for z in range(size):
                    other = line[z]
                    if drawn[other] <= 1e-9 or begins[other + 1] - begins[other] > widest:
                        continue
                    for y in range(begins[other], begins[other + 1]):
                        i = members[y]
                        if stamp[i] != turn and flips[i] < 2:
                            stamp[i] = turn
                            options[found] = i
                            found += 1
                high = -1e9
                chosen = -1
                for z in range(found):
                    i = options[z]
                    sign = -1.0 if inside[i] else 1.0
                    before = size
                    size = _move(i, sign, type_begins, type_instances, type_values, drawn, touched, line, size)
                    value = _violation(drawn, held, u, line, size, rows + int(sign) * counts[i], k)
                    _move(i, -sign, type_begins, type_instances, type_values, drawn, touched, line, size)
                    for w in range(before, size):
                        touched[line[w]] = False
                        drawn[line[w]] = 0.0
                    size = before
                    done += size + 1
                    if value > high + 1e-9:
                        high = value
                        chosen = i
                if chosen < 0 or done > work:
                    break
                sign = -1.0 if inside[chosen] else 1.0
                size = _move(chosen, sign, type_begins, type_instances, type_values, drawn, touched, line, size)
                rows += int(sign) * counts[chosen]
                inside[chosen] = not inside[chosen]
                flips[chosen] += 1
                if not known[chosen]:
                    known[chosen] = True
                    met[count] = chosen
                    count += 1
                moved[last] = chosen
                last += 1
                if rows % k and high > best + 1e-9:
                    best = high
                    place = last
            for step in range(last - 1, place - 1, -1):
                inside[moved[step]] = not inside[moved[step]]
            taken = 0
            for z in range(count):
                if inside[met[z]] and best > least:
                    sets.append(met[z])
                    taken += 1
                inside[met[z]] = False
                known[met[z]] = False
                flips[met[z]] = 0
            if taken:
                violations.append(best)
                lengths.append(taken)
            for z in range(size):
                touched[line[z]] = False
                drawn[line[z]] = 0.0
    out = np.empty(len(violations))
    set_begins = np.zeros(len(violations) + 1, np.int64)
    for y in range(len(violations)):
        out[y] = violations[y]
        set_begins[y + 1] = set_begins[y] + lengths[y]
    flat = np.empty(len(sets), np.int64)
    for y in range(len(sets)):
        flat[y] = sets[y]
    return out, set_begins, flat


@njit(cache=True, nogil=True)
def _move(i, sign, type_begins, type_instances, type_values, drawn, touched, line, size):  # type: ignore[no-untyped-def]
    """Put a type into T or take it out; return how many instances were touched so far."""
    for z in range(type_begins[i], type_begins[i + 1]):
        g = type_instances[z]
        if not touched[g]:
            touched[g] = True
            line[size] = g
            size += 1
            drawn[g] = 0.0
        drawn[g] += sign * type_values[z]
    return size


@njit(cache=True, nogil=True)
def _violation(drawn, held, u, line, size, rows, k):  # type: ignore[no-untyped-def]
    """Return by how much the point breaks the cut of T with the best A (r = 0: the inequality before rounding)."""
    r = rows % k
    divisor = k - r
    total = 0.0
    for z in range(size):
        g = line[z]
        term = u[g] - (held[g] - drawn[g]) / divisor
        if term > 0:
            total += term
    return total - (rows / k if r == 0 else rows // k)
