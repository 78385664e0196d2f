"""The released rows of a portion that find no original, however rows are assigned: a maximum flow over its kinds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.check.mask import keeps
from incrowd.tables.verify.pairing.edges import Edges, Fit, TooManyFit, patterns_of
from incrowd.tables.verify.pairing.flow import unmet
from incrowd.tables.verify.pairing.kinds import INVENTED, NULL, STAR, Kinds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.verify.rules import Rules


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
    known = [size for size in (one, two) if size is not None]
    return min(known) if known else None


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
