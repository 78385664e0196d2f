"""The transportation problem in whole numbers: successive shortest paths."""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit


@njit(cache=True, nogil=True)
def least_cost(supply, demand, cost, limit):  # type: ignore[no-untyped-def]
    """Return the least cost of moving all supplies to the demands, or some number above `limit` once it is above it.

    `supply`, (s,) int64, and `demand`, (r,) int64, are at least 1 each and have the same sum; `cost`, (s, r) int64, is
    at least 0 each. Rows go along cheapest paths, the cheapest first (dense Dijkstra with potentials), so that what is
    left costs at least the present path a unit. O((s + r)^2) per path, usually about s + r of them. Sums stay below 2 *
    cost.max() * supply.sum(). Called as `least_cost.py_func` on arrays of Python integers it has no such limit.
    """
    s, r = supply.size, demand.size
    supply, demand = supply.copy(), demand.copy()
    far = cost.max() * (s + r + 1) + 1
    flow = np.zeros_like(cost)
    out, into = np.zeros_like(supply), np.zeros_like(demand)  # potentials
    left = supply.sum()
    total = left - left
    while left > 0:
        near, reach = np.full_like(supply, far), np.full_like(demand, far)
        done, over = np.zeros(s, np.bool_), np.zeros(r, np.bool_)
        from_sink, from_source = np.full(s, -1), np.full(r, -1)
        for i in range(s):
            if supply[i] > 0:
                near[i] = 0
        goal = -1
        while goal < 0:
            best, at, sink = far, -1, False
            for i in range(s):
                if not done[i] and near[i] < best:
                    best, at, sink = near[i], i, False
            for j in range(r):
                if not over[j] and reach[j] < best:
                    best, at, sink = reach[j], j, True
            if sink:
                over[at] = True
                if demand[at] > 0:
                    goal = at
                    break
                for i in range(s):
                    if flow[i, at] > 0 and not done[i]:
                        length = best + into[at] - out[i] - cost[i, at]
                        if length < near[i]:
                            near[i], from_sink[i] = length, at
            else:
                done[at] = True
                for j in range(r):
                    if not over[j]:
                        length = best + cost[at, j] + out[at] - into[j]
                        if length < reach[j]:
                            reach[j], from_source[j] = length, at
        length = reach[goal]
        for i in range(s):
            out[i] += min(near[i], length)
        for j in range(r):
            into[j] += min(reach[j], length)
        price = into[goal]  # sources with supply stay at 0
        if total + left * price > limit:
            return total + left * price
        amount, j = demand[goal], goal
        while True:
            i = from_source[j]
            if from_sink[i] < 0:
                amount = min(amount, supply[i])
                break
            j = from_sink[i]
            amount = min(amount, flow[i, j])
        demand[goal] -= amount
        j = goal
        while True:
            i = from_source[j]
            flow[i, j] += amount
            if from_sink[i] < 0:
                supply[i] -= amount
                break
            j = from_sink[i]
            flow[i, j] -= amount
        left -= amount
        total += amount * price
    return total
