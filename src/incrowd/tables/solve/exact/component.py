"""One component of a problem: its bound, its best release, and how they meet.

In the order that costs least: count (every row's cheapest instance), prices (the strong linear program, whose
duals are the best prices, with cuts; recounted in integers), dives for releases, a tree that proves in integers what
no release undercuts; where it does not end soon, the strong integer program, whose word is taken for the rest.
"""

from __future__ import annotations

import heapq
import itertools
import math
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from incrowd.milp import Answer, Outcome, solve, stacked
from incrowd.tables.solve.bounds.cuts import rows_for
from incrowd.tables.solve.exact import tuning
from incrowd.tables.solve.exact.fixing import reduction
from incrowd.tables.solve.exact.proof_tree import DualBound, Node
from incrowd.tables.solve.shared.components import Part
from incrowd.tables.solve.shared.row_assignment import best_rows, cost_of, holds
from incrowd.tables.solve.shared.strong_formulation import StrongFormulation, strong
from incrowd.tables.solve.shared.time_limit import TimeShare

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from incrowd.milp import Program, Rows
    from incrowd.progress import Watch
    from incrowd.tables.solve.bounds.lagrangian import Float64
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Int64

# Components with more pairs are not given to linear or integer programs.
MOST_PAIRS = 400_000
MOST = int(np.iinfo(np.int64).max)


