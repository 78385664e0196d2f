"""Simplex Matching by local search over sets of triples, in polynomial time.

For a set T of disjoint triples let F(T) be its cost plus a least perfect matching of all other rows by pairs (and
single rows, where they may be fully suppressed). The search stops at a T that no T' with at most two triples
added or taken away betters; *such a T is optimal*.

Let M be the solution of T, M* a better one. Common triples cancel; triples of M (A) and of M* (B) become the nodes
of a cubic multigraph whose edges are the alternating paths of pairs between them. A set of edges can be switched if
every A-node meets 0, 1 (a pair is left) or 3 of it and every B-node 0, 2 (a pair is used) or 3; an A-node touched, or
a B-node met 3 times, is *special*. Covering theorem: all-ones is a nonnegative combination of such sets with at most
two special nodes each. The single edges of an A-node get equal weight b, all three a, a + b = 1: by the simplex
condition the change there is at most -(a + 3 b) C + b (sum of its pairs) <= -C; at a B-node a + 2 b = 1: at most
a C + b (sum of pairs) <= C. In total <= C(M*) - C(M) < 0, so one of the sets improves, and it changes at most two
triples. Their weights sum to n at most, so the best of them gains a share of 1/n of the distance to the optimum.
Single rows: give each a partner row of its own; partners group at no cost.

The covering theorem is proved in ``papers/matching.md`` from Edmonds' description of the perfect matchings of a
bridgeless cubic graph, step by step, with what tests each step; by title and abstract it is what Anshelevich and
Karagiozova prove.

References
----------
E. Anshelevich, A. Karagiozova, "Terminal backup, 3D matching, and covering cubic graphs", SIAM J. Comput. 40(3), 2011.
"""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.solve.matching.active_rows import ActiveRows, core_of
from incrowd.tables.solve.matching.assignment_relaxation import Relaxed, relax
from incrowd.tables.solve.matching.certificate import Certificate, certify
from incrowd.tables.solve.matching.groups_of_cycles import groups_of, quick, repaired
from incrowd.tables.solve.matching.limits import Stopped, late
from incrowd.tables.solve.matching.metric import metric
from incrowd.tables.solve.matching.odd_set_lp import OddSetProgram, Prices
from incrowd.tables.solve.matching.plan import plan_of
from incrowd.tables.solve.matching.solver import NAME, VERSION, reason_against
from incrowd.tables.solve.shared.certificate_head import head
from incrowd.tables.solve.shared.status import ended
from incrowd.tables.solve.textbook.simplex_matching import too_large
from incrowd.tables.solve.textbook.triple_changes import TripleChanges
from incrowd.tables.values import Bound, Int64, Levels, Outliers, Problem, RowTypes, Solution

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.protocols import PatternSet

__all__ = ["LocalOptimum", "MatchingLocal", "local_search"]

MOST_ROWS = 400
THEOREM = "no release is cheaper by the covering theorem (papers/matching.md); the certificate says less"


@dataclass(frozen=True, kw_only=True)
class MatchingLocal:
    """Optimal release for k = 2 by local search over triples, in polynomial time.

    Parameters
    ----------
    most_rows : int, default 400
        Larger tables are declined.
    odd_sets : bool, default True
        Whether a linear program with odd sets prices the rows first: it leaves next to no changes to try, but is
        itself not polynomial in the worst case. What is found does not depend on it.

    Notes
    -----
    The bound is that of the prices, in a certificate. Where the search ended by itself above it, the theorem says that
    nothing is cheaper: then `Bound.value` is the cost and `Bound.checked` what the certificate proves.
    """

    name: ClassVar[str] = "matching_local"
    cites = ("BlockiWilliams2010", "AnshelevichKaragiozova2011")
    summary: ClassVar[str] = "optimal 2-anonymity by local search over triples of rows, for a few hundred rows"
    most_rows: int = MOST_ROWS
    odd_sets: bool = True

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
        began = time.perf_counter()
        types = problem.types
        found = local_search(
            types, problem.levels, problem.patterns, outliers=problem.outliers, watch=watch, odd_sets=self.odd_sets
        )
        if found is None:
            raise Infeasible("no release was found for k=2 under this mask", requirement="k=2", proven=False)
        none = np.zeros(types.t, np.int64)
        plan = plan_of(types.codes, problem.levels, problem.patterns, found.groups, found.suppressed, none)
        cost = plan.cost(problem)
        checked = min(found.bound, cost)
        bound = Bound(cost if found.done and cost <= found.cost else checked, checked, "assignment prices, odd sets")
        notes = (THEOREM,) if checked < bound.value else ()
        certificate = {
            **head(problem, cost, bound, NAME, VERSION),
            "diverse": False,
            "matching": found.certificate.as_dict(),
        }
        seconds = {"solve": time.perf_counter() - began}
        status = ended(cost, bound.value, watch, cut_short=not found.done)
        return Solution(plan, bound, status, self.name, seconds, notes, certificate)


