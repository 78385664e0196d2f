"""Counting cuts: finding violated ones, and the value of prices and multipliers in integers."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.bounds.prices import cheapest_rest
from incrowd.loops import njit


@njit(cache=True, nogil=True)
def counted(begins, members, type_begins, type_instances, type_pairs, counts, needs, x, u, k, largest, least):  # type: ignore[no-untyped-def]
    """Find the instances whose rows T give a violated rounding cut; see `incrowd.tables.solve.bounds.cuts`.

    `begins`, `members`, `counts` and `needs` are as in `Instances`, and the arrays by type as in `Instances.by_type`.
    `x`, (p,) float64, and `u`, (g,) float64, are a point of the linear program. T has at most `largest` rows, and the
    violation is at least `least`. Returned are four arrays. The sources, (c,) int64, are the instances whose types are
    the T of a cut, and the violations are (c,) float64. With the last two, `cut_begins`, (c + 1,) int64, and `chosen`,
    int32, cut y sums over the instances ``chosen[cut_begins[y]:cut_begins[y + 1]]``.
    """
    g = needs.size
    held = np.zeros(g)
    for h in range(g):
        for y in range(begins[h], begins[h + 1]):
            held[h] += x[y]
    inside = np.empty(g)
    source = np.full(g, -1, np.int64)  # whose rows `inside` counts; they may add up to 0, for x may be below it
    met = np.empty(g, np.int64)
    sources = []
    violations = []
    lengths = []
    chosen = []
    for h in range(g):
        if needs[h] == 0:
            continue
        rows = 0
        for y in range(begins[h], begins[h + 1]):
            rows += counts[members[y]]
            if rows > largest:
                break
        r = rows % k
        if rows > largest or r == 0:
            continue
        size = 0
        for y in range(begins[h], begins[h + 1]):
            i = members[y]
            for z in range(type_begins[i], type_begins[i + 1]):
                other = type_instances[z]
                if needs[other] > 0 and u[other] > 1e-7:
                    if source[other] != h:
                        source[other] = h
                        met[size] = other
                        size += 1
                        inside[other] = 0.0
                    inside[other] += x[type_pairs[z]]
        total = 0.0
        for y in range(size):
            other = met[y]
            gain = u[other] - (held[other] - inside[other]) / (k - r)
            if gain > 1e-9:
                total += gain
        if total > rows // k + least:
            taken = 0
            for y in range(size):
                other = met[y]
                if u[other] - (held[other] - inside[other]) / (k - r) > 1e-9:
                    chosen.append(other)
                    taken += 1
            sources.append(h)
            violations.append(total - rows // k)
            lengths.append(taken)
    cut_begins = np.zeros(len(lengths) + 1, np.int64)
    for y in range(len(lengths)):
        cut_begins[y + 1] = cut_begins[y] + lengths[y]
    out_sources = np.empty(len(sources), np.int64)
    out_violations = np.empty(len(sources))
    for y in range(len(sources)):
        out_sources[y] = sources[y]
        out_violations[y] = violations[y]
    out = np.empty(len(chosen), np.int32)
    for y in range(len(chosen)):
        out[y] = chosen[y]
    return out_sources, out_violations, cut_begins, out


@njit(cache=True, nogil=True)
def triples(begins, members, type_begins, type_instances, type_pairs, counts, needs, x, u, least, most):  # type: ignore[no-untyped-def]
    """Find triples of single-row types of which the point splits pairs over too many instances.

    `begins`, (g + 1,) int64, says where the members of each instance begin in `members`, (p,) int32: row types,
    instance by instance. `type_begins`, (t + 1,) int64, says where the instances of each type begin in `type_instances`
    and `type_pairs`, (p,) int: instances and pairs of each type, instances rising. `counts`, (t,) int64, are the rows
    of each type, and `needs`, (g,) int64, the least rows of each instance. At the point `x`, (p,) float64, are the rows
    per pair, and `u`, (g,) float64, says how far each instance is open. A triple is taken from a violation of `least`
    on; `most` triples are returned. The result is the triples, (c, 3) int64, types a < b < c with sum over instances of
    (the two largest x of the three - u)+ above 1 + `least`, and their violations, (c,) float64.
    """
    t = counts.size
    single = np.zeros(t, np.bool_)
    for i in range(t):
        if counts[i] != 1:
            continue
        for z in range(type_begins[i], type_begins[i + 1]):
            value = x[type_pairs[z]]
            if needs[type_instances[z]] > 0 and 1e-6 < value < 1 - 1e-6:
                single[i] = True
    found = []  # type: ignore[var-annotated]
    violations = []
    mark = np.full(t, -1, np.int64)
    near = np.empty(t, np.int64)
    for a in range(t):
        if not single[a]:
            continue
        size = 0
        for z in range(type_begins[a], type_begins[a + 1]):
            g = type_instances[z]
            if needs[g] == 0 or x[type_pairs[z]] <= 1e-6:
                continue
            for y in range(begins[g], begins[g + 1]):
                b = members[y]
                if b > a and single[b] and mark[b] != a and x[y] > 1e-6:
                    mark[b] = a
                    near[size] = b
                    size += 1
        if size > 60:
            size = 60
        for p in range(size):
            for q in range(p + 1, size):
                b, c = min(near[p], near[q]), max(near[p], near[q])
                total = 0.0
                # Instances that hold two of the three: those of a, then those of b and c without a.
                for z in range(type_begins[a], type_begins[a + 1]):
                    g = type_instances[z]
                    if needs[g] == 0 or u[g] < 1e-7:
                        continue
                    xa = x[type_pairs[z]]
                    xb = _value(begins, members, x, g, b)
                    xc = _value(begins, members, x, g, c)
                    if xb < 0 and xc < 0:
                        continue
                    low = min(xa, min(xb, xc))
                    total += max(0.0, xa + xb + xc - low - u[g])
                for z in range(type_begins[b], type_begins[b + 1]):
                    g = type_instances[z]
                    if needs[g] == 0 or u[g] < 1e-7:
                        continue
                    if _value(begins, members, x, g, a) >= 0:
                        continue
                    xc = _value(begins, members, x, g, c)
                    if xc >= 0:
                        total += max(0.0, x[type_pairs[z]] + xc - u[g])
                if total > 1 + least and len(found) < most:
                    found.append((a, b, c))
                    violations.append(total - 1)
    out = np.empty((len(found), 3), np.int64)
    values = np.empty(len(found))
    for y in range(len(found)):
        out[y, 0], out[y, 1], out[y, 2] = found[y]
        values[y] = violations[y]
    return out, values


@njit(cache=True, nogil=True)
def _value(begins, members, x, g, i):  # type: ignore[no-untyped-def]
    """Return the value of the pair (i, g), -1 when i does not agree with g."""
    low, high = begins[g], begins[g + 1]
    while low < high:
        middle = (low + high) // 2
        if members[middle] < i:
            low = middle + 1
        else:
            high = middle
    if low < begins[g + 1] and members[low] == i:
        return x[low]
    return -1.0


@njit(cache=True, nogil=True)
def priced(begins, members, counts, costs, needs, prices, extra, fixed, state):  # type: ignore[no-untyped-def]
    """Return the sum of the instances' least costs at given prices, cut terms included, in integers.

    `costs`, (g,) int64, are in parts, and `prices` are (t,) int64. `extra`, (p,) int64, has the cut terms of a row per
    pair, and `fixed`, (g,) int64, those of opening an instance. `state`, (g,) int8, is 0 where an instance is free to
    open, 1 where it is open and -1 where it is closed.
    """
    total = np.int64(0)
    longest = 0
    for g in range(costs.size):
        longest = max(longest, begins[g + 1] - begins[g])
    terms = np.empty(longest, np.int64)
    for g in range(costs.size):
        if state[g] < 0:
            continue
        size = 0
        value = fixed[g]
        missing = needs[g]
        for y in range(begins[g], begins[g + 1]):
            i = members[y]
            term = costs[g] - prices[i] + extra[y]
            if term < 0:
                value += term * counts[i]
                missing -= counts[i]
            terms[size] = term
            size += 1
        if missing > 0:
            if state[g] == 0 and value >= 0:
                continue
            order = np.argsort(terms[:size], kind="mergesort")
            for place in order:
                if missing <= 0:
                    break
                if terms[place] < 0:
                    continue
                take = min(missing, counts[members[begins[g] + place]])
                value += take * terms[place]
                missing -= take
        if state[g] > 0 or value < 0:
            total += value
    return total


# Sets of row types whose rows, counted, cut off a point of a linear program: found by local search.
NEIGHBOURS = 40  # instances around a start that are joined to it, at most


@njit(cache=True, nogil=True)
def rounding_sets(  # type: ignore[no-untyped-def]
    begins, members, values, type_begins, type_instances, type_values, counts, u, k, starts, widest, steps, work, least
):  # fmt: skip
    """Find sets T of types with a violated counting cut; see `incrowd.tables.solve.bounds.cuts`.

    From every start (the types that an instance draws on, alone, with those of one instance beside it, or of all of
    them) one type at a time goes in or out, the best at the point, each at most twice; the best T passed is kept.
    `begins`, `members` and `values` have per instance that needs a crowd the types it draws on at the point, and how
    many rows of each (all above 0); nothing for any other instance. The arrays by type are the same, turned round.
    `counts` is (t,) int64, and `u` (g,) float64. `starts`, int64, are the instances to start from, in order. Instances
    that draw on more than `widest` types are not grown along. From each start at most `steps` types are moved. The
    search ends once `work` terms are added up. The violation is at least `least`. Returned are the violations, (c,)
    float64, and `set_begins`, (c + 1,) int64, and `sets`, int64: the types of set y are
    ``sets[set_begins[y]:set_begins[y + 1]]``, in no order.
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


