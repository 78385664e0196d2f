"""The step of a grid where none is asked: the coarsest whose release costs at most 1 % more than with the finest one.

A column alone is judged on the whole table, by the program along its sorted rows. Beside other columns releases of a
sample of the rows are compared, all found by one search at one effort. Columns are settled one after the other.
"""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from incrowd.settings import fraction_text
from incrowd.tables.hierarchy.number_ranges import NumberRanges, steps
from incrowd.tables.mask.on_grid import on_line
from incrowd.tables.range_columns import ranged_names
from incrowd.tables.recoding.grid import run_costs, with_ladders
from incrowd.tables.solve.ranges.solver import RangeSearch, least_steps, release_cost

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from incrowd.progress import Watch
    from incrowd.tables.values import Problem


SHARE = 0.2  # of the time limit
ROWS, CROWDS = 1000, 20  # of a sample: so many, or so many times k
ROUNDS, MOVES = 5, 20  # rounds of prices, and moves for each row, of every search that is compared
MORE = 101  # per cent of the cost with the finest step

Cost = Fraction | None


def choose_steps(made: Any, *, seed: int, watch: Watch) -> tuple[Any, dict[str, dict[str, Any]]]:
    """Return what was prepared with the steps chosen, and how they were.

    `made` is a Prepared whose ranged columns have steps that were not compared. `seed` draws the sample, and guides the
    searches. When the watch stops, the columns that are left keep the steps they have, or the next finer one that was
    not compared. How they were chosen is told by column: ``step``, ``compared`` (pairs of a step and the cost with it,
    in the order looked at, the finest first), ``rows`` (that were looked at), ``sampled``, and ``in_time`` (whether the
    rule was followed to its end).
    """
    policy, rows = made.fitted.policy, made.types.types.n
    line = on_line(policy)
    most = rows if line else min(rows, max(ROWS, CROWDS * int(policy.k or 1)))
    grids, told = dict(made.ranges), {}
    names = [name for name in ranged_names(policy) if name in grids]
    finest = {name: _at(grids[name], steps(grids[name].numbers)[0]) for name in names}
    for place, name in enumerate(names):
        later = {one: finest[one] for one in names[place + 1 :]}

        def cost(grid: NumberRanges, name: str = name, others: Mapping[str, NumberRanges] = later) -> Cost:
            if watch.stopped:
                return None
            if line:
                return _on_line(made, name, grid, watch)
            return _on_sample(at_steps(made, {**grids, **others, name: grid}).problem(), most, seed, watch)

        grids[name], compared, in_time = _coarsest(finest[name], grids[name], cost)
        told[name] = {
            "step": fraction_text(grids[name].step), "compared": compared, "rows": most, "sampled": most < rows,
            "in_time": in_time,
        }  # fmt: skip
    return at_steps(made, grids), told


def _coarsest(
    finest: NumberRanges, usual: NumberRanges, cost: Callable[[NumberRanges], Cost]
) -> tuple[NumberRanges, list[list[Any]], bool]:
    """Return the coarsest grid that costs at most 1 % more than the finest, what was compared, and whether all was."""
    listed = steps(finest.numbers)
    least = cost(finest)
    if least is None:
        return usual, [], False
    compared: list[list[Any]] = [[fraction_text(finest.step), float(least)]]
    for step in reversed(listed[1:]):
        grid = _at(finest, step)
        found = cost(grid)
        if found is None:  # what is finer than all that were too dear, and no coarser than usual
            return (grid if step < usual.step else usual), compared, False
        compared.append([fraction_text(step), float(found)])
        if 100 * found <= MORE * least:
            return grid, compared, True
    return finest, compared, True


def _at(grid: NumberRanges, step: Fraction) -> NumberRanges:
    return grid if grid.step == step else NumberRanges(grid.values, grid.numbers, step)


def _on_line(made: Any, name: str, grid: NumberRanges, watch: Watch) -> Cost:
    """Return what classes along the sorted rows of the whole table cost."""
    types, policy = made.types.types, made.fitted.policy
    low, up, star = run_costs(grid, policy.cost)
    cell = grid.cell[made.nodes[name][1]][types.codes[:, 0]]
    found = least_steps(cell, low, up, types.counts, int(policy.k or 1), policy.outliers == "suppress", watch)
    weight = dict(policy.weights).get(name, Fraction(1))
    told: Cost = None if watch.stopped else weight * Fraction(found, star)
    return told


def _on_sample(problem: Problem, rows: int, seed: int, watch: Watch) -> Cost:
    """Return what the release of a sample costs that the search finds at its stated effort."""
    problem = dataclasses.replace(problem, types=problem.types.sample(rows, seed))
    if RangeSearch(ranged=True).declines(problem) is not None:
        return None
    found = release_cost(problem, rounds=ROUNDS, work=MOVES * rows, seed=seed, watch=watch)
    return None if found is None else Fraction(found, problem.scale)


def at_steps(made: Any, grids: Mapping[str, NumberRanges]) -> Any:
    """Return what was prepared (a Prepared), with other grids, one for every ranged column."""
    if all(grids[name] is made.ranges[name] for name in grids):
        return made
    alone = on_line(made.fitted.policy)
    ladders = {name: grid.chain(alone=alone) for name, grid in grids.items()}
    return dataclasses.replace(with_ladders(made, ladders), ranges=dict(grids))
