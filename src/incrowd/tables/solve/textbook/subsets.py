"""The two recursions over sets of rows as the papers state them: yardsticks for tables of a dozen rows.

A set is a bit mask of rows. What a set costs as one class is the least cost of an allowed pattern under which its rows
look alike; it is a class if it has k rows or more and meets the requirements. Under ``outliers="suppress"`` fully
suppressed rows are a class at any size.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from incrowd.errors import Infeasible, PolicyError
from incrowd.tables.solve.bounds.under_requirements.optimum import with_certificate
from incrowd.tables.solve.shared.canonical_pattern import CanonicalPattern
from incrowd.tables.solve.shared.partial_plan import as_plan
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.requirement_check import (
    closed_under_union,
    meets,
    refuse_hopeless,
    requirements_in_words,
)
from incrowd.tables.solve.shared.status import ended
from incrowd.tables.values import Bound, Problem, Solution

if TYPE_CHECKING:
    from collections.abc import Iterator

    from incrowd.progress import Watch

MOST_ROWS = 14
NEVER = np.iinfo(np.int64).max // 4
# what a bound by a recursion is called
METHODS = {
    "halves": "all sets of rows, by halves (Blocki and Williams, Theorem 1.3)",
    "thirds": "all sets of rows, by thirds (Liang and Yuan, Theorem 8)",
}

# Cost and the classes that make it up.
Found = tuple[int, tuple[int, ...]]
NONE: Found = (NEVER, ())


@dataclass(frozen=True, kw_only=True)
class SubsetDp:
    """The least cost of every set of rows, from those of smaller ones, as the papers write it down.

    Parameters
    ----------
    recursion : {"thirds", "halves"}
        ``thirds``: Theorem 8 of [2], under any requirements that hold for the union of two classes if they hold for
        both. ``halves``: Theorem 1.3 of [1], for k-anonymity alone.

    Notes
    -----
    Tables of up to 14 rows, under masks, weights, hierarchies and both outlier rules. Classes that show the same are
    published as one. 2^n sets in memory and at worst 3^n pairs of a set and a part of it, n rows. For k-anonymity alone
    its word is the bound's proof; under requirements prices and a tree prove it wherever they close the gap.

    References
    ----------
    .. [1] J. Blocki, R. Williams, "Resolving the Complexity of Some Data Privacy Problems", Theorem 1.3.
    .. [2] H. Liang, H. Yuan, "On the complexity of t-closeness anonymization and related problems", Theorem 8.
    """

    recursion: Literal["thirds", "halves"] = "thirds"
    name: str = field(default="subset_dp", init=False)
    cites = ("LiangYuan", "BlockiWilliams2010")
    summary: str = field(
        default=(
            "the optimum over all sets of up to 14 rows, as in the papers: under any requirements by thirds (Theorem 8 "
            "of Liang and Yuan), for k-anonymity alone by recursion=halves (Theorem 1.3 of Blocki and Williams)"
        ),
        init=False,
    )

    def __post_init__(self) -> None:
        if self.recursion not in METHODS:
            raise PolicyError(f"recursion must be thirds or halves, not {self.recursion!r}")

    def declines(self, problem: Problem) -> str | None:
        """Return why the solver will not start: a requirement that merging breaks, or too many rows."""
        reason = closed_under_union(problem)
        if reason is not None:
            return f"{reason}, and it builds a release from groups that may show the same"
        if self.recursion == "halves" and problem.requirements:
            return "Theorem 1.3 is for k-anonymity alone; take recursion 'thirds'"
        if problem.types.n > MOST_ROWS:
            return f"it looks at all sets of rows and takes up to {MOST_ROWS} rows, not {problem.types.n}"
        return None

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return the least release. Infeasible is raised if there is no release, or it did not end in time."""
        begun = time.perf_counter()
        refuse_hopeless(problem)
        sets = _Sets(problem)
        cost, classes = (halves if self.recursion == "halves" else thirds)(sets, watch)
        if cost >= NEVER:
            raise Infeasible(
                f"no release can meet {requirements_in_words(problem)} under this mask: no way to cut the rows into "
                "groups does; allow full suppression, allow more patterns or ask for less",
                requirement=requirements_in_words(problem),
                proven=True,
            )
        plan = as_plan(problem, [sets.class_(members) for members in classes])
        cost = plan.cost(problem)
        watch.report("solve", cost=cost, lower_bound=cost)
        status = ended(cost, cost, watch)
        seconds = {"solve": time.perf_counter() - begun}
        bound = Bound(cost, 0, METHODS[self.recursion])
        return with_certificate(problem, Solution(plan, bound, status, self.name, seconds), watch)


