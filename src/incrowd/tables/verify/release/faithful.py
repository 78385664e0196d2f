"""Recount of faithfulness by a row key: no row lost or added, no shown cell changed or invented.

Used inside `anonymize`, where the row key says which released row came from which original one. A stranger,
who has no key, asks `incrowd.tables.verify.release.pairing`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.tables.table import KEY, WAS, Expanded
from incrowd.tables.verdict import Verdict, Violation
from incrowd.tables.verify.release.groups import loss_of_texts, reads_as_star, recount_classes, recount_loss
from incrowd.tables.verify.release.hierarchy_levels import pairs_table
from incrowd.tables.verify.release.range_labels import reading_of
from incrowd.tables.verify.release.requirements import judge
from incrowd.tables.verify.rules import with_ranges

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    import ibis.expr.types as ir

    from incrowd.tables.table import Table
    from incrowd.tables.verify.rules import Rules


def verify_by_key(release: Expanded, rules: Rules) -> Verdict:
    """Judge a release against the table it came from, row by row.

    Only the original rows and the released rows are read, never the plan. One join on the row key and two GROUP BYs;
    linear in the rows. Where the released rows claim to have their original cells beside them, no join: the claim is
    held against the original rows first (`_changed_beside_originals`).
    """
    table, engine = release.table, release.table.engine
    rules = with_ranges(engine, *release.opened(), rules) if rules.policy.grid else rules
    quasi = [c.id for c in table.quasi_identifiers]
    pairs = {quasi[j]: pairs_table(engine, tree) for j, tree in rules.ladders.items()}
    if rules.policy.ranges:
        readings = {
            c.id: reading_of(engine, table.data[c.id], release.rows[c.id], c.name) for c in table.quasi_identifiers
        }
        pairs = {i: engine.put(reading.pairs()) for i, reading in readings.items()}
    changed = _changed_beside_originals(release)
    joined = _labelled(_side_by_side(release) if changed is None else _beside(release), pairs)
    starred = {i: reads_as_star(joined[f"r_{i}"], release.star) for i in quasi}
    if changed is None or pairs:
        violations, released = compare_by_key(release, joined, starred, pairs)
    else:
        violations, released = _violations(table, changed), table.rows
    others = tuple(c.name for c in table.columns) != rules.kept
    columns = [Violation("columns: not those that the policy keeps", 1)] if others else []
    judged = {c.name: (c.id, c.id) for c in table.columns if c.name in rules.judged}
    classes, unmet, reached = judge(engine, table.data, release.rows, quasi, judged, rules)
    if rules.policy.ranges:  # what is changed costs what a star costs
        hiding = [~joined[i].identical_to(joined[f"r_{i}"]) for i in quasi]
        loss = recount_loss(engine, joined, quasi, hiding, rules)
    elif release.star is None:  # a NULL that was NULL before may be shown or starred
        surely = [starred[i] & joined[i].notnull() for i in quasi]
        maybe = [starred[i] & joined[i].isnull() for i in quasi]
        loss = recount_loss(engine, joined, quasi, surely, rules, maybe)
    else:
        loss = loss_of_texts(engine, release.rows, quasi, rules)
    return Verdict(
        violations=(*columns, *violations, *classes.violations, *unmet, *loss.violations),
        requirements=tuple(reached),
        rows=released,
        classes=classes.count,
        smallest=classes.smallest,
        largest=classes.largest,
        outliers=classes.outliers,
        loss=loss,
    )


def _side_by_side(release: Expanded) -> ir.Table:
    """Join the original rows with the released ones by their key; originals without one stay, with NULLs.

    The result has the original cells by `Column.id`, and the released ones as ``r_ID``.
    """
    data, after = release.table.data, _after(release)
    return data.left_join(after, data[KEY] == after.after_key)


def _labelled(joined: ir.Table, pairs: Mapping[str, ir.Table]) -> ir.Table:
    """Join such rows with a column ``label_ID`` per column of `pairs`, which have each ``leaf`` with every ``label``.

    It is NULL where the released cell is no label of the original one.
    """
    for i, listed in pairs.items():
        known = listed.select(**{f"leaf_{i}": "leaf", f"label_{i}": "label"})
        is_below = joined[i].identical_to(known[f"leaf_{i}"])
        joined = joined.left_join(known, [is_below, joined[f"r_{i}"] == known[f"label_{i}"]])
    return joined


def _after(release: Expanded) -> ir.Table:
    """Return the released rows with their cells as ``r_ID``."""
    return release.rows.rename({f"r_{c.id}": c.id for c in release.table.columns}).rename(after_key=KEY)


def _beside(release: Expanded) -> ir.Table:
    """Return the released rows with what is claimed to be their originals, as `_side_by_side` gives them."""
    table, after = release.table, _after(release)
    was = {c.id: after[WAS + c.id] for c in table.quasi_identifiers} | {c.id: after[f"r_{c.id}"] for c in table.others}
    return after.mutate(**was, **{KEY: after.after_key})


def _changed_beside_originals(release: Expanded) -> dict[str, int] | None:
    """Return by column the cells that are neither their original nor a star, if every row stands beside its original.

    That is: its key, its cells, and nothing else. What stands beside the released rows was put there by the code that
    is to be checked. So the number of the original rows and sums of a hash of each, with its key, are held against
    those of what is claimed; columns that pass unchanged are claimed by the released cells themselves. Rows that differ
    go unseen with a chance of about 2^-64. Where it is not so (None), the rows are joined by their keys, and what
    differs is named.
    """
    table, rows = release.table, release.rows
    engine: Any = table.engine
    claimed = {c.id: WAS + c.id for c in table.quasi_identifiers}
    if not set(claimed.values()) <= set(rows.columns):
        return None
    ids = [c.id for c in table.columns]
    changed = {
        i: ~(rows[was].identical_to(rows[i]) | reads_as_star(rows[i], release.star)) for i, was in claimed.items()
    }
    with engine.guard("comparing the release with the original"):
        original = engine.exact_fingerprint(table.data, [table.data[KEY], *(table.data[i] for i in ids)])
        cells = [rows[KEY], *(rows[claimed.get(i, i)] for i in ids)]
        beside, found = engine.counted_fingerprint(rows, cells, changed)
    return found if original == beside and original[0] == table.rows else None


def _violations(table: Table, changed: Mapping[str, int]) -> list[Violation]:
    """Return what is wrong where some cells of some columns are neither the original ones nor what may stand there."""
    quasi = {c.id for c in table.quasi_identifiers}
    return [
        Violation(f"{'changed cells' if c.id in quasi else 'other columns'}: {c.name}", changed[c.id])
        for c in table.columns
        if changed.get(c.id)
    ]


def compare_by_key(
    release: Expanded,
    joined: ir.Table,
    starred: Mapping[str, ir.Value],
    labelled: Collection[str],
) -> tuple[list[Violation], int]:
    """Compare the released with the original cells.

    `joined` is as `_labelled` gives it. `starred` has, by the id of each quasi-identifier, whether the released cell
    is a star, and `labelled` are the columns with labels. Returns the violations and the number of released rows.
    """
    table, engine = release.table, release.table.engine
    # row keys of the original are its own row numbers, so as many pairs as rows, all whole, are one for each
    counts = {"rows": joined.count(), "met": joined.after_key.count()}
    for column in table.columns:
        i = column.id
        same = joined[i].identical_to(joined[f"r_{i}"])
        if i in starred:
            same = same | starred[i]
        if i in labelled:
            same = same | joined[f"label_{i}"].notnull()
        counts[i] = (~same).sum()
    with engine.guard("comparing the release with the original"):
        found = engine.one(joined.aggregate(**counts))
        released = int(engine.one(release.rows.aggregate(n=release.rows.count()))["n"])
    violations = []
    if not released == found["rows"] == found["met"] == table.rows:
        off = max(abs(number - table.rows) for number in (released, found["rows"], found["met"]))
        violations.append(Violation("rows", max(off, 1)))
    violations += _violations(table, {c.id: int(found[c.id]) for c in table.columns})
    return violations, released


# Recount of a release as it was written and read back, against the verdict on the rows that it should hold.
def bears_verdict(rows: ir.Table, release: Expanded, rules: Rules, verdict: Verdict, *, texts: bool) -> bool:
    """Return whether rows that were read back are as many as the verdict says, in classes as large as it says.

    `rows` have the columns of the release by their ids, and the verdict is on the rows before they were written.
    `texts` says whether they are texts in which an empty one is a missing value: classes may be one then that were two.
    It takes one GROUP BY over the rows.
    """
    quasi = [c.id for c in release.table.quasi_identifiers]
    if texts:
        rows = rows.mutate(**{i: rows[i].nullif("") for i in quasi})
    found = recount_classes(release.table.engine, rows, quasi, rules)
    if found.violations or found.rows != verdict.rows:
        return False
    told = (found.count, found.smallest, found.largest, found.outliers)
    return texts or told == (verdict.classes, verdict.smallest, verdict.largest, verdict.outliers)
