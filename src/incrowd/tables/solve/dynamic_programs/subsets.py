"""The two recursions over sets of rows as the papers state them: yardsticks for tables of a dozen rows.

A set is a bit mask of rows. What a set costs as one group is the least cost of an allowed pattern under which its rows
look alike; it is a group if it has k rows or more and meets the requirements. Under ``outliers="suppress"`` fully
suppressed rows are a group at any size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import Infeasible
from incrowd.kernels.dynamic_programs.subset_dp import NEVER
from incrowd.tables.solve.dynamic_programs.joins import join_types
from incrowd.tables.solve.shared.plan_of_groups import as_plan
from incrowd.tables.solve.shared.requirement_check import meets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from incrowd.progress import Watch
    from incrowd.tables.values import Plan, Problem

__all__ = ["METHODS", "MOST_ROWS", "halves", "least", "reason_against", "thirds"]

MOST_ROWS = 14
# what a bound by a literal recursion is called
METHODS = {
    "halves": "all sets of rows, by halves (Blocki and Williams, Theorem 1.3)",
    "thirds": "all sets of rows, by thirds (Liang and Yuan, Theorem 8)",
}

# Cost and the groups that make it up.
Found = tuple[int, tuple[int, ...]]
NONE: Found = (NEVER, ())


def reason_against(problem: Problem, recursion: str) -> str | None:
    """Return why a literal recursion (``halves`` or ``thirds``) will not start, or None."""
    if recursion == "halves" and problem.requirements:
        return "Theorem 1.3 is for k-anonymity alone; take recursion 'thirds' or 'first_group'"
    if problem.types.n > MOST_ROWS:
        return f"the literal recursion {recursion!r} takes up to {MOST_ROWS} rows, not {problem.types.n}"
    return None


def least(problem: Problem, recursion: str, watch: Watch) -> Plan | None:
    """Return a least release by a literal recursion (``halves`` or ``thirds``); None where there is no release.

    The problem has at most 14 rows. Infeasible is raised if the watch said stop.
    """
    sets = Sets(problem)
    cost, groups = (halves if recursion == "halves" else thirds)(sets, watch)
    if cost >= NEVER:
        return None
    return as_plan(problem, [sets.group(members) for members in groups])


class Sets:
    """Sets of rows as groups.

    Attributes
    ----------
    rows : list of int
        Row type of each row.
    alone : bool
        Whether a group of fewer than k rows may be fully suppressed.
    cost : list of int
        Of every set as one group, `NEVER` where it is none.
    meets : list of bool
        Whether a set could be a release's rows at all, by the requirements and k: if two sets of groups do, so does
        their union.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.rows = np.repeat(np.arange(problem.types.t), problem.types.counts)
        self.n = self.rows.size
        self.alone = problem.outliers == "suppress" and problem.patterns.allows_full_suppression
        self._joins = join_types(problem)
        self._join = np.zeros(1 << self.n, np.int64)
        top = problem.row_costs(problem.top)
        group, member = np.nonzero(np.arange(1 << self.n)[:, None] >> np.arange(self.n) & 1)
        fit = meets(problem, group, self.rows[member], np.ones(group.size, np.int64), 1 << self.n)
        self.cost, self.meets = [NEVER], [True]
        for members in range(1, 1 << self.n):
            first = (members & -members).bit_length() - 1
            rest = members & (members - 1)
            kind = int(self.rows[first])
            self._join[members] = self._joins.table[self._join[rest], kind] if rest else self._joins.alone[kind]
            size = members.bit_count()
            crowd = size >= problem.k
            price = int(self._joins.price[self._join[members]]) if crowd else NEVER
            cost = size * price if price < NEVER else NEVER
            if not crowd and self.alone:
                cost = size * int(top[kind])
            self.cost.append(cost if fit[members] else NEVER)
            self.meets.append(bool(fit[members]) and (crowd or self.alone))

    def group(self, members: int) -> tuple[object, np.ndarray, np.ndarray]:
        """Return a set as `as_plan` takes it."""
        types = self.rows[[i for i in range(self.n) if members >> i & 1]]
        starred = members.bit_count() < self.problem.k
        vector = self.problem.top if starred else self._joins.vectors[self._join[members]]
        return vector, types, np.ones(types.size, np.int64)


def halves(sets: Sets, watch: Watch) -> Found:
    """Find the least cost of all rows by Theorem 1.3 of Blocki and Williams.

    The answer is the scaled cost and the groups as bit masks of rows; `NEVER` and none where there is no release.
    Infeasible is raised if the watch stopped it.

    Notes
    -----
    cost(S) = min of cost(T) + cost(S - T) over T in S with |S|/2 <= |T| <= |S|/2 + 2k, both parts >= k; one group if
    k <= |S| < 2k; infinite below k. Proof: groups of 2k rows or more can be cut in two, so all have fewer. Put the
    largest first; the shortest run of groups that holds half of the rows is T: without its last group it holds less
    than half, so |T| < |S|/2 + 2k, and it is not everything, or the last group, and hence the first, would be more
    than half. Where fully suppressed rows need no crowd, each of them is a group of one row, so parts may have any
    size, and the base is one group beside any of them.
    """
    k = sets.problem.k
    known: dict[int, Found] = {}

    def base(members: int) -> Found:
        best = NONE
        for group in _parts(members):
            rest = members ^ group
            if (rest and not sets.alone) or (group and group.bit_count() < k):
                continue
            cost = (sets.cost[group] if group else 0) + sum(sets.cost[one] for one in _singles(rest))
            if cost < best[0]:
                best = cost, (*((group,) if group else ()), *_singles(rest))
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


def thirds(sets: Sets, watch: Watch) -> Found:
    """Find the least cost of all rows by Theorem 8 of Liang and Yuan.

    The answer is the scaled cost and the groups as bit masks of rows; `NEVER` and none where there is no release.
    Infeasible is raised if the watch stopped it.

    Notes
    -----
    F(S) is infinite if S does not meet the requirements as a whole (two groups that do meet them together, so no way
    to cut S does), else the least of cost(G) + F(S - G) over groups G of more than |S|/2 rows, S among them, and of
    F(S1) + F(S - S1) over S1 with both sides at most 2|S|/3. Proof: if no group has more than half of the rows, take
    the two sides, made of whole groups, of least difference d. A larger side has two groups or more, each of at least
    d rows, or moving it across would lessen the difference: so it has at least 2d rows, at most twice the other's.
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
