"""A tree over which instances are open, under requirements; `BranchAndCut` grows it.

A node is worth what its linear program says, rounded up to what a release can cost: the engine's word, in floating
point. Rows and cuts that a point breaks join the program for good, for they hold for every release. So no release of a
node's side costs less than the node is worth, and the least over the leaves is a bound.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.milp import Outcome
from incrowd.tables.solve.bounds.cuts.counting import rows_for, separate
from incrowd.tables.solve.bounds.cuts.flow import separate_flows
from incrowd.tables.solve.exact import tuning
from incrowd.tables.solve.exact.proof_tree import DualBound, Leaf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.milp import Answer, Linear, Rows
    from incrowd.progress import Watch
    from incrowd.tables.solve.exact.proof_tree import Node
    from incrowd.tables.solve.exact.under_requirements.known_rows import KnownRows

__all__ = ["NEVER", "RequiredTree"]

NEVER = 2**62  # what a node without a release is worth


class RequiredTree(DualBound):
    """A component's linear program, with instances forced open or closed; its leaves hold a value and no prices.

    `linear` is the linear program of `known.model`. Rows of the requirements come from `known`, and cuts are added to
    its rows.

    Attributes
    ----------
    added : list of Rows
        The linear program's rows beside the model's, in their order.
    """

    def __init__(self, linear: Linear, known: KnownRows, k: int) -> None:
        model = known.model
        super().__init__(model.instances, k, model.unit, 1, model=model, linear=linear)
        self.requirements = known
        self.added: list[Rows] = []

    def add(self, rows: Sequence[Rows]) -> None:
        """Add rows to the linear program."""
        for some in rows:
            self.linear.add(some)
        self.added += rows

    def solve(self, state: dict[int, int], watch: Watch) -> Answer:
        """Solve the linear program under a partial decision; rows of requirements join it while they gain."""
        self.set(state)
        own = tuning.DEFAULT
        before = -np.inf
        for turn in range(own.node_rows + 1):
            self.work += self.instances.pairs
            answer = self.linear.solve(watch)
            if answer.outcome is not Outcome.OPTIMAL or turn == own.node_rows:
                break
            if turn > 2 and answer.bound < before + own.least_gain:
                break
            before = answer.bound
            rows = self.requirements.broken(*self.point(answer), own.rule_violation)
            if not rows:
                break
            self.add(rows)
        return answer

    def settle(self, node: Node, upper: int, watch: Watch, rounds: int, least: float) -> Answer | None:
        """Solve a node with some rounds of cuts; give it its value. None when time ran out."""
        answer: Answer | None = None
        for turn in range(rounds + 1):
            answer = self.solve(node.state, watch)
            if answer.outcome is Outcome.INFEASIBLE:
                node.leaf = _worth(NEVER)
                return answer
            if answer.outcome is not Outcome.OPTIMAL:
                return None
            node.bound = max(node.bound, answer.bound)
            node.leaf = _worth(int(np.ceil(node.bound - 1e-6)) * self.unit)
            if node.leaf.value >= upper or turn == rounds or not self.undecided(answer).size:
                break
            if not self.cut(answer, least):
                break
        return answer

    def cut(self, answer: Answer, least: float) -> int:
        """Add cuts that the answer's point violates; return how many."""
        # they take it that every group needs k rows or none, so the hub is free for them
        free, (x, u) = self.instances.free_hub(), self.point(answer)
        found = separate(free, self.k, x, u, least=least)
        found += separate_flows(free, self.k, x, u, least=least)
        fresh = {cut.key: cut for cut in found if cut.key not in self.known}
        self.known.update(dict.fromkeys(fresh, 0))
        if fresh:
            rows = rows_for(list(fresh.values()), self.model)
            self.add([rows])
            self.requirements.rows.append(rows)
        return len(fresh)


def _worth(value: int) -> Leaf:
    return Leaf(np.zeros(0, np.int64), {}, value)
