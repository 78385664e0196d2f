"""More than (k - 1) p + 1 equal rows are as good as that many: p the number of allowed patterns.

Let r be a row type, P the allowed patterns, the one without stars among them, p = |P|. Its *own* group shows r as it
is, at cost 0; every other group that may hold rows of r belongs to another pattern of P, so there are p - 1.

**Exchange.** A group with s rows, a of them of type r, can hand over min(a, s - k) of these to the own group (all a of
them where the group needs no crowd, or a = s and it closes), at no cost. If the own group is open, or all that can be
handed over comes to k or more, do it. Then every other group is left with at most k - 1 rows of r: if a > s - k and
a < s, then a - (s - k) = k - (s - a) <= k - 1 stay, else none.

**Many copies open the own group.** If it stays closed, what can be handed over comes to at most k - 1 and what is left
to at most (p - 1)(k - 1), so there are at most (k - 1) p copies. So with (k - 1) p + 1 copies or more every release can
be exchanged for one, no dearer, whose own group is open.

**One copy more or less.** Let N >= (k - 1) p + 1. From N to N + 1 copies: exchange, and add the copy to the own group
at no cost. From N + 1 to N: exchange; the own group has at least N + 1 - (p - 1)(k - 1) >= k + 1 rows and can miss one.
So the optimum is the same for all numbers of copies from (k - 1) p + 1 on, and since the argument changes no other row
type's count, for all row types at once. The way back is the exchange, and it works for every plan, optimal or not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from incrowd.tables.compress.rules.reduction import (
    Reduced,
    own_groups,
    reason_against_copies,
    with_copies,
    without_copies,
)
from incrowd.tables.values import Int64, Plan, Problem

__all__ = ["CapCopies"]


@dataclass(frozen=True, kw_only=True)
class CapCopies:
    """Keep at most (k - 1) p + 1 copies of every row type, p the number of allowed patterns; proved in the module.

    Notes
    -----
    For k-anonymity alone, under both outlier rules, with a mask that holds the pattern without stars. Sharper than
    `StripCopies`: (k - 1) p + 1 against 2 k^2 2^m. O(t) time, the way back O(parts) for each type that lost copies.
    """

    def declines(self, problem: Problem) -> str | None:
        """Return why the rule does not apply, or None."""
        return reason_against_copies(problem)

    def reduce(self, problem: Problem) -> Reduced:
        """Return the smaller problem with the way back; `problem` is one that `declines` lets pass."""
        counts = problem.types.counts
        most = min((problem.k - 1) * problem.patterns.count() + 1, int(counts.max(initial=0)))
        copies = np.maximum(counts - most, 0)
        small = without_copies(problem, copies)

        def back(plan: Plan) -> Plan:
            return with_copies(_opened(small, plan, copies > 0), copies)

        return Reduced(small, back, int(copies.sum()))


def _opened(problem: Problem, plan: Plan, types: np.ndarray) -> Plan:
    """Return a plan, no dearer, in which the marked row types have groups of their own: the exchange."""
    free = np.zeros(plan.groups, np.bool_)
    if problem.outliers == "suppress":
        free = (plan.levels == np.array(problem.top, np.int8)).all(axis=1)
    sizes, rows = plan.sizes(), plan.part_rows.copy()
    given = np.zeros(problem.types.t, np.int64)
    for r in np.flatnonzero(types & (own_groups(plan, problem.types.t) < 0)):
        parts = np.flatnonzero(plan.part_type == r)
        groups = plan.part_group[parts]
        whole = free[groups] | (rows[parts] == sizes[groups])
        over = np.where(whole, rows[parts], np.minimum(rows[parts], np.maximum(sizes[groups] - problem.k, 0)))
        assert int(over.sum()) >= problem.k, "with so many copies, a group of their own opens"
        rows[parts] -= over
        sizes[groups] -= over
        given[r] = over.sum()
    return with_copies(_without_empty(plan, rows), given)


def _without_empty(plan: Plan, rows: Int64) -> Plan:
    """Return a plan with other rows per part; parts and groups without rows are gone."""
    keep = rows > 0
    used, group = np.unique(plan.part_group[keep], return_inverse=True)
    return Plan(plan.levels[used], plan.part_type[keep], group.reshape(-1).astype(np.int32), rows[keep])
