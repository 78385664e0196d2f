"""The greedy under requirements, from the sweep to a plan with its bound."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import Infeasible
from incrowd.tables.solve import per_row
from incrowd.tables.solve.certificate import by_prices
from incrowd.tables.solve.diverse.lending import gather, lend
from incrowd.tables.solve.diverse.merged import k_alone, without_kinds
from incrowd.tables.solve.diverse.merging import carve, grow
from incrowd.tables.solve.diverse.settling import Settling
from incrowd.tables.solve.diverse.sweep import sweep
from incrowd.tables.solve.encoded import encode
from incrowd.tables.solve.judging import broken, refuse_hopeless
from incrowd.tables.solve.sweep import Workers
from incrowd.tables.values import PatternBlock, Plan, Solution

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from incrowd.tables.solve.encoded import Encoded
    from incrowd.tables.solve.greedy import Greedy
    from incrowd.tables.values import Int32, Int64, Problem, Status
    from incrowd.watch import Watch

__all__ = ["release"]

TRIES = 800  # instances for which leftover rows borrow
# Types times patterns looked at for instances to lend to: patterns evenly spread over all of them.
GATHERED = 8_000_000
CARVED = 4_000_000  # types times patterns looked at for what a repaired group can give back


def release(problem: Problem, watch: Watch, *, plain: Greedy, visits: int) -> Solution:
    """Return a plan that meets every requirement, with the bound of k-anonymity alone.

    Parameters
    ----------
    problem : Problem
    watch : Watch
    plain : Greedy
        Knows which patterns are worth a look, where the mask has too many to walk through.
    visits : int
        Row types times patterns to look at, at most; again for the bound.

    Raises
    ------
    Infeasible
        Where it is proven that there is no release, or (without full suppression) none was found.
    """
    begun = time.perf_counter()
    refuse_hopeless(problem)
    encoded = encode(problem)
    blocks = _patterns(problem, plain, watch, visits)
    plan, notes = _plan(problem, encoded, watch, blocks, visits)
    failing = broken(problem, plan)
    if failing is not None:  # groups that showed the same became one, and a requirement is not closed under that
        plan = _whole(problem, failing)
    cost = plan.cost(problem)
    solving = time.perf_counter() - begun
    watch.tell("solve", cost=cost, rows_left=0)
    merged, same = without_kinds(problem, plan)
    alone = encode(merged)
    with Workers(plain.threads) as workers:
        floor = per_row.per_row(merged, alone, workers, watch, work=visits, ceiling=per_row.ceiling(merged, same))
    bound = floor.bound(merged)
    watch.tell("bound", lower_bound=bound.value)
    status: Status = "optimal" if cost == bound.value else "interrupted" if watch.interrupted else "heuristic"
    seconds = {"solve": solving, "bound": time.perf_counter() - begun - solving}
    proof = by_prices(merged, cost, bound, floor.least, 1)
    return Solution(plan, bound, status, plain.name, seconds, tuple(notes), proof)


def _patterns(problem: Problem, plain: Greedy, watch: Watch, visits: int) -> Callable[[], Iterable[PatternBlock]]:
    """Return what yields the patterns to walk through, cheapest first.

    All of the mask; where that is too many, those that the greedy for k-anonymity uses for k, 4k, 16k and 64k.
    """
    floors, ties = problem.floor_costs(), problem.ties()
    if problem.patterns.count() * problem.types.t <= visits:
        return lambda: problem.patterns.by_cost(floors, ties)
    alone = k_alone(problem)
    used = [np.array([problem.top], np.int8)] if problem.patterns.allows_full_suppression else []
    for times in (1, 4, 16, 64):
        with contextlib.suppress(Infeasible):
            if problem.k * times <= problem.types.n:
                used.append(plain.solve(dataclasses.replace(alone, k=problem.k * times), watch).plan.levels)
    vectors = np.unique(np.concatenate([np.zeros((0, len(floors)), np.int8), *used]), axis=0)
    costs = np.array([sum(floor[level] for floor, level in zip(floors, v, strict=True)) for v in vectors], np.int64)
    order = np.argsort(costs, kind="stable")
    return lambda: [PatternBlock(vectors[order], costs[order])]


def _plan(
    problem: Problem, encoded: Encoded, watch: Watch, blocks: Callable[[], Iterable[PatternBlock]], visits: int
) -> tuple[Plan, list[str]]:
    crowds, rows, _ = sweep(problem, encoded, blocks(), watch, visits=visits)
    state = Settling(problem, encoded, watch, crowds)
    notes = [f"{int(rows.sum())} leftover rows"] if rows.any() else []
    tries = TRIES if problem.patterns.allows_full_suppression else 0
    step = 1 + problem.patterns.count() * problem.types.t // GATHERED
    thin = (PatternBlock(block.levels[::step], block.costs[::step]) for block in blocks())
    gather(state, rows, thin, tries=tries, visits=GATHERED)
    left = np.flatnonzero(rows).astype(np.int32)
    if left.size:
        if problem.patterns.allows_full_suppression:
            _suppress(state, left, rows[left], blocks())
        else:
            _merge(problem, state, left, rows[left])
    return state.plan(), notes


def _suppress(state: Settling, left: Int32, rows: Int64, blocks: Iterable[PatternBlock]) -> None:
    """Bring the leftover rows into the fully suppressed class, and let it give back what it can."""
    taken = lend(state, state.top, left, rows, None)
    group = state.open(state.top, left, rows) if taken is None else state.take(state.top, left, rows, taken)
    grow(state, group)
    carve(state, group, blocks, visits=CARVED)


def _merge(problem: Problem, state: Settling, left: Int32, rows: Int64) -> None:
    """Bring leftover rows into groups that the mask allows, each type as one."""
    for group in [state.alone(int(row), int(n)) for row, n in zip(left, rows, strict=True)]:
        if group < 0 or ((state.group == group).any() and not grow(state, group)):
            per_row.per_row_bound(k_alone(problem))  # counting may prove that there is no release
            raise _not_found(problem)


def _not_found(problem: Problem) -> Infeasible:
    asked = [f"k={problem.k}", *(requirement.rule for requirement in problem.requirements)]
    return Infeasible(
        f"no release was found, though one may exist: under a mask without full suppression some rows found no group "
        f"that meets {', '.join(asked)}; allow full suppression, allow more patterns or ask for less",
        requirement=", ".join(asked),
        proven=False,
    )


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
