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
Single rows: give each a partner row of its own; partners class at no cost.

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
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from incrowd.errors import Infeasible
from incrowd.kernels.matching.blossom import FORBIDDEN, least_perfect
from incrowd.kernels.matching.metric import FAR
from incrowd.progress import Watch
from incrowd.tables.solve.matching.all_pairs import ActiveRows, core_of
from incrowd.tables.solve.matching.assignment_relaxation import Relaxed, classes_of, quick, relax, repaired
from incrowd.tables.solve.matching.metric import metric
from incrowd.tables.solve.matching.odd_set_lp import OddSetProgram, Prices
from incrowd.tables.solve.matching.optimal import Certificate, certify
from incrowd.tables.solve.matching.solver import NAME, VERSION, plan_of, reason_against
from incrowd.tables.solve.matching.tuning import Stopped, late
from incrowd.tables.solve.shared.status import ended, head
from incrowd.tables.solve.textbook.simplex_matching import too_large
from incrowd.tables.values import Bound, Int64, Levels, Outliers, Problem, RowTypes, Solution

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from incrowd.tables.protocols import PatternSet

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

        Infeasible is raised when no start was found, or none exists.
        """
        began = time.perf_counter()
        types = problem.types
        found = local_search(
            types, problem.levels, problem.patterns, outliers=problem.outliers, watch=watch, odd_sets=self.odd_sets
        )
        if found is None:
            raise Infeasible("no release was found for k=2 under this mask", requirement="k=2", proven=False)
        none = np.zeros(types.t, np.int64)
        plan = plan_of(types.codes, problem.levels, problem.patterns, found.classes, found.suppressed, none)
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
    """Classes that no change of two triples betters.

    `classes`: (g, 3) int64, pairs and triples of row types, -1 for no third. `suppressed`: (s,) int64, types of single
    rows that are fully suppressed. `cost`, `bound`: in the units of the levels' costs: of these classes, and proven by
    the certificate. `done`: whether the search ended by itself.
    """

    classes: Int64
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
    """Return classes that no change of two triples betters; None if there are none.

    The `levels` are those of each column, and the `patterns` those that are allowed. `outliers` says whether fully
    suppressed rows need a crowd. `sens` is (t, s): sensitive codes, no two of which may be equal in a class. The watch
    may end the search with the best that was found. `odd_sets` says whether prices of a linear program with odd sets
    say which changes cannot help. Of a solution cheaper than the best the reduced costs sum to at most the distance
    from the best cost to the sum of the prices: only triples within it are tried. O(n log cost) steps; each tries O((m
    + n)^2) changes, m <= n^3 / 6 the number of those triples, with a perfect matching of least cost in O(n^3) for each
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
        lines, leaving = classes_of(*start)
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
    classes = np.array(edges, np.int64).reshape(-1, 3)
    classes = np.where(classes >= 0, core.who[classes], -1)
    single = core.who[[edge[0] for edge in search.best if len(edge) == 1]]
    bound = max(certificate.bound, 0) * unit
    return LocalOptimum(classes, single.astype(np.int64), search.cost * unit, bound, done, certificate)


def _priced(core: ActiveRows, relaxed: Relaxed, watch: Watch) -> Certificate | None:
    """Return prices of the linear program over all rows with the odd sets that were found; None when told to stop."""
    with contextlib.suppress(Stopped):
        program = OddSetProgram(core, relaxed.y, relaxed.unit, watch)
        program.grow(np.ones(core.n, np.bool_))
        if program.optimise(watch):
            return certify(core, program.prices(), late(watch))
    return None


# Sets of triples within two changes of each other, and the least matching of all other rows by pairs.
Edge = tuple[int, ...]
FAR_OFF = 1 << 40  # above what any pair or triple costs


