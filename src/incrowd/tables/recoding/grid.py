"""Grid: numbers and dates are shown as ranges between the lines of a grid, other columns by their hierarchies.

Before the search a ranged column has a hierarchy of some of its ranges, so that every stage knows its labels' kind;
after it one that shows the ranges that the plan uses (`settled`).
"""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError, PolicyError
from incrowd.tables.hierarchy import Fitted
from incrowd.tables.hierarchy.number_ranges import NumberRanges, read_numbers, steps
from incrowd.tables.range_columns import RangedColumn
from incrowd.tables.ranged_plan import RangedPlan
from incrowd.tables.read.column_values import column_values
from incrowd.tables.recoding.levels import LevelRecoding
from incrowd.tables.solve.ranges.one_column import least_steps
from incrowd.tables.table import HierarchyLevels
from incrowd.tables.values import Levels, Plan
from incrowd.tables.verify.release.grid_labels import read_ladder
from incrowd.tables.verify.release.pairing import verify_tables

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.roles import Roles
    from incrowd.tables.table import Compressed, Opened, Table
    from incrowd.tables.values import Outliers, Problem
    from incrowd.tables.verdict import Violation
    from incrowd.tables.verify.release.rules import Rules

__all__ = ["GridRecoding", "fit_ranges", "problem_with_ranges", "ranged_columns", "settled"]

OPTION = "ranged"
LEAST_CELLS = 12  # of a grid that is chosen where several columns may change
LARGEST = 2**62


class GridRecoding(LevelRecoding):
    """A cell of a ranged column shows its value, a range whose ends lie on the grid, or a star; see `Recoding`."""

    name = "grid"
    solver_options: Mapping[str, Any] = MappingProxyType({OPTION: True})
    may_cap_copies = False
    takes_bound_of_k = False
    own_solver: str | None = "ranges"

    def declines(self, options: Collection[str]) -> str | None:
        """Return why a solver that makes no ranges on a grid cannot be taken, or None."""
        return None if OPTION in options else "it makes no ranges on a grid; with recoding=grid leave --solver out"

    def recount_tables(
        self,
        engine: Engine,
        original: Opened,
        released: Opened,
        roles: Roles,
        rules: Rules,
        *,
        text: Collection[str],
        star: str | None,
    ) -> tuple[Violation, ...]:
        """Return what is wrong with a release, from the two tables alone; its ranges are read from their labels."""
        read = self.released_rules(engine, original, released, roles, rules, star)
        return verify_tables(engine, original, released, roles, read, text=text, star=star)

    def released_rules(
        self, engine: Engine, original: Opened, released: Opened, roles: Roles, rules: Rules, star: str | None
    ) -> Rules:
        """Return rules in which ranged columns have the ranges that a release shows, read from its labels."""
        climbed = dict(rules.hierarchies)
        for name in rules.names:
            if name in roles.numeric and name not in climbed and name in original.names:
                before, _ = column_values(engine, original, name)
                after = column_values(engine, released, name)[0] if name in released.names else ()
                climbed[name] = read_ladder(before, after, name, star, rules.step)
        return dataclasses.replace(rules, hierarchies=climbed)

    def outliers(self, asked: Outliers) -> Outliers:
        """Return the rule that is asked."""
        return asked


def ranged_columns(policy: Any) -> tuple[str, ...]:
    """Return the quasi-identifiers that a policy lets show ranges: the numeric ones without a hierarchy.

    Parameters
    ----------
    policy : Policy
    """
    own = {name for name, _ in policy.hierarchies}
    return tuple(name for name in policy.quasi_identifiers if name in policy.numeric and name not in own)


def fit_ranges(engine: Engine, opened: Opened, policy: Any) -> dict[str, NumberRanges]:
    """Return the grid of the column that a policy lets show ranges.

    Parameters
    ----------
    engine : Engine
    opened : Opened
        The original table.
    policy : Policy
        With ``recoding="grid"``.

    Raises
    ------
    PolicyError, InputError
        If there is no such column, more than one, or its values make no ranges.
    """
    names = ranged_columns(policy)
    if len(names) != 1:
        raise PolicyError(
            "recoding=grid needs a numeric quasi-identifier without a hierarchy: name it with --numeric"
            if not names
            else f"recoding=grid shows one column as ranges as yet, not {', '.join(map(repr, names))}: give the others "
            "hierarchies, or leave them out of --numeric"
        )
    name = names[0]
    if name not in opened.names:
        return {}  # the roles say so
    values, rows = column_values(engine, opened, name)
    try:
        numbers = read_numbers(values)
        texts = tuple(value for value in values if value is not None)
        if policy.round is not None:
            return {name: NumberRanges(texts, numbers, policy.round)}
        listed = [NumberRanges(texts, numbers, step) for step in steps(numbers)]
    except PolicyError as error:
        raise InputError(f"column {name!r}: {error}") from None
    if len(policy.quasi_identifiers) > 1:
        wide = [one for one in listed if one.cells >= LEAST_CELLS]
        return {name: wide[-1] if wide else listed[0]}
    counts = np.array(rows, np.int64)
    free = policy.outliers == "suppress"
    finest = least_steps(listed[0].cell, listed[0].below, counts, int(policy.k or 1), free)
    for one in reversed(listed[1:]):
        if 100 * least_steps(one.cell, one.below, counts, int(policy.k or 1), free) <= 101 * finest:
            return {name: one}
    return {name: listed[0]}