class _Sets:
    """Sets of rows as classes.

    `rows`: row type of each row. `alone`: whether a class of fewer than k rows may be fully suppressed. `vectors`: the
    cheapest allowed pattern of each set, -1 throughout where there is none. `cost`: of every set as one class, `NEVER`
    where it is none. `meets`: whether a set could be a release's rows at all, by the requirements and k: if two sets of
    classes do, so does their union.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.rows = np.repeat(np.arange(problem.types.t, dtype=np.int32), problem.types.counts)
        self.n = self.rows.size
        self.alone = problem.outliers == "suppress" and problem.patterns.allows_full_suppression
        every = np.arange(1, 1 << self.n)
        class_, member = np.nonzero(every[:, None] >> np.arange(self.n) & 1)
        sizes, members = np.bincount(class_), self.rows[member]
        begins = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        first, encoded = members[begins[:-1]], encode(problem)
        patterns = CanonicalPattern(problem, encoded)
        common = patterns.levels(np.tile(problem.top, (every.size, 1)), begins, members)
        self.vectors = patterns.first(common, first)
        price = encoded.costs[encoded.start + self.vectors, first[:, None]].sum(axis=1)
        crowd, held = sizes >= problem.k, (self.vectors >= 0).all(axis=1)
        starred = sizes * problem.row_costs(problem.top)[first] if self.alone else NEVER
        cost = np.where(crowd, np.where(held, sizes * price, NEVER), starred)
        fit = meets(problem, class_, members, np.ones(class_.size, np.int64), every.size)
        self.cost: list[int] = [NEVER, *np.where(fit, cost, NEVER).tolist()]
        self.meets: list[bool] = [True, *(fit & (crowd | self.alone)).tolist()]

    def class_(self, members: int) -> tuple[object, np.ndarray, np.ndarray]:
        """Return a set as `as_plan` takes it."""
        types = self.rows[[i for i in range(self.n) if members >> i & 1]]
        starred = members.bit_count() < self.problem.k
        vector = self.problem.top if starred else self.vectors[members - 1]
        return vector, types, np.ones(types.size, np.int64)


def halves(sets: _Sets, watch: Watch) -> Found:
    """Find the least cost of all rows by Theorem 1.3 of Blocki and Williams.

    The answer is the scaled cost and the classes as bit masks of rows; `NEVER` and none where there is no release.
    Infeasible is raised if the watch stopped it. cost(S) = min of cost(T) + cost(S - T) over T in S with |S|/2 <= |T|
    <= |S|/2 + 2k, both parts >= k; one class if k <= |S| < 2k; infinite below k. Proof: classes of 2k rows or more can
    be cut in two, so all have fewer. Put the largest first; the shortest run of classes that holds half of the rows is
    T: without its last class it holds less than half, so |T| < |S|/2 + 2k, and it is not everything, or the last class,
    and hence the first, would be more than half. Where fully suppressed rows need no crowd, each of them is a class of
    one row, so parts may have any size, and the base is one class beside any of them.
    """
    k = sets.problem.k
    known: dict[int, Found] = {}

    def base(members: int) -> Found:
        best = NONE
        for class_ in _parts(members):
            rest = members ^ class_
            if (rest and not sets.alone) or (class_ and class_.bit_count() < k):
                continue
            cost = (sets.cost[class_] if class_ else 0) + sum(sets.cost[one] for one in _singles(rest))
            if cost < best[0]:
                best = cost, (*((class_,) if class_ else ()), *_singles(rest))
        return best

    def cost(members: int) -> Found:
        if members in known:
            return known[members]
        size = members.bit_count()
        if size < k and not sets.alone:
            return NONE
        if size < 2 * k:
            best = base(members)
        else:
            _ask(watch)
            best = NONE
            for part in _parts(members):
                taken = part.bit_count()
                if not size <= 2 * taken <= size + 4 * k or taken == size:
                    continue
                best = min(best, _sum(cost(part), cost(members ^ part)))
        known[members] = best
        return best

    return cost((1 << sets.n) - 1)


def thirds(sets: _Sets, watch: Watch) -> Found:
    """Find the least cost of all rows by Theorem 8 of Liang and Yuan.

    The answer is the scaled cost and the classes as bit masks of rows; `NEVER` and none where there is no release.
    Infeasible is raised if the watch stopped it. F(S) is infinite if S does not meet the requirements as a whole (two
    classes that do meet them together, so no way to cut S does), else the least of cost(G) + F(S - G) over classes G of
    more than |S|/2 rows, S among them, and of F(S1) + F(S - S1) over S1 with both sides at most 2|S|/3. Proof: if no
    class has more than half of the rows, take the two sides, made of whole classes, of least difference d. A larger
    side has two classes or more, each of at least d rows, or moving it across would lessen the difference: so it has at
    least 2d rows, at most twice the other's.
    """
    known: dict[int, Found] = {0: (0, ())}

    def cost(members: int) -> Found:
        if members in known:
            return known[members]
        best = NONE
        if sets.meets[members]:
            _ask(watch)
            size = members.bit_count()
            for part in _parts(members):
                taken = part.bit_count()
                if 2 * taken > size and sets.cost[part] < NEVER:
                    best = min(best, _sum((sets.cost[part], (part,)), cost(members ^ part)))
                if 2 * taken <= size and 3 * (size - taken) <= 2 * size:
                    best = min(best, _sum(cost(part), cost(members ^ part)))
        known[members] = best
        return best

    return cost((1 << sets.n) - 1)


def _sum(first: Found, second: Found) -> Found:
    if first[0] >= NEVER or second[0] >= NEVER:
        return NONE
    return first[0] + second[0], first[1] + second[1]


def _parts(members: int) -> Iterator[int]:
    """Yield all parts of a set, itself and nothing too."""
    part = members
    while True:
        yield part
        if part == 0:
            return
        part = (part - 1) & members


def _singles(members: int) -> list[int]:
    return [1 << i for i in range(members.bit_length()) if members >> i & 1]


def _ask(watch: Watch) -> None:
    if watch.stopped:
        raise Infeasible("not all sets of rows were looked at within the limit", requirement="time_limit", proven=False)
