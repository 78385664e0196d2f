"""The instances that a recount looks at, and which of them a certificate names."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from incrowd.tables.verify.bound import lattice
from incrowd.tables.verify.bound.strict_numbers import LIMIT, Unreadable, entries
from incrowd.tables.verify.bound.trees import MOST_MEMBERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    from incrowd.tables.verify.bound.certificate import Layout

    Int64 = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """Instances, told by pattern and row types.

    `which`: (g,) int32, pattern of each. `begins`: (g + 1,) int64. `members`: (e,) int32, row types of each,
    increasing. `needs`: (g,) int64, rows that a class there needs.
    """

    which: NDArray[np.int32]
    begins: Int64
    members: NDArray[np.int32]
    needs: Int64
    order: Int64 = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", np.argsort(self.which, kind="stable").astype(np.int64))

    def places(self, names: Iterable[tuple[int, int]], types: int) -> dict[tuple[int, int], int]:
        """Return the place of every instance among these that is named by its pattern and one of its types.

        O(t + the pairs of the pattern) for each pattern that is named.
        """
        by_pattern: dict[int, set[int]] = {}
        for pattern, one in names:
            by_pattern.setdefault(pattern, set()).add(one)
        found: dict[tuple[int, int], int] = {}
        at = np.full(types, -1, np.int64)
        patterns = self.which[self.order]
        for pattern, ones in by_pattern.items():
            low, high = np.searchsorted(patterns, [pattern, pattern + 1])
            for g in self.order[low:high].tolist():
                at[self.members[self.begins[g] : self.begins[g + 1]]] = g
            for one in ones:
                if at[one] >= 0:
                    found[pattern, one] = int(at[one])
            for g in self.order[low:high].tolist():
                at[self.members[self.begins[g] : self.begins[g + 1]]] = -1
        return found


def listing_of(view: Layout, counts: Int64, k: int, free: int, parts: int, prices: Int64, every: bool) -> Listing:
    """Return the undominated instances that may gain at the prices under k alone, or every one; the free one last.

    With `every` all undominated instances are listed. `free` is the place of the pattern of full suppression that holds
    any number of rows, -1 where there is none. `counts` (t,) holds the rows of each type, `prices` (t,) the price per
    row of each type, in `parts` of a scaled unit. Raise `Unreadable` if the instances are too many to hold.
    """
    which, begins, members = lattice.find(
        view.nodes, view.paid, view.start, view.heights, view.width, view.word, view.words, view.vectors,
        view.place, view.radix, view.uniform, counts, k, free, every, parts, prices, MOST_MEMBERS, view.ask,
    )  # fmt: skip
    if len(members) > MOST_MEMBERS:
        raise Unreadable("the table has too many instances for it to be recounted")
    needs = np.full(len(which), k, np.int64)
    if free >= 0:
        which = np.append(which, np.int32(free))
        members = np.append(members, np.arange(len(counts), dtype=np.int32))
        begins = np.append(begins, len(members))
        needs = np.append(needs, 1)  # [I5]
    return Listing(which, begins, members, needs)


def name_of(name: Any, view: Layout, types: int) -> tuple[int, int] | None:
    """Return pattern and type of an instance that is named by its levels and a row type; None: there is none [I6].

    The name comes from the certificate, and nothing in it is believed. `types` is the number of row types. Raise
    `Unreadable` if it is no such name.
    """
    columns = len(view.heights)
    if not isinstance(name, list) or len(name) != columns + 1 or not all(type(x) is int for x in name):
        raise Unreadable("an instance is not named by its levels and a row type")
    if not 0 <= name[-1] < types:
        raise Unreadable("an instance is named by a row type that is not there")
    pattern = view.number(name[:-1])
    return None if pattern < 0 else (pattern, name[-1])


def with_named(known: Listing, names: list[tuple[int, int]], view: Layout, types: int, k: int) -> Listing:
    """Return the known instances and those that are named beside them, which can only lower a bound.

    A name is the pattern and the row type of an instance, `types` the number of row types. Raise `Unreadable` if the
    instances are too many to hold.
    """
    have = known.places(names, types)
    which, extents, room = [], [], MOST_MEMBERS
    seen = set()
    every = np.arange(types)
    for pattern, one in names:
        if (pattern, one) in have:
            continue
        extent = np.flatnonzero(view.same(tuple(view.vectors[pattern].tolist()), one, every)).astype(np.int32)
        if (pattern, int(extent[0])) in seen:
            continue
        seen.add((pattern, int(extent[0])))
        which.append(pattern)
        extents.append(extent)
        room -= len(extent)
        if room < 0:
            raise Unreadable("it names too many instances to be recounted")
    if not which:
        return known
    lengths = np.array([len(extent) for extent in extents], np.int64)
    return Listing(
        np.concatenate((known.which, np.array(which, np.int32))),
        np.concatenate((known.begins, known.begins[-1] + np.cumsum(lengths))).astype(np.int64),
        np.concatenate((known.members, *extents)).astype(np.int32),
        np.concatenate((known.needs, np.full(len(which), k, np.int64))),
    )


# The check's reading of a tree in a certificate of version 2: instances open or closed, prices at its leaves.
DEEPEST = 400


class Proof(NamedTuple):
    """What a tree is read with.

    `leaf`: from prices and states to what a leaf proves, in parts; None: it holds no release. `prices`: (t,) int64, the
    certificate's. `most`: no price of a leaf may be as large.
    """

    leaf: Callable[[Int64, NDArray[np.int8]], int | None]
    prices: Int64
    instances: int
    most: int


def named_in(tree: Any, view: Layout, types: int) -> list[tuple[int, int]] | None:
    """Return pattern and type of the instances that a tree names; None where the mask allows one nowhere.

    The tree comes from the certificate, and `types` is the number of row types. May raise `Unreadable`.
    """
    if not isinstance(tree, dict):
        raise Unreadable("a tree is no object")
    if type(tree.get("component")) is not int or tree["component"] != 0:
        raise Unreadable("the tree is not of component 0")
    if entries(tree, "cuts"):
        raise Unreadable("under requirements a tree has no cuts")
    names = [name_of(name, view, types) for name in entries(tree, "instances")]
    known = [name for name in names if name is not None]
    return known if len(known) == len(names) else None


class Tree:
    """A tree over instances. `named` holds the place of each instance that it names."""

    def __init__(self, tree: Mapping[str, Any], named: list[int], types: int) -> None:
        self.root, self.named, self.types = tree.get("tree"), named, types

    def value(self, proof: Proof) -> int | None:
        """Return the least of what the leaves prove, in parts; None if none of them holds a release.

        May raise `Unreadable`.
        """
        return self._node(self.root, proof, np.zeros(proof.instances, np.int8), 0)

    def _node(self, node: Any, proof: Proof, state: NDArray[np.int8], depth: int) -> int | None:
        if not isinstance(node, dict) or depth > DEEPEST:
            raise Unreadable("a tree's node is no object, or too deep")
        if "instance" not in node:
            return proof.leaf(self._prices(node, proof), state)
        at = node["instance"]
        if type(at) is not int or not 0 <= at < len(self.named):
            raise Unreadable("an instance that the tree does not list")
        g = self.named[at]
        if state[g]:
            raise Unreadable("a tree branches twice on an instance")
        found = []
        for name, mark in (("closed", -1), ("open", 1)):
            state[g] = mark
            found.append(self._node(node.get(name), proof, state, depth + 1))
        state[g] = 0
        return min((value for value in found if value is not None), default=None)  # [V9]

    def _prices(self, leaf: Mapping[str, Any], proof: Proof) -> Int64:
        if entries(leaf, "weights"):
            raise Unreadable("under requirements a leaf weighs no cut")
        prices = proof.prices.copy()
        for entry in entries(leaf, "prices"):
            if not isinstance(entry, list) or len(entry) != 2 or not all(type(x) is int for x in entry):
                raise Unreadable("prices of a leaf holds something else than pairs of whole numbers")
            at, move = entry
            if not 0 <= at < self.types:
                raise Unreadable("a leaf moves the price of no row type")
            if not -LIMIT < move < LIMIT or not -proof.most < int(prices[at]) + move < proof.most:
                raise Unreadable("a leaf's numbers are too large to be added up")
            prices[at] += move
        return prices
