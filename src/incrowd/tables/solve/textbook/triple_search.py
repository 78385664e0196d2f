"""A local search over sets of triples for Simplex Matching.

For a set T of disjoint triples let F(T) be its cost plus a least perfect matching of all other rows by pairs (and
single rows, where they may be fully suppressed). The search stops at a T that no T' with at most two triples
added or taken away beats.

**What it rests on.** *Such a T is optimal*, if the covering theorem of Anshelevich and Karagiozova holds as we
state it. Let M be the solution of T, M* a better one. Common triples cancel; triples of M (A) and of M* (B) become
the nodes of a cubic multigraph whose edges are the alternating paths of pairs between them. A set of edges can
be switched if every A-node meets 0, 1 (a pair is left) or 3 of it and every B-node 0, 2 (a pair is used) or 3; an
A-node touched, or a B-node met 3 times, is *special*. Theorem: all-ones is a nonnegative combination of such
sets with at most two special nodes each. The single edges of an A-node get equal weight b, all three a, a + b = 1:
by the simplex condition the change there is at most -(a + 3 b) C + b (sum of its pairs) <= -C; at a B-node
a + 2 b = 1: at most a C + b (sum of pairs) <= C. In total <= C(M*) - C(M) < 0, so one of the sets improves, and it
changes at most two triples. Single rows: give each a partner row of its own; partners group at no cost.

We have not proved the covering theorem; the bound of a solution of this solver is therefore that of the assignment
prices alone.

References
----------
E. Anshelevich, A. Karagiozova, "Terminal backup, 3D matching, and covering cubic graphs", SIAM J. Comput. 40(3), 2011.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from incrowd.errors import Infeasible
from incrowd.kernels.matching.metric import FAR
from incrowd.milp import Program, rows_of, solve
from incrowd.progress import Watch
from incrowd.tables.solve.matching.active_rows import ActiveRows, core_of
from incrowd.tables.solve.matching.assignment_relaxation import relax
from incrowd.tables.solve.matching.certificate import certify
from incrowd.tables.solve.matching.groups_of_cycles import groups_of, quick, repaired
from incrowd.tables.solve.matching.metric import metric
from incrowd.tables.solve.matching.odd_set_lp import Prices
from incrowd.tables.solve.matching.plan import plan_of
from incrowd.tables.solve.matching.solver import reason_against
from incrowd.tables.solve.shared.status import ended
from incrowd.tables.solve.textbook.simplex_matching import too_large
from incrowd.tables.values import Bound, Int64, Levels, Outliers, Problem, RowTypes, Solution

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from incrowd.tables.protocols import PatternSet

__all__ = ["MatchingLocal", "local_search"]

MOST_ROWS = 400

Triple = tuple[int, int, int]
Edge = tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class MatchingLocal:
    """Release for k = 2 by local search over triples; optimal given the covering theorem.

    Parameters
    ----------
    most_rows : int, default 400
        Larger tables are declined.
    """

    name: ClassVar[str] = "matching_local"
    cites = ("BlockiWilliams2010",)
    summary: ClassVar[str] = "2-anonymity by local search over triples of rows, for a few hundred rows"
    most_rows: int = MOST_ROWS

    def declines(self, problem: Problem) -> str | None:
        """Return why this solver will not start on the problem, or None."""
        return reason_against(problem) or too_large(self.name, problem, self.most_rows)

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return a plan that no change of two triples betters.

        Raises
        ------
        Infeasible
            When no start was found, or none exists.
        """
        types = problem.types
        found = local_search(types, problem.levels, problem.patterns, outliers=problem.outliers, watch=watch)
        if found is None:
            raise Infeasible("no release was found for k=2 under this mask", requirement="k=2", proven=False)
        groups, suppressed, cost, bound = found
        plan = plan_of(types.codes, problem.levels, problem.patterns, groups, suppressed, np.zeros(types.t, np.int64))
        status = ended(cost, bound, watch)
        return Solution(plan, Bound(bound, bound, "assignment prices"), status, self.name)


def local_search(
    types: RowTypes,
    levels: tuple[Levels, ...],
    patterns: PatternSet,
    *,
    outliers: Outliers = "forbid",
    sens: NDArray[np.integer] | None = None,
    watch: Watch | None = None,
) -> tuple[Int64, Int64, int, int] | None:
    """Return groups of types, types of single rows, their cost and a lower bound; None if there is no start.

    Parameters
    ----------
    types : RowTypes
    levels : tuple[Levels, ...]
        Of each column.
    patterns : PatternSet
        That are allowed.
    outliers : Outliers
        Whether fully suppressed rows need a crowd.
    sens : (t, s) int
        Sensitive codes, no two of which may be equal in a group.
    watch : Watch or None
        May end the search with the best that was found.

    Notes
    -----
    With prices y of the assignment relaxation F(T) >= sum y + sum of rc over T, so a T' that betters the best
    cost has no triple with rc at or above the gap between the two: only such triples and pairs are looked at. A
    gap of g leaves O(log g) rounds in the best case and at most g; each tries up to m^2 / 2 changes, m the number
    of those triples, with a small integer program for the pairs of each.
    """
    watch = watch or Watch()
    alone = outliers == "suppress" and sens is None and patterns.allows_full_suppression
    core = core_of(
        metric(types.codes, levels, patterns, sens), types.counts,
        expand=0, unpooled=np.ones(types.t, np.bool_), full_exit=alone, pools=False,
    )  # fmt: skip
    relaxed = relax(core, watch)
    bound = certify(core, Prices(relaxed.y.astype(np.float64), (), np.zeros(0), sure=True)).bound
    if relaxed.done and relaxed.stranded and relaxed.bound >= core.far:
        return None
    start = quick(core, repaired(core, relaxed, watch), watch)
    search = _Search(core, relaxed.y, watch)
    if start is not None:
        lines, leaving = groups_of(*start)
        search.take([tuple(int(v) for v in line if v >= 0) for line in lines] + [(int(v),) for v in leaving])
    else:
        # Any start will do: rows without a partner stay alone, dearer than any solution.
        search.pairs_of(frozenset(), 2 * core.far * (core.n + 1))
    search.run()
    if any(len(edge) == 1 and not core.real[edge[0]] for edge in search.best):
        return None
    unit = core.metric.divisor
    edges = [[*edge, -1][:3] for edge in search.best if len(edge) > 1]
    groups = np.array(edges, np.int64).reshape(-1, 3)
    groups = np.where(groups >= 0, core.who[groups], -1)
    single = core.who[[edge[0] for edge in search.best if len(edge) == 1]]
    return groups, single.astype(np.int64), search.cost * unit, bound * unit


