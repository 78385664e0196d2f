"""Proof of a component's bound: prices, cut multipliers and, where a gap is left, a small tree over instances.

Every leaf is a vector of whole prices with whole multipliers of cuts; its value is counted in integers, with the
instances on its path forced open or closed. The least over the leaves is the bound: no solver's word in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.bounds import cuts as kernel
from incrowd.milp import Linear, Outcome
from incrowd.tables.solve.bounds.cuts import Cut, rows_for, separate, separate_flows, terms, undecided
from incrowd.tables.solve.bounds.lagrangian import whole_prices
from incrowd.tables.solve.exact import tuning
from incrowd.tables.solve.shared.strong_formulation import StrongFormulation, strong

if TYPE_CHECKING:
    from incrowd.milp import Answer
    from incrowd.progress import Watch
    from incrowd.tables.solve.bounds.lagrangian import Float64
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Int64


@dataclass(slots=True, eq=False)
class Leaf:
    """Whole prices of the part's types and whole multipliers of cuts, with the value they are worth."""

    prices: Int64
    weights: dict[int, int]
    value: int


@dataclass(slots=True, eq=False)
class Node:
    """A partial decision: instances open (1) or closed (-1); either branched further or closed by its leaf."""

    state: dict[int, int]
    bound: float
    leaf: Leaf | None = None
    branch: int = -1
    closed: Node | None = None
    opened: Node | None = None
    depth: int = field(default=0)


