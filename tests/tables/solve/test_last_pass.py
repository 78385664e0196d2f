"""Whether a plan is settled, held against going through all rows, classes and vectors."""

from __future__ import annotations

import dataclasses
from collections import Counter

import numpy as np

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.registry import load
from incrowd.tables.solve.last_pass import settled
from incrowd.tables.solve.shared.lowest_levels import lowest_levels
from incrowd.tables.values import Plan
from oracles.attacked import fits, is_settled
from oracles.problems import random_problem
from oracles.required import FAMILIES, random_required
from seeds import how_many


def groups_of(problem, plan):
    nodes = plan.nodes(problem).tolist()
    rows = [[] for _ in nodes]
    for kind, group, count in zip(plan.part_type, plan.part_group, plan.part_rows, strict=True):
        rows[group] += [tuple(problem.types.codes[kind].tolist())] * int(count)
    return [(tuple(v), tuple(n), r) for v, n, r in zip(plan.levels.tolist(), nodes, rows, strict=True)]


def worse(rng, problem, plan):
    """The plan with one row moved to another group that covers it, if that leaves a plan; else itself."""
    groups = groups_of(problem, plan)
    part = int(rng.integers(plan.part_type.size))
    kind, group = int(plan.part_type[part]), int(plan.part_group[part])
    row = tuple(problem.types.codes[kind].tolist())
    there = [g for g, (v, n, _) in enumerate(groups) if g != group and fits(problem.levels, v, n, row)]
    if not there or len(groups[group][2]) - 1 < problem.k:
        return plan
    rows = Counter(
        dict(
            zip(
                zip(plan.part_type.tolist(), plan.part_group.tolist(), strict=True),
                plan.part_rows.tolist(),
                strict=True,
            )
        )
    )
    rows[kind, group] -= 1
    rows[kind, there[int(rng.integers(len(there)))]] += 1
    kept = sorted((key, n) for key, n in rows.items() if n)
    types, owners = np.array([key for key, _ in kept], np.int32).T
    return Plan(plan.levels, np.ascontiguousarray(types), np.ascontiguousarray(owners), np.array([n for _, n in kept]))


def question_of(problem):
    return problem.types.sizes, problem.levels, problem.patterns, problem.k, problem.outliers, problem.types.n


def test_it_is_true_only_where_no_row_and_no_class_could_be_cheaper():
    met = Counter()
    for seed in range(how_many(1500, 75)):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng)
        for name in ("greedy", "exact", "forest"):
            solver = load("solvers", name)()
            if solver.declines(problem):
                continue
            try:
                found = solver.solve(problem, Watch())
            except Infeasible:
                continue
            lowered = lowest_levels(problem, found).plan
            for plan in (found.plan, lowered, worse(rng, problem, lowered)):
                said = settled(problem, plan, Watch())
                plain = is_settled(groups_of(problem, plan), question_of(problem))
                assert plain or not said, (seed, name)
                met[said, plain] += 1
                if plan is found.plan and found.plan.cost(problem) == found.bound.value:
                    assert plain, (seed, name)
    assert met[True, True] > 100 and met[False, False] > 10
    assert met[False, True] <= met[True, True] / 20  # in doubt no, but rarely in doubt


def test_under_requirements_a_move_that_breaks_one_is_none():
    met = Counter()
    for seed in range(how_many(600, 100)):
        rng = np.random.default_rng(seed)
        problem = random_required(rng, FAMILIES[seed % len(FAMILIES)], rows=int(rng.integers(4, 12)))
        try:
            found = load("solvers", "greedy")().solve(problem, Watch())
        except Infeasible:
            continue
        alone = dataclasses.replace(problem, requirements=())
        said = settled(problem, found.plan, Watch())
        met[said, settled(alone, found.plan, Watch())] += 1
        if said:
            assert not some_move(problem, found.plan), seed
    assert not met[False, True]  # what is settled without requirements is so with them
    assert met[True, True] and met[True, False]


def some_move(problem, plan):
    """Whether one row can move at less cost so that every group still meets everything; by trying all."""
    groups = groups_of(problem, plan)
    base = Counter(
        dict(
            zip(
                zip(plan.part_type.tolist(), plan.part_group.tolist(), strict=True),
                plan.part_rows.tolist(),
                strict=True,
            )
        )
    )
    for kind, group in list(base):
        vector, _, rows = groups[group]
        row = tuple(problem.types.codes[kind].tolist())
        free = problem.outliers == "suppress" and vector == problem.top
        if len(rows) - 1 < problem.k and not free and len(rows) > 1:
            continue
        for other, (there, nodes, _) in enumerate(groups):
            cheaper = (
                sum(
                    int(level.cost[at][v]) - int(level.cost[now][v])
                    for level, at, now, v in zip(problem.levels, there, vector, row, strict=True)
                )
                < 0
            )
            if other == group or not cheaper or not fits(problem.levels, there, nodes, row):
                continue
            after = base.copy()
            after[kind, group] -= 1
            after[kind, other] += 1
            kept = [(key, n) for key, n in after.items() if n]
            types, owners = np.array([key for key, _ in kept]).T
            count = np.array([n for _, n in kept])
            kinds = problem.types.kinds[types]
            if all(r.meets(owners, kinds, count, len(groups)).all() for r in problem.requirements):
                return True
    return False


def test_a_pass_that_is_stopped_says_no():
    watch = Watch()
    watch.limit(0)
    for seed in range(40):
        problem = random_problem(np.random.default_rng(seed), rows=10)
        try:
            found = load("solvers", "greedy")().solve(problem, Watch())
        except Infeasible:
            continue
        if found.plan.groups > 1 and (found.plan.sizes() > problem.k).any():
            assert not settled(problem, found.plan, watch)
            return
    raise AssertionError("no problem was drawn with groups that rows can leave")
