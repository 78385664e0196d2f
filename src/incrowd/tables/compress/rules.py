"""A smaller problem with the way back, and what rules on equal rows share."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from incrowd.tables.engine.row_salt import lots
from incrowd.tables.row_numbers import added_up
from incrowd.tables.table import KEY, SHOWN, Expanded
from incrowd.tables.values import Int64, Plan, Problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from incrowd.tables.table import Compressed, Table


@dataclass(frozen=True, slots=True, eq=False)
class Reduced:
    """A smaller problem.

    `problem`: of the same optimum. `back`: plan of it -> plan of the problem before, of no greater cost. `removed`:
    rows taken away.
    """

    problem: Problem
    back: Callable[[Plan], Plan]
    removed: int


def with_copies(plan: Plan, copies: Int64) -> Plan:
    """Return a plan with further copies of each row type in classes of their own, opened where there is none.

    `copies` is (t,) int64: how many rows to add of each type.
    """
    own = np.full(copies.size, -1, np.int64)  # the class that shows a row type as it is, and hence nothing else
    plain = (plan.levels[plan.part_class] == 0).all(axis=1)
    own[plan.part_type[plain]] = plan.part_class[plain]
    fresh = np.flatnonzero((own < 0) & (copies > 0))
    own[fresh] = plan.classes + np.arange(fresh.size)
    more = np.flatnonzero(copies)
    levels = np.concatenate((plan.levels, np.zeros((fresh.size, plan.levels.shape[1]), np.int8)))
    types = np.concatenate((plan.part_type, more))
    classes = np.concatenate((plan.part_class, own[more]))
    rows = np.concatenate((plan.part_rows, copies[more]))
    part, back = np.unique(np.column_stack((types, classes)), axis=0, return_inverse=True)
    total = added_up(back.reshape(-1), rows, len(part))
    return Plan(levels, part[:, 0].astype(np.int32), part[:, 1].astype(np.int32), total)


# The kernelization of Blocki and Williams, literally: k equal rows at a time go into a class of their own.
@dataclass(frozen=True, kw_only=True)
class StripCopies:
    """Algorithm 1: while a row type has more than 2 k^2 2^m copies, k of them are released as they are.

    Notes
    -----
    2^m counts the patterns of suppression; with hierarchies it is the number of all level vectors. Lemma 2: with
    k (2k - 1) 2^m copies some optimum has a class of that row type alone. Classes have fewer than 2k rows (larger ones
    are two that show the same), so otherwise k 2^m classes hold the row and k of them show the same; one copy from
    each, k in all, can leave their union, in which k rows stay, for a class of their own, at no cost. O(t) time.

    References
    ----------
    .. [1] J. Blocki, R. Williams, "Resolving the Complexity of Some Data Privacy Problems", Algorithm 1, Lemmas 2, 3.
    """

    def declines(self, problem: Problem) -> str | None:
        """Return why copies of equal rows may not be taken away, or None."""
        if problem.requirements:
            return "copies count for the requirements on sensitive values"
        if not problem.patterns.allows((0,) * problem.types.m):
            return "copies are released as they are, which the mask does not allow"
        return None

    def most_copies(self, problem: Problem) -> int:
        """Return the copies of a row type that stay at most: 2 k^2 2^m, with hierarchies all level vectors for 2^m."""
        return 2 * problem.k * problem.k * math.prod(level.height + 1 for level in problem.levels)

    def reduce(self, problem: Problem) -> Reduced:
        """Return the smaller problem with the way back; `problem` is one that `declines` lets pass."""
        k, types, largest = problem.k, problem.types, int(problem.types.counts.max(initial=0))
        over = types.counts - min(self.most_copies(problem), largest)
        copies = np.where(over > 0, -(-over // k) * k, 0).astype(np.int64)
        small = dataclasses.replace(problem, types=dataclasses.replace(types, counts=types.counts - copies))
        return Reduced(small, lambda plan: with_copies(plan, copies), int(copies.sum()))


# A table in two: so many copies of each row type, and all other rows.
def split_copies(table: Table, compressed: Compressed, copies: Int64, *, seed: int) -> tuple[Expanded, Expanded]:
    """Return a table without some copies of its row types, and these copies.

    What stays and what was taken has every row as it is, and is computed once. The row types of `compressed` are told
    apart by the quasi-identifiers alone. `copies` is (t,) int64: how many rows to take away of each type, at most as
    many as there are. `seed` decides which of the rows of a type these are, by their content. It takes one join of the
    rows with the types that lose copies and one sort of their rows.
    """
    engine, columns = table.engine, table.quasi_identifiers
    fewer = np.flatnonzero(copies)
    with engine.guard("taking equal rows away"):
        counted = engine.put(pa.table({"type": fewer, "copies": copies[fewer]}))
        named = {f"t{j}": compressed.values[c.id] for j, c in enumerate(columns)}
        types = counted.join(compressed.values.select("type", **named), "type").rename(row_type="type")
        rows = table.data
        typed = rows.left_join(types, [rows[c.id].identical_to(types[f"t{j}"]) for j, c in enumerate(columns)])
        taken = typed.row_type.notnull() & (lots(table, typed, seed) < typed.copies)
        hashed = engine.short_hash([typed[c.id] for c in columns])
        told = engine.keep(typed.mutate(taken=taken, **{SHOWN: hashed}))
        both = (
            told.filter(part).select(KEY, SHOWN, *(c.id for c in table.columns)) for part in (~told.taken, told.taken)
        )
        kept, away = (Expanded(table, engine.keep(part), compressed.values, None) for part in both)
        engine.drop(told)
    return kept, away
