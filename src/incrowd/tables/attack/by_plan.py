"""The release of a plan as an attacker would hold it, without reading its rows: for a look by the way."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.attack.answer import QUICK, attacked, counted
from incrowd.tables.attack.classes import lowerings
from incrowd.tables.attack.premises import Premises
from incrowd.tables.attack.rules import SingleRows, insiders
from incrowd.tables.attack.values import AttackColumn, Released
from incrowd.tables.row_numbers import added_up
from incrowd.tables.solve.blunt import BUDGETS, blunted
from incrowd.tables.user_units import in_units

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.progress import Watch
    from incrowd.tables.values import Int64, Plan, Problem, Solution


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
    units, which = np.unique(np.stack((plan.part_class.astype(np.int64), kinds), axis=1), axis=0, return_inverse=True)
    rows = added_up(which.reshape(-1), plan.part_rows, len(units))
    return Released(
        columns=tuple(columns), levels=plan.levels, reps=reps, sizes=sizes, unit_class=units[:, 0].astype(np.int32),
        unit_kind=units[:, 1].astype(np.int32), unit_rows=rows, k=problem.k, outliers=problem.outliers,
        patterns=problem.patterns, scale=problem.scale, requirements=problem.requirements,
        most_suppressed=problem.most_suppressed,
    )  # fmt: skip


def _kinds(problem: Problem, plan: Plan) -> Int64:
    """Return the combination of sensitive values of each part, as far as requirements judge them."""
    if problem.types.kinds is None or not problem.requirements:
        return np.zeros(plan.part_type.size, np.int64)
    return problem.types.kinds[plan.part_type].astype(np.int64)


def gives_away(problem: Problem, plan: Plan, *, settled: bool, watch: Watch) -> dict[str, Any]:
    """Return what the rules that are GROUP BYs find in the release of a plan.

    `settled` says whether the release says that it is settled, and the watch ends the look. The keys are
    ``hidden_cells``; ``cells`` of which a value is excluded, and their ``mass``; ``insider_cells`` in classes of two;
    ``settled``: whether that is certain; ``complete``.
    """
    released = released_of_plan(problem, plan)
    stands = "proven" if settled else "assumed"
    found = attacked(released, Premises("proven", "no", stands, "no"), watch, QUICK)  # type: ignore[arg-type]
    excluded = found.union(stands)  # type: ignore[arg-type]
    cells, mass = counted(released, excluded).told(released)
    lowered = lowerings(released, watch)
    inside = insiders(released, lowered, excluded)
    known = found.premises.settled != "no"
    return {
        "hidden_cells": int(((released.levels > 0) * released.sizes[:, None]).sum()),
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
    released = released_of_plan(problem, plan)
    found = SingleRows().find(released, 0, watch)
    types = problem.types
    units = np.unique(np.stack((found.unit, found.column), axis=1), axis=0)
    claimed = int(released.unit_rows[units[:, 0]].sum())
    wrong, chance = 0, 0.0
    kinds = _kinds(problem, plan)
    most = int(max(kinds.max(initial=0), released.unit_kind.max(initial=0))) + 1
    names = released.unit_class.astype(np.int64) * most + released.unit_kind  # units lie in this order
    unit = np.searchsorted(names, plan.part_class.astype(np.int64) * most + kinds)
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
