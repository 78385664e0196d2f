"""One component under requirements: a linear program with cuts, what it leaves out, and an integer program.

The rows of the requirements are many; only those that a point breaks are in the programs (`separation`), which lowers
nothing that they prove: a program with fewer rows is a relaxation. The suppressed class, which links components, is
taken as free and not judged, but where the part is the whole problem. The cuts T, C, S and F count rows and hold for
every release of k alone, so for these too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from incrowd.milp import Answer, Linear, Outcome
from incrowd.tables.solve.bounds.cuts import rows_for, separate, separate_flows
from incrowd.tables.solve.exact import tuning
from incrowd.tables.solve.exact.component import MOST, Component
from incrowd.tables.solve.exact.proof_tree import DualBound, Leaf
from incrowd.tables.solve.exact.under_requirements.known_rows import KnownRows, over

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from incrowd.milp import Rows
    from incrowd.progress import Watch
    from incrowd.tables.count_rules import CountRule
    from incrowd.tables.solve.bounds.lagrangian import Float64
    from incrowd.tables.solve.exact.proof_tree import Node
    from incrowd.tables.solve.shared.components import Part
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Int64

EXACT = 1e-6  # by which whole classes may seem to break a row in floating point


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What is asked of a part.

    `kinds`, (t,), is the combination of sensitive values of the part's types, and all `rules` are exact. `met` decides
    exactly whether whole rows per pair of the part, shape (p,), meet every requirement outside the suppressed class.
    `whole` says that the part is the whole problem: then its suppressed class needs at least one row, and is judged.
    """

    kinds: NDArray[np.integer]
    rules: tuple[CountRule, ...]
    met: Callable[[Part, Int64], bool]
    whole: bool = False


class RequiredComponent(Component):
    """What is known of a component with its suppressed class free and not judged; nothing of it by integers alone."""

    whole_rows = True

    def __init__(self, part: Part, unit: int, k: int, rows: Int64 | None, asked: Asked, *, below: int = MOST) -> None:
        self.asked = asked
        super().__init__(part, unit, k, rows, below=below)
        self.checked = 0

    def relaxed(self, instances: Instances) -> Instances:
        """Return the list with the suppressed class free, unless it is judged."""
        return instances if self.asked.whole else instances.free_suppression()

    def met(self, rows: Int64) -> bool:
        """Return whether rows per pair meet every requirement."""
        return self.asked.met(self.part, rows)

    @cached_property
    def codes(self) -> list[NDArray[np.integer]]:
        """For every rule the value of each pair's type, (p,)."""
        return [rule.code[self.asked.kinds[self.instances.members]] for rule in self.asked.rules]

    @cached_property
    def known(self) -> KnownRows:
        """The rows that programs have so far."""
        judged = self.instances.needs > 0
        if not self.asked.whole and self.instances.suppressed >= 0:
            judged[self.instances.suppressed] = False
        return KnownRows(self.model, self.asked.rules, self.codes, judged, self.more)

    # --- the linear program --------------------------------------------------------------------------------------

    def relax(self, watch: Watch) -> None:
        """Solve the linear program, adding broken rows and cuts until they gain little."""
        own = tuning.DEFAULT
        tree = self.tree = RequiredTree(Linear(self.model.program), self.known, self.k)
        tree.add(self.known.rows)
        before, idle = -np.inf, 0
        while not watch.stopped:
            answer = tree.linear.solve(watch)
            self.infeasible = answer.outcome is Outcome.INFEASIBLE
            if answer.outcome is not Outcome.OPTIMAL or answer.x is None:
                return
            self.answer, self.duals, self.added = answer, answer.duals, list(tree.added)
            self.value = max(self.value, self.up(answer.bound))
            tree.root.bound, tree.root.leaf = answer.bound, _value(self.up(answer.bound))
            if self.closed:
                return
            rows = self.known.broken(*self.model.read(answer.x), own.rule_violation)
            idle = idle + 1 if answer.bound < before + own.least_gain else 0
            before = answer.bound
            tree.add(rows)
            cuts = tree.cut(answer, own.root_violation) if not rows or idle >= 2 else 0
            if not (rows or cuts) or idle >= own.idle_rounds:
                return

    def inside(self) -> list[Rows]:
        """Return the rows that the linear program has by now, beside the model's."""
        return self.tree.added if isinstance(self.tree, RequiredTree) else []

    def credit(self) -> None:
        """Take what the tree says."""
        assert self.tree is not None
        self.infeasible = self.rows is None and self.tree.value() >= NEVER
        self.value = max(self.value, min(self.tree.value(), self.upper))

    def dive(self, watch: Watch) -> None:
        """Look for releases near the linear program's value, once it has the rows that its last point broke."""
        if self.tree is not None and self.answer is not None and not self.closed:
            self.answer = self.tree.settle(self.tree.root, self.upper, watch, 0, tuning.DEFAULT.node_violation)
            super().dive(watch)

    def found(self, answer: Answer, watch: Watch) -> int:
        """Take the least release of the instances that an answer opens; return what others have to cost less than."""
        assert answer.x is not None
        x, u = self.model.read(answer.x)
        rows: Int64 = np.rint(x).astype(np.int64)
        opened, goal = u > 1e-5, self.up(answer.bound)
        if np.abs(x - rows).max(initial=0.0) < 1e-6 and self.offer(rows):
            return self.upper
        self.known.state(np.flatnonzero(opened))
        for near_to in (x, None):
            if self.upper > goal:
                self.fill(opened, near_to, watch)
        return self.upper

    def fill(self, opened: NDArray[np.bool_], near_to: Float64 | None, watch: Watch) -> None:
        """Take the least release that uses given instances alone, if it is cheaper.

        Where `near_to`, x per pair, puts a type into instances in whole rows, the type stays there.
        """
        base, pairs = self.model.program, self.instances.pairs
        lower, upper = base.lower.copy(), base.upper.copy()
        kept = np.concatenate((opened[self.instances.owners], opened[self.model.crowd]))
        if near_to is not None:
            rows, members = np.rint(near_to), self.instances.members
            moves = np.bincount(members[np.abs(near_to - rows) > 1e-6], minlength=self.instances.t) > 0
            stays = ~moves[members]
            lower[:pairs][stays] = upper[:pairs][stays] = rows[stays]
            kept[:pairs] &= ~stays | (rows > 0)
        columns = np.flatnonzero(kept)
        for _ in range(tuning.DEFAULT.fill_rounds):
            if watch.stopped:
                return
            answer = self.solved(*over(base, self.known.rows, columns, lower, upper), self.upper, watch)
            if answer.x is None or self.take(answer.x, columns):
                return

    def take(self, x: Float64, columns: Int64) -> bool:
        """Take the solution of an integer program over some columns, or count the rows that it breaks in.

        Return whether nothing more can be had from it: it was a release, or breaks no row.
        """
        pairs = self.instances.pairs
        every = np.zeros(len(self.model.program.cost))
        every[columns] = x
        rows: Int64 = np.rint(every[:pairs]).astype(np.int64)
        if self.offer(rows):
            return True
        held = np.bincount(self.instances.owners, weights=rows, minlength=self.instances.size) > 0
        return not self.known.broken(rows.astype(np.float64), held.astype(np.float64), EXACT, linear=False)

    # --- the integer program -------------------------------------------------------------------------------------

    def close(self, watch: Watch, leaves: int) -> None:
        """Search what costs a little more than the bound, then a little more, and so on."""
        if self.duals is not None:
            self.widen(watch)

    def within(self, part: Part, below: int) -> RequiredComponent:
        """Return what is left of the component for releases that cost less."""
        return RequiredComponent(part, self.unit, self.k, None, self.asked, below=below)

    def work_off(self, watch: Watch) -> None:
        """Find the least release of use."""
        own = tuning.DEFAULT
        self.relax(watch)
        self.dive(watch)
        if not self.closed:
            self.branch(watch, own.required_leaves, own.required_work)
        if not (self.closed or self.infeasible or watch.stopped):
            self.finish(watch)

    def program(self, upper: int, watch: Watch) -> Answer | None:
        """Return the answer of the integer program over releases that cost less; its release is taken.

        Rows that its solutions break are added until none does. None: it does not come to an end.
        """
        self.known.state(np.arange(self.instances.size))
        every = np.arange(len(self.model.program.cost))
        while not watch.stopped:
            answer = self.solved(self.model.program, self.known.rows, upper, watch)
            if answer.x is None:
                return answer
            done = self.take(answer.x, every)
            if answer.outcome is not Outcome.OPTIMAL:
                return answer
            if done:
                return answer if self.cost < upper else None
        return None