class DualBound:
    """Prices, cuts and a tree over one component.

    `instances` are the component's, its suppressed class free. Costs of releases are multiples of `unit`. `parts` is
    the number of parts that a scaled cost unit is cut into, divisible by small numbers. `model` and `linear` are the
    strong program and the linear one, where they are made already.
    """

    def __init__(
        self,
        instances: Instances,
        k: int,
        unit: int,
        parts: int,
        *,
        model: StrongFormulation | None = None,
        linear: Linear | None = None,
    ) -> None:
        self.instances = instances
        self.k = k
        self.unit = unit
        self.parts = parts
        self.model: StrongFormulation = strong(instances, unit=unit) if model is None else model
        self.linear = Linear(self.model.program) if linear is None else linear
        self.cuts: list[Cut] = []
        self.known: dict[tuple[str, bytes, bytes], int] = {}
        self.inside: list[int] = []  # cuts in the linear program, in the order of its rows
        self.used: dict[int, int] = {}  # when each was last worth something
        self.turn = 0
        self.room = tuning.DEFAULT.cut_room
        self.root = Node({}, -np.inf)
        self.plain: Leaf | None = None
        self.answer: Answer | None = None
        self._set: dict[int, int] = {}
        self.work = 0
        self._links = self.model.program.rows.lower.size

    # --- values ------------------------------------------------------------------------------------------

    def up(self, value: int) -> int:
        """Return the least cost of a release that a value in parts allows."""
        return -(-value // (self.parts * self.unit)) * self.unit

    def count(self, prices: Int64, weights: dict[int, int], state: dict[int, int]) -> int:
        """Return the value of prices and multipliers under a partial decision, in parts, in integers."""
        J = self.instances
        chosen = sorted(weights)
        constant, extra, fixed = terms(J, [self.cuts[c] for c in chosen], [weights[c] for c in chosen])
        largest = max(int(np.abs(prices).max(initial=0)), int(np.abs(extra).max(initial=0)), 1)
        rows = int(J.counts.sum()) * (largest + int(J.costs.max(initial=0)) * self.parts)
        if rows + int(np.abs(fixed).sum()) >= 2**61:
            return -(2**62)
        marks = np.zeros(J.size, np.int8)
        for g, mark in state.items():
            marks[g] = mark
        below = kernel.priced(J.begins, J.members, J.counts, J.costs * self.parts, J.needs, prices, extra, fixed, marks)
        return int((prices * J.counts).sum()) + constant + int(below)

    def leaf(self, duals: Float64, state: dict[int, int]) -> Leaf:
        """Return a leaf made of a linear program's duals."""
        J = self.instances
        scale = float(self.parts * self.unit)
        prices = whole_prices(duals[: J.t], self.parts * self.unit)
        weights = {}
        self.turn += 1
        for c, dual in zip(self.inside, duals[self._links :], strict=False):
            divisor = self.cuts[c].divisor
            weight = round(max(-float(dual), 0.0) * scale / divisor) * divisor
            if weight > 0:
                weights[c] = weight
                self.used[c] = self.turn
        return Leaf(prices, weights, self.count(prices, weights, state))

    # --- linear programs ---------------------------------------------------------------------------------

    def solve(self, state: dict[int, int], watch: Watch) -> Answer:
        """Solve the linear program under a partial decision."""
        self.set(state)
        self.work += self.instances.pairs
        return self.linear.solve(watch)

    def set(self, state: dict[int, int]) -> None:
        """Force instances open or closed in the linear program."""
        changed = [g for g in {*self._set, *state} if self._set.get(g, 0) != state.get(g, 0)]
        if changed:
            columns = self.model.column[np.array(changed)].astype(np.int32)
            marks = np.array([state.get(g, 0) for g in changed])
            self.linear.bound(columns, (marks > 0).astype(np.float64), (marks >= 0).astype(np.float64))
            self._set = dict(state)

    def point(self, answer: Answer) -> tuple[Float64, Float64]:
        """Return x per pair and u per instance (1 for free ones)."""
        assert answer.x is not None
        return self.model.read(answer.x)

    def cut(self, answer: Answer, least: float) -> int:
        """Add cuts that the answer's point violates; return how many."""
        point = self.point(answer)
        found = separate(self.instances, self.k, *point, least=least)
        found += separate_flows(self.instances, self.k, *point, least=least)
        within = set(self.inside)
        fresh = []
        for cut in found:
            number = self.known.setdefault(cut.key, len(self.cuts))
            if number == len(self.cuts):
                self.cuts.append(cut)
            if number not in within:
                fresh.append(number)
                self.used[number] = self.turn
        self.linear.add(rows_for([self.cuts[c] for c in fresh], self.model.column))
        self.inside += fresh
        return len(fresh)

    def forget(self) -> None:
        """Build the linear program anew without cuts that were long worth nothing, once there are many."""
        if len(self.inside) <= self.room:
            return
        self.inside = [c for c in self.inside if self.used[c] >= self.turn - tuning.DEFAULT.cut_idleness]
        self.room = 2 * len(self.inside) + tuning.DEFAULT.cut_room
        self.linear = Linear(self.model.program)
        self.linear.add(rows_for([self.cuts[c] for c in self.inside], self.model.column))
        state, self._set = self._set, {}
        self.set(state)

    def settle(self, node: Node, upper: int, watch: Watch, rounds: int, least: float) -> Answer | None:
        """Solve a node with some rounds of cuts; give it its best leaf. None when time ran out."""
        answer: Answer | None = None
        self.forget()
        for turn in range(rounds + 1):
            answer = self.solve(node.state, watch)
            if answer.outcome is Outcome.INFEASIBLE:
                node.leaf = self.beyond(node, upper)
                return answer
            if answer.outcome is not Outcome.OPTIMAL or answer.duals is None:
                return None
            if node is self.root:
                self.answer = answer
            leaf = self.leaf(answer.duals, node.state)
            if node is self.root and self.plain is None:
                self.plain = Leaf(leaf.prices, {}, self.count(leaf.prices, {}, {}))
            if node.leaf is None or leaf.value > node.leaf.value:
                node.leaf = leaf
            gain = answer.bound - node.bound
            node.bound = max(node.bound, answer.bound)
            if self.up(node.leaf.value) >= upper or turn == rounds or not self.undecided(answer).size:
                break
            if turn > 2 and gain < 0.02:
                break
            if not self.cut(answer, least):
                break
        return answer

    def beyond(self, node: Node, upper: int) -> Leaf | None:
        """Return a leaf for a node without a solution: prices along a dual ray, as far as it takes."""
        ray = self.linear.ray()
        if ray is None:
            return None
        base = node.leaf
        best: Leaf | None = base
        for sign in (1.0, -1.0):
            way = sign * ray / max(float(np.abs(ray).max()), 1e-9)
            far = 1.0
            while far < 2**20:
                start = np.zeros(len(way)) if base is None else self.unscaled(base)
                found = self.leaf(start[: len(way)] + far * way, node.state)
                if best is None or found.value > best.value:
                    best = found
                if self.up(found.value) >= upper:
                    return found
                far *= 4
        return best

    def unscaled(self, leaf: Leaf) -> Float64:
        """Return a leaf's prices and multipliers as duals again."""
        scale = float(self.parts * self.unit)
        duals = np.zeros(self._links + len(self.inside))
        duals[: self.instances.t] = leaf.prices / scale
        for place, c in enumerate(self.inside):
            duals[self._links + place] = -leaf.weights.get(c, 0) / scale
        return duals

    def undecided(self, answer: Answer) -> Int64:
        """Return the instances that an answer opens in part and fills in part, nearest to half open first.

        One that holds its crowd could be opened in full at no cost.
        """
        x, u = self.point(answer)
        held = np.bincount(self.instances.owners, weights=x, minlength=self.instances.size)
        near = undecided(self.instances, u)
        return near[held[near] < self.instances.needs[near] - 1e-6]

    # --- the tree, grown by `incrowd.tables.solve.exact.component` ---------------------------------------------

    def start(self, upper: int, watch: Watch) -> Answer | None:
        """Settle the root with cuts, as far as time goes; return the last answer."""
        self.settle(self.root, upper, watch, tuning.DEFAULT.root_rounds, tuning.DEFAULT.root_violation)
        return self.answer

    def value(self) -> int:
        """Return the bound that the tree proves, in scaled cost."""
        return self.least(self.root)

    def least(self, node: Node) -> int:
        """Return what a node proves: its own leaf, or the lesser of its two sides."""
        below = -(2**62)
        if node.closed is not None and node.opened is not None:
            below = min(self.least(node.closed), self.least(node.opened))
        own = -(2**62) if node.leaf is None else self.up(node.leaf.value)
        return max(own, below)