class _Search:
    """The best solution so far, and the ways to better it."""

    def __init__(self, core: ActiveRows, y: Int64, watch: Watch) -> None:
        self.core, self.y, self.watch = core, y, watch
        self.base = int(y.sum())
        self.best: list[Edge] = []
        self.cost = 0
        n = core.n
        left, right = np.triu_indices(n, 1)
        lines = np.column_stack((left, right, np.full(left.size, -1)))
        cost = 2 * core.metric.costs(lines)
        slack = cost - y[left] - y[right]
        allowed = cost < 2 * FAR
        self.pairs = {
            (int(u), int(v)): int(s) for u, v, s in zip(left[allowed], right[allowed], slack[allowed], strict=True)
        }
        self.single = {v: int(core.exits[v] - y[v]) for v in range(n)}

    def slack(self, edge: Edge) -> int:
        """Return rc of a pair, triple or single row."""
        if len(edge) == 1:
            return self.single[edge[0]]
        if len(edge) == 2:
            return self.pairs[(edge[0], edge[1])]
        return 3 * int(self.core.metric.costs(np.array([edge]))[0]) - int(self.y[list(edge)].sum())

    def take(self, edges: list[Edge]) -> None:
        """Make this the best solution."""
        self.best = [tuple(sorted(edge)) for edge in edges]
        self.cost = self.base + sum(map(self.slack, self.best))

    def run(self) -> None:
        """Better the solution until nothing within two triples does."""
        while not self.watch.stopped and any(self.pairs_of(T, self.cost) for T in self.around()):
            pass

    def around(self) -> Iterator[frozenset[Triple]]:
        """Yield the sets of triples within two changes that may be better, small changes first."""
        gap = self.cost - self.base
        have = frozenset(edge for edge in self.best if len(edge) == 3)
        fresh = {t: s for t, s in self.light(gap).items() if t not in have}
        old = {t: self.slack(t) for t in have}
        held = sum(old.values())
        changes: list[tuple[Triple, ...]] = [(t,) for t in (*old, *fresh)]
        changes += combinations((*old, *fresh), 2)
        for change in changes:
            after = held + sum(-old[t] if t in old else fresh[t] for t in change)
            target = have.symmetric_difference(change)
            if after < gap and len({v for t in target for v in t}) == 3 * len(target):
                yield target
            if self.watch.stopped:
                return

    def light(self, gap: int) -> dict[Triple, int]:
        """Return the triples with rc < gap; the rc of their pairs sum to less than 2 gap."""
        near: dict[int, set[int]] = {}
        for (u, v), s in self.pairs.items():
            if s < 2 * gap:
                near.setdefault(u, set()).add(v)
        lines = [(u, v, w) for u in near for v in near[u] if v in near for w in near[u] & near[v]]
        if not lines:
            return {}
        found = np.array(lines, np.int64)
        cost = 3 * self.core.metric.costs(found)
        slack = cost - self.y[found].sum(axis=1)
        keep = (slack < gap) & (cost < 3 * FAR)
        return {lines[at]: int(slack[at]) for at in np.flatnonzero(keep)}

    def pairs_of(self, T: frozenset[Triple], below: int) -> bool:
        """Match the rest by pairs and single rows; True if the whole then costs less than `below`, and is taken."""
        gap = below - self.base - sum(map(self.slack, T))
        inside = {v for t in T for v in t}
        rest = [v for v in range(self.core.n) if v not in inside]
        edges: list[Edge] = [e for e, s in self.pairs.items() if s < gap and e[0] not in inside and e[1] not in inside]
        edges += [(v,) for v, s in self.single.items() if s < gap and v not in inside]
        if not rest:
            if gap > 0:
                self.take(list(T))
            return gap > 0
        place = {v: at for at, v in enumerate(rest)}
        entry = np.array([(place[v], c) for c, e in enumerate(edges) for v in e], np.int64).reshape(-1, 2)
        if np.unique(entry[:, 0]).size < len(rest):
            return False
        ones = np.ones(len(rest))
        slack = np.array([self.slack(e) for e in edges], np.float64)
        program = Program(
            slack, np.zeros(len(edges)), np.ones(len(edges)), np.ones(len(edges), np.bool_),
            rows_of([(entry[:, 0], entry[:, 1], np.ones(len(entry)))], [(ones, ones)]),
        )  # fmt: skip
        answer = solve(program, watch=self.watch, abs_gap=0.5)
        if answer.x is None:
            return False
        chosen = [edges[c] for c in np.flatnonzero(answer.x > 0.5)]
        if sum(map(self.slack, chosen)) >= gap or sorted(v for e in chosen for v in e) != rest:
            return False
        self.take([*T, *chosen])
        return True
