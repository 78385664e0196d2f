"""Recount for somebody who holds the original and the release alone, whatever the order of their rows.

Which released row came from which original one is not known, so the question is whether *some* one-to-one
assignment makes the release honest: every released row shows, per quasi-identifier, the value of its original
or a star, and has its other columns. That is a transportation problem between the kinds of rows of the two
tables, decided exactly by a maximum flow.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, count_of
from incrowd.tables.verdict import Violation
from incrowd.tables.verify.pairing.common_coding import CommonCoding, alike, excess
from incrowd.tables.verify.pairing.kinds import coded
from incrowd.tables.verify.pairing.portions import invented, most_kinds, unpaired
from incrowd.tables.verify.release.groups import loss_of_texts
from incrowd.tables.verify.release.range_labels import reading_of
from incrowd.tables.verify.release.requirements import judge

if TYPE_CHECKING:
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Opened
    from incrowd.tables.verdict import Loss
    from incrowd.tables.verify.pairing.kinds import Coded
    from incrowd.tables.verify.pairing.portions import Room
    from incrowd.tables.verify.rules import Rules


def verify_tables(
    engine: Engine,
    original: Opened,
    released: Opened,
    rules: Rules,
    room: Room | None = None,
) -> tuple[tuple[Violation, ...], Loss | None]:
    """Judge a release against its original, from the two tables alone; there are no violations when it is good.

    The engine holds both tables, which are as `read.open_source` gives them, of the same or of different kinds. Where
    stars are NULL, a released NULL reads as a star or as a NULL. `room` gives a context in which pairing may take so
    many bytes of this process (default: what it takes). The rules of the violations are ``columns: ...``, ``rows``,
    ``k=...``, ``mask``, ``invented value: COLUMN``, ``other columns[: COLUMN]`` and ``faithful``, which counts the
    released rows that find no original however the rows are assigned, those of the more telling rules among them. Raise
    `InputError` if the original has no rows or holds the star text, or the pairing is above the limits of
    `incrowd.tables.verify.pairing.edges` (and nothing else is wrong with the release). The loss is returned beside
    the violations, where stars are a text and no column is missing.

    The pairing is linear in the rows for the engine; outside it takes time in proportion to (star patterns in use)
    times (kinds of original rows) times m, summed over the combinations of the columns that no released row has
    changed, and as much memory as a portion of these combinations takes, 40 bytes a column and kind and 4 per pair of
    kinds that fit; on Spark with its executors. With a star text the mask is judged on the released rows alone. Where a
    star is NULL, a pair of rows counts only if some reading of its NULLs keeps the mask; ``mask`` then counts the rows
    that could be assigned but for the mask.
    """
    policy = rules.policy
    found = compare_columns(original, released, policy)
    if any(v.rule.startswith("columns: missing") for v in found):
        return tuple(found), None
    tables = alike(original, released, rules, engine)
    found += compare_rows(tables, engine, original, policy)
    judged = {name: (f"o{j}", f"o{j}") for j, name in enumerate(tables.others) if name in rules.judged}
    classes, unmet, _ = judge(engine, tables.original, tables.released, tables.cells, judged, rules)
    found += [*classes.violations, *unmet]
    loss = None if policy.star is None else loss_of_texts(engine, tables.released, tables.cells, rules)
    found += [] if loss is None else loss.violations
    found += _paired(tables, engine, original, rules, room, settled=bool(found))
    return tuple(found), loss


def _paired(
    tables: CommonCoding, engine: Engine, original: Opened, rules: Rules, room: Room | None, *, settled: bool
) -> list[Violation]:  # fmt: skip
    """Return what pairing finds; where it is above its limits, what is told without it, if anything is wrong."""
    with contextlib.ExitStack() as stack:
        bytes_ = stack.enter_context(room()) if room is not None else None
        ranges = {}
        if rules.policy.ranges:
            for j, name in enumerate(rules.names):
                ranges[j] = reading_of(engine, tables.original[f"q{j}"], tables.released[f"q{j}"], name)
        most = None if bytes_ is None else most_kinds(bytes_, tables, rules.ladders)
        kinds = coded(tables, engine, rules.ladders, most, ranges)
        stack.callback(kinds.forget)
        trouble, found = None, []
        try:
            found = unpaired(kinds, rules if rules.policy.star is None else None, bytes_)
        except InputError as error:
            trouble = error
        if found or trouble is not None:  # where every released row has its original, nothing is invented
            found = _telling(tables, engine, original, rules.policy, kinds) + found
        if trouble is not None and not found and not settled:
            raise trouble
    return found


def compare_columns(original: Opened, released: Opened, roles: Any) -> list[Violation]:
    """Return what is wrong with the columns of a release [R1]."""
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


def column_in_words(original: Opened, roles: Any, name: str) -> str:
    """Return a column's name as it may be said: one that nobody gave may be a person's data.

    The column comes from `original`, and names in `roles` were given by the user.
    """
    if original.quotable or name in roles.quasi_identifiers or name in roles.sensitive:
        return name
    return f"number {original.names.index(name) + 1}"


def compare_rows(tables: CommonCoding, engine: Engine, original: Opened, roles: Any) -> list[Violation]:
    """Return a violation where rows were lost or added; refuse an original that cannot be compared.

    `tables` are both tables, spelled alike, and messages are about `original`. Raise `InputError` if the original has
    no rows, or holds the star text where stars stand.
    """
    rows = tables.original
    starred = range(len(tables.cells)) if tables.star is not None else ()
    stars = {f"q{j}": tables.star_at(rows, j).sum() for j in starred}
    with engine.guard("counting the rows"):
        found = engine.one(rows.aggregate(n=rows.count(), **stars))
        released = int(engine.one(tables.released.aggregate(n=tables.released.count()))["n"])
    if found["n"] == 0:
        raise InputError(f"{original.label} has no rows; there is nothing to verify")
    for j in starred:
        if found[f"q{j}"]:
            raise InputError(
                f"column {roles.quasi_identifiers[j]!r} of {original.label} already holds the star text in "
                f"{count_of(int(found[f'q{j}']), 'row')}; name the star of the release as star"
            )
    if found["n"] == released:
        return []
    # [R2]
    return [Violation("rows", abs(found["n"] - released), way="fewer" if released < found["n"] else "more")]


def _telling(tables: CommonCoding, engine: Engine, original: Opened, roles: Any, coded: Coded) -> list[Violation]:
    """Return what can be said of single columns: values and combinations that the original does not have."""
    found = [
        Violation(f"invented value: {name}", count)  # [R7]
        for name, count in zip(roles.quasi_identifiers, invented(coded), strict=True)
        if count
    ]
    count, columns = excess(tables, engine)
    if count:
        named_rows = {column_in_words(original, roles, name): rows for name, rows in columns.items()}
        named = [Violation(f"other columns: {name}", rows) for name, rows in named_rows.items()]
        found += named or [Violation("other columns", count)]
    return found
