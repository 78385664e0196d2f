"""The optimum under a chain of patterns, by dynamic programming over the forest of its instances.

Allowed level vectors v_0 < v_1 < ... < v_L, each above the one before in every column. What a row shows under v_(i+1)
follows from what it shows under v_i, so the instances form a forest: the parent of an instance of v_i is the instance
of v_(i+1) that its rows agree with. A release sends every row from the leaf it agrees with up to the instance it is
released in, where an instance holds 0 or at least k rows.

**Rows are interchangeable.** All rows below a node agree with the node and its ancestors and cost the same there, so
only numbers matter. Let F_x(j) be the least cost of the rows below node x that are released at x or below, if exactly
j of them are released above x. With s rows arriving from the children, whose shares add up to s,

    F_x(j) = min over s = j or s >= j + k of  (least sum of F_y(j_y), sum j_y = s) + (s - j) w_x,

at a leaf s is its rows. The optimum is the sum of F_x(0) over the roots. By induction over the forest F_x is what it
is said to be. The fully suppressed root needs no k where outliers may be suppressed: there s >= j is allowed.

**How many go up.** Some optimum sends at most h k + k - 1 rows above a node with h proper ancestors. Take an optimum of
least sum of levels. If more rows from below x are released above it, leave k of them (or all there are) with each
ancestor and take the others, at least k, to x: no ancestor's class falls below k, x has k, no row costs more (costs do
not fall along the chain), and levels fall: a contradiction.

**What arrives.** Of more than cap_x + k rows arriving at x all above that number stay at x whatever goes up, so they
are paid for at once, and tables have cap_x + k + 1 entries.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import Infeasible
from incrowd.kernels.dynamic_programs import NEVER, sent_up, settle
from incrowd.tables.row_numbers import before_each, row_numbers
from incrowd.tables.solve.shared.partial_plan import as_plan
from incrowd.tables.solve.shared.refusals import beyond_k
from incrowd.tables.solve.shared.status import ended
from incrowd.tables.values import Bound, Int8, Int64, Plan, Problem, Solution

if TYPE_CHECKING:
    from incrowd.progress import Watch


PIECE = 50_000_000  # steps between two looks at the watch, about a tenth of a second


@dataclass(frozen=True, kw_only=True)
class Chain:
    """The optimum for every k where the allowed patterns are nested, for example one hierarchy, or columns in order.

    Parameters
    ----------
    most_mb : int, default 1024
        Memory of its tables up to which it starts, at least 1.

    Notes
    -----
    With a forest of v nodes and h levels O(v h^2 k^2) time and O(v h k) memory, and never more than O(n^2) time a
    level. Its word is the bound's proof.

    References
    ----------
    The question "for which masks is the problem easy" is that of R. Bredereck, A. Nichterlein, R. Niedermeier,
    "Pattern-Guided k-Anonymity", Algorithms 2013, 6(4); this case is proved in the module.
    """

    most_mb: int = 1024
    name: str = field(default="chain", init=False)
    cites = ("BredereckNichterleinNiedermeier2013",)
    summary: str = field(default="the optimum for every k where the allowed patterns are nested", init=False)

    def declines(self, problem: Problem) -> str | None:
        """Return why the solver will not start: other requirements, patterns that are no chain, or too large tables."""
        reason = beyond_k(problem)
        if reason is not None:
            return reason
        vectors = chain_of(problem)
        if vectors is None:
            return "its patterns must be nested in each other (a chain), and these are not; take solver 'exact'"
        megabytes = sum(forest_of(problem, vectors).entries()) * 8 >> 20
        if megabytes > self.most_mb:
            return f"its tables would take {megabytes} MB, more than {self.most_mb}; take solver 'exact'"
        return None

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return the least release.

        Infeasible is raised if there is no release. When the time is over before it is done, all rows go under the last
        pattern.
        """
        begun = time.perf_counter()
        vectors = chain_of(problem)
        assert vectors is not None
        forest = forest_of(problem, vectors)
        _refuse_hopeless(problem, forest)
        entries, shares = forest.entries()
        begin = np.concatenate(([0], np.cumsum(forest.cap + 1))).astype(np.int64)
        best = np.full(entries, NEVER, np.int64)
        arrived = np.zeros(entries, np.int32)
        share = np.zeros((shares, 2), np.int32)
        node = used = 0
        while node < forest.parent.size:
            if watch.stopped:
                return self._cut_short(problem, vectors, watch, begun)
            node, used = settle(
                forest.first, forest.child, forest.rows, forest.cost, forest.need, forest.cap, begin, best, arrived,
                share, node, used, PIECE,
            )  # fmt: skip
        roots = np.flatnonzero(forest.parent < 0)
        sent = sent_up(forest.first, forest.child, forest.need, forest.cap, begin, arrived, share)
        plan = _plan(problem, vectors, forest, sent)
        cost = int(best[begin[roots]].sum())
        watch.report("solve", cost=cost, lower_bound=cost)
        bound = Bound(cost, 0, "dynamic programming over a chain of patterns")
        return Solution(plan, bound, ended(cost, bound.value, watch), self.name, {"solve": time.perf_counter() - begun})

    def _cut_short(self, problem: Problem, vectors: Int8, watch: Watch, begun: float) -> Solution:
        """Return all rows under the last pattern: what there was no time for may put them under lower ones."""
        plan = as_plan(problem, [(vectors[-1], np.arange(problem.types.t), problem.types.counts)])
        cost = plan.cost(problem)
        bound = Bound(int((problem.row_costs(vectors[0]) * problem.types.counts).sum()), 0, "per row")
        watch.report("solve", cost=cost, lower_bound=bound.value)
        return Solution(plan, bound, ended(cost, bound.value, watch), self.name, {"solve": time.perf_counter() - begun})


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """The instances of a chain, those of v_0 first, in numbers.

    `node`: (L + 1, t) int64, node of every row type under each vector. `parent`: (v,) int64, -1 for a root. `first`,
    `child`: (v + 1,), (c,) int64, children of each node, see `incrowd.kernels.dynamic_programs.settle`.
    `rows`, `cost`, `need`, `cap`: (v,) int64, rows of the table below; cost of a row; rows a used class needs, 1 where
    it needs no crowd; rows that go up at most.
    """

    node: Int64
    parent: Int64
    first: Int64
    child: Int64
    rows: Int64
    cost: Int64
    need: Int64
    cap: Int64

    def entries(self) -> tuple[int, int]:
        """Return the entries of the tables per node, and per child."""
        limit = self.cap + self.need + 1
        return int((self.cap + 1).sum()), int((limit * np.diff(self.first)).sum())


