"""The least release, proven: reductions, components, prices, and an integer program where prices leave a gap."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import Infeasible, PolicyError, about
from incrowd.milp import Outcome, solve
from incrowd.tables.solve.bounds import lagrangian
from incrowd.tables.solve.bounds import tuning as bound_tuning
from incrowd.tables.solve.bounds.certificate import NAME, VERSION, by_prices, written_cut
from incrowd.tables.solve.bounds.column_generation import Pricing
from incrowd.tables.solve.exact import tuning
from incrowd.tables.solve.exact.component import MOST_PAIRS, ComponentState
from incrowd.tables.solve.exact.fixing import without
from incrowd.tables.solve.exact.under_requirements import solver as required
from incrowd.tables.solve.exact.under_requirements.solver import reason_against
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.mishap import release_kept
from incrowd.tables.solve.shared.components import labels, split
from incrowd.tables.solve.shared.instances import MOST_PAIRS as MOST_LISTED
from incrowd.tables.solve.shared.instances import Instances, TooManyInstances, common_step, list_instances
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.row_assignment import best_rows, cost_of, holds, rows_in, to_plan
from incrowd.tables.solve.shared.status import ended, head
from incrowd.tables.solve.shared.strong_formulation import strong
from incrowd.tables.values import Bound, Plan, Problem, Solution

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from incrowd.progress import Watch
    from incrowd.tables.solve.exact.proof_tree import Node
    from incrowd.tables.values import Int32, Int64

LEAVES = 400
PROOF_WORK = 20_000_000


@dataclass(frozen=True, kw_only=True)
class Exact:
    """The optimum of pattern-guided k-anonymity, with its proof; anytime.

    Parameters
    ----------
    gap : float, default 0.0
        Relative distance of cost and bound at which to stop, at least 0.
    leaves : int, default 400
        Leaves of the tree that proves a component's bound without a solver's word, at most; 0: no trees.
    certificate : bool, default False
        Whether a certificate is wanted: then what only an integer program said is proven by trees too, if it can be.
    proof_work : int, default 20,000,000
        Work that this may take, at most: pairs times linear programs.
    most_pairs : int
        Pairs (row type, instance) that may be listed, at least 1.

    Notes
    -----
    NP-hard for k >= 3 (Theorem 1): the time is not bounded by a polynomial. Memory: some 100 bytes per pair of a
    row type with an undominated instance that k rows share.

    Order of work: greedy release; kept instances; the suppressed class relaxed and the types taken apart; per component
    the counting bound, the prices of the strong linear program with cuts, dives for releases, branch and cut; where
    that does not end soon, the strong integer program over what is left of the component; the suppressed class's own
    crowd.

    References
    ----------
    .. [1] R. Bredereck, A. Nichterlein, R. Niedermeier, "Pattern-Guided k-Anonymity", Algorithms 2013, 6(4),
       Section 2.2 (the integer program this one is made from).
    """

    gap: float = 0.0
    leaves: int = LEAVES
    certificate: bool = False
    proof_work: int = PROOF_WORK
    most_pairs: int = MOST_LISTED
    name: str = field(default="exact", init=False)
    cites = ("BredereckNichterleinNiedermeier2013",)
    summary: str = field(default="the optimum with its proof, component by component; NP-hard", init=False)

    def __post_init__(self) -> None:
        if not self.gap >= 0:
            raise PolicyError(f"gap must be at least 0, not {self.gap}")
        if self.leaves < 0:
            raise PolicyError(f"leaves must be at least 0, not {self.leaves}")
        if self.most_pairs < 1:
            raise PolicyError(f"most_pairs must be at least 1, not {self.most_pairs}")

    def declines(self, problem: Problem) -> str | None:
        """Return why the solver will not start: requirements without linear rows, or too many instances to list."""
        reason = reason_against(problem)
        if reason is not None:
            return reason
        return too_many(problem, self.most_pairs)

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return the least release found with its bound.

        Infeasible is raised if there is no release, or none was found in time.
        """
        if problem.requirements:
            return self.go_on(problem, watch, None)
        return Search(self, problem, watch).run()

    def go_on(self, problem: Problem, watch: Watch, first: Solution | None) -> Solution:
        """Return the least release found under requirements, from a given one on (None: the greedy's)."""
        search = required.Search(
            problem, watch, most_pairs=self.most_pairs, gap=self.gap, name=self.name, first=first
        )  # fmt: skip
        return search.run()