# Reduced costs with the terms of cuts in them, and the pairs that the program of a block of row types needs.
@njit(cache=True, nogil=True)
def cut_reduced_costs(begins, members, counts, costs, needs, prices, extra, fixed, chosen, rc):  # type: ignore[no-untyped-def]
    """Price some instances with the terms of cuts; return the sum of what is negative.

    `begins`, `members`, `counts` and `needs` are as in `incrowd.tables.solve.shared.instances.Instances`. `costs` is
    (g,) float64 and `prices` (t,) float64. `extra`, (p,) float64, has the cut terms of a row per pair, and `fixed`,
    (g,) float64, those of opening an instance. `chosen`, (c,) int64, are the instances to price; their reduced costs
    are written into `rc`, (g,) float64, in their places. It takes O(pairs of the chosen ones), and as much again at
    worst.
    """
    longest = 1
    for g in chosen:
        longest = max(longest, begins[g + 1] - begins[g])
    terms = np.empty(longest)
    rows = np.empty(longest, np.int64)
    low = np.empty(longest + 1)
    low_rows = np.empty(longest + 1, np.int64)
    total = 0.0
    for g in chosen:
        value = fixed[g]
        count = 0
        filled = 0
        for y in range(begins[g], begins[g + 1]):
            i = members[y]
            term = costs[g] - prices[i] + extra[y]
            if term < 0:
                value += term * counts[i]
                count += counts[i]
            else:
                terms[filled] = term
                rows[filled] = counts[i]
                filled += 1
        if needs[g] > count:
            value += cheapest_rest(terms, rows, filled, needs[g] - count, low, low_rows)
        rc[g] = value
        if value < 0:
            total += value
    return total