@dataclass(frozen=True, eq=False)
class LocalOptimum:
    """Groups that no change of two triples betters.

    Attributes
    ----------
    groups : (g, 3) int64
        Pairs and triples of row types, -1 for no third.
    suppressed : (s,) int64
        Types of single rows that are fully suppressed.
    cost, bound : int
        In the units of the levels' costs: of these groups, and proven by the certificate.
    done : bool
        Whether the search ended by itself.
    certificate : Certificate
    """

    groups: Int64
    suppressed: Int64
    cost: int
    bound: int
    done: bool
    certificate: Certificate


def local_search(
    types: RowTypes,
    levels: tuple[Levels, ...],
    patterns: PatternSet,
    *,
    outliers: Outliers = "forbid",
    sens: NDArray[np.integer] | None = None,
    watch: Watch | None = None,
    odd_sets: bool = True,
) -> LocalOptimum | None:
    """Return groups that no change of two triples betters; None if there are none.

    The `levels` are those of each column, and the `patterns` those that are allowed. `outliers` says whether fully
    suppressed rows need a crowd. `sens` is (t, s): sensitive codes, no two of which may be equal in a group. The watch
    may end the search with the best that was found. `odd_sets` says whether prices of a linear program with odd sets
    say which changes cannot help.

    Notes
    -----
    Of a solution cheaper than the best the reduced costs sum to at most the distance from the best cost to the sum of
    the prices: only triples within it are tried. O(n log cost) steps; each tries O((m + n)^2) changes, m <= n^3 / 6
    the number of those triples, with a perfect matching of least cost in O(n^3) for each
    (`incrowd.kernels.matching.blossom`). On real tables the gap is 0 or a few units and m small. O(n^2 + m) memory.
    """
    watch = watch or Watch()
    alone = outliers == "suppress" and sens is None and patterns.allows_full_suppression
    core = core_of(
        metric(types.codes, levels, patterns, sens), types.counts,
        expand=0, unpooled=np.ones(types.t, np.bool_), full_exit=alone, pools=False,
    )  # fmt: skip
    relaxed = relax(core, watch)
    certificate = certify(core, Prices(relaxed.y.astype(np.float64), (), np.zeros(0), sure=True))
    if relaxed.done and relaxed.stranded and relaxed.bound >= core.far:
        return None
    start = quick(core, repaired(core, relaxed, watch), watch)
    search = TripleChanges(core, relaxed.y if relaxed.done else relaxed.y * 0, watch)
    if start is not None:
        lines, leaving = groups_of(*start)
        search.take([tuple(int(v) for v in line if v >= 0) for line in lines] + [(int(v),) for v in leaving])
        search.alone = bool(core.real.any())
        if odd_sets and relaxed.done and search.cost > certificate.bound:
            better = _priced(core, relaxed, watch)
            # what leaves changes out is what the certificate says, and no other prices
            if better is not None and better.bound >= certificate.bound:
                certificate = better
                search.prune_by(better)
    elif not search.matched([], 2 * core.far * (core.n + 1)):
        # Any start will do: rows without a partner stay alone, dearer than any solution.
        return None
    done = search.run()
    if any(len(edge) == 1 and not core.real[edge[0]] for edge in search.best):
        return None
    unit = core.metric.divisor
    edges = [[*edge, -1][:3] for edge in search.best if len(edge) > 1]
    groups = np.array(edges, np.int64).reshape(-1, 3)
    groups = np.where(groups >= 0, core.who[groups], -1)
    single = core.who[[edge[0] for edge in search.best if len(edge) == 1]]
    bound = max(certificate.bound, 0) * unit
    return LocalOptimum(groups, single.astype(np.int64), search.cost * unit, bound, done, certificate)


def _priced(core: ActiveRows, relaxed: Relaxed, watch: Watch) -> Certificate | None:
    """Return prices of the linear program over all rows with the odd sets that were found; None when told to stop."""
    with contextlib.suppress(Stopped):
        program = OddSetProgram(core, relaxed.y, relaxed.unit, watch)
        program.grow(np.ones(core.n, np.bool_))
        if program.optimise(watch):
            return certify(core, program.prices(), late(watch))
    return None
