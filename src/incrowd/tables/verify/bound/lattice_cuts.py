"""The check's reading of cuts over the whole lattice: prices, and multipliers of cuts on named instances.

Where there are no components, the walk over the patterns (`lattice`) lists only the instances that may add something
below 0 at the prices. A cut's terms can bring others below 0: every instance that a proof names is listed here
beside them, in full, counted from the row types. All others have no part in any cut and are priced as they are, so
the sum over both is a bound. To list an instance that no least release needs can only lower it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from incrowd.tables.verify.bound.strict_numbers import Unreadable, entries
from incrowd.tables.verify.bound.trees import Component

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["MOST_MEMBERS", "Listed", "View", "proven", "with_named"]

MOST_MEMBERS = 1 << 26  # [I4] of all listed instances; 16 bytes and more each

Int64 = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """Instances: pattern of each, their row types one after another (``members``), and rows that each needs."""

    which: NDArray[np.int32]
    begins: Int64
    members: NDArray[np.int32]
    needs: Int64


class View(Protocol):
    """What the check knows of the table."""

    @property
    def vectors(self) -> Int64:
        """The allowed level vectors, shape (p, m)."""
        ...

    def ask(self) -> object:
        """End the recount by an exception where it shall stop."""
        ...

    def number(self, vector: Sequence[int]) -> int:
        """Return the number of an allowed level vector, -1 for any other."""
        ...

    def same(self, vector: tuple[int, ...], one: int, types: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Return which types show under a level vector what type `one` shows."""
        ...

    def costs(self, which: NDArray[np.integer], types: NDArray[np.integer]) -> Int64:
        """Return the scaled cost of a row per instance, given by pattern and one of its types."""
        ...


def proven(
    trees: list[Any], known: Listed, view: View, counts: Int64, k: int, free: int, parts: int, prices: Int64
) -> int | None:
    """Return what one tree proves over all instances, in parts; None when a part of it does not hold.

    `trees` comes from the certificate and holds one tree at most. `free` is the place of the pattern of full
    suppression that holds any number of rows, -1 where there is none. `counts` (t,) holds the rows of each type,
    `prices` (t,) the price per row of each type, in `parts` of a scaled unit. May raise `Unreadable`.
    """
    tree = trees[0]
    component = tree.get("component") if isinstance(tree, dict) else None
    if len(trees) != 1 or type(component) is not int or component != 0:
        raise Unreadable("without components there is one tree at most, of component 0")
    leaf = tree.get("tree")
    if not isinstance(leaf, dict) or "instance" in leaf or leaf.get("prices") != []:
        # [L1] What is listed was listed at the certificate's prices: at others more instances might add below 0.
        raise Unreadable("without components the tree is one leaf that moves no price")
    listed = with_named(tree, known, view, len(counts), k, free)
    if listed is None:
        return None
    costs = view.costs(listed.which, listed.members[listed.begins[:-1]])
    everywhere = Component(
        0, np.zeros(len(counts), np.int64), listed.which, listed.begins, listed.members, counts, costs, listed.needs,
        view.vectors, parts, k, prices, view.ask,
    )  # fmt: skip
    return everywhere.value(tree, view.same)  # [L3]


def with_named(tree: Mapping[str, Any], known: Listed, view: View, t: int, k: int, free: int) -> Listed | None:
    """Return the known instances and those that a tree names beside them.

    It is None when something named is no instance that needs a crowd. The tree has a list ``instances`` of level
    vectors, each with one row type. The members of `known` increase inside an instance, `t` is the number of row types,
    and `k` the rows that an instance needs. The pattern `free` needs no crowd, -1 stands for none. Takes O(m t) for
    each name. May raise `Unreadable`.
    """
    names = entries(tree, "instances")
    have = set(zip(known.which.tolist(), known.members[known.begins[:-1]].tolist(), strict=True))
    which: list[int] = []
    extents: list[NDArray[np.int32]] = []
    every, room = np.arange(t), MOST_MEMBERS
    for name in names:
        if not isinstance(name, list) or len(name) < 1 or not all(type(x) is int for x in name):
            raise Unreadable("an instance is not named by its levels and a row type")
        *vector, one = name
        number = view.number(vector)
        if number < 0 or number == free or not 0 <= one < t:  # [L2]
            return None
        extent = np.flatnonzero(view.same(tuple(vector), one, every)).astype(np.int32)
        key = (number, int(extent[0]))
        if key not in have:
            have.add(key)
            which.append(number)
            extents.append(extent)
            room -= len(extent)
            if room < 0:
                raise Unreadable("it names too many instances to be recounted")
    lengths = np.array([len(extent) for extent in extents], np.int64)
    return Listed(
        np.concatenate((known.which, np.array(which, np.int32))),
        np.concatenate((known.begins, known.begins[-1] + np.cumsum(lengths))).astype(np.int64),
        np.concatenate((known.members, *extents)).astype(np.int32),
        np.concatenate((known.needs, np.full(len(which), k, np.int64))),
    )
