"""The integer program of Bredereck, Nichterlein and Niedermeier, literally: a yardstick for small tables."""

from __future__ import annotations

import dataclasses
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import Infeasible
from incrowd.memory import MB, at_hand, in_words
from incrowd.milp import Answer, Outcome, Program, rows_of, solve
from incrowd.progress import WithDeadline
from incrowd.tables.solve.bounds.under_requirements.optimum import with_certificate
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.shared.instances import TooManyInstances, common_step, list_instances
from incrowd.tables.solve.shared.refusals import none_by_program, none_in_time
from incrowd.tables.solve.shared.requirement_check import broken, closed_under_union, kinds_of, refuse_hopeless
from incrowd.tables.solve.shared.row_assignment import as_listed, cost_of, holds, to_plan
from incrowd.tables.solve.shared.status import ended, of_release
from incrowd.tables.solve.shared.strong_formulation import StrongFormulation, strong
from incrowd.tables.values import Bound, Plan, Problem, Solution

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from incrowd.progress import Fact, Watch
    from incrowd.tables.count_rules import LinearRows
    from incrowd.tables.solve.shared.instances import Instances

# Bytes that a pair of a row type and a pattern takes in the program and in the engine, with a quarter to spare.
PAIR = 2_000
# Pairs whose entries, three each, the engine can still number.
MOST_PAIRS = 500_000_000
# Share of the memory at hand that is planned with, and what counts as at hand where the system does not say.
SHARE, UNKNOWN = 0.85, 1_000 * MB
# What is known before anything was tried.
NOTHING = (None, Bound(0, 0, "none"), None)


