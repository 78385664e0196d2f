"""Counting cuts: finding violated ones, and the value of prices and multipliers in integers."""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

__all__ = ["counted", "priced", "triples"]


@njit(cache=True, nogil=True)
def counted(begins, members, type_begins, type_instances, type_pairs, counts, needs, x, u, k, largest, least):  # type: ignore[no-untyped-def]
    """Find the instances whose rows T give a violated rounding cut; see `incrowd.tables.solve.bounds.cuts.counting`.

    `begins`, `members`, `counts` and `needs` are as in `Instances`, and the arrays by type as in `Instances.by_type`.
    `x`, (p,) float64, and `u`, (g,) float64, are a point of the linear program. T has at most `largest` rows, and the
    violation is at least `least`.

    Returned are four arrays. The sources, (c,) int64, are the instances whose types are the T of a cut, and the
    violations are (c,) float64. With the last two, `cut_begins`, (c + 1,) int64, and `chosen`, int32, cut y sums over
    the instances ``chosen[cut_begins[y]:cut_begins[y + 1]]``.
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
    per pair, and `u`, (g,) float64, says how far each instance is open.

    A triple is taken from a violation of `least` on; `most` triples are returned. The result is the triples, (c, 3)
    int64, types a < b < c with sum over instances of (the two largest x of the three - u)+ above 1 + `least`, and their
    violations, (c,) float64.
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
