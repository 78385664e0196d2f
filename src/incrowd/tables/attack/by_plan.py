"""The release of a plan as an attacker would hold it, without reading its rows: for a look by the way."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.attack.answer import attacked, counted
from incrowd.tables.attack.classes import lowerings
from incrowd.tables.attack.premises import Premises
from incrowd.tables.attack.rules import QUICK, insiders, single_rows
from incrowd.tables.attack.score import Edges, wrong_of
from incrowd.tables.attack.values import AttackColumn, Released
from incrowd.tables.row_numbers import added_up, row_numbers
from incrowd.tables.solve.blunt import BUDGETS, blunted
from incrowd.tables.user_units import in_units

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.progress import Watch
    from incrowd.tables.attack.values import Standing
    from incrowd.tables.values import Int32, Plan, Problem, Solution


def released_of_plan(problem: Problem, plan: Plan) -> Released:
    """Return the classes of a plan as an attacker reads them; no column's domain is taken to be known.

    The problem is one of levels, not of ranges, and the plan is one of the problem.
    """
    types = problem.types
    reps, sizes = types.codes[plan.part_type[plan.first()]], plan.sizes()
    columns = []
    for j, level in enumerate(problem.levels):
        plain = plan.levels[:, j] == 0
        shown = added_up(reps[plain, j], sizes[plain], level.up.shape[1])
        name = problem.columns[j] if problem.columns else str(j)
        columns.append(AttackColumn(name, tuple(map(str, range(shown.size))), False, level, shown))
    kinds = _kinds(problem, plan)
    units, which = row_numbers((plan.part_class, kinds), kinds.size)
    return Released(
        columns=tuple(columns), levels=plan.levels, reps=reps, sizes=sizes, unit_class=plan.part_class[units],
        unit_kind=kinds[units], unit_rows=added_up(which, plan.part_rows, units.size), k=problem.k,
        outliers=problem.outliers, patterns=problem.patterns, scale=problem.scale, requirements=problem.requirements,
        most_suppressed=problem.most_suppressed,
    )  # fmt: skip


def _kinds(problem: Problem, plan: Plan) -> Int32:
    """Return the combination of sensitive values of each part, as far as requirements judge them."""
    if problem.types.kinds is None or not problem.requirements:
        return np.zeros(plan.part_type.size, np.int32)
    return problem.types.kinds[plan.part_type]


def gives_away(problem: Problem, plan: Plan, *, settled: bool, watch: Watch) -> dict[str, Any]:
    """Return what the rules that are GROUP BYs find in the release of a plan.

    `settled` says whether the release says that it is settled, and the watch ends the look. The keys are
    ``hidden_cells``; ``cells`` of which a value is excluded, and their ``mass``; ``insider_cells`` in classes of two;
    ``settled``: whether that is certain; ``complete``.
    """
    released = released_of_plan(problem, plan)
    stands: Standing = "proven" if settled else "assumed"
    found = attacked(released, Premises("proven", "no", stands, "no"), watch, QUICK)
    excluded = found.union(stands)
    cells, mass = counted(released, excluded).told(released)
    lowered = lowerings(released, watch)
    inside = insiders(released, lowered, excluded)
    known = found.premises.settled != "no"
    return {
        "hidden_cells": released.cells((released.levels > 0)[released.unit_class]),
        "cells": cells,
        "mass": mass,
        "insider_cells": inside["cells"] if known else 0,
        "settled": settled,
        "complete": found.complete and lowered.complete,
    }


# What a release gives away, and what blunting it takes back at which cost: counted on its plan, nothing is written.
DRAWS = 5


def claims_of(problem: Problem, plan: Plan, watch: Watch) -> tuple[int, int, float]:
    """Return what the rule for single rows claims of a plan's release, and how it fares.

    They are three numbers: the cells of which a value is claimed to be excluded; the rows' cells that have such a
    value; and how many would, were it as frequent there as in the table.
    """
    released, types = released_of_plan(problem, plan), problem.types
    found = single_rows(released, 0, watch)
    _, unit = row_numbers((plan.part_class, _kinds(problem, plan)), plan.part_class.size)
    each, values = np.arange(unit.size), types.codes[plan.part_type]
    wrong = wrong_of(Edges("order", unit, values, each, each, plan.part_rows, plan.part_rows), found, released, watch)
    chance = 0.0
    for j in range(types.m):
        share = np.bincount(types.codes[:, j], weights=types.counts, minlength=types.sizes[j]) / types.n
        here = found.column == j
        chance += float((released.unit_rows[found.unit[here]] * share[found.value[here]]).sum())
    return counted(released, found).told(released)[0], wrong.least if wrong else 0, chance


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
