"""The release of a plan as an attacker would hold it, without reading its rows: for a look by the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.attack.answer import QUICK, attacked
from incrowd.tables.attack.classes.finer import lowerings
from incrowd.tables.attack.count import counted
from incrowd.tables.attack.premises import Premises
from incrowd.tables.attack.rules.insiders import insiders
from incrowd.tables.attack.values import AttackColumn, Released

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.values import Plan, Problem

__all__ = ["gives_away", "released_of_plan"]


def released_of_plan(problem: Problem, plan: Plan) -> Released:
    """Return the classes of a plan as an attacker reads them; no column's domain is taken to be known.

    The problem is one of levels, not of ranges, and the plan is one of the problem.
    """
    types = problem.types
    first = np.zeros(plan.groups, np.int64)
    first[plan.part_group[::-1]] = plan.part_type[::-1]
    reps, sizes = types.codes[first], plan.sizes()
    columns = []
    for j, level in enumerate(problem.levels):
        shown = np.zeros(level.up.shape[1], np.int64)
        plain = plan.levels[:, j] == 0
        np.add.at(shown, reps[plain, j], sizes[plain])
        name = problem.columns[j] if problem.columns else str(j)
        columns.append(AttackColumn(name, tuple(map(str, range(shown.size))), False, level, shown))
    kinds = np.zeros(plan.part_type.size, np.int64)
    if types.kinds is not None and problem.requirements:
        kinds = types.kinds[plan.part_type].astype(np.int64)
    units, which = np.unique(np.stack((plan.part_group.astype(np.int64), kinds), axis=1), axis=0, return_inverse=True)
    rows = np.zeros(len(units), np.int64)
    np.add.at(rows, which.reshape(-1), plan.part_rows)
    return Released(
        columns=tuple(columns), levels=plan.levels, reps=reps, sizes=sizes, unit_class=units[:, 0].astype(np.int32),
        unit_kind=units[:, 1].astype(np.int32), unit_rows=rows, k=problem.k, outliers=problem.outliers,
        patterns=problem.patterns, scale=problem.scale, requirements=problem.requirements,
        most_suppressed=problem.most_suppressed,
    )  # fmt: skip


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
    count = counted(released, excluded).to_dict(released)
    lowered = lowerings(released, watch)
    inside = insiders(released, lowered, excluded)
    known = found.premises.settled != "no"
    return {
        "hidden_cells": int(((released.levels > 0) * released.sizes[:, None]).sum()),
        "cells": count["excluded"],
        "mass": count["excluded_mass"],
        "insider_cells": inside["cells"] if known else 0,
        "settled": settled,
        "complete": found.complete and lowered.complete,
    }
