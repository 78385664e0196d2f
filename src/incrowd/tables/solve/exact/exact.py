"""The least release, proven: reductions, components, prices, and an integer program where prices leave a gap."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import Infeasible, about
from incrowd.tables.solve.bounds import lagrangian
from incrowd.tables.solve.bounds import tuning as bound_tuning
from incrowd.tables.solve.bounds.certificate import NAME, VERSION, by_prices, written_cut
from incrowd.tables.solve.bounds.column_generation import Pricing
from incrowd.tables.solve.bounds.under_requirements.optimum import with_certificate
from incrowd.tables.solve.exact import tuning
from incrowd.tables.solve.exact.component import MOST, MOST_PAIRS, Component
from incrowd.tables.solve.exact.under_requirements.component import Asked, RequiredComponent
from incrowd.tables.solve.exact.under_requirements.suppression import (
    reason_against,
    suppression_fails,
    with_suppression_filled,
)
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.mishap import release_kept
from incrowd.tables.solve.shared.components import Part, labels, split
from incrowd.tables.solve.shared.instances import MOST_PAIRS as MOST_LISTED
from incrowd.tables.solve.shared.instances import Instances, TooManyInstances, common_step, list_instances
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.refusals import none_by_program, none_in_time
from incrowd.tables.solve.shared.requirement_check import (
    broken,
    count_rules_of,
    kinds_meet,
    kinds_of,
    refuse_hopeless,
)
from incrowd.tables.solve.shared.row_assignment import cost_of, holds, rows_in, to_plan
from incrowd.tables.solve.shared.status import ended, head, of_release
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
        return self.go_on(problem, watch, None)

    def go_on(self, problem: Problem, watch: Watch, first: Solution | None) -> Solution:
        """Return the least release found from a given one on (None: the greedy's)."""
        return Search(self, problem, watch, first).run()


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
    """One run of `Exact`, from the list of instances to a release with its bound.

    Under requirements instances are those of k-anonymity: whoever puts all rows of an instance into one that shows the
    same costs no more and keeps every requirement that holds for unions. Row types are told apart by their sensitive
    values. `first` is a release to start from, with its bound (default: the greedy's).
    """

    def __init__(self, options: Exact, problem: Problem, watch: Watch, first: Solution | None = None) -> None:
        self.options, self.problem, self.watch, self.first = options, problem, watch, first
        self.begun = time.perf_counter()
        self.plan: Plan | None = None
        self.cost = MOST
        self.bound = Bound(0, 0, "none")
        self.kinds, self.rules = kinds_of(problem), tuple(count_rules_of(problem))
        self.unit = common_step([level.cost for level in problem.levels])
        self.components: list[Component] = []
        self.label: Int32 | None = None
        self.notes: list[str] = []
        self.pricing: Pricing | None = None

    def run(self) -> Solution:
        """Do all the steps. Infeasible is raised where there is no release, or none was found in time."""
        problem, watch = self.problem, self.watch
        refuse_hopeless(problem)
        try:
            self.first = self.first or Greedy().solve(problem, watch)
            self.bound = self.first.bound
            self.take(self.first.plan)
        except Infeasible as error:
            if error.proven:
                raise
        with release_kept(watch, lambda: self.plan is not None):
            self.listed()
        return self.solution()

    def listed(self) -> None:
        """List the instances, take them apart and search, where there is anything to search for."""
        problem, watch = self.problem, self.watch
        if self.done():
            return
        self.encoded = encode(problem)
        try:
            instances = list_instances(problem, self.encoded, watch=watch, most_pairs=self.options.most_pairs)
        except TooManyInstances as error:
            self.notes.append(f"about {error.estimate} pairs of row types and instances are too many to list")
            return
        self.report()
        self.split(instances)
        if self.plan is not None and not problem.requirements and any(c.large for c in self.components):
            # Too large for programs: prices over the whole lattice are better than over a list.
            self.pricing = Pricing(problem, self.encoded, self.plan, self.bound)
            self.pricing.settle(watch, bound_tuning.DEFAULT.release_rounds)
            self.bound = self.pricing.bound
        self.search(instances)
        self.prove(instances)

    def placed(self, instances: Instances) -> Int64 | None:
        """Return the rows per pair of the release at hand, if there is one."""
        return None if self.plan is None else rows_in(self.problem, self.encoded, instances, self.plan)

    def split(self, instances: Instances) -> None:
        """Split the list into components, each with its share of the release at hand."""
        rows, k, unit = self.placed(instances), self.problem.k, self.unit
        parts = lagrangian.grain(instances.costs, instances.counts)
        self.label = labels(instances)
        for part in split(instances, self.label):
            own = None if rows is None else rows[part.places]
            if self.problem.requirements:
                asked = Asked(self.kinds[part.types], self.rules, self.met)
                self.components.append(RequiredComponent(part, unit, k, own, asked))
            else:
                self.components.append(Component(part, unit, k, own, parts=parts))

    def met(self, part: Part, rows: Int64) -> bool:
        """Return whether whole rows per pair of a part meet every requirement outside the suppressed class."""
        instances = part.instances
        used = rows > 0
        if instances.suppressed >= 0:
            used &= instances.owners != instances.suppressed
        if not used.any():
            return True
        classes, number = np.unique(instances.owners[used], return_inverse=True)
        kinds = self.kinds[part.types[instances.members[used]]]
        return bool(kinds_meet(self.problem, number.reshape(-1), kinds, rows[used], classes.size).all())

    def search(self, instances: Instances) -> None:
        """Bound every component, look for releases near the bounds, then close one after another, small ones first."""
        left = sorted((c for c in self.components if not c.closed), key=lambda c: c.instances.pairs)
        self.collect(instances)
        for component in left:
            if not (self.done() or component.large):
                component.relax(self.watch)
        self.collect(instances)
        judged = not self.done() and suppression_fails(self.components)
        whole = self.with_suppression_judged(instances) if judged else None
        for component in left:
            component.dive(self.watch)
        self.collect(instances)
        for component in left:
            if self.done():
                break
            if not component.closed:
                component.close(self.watch, self.options.leaves)
            if component.infeasible:
                raise none_by_program(self.problem)
            self.collect(instances, quick=True)
        self.collect(instances)
        if whole is None and not self.done() and all(component.closed for component in left):
            whole = self.with_suppression_judged(instances)
        if whole is not None and not self.done():
            self.close_whole(whole, instances)

    def with_suppression_judged(self, instances: Instances) -> RequiredComponent | None:
        """Return the whole problem as one component, relaxed; None where it is too large or has no suppressed class.

        For where the components' releases put too few rows into that class, or rows that break a requirement together.
        """
        if instances.pairs > MOST_PAIRS or instances.suppressed < 0:
            return None
        everything = instances.suppression_needs(self.suppression_need(instances))
        types, ids = np.arange(instances.t, dtype=np.int32), np.arange(instances.size, dtype=np.int32)
        part = Part(types, np.arange(instances.pairs), ids, everything)

        def met(some: Part, found: Int64) -> bool:
            return broken(self.problem, to_plan(some.instances, found)) is None

        asked = Asked(self.kinds, self.rules, met, whole=True)
        whole = RequiredComponent(part, self.unit, self.problem.k, self.placed(instances), asked)
        for own in self.components:
            columns = np.concatenate((own.part.places, whole.model.column[own.part.ids[own.model.crowd]]))
            whole.more += [replace(r, columns=columns[r.columns].astype(np.int32)) for r in own.inside()]
        whole.relax(self.watch)
        self.credit(whole)
        return whole

    def close_whole(self, whole: RequiredComponent, instances: Instances) -> None:
        """Search the whole problem as one component."""
        rows = self.placed(instances)
        if rows is not None:
            whole.offer(rows)
        whole.value = max(whole.value, self.bound.value)
        whole.close(self.watch, 0)
        if whole.infeasible:
            raise none_by_program(self.problem)
        if whole.rows is not None:
            self.offer(instances, whole.rows)
        self.credit(whole)

    def credit(self, whole: RequiredComponent) -> None:
        """Take the bound of the whole problem as one component."""
        value = min(whole.value, self.cost)
        if value > self.bound.value:
            self.bound = Bound(value, self.bound.checked, "an integer program over the whole problem")

    def suppression_need(self, instances: Instances) -> int:
        """Return the rows that the suppressed class needs where it has any."""
        return max(1, int(instances.needs[instances.suppressed]))

    def prove(self, instances: Instances) -> None:
        """Prove by trees what only an integer program said, where a certificate is wanted."""
        left = self.options.proof_work if self.options.certificate and not self.problem.requirements else 0
        for component in sorted(self.components, key=lambda c: c.instances.pairs):
            if left > 0 and self.options.leaves and not self.watch.stopped:
                left -= component.branch(self.watch, self.options.leaves, left)
        self.collect(instances, quick=True)

    def collect(self, instances: Instances, *, quick: bool = False) -> None:
        """Add up the components: bound, and release if there is one for each, if need be with more rows suppressed."""
        value, checked = sum(c.value for c in self.components), sum(c.checked for c in self.components)
        if value > self.bound.value or checked > self.bound.checked:
            method = "prices per row type" if checked >= value else "prices per row type, integer programs"
            method = "integer programs, component by component" if self.problem.requirements else method
            self.bound = Bound(max(value, self.bound.value), max(checked, self.bound.checked), method)
        if not quick and all(component.rows is not None for component in self.components):
            rows = np.zeros(instances.pairs, np.int64)
            for component in self.components:
                assert component.rows is not None
                rows[component.part.places] = component.rows
            self.offer(instances, rows)
            if instances.suppressed >= 0 and cost_of(instances, rows) < self.cost:
                need = self.suppression_need(instances)
                more = with_suppression_filled(instances, rows, self.kinds, self.rules, need, self.watch)
                if more is not None:
                    self.offer(instances, more)
        self.report()

    def offer(self, instances: Instances, rows: Int64) -> None:
        """Take the components' releases together if they are one, suppressed class included, and cheaper."""
        if cost_of(instances, rows) < self.cost and holds(instances, rows):
            self.take(to_plan(instances, rows))

    def take(self, plan: Plan) -> None:
        """Take a plan if it meets every requirement."""
        if broken(self.problem, plan) is None:
            self.plan, self.cost = plan, plan.cost(self.problem)

    def done(self) -> bool:
        """Whether to stop: out of time, or close enough."""
        return self.watch.stopped or self.cost - self.bound.value <= self.options.gap * self.bound.value

    def report(self) -> None:
        """Tell the watch where the search stands."""
        self.watch.report(
            "solve",
            cost=None if self.plan is None else self.cost,
            lower_bound=self.bound.value,
            components_open=sum(not component.closed for component in self.components),
        )

    def solution(self) -> Solution:
        """Return the result with an honest status."""
        problem, cost = self.problem, int(self.cost)
        if self.plan is None:
            raise none_in_time(problem)
        status = ended(cost, self.bound.value, self.watch, gap=self.options.gap)
        left = sum(c.large and not c.closed for c in self.components)
        if left and status == "heuristic":
            self.notes.append(f"{left} of {len(self.components)} components are too large for an integer program")
        seconds = {"solve": time.perf_counter() - self.begun}
        found = Solution(
            self.plan, self.bound, status, self.options.name, seconds, tuple(self.notes), self.certificate(cost)
        )
        proves = problem.requirements and cost == self.bound.value
        return with_certificate(problem, found, self.watch) if proves else found

    def certificate(self, cost: int) -> Mapping[str, Any] | None:
        """Return what the checked part of the bound rests on."""
        problem, first = self.problem, self.first
        if problem.requirements:
            return None if first is None else of_release(first.certificate, cost, first.bound, self.bound)
        if self.label is not None and sum(c.checked for c in self.components) >= self.bound.checked:
            return by_components(problem, cost, self.bound, self.label, self.components)
        if first is not None and first.bound == self.bound:
            return first.certificate
        if self.pricing is not None:
            return by_prices(problem, cost, self.bound, self.pricing.whole, self.pricing.parts)
        return None


# The certificate of a bound summed over components, some of them with a tree.
#
# Its format is that of `incrowd.tables.solve.bounds.certificate`.
def by_components(
    problem: Problem, cost: int, bound: Bound, label: Int32, closings: Sequence[Component]
) -> dict[str, Any]:
    """Return the certificate of a bound summed over components.

    `label` is (t,) int32, and `closings` come in the order of the labels.
    """
    prices = np.zeros(problem.types.t, np.int64)
    trees = []
    for number, closing in enumerate(closings):
        own = closing.prices
        if closing.by_tree and closing.tree is not None:
            root = closing.tree.root.leaf
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


def _tree(number: int, closing: Component, base: Int64) -> dict[str, Any]:
    assert closing.tree is not None
    prover = closing.tree
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