def too_many(problem: Problem, most: int) -> str | None:
    """Return why a problem's instances cannot be listed, with the estimate, or None."""
    patterns, t = problem.patterns.count(), problem.types.t
    if patterns * t <= max(tuning.DEFAULT.listing_visits, most):
        return None
    return (
        f"{about(patterns)} patterns times {t} row types are up to {about(patterns * t)} pairs to list, more than "
        f"{about(most)}; "
        "allow fewer patterns (for example fewer stars) or take another solver"
    )


class Search:
    """One run of `Exact`: the state between its steps."""

    def __init__(self, options: Exact, problem: Problem, watch: Watch) -> None:
        self.options = options
        self.problem = problem
        self.watch = watch
        self.begun = time.perf_counter()
        self.plan: Plan | None = None
        self.cost = np.iinfo(np.int64).max
        self.bound = Bound(0, 0, "none")
        self.closings: list[ComponentState] = []
        self.label: np.ndarray[tuple[int, ...], np.dtype[np.int32]] | None = None
        self.notes: list[str] = []
        self.pricing: Pricing | None = None
        self.first: Solution | None = None

    def run(self) -> Solution:
        """Do all the steps."""
        problem, watch = self.problem, self.watch
        try:
            self.first = Greedy().solve(problem, watch)
            self.plan, self.bound = self.first.plan, self.first.bound
            self.cost = self.plan.cost(problem)
        except Infeasible as error:
            if error.proven:
                raise
        with release_kept(watch, lambda: self.plan is not None):
            self.search()
        return self.solution()

    def search(self) -> None:
        """List the instances, take them apart and close one component after another."""
        problem, watch = self.problem, self.watch
        if self.done():
            return
        encoded = encode(problem)
        try:
            instances = list_instances(problem, encoded, watch=watch, most_pairs=self.options.most_pairs)
        except TooManyInstances as error:
            self.notes.append(f"about {error.estimate} pairs of row types and instances are too many to list")
            return
        self.report()
        self.split(instances, None if self.plan is None else rows_in(problem, encoded, instances, self.plan))
        if self.plan is not None and any(c.instances.pairs > MOST_PAIRS for c in self.closings):
            # Too large for programs: prices over the whole lattice are better than over a list.
            self.pricing = Pricing(problem, encoded, self.plan, self.bound)
            self.pricing.settle(watch, bound_tuning.DEFAULT.release_rounds)
            self.bound = self.pricing.bound
        for closing in self.closings:
            if self.done():
                break
            if not closing.closed and closing.instances.pairs <= MOST_PAIRS:
                closing.price(watch)
        self.collect(instances)
        for closing in sorted(self.closings, key=lambda c: c.instances.pairs):
            if self.done():
                break
            if closing.closed:
                continue
            if self.options.leaves and closing.rows is not None:
                own = tuning.DEFAULT
                work = min(own.tree_programs * closing.instances.pairs, own.tree_work)
                closing.branch(watch, self.options.leaves, work)
            if not closing.closed:
                closing.finish(watch)
            if closing.infeasible:
                raise self.hopeless()
            self.collect(instances, quick=True)
        self.collect(instances)
        left = self.options.proof_work if self.options.certificate else 0
        for closing in sorted(self.closings, key=lambda c: c.instances.pairs):
            if self.watch.stopped:
                break
            if left > 0 and self.options.leaves:
                left -= closing.branch(watch, self.options.leaves, left)
        self.collect(instances, quick=True)

    def split(self, instances: Instances, rows: Int64 | None) -> None:
        """Split the list into components, each with its share of the release at hand."""
        unit = common_step([level.cost for level in self.problem.levels])
        parts = lagrangian.grain(instances.costs, instances.counts)
        self.label = labels(instances)
        self.closings = [
            ComponentState.of(part, unit, parts, self.problem.k, None if rows is None else rows[part.places])
            for part in split(instances, self.label)
        ]

    def collect(self, instances: Instances, *, quick: bool = False) -> None:
        """Add up the components: bound, and release if there is one for each."""
        value = sum(c.value for c in self.closings)
        checked = sum(c.checked for c in self.closings)
        if value > self.bound.value or checked > self.bound.checked:
            method = "prices per row type" if checked >= value else "prices per row type, integer programs"
            self.bound = Bound(max(value, self.bound.value), max(checked, self.bound.checked), method)
        if not quick and all(c.rows is not None for c in self.closings):
            self.join(instances)
        self.report()

    def join(self, instances: Instances) -> None:
        """Make a release of the components' releases, and see to the suppressed class's crowd."""
        rows = np.zeros(instances.pairs, np.int64)
        for closing in self.closings:
            assert closing.rows is not None
            rows[closing.part.places] = closing.rows
        need = int(instances.needs[instances.suppressed]) if instances.suppressed >= 0 else 0
        if 0 < int(rows[instances.owners == instances.suppressed].sum()) < need:
            kinds = np.zeros(instances.t, np.int64)
            filled = required.with_suppression_filled(instances, rows, kinds, (), need, self.watch)
            if filled is not None:
                self.offer(instances, filled)
            if all(c.closed for c in self.closings) and self.cost > self.bound.value and not self.watch.stopped:
                self.decide_suppressed(instances, need)
            return
        self.offer(instances, rows)

    def decide_suppressed(self, instances: Instances, need: int) -> None:
        """Decide exactly between a closed suppressed class and one with its crowd, `need` rows.

        Every component was solved as if the class needed none, and what they put there together is too little. One
        integer program over what a release that costs less can have: in each component no more than its bound and what
        cost and bound of all are apart.
        """
        self.notes.append(f"fewer than {need} fully suppressed rows in the relaxation, decided exactly")
        unit, value = self.closings[0].unit, sum(c.value for c in self.closings)
        limit = int(instances.counts.sum()) * int(instances.costs.max())
        limit = limit if self.plan is None else int(self.cost) - unit
        left = np.zeros(instances.pairs, np.bool_)
        for closing in self.closings:
            reduced = closing.reduced(closing.value + limit - value)
            left[closing.part.places[slice(None) if reduced is None else reduced[2]]] = True
        rest, _, places = without(instances, np.zeros(instances.size, np.bool_), ~left)
        model = strong(rest, unit=unit)
        answer = solve(model.program, cutoff=limit / unit + 0.5, abs_gap=0.999, watch=self.watch)
        none = answer.outcome in (Outcome.INFEASIBLE, Outcome.CUTOFF)
        if none and self.plan is None:
            raise self.hopeless()
        if answer.x is not None:
            found = best_rows(rest, model.opened(answer.x), answer.x[: rest.pairs], self.watch)
            if found is not None:
                rows = np.zeros(instances.pairs, np.int64)
                rows[places] = found
                self.offer(instances, rows)
        bound = int(self.cost) if none else self.closings[0].engines_bound(answer)
        if bound > self.bound.value:
            value = min(bound, int(self.cost))
            self.bound = Bound(value, self.bound.checked, "prices per row type, integer programs")

    def offer(self, instances: Instances, rows: Int64) -> None:
        """Take a release if it is one and cheaper."""
        if not holds(instances, rows):
            return
        cost = cost_of(instances, rows)
        if cost < self.cost:
            self.plan, self.cost = to_plan(self.problem, instances, rows), cost

    def done(self) -> bool:
        """Whether to stop: out of time, or close enough."""
        return self.watch.stopped or self.cost - self.bound.value <= self.options.gap * self.bound.value

    def report(self) -> None:
        """Tell the watch where the search stands."""
        self.watch.report(
            "solve",
            cost=None if self.plan is None else self.cost,
            lower_bound=self.bound.value,
            components_open=sum(not c.closed for c in self.closings),
        )

    def hopeless(self) -> Infeasible:
        """Return the error that says there is no release, by an integer program's word."""
        return Infeasible(
            f"no release meets k={self.problem.k} under this mask, by the word of an integer program; "
            "allow full suppression, allow more patterns or lower k",
            requirement=f"k={self.problem.k}",
            proven=False,
        )

    def solution(self) -> Solution:
        """Return the result with an honest status."""
        if self.plan is None:
            raise Infeasible(
                f"no release with k={self.problem.k} was found in time; allow full suppression, give more time "
                "or lower k",
                requirement=f"k={self.problem.k}",
                proven=False,
            )
        status = ended(self.cost, self.bound.value, self.watch, gap=self.options.gap)
        left = sum(c.instances.pairs > MOST_PAIRS and not c.closed for c in self.closings)
        if left and status == "heuristic":
            self.notes.append(f"{left} of {len(self.closings)} components are too large for an integer program")
        seconds = {"solve": time.perf_counter() - self.begun}
        return Solution(
            self.plan, self.bound, status, self.options.name, seconds, tuple(self.notes), self.certificate()
        )

    def certificate(self) -> Mapping[str, Any] | None:
        """Return what the checked part of the bound rests on."""
        problem, cost = self.problem, int(self.cost)
        if self.label is not None and sum(c.checked for c in self.closings) >= self.bound.checked:
            return by_components(problem, cost, self.bound, self.label, self.closings)
        if self.first is not None and self.first.bound == self.bound:
            return self.first.certificate
        if self.pricing is not None:
            return by_prices(problem, cost, self.bound, self.pricing.whole, self.pricing.parts)
        return None


