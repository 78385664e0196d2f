"""Some classes of a release that share near instances, and what their rows may do while all other rows stay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.solve.improve.under_requirements import tuning
from incrowd.tables.solve.shared.instances import Instances

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.values import Int64

__all__ = ["Neighbourhood", "around", "freed"]


@dataclass(frozen=True, slots=True, eq=False)
class Neighbourhood:
    """Rows that are free to move, and the instances that may hold them.

    Attributes
    ----------
    instances : Instances
        Over the types of the free rows; an instance that holds rows which stay needs no more of them.
    types : (t',) int64
        Number of each type in the whole list.
    groups : (g',) int64
        Number of each instance there.
    places : (p',) int64
        Place of each pair there.
    rows : (p',) int64
        Where the free rows are now.
    """

    instances: Instances
    types: Int64
    groups: Int64
    places: Int64
    rows: Int64


def around(
    instances: Instances, near: NDArray[np.bool_], rows: Int64, first: int, limit: int, random: np.random.Generator
) -> Int64:
    """Return classes that share near instances with a first one, or with one another, until their rows reach a limit.

    `near` is (g,): what rows may move to. `rows` is (p,): a release. `first` is an open instance that needs a crowd.
    `random` draws among the classes that share most. O(members of the near instances of the rows) time for each class.
    """
    begins, which, _ = instances.by_type
    type_begins, holding = _held(instances, rows)
    sizes = np.bincount(instances.owners, weights=rows, minlength=instances.size)
    chosen, score = [first], np.zeros(instances.size)
    total = sizes[first]
    while total < limit:
        g = chosen[-1]
        own = np.arange(instances.begins[g], instances.begins[g + 1])
        types = instances.members[own[rows[own] > 0]]
        reached = which[_spans(begins, types)]
        reached = reached[near[reached]]
        others, times = np.unique(reached, return_counts=True)
        spread = _spans(instances.begins, others)
        weight = np.repeat(times, instances.begins[others + 1] - instances.begins[others])
        members = instances.members[spread]
        counts = np.bincount(members, weights=weight, minlength=instances.t)
        met = np.flatnonzero(counts)
        lengths = type_begins[met + 1] - type_begins[met]
        score += np.bincount(
            instances.owners[holding[_spans(type_begins, met)]], weights=np.repeat(counts[met], lengths),
            minlength=instances.size,
        )  # fmt: skip
        score[chosen] = 0.0
        score[instances.needs == 0] = 0.0
        best = np.argsort(-score, kind="stable")[: tuning.DEFAULT.drawn_classes]
        best = best[(score[best] > 0) & (total + sizes[best] <= 1.5 * limit)]
        if not best.size:
            break
        chosen.append(int(best[random.integers(best.size)]))
        total += sizes[chosen[-1]]
    return np.array(chosen, np.int64)


def freed(instances: Instances, near: NDArray[np.bool_], rows: Int64, chosen: Int64) -> Neighbourhood:
    """Return what the rows of some classes may do.

    They may go to near instances without rows, to any of the classes themselves, and into the free instance; rows of
    that one which a near instance could hold are free, too.

    `near` is (g,): the instances that may open. `rows` is (pairs,): the rows of the pair's type in the pair's instance.
    `chosen` is (c,): the instances whose classes are taken apart. O(pairs) time.
    """
    J = instances
    inside = np.zeros(J.size, np.bool_)
    inside[chosen] = True
    loose = inside[J.owners] & (rows > 0)
    holding = np.bincount(J.owners, weights=rows, minlength=J.size) > 0
    allowed = inside | (near & ~holding)
    free = J.needs == 0
    if free.any():
        touched = np.zeros(J.t, np.bool_)
        touched[J.members[loose]] = True
        shared = np.bincount(J.owners, weights=touched[J.members], minlength=J.size) > 0
        able = np.zeros(J.t, np.bool_)
        able[J.members[(allowed & shared & ~free)[J.owners]]] = True
        loose |= free[J.owners] & (rows > 0) & able[J.members]
        allowed |= free
    counts = np.bincount(J.members, weights=rows * loose, minlength=J.t).astype(np.int64)
    within = np.bincount(J.owners, weights=counts[J.members], minlength=J.size)
    keep = allowed & (within >= np.maximum(J.needs, 1))
    places = np.flatnonzero(keep[J.owners] & (counts[J.members] > 0))
    groups, types = np.flatnonzero(keep), np.flatnonzero(counts)
    lengths = np.bincount(J.owners[places], minlength=J.size)[groups]
    number = np.full(J.t, -1, np.int32)
    number[types] = np.arange(types.size)
    part = Instances(
        J.vectors[groups], J.costs[groups], J.needs[groups],
        np.concatenate(([0], np.cumsum(lengths))).astype(np.int64), number[J.members[places]], counts[types], -1,
    )  # fmt: skip
    return Neighbourhood(part, types, groups, places, (rows * loose)[places])


def _held(instances: Instances, rows: Int64) -> tuple[Int64, Int64]:
    """Return the pairs with rows by type: where those of each type begin, and the pairs."""
    used = np.flatnonzero(rows)
    types = instances.members[used]
    order = np.argsort(types, kind="stable")
    begins = np.searchsorted(types[order], np.arange(instances.t + 1)).astype(np.int64)
    return begins, used[order]


def _spans(begins: Int64, which: NDArray[np.integer]) -> Int64:
    """Return the places from begins[x] to begins[x + 1] for every x of `which`, one behind the other."""
    lengths = begins[which + 1] - begins[which]
    ends = np.cumsum(lengths)
    places: Int64 = np.arange(int(lengths.sum())) + np.repeat(begins[which] - (ends - lengths), lengths)
    return places