# A tree over which instances are open, under requirements; `BranchAndCut` grows it.
#
# A node is worth what its linear program says, rounded up to what a release can cost: the engine's word, in floating
# point. Rows and cuts that a point breaks join the program for good, for they hold for every release. So no release of
# a node's side costs less than the node is worth, and the least over the leaves is a bound.
NEVER = 2**62  # what a node without a release is worth


class RequiredTree(DualBound):
    """A component's linear program, with instances forced open or closed; its leaves hold a value and no prices.

    `linear` is the linear program of `known.model`. Rows of the requirements come from `known`, and cuts are added to
    its rows. `added`: the linear program's rows beside the model's, in their order.
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
                node.leaf = _value(NEVER)
                return answer
            if answer.outcome is not Outcome.OPTIMAL:
                return None
            node.bound = max(node.bound, answer.bound)
            node.leaf = _value(int(np.ceil(node.bound - 1e-6)) * self.unit)
            if node.leaf.value >= upper or turn == rounds or not self.undecided(answer).size:
                break
            if not self.cut(answer, least):
                break
        return answer

    def cut(self, answer: Answer, least: float) -> int:
        """Add cuts that the answer's point violates; return how many."""
        # they take it that every class needs k rows or none, so the suppressed class is free for them
        free, (x, u) = self.instances.free_suppression(), self.point(answer)
        found = separate(free, self.k, x, u, least=least)
        found += separate_flows(free, self.k, x, u, least=least)
        fresh = {cut.key: cut for cut in found if cut.key not in self.known}
        self.known.update(dict.fromkeys(fresh, 0))
        if fresh:
            rows = rows_for(list(fresh.values()), self.model.column)
            self.add([rows])
            self.requirements.rows.append(rows)
        return len(fresh)


def _value(value: int) -> Leaf:
    return Leaf(np.zeros(0, np.int64), {}, value)