class TripleChanges:
    """The best solution so far, and the ways to better it by two triples at most.

    `y` is (n,): prices under which no pair, triple or single row is too cheap. O(n^2) memory beside the triples that
    are light enough to be tried.
    """

    def __init__(self, core: ActiveRows, y: Int64, watch: Watch) -> None:
        self.core, self.y, self.watch = core, y, watch
        self.base = int(y.sum())
        self.best: list[Edge] = []
        self.cost = 0
        n = core.n
        left, right = np.triu_indices(n, 1)
        cost = 2 * core.metric.costs(np.column_stack((left, right, np.full(left.size, -1))))
        self.pair_costs: Int64 = np.full((n, n), FORBIDDEN, np.int64)
        allowed = cost < 2 * FAR
        self.pair_costs[left[allowed], right[allowed]] = cost[allowed]
        self.pair_costs = np.minimum(self.pair_costs, self.pair_costs.T)
        self.slack = np.where(self.pair_costs < FORBIDDEN, self.pair_costs - y[:, None] - y[None, :], FORBIDDEN)
        self.single: Int64 = core.exits - y
        apart = self.single[:, None] + self.single[None, :]
        self.split = apart < self.slack
        self.least = np.where(self.split, apart, self.slack)
        self.alone = True  # whether rows may stay single
        self._prices(y, (), np.zeros(0, np.int64), 1)

    # --- prices that say which changes cannot help ----------------------------------------------------------------

    def prune_by(self, certificate: Certificate) -> None:
        """Take better prices, in the units of a certificate over the same core."""
        if int(certificate.y.sum() + certificate.z.sum()) > self.low * certificate.scale // self.scale:
            self._prices(certificate.y, certificate.sets, certificate.z, certificate.scale)

    def _prices(self, y: Int64, sets: Sequence[Int64], z: Int64, scale: int) -> None:
        """Price rows and odd sets: reduced costs are cost * scale less the rows' prices and those of the sets cut."""
        n = self.core.n
        self.scale, self.row_prices, self.z = scale, y, z
        self.low = int(y.sum() + z.sum())
        self.held_by = np.zeros((n, len(sets)), np.int64)
        for s, rows in enumerate(sets):
            self.held_by[rows, s] = 1
        weighed = self.held_by * z
        both = weighed @ self.held_by.T
        each = weighed.sum(axis=1)
        cut = each[:, None] + each[None, :] - 2 * both
        reduced = self.pair_costs * scale if scale == 1 else np.minimum(self.pair_costs, FAR_OFF) * scale
        reduced = reduced - y[:, None] - y[None, :] - cut
        self.reduced = np.where(self.pair_costs < FORBIDDEN, reduced, FORBIDDEN)
        self.both = both

    def room(self, cost: int) -> int:
        """Return what the reduced costs of a solution sum to at most, if it costs at most `cost`."""
        return cost * self.scale - self.low

    def weights(self, triples: Int64) -> tuple[Int64, Int64]:
        """Return the reduced costs of triples (x, 3), and what they cost; `FORBIDDEN` where they are not allowed."""
        cost = 3 * self.core.metric.costs(triples)
        odd = self.held_by[triples].sum(axis=1) % 2
        reduced = np.minimum(cost, FAR_OFF) * self.scale - self.row_prices[triples].sum(axis=1) - odd @ self.z
        return np.where(cost < 3 * FAR, reduced, FORBIDDEN), cost

    def light(self, most: int) -> tuple[Int64, Int64]:
        """Return the triples (x, 3) whose reduced cost is at most `most`, lightest first, with these.

        Of each its three pairs have at most 2 `most` together and twice the price of the sets that hold it.
        """
        near = self.reduced <= 2 * (most + self.both)
        np.fill_diagonal(near, val=False)
        near = np.triu(near)
        found, weights = [np.zeros((0, 3), np.int64)], [np.zeros(0, np.int64)]
        for u in range(self.core.n):
            if self.watch.stopped:
                break
            v, w = np.nonzero(near[u][:, None] & near & near[u][None, :])
            if v.size:
                triples = np.column_stack((np.full(v.size, u), v, w)).astype(np.int64)
                weight, _ = self.weights(triples)
                found.append(triples[weight <= most])
                weights.append(weight[weight <= most])
        triples, weight = np.concatenate(found), np.concatenate(weights)
        order = np.argsort(weight, kind="stable")
        return triples[order], weight[order]

    # --- the search -----------------------------------------------------------------------------------------------

    def take(self, edges: Sequence[Edge]) -> None:
        """Make this the best solution."""
        self.best = [tuple(sorted(edge)) for edge in edges]
        self.cost = self.base + sum(map(self._slack_of, self.best))

    def _slack_of(self, edge: Edge) -> int:
        if len(edge) == 1:
            return int(self.core.exits[edge[0]] - self.y[edge[0]])
        if len(edge) == 2:
            return int(self.slack[edge])
        return 3 * int(self.core.metric.costs(np.array([edge]))[0]) - int(self.y[list(edge)].sum())

    def run(self) -> bool:
        """Better the solution until nothing within two triples does; False when told to stop.

        First by steps of at least a power of two near the distance to the bound, then of half of it, down to 1. Where
        no step of d is left, the solution is less than n d above the least: O(n log cost) steps.
        """
        gap = self.cost - -(-self.low // self.scale)
        step = 1 << max(gap.bit_length() - 1, 0)
        while step and gap > 0:
            while self._better(self.cost - step):
                pass
            if self.watch.stopped:
                return False
            step //= 2
        return True

    def _better(self, cost: int) -> bool:
        """Look for a solution of at most `cost` within two triples, and take the first."""
        if self.room(cost) < 0:
            return False
        return any(self.matched(triples, cost) for triples in self._around(cost))

    def _around(self, cost: int) -> Iterator[list[Edge]]:
        """Yield the sets of triples within two changes that may cost at most `cost`: small changes first."""
        have = [edge for edge in self.best if len(edge) == 3]
        held = dict(zip(have, self.weights(np.array(have, np.int64).reshape(-1, 3))[0].tolist(), strict=True))
        total, room = sum(held.values()), self.room(cost)
        most = room - total + sum(sorted(held.values())[-1:])
        triples, weights = self.light(max(most, room - total))
        fresh = np.array([tuple(t) not in held for t in triples.tolist()], np.bool_)
        triples, weights = triples[fresh], weights[fresh]
        sizes = (0, 2) if not self.alone else (0, 1, 2)
        for size in sizes:
            for gone in (g for left in range(size + 1) for g in combinations(have, left)):
                kept = [t for t in have if t not in gone]
                rest = room - total + sum(held[t] for t in gone)
                for added in self._added(triples, weights, kept, size - len(gone), rest):
                    if self.watch.stopped:
                        return
                    yield kept + added

    def _added(
        self, triples: Int64, weights: Int64, kept: Sequence[Edge], number: int, room: int
    ) -> Iterator[list[Edge]]:
        """Yield disjoint triples of reduced costs of at most `room` together that share no row with those kept."""
        if number == 0:
            if room >= 0:
                yield []
            return
        used = np.zeros(self.core.n, np.bool_)
        used[[v for t in kept for v in t]] = True
        free = ~used[triples].any(axis=1)
        triples, weights = triples[free], weights[free]
        if number == 1:
            for t in triples[weights <= room].tolist():
                yield [tuple(t)]
            return
        for i in range(len(triples)):
            until = int(np.searchsorted(weights, room - weights[i], side="right"))
            others = triples[i + 1 : until]
            if until <= i or self.watch.stopped:
                return
            if not others.size:
                continue
            apart = ~(others[:, :, None] == triples[i][None, None, :]).any(axis=(1, 2))
            for t in others[apart].tolist():
                yield [tuple(triples[i].tolist()), tuple(t)]

    def matched(self, triples: Sequence[Edge], cost: int) -> bool:
        """Match all rows but those of the triples by pairs and single rows; True, and taken, if at most `cost`.

        The triples are disjoint, and `cost` is in units of the divisor.
        """
        most = cost - self.base - sum(map(self._slack_of, triples))
        outside = np.ones(self.core.n, np.bool_)
        outside[[v for t in triples for v in t]] = False
        rest = np.flatnonzero(outside)
        odd = rest.size % 2
        if most < 0 or (odd and not self.alone):
            return False
        size = rest.size + odd
        graph = np.full((size, size), FORBIDDEN, np.int64)
        graph[: rest.size, : rest.size] = self.least[np.ix_(rest, rest)]
        if odd:
            graph[-1, :-1] = graph[:-1, -1] = self.single[rest]
        graph[graph > most] = FORBIDDEN
        mate = self._begun(rest, graph)
        if not least_perfect(graph, mate, most):
            return False
        edges = list(triples)
        for i, j in enumerate(mate[: rest.size].tolist()):
            u = int(rest[i])
            if j == rest.size:
                edges.append((u,))
            elif i < j:
                v = int(rest[j])
                edges += [(u,), (v,)] if self.split[u, v] else [(u, v)]
        self.take(edges)
        return True

    def _begun(self, rest: Int64, graph: Int64) -> NDArray[np.int64]:
        """Return the pairs of the best solution that have no slack and are still there."""
        mate = np.full(len(graph), -1, np.int64)
        place = np.full(self.core.n, -1, np.int64)
        place[rest] = np.arange(rest.size)
        for edge in self.best:
            if len(edge) == 2:
                i, j = place[list(edge)]
                if i >= 0 and j >= 0 and graph[i, j] == 0:
                    mate[i], mate[j] = j, i
        return mate
