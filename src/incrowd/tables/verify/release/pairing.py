"""Recount for somebody who holds the original and the release alone, whatever the order of their rows.

Which released row came from which original one is not known, so the question is whether *some* one-to-one
assignment makes the release honest: every released row shows, per quasi-identifier, the value of its original
or a star, and has its other columns. That is a transportation problem between the kinds of rows of the two
tables, decided exactly by a maximum flow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import InputError, count_of
from incrowd.tables.verdict import Violation
from incrowd.tables.verify.release.common_coding import (
    INVENTED,
    NULL,
    STAR,
    CommonCoding,
    Kinds,
    Side,
    alike,
    code,
    excess,
)
from incrowd.tables.verify.release.edges import Edges, Fit, patterns_of
from incrowd.tables.verify.release.flow import unmet
from incrowd.tables.verify.release.groups import alike_rows, fits, recount_classes, recount_loss
from incrowd.tables.verify.release.requirements import recount_requirements
from incrowd.tables.verify.release.single_recoding import recount_recoding

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.roles import Roles
    from incrowd.tables.verify.release.rules import Rules

__all__ = ["column_in_words", "compare_columns", "compare_rows", "joined", "unassigned", "verify_tables"]


def verify_tables(
    engine: Engine,
    original: Side,
    released: Side,
    roles: Roles,
    rules: Rules,
    *,
    text: Collection[str],
    star: str | None,
) -> tuple[Violation, ...]:
    """Judge a release against its original, from the two tables alone.

    Parameters
    ----------
    engine : Engine
        Holds both tables.
    original, released : Opened
        As `read.open_source` gives them; of the same or of different kinds.
    roles : Roles
    rules : Rules
        ``rules.names`` are the quasi-identifiers in the policy's order.
    text : collection of str
        Quasi-identifiers that the release turns into text.
    star : str or None
        The star text (None: a star is NULL, and a released NULL reads as a star or as a NULL).

    Returns
    -------
    tuple of Violation
        Empty when the release is good. Rules: ``columns: ...``, ``rows``, ``k=...``, ``mask``,
        ``invented value: COLUMN``, ``other columns[: COLUMN]`` and ``faithful``, which counts the released
        rows that find no original however the rows are assigned, those of the more telling rules among them.

    Raises
    ------
    PolicyError
        If the roles name a column that the original does not have.
    InputError
        If the original has no rows or holds the star text, or the pairing is above the limits of
        `incrowd.tables.verify.release.edges` (and nothing else is wrong with the release).

    Notes
    -----
    The pairing is linear in the rows for the engine; outside it takes time in proportion to (star patterns
    in use) times (kinds of original rows) times m, summed over the combinations of the other columns, and 4
    bytes of memory per pair of kinds that fit. With a star text the mask is judged on the released rows
    alone. Where a star is NULL, a pair of rows counts only if some reading of its NULLs keeps the mask;
    ``mask`` then counts the rows that could be assigned but for the mask.
    """
    roles.check(original.names, quotable=original.quotable)
    found = compare_columns(original, released, roles)
    if any(v.rule.startswith("columns: missing") for v in found):
        return tuple(found)
    tables = alike(original, released, roles, engine, text=text, star=star)
    found += compare_rows(tables, engine, original, roles)
    marks = tables.marks()
    judged = {name: (f"o{j}", f"o{j}") for j, name in enumerate(tables.others) if name in _judged(rules)}
    lines = tables.released
    if judged:
        lines = alike_rows(engine, lines, [*tables.cells, *(i for i, _ in judged.values())])
    each = [tables.mark(lines, j) for j in range(len(tables.cells))]
    found += recount_classes(engine, lines, tables.cells, each, rules).violations
    found += recount_requirements(engine, tables.original, lines, tables.cells, judged, rules.requirements)[0]
    if star is not None:
        found += recount_loss(engine, tables.released, tables.cells, marks, rules, text=text).violations
        found += recount_recoding(engine, tables.released, tables.cells, marks, rules, text=text)
    ladders = {j: rules.hierarchies[n] for j, n in enumerate(rules.names) if n in rules.hierarchies and n in text}
    before, after, places = code(tables, engine, ladders)
    found += _telling(tables, engine, original, roles, before, after, places)
    try:
        found += unassigned(before, after, rules if star is None else None)
    except InputError:
        if not found:
            raise
    return tuple(found)


def _judged(rules: Rules) -> set[str]:
    return {name for model in rules.requirements for name in model.judged}


def compare_columns(original: Side, released: Side, roles: Roles) -> list[Violation]:
    """Return what is wrong with the columns of a release [R1].

    Parameters
    ----------
    original : Side
    released : Side
    roles : Roles
    """
    kept = roles.kept(original.names)
    missing = [name for name in kept if name not in released.names]
    found = [Violation(f"columns: missing {column_in_words(original, roles, name)}", 1) for name in missing]
    known = [name for name in roles.identifiers if name in released.names]
    found += [Violation(f"columns: identifier {name}", 1) for name in known]
    more = sum(name not in kept and name not in roles.identifiers for name in released.names)
    if more:
        found.append(Violation("columns: not in the original or to be dropped", more))
    if not found and released.names != kept:
        moved = sum(a != b for a, b in zip(released.names, kept, strict=True))
        found.append(Violation("columns: in another order", moved))
    return found


def column_in_words(original: Side, roles: Roles, name: str) -> str:
    """Return a column's name as it may be said: one that nobody gave may be a person's data.

    Parameters
    ----------
    original : Side
        The table that the column comes from.
    roles : Roles
        Names in it were given by the user.
    name : str
        Of the column.
    """
    if original.quotable or name in roles.quasi_identifiers or name in roles.sensitive:
        return name
    return f"number {original.names.index(name) + 1}"


def compare_rows(tables: CommonCoding, engine: Engine, original: Side, roles: Roles) -> list[Violation]:
    """Return a violation where rows were lost or added; refuse an original that cannot be compared.

    Parameters
    ----------
    tables : CommonCoding
        Both tables, spelled alike.
    engine : Engine
    original : Side
        What messages are about.
    roles : Roles

    Raises
    ------
    InputError
        If the original has no rows, or holds the star text where stars stand.
    """
    rows = tables.original
    stars = {f"q{j}": tables.mark(rows, j).sum() for j in tables.starred}
    with engine.guard("counting the rows"):
        found = engine.one(rows.aggregate(n=rows.count(), **stars))
        released = int(engine.one(tables.released.aggregate(n=tables.released.count()))["n"])
    if found["n"] == 0:
        raise InputError(f"{original.label} has no rows; there is nothing to verify")
    for j in tables.starred:
        if found[f"q{j}"]:
            raise InputError(
                f"column {roles.quasi_identifiers[j]!r} of {original.label} already holds the star text in "
                f"{count_of(int(found[f'q{j}']), 'row')}; name the star of the release with --star"
            )
    if found["n"] == released:
        return []
    # [R2]
    return [Violation("rows", abs(found["n"] - released), way="fewer" if released < found["n"] else "more")]


def _telling(
    tables: CommonCoding,
    engine: Engine,
    original: Side,
    roles: Roles,
    before: Kinds,
    after: Kinds,
    places: Sequence[int],
) -> list[Violation]:
    """Return what can be said of single columns: values and combinations that the original does not have."""
    found = []
    for j, name in zip(places, roles.quasi_identifiers, strict=True):
        bad = after.codes[:, j] == INVENTED  # [R7]
        if not (before.codes[:, j] == NULL).any():
            bad |= after.codes[:, j] == NULL
        if bad.any():
            found.append(Violation(f"invented value: {name}", int(after.rows[bad].sum())))
    known = after.block >= 0
    blocks = int(before.block.max(initial=-1)) + 1
    more = _sum(after.block[known], after.rows[known], blocks) - _sum(before.block, before.rows, blocks)
    count = int(more[more > 0].sum() + after.rows[~known].sum())
    if count and tables.others:
        columns = excess(tables, engine)
        named_rows = {column_in_words(original, roles, name): rows for name, rows in columns.items()}
        named = [Violation(f"other columns: {name}", rows) for name, rows in named_rows.items()]
        found += named or [Violation("other columns", count)]
    return found


def _sum(index: NDArray[np.int64], rows: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    out = np.zeros(size, np.int64)
    np.add.at(out, index, rows)
    return out


def unassigned(before: Kinds, after: Kinds, rules: Rules | None) -> list[Violation]:
    """Return the released rows that find no original, however the rows are assigned.

    Parameters
    ----------
    before, after : Kinds
        Kinds of original and released rows.
    rules : Rules or None
        With rules a pair of rows has to keep the mask too, by some reading of the NULLs that both hold.

    Raises
    ------
    InputError
        Above the limits of `incrowd.tables.verify.release.edges`, or where too many NULLs leave the mask open.
    """
    whole = (after.block >= 0) & (after.codes > INVENTED).all(axis=1)
    lost = int(after.rows[~whole].sum())
    smallest = after.size[~whole].min(initial=np.iinfo(np.int64).max)
    before, after, stars, pattern, edges = joined(before, after.taken(np.flatnonzero(whole)))
    masked = None
    if rules is not None:
        nulls, null = patterns_of(before.codes == NULL)
        keep, allows = edges.pairs(pattern, null), rules.reading()
        for p, o in np.argwhere(keep):
            surely, maybe = stars[p] & ~nulls[o], stars[p] & nulls[o]
            keep[p, o] = fits(tuple(map(int, surely)), tuple(map(int, surely | maybe)), allows)
        masked = edges.only(keep, pattern, null)
    found = []
    short, without = _short(before, after, masked or edges)
    broken = 0
    if masked is not None and short.any():
        freely, free = _short(before, after, edges)
        broken = int(short.sum() - freely.sum())
        if broken:
            # [R6]
            found.append(Violation("mask", broken, int(after.size[without].min())))
        short, without = freely, free
    lost += int(short.sum())
    if lost:
        smallest = after.size[without].min(initial=smallest)
        found.append(Violation("faithful", lost, int(smallest)))  # [R8]
    return found


def joined(before: Kinds, after: Kinds) -> tuple[Kinds, Kinds, NDArray[np.bool_], NDArray[np.int64], Edges]:
    """Return the kinds sorted, the star patterns of the released ones, whose is which, and who may come from whom.

    Every released kind shows values of the original, and has a block of it.

    Parameters
    ----------
    before, after : Kinds
        Of original and released rows.

    Raises
    ------
    InputError
        Above the limits of `incrowd.tables.verify.release.edges`.
    """
    before = before.taken(np.argsort(before.block, kind="stable"))
    stars, pattern = patterns_of(after.codes == STAR)
    order = np.lexsort((pattern, after.block))
    after, pattern = after.taken(order), pattern[order]
    return before, after, stars, pattern, Fit(before, after, pattern).edges()


def _short(before: Kinds, after: Kinds, edges: Edges) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    return unmet(before.rows, after.rows, edges.start, edges.adjacent)
