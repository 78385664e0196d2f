"""Grid: numbers and dates are shown as ranges between the lines of a grid, other columns by their hierarchies.

Before the search a ranged column has a hierarchy of some of its ranges, so that every stage knows its labels' kind;
after it one that shows the ranges that the plan uses (`settled`).
"""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError, PolicyError
from incrowd.tables.hierarchy import Fitted, Hierarchy
from incrowd.tables.hierarchy.number_ranges import NumberRanges, read_numbers, steps
from incrowd.tables.mask import Mask
from incrowd.tables.mask.on_grid import kinds_of, patterns_of
from incrowd.tables.range_columns import RangedColumn, ranged_names
from incrowd.tables.ranged_plan import RangedPlan
from incrowd.tables.read.table import column_values
from incrowd.tables.recoding.levels import Recoding
from incrowd.tables.table import HierarchyLevels
from incrowd.tables.values import Levels, Plan

if TYPE_CHECKING:
    from collections.abc import Mapping

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Compressed, Opened, Table
    from incrowd.tables.values import Int64, Problem


LEAST_CELLS = 12  # of a grid before steps are compared
LARGEST = 2**62


class GridRecoding(Recoding):
    """A cell of a ranged column shows its value, a range whose ends lie on the grid, or a star; see `Recoding`."""

    name = "grid"
    option = "ranged"
    without_option = "it makes no ranges on a grid; with recoding=grid leave solver out"
    plain = False
    on_grid = True
    own_solver = "ranges"


def fit_ranges(engine: Engine, opened: Opened, policy: Any) -> dict[str, NumberRanges]:
    """Return the grid of every column that a policy with ``recoding="grid"`` lets show ranges.

    `opened` is the original table, which has these columns. InputError is raised if their values make no ranges.
    """
    return {name: _fitted(engine, opened, name, policy) for name in ranged_names(policy)}


def _fitted(engine: Engine, opened: Opened, name: str, policy: Any) -> NumberRanges:
    """Return the grid of one column."""
    values = column_values(engine, opened, name)
    try:
        numbers = read_numbers(values)
        if numbers.dates and policy.cost == "ncp":
            raise PolicyError("its values are dates, but cost ncp counts the width of numbers; take cost=leaves")
        texts = tuple(value for value in values if value is not None)
        if policy.round is not None:
            return NumberRanges(texts, numbers, policy.round)
        for step in reversed(steps(numbers)):
            found = NumberRanges(texts, numbers, step)
            if found.cells >= LEAST_CELLS:
                break
    except PolicyError as error:
        raise InputError(f"column {name!r}: {error}") from None
    return found


def run_costs(grid: NumberRanges, cost: str) -> tuple[Int64, Int64, int]:
    """Return what runs of cells cost, and what the star does, in whole numbers.

    The `cost` ``leaves`` is by distinct values, ``ncp`` by width: from the least value in a run to its largest. The
    answer is `low` and `up`, (G,) int64 as in `RangedColumn`, and the star's cost.
    """
    if cost == "ncp":
        units = np.array(grid.numbers.units, np.int64)
        units -= units.min()
        units //= max(int(np.gcd.reduce(units)), 1)
        low, up = np.full(grid.cells, LARGEST), np.zeros(grid.cells, np.int64)
        np.minimum.at(low, grid.cell, units)
        np.maximum.at(up, grid.cell, units)
        return low, up, int(units.max())
    return grid.below[:-1], grid.below[1:] - 1, len(grid.values) - 1


def problem_with_ranges(problem: Problem, ranges: Mapping[str, NumberRanges], policy: Any, lines: Any) -> Problem:
    """Return a problem that knows its ranged columns, its costs in a unit that every range's cost is a multiple of.

    `lines` holds per column its hierarchy and the line of each value code, (d,) int64. PolicyError is raised if the
    weights cannot be added up exactly.
    """
    if not ranges:
        return problem
    names = policy.quasi_identifiers
    weights = dict(policy.weights)
    costs = {name: run_costs(grid, policy.cost) for name, grid in ranges.items()}
    shares = {name: weights.get(name, Fraction(1)) / star for name, (_, _, star) in costs.items()}
    scale = math.lcm(problem.scale, *(share.denominator for share in shares.values()))
    made: list[RangedColumn | None] = [None] * len(problem.levels)
    factor = scale // problem.scale
    largest = max(int(level.cost.max(initial=0)) for level in problem.levels)
    if problem.types.n * len(made) * largest * factor >= LARGEST:
        raise PolicyError("the weights have too many digits or lie too far apart for ranges to be added up; round them")
    levels = tuple(dataclasses.replace(level, cost=level.cost * factor) for level in problem.levels)
    for name, grid in ranges.items():
        (low, up, _), unit = costs[name], int(shares[name] * scale)
        cell = grid.cell[lines[name][1]]
        made[names.index(name)] = RangedColumn(cell, low * unit, up * unit, grid.step.as_integer_ratio())
    kinds = None
    if policy.mask != Mask():
        kinds = kinds_of(policy, {name: level.height for name, level in zip(names, levels, strict=True)})
    return dataclasses.replace(problem, levels=levels, scale=scale, ranges=tuple(made), kinds=kinds)


