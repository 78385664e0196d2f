"""Rows moved into the hub until its class meets the requirements too: a release of the whole from those of components.

Components take the hub as free and do not judge it, so what they put there together may break a requirement. Rows of
other values follow, the cheapest first, from classes that do without them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.count_rules import CountRule, Family
from incrowd.tables.solve.shared.under_requirements.value_counts import value_counts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.bounds.lagrangian import Float64
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Int64

__all__ = ["with_hub_filled"]

PASSES = 6
LOOK = 1024  # moves tried between two looks at the watch


def with_hub_filled(
    instances: Instances, rows: Int64, kinds: NDArray[np.integer], rules: Sequence[CountRule], need: int, watch: Watch
) -> Int64 | None:
    """Return rows per pair with more rows in the hub, so that it meets rules of shares and of distinct values.

    `rows`, (p,), are rows per pair of instances with a hub; classes outside the hub have the rows they need and meet
    the rules. `kinds`, (t,), is the combination of sensitive values of each type, and `need` the rows that the hub
    needs if it has any. None is returned where no rows that can be spared do, where a rule is of another kind, or when
    the watch said stop.

    A heuristic in floating point: who takes its rows judges them. O(rows of the table times values), `PASSES` times.
    """
    if any(rule.family not in (Family.SHARES, Family.DISTINCT) for rule in rules):
        return None
    owners, members, hub = instances.owners, instances.members, instances.hub
    codes = [rule.code[kinds] for rule in rules]
    held = [value_counts(instances, code[members], rows, rule.values) for rule, code in zip(rules, codes, strict=True)]
    into = np.full(instances.t, -1, np.int64)
    mine = np.flatnonzero(owners == hub)
    into[members[mine]] = mine
    some = np.flatnonzero((rows > 0) & (owners != hub) & (into[members] >= 0))
    some = some[np.argsort(instances.costs[hub] - instances.costs[owners[some]], kind="stable")]
    rows = rows.copy()
    tried = 0
    for _ in range(PASSES):
        moved = False
        for place in some.tolist():
            i, g = int(members[place]), int(owners[place])
            while rows[place] > 0:
                tried += 1
                if tried % LOOK == 0 and watch.stopped:
                    return None
                wanted = _wanted(rules, [own[hub] for own in held], [int(code[i]) for code in codes], need)
                if wanted is None:
                    return rows
                if not wanted or not _spares(
                    rules, [own[g] for own in held], [int(code[i]) for code in codes], int(instances.needs[g])
                ):
                    break
                for own, code in zip(held, codes, strict=True):
                    own[g, code[i]] -= 1
                    own[hub, code[i]] += 1
                rows[place] -= 1
                rows[into[i]] += 1
                moved = True
        if not moved:
            break
    return rows if _wanted(rules, [own[hub] for own in held], [0] * len(rules), need) is None else None


def _wanted(rules: Sequence[CountRule], hub: Sequence[Float64], values: Sequence[int], need: int) -> bool | None:
    """Return whether a row with these values helps the hub; None: it needs no help."""
    size = float(hub[0].sum()) if hub else 0.0
    if size == 0:
        return None
    broken = size < need
    for rule, counts, value in zip(rules, hub, values, strict=True):
        if rule.family == Family.DISTINCT:
            if np.count_nonzero(counts) < rule.least:
                if counts[value] > 0:
                    return False
                broken = True
        else:
            over = counts > rule.share * size + 1e-9
            if over.any():
                if over[value]:
                    return False
                broken = True
    return True if broken else None


def _spares(rules: Sequence[CountRule], held: Sequence[Float64], values: Sequence[int], need: int) -> bool:
    """Return whether a class can do without a row with these values."""
    size = float(held[0].sum()) - 1
    if size < need:
        return False
    for rule, counts, value in zip(rules, held, values, strict=True):
        left = counts.copy()
        left[value] -= 1
        if rule.family == Family.DISTINCT:
            if np.count_nonzero(left) < rule.least:
                return False
        elif (left > rule.share * size + 1e-9).any():
            return False
    return True
