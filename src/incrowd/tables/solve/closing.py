"""One component of a problem: its bound, its best release, and how they meet.

In the order that costs least: count (every row's cheapest instance), prices (the strong linear program, whose
duals are the best prices, with cuts; recounted in integers), the strong integer program for the release, then a
tree that proves in integers what the program claims.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from incrowd.milp import Answer, Outcome, solve
from incrowd.tables.solve.row_assignment import assign, cost_of, holds
from incrowd.tables.solve.strong import Strong, strong
from incrowd.tables.solve.tree import Prover

if TYPE_CHECKING:
    from incrowd.tables.solve.components import Part
    from incrowd.tables.solve.instances import Instances
    from incrowd.tables.solve.prices import Float64
    from incrowd.tables.values import Int64
    from incrowd.watch import Watch

__all__ = ["Closing", "best_rows", "count_bound"]

# Components with more pairs are not given to linear or integer programs.
MOST_PAIRS = 400_000


@dataclass(slots=True, eq=False)
class Closing:
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
    prover : Prover or None
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
    nodes: int = 0
    steps: list[str] = field(default_factory=list)
    infeasible: bool = False
    prover: Prover | None = None
    by_tree: bool = False

    @classmethod
    def of(cls, part: Part, unit: int, parts: int, k: int, rows: Int64 | None) -> Closing:
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
        """Find good prices."""
        self.prover = Prover(self.instances, self.k, self.unit, self.parts)
        answer = self.prover.start(self.cost, watch)
        self.steps.append("prices")
        self.credit()
        if answer is not None and answer.outcome is Outcome.OPTIMAL:
            self.take(self.prover.model, answer, watch)

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

    def prove(self, watch: Watch, leaves: int, work: int) -> int:
        """Prove by a tree of so many leaves what only a program said; return the work it took."""
        if self.prover is None or self.rows is None or self.checked >= self.cost:
            return 0
        before = self.prover.work
        self.prover.branch(self.cost, watch, most=leaves, work=work)
        self.steps.append("tree")
        self.credit()
        return self.prover.work - before

    def finish(self, watch: Watch, seconds: float | None = None) -> None:
        """Solve the strong integer program; what it says of the bound is its word."""
        if self.instances.pairs > MOST_PAIRS:
            return
        model = strong(self.instances, unit=self.unit)
        start = model.point(self.rows) if self.rows is not None else None
        cutoff = self.cost / self.unit - 0.5 if self.rows is not None else None
        answer = solve(model.program, start=start, cutoff=cutoff, abs_gap=0.999, seconds=seconds, watch=watch)
        self.nodes += answer.nodes
        self.take(model, answer, watch)
        self.steps.append("program")
        bound = self.value
        if answer.outcome is not Outcome.CUTOFF and np.isfinite(answer.bound):
            bound = int(np.ceil(answer.bound - 1e-6)) * self.unit
        if answer.outcome in (Outcome.INFEASIBLE, Outcome.CUTOFF):
            if self.rows is None:
                self.infeasible = True
                return
            bound = self.cost
        self.value = max(self.value, min(bound, self.cost))

    def take(self, model: Strong, answer: Answer, watch: Watch) -> None:
        """Take a program's solution if its opened instances are whole."""
        if answer.x is None:
            return
        u = answer.x[self.instances.pairs :]
        if np.abs(u - np.rint(u)).max(initial=0.0) < 1e-5:
            rows = best_rows(self.instances, model, answer.x, watch)
            if rows is not None:
                self.offer(rows)


def best_rows(instances: Instances, model: Strong, x: Float64, watch: Watch) -> Int64 | None:
    """Return whole rows per pair for a solution with whole u: rounded if that is a release, else by flow."""
    rows: Int64 = np.rint(x[: instances.pairs]).astype(np.int64)
    if holds(instances, rows):
        return rows
    found = assign(instances, model.opened(x), watch)
    return None if found is None else found[0]


def count_bound(instances: Instances) -> Int64:
    """Return the cost of every type's cheapest instance (0 where it has none), shape (t,)."""
    begins, which, _ = instances.by_type
    least = np.zeros(instances.t, np.int64)
    some = np.flatnonzero(np.diff(begins) > 0)
    if some.size:
        least[some] = np.minimum.reduceat(instances.costs[which], begins[some])
    return least
