"""A tree over instances that are open or closed, with prices at its leaves: what prices alone leave, it proves.

Every release has an instance open or closed, so it lies in one leaf, and costs at least what the leaf's prices prove
where V_g of an open instance is what a valid class gains, also below 0, and V_g of a closed one is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.solve.bounds import tuning

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.solve.bounds.under_requirements.class_program import ClassProgram
    from incrowd.tables.solve.bounds.under_requirements.layout import Float64
    from incrowd.tables.values import Int8, Int64

__all__ = ["Leaf", "Node", "PriceTree", "Split", "written"]

# An instance that is less open, or less closed, is taken to be closed, or open.
FRACTION = 1e-6
# Leaves from one word of progress to the next.
TELLING = 256


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """Prices, shape (t,)."""

    prices: Int64


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """An instance that is closed on one side and open on the other."""

    instance: int
    closed: Node
    open: Node


Node = Leaf | Split


class PriceTree:
    """The search for a tree whose every leaf proves a cost.

    `target` is what every leaf has to prove, in parts.

    Attributes
    ----------
    root : Ended
        What prices alone prove.
    node : Node or None
        The tree (None: there is none, or it would be too large, or time ran out).
    leaves : int

    Notes
    -----
    A node takes linear programs until no class joins, each from the last one's basis. Where the program's solution has
    every instance open or closed and still costs too little, no tree over instances can close the gap (with prices
    inside the program's box): the search ends there, at once. Memory: 8 bytes a row type and leaf, written some 20 a
    price that a leaf changes; deeper than 300 it does not go.
    """

    def __init__(self, program: ClassProgram, target: int, watch: Watch) -> None:
        self.program, self.target, self.watch = program, target, watch
        self.leaves = 0
        self._steps = 0
        state = np.zeros(program.instances.size, np.int8)
        self.root = program.search(state, np.zeros_like(program.counts), target, watch)
        self.node: Node | None = None
        if self.root.value >= target:
            self.node = Leaf(self.root.prices)
            self.leaves = 1
        elif self.root.opened is not None:
            self.node = self._split(state, self.root.prices, self.root.opened, 0)

    def _grown(self, state: Int8, start: Int64, depth: int) -> Node | None:
        """Return the tree below a node, or None."""
        if self.watch.stopped or depth > tuning.DEFAULT.tree_depth or self.leaves >= tuning.DEFAULT.tree_leaves:
            return None
        found = self.program.search(state, start, self.target, self.watch)
        if found.value >= self.target:
            self.leaves += 1
            self._steps += self.program.entries
            if self.leaves % TELLING == 0:
                self.watch.tell("bound", leaves=self.leaves)
            return Leaf(found.prices) if self._steps <= tuning.DEFAULT.tree_steps else None
        if found.opened is None:
            return None
        return self._split(state, found.prices, found.opened, depth)

    def _split(self, state: Int8, prices: Int64, opened: Float64, depth: int) -> Node | None:
        """Return the tree that branches on the instance that is most undecided, or None."""
        g = self._undecided(state, opened)
        if g < 0:
            return None
        sides: list[Node] = []
        for mark in (-1, 1):
            below = state.copy()
            below[g] = mark
            side = self._grown(below, prices, depth + 1)
            if side is None:
                return None
            sides.append(side)
        return Split(g, *sides)

    def _undecided(self, state: Int8, opened: Float64) -> int:
        """Return the instance whose opening is nearest to a half, -1 for none."""
        apart = np.where(state == 0, np.abs(opened - 0.5), 1.0)
        g = int(np.argmin(apart)) if apart.size else -1
        return g if g >= 0 and apart[g] < 0.5 - FRACTION else -1


def written(node: Node, root: Int64, names: list[list[int]]) -> dict[str, Any]:
    """Return a tree as a certificate holds it.

    `root`, (t,), are the certificate's prices, and `names` holds the name of each instance of the program.
    """
    places: dict[int, int] = {}

    def plain(node: Node) -> dict[str, Any]:
        if isinstance(node, Leaf):
            moved = np.flatnonzero(node.prices != root)
            return {"prices": [[i, int(node.prices[i] - root[i])] for i in moved.tolist()], "weights": []}
        place = places.setdefault(node.instance, len(places))
        return {"instance": place, "closed": plain(node.closed), "open": plain(node.open)}

    tree = plain(node)
    return {"component": 0, "instances": [names[g] for g in places], "cuts": [], "tree": tree}
