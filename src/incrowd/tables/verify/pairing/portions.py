"""Kinds of rows paired portion by portion: one after the other here, or as many at a time as Spark's executors do."""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any

import ibis
import pyarrow as pa
import pyarrow.compute as pc

from incrowd.errors import InputError
from incrowd.tables.verdict import Violation
from incrowd.tables.verify.pairing.assignment import Without, unassigned
from incrowd.tables.verify.pairing.edges import MOST_EDGES
from incrowd.tables.verify.pairing.kinds import INVENTED, NULL, kinds_of
from incrowd.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager

    from incrowd.tables.verify.pairing.common_coding import CommonCoding
    from incrowd.tables.verify.pairing.kinds import Coded, Ranges
    from incrowd.tables.verify.rules import Rules

    Room = Callable[[], AbstractContextManager[int]]


# Bytes of a kind, and of each of its codes: as fetched, sorted, listed by value and hashed; share that its edges have.
KIND, CODE, EDGES = 300, 40, 4
LEAST, MOST = 1 << 10, 1 << 18  # kinds of a portion; more of them gain nothing


def most_kinds(room: int, tables: CommonCoding, hierarchies: Mapping[int, Any]) -> int:
    """Return how many kinds of both tables a portion should have, if pairing it may take `room` bytes.

    `hierarchies` are by the place of the quasi-identifier.
    """
    codes = sum(hierarchies[j].height if j in hierarchies else 1 for j in range(len(tables.cells)))
    return min(max((room - room // EDGES) // (KIND + CODE * codes), LEAST), MOST)


def unpaired(kinds: Coded, rules: Rules | None, room: int | None = None) -> list[Violation]:
    """Return the released rows that find no original, however the rows are assigned.

    With rules a pair of rows has to keep the mask too, by some reading of the NULLs that both hold. Pairing a portion
    may take `room` bytes. Several portions are paired by Spark's executors where these have incrowd: one line of each
    comes back. Raise `InputError` above the limits of `incrowd.tables.verify.pairing.edges`, or where too many NULLs
    leave the mask open.
    """
    most = None if room is None else min(MOST_EDGES, room // EDGES // 4)
    found = _by_executors(kinds, rules, most) if kinds.portions > 1 and not kinds.engine.in_process else None
    if found is None:
        found = Without()
        for portion in range(kinds.portions):
            found = found.and_of(unassigned(*kinds.part(portion), rules, most))
    told = []
    if found.masked:
        told.append(Violation("mask", found.masked, found.masked_smallest))  # [R6]
    if found.rows:
        told.append(Violation("faithful", found.rows, found.smallest))  # [R8]
    return told


def _by_executors(kinds: Coded, rules: Rules | None, most: int | None) -> Without | None:
    """Return the same, of portions that executors pair; None where they lack incrowd or have another version."""
    from incrowd.tables.engine.spark_tasks import done_by_group, tasks_of  # PySpark is there then

    engine = kinds.engine
    with engine.guard("looking what executors have"):
        if tasks_of(engine, __name__)[1] != {__version__}:
            return None
    columns = ["portion", "n", "block", "size", *kinds.names]
    sides = (table.select(*columns, side=ibis.literal(side)) for side, table in enumerate((kinds.before, kinds.after)))
    every = ibis.union(*sides, distinct=False)
    work = functools.partial(
        _told, names=kinds.names, ranges=kinds.ranges, rules=rules, most=most
    )  # it is sent with nothing else
    found = Without()
    with engine.guard("comparing the release with the original"):
        told = engine.fetch(done_by_group(engine, every, "portion", work, "told string"))
    for line in told.column("told").to_pylist():
        heard = json.loads(line)
        if "refused" in heard:
            raise InputError(heard["refused"])
        found = found.and_of(Without(**heard))
    return found


def _told(lines: pa.Table, names: tuple[str, ...], ranges: Ranges, rules: Rules | None, most: int | None) -> pa.Table:
    """Return what a task tells of its portion."""
    before, after = (lines.filter(pc.equal(lines.column("side"), side)) for side in (0, 1))
    try:
        found = unassigned(*kinds_of(before, after, names, ranges), rules, most)
        told = {name: getattr(found, name) for name in Without.__slots__}
    except InputError as error:  # a sentence with counts, never a cell
        told = {"refused": str(error)}
    return pa.table({"told": [json.dumps(told)]})


def invented(kinds: Coded) -> list[int]:
    """Return per quasi-identifier the released rows with a value that its column never had."""
    codes = [kinds.names[place] for place in kinds.places]
    before, after = kinds.before, kinds.after
    with kinds.engine.guard("comparing the release with the original"):
        missing = kinds.engine.one(before.aggregate(**{name: (before[name] == NULL).any() for name in codes}))
        bad = {
            name: ibis.ifelse(after[name].isin([INVENTED] if missing[name] else [INVENTED, NULL]), after.n, 0).sum()
            for name in codes
        }
        found = kinds.engine.one(after.aggregate(**bad))
    return [int(found[name] or 0) for name in codes]
