"""What a release gives away, and what blunting it takes back at which cost: counted on its plan, nothing is written."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.attack.by_plan import released_of_plan
from incrowd.tables.attack.rules.single_rows import SingleRows
from incrowd.tables.solve.blunt.draw import BUDGETS, blunted
from incrowd.tables.user_units import in_units

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.progress import Watch
    from incrowd.tables.values import Plan, Problem, Solution

__all__ = ["blunt_curve", "claims_of"]

DRAWS = 5


def claims_of(problem: Problem, plan: Plan, watch: Watch) -> tuple[int, int, float]:
    """Return what the rule for single rows claims of a plan's release, and how it fares.

    They are three numbers: the cells of which a value is claimed to be excluded; the rows' cells that have such a
    value; and how many would, were it as frequent there as in the table.
    """
    released = released_of_plan(problem, plan)
    found = SingleRows().find(released, 0, watch)
    types = problem.types
    units = np.unique(np.stack((found.unit, found.column), axis=1), axis=0)
    claimed = int(released.unit_rows[units[:, 0]].sum())
    wrong, chance = 0, 0.0
    kinds = np.zeros(plan.part_type.size, np.int64)
    if types.kinds is not None and problem.requirements:
        kinds = types.kinds[plan.part_type].astype(np.int64)
    most = int(max(kinds.max(initial=0), released.unit_kind.max(initial=0))) + 1
    names = released.unit_class.astype(np.int64) * most + released.unit_kind  # units lie in this order
    unit = np.searchsorted(names, plan.part_group.astype(np.int64) * most + kinds)
    for j in range(types.m):
        size = types.sizes[j]
        share = np.bincount(types.codes[:, j], weights=types.counts, minlength=size) / types.n
        here = found.column == j
        chance += float((released.unit_rows[found.unit[here]] * share[found.value[here]]).sum())
        tags = np.unique(found.unit[here].astype(np.int64) * size + found.value[here])
        part = unit * size + types.codes[plan.part_type, j]
        wrong += int(plan.part_rows[np.isin(part, tags)].sum())
    return claimed, wrong, chance


def blunt_curve(problem: Problem, solution: Solution, watch: Watch, draws: int = DRAWS) -> list[dict[str, Any]]:
    """Return cost and claims of a release as it is and blunted, level by level, as means over some draws.

    The problem is one of levels, and the solution is the best of a run. The watch says when to stop, and there are
    `draws` of each level. Each dict has ``blunt`` (None: as it is), ``cost``, ``claimed_cells``, ``wrong_cells`` and
    ``quotient`` (None without claims).
    """
    lines = []
    for level in (None, *BUDGETS):
        if watch.stopped:
            break
        plans = [solution.plan]
        if level is not None:
            plans = [blunted(problem, solution, level, watch).plan for _ in range(draws)]
        lines.append({"blunt": level, **_mean(problem, plans, watch)})
    return lines


def _mean(problem: Problem, plans: Sequence[Plan], watch: Watch) -> dict[str, Any]:
    found = np.array([claims_of(problem, plan, watch) for plan in plans])
    cells, wrong, chance = found.mean(axis=0).tolist()
    cost = sum((in_units(problem, plan.cost(problem)) for plan in plans), Fraction(0)) / len(plans)
    return {
        "cost": int(cost) if cost.denominator == 1 else float(cost),
        "claimed_cells": round(cells),
        "wrong_cells": round(wrong),
        "quotient": round(wrong / chance, 3) if chance else None,
    }
