"""The check's own loop over every range: in each group of equal nodes all runs of cells, priced one by one."""
# mypy: disable-error-code="no-untyped-def,untyped-decorator"

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

TOO_LOW = -(1 << 60)


@njit(cache=True, nogil=True)
def below_zero(lines, paid, place, value, low, high, last, counts, k, prices, hub, runs, kinds_open):
    """Return the sum of what every undominated instance of one pattern adds below 0; `TOO_LOW` or less: too much.

    lines: (2 m, t) int64, node of each type in each of the m other columns,
        then m lines of the same one level lower (-1: none).
    paid: (t,) int64, what the pattern costs; counts, prices: (t,) int64.
    place, value: (r, t) int64, cell and value of each type in each ranged column.
    low, high: (r, G) int64, a run from cell a to cell b costs the latter's b less the former's a.
    last: (r,) int64, the last cell.
    kinds_open: (3^r,) bool, whether values (0), runs (1), runs of all cells (2) in the ranged columns count;
        the last one's changes first.
    runs: (t,) int64, the types, those of equal nodes together, within them by cell and value of the last ranged column.

    `hub` says whether the runs of all cells together are full suppression, which is no instance here. In every group
    all choices for the ranged columns but the last are counted through like digits: a choice is one of the group's
    values, or a pair of its cells.
    """
    m = lines.shape[0] // 2
    r = place.shape[0]
    t = runs.size
    total = np.int64(0)
    chosen = np.zeros((r, 3), np.int64)  # first cell or value, last cell, 1 for a run
    inner = np.empty(t, np.int64)
    price = np.empty(t, np.int64)
    rows = np.empty(t, np.int64)
    lo = 0
    while lo < t:
        hi = lo + 1
        while hi < t and _agree(lines, m, runs[lo], runs[hi]):
            hi += 1
        group = runs[lo:hi]
        base = paid[runs[lo]]
        lo = hi
        many = np.int64(0)
        highest = prices[group[0]]
        for i in group:
            many += counts[i]
            highest = max(highest, prices[i])
        if many < k or highest <= base:
            continue
        if r == 1:
            total += _along(lines, m, place, value, low, high, last, counts, k, prices, hub, group, group.size, base,
                            chosen, price, rows, kinds_open)  # fmt: skip
            if total <= TOO_LOW:
                return total
            continue
        # cells and values of the group in the columns before the last, increasing
        cells = np.empty((r - 1, group.size), np.int64)
        single = np.empty((r - 1, group.size), np.int64)
        size = np.zeros((r - 1, 2), np.int64)
        for c in range(r - 1):
            own = np.unique(place[c][group])
            size[c, 0] = own.size
            cells[c, : own.size] = own
            own = np.unique(value[c][group])
            size[c, 1] = own.size
            single[c, : own.size] = own
        # digit c: below 0 a value, else the pair (first, second) of places among the cells
        first = np.zeros(r - 1, np.int64)
        second = np.full(r - 1, -1, np.int64)
        kinds = np.zeros(r - 1, np.int64)
        place_of = np.zeros(r - 1, np.int64)
        going = True
        while going:
            cost = base
            for c in range(r - 1):
                if kinds[c] == 0:
                    chosen[c, 0], chosen[c, 1], chosen[c, 2] = single[c, place_of[c]], 0, 0
                else:
                    chosen[c, 0], chosen[c, 1] = cells[c, first[c]], cells[c, second[c]]
                    chosen[c, 2] = 1
                    cost += high[c, chosen[c, 1]] - low[c, chosen[c, 0]]
            # what costs as much as the dearest price adds nothing
            n = 0
            held = np.int64(0)
            dearest = np.int64(cost)
            if cost < highest:
                for i in group:
                    if _within(place, value, chosen, r - 1, i):
                        inner[n] = i
                        n += 1
                        held += counts[i]
                        dearest = max(dearest, prices[i])
            if held >= k and dearest > cost:
                whole = hub
                for c in range(r - 1):
                    whole = whole and chosen[c, 2] == 1 and chosen[c, 0] == 0 and chosen[c, 1] == last[c]
                shape = np.int64(0)
                for c in range(r - 1):
                    all_cells = chosen[c, 0] == 0 and chosen[c, 1] == last[c]
                    shape = 3 * shape + (0 if not chosen[c, 2] else 2 if all_cells else 1)
                total += _along(lines, m, place, value, low, high, last, counts, k, prices, whole, inner, n, cost,
                                chosen, price, rows, kinds_open[3 * shape : 3 * shape + 3])  # fmt: skip
                if total <= TOO_LOW:
                    return total
            # the next choice
            c = 0
            while c < r - 1:
                if kinds[c] == 0:
                    place_of[c] += 1
                    if place_of[c] < size[c, 1]:
                        break
                    kinds[c], first[c], second[c] = 1, 0, 0
                    break
                second[c] += 1
                if second[c] < size[c, 0]:
                    break
                first[c] += 1
                second[c] = first[c]
                if first[c] < size[c, 0]:
                    break
                kinds[c], place_of[c] = 0, 0
                c += 1
            going = c < r - 1
    return total