@dataclass(frozen=True, kw_only=True)
class Ilp:
    """Equations (5) to (8): x[type, pattern] whole, u[instance] 0 or 1, every instance of every pattern.

    Parameters
    ----------
    room_mb : int, optional
        Memory up to which it starts, in MB, at least 1; by default what the system says is at hand.
    first : bool, default True
        Whether the greedy's release and the bound by counting are made first, and the program is solved only where
        they leave a gap; False: the engine gets the program alone, as in the paper.

    Notes
    -----
    Requirements with linear rows are met (`requirement_rows`): frequency l-diversity, t-closeness, what counts
    values, and the joint kind of few combinations; the entropy and recursive kinds by cuts on classes that fail
    (`no_good_cuts`). Then only undominated instances are listed, one type is a row with its sensitive values, and what
    the engine returns is recounted in integers; prices and a tree prove the optimum wherever they close the gap
    (`bounds.under_requirements.optimum`).

    Constraint (6) is the paper's sum_i x <= n u, (7) its sum_i x >= k u, left out for the fully suppressed instance
    where outliers need no crowd. Exponential time. Memory: about 1.6 kB in the engine for a pair of a row type and a
    pattern (measured: 5.2 GB for the 3.3 million pairs of Nursery); it plans with 2 kB.

    References
    ----------
    .. [1] R. Bredereck, A. Nichterlein, R. Niedermeier, "Pattern-Guided k-Anonymity", Algorithms 2013, 6(4),
       Section 2.2.
    .. [2] H. Liang, H. Yuan, "On the complexity of t-closeness anonymization and related problems", Theorem 9.
    """

    room_mb: int | None = None
    first: bool = True
    name: str = field(default="ilp", init=False)
    cites = ("BredereckNichterleinNiedermeier2013",)
    summary: str = field(
        default="the paper's integer program, also under l-diversity and t-closeness; small tables", init=False
    )

    def declines(self, problem: Problem) -> str | None:
        """Return why the solver will not start: requirements without linear rows, or too large a program."""
        reason = reason_against_rows(problem)
        if reason is not None:
            return reason
        patterns, t = problem.patterns.count(), problem.types.t
        need, room = patterns * t * PAIR, self._room
        if need > room:
            return (
                f"its program has one variable per row type and pattern, here {t} * {patterns} = {t * patterns}, for "
                f"which it takes about {in_words(need)} of memory, and about {in_words(room)} are at hand; allow fewer "
                "patterns or take solver 'exact'"
            )
        return None

    @property
    def _room(self) -> int:
        """Bytes that the program may take; never more than the engine can number."""
        found = at_hand() if self.room_mb is None else self.room_mb * MB
        return min(UNKNOWN if found is None else int(SHARE * found), MOST_PAIRS * PAIR)

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return the least release found; its bound is the engine's word where no certificate says it.

        Infeasible is raised if there is no release, or none was found in time.
        """
        found, _ = self.attempt(problem, watch)
        if found is None:
            raise none_in_time(problem)
        return found

    def attempt(self, problem: Problem, watch: Watch) -> tuple[Solution | None, int]:
        """Return the least release found, if any was, and the lower bound reached even where there is none.

        `problem`: which the solver does not decline. `watch`: its time limit is asked while instances are listed and by
        the engine. Returns no release costs less, in scaled costs; the engine's word. Infeasible is raised if there is
        no release.
        """
        begun = time.perf_counter()
        refuse_hopeless(problem)
        plan, bound, proof = _first(problem, watch) if self.first else NOTHING
        counted = bound
        cost = None if plan is None else plan.cost(problem)
        answer = Answer(Outcome.TIME_LIMIT)
        if cost != bound.value and not watch.stopped:
            unit = common_step([level.cost for level in problem.levels])
            instances = _listed(problem, watch)
            if instances is not None:
                answer = _answer(problem, instances, plan, unit, watch)
            if answer.outcome is Outcome.INFEASIBLE and plan is None:
                raise none_by_program(problem)
            if instances is not None and answer.x is not None:
                rows = np.rint(answer.x[: instances.pairs]).astype(np.int64)
                if holds(instances, rows) and (cost is None or cost_of(instances, rows) < cost):
                    found = to_plan(instances, rows)
                    if broken(problem, found) is None:
                        plan, cost = found, cost_of(instances, rows)
            if cost is not None and answer.outcome is Outcome.CUTOFF:
                bound = Bound(cost, bound.checked, "an integer program")
            elif np.isfinite(answer.bound):
                value = int(np.ceil(answer.bound - 1e-6)) * unit
                value = max(bound.value, value if cost is None else min(value, cost))
                bound = Bound(value, bound.checked, "the paper's integer program")
        if plan is None or cost is None:
            return None, bound.value
        status = ended(cost, bound.value, watch)
        watch.report("solve", cost=cost, lower_bound=bound.value)
        certificate = of_release(proof, cost, counted, bound)
        solution = Solution(
            plan, bound, status, self.name, {"solve": time.perf_counter() - begun}, certificate=certificate
        )  # fmt: skip
        return (with_certificate(problem, solution, watch) if cost == bound.value else solution), bound.value


def _listed(problem: Problem, watch: Watch) -> Instances | None:
    """Return the instances of the program; None where the time was over before they were listed."""
    try:
        return list_instances(
            problem, raw=not problem.requirements, watch=_Impatient(watch, watch.deadline), most_pairs=MOST_PAIRS
        )
    except _Stopped:
        return None
    except TooManyInstances:  # memory has become less since declines() was asked
        raise Infeasible("too many instances", requirement="memory", proven=False) from None


def _answer(problem: Problem, instances: Instances, plan: Plan | None, unit: int, watch: Watch) -> Answer:
    """Return the engine's answer on the program over the instances, from a release where there is one."""
    if problem.requirements:
        cutoff = None if plan is None else plan.cost(problem) / unit - 0.5
        return _required(problem, instances, unit, cutoff, watch)
    model = strong(instances, unit=unit, whole=True, big=True)
    start = None if plan is None else model.point(as_listed(problem, instances, plan))
    return solve(model.program, start=start, abs_gap=0.999, watch=watch)


class _Stopped(Exception):
    """The time is over."""


class _Impatient(WithDeadline):
    """A watch that ends what tells it of its progress."""

    def report(self, stage: str, **facts: Fact) -> None:
        """Tell an event, unless it is time to stop."""
        if self.stopped:
            raise _Stopped
        super().report(stage, **facts)


