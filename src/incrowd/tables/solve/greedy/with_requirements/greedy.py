"""The greedy under requirements, from the sweep to a plan with its bound."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import Infeasible
from incrowd.tables.row_numbers import added_up
from incrowd.tables.solve.bounds import counting
from incrowd.tables.solve.bounds.certificate import by_prices
from incrowd.tables.solve.greedy.with_requirements.class_plan import ClassPlan, sweep
from incrowd.tables.solve.greedy.with_requirements.moves import gather, settle
from incrowd.tables.solve.mishap import release_kept
from incrowd.tables.solve.shared.partial_plan import parts_of
from incrowd.tables.solve.shared.pattern_scan import Workers
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.refusals import k_alone, without_kinds
from incrowd.tables.solve.shared.requirement_check import broken, refuse_hopeless
from incrowd.tables.solve.shared.status import ended
from incrowd.tables.solve.shared.time_limit import for_bound, for_plan, is_over
from incrowd.tables.values import Bound, PatternBlock, Plan, Solution

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from incrowd.progress import Watch
    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Int8, Int64, Problem

    Blocks = Callable[[], Iterable[PatternBlock]]
    Plain = Callable[[Problem, Watch], Solution]


NAME = "greedy"

TRIES = 800  # instances for which leftover rows borrow
# Types times patterns looked at for instances to lend to: patterns evenly spread over all of them.
GATHERED = 8_000_000


def release(problem: Problem, watch: Watch, *, plain: Plain, visits: int, threads: int | None) -> Solution:
    """Return a plan that meets every requirement, with the bound of k-anonymity alone.

    `plain` is the greedy for k alone: it knows which patterns are worth a look, where the mask has too many to walk
    through. At most `visits` row types times patterns are looked at, and again for the bound. At most `threads` threads
    are used (None: all cores). Infeasible is raised where it is proven that there is no release, or (without full
    suppression) none was found.
    """
    begun = time.perf_counter()
    refuse_hopeless(problem)
    plan, notes = _best(problem, encode(problem), plain, watch, visits)
    cost = plan.cost(problem)
    limited, watch = watch, for_bound(watch)
    solving = time.perf_counter() - begun
    watch.report("solve", cost=cost, rows_left=0)
    bound, proof = Bound(0, 0, "none"), None
    with release_kept(watch):
        merged, same = without_kinds(problem, plan)
        alone = encode(merged)
        with Workers(threads) as workers:
            floor = counting.per_row(merged, alone, workers, watch, work=visits, ceiling=counting.ceiling(merged, same))
        least = floor.bound(merged)
        bound, proof = least, by_prices(merged, cost, least, floor.least, 1)
    watch.report("bound", lower_bound=bound.value)
    status = ended(cost, bound.value, watch, cut_short=is_over(limited))
    seconds = {"solve": solving, "bound": time.perf_counter() - begun - solving}
    return Solution(plan, bound, status, NAME, seconds, tuple(notes), proof)


def _best(
    problem: Problem, encoded: ProblemArrays, plain: Plain, watch: Watch, visits: int
) -> tuple[Plan, list[str]]:  # fmt: skip
    """Return the plan that the walk through the patterns ends in, by their mean cost over the rows of the table."""
    few = _few(problem, plain, watch) if problem.patterns.count() * problem.types.t > visits else None
    blocks, patience = _blocks(problem, few), for_plan(watch)
    crowds, rows = sweep(problem, encoded, blocks(), patience, visits=visits)
    state = ClassPlan(problem, encoded, patience, parts_of(crowds, problem.types.m))
    return _plan(problem, state, rows, blocks)


def mean_costs(problem: Problem) -> list[list[int]]:
    """Return per column and level the mean cost over the rows of the table, rounded down."""
    rows = problem.types.counts
    n = int(rows.sum())
    means = []
    for j, level in enumerate(problem.levels):
        held = added_up(problem.types.codes[:, j], rows, level.cost.shape[1])
        means.append([sum(int(c) * int(h) for c, h in zip(cost, held, strict=True)) // n for cost in level.cost])
    return means


def _few(problem: Problem, plain: Plain, watch: Watch) -> Int8:
    """Return the patterns that the greedy for k-anonymity uses for k, 4k, 16k and 64k."""
    alone, silent = k_alone(problem), watch.silent()
    used = [np.zeros((0, len(problem.levels)), np.int8)]
    if problem.patterns.allows_full_suppression:
        used.append(np.array([problem.top], np.int8))
    for times in (1, 4, 16, 64):
        if times > 1 and is_over(watch):
            break
        with contextlib.suppress(Infeasible):
            if problem.k * times <= problem.types.n:
                used.append(plain(dataclasses.replace(alone, k=problem.k * times), silent).plan.levels)
    return np.unique(np.concatenate(used), axis=0)


def _blocks(problem: Problem, vectors: Int8 | None) -> Blocks:
    """Return what yields patterns, cheapest first: those given, or all of the mask."""
    costs, ties = mean_costs(problem), problem.ties()
    if vectors is None:
        return lambda: problem.patterns.by_cost(costs, ties)
    each = np.array([sum(cost[level] for cost, level in zip(costs, v, strict=True)) for v in vectors], np.int64)
    order = np.argsort(each, kind="stable")
    return lambda: [PatternBlock(vectors[order], each[order])]


def _plan(problem: Problem, state: ClassPlan, rows: Int64, blocks: Blocks) -> tuple[Plan, list[str]]:
    """Return the plan of some classes, once the leftover rows have found a place in them or beside them."""
    notes = [f"{int(rows.sum())} leftover rows"] if rows.any() else []
    tries = TRIES if problem.patterns.allows_full_suppression else 0
    step = 1 + problem.patterns.count() * problem.types.t // GATHERED
    thin = (PatternBlock(block.levels[::step], block.costs[::step]) for block in blocks())
    gather(state, rows, thin, tries=tries, visits=GATHERED)
    left = np.flatnonzero(rows).astype(np.int32)
    settle(state, left, rows[left], blocks(), suppress=problem.patterns.allows_full_suppression)
    plan = state.plan()
    failing = broken(problem, plan)
    if failing is not None:  # classes that showed the same became one, and a requirement is not closed under that
        plan = _whole(problem, failing)
    return plan, notes


def _whole(problem: Problem, failing: str) -> Plan:
    """Return the plan of one fully suppressed class, or say that none was found."""
    if not problem.patterns.allows_full_suppression:
        raise Infeasible(
            f"no release was found, though one may exist: classes that show the same fail {failing} together; allow "
            "full suppression or ask for less",
            requirement=failing,
            proven=False,
        )
    types = problem.types
    every = np.arange(types.t, dtype=np.int32)
    return Plan(np.array([problem.top], np.int8), every, np.zeros(types.t, np.int32), types.counts)
