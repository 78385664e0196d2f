"""Cuts for requirements without finitely many linear rows: each cuts off one group that fails, and none that meets it.

A requirement that has such cuts says so (``by_cuts``) and makes them (`Requirement.cut_against`, with the reason where
it is written: *entropy* l-diversity in `tables/models/entropy.py`, *recursive* in `value_counts.py`).

All cuts of a requirement together say exactly what the requirement says, so adding those that the engine's solutions
break ends at the optimum; it ends because groups are finitely many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.solve.shared.requirement_check import kinds_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from incrowd.tables.linear_rows import LinearRows
    from incrowd.tables.values import Plan, Problem

__all__ = ["cuts_against"]


def cuts_against(problem: Problem, plan: Plan) -> Iterator[tuple[bytes, LinearRows]]:
    """Yield a cut with a name of its own for every group of a plan that fails a requirement met by cuts."""
    kinds = kinds_of(problem)[plan.part_type]
    for number, requirement in enumerate(problem.requirements):
        if not requirement.by_cuts:
            continue
        met = requirement.meets(plan.part_group, kinds, plan.part_rows, plan.groups)
        for group in np.flatnonzero(~met):
            mine = plan.part_group == group
            counts = requirement.counts_of(kinds[mine], plan.part_rows[mine])
            yield bytes([number]) + (counts // np.gcd.reduce(counts)).tobytes(), requirement.cut_against(counts)