def _required(problem: Problem, instances: Instances, unit: int, cutoff: float | None, watch: Watch) -> Answer:
    """Return the engine's answer under the requirements, with cuts until no class fails them."""
    cuts: dict[bytes, LinearRows] = {}
    while True:
        model = required(problem, instances, unit=unit, cuts=tuple(cuts.values()))
        # On these programs the engine's presolve may go round for ever; with a cutoff it did on six rows.
        answer = solve(model.program, cutoff=cutoff, abs_gap=0.999, presolve=False, watch=watch)
        if answer.x is None or answer.outcome is Outcome.CUTOFF or watch.stopped:
            return answer
        rows = np.rint(answer.x[: instances.pairs]).astype(np.int64)
        failing = dict(cuts_against(problem, to_plan(instances, rows))) if holds(instances, rows) else {}
        if not failing.keys() - cuts.keys():
            return answer
        cuts.update(failing)
        watch.report("solve", cuts=len(cuts), lower_bound=int(np.ceil(answer.bound - 1e-6)) * unit)


def _first(problem: Problem, watch: Watch) -> tuple[Plan | None, Bound, Mapping[str, Any] | None]:
    """Return a release to start from, if the greedy finds one, and the bound by counting with its certificate.

    Raises Infeasible if counting shows that there is none.
    """
    try:
        first = Greedy().solve(problem, watch)
    except Infeasible as error:
        if error.proven:
            raise
        return None, Bound(0, 0, "none"), None
    return (first.plan if broken(problem, first.plan) is None else None), first.bound, first.certificate


# The integer program under requirements: the rows of each instance say that what it holds meets them.
#
# x[type, instance] are whole here, one type per (row, sensitive values): with these rows the program is no
# transportation problem any more. The instances are the undominated ones: that rule moves all rows of one instance to
# another, which keeps every requirement that holds for unions. Fully suppressed rows are a class like any other for the
# requirements, also where they need no k rows. Where no finite number of rows says it (`no_good_cuts`), rows are added
# for classes that fail until none does. The engine counts in floating point, so what it returns is recounted in
# integers, and its bound stays its word.
Entry = tuple[Any, Any, Any]

# Rows of a requirement times pairs of a row type and a pattern.
MOST_ENTRIES = 20_000_000


def reason_against_rows(problem: Problem) -> str | None:
    """Return why an integer program cannot state a problem's requirements, or None."""
    for requirement in problem.requirements:
        if requirement.linear_rows() is None and not requirement.by_cuts:
            return (
                f"its program has linear rows only, and {requirement.describe()} has none here; take solver "
                "'subset_dp' for a dozen rows, or a heuristic"
            )
    width = max((len(rows.size) for rows in stated_rows(problem)), default=0)
    if width * problem.patterns.count() * problem.types.t > MOST_ENTRIES:
        return "its program would have too many rows for the values of a sensitive column; take a heuristic"
    return closed_under_union(problem)


def required(
    problem: Problem, instances: Instances, *, unit: int, cuts: Sequence[LinearRows] = ()
) -> StrongFormulation:
    """Return the integer program over the instances with the rows of all requirements, and further ones.

    The instances are listed of the problem, which has requirements. The scaled costs are divided by `unit`, at least 1.
    The `cuts` are further rows over the types of one instance, for each of them. Columns: those of `strong`, then the
    size of each instance, then the extra variables of each requirement for each instance. With k = 1 and no requirement
    that counts values no u is needed: an empty class meets all rows. O(pairs + instances * (values^2 at most)) entries.
    """
    cones = [*stated_rows(problem), *cuts]
    counting = any(cone.opened.any() for cone in cones)
    if counting or problem.k == 1:
        # Values are counted in every open class, so each has its u; else none is needed for k = 1.
        needs = np.maximum(instances.needs, 1) if counting else np.zeros_like(instances.needs)
        instances = dataclasses.replace(instances, needs=needs)
    model = strong(instances, unit=unit, whole=True, big=True)
    base, classes, pairs = model.program, instances.size, instances.pairs
    columns = len(base.cost)
    kinds = problem.types.kinds
    assert kinds is not None
    sizes = columns + np.arange(classes)
    every = np.arange(pairs)
    owners = instances.owners.astype(np.int64)
    entries: list[Entry] = [
        (
            np.concatenate((owners, np.arange(classes))),
            np.concatenate((every, sizes)),
            np.concatenate((np.ones(pairs), -np.ones(classes))),
        )
    ]
    bounds = [(np.zeros(classes), np.zeros(classes))]
    columns += classes
    upper = [base.upper, np.full(classes, np.inf)]
    whole = [base.whole, np.zeros(classes, np.bool_)]
    for cone in cones:
        rows, extra = cone.extra.shape
        entries.append(_rows(cone, instances, kinds, model, sizes, columns))
        bounds.append((np.full(rows * classes, -np.inf), np.zeros(rows * classes)))
        upper.append(np.full(extra * classes, 1.0 if cone.binary else np.inf))
        whole.append(np.full(extra * classes, cone.binary))
        columns += extra * classes
    old = base.rows
    first = (np.repeat(np.arange(len(old.lower)), np.diff(old.begins)), old.columns, old.values)
    more = columns - len(base.cost)
    program = Program(
        cost=np.concatenate((base.cost, np.zeros(more))),
        lower=np.concatenate((base.lower, np.zeros(more))),
        upper=np.concatenate(upper),
        whole=np.concatenate(whole),
        rows=rows_of([first, *entries], [(old.lower, old.upper), *bounds]),
    )
    return dataclasses.replace(model, program=program)


