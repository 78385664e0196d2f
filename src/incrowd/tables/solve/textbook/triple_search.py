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

The covering theorem is proved in ``docs/papers/matching.md`` from Edmonds' description of the perfect matchings of a
bridgeless cubic graph, step by step, with what tests each step; by title and abstract it is what Anshelevich and
Karagiozova prove.

References
----------
E. Anshelevich, A. Karagiozova, "Terminal backup, 3D matching, and covering cubic graphs", SIAM J. Comput. 40(3), 2011.
"""

from __future__ import annotations

import contextlib
import importlib.util
import time
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from incrowd.errors import Infeasible
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
from incrowd.tables.solve.textbook.simplex_matching import Edge, too_large
from incrowd.tables.values import Bound, Int64, Levels, Outliers, Problem, RowTypes, Solution

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from incrowd.tables.protocols import PatternSet

MOST_ROWS = 100
NEVER = 1 << 60  # above what any class costs
THEOREM = "no release is cheaper by the covering theorem (docs/papers/matching.md); the certificate says less"


@dataclass(frozen=True, kw_only=True)
class MatchingLocal:
    """Optimal release for k = 2 by local search over triples, in polynomial time.

    Parameters
    ----------
    most_rows : int, default 100
        Larger tables are declined.

    Notes
    -----
    The bound is that of the prices of a linear program with odd sets, in a certificate. Where the search ended by
    itself above it, the theorem says that nothing is cheaper: then `Bound.value` is the cost and `Bound.checked` what
    the certificate proves. Perfect matchings of least cost are NetworkX's.
    """

    name: ClassVar[str] = "matching_local"
    cites = ("BlockiWilliams2010", "AnshelevichKaragiozova2011")
    summary: ClassVar[str] = "optimal 2-anonymity by local search over triples of rows, for up to a hundred rows"
    most_rows: int = MOST_ROWS

    def declines(self, problem: Problem) -> str | None:
        """Return why this solver will not start on the problem, or None."""
        if importlib.util.find_spec("networkx") is None:
            return "matching_local needs NetworkX, which is not installed: pip install networkx"
        return reason_against(problem) or too_large(self.name, problem, self.most_rows)

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return a plan that no change of two triples betters.

        Infeasible is raised when no start was found, or none exists.
        """
        began = time.perf_counter()
        types = problem.types
        found = local_search(types, problem.levels, problem.patterns, outliers=problem.outliers, watch=watch)
        if found is None:
            raise Infeasible("no release was found for k=2 under this mask", requirement="k=2", proven=False)
        none = np.zeros(types.t, np.int64)
        plan = plan_of(problem, found.classes, found.suppressed, none)
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
    watch: Watch | None = None,
) -> LocalOptimum | None:
    """Return classes that no change of two triples betters; None if there are none.

    The watch may end the search with the
    best that was found. Of a solution cheaper than the best the reduced costs sum to at most the distance from the best
    cost to the sum of the prices: only triples within it are tried. O(n log cost) steps; each tries O((m + n)^2)
    changes, m <= n^3 / 6 the number of those triples, with a perfect matching of least cost in O(n^3) for each. On real
    tables the distance is 0 or a few units and m small. O(n^3) memory.
    """
    watch = watch or Watch()
    alone = outliers == "suppress" and patterns.allows_full_suppression
    core = core_of(
        metric(types.codes, levels, patterns), types.counts,
        expand=0, unpooled=np.ones(types.t, np.bool_), full_exit=alone, pools=False,
    )  # fmt: skip
    relaxed = relax(core, watch)
    if relaxed.done and relaxed.stranded and relaxed.bound >= core.far:
        return None
    start = quick(core, repaired(core, relaxed, watch), watch)
    certificate = _priced(core, relaxed, watch)
    search = _Triples(core, certificate, watch)
    if start is not None:
        lines, leaving = classes_of(*start)
        search.take([tuple(int(v) for v in line if v >= 0) for line in lines] + [(int(v),) for v in leaving])
    elif not search.matched([], core.far * (core.n + 1)):
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


def _priced(core: ActiveRows, relaxed: Relaxed, watch: Watch) -> Certificate:
    """Return prices of the linear program over all rows with the odd sets that were found, or the assignment's."""
    sure = certify(core, Prices(relaxed.y.astype(np.float64), (), np.zeros(0), sure=True))
    with contextlib.suppress(Stopped):
        program = OddSetProgram(core, relaxed.y, relaxed.unit, watch)
        program.grow(np.ones(core.n, np.bool_))
        if relaxed.done and program.optimise(watch):
            return max(certify(core, program.prices(), late(watch)), sure, key=lambda one: one.bound)
    return sure


