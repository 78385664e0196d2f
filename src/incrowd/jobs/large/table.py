"""A table read and counted: its row types come out of the engine if they fit, else they stay there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from incrowd.jobs.prepare import checked, condensed
from incrowd.tables.column_counts import looks_at_table
from incrowd.tables.read import open_source
from incrowd.tables.row_groups import grouped_rows

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from incrowd.jobs.prepare import FittedPolicy, Prepared
    from incrowd.policy.job import Policy
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.row_groups import Grouped
    from incrowd.tables.table import Table

__all__ = ["Counted", "prepare_within"]


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """A table whose row types are counted and stay in the engine.

    Attributes
    ----------
    fitted : FittedPolicy
    table : Table
    grouped : Grouped
    """

    fitted: FittedPolicy
    table: Table
    grouped: Grouped


def prepare_within(
    engine: Engine,
    source: Any,
    policy: Policy,
    clock: Callable[[str], AbstractContextManager[None]],
    stays: Callable[[FittedPolicy, int], bool],
) -> Prepared | Counted:
    """Do what `incrowd.jobs.prepare.prepare` does, but leave row types that are too many where they are.

    `stays` takes the fitted policy and the number of row types, and says whether they stay in the engine. Where they
    do, a `Counted` is returned.
    """
    with clock("read"):
        again = bool(policy.hierarchies) or policy.other_hierarchies == "auto" or policy.recoding == "grid"
        opened = open_source(engine, source, policy.reading, once=not (again or looks_at_table(policy.cost)))
        fitted, table, ranges = checked(engine, opened, policy)
    with clock("compress"):
        ids = [c.id for c in (*table.quasi_identifiers, *table.judged(fitted.judged))]
        grouped = grouped_rows(table, ids)
        if stays(fitted, grouped.t):
            return Counted(fitted, table, grouped)
        return condensed(fitted, table, ranges, grouped.rows)
