"""The kernels of the dynamic programs against loops over every multiset."""

from __future__ import annotations

import itertools

import numpy as np

from incrowd.kernels.dynamic_programs import CHAIN_TREE_NEVER as UNREACHED
from incrowd.kernels.dynamic_programs import NEVER, list_classes, settle
from incrowd.tables.solve.dynamic_programs.subset_dp import Classes
from incrowd.tables.solve.dynamic_programs.subsets import join_types
from incrowd.tables.solve.shared.requirement_check import judge
from oracles.problems import random_problem
from oracles.required import random_required


def test_groups_are_listed_as_by_trying_every_multiset():
    for seed in range(40):
        rng = np.random.default_rng([91, seed])
        problem = random_required(rng, "frequency") if seed % 2 else random_problem(rng, rows=1 + seed % 8)
        joins, verdicts = join_types(problem), judge(problem)
        free = problem.outliers == "suppress" and problem.patterns.allows_full_suppression
        most = problem.types.n if problem.requirements else min(2 * problem.k - 1, problem.types.n)
        groups = Classes(problem, joins, verdicts, free=free, most=most)
        t, counts, parts = problem.types.t, problem.types.counts, 4
        worth = rng.integers(-3, 12, t)
        limit = int(rng.integers(0, 30))
        room = 5000
        place, cost, over, first = (np.zeros(room, np.int64) for _ in range(4))
        packed = np.zeros(room, np.uint64)
        best, at, price = np.full((t, t), NEVER), np.zeros((t, t), np.int64), np.zeros((t, t), np.int64)
        found = list_classes(
            *groups.rules, worth, parts, limit, groups.packs, place, packed, cost, over, first, best, at, price
        )
        wanted, least = {}, {}
        top = problem.row_costs(problem.top)
        for held in itertools.product(*(range(c + 1) for c in counts)):
            size, types = sum(held), np.flatnonzero(held)
            if not 1 <= size <= most:
                continue
            if verdicts.fit.size and not verdicts.fit[int((verdicts.radix * held).sum())]:
                continue
            each = int(joins.price[joins.of(types)]) if size >= problem.k else int(top[types[0]]) if free else NEVER
            if each >= NEVER:
                continue
            above = size * each * parts - int((worth * held).sum())
            ends = int(types[0]), int(types[-1])
            least[ends] = min(least.get(ends, NEVER), above)
            if above <= limit:
                bits = sum(int(p) * h for p, h in zip(groups.packs, held, strict=True))
                wanted[int((groups.radix * held).sum())] = (size * each, above, ends[0], bits)
        assert found == len(wanted)
        listed = zip(place, cost, over, first, packed, strict=True)
        assert {int(p): tuple(map(int, rest)) for p, *rest in itertools.islice(listed, found)} == wanted
        assert {(i, j): int(best[i, j]) for i, j in zip(*np.nonzero(best < NEVER), strict=True)} == least


def least_of_leaves(rows, costs, need, cap):
    """F(j) of a node over leaves whose own groups cost nothing: straight from the definition."""
    value = {}
    for sent in itertools.product(*(range(r + 1) for r in rows)):
        if any(0 < r - s < need for r, s in zip(rows, sent, strict=True)):
            continue
        total = sum(sent)
        for j in range(min(total, cap) + 1):
            if total - j == 0 or total - j >= need:
                spent = (total - j) * costs
                value[j] = min(value.get(j, UNREACHED), spent)
    return [value.get(j, UNREACHED) for j in range(cap + 1)]


def test_a_node_over_leaves_settles_as_by_trying_every_share():
    for seed in range(60):
        rng = np.random.default_rng([92, seed])
        rows = rng.integers(1, 6, int(rng.integers(1, 4)))
        count, need, cost = rows.size, int(rng.integers(1, 5)), int(rng.integers(0, 4))
        cap = np.array([*rows, min(int(rows.sum()), int(rng.integers(0, 12)))])
        first = np.array([*([0] * (count + 1)), count])
        begin = np.concatenate(([0], np.cumsum(cap + 1)))
        best, arrived = np.full(begin[-1], UNREACHED), np.zeros(begin[-1], np.int32)
        share = np.zeros((count * int(cap[-1] + need + 1), 2), np.int32)
        settle(
            first, np.arange(count), np.array([*rows, rows.sum()]), np.array([*([0] * count), cost]),
            np.full(count + 1, need), cap, begin, best, arrived, share, 0, 0, 1 << 30,
        )  # fmt: skip
        assert best[begin[count] :].tolist() == least_of_leaves(rows.tolist(), cost, need, int(cap[-1]))