def _rows(
    cone: LinearRows, instances: Instances, kinds: Any, model: StrongFormulation, sizes: Any, begin: int
) -> Entry:
    """Return the entries of a requirement's rows, row ``instance * rows + r``."""
    rows, extra = cone.extra.shape
    classes = np.arange(instances.size)
    # One entry per pair and row that its value stands in.
    of = cone.counts[:, cone.code[kinds[instances.members]]]
    r, pair = np.nonzero(of)
    places: list[Entry] = [(instances.owners[pair].astype(np.int64) * rows + r, pair, of[r, pair])]
    for row in np.flatnonzero(cone.size):
        places.append((classes * rows + row, sizes, np.full(classes.size, cone.size[row])))
    for row in np.flatnonzero(cone.opened):
        places.append((classes * rows + row, model.column, np.full(classes.size, cone.opened[row])))
    r, z = np.nonzero(cone.extra)
    places.append(
        (
            (classes[:, None] * rows + r).reshape(-1),
            (begin + classes[:, None] * extra + z).reshape(-1),
            np.tile(cone.extra[r, z], classes.size),
        )
    )
    return tuple(np.concatenate(part) for part in zip(*places, strict=True))  # type: ignore[return-value]


# Cuts for requirements without finitely many linear rows: each cuts off one class that fails, and none that meets it.
#
# A requirement that has such cuts says so (``by_cuts``) and makes them (`Requirement.cut_against`, with the reason
# where it is written: *entropy* l-diversity in `tables/models/l_diversity.py`, *recursive* in `value_counts.py`). All
# cuts of a requirement together say exactly what the requirement says, so adding those that the engine's solutions
# break ends at the optimum; it ends because classes are finitely many.
def cuts_against(problem: Problem, plan: Plan) -> Iterator[tuple[bytes, LinearRows]]:
    """Yield a cut with a name of its own for every class of a plan that fails a requirement met by cuts."""
    kinds = kinds_of(problem)[plan.part_type]
    for number, requirement in enumerate(problem.requirements):
        if not requirement.by_cuts:
            continue
        met = requirement.meets(plan.part_class, kinds, plan.part_rows, plan.classes)
        for class_ in np.flatnonzero(~met):
            mine = plan.part_class == class_
            counts = requirement.counts_of(kinds[mine], plan.part_rows[mine])
            yield bytes([number]) + (counts // np.gcd.reduce(counts)).tobytes(), requirement.cut_against(counts)


# Requirements as linear rows on a class's counts: what an integer program is told.
#
# A requirement says its rows itself (`Requirement.linear_rows`, each with its reason where it is written):
#
# - *largest share* (frequency l-diversity, alpha-k), *beta*: `tables/models/requirement.py`, `beta_likeness.py`;
# - *distinct values* (also p-sensitive): `value_counts.py`;
# - *the joint kind*, of a few dozen combinations: `joint.py`;
# - *t-closeness* in a tree, on a line, in any metric (Theorem 9 of [1]): `closeness.py`.
#
# One that has none may have cuts instead: `no_good_cuts`.
#
# References
# ----------
# .. [1] H. Liang, H. Yuan, "On the complexity of t-closeness anonymization and related problems", Theorem 9.
def stated_rows(problem: Problem) -> list[LinearRows]:
    """Return the linear rows of a problem's requirements, as far as they have any."""
    found = (requirement.linear_rows() for requirement in problem.requirements)
    return [rows for rows in found if rows is not None]