@njit(cache=True, nogil=True)
def block_pairs(begins, members, counts, costs, needs, prices, extra, inside, chosen):  # type: ignore[no-untyped-def]
    """Return the pairs that the program of a block needs: all of its types, of others those that can be of use.

    Of the types outside the block, whose prices are held, an instance uses the negative ones and the cheapest others,
    `needs` rows at most. `inside`, (t,) bool, marks the types of the block; the other arguments are as in
    `cut_reduced_costs`. Returned are the number of pairs of each chosen instance, (c,) int64, and the places of the
    pairs, (q,) int64, increasing inside an instance.
    """
    lengths = np.zeros(chosen.size, np.int64)
    longest = 1
    total = 0
    for g in chosen:
        longest = max(longest, begins[g + 1] - begins[g])
        total += begins[g + 1] - begins[g]
    pairs = np.empty(total, np.int64)
    terms = np.empty(longest)
    places = np.empty(longest, np.int64)
    keep = np.zeros(longest, np.bool_)
    size = 0
    for c in range(chosen.size):
        g = chosen[c]
        first = begins[g]
        width = begins[g + 1] - first
        filled = 0
        for y in range(width):
            i = members[first + y]
            keep[y] = inside[i]
            if not inside[i]:
                terms[filled] = costs[g] - prices[i] + extra[first + y]
                places[filled] = y
                filled += 1
        if filled:
            order = np.argsort(terms[:filled], kind="mergesort")
            held = 0
            for z in order:
                if terms[z] >= 0 and held >= needs[g]:
                    break
                keep[places[z]] = True
                held += counts[members[first + places[z]]]
        for y in range(width):
            if keep[y]:
                pairs[size] = first + y
                size += 1
                lengths[c] += 1
    return lengths, pairs[:size].copy()