# The certificate of a bound summed over components, some of them with a tree.
#
# Its format is that of `incrowd.tables.solve.bounds.certificate`.
def by_components(
    problem: Problem, cost: int, bound: Bound, label: Int32, closings: Sequence[ComponentState]
) -> dict[str, Any]:
    """Return the certificate of a bound summed over components.

    `label` is (t,) int32, and `closings` come in the order of the labels.
    """
    prices = np.zeros(problem.types.t, np.int64)
    trees = []
    for number, closing in enumerate(closings):
        own = closing.prices
        if closing.by_tree and closing.prover is not None:
            root = closing.prover.root.leaf
            own = closing.prices if root is None else root.prices
            trees.append(_tree(number, closing, own))
        prices[closing.part.types] = own
    return {
        **head(problem, cost, bound, NAME, VERSION),
        "parts": closings[0].parts,
        "components": label.tolist(),
        "prices": prices.tolist(),
        "trees": trees,
    }


def _tree(number: int, closing: ComponentState, base: Int64) -> dict[str, Any]:
    assert closing.prover is not None
    prover = closing.prover
    used_cuts: dict[int, int] = {}
    used: dict[int, int] = {}

    def instance(g: int) -> int:
        return used.setdefault(g, len(used))

    def node(at: Node) -> dict[str, Any]:
        inner = at.closed is not None and at.opened is not None
        if inner and (at.leaf is None or prover.least(at) > prover.up(at.leaf.value)):
            assert at.closed is not None
            assert at.opened is not None
            return {"instance": instance(at.branch), "closed": node(at.closed), "open": node(at.opened)}
        if at.leaf is None:
            return {"prices": [], "weights": []}
        moved = np.flatnonzero(at.leaf.prices != base)
        weights = [[used_cuts.setdefault(c, len(used_cuts)), w] for c, w in sorted(at.leaf.weights.items())]
        moves = [[int(i), int(at.leaf.prices[i] - base[i])] for i in moved]
        return {"prices": moves, "weights": weights}

    tree = node(prover.root)
    types = closing.part.types
    cuts = [written_cut(prover.cuts[c], closing.instances, types, instance) for c in used_cuts]
    named = [[*closing.instances.vectors[g].tolist(), int(types[closing.instances.reps[g]])] for g in used]
    return {"component": number, "instances": named, "cuts": cuts, "tree": tree}