def settled(made: Any, problem: Problem, solution: Any) -> tuple[Any, Problem, Any]:
    """Return what was prepared, the problem and the solution with a ladder of the ranges that the plan shows.

    `made` is a Prepared, `problem` the problem as it was solved, and `solution` one whose plan may show ranges.
    """
    plan = solution.plan
    if not isinstance(plan, RangedPlan):
        return made, problem, solution
    names = made.fitted.policy.quasi_identifiers
    levels, own, ladders = plan.levels.copy(), list(problem.levels), dict[str, Hierarchy]()
    table, types = made.table, made.types
    for c, j in enumerate(plan.columns):
        name, runs = names[j], plan.runs[:, c]
        ranged = problem.ranges[j]
        assert ranged is not None
        ladder, level = made.ranges[name].packed((int(a), int(b)) for a, b in runs[runs[:, 0] >= 0])
        ladders[name], lines = ladder, made.nodes[name][1]
        table, types = _relaid(table, types, name, ladder)
        top = (plan.levels[:, j] == problem.levels[j].height) & (runs[:, 0] < 0)
        levels[:, j] = np.where(top, ladder.height, [level[int(a), int(b)] if a >= 0 else 0 for a, b in runs])
        # a value that lies in no range of a level shows itself there
        cost = np.zeros((ladder.height + 1, len(lines)), np.int64)
        cost[-1] = problem.levels[j].cost[-1]
        order = np.argsort(ranged.cell, kind="stable")
        below = made.ranges[name].below
        for (a, b), up in level.items():
            cost[up, order[below[a] : below[b + 1]]] = ranged.cost(a, b)
        own[j] = Levels(ladder.ups(lines), cost)
    again = dataclasses.replace(with_ladders(made, ladders), table=table, types=types, ranges={})
    patterns = again.fitted.patterns
    small = dataclasses.replace(problem, levels=tuple(own), patterns=patterns, ranges=(), kinds=None)
    new = Plan(levels.astype(np.int8), plan.part_type, plan.part_class, plan.part_rows)
    return again, small, dataclasses.replace(solution, plan=new)


def with_ladders(made: Any, ladders: Mapping[str, Hierarchy]) -> Any:
    """Return what was prepared (a Prepared) with other hierarchies of ranged columns."""
    fitted = made.fitted
    hierarchies = {**fitted.hierarchies, **{name: Fitted(one, missing=False) for name, one in ladders.items()}}
    nodes = {**made.nodes, **{name: (one, made.nodes[name][1]) for name, one in ladders.items()}}
    patterns = patterns_of(fitted.policy, hierarchies)
    again = dataclasses.replace(fitted, hierarchies=hierarchies, patterns=patterns)
    return dataclasses.replace(made, fitted=again, nodes=nodes)


def _relaid(table: Table, types: Compressed, name: str, ladder: Hierarchy) -> tuple[Table, Compressed]:
    """Return a table whose column is plain text, which any label is too, with another ladder."""
    engine, fitted = table.engine, Fitted(ladder, missing=False)
    column = next(one for one in table.columns if one.name == name).id
    with engine.guard("taking in the ranges"):
        ladders = {**table.ladders, column: HierarchyLevels(fitted, engine.put(fitted.ladder()))}
        data = table.data.mutate(**{column: engine.text(table.data[column])})
        values = types.values.mutate(**{column: engine.text(types.values[column])})
    held = {key: cell for key, cell in table.held.items() if key != column}
    return (
        dataclasses.replace(table, data=data, ladders=ladders, held=held),
        dataclasses.replace(types, values=values),
    )