# Sets of triples within two changes of each other, and the least matching of all other rows by pairs.
class _Triples:
    """The best solution so far, and the ways to better it by two triples at most; reduced costs are scaled."""

    def __init__(self, core: ActiveRows, prices: Certificate, watch: Watch) -> None:
        self.core, self.prices, self.watch = core, prices, watch
        self.best: list[Edge] = []
        self.cost = 0
        self.low = int(prices.y.sum() + prices.z.sum())
        held_by = np.zeros((core.n, len(prices.sets)), np.int64)
        for s, rows in enumerate(prices.sets):
            held_by[rows, s] = 1
        self.costs: dict[Edge, int] = {}
        self.spare: dict[Edge, int] = {}  # the reduced cost of each edge, at least 0
        for size in (1, 2, 3):
            edges = np.array(list(combinations(range(core.n), size)), np.int64).reshape(-1, size)
            lines = np.pad(edges, ((0, 0), (0, 3 - size)), constant_values=-1)
            cost = core.exits if size == 1 else size * core.metric.costs(lines)
            allowed = (cost < size * FAR) | (size == 1)
            edges, cost = edges[allowed], cost[allowed]
            odd = held_by[edges].sum(axis=1) % 2
            spare = cost * prices.scale - prices.y[edges].sum(axis=1) - odd @ prices.z
            names = [tuple(edge) for edge in edges.tolist()]
            self.costs.update(zip(names, cost.tolist(), strict=True))
            self.spare.update(zip(names, spare.tolist(), strict=True))
            self.triples, self.weights = edges, spare

    def take(self, edges: Sequence[Edge]) -> None:
        """Make this the best solution."""
        self.best = [tuple(sorted(edge)) for edge in edges]
        self.cost = sum(self.costs[edge] for edge in self.best)

    def run(self) -> bool:
        """Better the solution until nothing within two triples does; False when told to stop.

        First by steps of at least a power of two near the distance to the bound, then of half of it, down to 1. Where
        no step of d is left, the solution is less than n d above the least: O(n log cost) steps.
        """
        gap = self.cost - self.prices.bound
        step = 1 << max(gap.bit_length() - 1, 0)
        while step and gap > 0:
            while any(self.matched(triples, self.cost - step) for triples in self._around(self.cost - step)):
                pass
            if self.watch.stopped:
                return False
            step //= 2
        return True

    def _room(self, cost: int, kept: Sequence[Edge]) -> int:
        """Return what the reduced costs of all other edges sum to at most, if all together cost at most `cost`."""
        return cost * self.prices.scale - self.low - sum(self.spare[edge] for edge in kept)

    def _around(self, cost: int) -> Iterator[list[Edge]]:
        """Yield the sets of triples within two changes that may cost at most `cost`: small changes first."""
        have = [edge for edge in self.best if len(edge) == 3]
        for size in (0, 1, 2):
            for gone in (g for left in range(size + 1) for g in combinations(have, left)):
                kept = [t for t in have if t not in gone]
                room = self._room(cost, kept)
                for added in self._added([v for t in kept for v in t], size - len(gone), room):
                    if self.watch.stopped:
                        return
                    yield kept + added

    def _added(self, used: list[int], number: int, room: int) -> Iterator[list[Edge]]:
        """Yield disjoint triples of reduced costs of at most `room` together that hold no `used` row."""
        if number == 0:
            if room >= 0:
                yield []
            return
        near = np.flatnonzero((self.weights <= room) & ~np.isin(self.triples, used).any(axis=1))
        for place, at in enumerate(near.tolist()):
            first, left = self.triples[at].tolist(), room - int(self.weights[at])
            if number == 1:
                yield [tuple(first)]
                continue
            others = near[place + 1 :]
            others = others[(self.weights[others] <= left) & ~np.isin(self.triples[others], first).any(axis=1)]
            yield from ([tuple(first), tuple(other)] for other in self.triples[others].tolist())

    def matched(self, triples: Sequence[Edge], cost: int) -> bool:
        """Match all rows but those of the triples by pairs and single rows; True, and taken, if at most `cost`.

        An odd row out has a partner of its own, which is left over at no cost where all rows are paired.
        """
        import networkx as nx  # type: ignore[import-untyped]

        room = self._room(cost, triples)
        used = {v for triple in triples for v in triple}
        rest = [v for v in range(self.core.n) if v not in used]
        graph = nx.Graph()
        graph.add_nodes_from(rest)
        for u, v in combinations(rest, 2):
            if min(self.spare.get((u, v), NEVER), self.spare[u,] + self.spare[v,]) <= room:
                graph.add_edge(u, v, weight=-min(self.costs.get((u, v), NEVER), self.costs[u,] + self.costs[v,]))
        if len(rest) % 2:
            graph.add_weighted_edges_from((v, -1, -self.costs[v,]) for v in rest if self.spare[v,] <= room)
        mates = [tuple(sorted(pair)) for pair in nx.max_weight_matching(graph, maxcardinality=True)]
        if 2 * len(mates) < len(rest):
            return False
        edges = list(triples)
        for u, v in mates:
            alone: list[Edge] = [(w,) for w in (u, v) if w >= 0]
            paired = self.costs.get((u, v), NEVER) <= sum(self.costs[edge] for edge in alone)
            edges += [(u, v)] if paired else alone
        if sum(self.costs[edge] for edge in edges) > cost:
            return False
        self.take(edges)
        return True
