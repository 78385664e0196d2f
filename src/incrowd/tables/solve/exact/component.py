"""One component of a problem: its bound, its best release, and how they meet.

In the order that costs least: count (every row's cheapest instance), prices (the strong linear program, whose
duals are the best prices, with cuts; recounted in integers), dives for releases, a tree that proves in integers what
no release undercuts; where it does not end soon, the strong integer program, whose word is taken for the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.milp import Answer, Outcome, solve
from incrowd.tables.solve.exact import tuning
from incrowd.tables.solve.exact.branch_and_cut import BranchAndCut
from incrowd.tables.solve.exact.dive import dive, near
from incrowd.tables.solve.exact.proof_tree import DualBound
from incrowd.tables.solve.exact.reduced_cost_fixing import Reduced, reduce
from incrowd.tables.solve.shared.row_assignment import best_rows, cost_of, holds
from incrowd.tables.solve.shared.strong_formulation import StrongFormulation, strong
from incrowd.tables.solve.shared.time_share import TimeShare

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.solve.shared.components import Part
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Int64

__all__ = ["ComponentState", "count_bound"]

# Components with more pairs are not given to linear or integer programs.
MOST_PAIRS = 400_000


@dataclass(slots=True, eq=False)
class ComponentState:
    """What is known of a component with its hub relaxed.

    Attributes
    ----------
    part : Part
    instances : Instances
        The part's, its hub free.
    unit : int
        Costs of releases are multiples of it.
    rows : (p,) int64 or None
        The best release found, per pair of the part.
    cost : int
        Its scaled cost.
    checked : int
        Lower bound that integers alone confirm at `prices`.
    value : int
        Lower bound, a solver's word included; at least `checked`.
    prices : (t,) int64
        In `parts` of a scaled cost unit; their value, rounded up to a multiple of `unit`, is `checked` unless a
        prover has more.
    prover : DualBound or None
        Cuts and tree; its tree proves `checked` where `by_tree`.
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
        instances = part.instances.free_hub()
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
            self.take(self.prover.model, answer, watch)
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

        First over what a release a little above the bound can have (`fixing`), a little more each time it says that
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
            answer = solve(reduced.program, cutoff=limit / self.unit + 0.5, abs_gap=0.999, watch=watch)
            self.take(reduced.model, answer, watch, reduced.places)
            bound = limit + self.unit
            if answer.outcome is not Outcome.CUTOFF:
                bound = min(bound, self.engines_bound(answer))
            self.value = max(self.value, min(bound, self.cost))
            if self.closed or answer.outcome is not Outcome.CUTOFF:
                break
            step *= 3
        if not self.closed and not watch.stopped:
            self.search(watch)

    def reduced(self, most: int) -> Reduced | None:
        """Return the program over what a release of cost `most` or less can have; None where nothing says so."""
        return None if self.prover is None else reduce(self.prover, most)

    def search(self, watch: Watch) -> None:
        """Solve the integer program over all that is cheaper than the release at hand."""
        reduced = None if self.rows is None else self.reduced(self.cost - self.unit)
        model = strong(self.instances, unit=self.unit) if reduced is None else reduced.model
        cutoff = self.cost / self.unit - 0.5 if self.rows is not None else None
        program = model.program if reduced is None else reduced.program
        answer = solve(program, cutoff=cutoff, abs_gap=0.999, watch=watch)
        before = self.cost
        self.take(model, answer, watch, None if reduced is None else reduced.places)
        if answer.outcome in (Outcome.INFEASIBLE, Outcome.CUTOFF):
            self.infeasible = self.rows is None
            self.value = self.value if self.infeasible else max(self.value, self.cost)
            return
        bound = self.engines_bound(answer)
        self.value = max(self.value, min(bound, before, self.cost))

    def engines_bound(self, answer: Answer) -> int:
        """Return the bound that a program says it proved, as a cost that a release can have."""
        return int(np.ceil(answer.bound - 1e-6)) * self.unit if np.isfinite(answer.bound) else -(2**62)

    def take(self, model: StrongFormulation, answer: Answer, watch: Watch, places: Int64 | None = None) -> None:
        """Take a program's solution if no instance is undecided; `places`: of the model's pairs in the list."""
        if answer.x is None:
            return
        instances = model.instances
        x, u = answer.x[: instances.pairs], np.ones(instances.size)
        u[model.crowd] = answer.x[instances.pairs :]
        held = np.bincount(instances.owners, weights=x, minlength=instances.size)
        if ((u > 1e-5) & (u < 1 - 1e-5) & (held < instances.needs - 1e-5)).any():
            return
        rows = best_rows(instances, u > 1e-5, x, watch)
        if rows is not None and places is not None:
            found = np.zeros(self.instances.pairs, np.int64)
            found[places] = rows
            rows = found
        if rows is not None:
            self.offer(rows)


def count_bound(instances: Instances) -> Int64:
    """Return the cost of every type's cheapest instance (0 where it has none), shape (t,)."""
    begins, which, _ = instances.by_type
    least = np.zeros(instances.t, np.int64)
    some = np.flatnonzero(np.diff(begins) > 0)
    if some.size:
        least[some] = np.minimum.reduceat(instances.costs[which], begins[some])
    return least