@njit(cache=True, nogil=True)
def _agree(lines, m, i, j):
    """Return whether two types have the same nodes."""
    x = 0
    while x < m and lines[x, i] == lines[x, j]:
        x += 1
    return x == m


@njit(cache=True, nogil=True)
def _within(place, value, chosen, columns, i):
    """Return whether a type lies in what is chosen of the first columns."""
    for c in range(columns):
        if chosen[c, 2]:
            if place[c, i] < chosen[c, 0] or place[c, i] > chosen[c, 1]:
                return False
        elif value[c, i] != chosen[c, 0]:
            return False
    return True


@njit(cache=True, nogil=True)
def _tight(place, value, chosen, columns, types, first, last):
    """Return whether types reach both ends of every chosen run and have two values there."""
    for c in range(columns):
        if not chosen[c, 2]:
            continue
        low, high, several = False, False, False
        for x in range(first, last + 1):
            i = types[x]
            low = low or place[c, i] == chosen[c, 0]
            high = high or place[c, i] == chosen[c, 1]
            several = several or value[c, i] != value[c, types[first]]
        if not (low and high and several):
            return False
    return True


@njit(cache=True, nogil=True)
def _along(lines, m, place, value, low, high, last, counts, k, prices, hub, types, n, base, chosen, price, rows, left):
    """Return what the values and runs of the last ranged column add below 0 for n types in its order."""
    c = place.shape[0] - 1
    total = np.int64(0)
    highest = prices[types[0]]
    for x in range(n):
        highest = max(highest, prices[types[x]])
    for first in range(n):
        if first and value[c, types[first]] == value[c, types[first - 1]]:
            continue
        # from here on: runs begin with a whole cell, single values with themselves
        whole = first == 0 or place[c, types[first]] != place[c, types[first - 1]]
        size = 0
        held = np.int64(0)
        for end in range(first, n):
            i = types[end]
            if not whole and value[c, i] != value[c, types[first]]:
                break
            y = size
            while y > 0 and price[y - 1] < prices[i]:
                price[y] = price[y - 1]
                rows[y] = rows[y - 1]
                y -= 1
            price[y] = prices[i]
            rows[y] = counts[i]
            size += 1
            held += counts[i]
            one = value[c, i] == value[c, types[first]]
            ends_value = end + 1 == n or value[c, types[end + 1]] != value[c, i]
            ends_cell = end + 1 == n or place[c, types[end + 1]] != place[c, i]
            cost = base
            if not one:
                cost += high[c, place[c, i]] - low[c, place[c, types[first]]]
            if cost >= highest:
                break
            if held < k or not (ends_value if one else ends_cell):
                continue
            if not left[0 if one else 2 if place[c, types[first]] == 0 and place[c, i] == last[c] else 1]:
                continue
            if hub and not one and place[c, types[first]] == 0 and place[c, i] == last[c]:
                continue
            found = _least(price, rows, size, cost, k)
            if found < 0 and not _lower(lines, m, types, first, end) and _tight(
                place, value, chosen, c, types, first, end
            ):  # fmt: skip
                total += found
                if total <= TOO_LOW:
                    return total
    return total


@njit(cache=True, nogil=True)
def _least(price, rows, size, cost, k):
    """Return the least of sum (cost - price) over at least k rows."""
    total = np.int64(0)
    taken = np.int64(0)
    for x in range(size):
        if price[x] <= cost and taken >= k:
            break
        use = rows[x] if price[x] > cost else min(rows[x], k - taken)
        total += (cost - price[x]) * use
        taken += use
    return total


@njit(cache=True, nogil=True)
def _lower(lines, m, runs, first, last):
    """Return whether one of the other columns agrees one level lower for all types of a run."""
    for j in range(m):
        own = lines[m + j, runs[first]]
        if own < 0:
            continue
        alike = True
        for x in range(first + 1, last + 1):
            if lines[m + j, runs[x]] != own:
                alike = False
                break
        if alike:
            return True
    return False
