"""One component under requirements: a linear program with cuts, what it leaves out, and an integer program.

The rows of the requirements are many; only those that a point breaks are in the programs (`separation`), which lowers
nothing that they prove: a program with fewer rows is a relaxation. The suppressed class, which links components, is
taken as free and not judged, but where the part is the whole problem. The cuts T, C, S and F count rows and hold for
every release of k alone, so for these too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.milp import Answer, Linear, Outcome, solve
from incrowd.tables.solve.bounds.cuts import rows_for, separate, separate_flows
from incrowd.tables.solve.exact import tuning
from incrowd.tables.solve.exact.component import BranchAndCut, count_bound, dive, near
from incrowd.tables.solve.exact.fixing import reduction
from incrowd.tables.solve.exact.proof_tree import DualBound, Leaf
from incrowd.tables.solve.exact.under_requirements.known_rows import (
    KnownRows,
    columns_up_to,
    over,
    up_to,
)
from incrowd.tables.solve.shared.components import Part
from incrowd.tables.solve.shared.row_assignment import cost_of, holds
from incrowd.tables.solve.shared.strong_formulation import strong

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from incrowd.milp import Rows
    from incrowd.progress import Watch
    from incrowd.tables.count_rules import CountRule
    from incrowd.tables.solve.bounds.lagrangian import Float64
    from incrowd.tables.solve.exact.proof_tree import Node
    from incrowd.tables.values import Int64

MOST = int(np.iinfo(np.int64).max)
EXACT = 1e-6  # by which whole classes may seem to break a row in floating point


class RequiredComponent:
    """What is known of a component with its suppressed class free and not judged.

    `kinds`, (t,), is the combination of sensitive values of the part's types, and all `rules` are exact. `met` decides
    exactly whether whole rows per pair of the part, shape (p,), meet every requirement outside the suppressed class.
    Costs of releases are multiples of `unit`, and `rows` is a release or None. `whole` says that the part is the whole
    problem: then its suppressed class needs at least one row, and is judged. Releases that do not cost less than
    `below` are of no use. `rows`: (p,) int64 or None, the best release found. `cost`: its
    scaled cost. `value`: no release costs less than it and than `below`, by the word of linear and integer programs.
    `infeasible`: whether there is no release, by their word. The integer program may take exponential time. Memory:
    some 200 bytes a pair of the list, beside the engine's.
    """

    def __init__(
        self,
        part: Part,
        kinds: NDArray[np.integer],
        rules: tuple[CountRule, ...],
        met: Callable[[Part, Int64], bool],
        unit: int,
        k: int,
        rows: Int64 | None,
        *,
        whole: bool = False,
        below: int = MOST,
    ) -> None:
        self.part, self.rules, self.met, self.unit, self.k, self.whole = part, rules, met, unit, k, whole
        self.kinds, self.below = kinds, below
        self.instances = part.instances if whole else part.instances.free_suppression()
        self.codes = [rule.code[kinds[self.instances.members]] for rule in rules]
        self.rows: Int64 | None = None
        self.cost = MOST
        self.model = strong(self.instances, unit=unit, whole=True)
        self.value = int((count_bound(self.instances) * self.instances.counts).sum())
        self.infeasible = False
        judged = self.instances.needs > 0
        if not whole and self.instances.suppressed >= 0:
            judged[self.instances.suppressed] = False
        self.known = KnownRows(self.model, rules, self.codes, judged)
        self.answer: Answer | None = None
        self.added: list[Rows] = []  # rows of the linear program that gave `answer`, beside the model's
        self.inside: list[Rows] = []  # the same by now
        self.tree: RequiredTree | None = None
        if rows is not None:
            self.offer(rows)
        if self.instances.size == 1 and self.instances.suppressed == 0:
            self.offer(self.instances.counts[self.instances.members])

    @property
    def closed(self) -> bool:
        """Whether the best release is known to be one of least cost, or none to be of use."""
        return self.value >= self.upper and self.upper < MOST

    @property
    def upper(self) -> int:
        """What a release has to cost less than to be of use."""
        return min(self.cost, self.below)

    def offer(self, rows: Int64) -> bool:
        """Take a release if it is one and cheaper; return whether it is one."""
        if not holds(self.instances, rows) or not self.met(self.part, rows):
            return False
        cost = cost_of(self.instances, rows)
        if cost < self.cost:
            self.rows, self.cost = rows.astype(np.int64), cost
        return True

    # --- the linear program --------------------------------------------------------------------------------------

    def relax(self, watch: Watch) -> None:
        """Solve the linear program, adding broken rows and cuts until they gain little."""
        own = tuning.DEFAULT
        tree = self.tree = RequiredTree(Linear(self.model.program), self.known, self.k)
        tree.add(self.known.rows)
        self.inside = tree.added
        before, idle = -np.inf, 0
        while not watch.stopped:
            answer = tree.linear.solve(watch)
            self.infeasible = answer.outcome is Outcome.INFEASIBLE
            if answer.outcome is not Outcome.OPTIMAL or answer.x is None:
                return
            self.answer, self.added = answer, list(tree.added)
            self.value = max(self.value, self.up(answer.bound))
            if self.closed:
                return
            rows = self.known.broken(*self.model.read(answer.x), own.rule_violation)
            idle = idle + 1 if answer.bound < before + own.least_gain else 0
            before = answer.bound
            tree.add(rows)
            cuts = tree.cut(answer, own.root_violation) if not rows or idle >= 2 else 0
            if not (rows or cuts) or idle >= own.idle_rounds:
                return

    def up(self, bound: float) -> int:
        """Return the least cost of a release that an engine's bound allows."""
        return int(np.ceil(bound - 1e-6)) * self.unit if np.isfinite(bound) else -(2**62)

    # --- the tree ------------------------------------------------------------------------------------------------

    def branch(self, watch: Watch, leaves: int) -> None:
        """Look for releases near the linear program's value, then branch on which instances are open.

        The tree has at most `leaves` leaves; 1 means no tree.
        """
        own = tuning.DEFAULT
        tree, self.tree = self.tree, None
        if tree is None or self.answer is None or self.closed:
            return
        answer = tree.settle(tree.root, self.upper, watch, 0, own.node_violation)
        if answer is None or answer.outcome is not Outcome.OPTIMAL:
            return
        for quick in (False, True):
            if not (self.closed or watch.stopped):
                upper = self.upper if quick else min(self.upper, near(tree))
                deep = dive(tree, {}, answer, upper, watch, quick=quick)
                if deep is not None:
                    self.found(deep, watch)
        if not self.closed:
            BranchAndCut(tree).grow(
                self.upper, watch, most=leaves, work=own.required_work, found=lambda answer: self.found(answer, watch)
            )
            self.infeasible = self.rows is None and tree.value() >= NEVER
            self.value = max(self.value, min(tree.value(), self.upper))

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
            program = over(base, self.known.rows, columns, lower, upper)
            cutoff = None if self.upper == MOST else self.upper / self.unit - 0.5
            answer = solve(program, cutoff=cutoff, abs_gap=0.999, watch=watch)
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

    def close(self, watch: Watch) -> None:
        """Search what costs a little more than the bound, then a little more, and so on.

        A search up to a limit finds no release, which raises the bound above the limit, or the least one.
        """
        if self.answer is None or self.answer.duals is None:
            return
        self.branch(watch, 1)
        step = tuning.DEFAULT.first_step * self.unit
        dearest = int(self.instances.counts.sum()) * int(np.ceil(self.model.program.cost.max(initial=0))) * self.unit
        while not (self.closed or self.infeasible or watch.stopped):
            limit = min(self.value + step, self.upper - self.unit, dearest)
            self.search(limit, watch)
            if self.value <= limit:
                return
            self.infeasible = self.rows is None and limit >= dearest
            step *= 2

    def search(self, limit: int, watch: Watch) -> None:
        """Look for the least release that costs at most a limit; where there is none the bound is above the limit."""
        assert self.answer is not None and self.answer.duals is not None
        left = reduction(self.model, self.added, self.answer.duals, limit / self.unit)
        part = Part(self.part.types, self.part.places[left.places], self.part.ids[left.ids], left.instances)
        below = limit + self.unit
        if np.unique(left.instances.members).size < left.instances.t:  # a type has nowhere to go
            self.value = max(self.value, below)
            return
        rest = RequiredComponent(
            part, self.kinds, self.rules, self.met, self.unit, self.k, None, whole=self.whole, below=below,
        )  # fmt: skip
        rest.model = rest.model.with_open(left.opened)
        rest.known.rows += left.rows(self.model, self.inside)
        rest.relax(watch)
        rest.branch(watch, tuning.DEFAULT.required_leaves)
        if not (rest.closed or rest.infeasible or watch.stopped):
            rest.finish(watch)
        if rest.rows is not None:
            rows = np.zeros(self.instances.pairs, np.int64)
            rows[left.places] = rest.rows
            self.offer(rows)
        self.value = max(self.value, below if rest.infeasible else min(rest.value, below))

    def finish(self, watch: Watch) -> None:
        """Ask the integer program for the least release of use."""
        limit = self.upper - self.unit
        answer = self.program(limit, watch)
        if answer is None:
            return
        if answer.outcome in (Outcome.INFEASIBLE, Outcome.CUTOFF):
            self.value = limit + self.unit
        else:
            self.value = max(self.value, min(self.up(answer.bound), limit + self.unit, self.cost))

    def program(self, limit: int, watch: Watch) -> Answer | None:
        """Return the answer of the integer program over releases up to a limit; its release is taken.

        Rows that its solutions break are added until none does. None: it does not come to an end.
        """
        if self.answer is None or self.answer.reduced is None:
            return None
        columns = columns_up_to(self.answer, limit / self.unit)
        self.known.state(np.unique(self.instances.owners[columns[columns < self.instances.pairs]]))
        while not watch.stopped:
            program, kept = up_to(self.model, self.known.rows, self.answer, limit / self.unit)
            answer = solve(program, abs_gap=0.999, watch=watch)
            if answer.x is None:
                return answer
            done = self.take(answer.x, kept)
            if answer.outcome is not Outcome.OPTIMAL:
                return answer
            if done:
                return answer if self.cost <= limit else None
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
