"""Whether the fully suppressed group has enough rows, and the least release where it has too few, exactly.

The *hub* is the fully suppressed group: the instance that every row can be released as. `exact` first solves every
component as if this group needed no k rows. Where the result has H rows in it with 0 < H < k, that is no release. Then
the least release is the cheaper of two. Either nobody is fully suppressed, and every component does without the hub; or
at least k rows are: with F_c(q) the least cost of component c with at least q rows in the hub, the release costs the
least sum of F_c(q_c) over all q_c with sum q_c >= k, found component by component.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.milp import Outcome, solve
from incrowd.tables.solve.shared.row_assignment import best_rows, cost_of, holds
from incrowd.tables.solve.shared.strong_formulation import strong

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.solve.exact.component import ComponentState
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Int64

__all__ = ["fill_hub", "hub_rows", "strict"]

Found = tuple[int, "Int64"]


def hub_rows(instances: Instances, rows: Int64) -> int:
    """Return how many rows the hub holds, where `rows`, (p,), are the rows per pair."""
    if instances.hub < 0:
        return 0
    return int(rows[instances.begins[instances.hub] : instances.begins[instances.hub + 1]].sum())


def fill_hub(instances: Instances, rows: Int64) -> Int64 | None:
    """Fetch the rows that the hub lacks from instances with more than they need, cheapest first.

    `rows` and the answer are rows per pair, (p,), of instances with a hub. None is returned when the surplus is not
    enough.
    """
    rows = rows.copy()
    held = np.zeros(instances.size, np.int64)
    np.add.at(held, instances.owners, rows)
    missing = int(instances.needs[instances.hub]) - int(held[instances.hub])
    spare = held - instances.needs
    used = np.flatnonzero((rows > 0) & (instances.owners != instances.hub))
    own = instances.costs[instances.owners[used]]
    first = int(instances.begins[instances.hub])
    for x in used[np.argsort(-own, kind="stable")]:
        take = min(missing, int(rows[x]), int(spare[instances.owners[x]]))
        if take > 0:
            rows[x] -= take
            rows[first + instances.members[x]] += take
            spare[instances.owners[x]] -= take
            missing -= take
        if missing <= 0:
            return rows
    return None


def strict(closings: list[ComponentState], need: int, limit: int, watch: Watch) -> tuple[bool, int, list[Int64]]:
    """Return the least release with no rows or at least `need` rows in the hub, if it costs less than `limit`.

    `closings` are all components, each with an optimal relaxed release; `need` is k, and `limit` the cost of a release
    at hand. The answer says first whether both ways were gone to the end (else the search was stopped), then the least
    cost found, or `limit`, and the rows of every component, (p,), empty when nothing below `limit` exists or was found.

    Up to need + 1 integer programs per component; a component is left alone once a further row in the hub would cost
    more than the release at hand allows.
    """
    unit = closings[0].unit
    floor = sum(c.cost for c in closings)
    best, chosen, decided = limit, [], True
    without = _closed(closings, floor, best, watch)
    if without is None:
        decided = False
    elif without:
        best, chosen = sum(cost for cost, _ in without), [rows for _, rows in without]
    # table[q]: least extra cost of the components so far with at least q rows in the hub, and their choices.
    never = best - floor
    table: list[tuple[int, list[Int64]] | None] = [(0, [])] + [None] * need
    for closing in closings:
        ladder = _ladder(closing, need, never - unit, watch)
        if ladder is None:
            return False, best, chosen
        fresh: list[tuple[int, list[Int64]] | None] = [None] * (need + 1)
        for q, entry in enumerate(table):
            if entry is None:
                continue
            for have, (extra, rows) in enumerate(ladder):
                at, cost = min(q + have, need), entry[0] + extra
                known = fresh[at]
                if cost < never and (known is None or cost < known[0]):
                    fresh[at] = (cost, [*entry[1], rows])
        # At least q rows is at most at least q + 1 rows.
        for q in range(need - 1, -1, -1):
            above, here = fresh[q + 1], fresh[q]
            if above is not None and (here is None or above[0] < here[0]):
                fresh[q] = above
        table = fresh
    last = table[need]
    if last is not None and floor + last[0] < best:
        best, chosen = floor + last[0], last[1]
    return decided, best, chosen


def _closed(closings: list[ComponentState], floor: int, limit: int, watch: Watch) -> list[Found] | None:
    """Return per component the least release without the hub; empty when there is none below `limit`."""
    found: list[Found] = []
    spent = floor
    for closing in sorted(closings, key=lambda c: c.instances.pairs):
        spent -= closing.cost
        answer = _least(closing, limit - spent - closing.unit, watch, hub=False)
        if answer is None:
            return None
        if not answer:
            return []
        spent += answer[0][0]
        found.append(answer[0])
    order = np.argsort([c.instances.pairs for c in closings], kind="stable")
    back: list[Found] = [found[0]] * len(found)
    for place, at in enumerate(order):
        back[int(at)] = found[place]
    return back


def _ladder(closing: ComponentState, need: int, slack: int, watch: Watch) -> list[Found] | None:
    """Return F_c(q) - F_c(0) with its rows for q = 0, 1, ... while at most `slack`."""
    assert closing.rows is not None
    ladder: list[Found] = [(0, closing.rows)]
    have = hub_rows(closing.instances, closing.rows)
    while len(ladder) <= min(need, int(closing.instances.counts.sum())):
        q = len(ladder)
        if q <= have:
            ladder.append(ladder[-1])
            continue
        answer = _least(closing, closing.cost + slack, watch, at_least=q)
        if answer is None:
            return None
        if not answer:
            break
        cost, rows = answer[0]
        have = hub_rows(closing.instances, rows)
        ladder.append((cost - closing.cost, rows))
    return ladder


def _least(
    closing: ComponentState, limit: int, watch: Watch, *, hub: bool = True, at_least: int = 0
) -> list[Found] | None:
    """Return a component's least release of cost at most `limit` (empty: there is none; None: stopped)."""
    instances = closing.instances
    if limit < closing.cost:
        return []
    rows_back = np.arange(instances.pairs)
    if not hub and instances.hub >= 0:
        keep = np.arange(instances.size) != instances.hub
        rows_back = np.flatnonzero(keep[instances.owners])
        instances = instances.only(keep)
        if np.unique(instances.members).size < instances.t:
            return []
    model = strong(instances, unit=closing.unit, hub_rows=at_least)
    cutoff = limit / closing.unit + 0.5
    answer = solve(model.program, cutoff=cutoff, abs_gap=0.999, watch=watch)
    if answer.outcome in (Outcome.INFEASIBLE, Outcome.CUTOFF):
        return []
    if answer.outcome is not Outcome.OPTIMAL or answer.x is None:
        return None
    found = best_rows(instances.hub_needs(at_least), model.opened(answer.x), answer.x[: instances.pairs], watch)
    if found is None or hub_rows(instances, found) < at_least or not holds(instances, found):
        return None
    cost = cost_of(instances, found)
    if cost > limit:
        return []
    rows = np.zeros(closing.instances.pairs, np.int64)
    rows[rows_back] = found
    return [(cost, rows)]
