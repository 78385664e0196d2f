"""From groups to a plan: every group under a cheapest pattern that it may have, groups that show the same as one."""

from __future__ import annotations

import dataclasses

import numpy as np

from incrowd.tables.solve.matching.plan import plan_of
from oracles.matching_drawn import FAMILIES, draw
from oracles.matching_plain import FAR, group_cost
from oracles.plans import recount

ALIKE = [name for name in FAMILIES if name != "diverse"]


def grouped(drawn, rng):
    """The rows in pairs, triples, single suppressed ones and rests of a type, by chance; None: no pattern allows it."""
    counts = drawn.types.counts.copy()
    rest = np.where(rng.random(counts.size) < 0.3, counts, 0)
    rows = rng.permutation(np.repeat(np.arange(counts.size), counts - rest)).tolist()
    groups, suppressed = [], []
    while rows:
        size = int(rng.integers(1, 4))
        part, rows = rows[:size], rows[size:]
        if len(part) == 1:
            suppressed += part
        else:
            groups.append(part)
    all_stars = tuple(level.height for level in drawn.levels)
    single = [[t] for t in np.flatnonzero(rest).tolist()]
    if suppressed and not drawn.patterns.allows(all_stars):
        return None
    if any(group_cost(drawn, types) == FAR for types in groups + single):
        return None
    return groups, suppressed, rest


def test_a_plan_costs_what_its_groups_cost_each_by_itself():
    met = joined = 0
    for seed in range(80):
        drawn = draw(ALIKE[seed % len(ALIKE)], 6000 + seed)
        found = grouped(drawn, np.random.default_rng(seed))
        if found is None:
            continue
        groups, suppressed, rest = found
        lines = np.array([[*part, *[-1] * (3 - len(part))] for part in groups], np.int64).reshape(len(groups), 3)
        plan = plan_of(
            drawn.types.codes, drawn.levels, drawn.patterns, lines, np.array(suppressed, np.int64), rest
        )  # fmt: skip
        star = sum(int(level.cost[-1].max()) for level in drawn.levels)
        cost = sum(len(part) * group_cost(drawn, part) for part in groups) + star * len(suppressed)
        cost += sum(int(rest[t]) * group_cost(drawn, [t]) for t in np.flatnonzero(rest).tolist())
        assert recount(dataclasses.replace(drawn.problem, k=1), plan) == cost
        met += 1
        joined += plan.groups < len(groups) + len(suppressed) + np.count_nonzero(rest)
    assert met > 40
    assert joined > 5