def problem_with_ranges(problem: Problem, ranges: Mapping[str, NumberRanges], policy: Any, lines: Any) -> Problem:
    """Return a problem that knows its ranged column, its costs in a unit that every range's cost is a multiple of.

    Parameters
    ----------
    problem : Problem
    ranges : mapping of str to NumberRanges
    policy : Policy
    lines : mapping of str to (Hierarchy, (d,) int64)
        Per column the line of each value code.

    Raises
    ------
    PolicyError
        If the weights cannot be added up exactly.
    """
    if not ranges:
        return problem
    name, grid = next(iter(ranges.items()))
    j = policy.quasi_identifiers.index(name)
    size = len(grid.values)
    share = dict(policy.weights).get(name, Fraction(1)) / (size - 1)
    scale = math.lcm(problem.scale, share.denominator)
    column = RangedColumn(grid.cell[lines[name][1]], grid.below, int(share * scale), grid.step.as_integer_ratio())
    made: list[RangedColumn | None] = [None] * len(problem.levels)
    made[j] = column
    levels = rescaled(problem.levels, scale // problem.scale, problem.types.n)
    return dataclasses.replace(problem, levels=levels, scale=scale, ranges=tuple(made))


def rescaled(levels: Sequence[Levels], factor: int, rows: int) -> tuple[Levels, ...]:
    """Return levels with their costs multiplied.

    Parameters
    ----------
    levels : sequence of Levels
    factor : int
        At least 1.
    rows : int
        Of the table.

    Raises
    ------
    PolicyError
        If a whole release's cost would not fit in 64 bits.
    """
    largest = max(int(level.cost.max(initial=0)) for level in levels)
    if rows * len(levels) * largest * factor >= LARGEST:
        raise PolicyError("the weights have too many digits or lie too far apart for ranges to be added up; round them")
    return tuple(dataclasses.replace(level, cost=level.cost * factor) for level in levels)


def settled(made: Any, problem: Problem, solution: Any) -> tuple[Any, Problem, Any]:
    """Return what was prepared, the problem and the solution with a ladder of the ranges that the plan shows.

    Parameters
    ----------
    made : Prepared
    problem : Problem
        As it was solved.
    solution : Solution
        Whose plan may show ranges.
    """
    plan = solution.plan
    if not isinstance(plan, RangedPlan):
        return made, problem, solution
    j = plan.column
    name = made.fitted.policy.quasi_identifiers[j]
    grid: NumberRanges = made.ranges[name]
    used = plan.runs[plan.runs[:, 0] >= 0]
    ladder, level = grid.packed((int(a), int(b)) for a, b in used)
    fitted = Fitted(ladder, missing=False)
    heights = [one.height for one in problem.levels]
    heights[j] = ladder.height
    names = made.fitted.policy.quasi_identifiers
    hierarchies = {**made.fitted.hierarchies, name: fitted}
    rules = dataclasses.replace(made.fitted.rules, hierarchies=hierarchies)
    patterns = made.fitted.policy.mask.compile(names, heights)
    refitted = dataclasses.replace(made.fitted, hierarchies=hierarchies, patterns=patterns, rules=rules)
    table, types = _relaid(made.table, made.types, name, fitted)
    nodes = {**made.nodes, name: (ladder, made.nodes[name][1])}
    again = dataclasses.replace(made, fitted=refitted, table=table, types=types, nodes=nodes, ranges={})
    levels = plan.levels.copy()
    top = plan.levels[:, j] == problem.levels[j].height
    shown = [level[int(a), int(b)] if a >= 0 else 0 for a, b in plan.runs]
    levels[:, j] = np.where(top & (plan.runs[:, 0] < 0), ladder.height, shown)
    ranged = problem.ranges[j]
    assert ranged is not None
    lines = made.nodes[name][1]
    cost = (ladder.leaves_below[:, lines] - 1) * ranged.unit
    cost[0] = 0
    own = Levels(ladder.ups(lines), cost)
    small = dataclasses.replace(
        problem, levels=(*problem.levels[:j], own, *problem.levels[j + 1 :]), patterns=patterns, ranges=()
    )
    new = Plan(levels.astype(np.int8), plan.part_type, plan.part_group, plan.part_rows)
    return again, small, dataclasses.replace(solution, plan=new)


def _relaid(table: Table, types: Compressed, name: str, fitted: Fitted) -> tuple[Table, Compressed]:
    """Return a table whose column is plain text, which any label is too, with another ladder."""
    engine = table.engine
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