def chain_of(problem: Problem) -> Int8 | None:
    """Return the allowed vectors from the lowest up, (L + 1, m) int8; None where they are not nested."""
    if problem.patterns.count() > sum(level.height for level in problem.levels) + 1:
        return None
    blocks = [block.levels for block in problem.patterns.by_cost(problem.floor_costs(), problem.ties())]
    vectors = np.concatenate([np.zeros((0, problem.types.m), np.int8), *blocks])
    vectors = vectors[np.argsort(vectors.sum(axis=1, dtype=np.int64), kind="stable")]
    nested = bool(len(vectors)) and bool((vectors[1:] >= vectors[:-1]).all())
    return vectors if nested else None


def forest_of(problem: Problem, vectors: Int8) -> Forest:
    """Return the forest of a chain's instances.

    `vectors`, (L + 1, m), are as `chain_of` returns them. O(t L m log t) time, O(t L) memory.
    """
    types = problem.types
    node, parents, costs = np.zeros((len(vectors), types.t), np.int64), [], []
    begin = 0
    for i, vector in enumerate(vectors):
        shown = (level.up[x, c] for level, x, c in zip(problem.levels, vector, types.codes.T, strict=True))
        rep, own = row_numbers(shown, types.t)
        node[i] = begin + own
        costs.append(problem.row_costs(vector)[rep])
        if i:
            above = np.full(begin, -1, np.int64)
            above[node[i - 1]] = node[i]
            parents.append(above[begin - len(costs[i - 1]) :])
        begin += len(rep)
    parent = np.concatenate((*parents, np.full(len(costs[-1]), -1, np.int64))).astype(np.int64)
    count = parent.size
    rows = np.zeros(count, np.int64)
    for line in node:
        np.add.at(rows, line, types.counts)
    has = np.flatnonzero(parent >= 0)
    child = has[np.argsort(parent[has], kind="stable")]
    first = np.concatenate(([0], np.cumsum(np.bincount(parent[has], minlength=count)))).astype(np.int64)
    level = np.repeat(np.arange(len(vectors)), [len(cost) for cost in costs])
    above = len(vectors) - 1 - level
    need = np.full(count, problem.k, np.int64)
    if problem.outliers == "suppress":
        need[(vectors == np.array(problem.top, np.int8)).all(axis=1)[level]] = 1
    cap = np.where(parent < 0, 0, np.minimum(rows, above * problem.k + problem.k - 1))
    return Forest(node, parent, first, child, rows, np.concatenate(costs), need, cap.astype(np.int64))


def _refuse_hopeless(problem: Problem, forest: Forest) -> None:
    """Raise where rows that the last pattern shows alike are too few: they cannot go up."""
    roots = forest.parent < 0
    if (forest.rows[roots] < forest.need[roots]).any():
        raise Infeasible(
            f"no release meets k={problem.k} under this mask: rows that its last pattern shows alike are fewer "
            f"than {problem.k}; allow full suppression or lower k",
            requirement=f"k={problem.k}",
            proven=True,
        )


def _plan(problem: Problem, vectors: Int8, forest: Forest, sent: Int64) -> Plan:
    """Return a plan that sends so many rows up from each node, the lowest row types first."""
    here = problem.types.counts.copy()
    classes = []
    for i, vector in enumerate(vectors):
        node = forest.node[i]
        # Rows of a node's types that go up: the first `sent`, in the order of the types.
        up = np.clip(sent[node] - before_each(node, here), 0, here)
        classes.append((vector, np.arange(here.size), here - up))
        here = up
    return as_plan(problem, classes)
