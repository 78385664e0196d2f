"""The earth mover's distance in any metric: a transportation problem in whole numbers, with its own proof.

What lies too much at some values is moved to where it lacks, along cheapest paths. That the cost is least is then
proved by prices (Kantorovich, Rubinstein): where no two values' prices differ by more than their distance, no way of
moving a class to the table's shares costs less than ``sum(price * excess)``; and that is what was paid.
"""
# mypy: disable-error-code="no-untyped-def,untyped-decorator"

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.loops import njit
from incrowd.tables.verify.requirements.counts import LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


def least_work(excess: NDArray[Any], costs: NDArray[Any]) -> int:
    """Return the least cost of moving what is too much to where it lacks.

    `excess` (d,) sums to 0. `costs` (d, d) are distances: 0 on the diagonal, symmetric, and no way round is shorter.
    About 2 d paths are needed, each found by going over the d * d pairs a few times, in Python's integers where 64 bits
    may not do.
    """
    amount = int(np.abs(excess).sum())
    if not amount:
        return 0
    fits = amount * (int(costs.max()) + 1) * (2 * excess.size + 2) < LIMIT
    kind: type = np.int64 if fits else object
    excess, costs = excess.astype(kind), costs.astype(kind)
    more, less = np.flatnonzero(excess > 0), np.flatnonzero(excess < 0)
    solve: Callable[..., Any] = _move if fits else _move.py_func
    paid, prices = solve(excess[more], -excess[less], np.ascontiguousarray(costs[np.ix_(more, less)]))
    # a price for every value, no further apart than the values are
    price = (costs[:, less] + prices[None, :]).min(axis=1)
    if (price[:, None] - price[None, :] > costs).any() or int((price * excess).sum()) != int(paid):
        raise AssertionError("prices do not prove that the work found is least: the distances are no metric")
    return int(paid)


@njit(cache=True, nogil=True)
def _move(supply, demand, costs):
    """Return the cost of moving all supplies to the demands, (s,) to (r,), and a price for each demand.

    Each round finds cheapest ways from what is left over by going over all pairs until nothing gets shorter; what was
    moved may be sent back at the price it cost.
    """
    s, r = costs.shape
    supply, demand = supply.copy(), demand.copy()
    flow = np.zeros_like(costs)
    left = supply.sum()
    paid = left - left
    far = (costs.max() + 1) * (s + r + 1)
    near, reach = np.zeros_like(supply), np.zeros_like(demand)
    while left > 0:
        came_from = np.full(r, -1)
        back_from = np.full(s, -1)
        for i in range(s):
            near[i] = 0 if supply[i] > 0 else far
        reach[:] = far
        again = True
        while again:
            again = False
            for i in range(s):
                if near[i] < far:
                    for j in range(r):
                        if near[i] + costs[i, j] < reach[j]:
                            reach[j] = near[i] + costs[i, j]
                            came_from[j] = i
            for j in range(r):
                if reach[j] < far:
                    for i in range(s):
                        if flow[i, j] > 0 and reach[j] - costs[i, j] < near[i]:
                            near[i] = reach[j] - costs[i, j]
                            back_from[i] = j
                            again = True
        goal = -1
        for j in range(r):
            if demand[j] > 0 and (goal < 0 or reach[j] < reach[goal]):
                goal = j
        amount = demand[goal]
        j = goal
        while True:
            i = came_from[j]
            if back_from[i] < 0:
                amount = min(amount, supply[i])
                break
            j = back_from[i]
            amount = min(amount, flow[i, j])
        demand[goal] -= amount
        paid += amount * reach[goal]
        left -= amount
        j = goal
        while True:
            i = came_from[j]
            flow[i, j] += amount
            if back_from[i] < 0:
                supply[i] -= amount
                break
            j = back_from[i]
            flow[i, j] -= amount
    # prices of the demands: the shortest ways from all supplies in what is left of the graph
    worth = np.zeros_like(supply)
    prices = np.zeros_like(demand)
    again = True
    while again:
        again = False
        for i in range(s):
            for j in range(r):
                if worth[i] + costs[i, j] < prices[j]:
                    prices[j] = worth[i] + costs[i, j]
                    again = True
                if flow[i, j] > 0 and prices[j] - costs[i, j] < worth[i]:
                    worth[i] = prices[j] - costs[i, j]
                    again = True
    return paid, -prices
