from __future__ import annotations

from functools import cache

import numpy as np

from incrowd.kernels.dynamic_programs import CHAIN_TREE_NEVER as NEVER
from incrowd.kernels.dynamic_programs import settle


def test_every_table_is_that_of_trying_all_ways_to_stay_or_go_up():
    for seed in range(80):
        rng = np.random.default_rng(seed)
        nodes, leaves = int(rng.integers(1, 6)), int(rng.integers(1, 4))
        leaves = min(leaves, nodes)
        parent = [int(rng.integers(max(x + 1, leaves), nodes)) if x < nodes - 1 and nodes > leaves else -1
                  for x in range(nodes)]  # fmt: skip
        below = [[y for y in range(nodes) if parent[y] == x] for x in range(nodes)]
        rows = np.array([0 if below[x] else int(rng.integers(0, 5)) for x in range(nodes)])
        cost, need = rng.integers(0, 4, nodes), rng.integers(1, 4, nodes)
        total = [0] * nodes
        for x in range(nodes):
            total[x] = int(rows[x]) + sum(total[y] for y in below[x])
        cap = np.array(total)

        @cache
        def least(x, up, below=below, rows=rows, cost=cost, need=need, total=total):
            """The least cost of the rows below x if exactly `up` of them go on from x."""
            ways = {int(rows[x]): 0}
            for y in below[x]:
                ways = {
                    s + j: min(ways[s] + least(y, j) for s in ways for j in range(total[y] + 1) if s + j == at)
                    for at in {s + j for s in ways for j in range(total[y] + 1)}
                    for s, j in [(at, 0)]
                }
            stays = {s: s - up for s in ways}
            fit = [v + stays[s] * int(cost[x]) for s, v in ways.items() if stays[s] == 0 or stays[s] >= need[x]]
            return min([*fit, int(NEVER)])

        first = np.concatenate(([0], np.cumsum([len(ys) for ys in below])))
        child = np.array([y for ys in below for y in ys], np.int64)
        begin = np.concatenate(([0], np.cumsum(cap + 1)))
        best, arrived = np.zeros(begin[-1], np.int64), np.zeros(begin[-1], np.int32)
        share = np.zeros((int(sum((cap[x] + need[x] + 1) * len(below[x]) for x in range(nodes))) + 1, 2), np.int32)
        node = used = 0
        while node < nodes:
            node, used = settle(
                first, child, rows, cost, need, cap, begin, best, arrived, share, node, used, int(rng.integers(1, 30))
            )
        assert used == len(share) - 1
        for x in range(nodes):
            found = [min(int(v), int(NEVER)) for v in best[begin[x] : begin[x + 1]]]
            assert found == [least(x, up) for up in range(total[x] + 1)]
