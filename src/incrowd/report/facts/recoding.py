"""Facts of how a release is recoded: the one level vector where there is one, and the limit on suppressed rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from incrowd.policy.job import Policy
    from incrowd.tables.values import Problem, Solution

__all__ = ["recoding_facts"]


def recoding_facts(policy: Policy, problem: Problem, solution: Solution) -> dict[str, Any]:
    """Return what the facts of a release hold of its recoding; nothing where every class has its own and no limit.

    They are ``levels`` (level by column, under one recoding for the whole table), ``suppressed_rows`` (fully
    suppressed), and ``suppression_limit`` (the share asked for, as text) with ``most_suppressed`` in rows.
    """
    one, limit = policy.recoding == "global", policy.suppression_limit
    if not one and limit is None:
        return {}
    plan, top = solution.plan, np.array(problem.top, np.int8)
    full = (plan.levels == top).all(axis=1)
    facts: dict[str, Any] = {"suppressed_rows": int(plan.sizes()[full].sum())}
    if one:
        vector = top if full.all() else plan.levels[int(np.flatnonzero(~full)[0])]
        names = policy.quasi_identifiers
        facts["levels"] = {name: int(level) for name, level in zip(names, vector, strict=True)}
    if limit is not None:
        facts |= {"suppression_limit": str(limit), "most_suppressed": problem.most_suppressed}
    return facts
