"""Recount of a release as it was written and read back, against the verdict on the rows that it should hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from incrowd.tables.verify.release.faithful import reads_as_star
from incrowd.tables.verify.release.groups import recount_classes

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from incrowd.tables.table import Expanded
    from incrowd.tables.verdict import Verdict
    from incrowd.tables.verify.release.rules import Rules

__all__ = ["bears_verdict"]


def bears_verdict(rows: ir.Table, release: Expanded, rules: Rules, verdict: Verdict, *, texts: bool) -> bool:
    """Return whether rows that were read back are as many as the verdict says, in classes as large as it says.

    `rows` have the columns of the release by their ids, and the verdict is on the rows before they were written.
    `texts` says whether they are texts in which an empty one is a missing value: classes may be one then that were two.
    It takes one GROUP BY over the rows.
    """
    quasi = [c.id for c in release.table.quasi_identifiers]
    if texts:
        rows = rows.mutate(**{i: rows[i].nullif("") for i in quasi})
    marks = [reads_as_star(rows[i], release.star) for i in quasi]
    found = recount_classes(release.table.engine, rows, quasi, marks, rules)
    if found.violations or found.rows != verdict.rows:
        return False
    told = (found.count, found.smallest, found.largest, found.outliers)
    return texts or told == (verdict.classes, verdict.smallest, verdict.largest, verdict.outliers)
