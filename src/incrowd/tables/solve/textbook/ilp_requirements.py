"""The integer program under requirements: the rows of each instance say that what it holds meets them.

x[type, instance] are whole here, one type per (row, sensitive values): with these rows the program is no
transportation problem any more. The instances are the undominated ones: that rule moves all rows of one instance to
another, which keeps every requirement that holds for unions. Fully suppressed rows are a group like any other for the
requirements, also where they need no k rows. Where no finite number of rows says it (`no_good_cuts`), rows are added
for groups that fail until none does. The engine counts in floating point, so what it returns is recounted in
integers, and its bound stays its word.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.milp import Program, rows_of
from incrowd.tables.solve.shared.requirement_check import closed_under_union
from incrowd.tables.solve.shared.strong_formulation import StrongFormulation, strong
from incrowd.tables.solve.textbook.requirement_rows import stated_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.linear_rows import LinearRows
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Problem

__all__ = ["reason_against_rows", "required"]

Entry = tuple[Any, Any, Any]

# Rows of a requirement times pairs of a row type and a pattern.
MOST_ENTRIES = 20_000_000


def reason_against_rows(problem: Problem) -> str | None:
    """Return why an integer program cannot state a problem's requirements, or None."""
    for requirement in problem.requirements:
        if requirement.linear_rows() is None and not requirement.by_cuts:
            return (
                f"its program has linear rows only, and {requirement.describe()} has none here; take solver "
                "'subset_dp' for small tables, or a heuristic"
            )
    width = max((len(rows.size) for rows in stated_rows(problem)), default=0)
    if width * problem.patterns.count() * problem.types.t > MOST_ENTRIES:
        return "its program would have too many rows for the values of a sensitive column; take a heuristic"
    return closed_under_union(problem)


def required(
    problem: Problem, instances: Instances, *, unit: int, cuts: Sequence[LinearRows] = ()
) -> StrongFormulation:
    """Return the integer program over the instances with the rows of all requirements, and further ones.

    The instances are listed of the problem, which has requirements. The scaled costs are divided by `unit`, at least 1.
    The `cuts` are further rows over the types of one instance, for each of them.

    Notes
    -----
    Columns: those of `strong`, then the size of each instance, then the extra variables of each requirement for each
    instance. With k = 1 and no requirement that counts values no u is needed: an empty group meets all rows.
    O(pairs + instances * (values^2 at most)) entries.
    """
    cones = [*stated_rows(problem), *cuts]
    counting = any(cone.opened.any() for cone in cones)
    if counting or problem.k == 1:
        # Values are counted in every open group, so each has its u; else none is needed for k = 1.
        needs = np.maximum(instances.needs, 1) if counting else np.zeros_like(instances.needs)
        instances = dataclasses.replace(instances, needs=needs)
    model = strong(instances, unit=unit, whole=True, big=True)
    base, groups, pairs = model.program, instances.size, instances.pairs
    columns = len(base.cost)
    kinds = problem.types.kinds
    assert kinds is not None
    sizes = columns + np.arange(groups)
    every = np.arange(pairs)
    owners = instances.owners.astype(np.int64)
    entries: list[Entry] = [
        (
            np.concatenate((owners, np.arange(groups))),
            np.concatenate((every, sizes)),
            np.concatenate((np.ones(pairs), -np.ones(groups))),
        )
    ]
    bounds = [(np.zeros(groups), np.zeros(groups))]
    columns += groups
    upper = [base.upper, np.full(groups, np.inf)]
    whole = [base.whole, np.zeros(groups, np.bool_)]
    for cone in cones:
        rows, extra = cone.extra.shape
        entries.append(_rows(cone, instances, kinds, model, sizes, columns))
        bounds.append((np.full(rows * groups, -np.inf), np.zeros(rows * groups)))
        upper.append(np.full(extra * groups, 1.0 if cone.binary else np.inf))
        whole.append(np.full(extra * groups, cone.binary))
        columns += extra * groups
    old = base.rows
    first = (np.repeat(np.arange(len(old.lower)), np.diff(old.begins)), old.columns, old.values)
    more = columns - len(base.cost)
    program = Program(
        cost=np.concatenate((base.cost, np.zeros(more))),
        lower=np.concatenate((base.lower, np.zeros(more))),
        upper=np.concatenate(upper),
        whole=np.concatenate(whole),
        rows=rows_of([first, *entries], [(old.lower, old.upper), *bounds]),
    )
    return dataclasses.replace(model, program=program)


def _rows(
    cone: LinearRows, instances: Instances, kinds: Any, model: StrongFormulation, sizes: Any, begin: int
) -> Entry:
    """Return the entries of a requirement's rows, row ``instance * rows + r``."""
    rows, extra = cone.extra.shape
    groups = np.arange(instances.size)
    # One entry per pair and row that its value stands in.
    of = cone.counts[:, cone.code[kinds[instances.members]]]
    r, pair = np.nonzero(of)
    places: list[Entry] = [(instances.owners[pair].astype(np.int64) * rows + r, pair, of[r, pair])]
    for row in np.flatnonzero(cone.size):
        places.append((groups * rows + row, sizes, np.full(groups.size, cone.size[row])))
    for row in np.flatnonzero(cone.opened):
        places.append((groups * rows + row, model.column, np.full(groups.size, cone.opened[row])))
    r, z = np.nonzero(cone.extra)
    places.append(
        (
            (groups[:, None] * rows + r).reshape(-1),
            (begin + groups[:, None] * extra + z).reshape(-1),
            np.tile(cone.extra[r, z], groups.size),
        )
    )
    return tuple(np.concatenate(part) for part in zip(*places, strict=True))  # type: ignore[return-value]
