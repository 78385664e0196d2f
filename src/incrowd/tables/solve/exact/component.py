"""One component of a problem: its bound, its best release, and how they meet.

In the order that costs least: count (every row's cheapest instance), prices (the strong linear program, whose
duals are the best prices, with cuts; recounted in integers), dives for releases, a tree that proves in integers what
no release undercuts; where it does not end soon, the strong integer program, whose word is taken for the rest.
"""

from __future__ import annotations

import dataclasses
import heapq
import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.milp import Answer, Outcome, Program, solve, stacked
from incrowd.tables.solve.bounds.cuts import rows_for
from incrowd.tables.solve.exact import tuning
from incrowd.tables.solve.exact.fixing import reduction
from incrowd.tables.solve.exact.proof_tree import DualBound, Node
from incrowd.tables.solve.shared.row_assignment import best_rows, cost_of, holds
from incrowd.tables.solve.shared.strong_formulation import StrongFormulation, strong
from incrowd.tables.solve.shared.time_limit import TimeShare

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from incrowd.progress import Watch
    from incrowd.tables.solve.shared.components import Part
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Int64

# Components with more pairs are not given to linear or integer programs.
MOST_PAIRS = 400_000


@dataclass(slots=True, eq=False)
class ComponentState:
    """What is known of a component with its suppressed class relaxed.

    `instances`: the part's, its suppressed class free. `unit`: costs of releases are multiples of it. `rows`: (p,)
    int64 or None, the best release found, per pair of the part. `cost`: its scaled cost. `checked`: lower bound that
    integers alone confirm at `prices`. `value`: lower bound, a solver's word included; at least `checked`. `prices`:
    (t,) int64, in `parts` of a scaled cost unit; their value, rounded up to a multiple of `unit`, is `checked` unless a
    prover has more. `prover`: cuts and tree; its tree proves `checked` where `by_tree`.
    """

    part: Part
    instances: Instances
    unit: int
    parts: int
    rows: Int64 | None
    cost: int
    checked: int
    value: int
    prices: Int64
    k: int = 1
    infeasible: bool = False
    prover: DualBound | None = None
    branching: BranchAndCut | None = None
    by_tree: bool = False

    @classmethod
    def of(cls, part: Part, unit: int, parts: int, k: int, rows: Int64 | None) -> ComponentState:
        """Start with the counting bound and perhaps a release."""
        instances = part.instances.free_suppression()
        least = count_bound(instances)
        value = int((least * instances.counts).sum())
        whole = least * parts
        cost = cost_of(instances, rows) if rows is not None else np.iinfo(np.int64).max
        made = cls(part, instances, unit, parts, rows, cost, value, value, whole, k)
        if instances.t == 1 and instances.size:
            # A type alone: its cheapest instance, and nothing to decide.
            best = int(np.argmin(instances.costs))
            made.offer((np.arange(instances.pairs) == best) * instances.counts[0])
        return made

    @property
    def closed(self) -> bool:
        """Whether the best release is known to be one of least cost."""
        return self.rows is not None and self.value >= self.cost

    def offer(self, rows: Int64) -> None:
        """Take a release of the part if it is one and cheaper."""
        if holds(self.instances, rows):
            cost = cost_of(self.instances, rows)
            if cost < self.cost:
                self.rows, self.cost = rows.astype(np.int64), cost

    def price(self, watch: Watch) -> None:
        """Find good prices, and releases near them."""
        self.prover = DualBound(self.instances, self.k, self.unit, self.parts)
        answer = self.prover.start(self.cost, TimeShare.of(watch, tuning.DEFAULT.price_share))
        self.credit()
        if answer is None or answer.outcome is not Outcome.OPTIMAL:
            return
        for quick, upper in ((False, min(self.cost, near(self.prover))), (True, self.cost)):
            if not self.closed:
                deep = dive(self.prover, {}, answer, upper, watch, quick=quick)
                if deep is not None:
                    self.found(deep, watch)

    def found(self, answer: Answer, watch: Watch) -> int:
        """Take the release of a linear program without undecided instances; return the least cost known."""
        if self.prover is not None:
            self.take(self.prover.model, answer, watch, np.arange(self.instances.pairs))
        return self.cost

    def credit(self) -> None:
        """Take what the prover has proven."""
        if self.prover is None:
            return
        plain = self.prover.plain
        if plain is not None and self.prover.up(plain.value) > self.checked:
            self.checked, self.prices, self.by_tree = self.prover.up(plain.value), plain.prices, False
        value = self.prover.value()
        if value > self.checked:
            self.checked, self.by_tree = value, True
        self.value = max(self.value, self.checked)

    def branch(self, watch: Watch, leaves: int, work: int) -> int:
        """Grow the tree up to so many leaves or so much work; return the work it took."""
        if self.prover is None or self.prover.root.leaf is None or self.checked >= self.cost:
            return 0
        if self.branching is None:
            self.branching = BranchAndCut(self.prover)
        before = self.prover.work
        self.branching.grow(self.cost, watch, most=leaves, work=work, found=lambda answer: self.found(answer, watch))
        self.credit()
        return self.prover.work - before

    def finish(self, watch: Watch) -> None:
        """Solve the strong integer program; what it says of the bound is its word.

        First over what a release a little above the bound can have (`reduction`), a little more each time it says that
        there is none; then over everything cheaper than the release at hand.
        """
        if self.instances.pairs > MOST_PAIRS:
            return
        step = max(2 * self.unit, self.value // tuning.DEFAULT.program_margin // self.unit * self.unit)
        for _ in range(tuning.DEFAULT.program_tries):
            limit = self.value + step
            reduced = None if limit >= self.cost else self.reduced(limit)
            if reduced is None:
                break
            model, program, places = reduced
            answer = solve(program, cutoff=limit / self.unit + 0.5, abs_gap=0.999, watch=watch)
            self.take(model, answer, watch, places)
            bound = limit + self.unit
            if answer.outcome is not Outcome.CUTOFF:
                bound = min(bound, self.engines_bound(answer))
            self.value = max(self.value, min(bound, self.cost))
            if self.closed or answer.outcome is not Outcome.CUTOFF:
                break
            step *= 3
        if not self.closed and not watch.stopped:
            self.search(watch)

    def reduced(self, most: int) -> tuple[StrongFormulation, Program, Int64] | None:
        """Return what a release of cost `most` or less can have, with the places of its pairs; None without prices.

        The program is the strong one with the cuts and open instances that the prover's root knows.
        """
        prover = self.prover
        leaf = None if prover is None else prover.root.leaf
        if prover is None or leaf is None:
            return None
        whole, scale, used = prover.model, float(prover.parts * prover.unit), sorted(leaf.weights)
        duals = np.zeros(len(whole.program.rows.lower) + len(used))
        duals[: prover.instances.t] = leaf.prices / scale
        duals[len(whole.program.rows.lower) :] = [-leaf.weights[c] / scale for c in used]
        cuts = [rows_for([prover.cuts[c] for c in used], whole.column)] if used else []
        left = reduction(whole, cuts, duals, most / self.unit)
        model = strong(left.instances, unit=self.unit).with_open(left.opened)
        rows = stacked((model.program.rows, *left.rows(whole, cuts)))
        return model, dataclasses.replace(model.program, rows=rows), left.places

    def search(self, watch: Watch) -> None:
        """Solve the integer program over all that is cheaper than the release at hand."""
        reduced = None if self.rows is None else self.reduced(self.cost - self.unit)
        if reduced is None:
            every = strong(self.instances, unit=self.unit)
            reduced = every, every.program, np.arange(self.instances.pairs)
        model, program, places = reduced
        cutoff = self.cost / self.unit - 0.5 if self.rows is not None else None
        answer = solve(program, cutoff=cutoff, abs_gap=0.999, watch=watch)
        before = self.cost
        self.take(model, answer, watch, places)
        if answer.outcome in (Outcome.INFEASIBLE, Outcome.CUTOFF):
            self.infeasible = self.rows is None
            self.value = self.value if self.infeasible else max(self.value, self.cost)
            return
        bound = self.engines_bound(answer)
        self.value = max(self.value, min(bound, before, self.cost))

    def engines_bound(self, answer: Answer) -> int:
        """Return the bound that a program says it proved, as a cost that a release can have."""
        return int(np.ceil(answer.bound - 1e-6)) * self.unit if np.isfinite(answer.bound) else -(2**62)

    def take(self, model: StrongFormulation, answer: Answer, watch: Watch, places: Int64) -> None:
        """Take a program's solution if no instance is undecided; `places`: of the model's pairs in the list."""
        if answer.x is None:
            return
        instances = model.instances
        x, u = model.read(answer.x)
        held = np.bincount(instances.owners, weights=x, minlength=instances.size)
        if ((u > 1e-5) & (u < 1 - 1e-5) & (held < instances.needs - 1e-5)).any():
            return
        rows = best_rows(instances, u > 1e-5, x, watch)
        if rows is not None:
            found = np.zeros(self.instances.pairs, np.int64)
            found[places] = rows
            self.offer(found)


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
