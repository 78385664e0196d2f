"""The exact solver under requirements: from the list of instances to a release with its bound.

Instances are those of k-anonymity: whoever puts all rows of an instance into one that shows the same costs no more and
keeps every requirement that holds for unions. Row types are told apart by their sensitive values.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import Infeasible
from incrowd.tables.count_rules import CountRule, Family
from incrowd.tables.solve.bounds.under_requirements.optimum import with_certificate
from incrowd.tables.solve.exact.component import MOST_PAIRS
from incrowd.tables.solve.exact.under_requirements.component import RequiredComponent
from incrowd.tables.solve.exact.under_requirements.requirement_rows import SEPARABLE, broken_rows, value_counts
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.mishap import release_kept
from incrowd.tables.solve.shared.components import Part, labels, split
from incrowd.tables.solve.shared.instances import TooManyInstances, common_step, list_instances
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.refusals import none_by_program, none_in_time
from incrowd.tables.solve.shared.requirement_check import (
    broken,
    closed_under_union,
    count_rules_of,
    kinds_meet,
    kinds_of,
    refuse_hopeless,
)
from incrowd.tables.solve.shared.row_assignment import cost_of, holds, rows_in, to_plan
from incrowd.tables.solve.shared.status import ended, of_release
from incrowd.tables.values import Bound, Solution

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.bounds.lagrangian import Float64
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Int64, Plan, Problem


def reason_against(problem: Problem) -> str | None:
    """Return why the requirements cannot be stated in a linear program row by row, or None."""
    for requirement in problem.requirements:
        rules = requirement.count_rules()
        if not rules or not all(rule.exact and rule.family in SEPARABLE for rule in rules):
            return (
                f"no linear rows are known that say exactly what {requirement.describe()} asks for; take solver "
                "'improve', or 'subset_dp' for a dozen rows"
            )
    return closed_under_union(problem)


class Search:
    """One run under requirements that `reason_against` has nothing against.

    At most `most_pairs` pairs (row type, instance) may be listed, and `gap` is the relative distance of cost and bound
    at which to stop. `name` is that of the solver. `first` is a release to start from, with its bound (default: the
    greedy's).
    """

    def __init__(
        self, problem: Problem, watch: Watch, *, most_pairs: int, gap: float, name: str, first: Solution | None = None
    ) -> None:
        self.problem, self.watch = problem, watch
        self.most_pairs, self.gap, self.name = most_pairs, gap, name
        self.first = first
        self.plan: Plan | None = None
        self.cost = int(np.iinfo(np.int64).max)
        self.bound = Bound(0, 0, "none")
        self.components: list[RequiredComponent] = []
        self.notes: list[str] = []
        self.kinds = kinds_of(problem)

    def run(self) -> Solution:
        """Do all the steps. Infeasible is raised if there is no release, or none was found in time."""
        begun = time.perf_counter()
        problem, watch = self.problem, self.watch
        refuse_hopeless(problem)
        try:
            self.first = self.first or Greedy().solve(problem, watch)
            self.bound = self.first.bound
            if broken(problem, self.first.plan) is None:
                self.plan, self.cost = self.first.plan, self.first.plan.cost(problem)
        except Infeasible as error:
            if error.proven:
                raise
        with release_kept(watch, lambda: self.plan is not None):
            self.listed()
        if self.plan is None:
            raise none_in_time(problem)
        status = ended(self.cost, self.bound.value, watch, gap=self.gap)
        certificate = None
        if self.first is not None:
            certificate = of_release(self.first.certificate, self.cost, self.first.bound, self.bound)
        seconds = {"solve": time.perf_counter() - begun}
        found = Solution(self.plan, self.bound, status, self.name, seconds, tuple(self.notes), certificate)
        return with_certificate(problem, found, watch) if self.cost == self.bound.value else found

    def listed(self) -> None:
        """List the instances and search, where there is anything to search for."""
        if self.done():
            return
        self.encoded = encode(self.problem)
        try:
            instances = list_instances(self.problem, self.encoded, watch=self.watch, most_pairs=self.most_pairs)
        except TooManyInstances as error:
            self.notes.append(f"about {error.estimate} pairs of row types and instances are too many to list")
            return
        self.split(instances, self.placed(instances))
        self.search(instances)

    def placed(self, instances: Instances) -> Int64 | None:
        """Return the rows per pair of the release at hand, if there is one."""
        return None if self.plan is None else rows_in(self.problem, self.encoded, instances, self.plan)

    def split(self, instances: Instances, rows: Int64 | None) -> None:
        """Split the list into components, each with its share of the release at hand."""
        problem = self.problem
        unit = common_step([level.cost for level in problem.levels])
        rules = tuple(count_rules_of(problem))
        for part in split(instances, labels(instances)):
            own = None if rows is None else rows[part.places]
            kinds = self.kinds[part.types]
            self.components.append(RequiredComponent(part, kinds, rules, self.met, unit, problem.k, own))

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
            if self.done():
                return
            if component.instances.pairs <= MOST_PAIRS:
                component.relax(self.watch)
        self.collect(instances)
        whole = self.with_suppression_judged(instances) if self.suppression_fails() and not self.done() else None
        self.work_off(left, instances)
        if whole is None and not self.done() and all(component.closed for component in left):
            whole = self.with_suppression_judged(instances)
        if whole is not None and not self.done():
            self.close_whole(whole, instances)
        too_large = sum(component.instances.pairs > MOST_PAIRS for component in left)
        if too_large:
            self.notes.append(f"{too_large} components are too large for an integer program")

    def work_off(self, left: list[RequiredComponent], instances: Instances) -> None:
        """Look for releases of components near their bounds, then close one after another."""
        for component in left:
            component.branch(self.watch, 1)
        self.collect(instances)
        for component in left:
            if self.done():
                return
            component.close(self.watch)
            if component.infeasible:
                raise none_by_program(self.problem)
            self.collect(instances)

    def suppression_fails(self) -> bool:
        """Whether what the linear programs of all components put into the suppressed class breaks a requirement."""
        held = [_in_suppressed(component) for component in self.components]
        for number, rule in enumerate(self.components[0].rules if held else ()):
            counts = sum((own[number] for own in held), np.zeros(rule.values))
            if counts.sum() < 1:
                continue
            one = np.ones(1)
            if broken_rows(rule, counts[None, :], one, needs=one.astype(np.int64), least=1e-3)[0].size:
                return True
        return False

    def with_suppression_judged(self, instances: Instances) -> RequiredComponent | None:
        """Return the whole problem as one component, relaxed; None where it is too large or has no suppressed class.

        For where the components' releases break a requirement together.
        """
        if instances.pairs > MOST_PAIRS or instances.suppressed < 0:
            return None
        everything = instances.suppression_needs(self.suppression_need(instances))
        types, ids = np.arange(instances.t, dtype=np.int32), np.arange(instances.size, dtype=np.int32)
        part = Part(types, np.arange(instances.pairs), ids, everything)
        rules, unit = self.components[0].rules, self.components[0].unit

        def met(_: Part, found: Int64) -> bool:
            return broken(self.problem, to_plan(self.problem, instances, found)) is None

        rows = self.placed(instances)
        whole = RequiredComponent(part, self.kinds, rules, met, unit, self.problem.k, rows, whole=True)
        for own in self.components:
            whole.known.rows += own.known.within(own.inside, whole.model, own.part.places, own.part.ids)
        whole.relax(self.watch)
        self.credit(whole)
        return whole

    def close_whole(self, whole: RequiredComponent, instances: Instances) -> None:
        """Search the whole problem as one component."""
        rows = self.placed(instances)
        if rows is not None:
            whole.offer(rows)
        whole.value = max(whole.value, self.bound.value)
        whole.close(self.watch)
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

    def collect(self, instances: Instances) -> None:
        """Add up the components: bound, and release if there is one for each, if need be with more rows suppressed."""
        value = sum(component.value for component in self.components)
        if value > self.bound.value:
            self.bound = Bound(value, self.bound.checked, "integer programs, component by component")
        if all(component.rows is not None for component in self.components):
            rows = np.zeros(instances.pairs, np.int64)
            for component in self.components:
                assert component.rows is not None
                rows[component.part.places] = component.rows
            self.offer(instances, rows)
            if instances.suppressed >= 0 and cost_of(instances, rows) < self.cost:
                rules, need = self.components[0].rules, self.suppression_need(instances)
                more = with_suppression_filled(instances, rows, self.kinds, rules, need, self.watch)
                if more is not None:
                    self.offer(instances, more)
        self.watch.report(
            "solve",
            cost=None if self.plan is None else self.cost,
            lower_bound=self.bound.value,
            components_open=sum(not component.closed for component in self.components),
        )

    def offer(self, instances: Instances, rows: Int64) -> None:
        """Take the components' releases together if they are one, suppressed class included, and cheaper."""
        cost = cost_of(instances, rows)
        if cost >= self.cost or not holds(instances, rows):
            return
        plan = to_plan(self.problem, instances, rows)
        if broken(self.problem, plan) is None:
            self.plan, self.cost = plan, cost

    def done(self) -> bool:
        """Whether to stop: out of time, or close enough."""
        return self.watch.stopped or self.cost - self.bound.value <= self.gap * self.bound.value


def _in_suppressed(component: RequiredComponent) -> list[Float64]:
    """Return for every rule the rows of each value, (v,), that the linear program suppresses."""
    instances, answer = component.instances, component.answer
    if answer is None or answer.x is None:
        x = np.zeros(instances.pairs) if component.rows is None else component.rows.astype(np.float64)
    else:
        x = answer.x[: instances.pairs]
    mine = instances.owners == instances.suppressed
    return [
        np.bincount(code[mine], weights=x[mine], minlength=rule.values).astype(np.float64)
        for rule, code in zip(component.rules, component.codes, strict=True)
    ]


# Rows moved into the suppressed class until its class meets the requirements too: a release of the whole from those of
# components.
#
# Components take the suppressed class as free and do not judge it, so what they put there together may break a
# requirement. Rows of other values follow, the cheapest first, from classes that do without them.
PASSES = 6
LOOK = 1024  # moves tried between two looks at the watch


def with_suppression_filled(
    instances: Instances, rows: Int64, kinds: NDArray[np.integer], rules: Sequence[CountRule], need: int, watch: Watch
) -> Int64 | None:
    """Return rows per pair with more of them suppressed, so that the class meets rules of shares and distinct values.

    `rows`, (p,), are rows per pair of instances with a suppressed class; classes outside the suppressed class have the
    rows they need and meet the rules. `kinds`, (t,), is the combination of sensitive values of each type, and `need`
    the rows that the suppressed class needs if it has any. None is returned where no rows that can be spared do, where
    a rule is of another kind, or when the watch said stop. A heuristic in floating point: who takes its rows judges
    them. O(rows of the table times values), `PASSES` times.
    """
    if any(rule.family not in (Family.SHARES, Family.DISTINCT) for rule in rules):
        return None
    owners, members, suppressed = instances.owners, instances.members, instances.suppressed
    codes = [rule.code[kinds] for rule in rules]
    held = [value_counts(instances, code[members], rows, rule.values) for rule, code in zip(rules, codes, strict=True)]
    size = np.bincount(owners, weights=rows, minlength=instances.size)
    into = np.full(instances.t, -1, np.int64)
    mine = np.flatnonzero(owners == suppressed)
    into[members[mine]] = mine
    some = np.flatnonzero((rows > 0) & (owners != suppressed) & (into[members] >= 0))
    some = some[np.argsort(instances.costs[suppressed] - instances.costs[owners[some]], kind="stable")]
    rows = rows.copy()
    tried = 0
    for _ in range(PASSES):
        moved = False
        for place in some.tolist():
            i, g = int(members[place]), int(owners[place])
            while rows[place] > 0:
                tried += 1
                if tried % LOOK == 0 and watch.stopped:
                    return None
                values = [int(code[i]) for code in codes]
                wanted = _wanted(rules, [own[suppressed] for own in held], values, size[suppressed], need)
                if wanted is None:
                    return rows
                left = size[g] - 1
                if (
                    not wanted
                    or left < instances.needs[g]
                    or not _spares(rules, [own[g] for own in held], values, left)
                ):
                    break
                size[g] -= 1
                size[suppressed] += 1
                for own, code in zip(held, codes, strict=True):
                    own[g, code[i]] -= 1
                    own[suppressed, code[i]] += 1
                rows[place] -= 1
                rows[into[i]] += 1
                moved = True
        if not moved:
            break
    last = _wanted(rules, [own[suppressed] for own in held], [0] * len(rules), size[suppressed], need)
    return rows if last is None else None


def _wanted(
    rules: Sequence[CountRule], suppressed: Sequence[Float64], values: Sequence[int], size: float, need: int
) -> bool | None:
    """Return whether a row with these values helps the suppressed class of so many rows; None: it needs no help."""
    if size == 0:
        return None
    broken = size < need
    for rule, counts, value in zip(rules, suppressed, values, strict=True):
        if rule.family == Family.DISTINCT:
            if np.count_nonzero(counts) < rule.least:
                if counts[value] > 0:
                    return False
                broken = True
        else:
            over = counts > rule.share * size + 1e-9
            if over.any():
                if over[value]:
                    return False
                broken = True
    return True if broken else None


def _spares(rules: Sequence[CountRule], held: Sequence[Float64], values: Sequence[int], size: float) -> bool:
    """Return whether a class meets the rules without a row with these values, with so many rows left."""
    for rule, counts, value in zip(rules, held, values, strict=True):
        left = counts.copy()
        left[value] -= 1
        if rule.family == Family.DISTINCT:
            if np.count_nonzero(left) < rule.least:
                return False
        elif (left > rule.share * size + 1e-9).any():
            return False
    return True
