"""The check's reading of a tree in a certificate of version 2: instances open or closed, prices at its leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from incrowd.tables.verify.bound.instances import name_of
from incrowd.tables.verify.bound.strict_numbers import LIMIT, Unreadable, entries

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from incrowd.tables.verify.bound.layout import Layout

    Int64 = NDArray[np.int64]

__all__ = ["DEEPEST", "Proof", "Tree", "named_in"]

DEEPEST = 400


class Proof(NamedTuple):
    """What a tree is read with.

    Attributes
    ----------
    leaf : callable
        From prices and states to what a leaf proves, in parts; None: it holds no release.
    prices : (t,) int64
        The certificate's.
    instances : int
    most : int
        No price of a leaf may be as large.
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
    """A tree over instances.

    `named` holds the place of each instance that it names.
    """

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
