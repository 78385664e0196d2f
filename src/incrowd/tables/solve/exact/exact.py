"""The least release, proven: reductions, components, prices, and an integer program where prices leave a gap."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import Infeasible, PolicyError, about
from incrowd.milp import Outcome, solve
from incrowd.tables.solve.bounds import lagrangian
from incrowd.tables.solve.bounds.certificate import NAME, VERSION, by_prices, written_cut
from incrowd.tables.solve.bounds.column_generation import ReleaseBound, improve_bound, start_prices
from incrowd.tables.solve.exact import tuning
from incrowd.tables.solve.exact.component import MOST_PAIRS, ComponentState
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
        self.bounding: ReleaseBound | None = None
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
            start = start_prices(problem, self.plan)
            self.bounding = improve_bound(problem, int(self.cost), watch, encoded=encoded, start=start)
            if self.bounding.bound.value > self.bound.value:
                self.bound = self.bounding.bound
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
        held = suppressed_rows(instances, rows)
        if instances.suppressed >= 0 and 0 < held < instances.needs[instances.suppressed]:
            filled = fill_suppressed(instances, rows)
            if filled is not None:
                self.offer(instances, filled)
            if all(c.closed for c in self.closings) and self.cost > self.bound.value and not self.watch.stopped:
                self.decide_suppressed(instances)
            return
        self.offer(instances, rows)

    def decide_suppressed(self, instances: Instances) -> None:
        """Decide exactly between a closed suppressed class and one with a crowd."""
        need = int(instances.needs[instances.suppressed])
        self.notes.append(f"fewer than {need} fully suppressed rows in the relaxation, decided exactly")
        unit = self.closings[0].unit
        limit = self.cost
        if self.plan is None:
            limit = int(instances.counts.sum()) * int(instances.costs.max()) + unit
        decided, cost, chosen = strict(self.closings, need, limit, self.watch)
        if chosen:
            rows = np.zeros(instances.pairs, np.int64)
            for closing, own in zip(self.closings, chosen, strict=True):
                rows[closing.part.places] = own
            self.offer(instances, rows)
        elif decided and self.plan is None:
            raise self.hopeless()
        self.cost = int(self.cost)
        if decided and self.cost <= cost:
            self.bound = Bound(self.cost, self.bound.checked, "prices per row type, integer programs")

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
        found = self.bounding
        if found is not None and found.bound.value >= self.bound.checked:
            return by_prices(problem, cost, self.bound, found.whole, found.parts)
        if self.first is not None and self.first.certificate is not None and self.first.bound == self.bound:
            return self.first.certificate
        if self.watch.stopped:
            return None
        # Counting alone closed it: the same prices again, with nothing to search.
        counted = improve_bound(problem, cost, self.watch, rounds=0)
        if counted.bound.value >= self.bound.checked:
            return by_prices(problem, cost, self.bound, counted.whole, counted.parts)
        return None


# Whether the fully suppressed class has enough rows, and the least release where it has too few, exactly.
#
# The *suppressed class* is the fully suppressed class: the instance that every row can be released as. `exact` first
# solves every component as if this class needed no k rows. Where the result has H rows in it with 0 < H < k, that is no
# release. Then the least release is the cheaper of two. Either nobody is fully suppressed, and every component does
# without the hub; or at least k rows are: with F_c(q) the least cost of component c with at least q rows in the
# suppressed class, the release costs the least sum of F_c(q_c) over all q_c with sum q_c >= k, found component by
# component.
Found = tuple[int, "Int64"]


def suppressed_rows(instances: Instances, rows: Int64) -> int:
    """Return how many rows the suppressed class holds, where `rows`, (p,), are the rows per pair."""
    if instances.suppressed < 0:
        return 0
    return int(rows[instances.begins[instances.suppressed] : instances.begins[instances.suppressed + 1]].sum())


def fill_suppressed(instances: Instances, rows: Int64) -> Int64 | None:
    """Fetch the rows that the suppressed class lacks from instances with more than they need, cheapest first.

    `rows` and the answer are rows per pair, (p,), of instances with a suppressed class. None is returned when the
    surplus is not enough.
    """
    rows = rows.copy()
    held = np.zeros(instances.size, np.int64)
    np.add.at(held, instances.owners, rows)
    missing = int(instances.needs[instances.suppressed]) - int(held[instances.suppressed])
    spare = held - instances.needs
    used = np.flatnonzero((rows > 0) & (instances.owners != instances.suppressed))
    own = instances.costs[instances.owners[used]]
    first = int(instances.begins[instances.suppressed])
    for x in used[np.argsort(-own, kind="stable")]:
        take = min(missing, int(rows[x]), int(spare[instances.owners[x]]))
        if take > 0:
            rows[x] -= take
            rows[first + instances.members[x]] += take
            spare[instances.owners[x]] -= take
            missing -= take
        if missing <= 0:
            return rows
    return None


def strict(closings: list[ComponentState], need: int, limit: int, watch: Watch) -> tuple[bool, int, list[Int64]]:
    """Return the least release with none or at least `need` rows in the suppressed class, if it costs below `limit`.

    `closings` are all components, each with an optimal relaxed release; `need` is k, and `limit` the cost of a release
    at hand. The answer says first whether both ways were gone to the end (else the search was stopped), then the least
    cost found, or `limit`, and the rows of every component, (p,), empty when nothing below `limit` exists or was found.
    Up to need + 1 integer programs per component; a component is left alone once a further row in the suppressed class
    would cost more than the release at hand allows.
    """
    unit = closings[0].unit
    floor = sum(c.cost for c in closings)
    best, chosen, decided = limit, [], True
    without = _closed(closings, floor, best, watch)
    if without is None:
        decided = False
    elif without:
        best, chosen = sum(cost for cost, _ in without), [rows for _, rows in without]
    # table[q]: least extra cost of the components so far with at least q rows in the suppressed class, and their
    # choices.
    never = best - floor
    table: list[tuple[int, list[Int64]] | None] = [(0, [])] + [None] * need
    for closing in closings:
        ladder = _ladder(closing, need, never - unit, watch)
        if ladder is None:
            return False, best, chosen
        fresh: list[tuple[int, list[Int64]] | None] = [None] * (need + 1)
        for q, entry in enumerate(table):
            if entry is None:
                continue
            for have, (extra, rows) in enumerate(ladder):
                at, cost = min(q + have, need), entry[0] + extra
                known = fresh[at]
                if cost < never and (known is None or cost < known[0]):
                    fresh[at] = (cost, [*entry[1], rows])
        # At least q rows is at most at least q + 1 rows.
        for q in range(need - 1, -1, -1):
            above, here = fresh[q + 1], fresh[q]
            if above is not None and (here is None or above[0] < here[0]):
                fresh[q] = above
        table = fresh
    last = table[need]
    if last is not None and floor + last[0] < best:
        best, chosen = floor + last[0], last[1]
    return decided, best, chosen


def _closed(closings: list[ComponentState], floor: int, limit: int, watch: Watch) -> list[Found] | None:
    """Return per component the least release without the suppressed class; empty when there is none below `limit`."""
    found: list[Found] = []
    spent = floor
    for closing in sorted(closings, key=lambda c: c.instances.pairs):
        spent -= closing.cost
        answer = _least(closing, limit - spent - closing.unit, watch, suppressed=False)
        if answer is None:
            return None
        if not answer:
            return []
        spent += answer[0][0]
        found.append(answer[0])
    order = np.argsort([c.instances.pairs for c in closings], kind="stable")
    back: list[Found] = [found[0]] * len(found)
    for place, at in enumerate(order):
        back[int(at)] = found[place]
    return back


def _ladder(closing: ComponentState, need: int, slack: int, watch: Watch) -> list[Found] | None:
    """Return F_c(q) - F_c(0) with its rows for q = 0, 1, ... while at most `slack`."""
    assert closing.rows is not None
    ladder: list[Found] = [(0, closing.rows)]
    have = suppressed_rows(closing.instances, closing.rows)
    while len(ladder) <= min(need, int(closing.instances.counts.sum())):
        q = len(ladder)
        if q <= have:
            ladder.append(ladder[-1])
            continue
        answer = _least(closing, closing.cost + slack, watch, at_least=q)
        if answer is None:
            return None
        if not answer:
            break
        cost, rows = answer[0]
        have = suppressed_rows(closing.instances, rows)
        ladder.append((cost - closing.cost, rows))
    return ladder


def _least(
    closing: ComponentState, limit: int, watch: Watch, *, suppressed: bool = True, at_least: int = 0
) -> list[Found] | None:
    """Return a component's least release of cost at most `limit` (empty: there is none; None: stopped)."""
    instances = closing.instances
    if limit < closing.cost:
        return []
    rows_back = np.arange(instances.pairs)
    if not suppressed and instances.suppressed >= 0:
        keep = np.arange(instances.size) != instances.suppressed
        rows_back = np.flatnonzero(keep[instances.owners])
        instances = instances.only(keep)
        if np.unique(instances.members).size < instances.t:
            return []
    model = strong(instances, unit=closing.unit, suppressed_rows=at_least)
    cutoff = limit / closing.unit + 0.5
    answer = solve(model.program, cutoff=cutoff, abs_gap=0.999, watch=watch)
    if answer.outcome in (Outcome.INFEASIBLE, Outcome.CUTOFF):
        return []
    if answer.outcome is not Outcome.OPTIMAL or answer.x is None:
        return None
    found = best_rows(instances.suppression_needs(at_least), model.opened(answer.x), answer.x[: instances.pairs], watch)
    if found is None or suppressed_rows(instances, found) < at_least or not holds(instances, found):
        return None
    cost = cost_of(instances, found)
    if cost > limit:
        return []
    rows = np.zeros(closing.instances.pairs, np.int64)
    rows[rows_back] = found
    return [(cost, rows)]


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
