"""Branch and cut over one component: the tree grows best first until its least leaf meets the release at hand."""

from __future__ import annotations

import heapq
import itertools
from typing import TYPE_CHECKING

import numpy as np

from incrowd.milp import Outcome
from incrowd.tables.solve.exact import tuning
from incrowd.tables.solve.exact.dive import dive, near
from incrowd.tables.solve.exact.proof_tree import Node

if TYPE_CHECKING:
    from collections.abc import Callable

    from incrowd.milp import Answer
    from incrowd.progress import Watch
    from incrowd.tables.solve.exact.proof_tree import DualBound

__all__ = ["BranchAndCut"]


class BranchAndCut:
    """The open nodes of the tree of a prover whose root is settled; `grow` may be called again."""

    def __init__(self, prover: DualBound) -> None:
        self.prover = prover
        self.order = itertools.count()
        self.heap = [(prover.root.bound, next(self.order), prover.root)]
        self.leaves = 1
        self.turns = 0

    def grow(
        self, upper: int, watch: Watch, *, most: int, work: int, found: Callable[[Answer], int] | None = None
    ) -> int:
        """Branch until every leaf is worth the least cost known, or until it is enough; return the bound proven.

        `upper` is the scaled cost of a release. There are at most `most` leaves, and at most `work` pairs times linear
        programs, a limit that does not depend on the machine. `found` is given answers without an undecided instance
        and returns the least cost known.
        """
        prover = self.prover
        limit = prover.work + work
        while self.heap and self.leaves < most and prover.work < limit and not watch.stopped:
            bound, place, node = heapq.heappop(self.heap)
            if node.leaf is not None and prover.up(node.leaf.value) >= upper:
                continue
            self.turns += 1
            answer = prover.settle(node, upper, watch, tuning.DEFAULT.node_rounds, tuning.DEFAULT.node_violation)
            if answer is None:
                heapq.heappush(self.heap, (bound, place, node))
                break
            if answer.outcome is Outcome.INFEASIBLE or (node.leaf is not None and prover.up(node.leaf.value) >= upper):
                continue
            if found is not None:
                # A dive for a better release at the 1st, 2nd, 4th, 8th ... node.
                deep: Answer | None = answer
                if self.turns & (self.turns - 1) == 0:
                    basis = prover.linear.basis()
                    deep = dive(prover, node.state, answer, min(upper, near(prover)), watch)
                    prover.set(node.state)
                    prover.linear.go_back(basis)
                if deep is not None and not prover.undecided(deep).size:
                    upper = min(upper, found(deep))
                    if node.leaf is not None and prover.up(node.leaf.value) >= upper:
                        continue
            which = self.choose(node, answer, watch)
            if which < 0:
                continue  # whole, and still below: rounding is in the way
            node.branch = which
            closed = Node({**node.state, which: -1}, node.bound, depth=node.depth + 1)
            opened = Node({**node.state, which: 1}, node.bound, depth=node.depth + 1)
            children = []
            for child in (closed, opened):
                answer = prover.settle(child, upper, watch, 0, 1.0)
                if answer is None:
                    heapq.heappush(self.heap, (bound, place, node))
                    return prover.value()
                children.append(child)
                if found is not None and answer.outcome is Outcome.OPTIMAL and not prover.undecided(answer).size:
                    upper = min(upper, found(answer))
            node.closed, node.opened = closed, opened
            self.leaves += 1
            for child in children:
                if child.leaf is None or prover.up(child.leaf.value) < upper:
                    heapq.heappush(self.heap, (child.bound, next(self.order), child))
        return prover.value()

    def choose(self, node: Node, answer: Answer, watch: Watch) -> int:
        """Return the instance to branch on: of the most undecided ones the best by the product rule; -1: none."""
        prover = self.prover
        most = max(tuning.DEFAULT.least_candidates, tuning.DEFAULT.root_candidates >> node.depth)
        options = [int(g) for g in prover.undecided(answer)[:most]]
        if not options:
            u = prover.point(answer)[1]
            return next((int(g) for g in np.argsort(np.abs(u - 0.5)) if abs(u[g] - 0.5) < 0.5 - 1e-6), -1)
        if len(options) == 1:
            return options[0]
        basis = prover.linear.basis()
        scores = []
        for g in options:
            gains = []
            for mark in (-1, 1):
                prover.set({**node.state, g: mark})
                prover.work += prover.instances.pairs
                gains.append(min(prover.linear.probe(tuning.DEFAULT.probe_steps) - answer.bound, 100.0))
                prover.linear.go_back(basis)
            scores.append(max(gains[0], 1e-3) * max(gains[1], 1e-3))
            if watch.stopped:
                break
        return options[int(np.argmax(scores))]