class Component:
    """What is known of a component with its suppressed class relaxed.

    Costs of releases are multiples of `unit`, and a scaled cost unit is cut into `parts` parts; `rows` is a release or
    None. Releases that do not cost less than `below` are of no use. `rows`: (p,) int64 or None, the best release found,
    per pair of the part. `cost`: its scaled cost. `checked`: lower bound that integers alone confirm at `prices`, (t,)
    int64, in parts: their value, rounded up to a multiple of `unit`, unless the tree proves it (`by_tree`). `value`: no
    release costs less than it and than `below`, a solver's word included. `infeasible`: there is no release, by such a
    word. `opened` and `more`: instances that are open in every release of use, and rows that hold for all of them. The
    integer program may take exponential time. Memory: some 200 bytes a pair of the list, beside the engine's.
    """

    whole_rows = False  # whether programs ask for whole x

    def __init__(self, part: Part, unit: int, k: int, rows: Int64 | None, *, parts: int = 1, below: int = MOST) -> None:
        self.part, self.unit, self.k, self.parts, self.below = part, unit, k, parts, below
        self.instances = self.relaxed(part.instances)
        self.rows: Int64 | None = None
        self.cost = MOST
        least = count_bound(self.instances)
        self.value = self.checked = int((least * self.instances.counts).sum())
        self.prices, self.by_tree, self.infeasible = least * parts, False, False
        self.opened: NDArray[np.bool_] | None = None
        self.more: list[Rows] = []
        self.tree: DualBound | None = None
        self.branching: BranchAndCut | None = None
        self.answer: Answer | None = None
        self.duals: Float64 | None = None
        self.added: list[Rows] = []  # rows of the linear program whose duals these are, beside the model's
        if rows is not None:
            self.offer(rows)
        if self.instances.t == 1 and self.instances.size:
            # A type alone: its cheapest instance, and nothing to decide.
            best = int(np.argmin(self.instances.costs))
            self.offer((np.arange(self.instances.pairs) == best) * self.instances.counts[0])

    def relaxed(self, instances: Instances) -> Instances:
        """Return the list with the suppressed class free."""
        return instances.free_suppression()

    @cached_property
    def model(self) -> StrongFormulation:
        """The strong program."""
        made = strong(self.instances, unit=self.unit, whole=self.whole_rows)
        return made if self.opened is None else made.with_open(self.opened)

    @property
    def upper(self) -> int:
        """What a release has to cost less than to be of use."""
        return min(self.cost, self.below)

    @property
    def closed(self) -> bool:
        """Whether the best release is known to be one of least cost, or none to be of use."""
        return self.value >= self.upper and self.upper < MOST

    @property
    def large(self) -> bool:
        """Whether there are too many pairs for programs."""
        return self.instances.pairs > MOST_PAIRS

    def up(self, bound: float) -> int:
        """Return the least cost of a release that an engine's bound allows."""
        return int(np.ceil(bound - 1e-6)) * self.unit if np.isfinite(bound) else -(2**62)

    def met(self, rows: Int64) -> bool:
        """Return whether rows per pair meet every requirement beside k."""
        return True

    def offer(self, rows: Int64) -> bool:
        """Take a release of the part if it is one and cheaper; return whether it is one."""
        if not holds(self.instances, rows) or not self.met(rows):
            return False
        cost = cost_of(self.instances, rows)
        if cost < self.cost:
            self.rows, self.cost = rows.astype(np.int64), cost
        return True

    # --- the linear program, dives and the tree ------------------------------------------------------------------

    def relax(self, watch: Watch) -> None:
        """Find good prices by the linear program, with cuts as long as they gain."""
        self.tree = DualBound(self.instances, self.k, self.unit, self.parts, model=self.model)
        answer = self.tree.start(self.cost, TimeShare.of(watch, tuning.DEFAULT.price_share))
        self.credit()
        if answer is None or answer.outcome is not Outcome.OPTIMAL or answer.duals is None:
            return
        self.answer, first = answer, len(self.model.program.rows.lower)
        used = np.flatnonzero(answer.duals[first:])
        self.duals = np.concatenate((answer.duals[:first], answer.duals[first:][used]))
        cuts = [self.tree.cuts[self.tree.inside[c]] for c in used]
        self.added = [rows_for(cuts, self.model.column)] if cuts else []

    def inside(self) -> list[Rows]:
        """Return rows beside the model's that a program near the bound starts from."""
        return self.added

    def dive(self, watch: Watch) -> None:
        """Look for releases near the linear program's value."""
        for quick in (False, True):
            if self.tree is None or self.answer is None or self.answer.x is None or self.closed or watch.stopped:
                return
            upper = self.upper if quick else min(self.upper, near(self.tree))
            deep = dive(self.tree, {}, self.answer, upper, watch, quick=quick)
            if deep is not None:
                self.found(deep, watch)

    def found(self, answer: Answer, watch: Watch) -> int:
        """Take the release of a program without undecided instances; return what others have to cost less than."""
        if answer.x is None:
            return self.upper
        J = self.instances
        x, u = self.model.read(answer.x)
        held = np.bincount(J.owners, weights=x, minlength=J.size)
        if not ((u > 1e-5) & (u < 1 - 1e-5) & (held < J.needs - 1e-5)).any():
            rows = best_rows(J, u > 1e-5, x, watch)
            if rows is not None:
                self.offer(rows)
        return self.upper

    def credit(self) -> None:
        """Take what the tree has proven."""
        assert self.tree is not None
        plain = self.tree.plain
        if plain is not None and self.tree.up(plain.value) > self.checked:
            self.checked, self.prices, self.by_tree = self.tree.up(plain.value), plain.prices, False
        value = self.tree.value()
        if value > self.checked:
            self.checked, self.by_tree = value, True
        self.value = max(self.value, self.checked)

    def branch(self, watch: Watch, leaves: int, work: int) -> int:
        """Grow the tree up to so many leaves or so much work; return the work it took."""
        if self.tree is None or self.tree.root.leaf is None or self.checked >= self.upper:
            return 0
        if self.branching is None:
            self.branching = BranchAndCut(self.tree)
        before = self.tree.work
        self.branching.grow(self.upper, watch, most=leaves, work=work, found=lambda answer: self.found(answer, watch))
        self.credit()
        return self.tree.work - before

    # --- integer programs ----------------------------------------------------------------------------------------

    def close(self, watch: Watch, leaves: int) -> None:
        """Grow the tree; then search what costs a little more than the bound, then a little more, and so on."""
        if leaves and self.rows is not None:
            own = tuning.DEFAULT
            self.branch(watch, leaves, min(own.tree_programs * self.instances.pairs, own.tree_work))
        if self.duals is None:
            self.finish(watch)
        else:
            self.widen(watch)

    def widen(self, watch: Watch) -> None:
        """Search up to limits ever further above the bound: where one holds no release the bound is above it."""
        step = max(2 * self.unit, self.value // tuning.DEFAULT.program_margin // self.unit * self.unit)
        dearest = int(self.instances.counts.sum()) * int(self.instances.costs.max(initial=0))
        while not (self.closed or self.infeasible or watch.stopped):
            limit = min(self.value + step, self.upper - self.unit, dearest)
            self.search(limit, watch)
            if self.value <= limit:
                return
            self.infeasible = self.rows is None and limit >= dearest
            step *= 3

    def search(self, limit: int, watch: Watch) -> None:
        """Look for the least release that costs at most a limit; where there is none the bound is above the limit."""
        assert self.duals is not None
        left = reduction(self.model, self.added, self.duals, limit / self.unit)
        below = limit + self.unit
        if np.unique(left.instances.members).size < left.instances.t:  # a type has nowhere to go
            self.value = max(self.value, below)
            return
        part = Part(self.part.types, self.part.places[left.places], self.part.ids[left.ids], left.instances)
        rest = self.within(part, below)
        rest.opened = left.opened
        rest.more += left.rows(self.model, self.inside())
        rest.work_off(watch)
        if rest.rows is not None:
            rows = np.zeros(self.instances.pairs, np.int64)
            rows[left.places] = rest.rows
            self.offer(rows)
        self.value = max(self.value, below if rest.infeasible else min(rest.value, below))

    def within(self, part: Part, below: int) -> Component:
        """Return what is left of the component for releases that cost less."""
        return Component(part, self.unit, self.k, None, below=below)

    def work_off(self, watch: Watch) -> None:
        """Find the least release of use."""
        self.finish(watch)

    def finish(self, watch: Watch) -> None:
        """Ask the integer program for the least release of use; what it says of the bound is its word."""
        upper = self.upper
        answer = None if self.large else self.program(upper, watch)
        if answer is None:
            return
        if answer.outcome not in (Outcome.INFEASIBLE, Outcome.CUTOFF):
            self.value = max(self.value, min(self.up(answer.bound), upper, self.cost))
        elif upper == MOST:
            self.infeasible = self.rows is None
        else:
            self.value = max(self.value, upper)

    def program(self, upper: int, watch: Watch) -> Answer | None:
        """Return the answer of the integer program over releases that cost less; its release is taken."""
        answer = self.solved(self.model.program, self.more, upper, watch)
        self.found(answer, watch)
        return answer

    def solved(self, base: Program, more: Sequence[Rows], upper: int, watch: Watch) -> Answer:
        """Return the answer of a program with more rows over releases that cost less."""
        program = replace(base, rows=stacked((base.rows, *more)))
        cutoff = None if upper == MOST else upper / self.unit - 0.5
        return solve(program, cutoff=cutoff, abs_gap=0.999, watch=watch)


def count_bound(instances: Instances) -> Int64:
    """Return the cost of every type's cheapest instance (0 where it has none), shape (t,)."""
    begins, which, _ = instances.by_type
    least = np.zeros(instances.t, np.int64)
    some = np.flatnonzero(np.diff(begins) > 0)
    if some.size:
        least[some] = np.minimum.reduceat(instances.costs[which], begins[some])
    return least


# Branch and cut over one component: the tree grows best first until its least leaf meets the release at hand.
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


# Releases from a linear program: open the instance that is most nearly open, solve again, and so on down.
def beyond(prover: DualBound, answer: Answer, upper: int) -> bool:
    """Return whether an answer leaves no release below `upper`, as far as its float can be believed.

    The prover knows the certified bound, the answer is that of a linear program, and `upper` is a scaled cost.
    """
    if answer.outcome is not Outcome.OPTIMAL:
        return True
    return math.ceil(answer.bound - 1e-6) * prover.unit >= upper


def near(prover: DualBound) -> int:
    """Return a cost a little above the bound: dives that keep below it fail early, or end well.

    The bound is the certified one, which the prover knows.
    """
    bound = max(prover.value(), 0)
    return bound + 3 * prover.unit + bound // tuning.DEFAULT.dive_margin // prover.unit * prover.unit


def dive(
    prover: DualBound, state: Mapping[int, int], answer: Answer, upper: int, watch: Watch, *, quick: bool = False
) -> Answer | None:
    """Return an answer below a node in which no instance is undecided, or None.

    `state` holds the instances open (1) or closed (-1) at the node, and `answer` is the node's. `upper` is the scaled
    cost that a release has to be below. `quick` opens many at once: all that are nearly open, and a quarter of the
    undecided ones at least. An instance that cannot be opened is closed; when that is too dear as well, the dive ends.
    One that would take too many linear programs does not begin.
    """
    here = dict(state)
    own = tuning.DEFAULT
    steps = max(min(own.small_dive_depth, own.dive_work // max(prover.instances.pairs, 1)), own.large_dive_depth)
    if not quick and prover.undecided(answer).size > steps:
        return None
    several = prover.instances.size if quick else 1
    for _ in range(2 * steps):
        undecided = prover.undecided(answer)
        if not undecided.size:
            return answer
        u = prover.point(answer)[1][undecided]
        order = undecided[np.argsort(-u, kind="stable")]
        several = max(1, min(several, max(order.size // own.dive_divisor, int((u > own.dive_openness).sum()))))
        tries = [{int(g): 1 for g in order[:several]}, {int(order[0]): -1}]
        if several > 1:
            tries.insert(1, {int(order[0]): 1})
        for decided in tries:
            if watch.stopped:
                return None
            found = prover.solve({**here, **decided}, watch)
            if not beyond(prover, found, upper):
                break
            several = several // 2
        else:
            return None
        here.update(decided)
        answer = found
    return None
