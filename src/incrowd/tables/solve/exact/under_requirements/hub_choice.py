"""One release of each component, chosen among those found so that the hub meets shares: a small integer program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.milp import Program, rows_of, solve
from incrowd.tables.count_rules import CountRule, Family
from incrowd.tables.solve.shared.row_assignment import cost_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.exact.under_requirements.release_pool import ReleasePool
    from incrowd.tables.solve.shared.components import Part
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Int64

__all__ = ["with_hub_fitting"]

NODES = 2000  # of the integer program's tree


def with_hub_fitting(
    instances: Instances,
    parts: Sequence[tuple[Part, ReleasePool]],
    kinds: NDArray[np.integer],
    rules: Sequence[CountRule],
    cutoff: int,
    watch: Watch,
) -> Int64 | None:
    """Return the cheapest choice of one release a component with which the hub meets rules of shares.

    The answer is rows per pair of the list, (p,); None if there is no choice, or none was found. `instances` have a
    hub, and `parts` are all components, each with its releases. `kinds`, (t,), is the combination of sensitive values
    of each type. Rules of other kinds than shares are left out. `cutoff` is the scaled cost from which on a release is
    of no use.

    The program has one column a release, one row a component and one a value and rule. It is solved in floating point:
    who takes the choice judges it.
    """
    shares = [rule for rule in rules if rule.family == Family.SHARES]
    cost, owner, chosen, places = [], [], [], []
    over: list[list[NDArray[np.float64]]] = [[] for _ in shares]
    for number, (part, pool) in enumerate(parts):
        mine = np.flatnonzero(part.instances.owners == part.instances.hub)
        there = kinds[part.types][part.instances.members[mine]]
        for own, rows in pool.releases():
            cost.append(float(own))
            owner.append(number)
            places.append(np.flatnonzero(rows))
            chosen.append(rows[places[-1]])
            for rule, held in zip(shares, over, strict=True):
                counts = np.bincount(rule.code[there], weights=rows[mine], minlength=rule.values)
                held.append(counts - rule.share * counts.sum())
    every = np.arange(len(cost))
    entries = [(np.array(owner, np.int64), every, np.ones(every.size))]
    ones = np.ones(len(parts))
    sides = [(ones, ones)]
    if np.unique(owner).size < len(parts) or every.size == len(parts):
        return None
    for held in over:
        table = np.array(held)
        column, value = np.nonzero(table)
        entries.append((value, column, table[column, value]))
        sides.append((np.full(table.shape[1], -np.inf), np.zeros(table.shape[1])))
    scale = max(float(instances.costs.max(initial=1)), 1.0) / 64
    program = Program(
        np.array(cost) / scale, np.zeros(every.size), np.ones(every.size), np.ones(every.size, np.bool_),
        rows_of(entries, sides),
    )  # fmt: skip
    answer = solve(program, cutoff=(cutoff - 0.5) / scale, nodes=NODES, watch=watch)
    if answer.x is None:
        return None
    rows = np.zeros(instances.pairs, np.int64)
    for taken in np.flatnonzero(answer.x > 0.5).tolist():
        rows[parts[owner[taken]][0].places[places[taken]]] = chosen[taken]
    return rows if cost_of(instances, rows) < cutoff else None
