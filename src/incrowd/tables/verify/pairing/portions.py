"""The released rows that find no original, however rows are assigned: a maximum flow over the kinds of each portion.

Portions are paired one after the other here, or as many at a time as Spark's executors do.
"""

from __future__ import annotations

import functools
import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import ibis
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from incrowd.check.mask import keeps
from incrowd.errors import InputError
from incrowd.tables.verdict import Violation
from incrowd.tables.verify.pairing.edges import MOST_EDGES, Edges, Fit, TooManyFit, patterns_of
from incrowd.tables.verify.pairing.flow import unmet
from incrowd.tables.verify.pairing.kinds import INVENTED, NULL, STAR, Kinds, kinds_of
from incrowd.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray

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
        told = asdict(found)
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


# One portion.
@dataclass(frozen=True, slots=True)
class Without:
    """Released rows that find no original.

    `rows`: however they are assigned, the mask left aside. `smallest`: rows of the smallest class that has some.
    `masked`: those that could be assigned but for the mask. `masked_smallest`: rows of the smallest class that has some
    of either, where the mask is asked.
    """

    rows: int = 0
    smallest: int | None = None
    masked: int = 0
    masked_smallest: int | None = None

    def and_of(self, other: Without) -> Without:
        """Return the same of two portions."""
        return Without(
            self.rows + other.rows, _least(self.smallest, other.smallest),
            self.masked + other.masked, _least(self.masked_smallest, other.masked_smallest),
        )  # fmt: skip


def _least(one: int | None, two: int | None) -> int | None:
    return min((size for size in (one, two) if size is not None), default=None)


def unassigned(before: Kinds, after: Kinds, rules: Rules | None, most_edges: int | None = None) -> Without:
    """Return the released rows that find no original, however the rows are assigned.

    Nobody outside the kinds `before` and `after` of original and released rows fits one of them. With rules a pair of
    rows has to keep the mask too, by some reading of the NULLs that both hold. `most_edges` is how many pairs of kinds
    may lie in memory at a time, where that is less than `incrowd.tables.verify.pairing.edges` allows; above it the
    blocks are paired by halves. Raise `InputError` above the limits of that module, or where too many NULLs leave the
    mask open.
    """
    whole = (after.block >= 0) & (after.codes != INVENTED).all(axis=1)
    smallest = int(after.size[~whole].min()) if not whole.all() else None
    lost = Without(int(after.rows[~whole].sum()), smallest)
    return lost.and_of(_by_blocks(before, after.taken(np.flatnonzero(whole)), rules, most_edges))


def _by_blocks(before: Kinds, after: Kinds, rules: Rules | None, most_edges: int | None) -> Without:
    """Pair kinds of which each has its block and its values; by halves where too many fit to lie in memory."""
    try:
        return _assigned(before, after, rules, most_edges)
    except TooManyFit:
        half = _half(after.block)
        if half is None:
            raise
    below, above = ((before.block < half, after.block < half), (before.block >= half, after.block >= half))
    found = Without()
    for (mine, theirs), first in ((below, 0), (above, half)):
        one, two = (_from(kinds, some, first) for kinds, some in ((before, mine), (after, theirs)))
        found = found.and_of(_by_blocks(one, two, rules, most_edges))
    return found


def _half(blocks: NDArray[np.int64]) -> int | None:
    """Return the block before which about half of the released kinds are; None where they are all of one block."""
    if not len(blocks) or (blocks == blocks[0]).all():
        return None
    middle = int(np.sort(blocks)[len(blocks) // 2])
    return middle if middle > blocks.min() else middle + 1


def _from(kinds: Kinds, some: NDArray[np.bool_], first: int) -> Kinds:
    """Return some kinds, their blocks counted from `first` on."""
    found = kinds.taken(np.flatnonzero(some))
    return Kinds(found.codes, found.block - first, found.rows, found.size, found.ranges)


def _assigned(before: Kinds, after: Kinds, rules: Rules | None, most_edges: int | None) -> Without:
    before = before.taken(np.argsort(before.block, kind="stable"))
    stars, pattern = patterns_of(after.codes <= STAR)
    order = np.lexsort((pattern, after.block))
    after, pattern = after.taken(order), pattern[order]
    edges = Fit(before, after, pattern).edges(most_edges)
    masked = None
    if rules is not None:
        masked = _kept_by_mask(before, stars, pattern, edges, rules)
    short, without = _short(before, after, masked or edges)
    broken, seen = 0, None
    if masked is not None and short.any():
        freely, free = _short(before, after, edges)
        broken, seen = int(short.sum() - freely.sum()), int(after.size[without].min())  # [R6]
        short, without = freely, free
    lost = int(short.sum())
    return Without(lost, int(after.size[without].min()) if lost else None, broken, seen)  # [R8]


def _kept_by_mask(
    before: Kinds, stars: NDArray[np.bool_], pattern: NDArray[np.int64], edges: Edges, rules: Rules
) -> Edges:
    """Return the edges whose rows keep the mask at some reading of their NULLs.

    It is asked between the levels that a row of stars that are NULL surely has and those that it may have, once for all
    rows of a pattern of stars and one of missing values.
    """
    nulls, null = patterns_of(before.codes == NULL)
    keep = edges.pairs(pattern, null)
    for p, o in np.argwhere(keep).tolist():
        low, high = (tuple(map(int, levels)) for levels in (stars[p] & ~nulls[o], stars[p]))
        keep[p, o] = rules.mask.looked_through(keeps, low, high)
    return edges.only(keep, pattern, null)


def _short(before: Kinds, after: Kinds, edges: Edges) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    return unmet(before.rows, after.rows, edges.start, edges.adjacent)
