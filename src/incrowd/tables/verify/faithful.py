"""Recount of faithfulness by a row key: no row lost or added, no shown cell changed or invented.

Used inside `anonymize`, where the row key says which released row came from which original one. A stranger,
who has no key, asks `incrowd.tables.verify.pairing`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from incrowd.tables.table import KEY, Expanded
from incrowd.tables.values import Verdict, Violation
from incrowd.tables.verify.groups import Rules, alike_rows, recount_classes, recount_loss
from incrowd.tables.verify.ladders import pairs_table
from incrowd.tables.verify.requirements import recount_requirements

if TYPE_CHECKING:
    import ibis.expr.types as ir

__all__ = ["reads_as_star", "verify_by_key"]


def reads_as_star(cell: ir.Value, star: str | None) -> ir.Value:
    """Return whether a released cell reads as a star: the star text, or NULL where a star is NULL."""
    if star is None:
        return cell.isnull()
    return (cell == star).fill_null(False) if cell.type().is_string() else cell.isnull() & cell.notnull()


def verify_by_key(release: Expanded, rules: Rules) -> Verdict:
    """Judge a release against the table it came from, row by row.

    Parameters
    ----------
    release : Expanded
        Only the original rows and the released rows are read, never the plan.
    rules : Rules

    Returns
    -------
    Verdict

    Notes
    -----
    One join on the row key and two GROUP BYs; linear in the rows.
    """
    table, engine = release.table, release.table.engine
    quasi = [c.id for c in table.quasi_identifiers]
    after = release.rows.rename({f"r_{c.id}": c.id for c in table.columns}).rename(after_key=KEY)
    joined = table.data.join(after, table.data[KEY] == after.after_key)
    labelled = set()
    for column in table.quasi_identifiers:
        if column.name in rules.hierarchies and column.text:
            pairs = pairs_table(engine, rules.hierarchies[column.name])
            pairs = pairs.select(**{f"leaf_{column.id}": "leaf", f"label_{column.id}": "label"})
            is_below = joined[column.id].identical_to(pairs[f"leaf_{column.id}"])
            joined = joined.left_join(pairs, [is_below, joined[f"r_{column.id}"] == pairs[f"label_{column.id}"]])
            labelled.add(column.id)
    starred = {i: reads_as_star(joined[f"r_{i}"], release.star) for i in quasi}
    counts = {"rows": joined.count(), "keys": joined[KEY].nunique()}
    for column in table.columns:
        same = joined[column.id].identical_to(joined[f"r_{column.id}"])
        if column.id in starred:
            same = same | starred[column.id]
        if column.id in labelled:
            same = same | joined[f"label_{column.id}"].notnull()
        counts[column.id] = (~same).sum()
    with engine.guard("comparing the release with the original"):
        found = engine.one(joined.aggregate(**counts))
        released = int(engine.one(release.rows.aggregate(n=release.rows.count()))["n"])
    violations = []
    if not released == found["rows"] == found["keys"] == table.rows:
        violations.append(Violation("rows", max(abs(released - table.rows), abs(found["keys"] - table.rows), 1)))
    for column in table.columns:
        if found[column.id]:
            rule = "changed cells" if column.id in quasi else "other columns"
            violations.append(Violation(f"{rule}: {column.name}", int(found[column.id])))
    marks = [reads_as_star(release.rows[i], release.star) for i in quasi]
    judged = {c.name: (c.id, c.id) for c in table.columns if any(c.name in r.judged for r in rules.requirements)}
    lines = alike_rows(engine, release.rows, [*quasi, *(i for i, _ in judged.values())]) if judged else release.rows
    classes = recount_classes(engine, lines, quasi, [reads_as_star(lines[i], release.star) for i in quasi], rules)
    if release.star is None:  # a NULL that was NULL before may be shown or starred
        surely = [starred[i] & joined[i].notnull() for i in quasi]
        maybe = [starred[i] & joined[i].isnull() for i in quasi]
        loss = recount_loss(engine, joined, quasi, surely, rules, text=(), maybe=maybe)
    else:
        loss = recount_loss(engine, release.rows, quasi, marks, rules, text=[c.name for c in table.columns if c.text])
    unmet, reached = recount_requirements(engine, table.data, lines, quasi, judged, rules.requirements)
    return Verdict(
        violations=(*violations, *classes.violations, *unmet, *loss.violations),
        requirements=tuple(reached),
        rows=released,
        classes=classes.count,
        smallest=classes.smallest,
        largest=classes.largest,
        outliers=classes.outliers,
        suppressed_cells=loss.cells,
        cost=loss.cost,
    )
