"""The reduction to Simplex Matching as the papers state it, with an integer program over pairs and triples."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from incrowd.errors import Infeasible
from incrowd.milp import Outcome, Program, rows_of, solve
from incrowd.tables.solve.matching.solver import plan_of, reason_against
from incrowd.tables.solve.shared.status import ended
from incrowd.tables.values import Bound, Int64, Levels, Outliers, Problem, Solution

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.protocols import PatternSet


MOST_ROWS = 80

Edge = tuple[int, ...]


def hyperedges(
    codes: NDArray[Any],
    rows: Sequence[int],
    levels: Sequence[Levels],
    patterns: PatternSet,
) -> dict[Edge, int]:
    """Return the hyperedges of two and three rows with their costs.

    `codes` is (t, m): the row types. `rows` is the type of each row; an edge names rows by their place there. `levels`
    and `patterns` are as in `incrowd.tables.values.Problem`.

    Notes
    -----
    As in the proof of Theorem 2 of Bredereck et al.: an edge exists if some pattern makes its rows equal, and
    costs as many stars as the cheapest such pattern, times its rows. O(n^3) edges.

    References
    ----------
    .. [1] R. Bredereck, A. Nichterlein, R. Niedermeier, "Pattern-Guided k-Anonymity", Algorithms 2013, Theorem 2.
    """
    known: dict[Any, int | None] = {}
    edges: dict[Edge, int] = {}
    for size in (2, 3):
        for edge in combinations(range(len(rows)), size):
            types = [rows[v] for v in edge]
            common = tuple(_common(level, codes[types, j]) for j, level in enumerate(levels))
            costs = [
                _above(level, low, int(codes[types[0], j]))
                for j, (level, low) in enumerate(zip(levels, common, strict=True))
            ]
            key = (common, tuple(map(tuple, costs)))
            if key not in known:
                best = patterns.cheapest_above(common, costs)
                known[key] = None if best is None else sum(c[x] for c, x in zip(costs, best, strict=True))
            each = known[key]
            if each is not None:
                edges[edge] = size * each
    return edges


def _common(level: Levels, values: NDArray[Any]) -> int:
    """Return the lowest level at which all values share a node."""
    return next(x for x in range(level.height + 1) if len(set(level.up[x][values].tolist())) == 1)


def _above(level: Levels, low: int, value: int) -> list[int]:
    return [int(level.cost[x, value]) if x >= low else 0 for x in range(level.height + 1)]


def lightest(
    count: int, edges: dict[Edge, int], alone: int | None = None, watch: Watch | None = None
) -> tuple[list[Edge], int] | None:
    """Return a lightest perfect matching of `count` rows by hyperedges, and its cost; None if there is none.

    `alone` is the price at which any row may stay by itself. Raises TimeoutError if the integer program did not end.
    """
    every = dict(edges)
    if alone is not None:
        every.update({(v,): alone for v in range(count)})
    names = list(every)
    if len({v for edge in names for v in edge}) < count:
        return None
    entry = np.array([(v, c) for c, edge in enumerate(names) for v in edge], np.int64).reshape(-1, 2)
    ones = np.ones(count)
    program = Program(
        np.array([every[edge] for edge in names], np.float64),
        np.zeros(len(names)),
        np.ones(len(names)),
        np.ones(len(names), np.bool_),
        rows_of([(entry[:, 0], entry[:, 1], np.ones(len(entry)))], [(ones, ones)]),
    )
    answer = solve(program, watch=watch, abs_gap=0.5)
    if answer.outcome is Outcome.INFEASIBLE:
        return None
    if answer.outcome is not Outcome.OPTIMAL or answer.x is None:
        raise TimeoutError("the integer program over pairs and triples did not end")
    chosen = [names[c] for c in np.flatnonzero(answer.x > 0.5)]
    assert sorted(v for edge in chosen for v in edge) == list(range(count))
    return chosen, sum(every[edge] for edge in chosen)


@dataclass(frozen=True, kw_only=True)
class MatchingTextbook:
    """Optimal release for k = 2 by the plain reduction: every pair and triple of rows a column.

    Parameters
    ----------
    most_rows : int, default 80
        Larger tables are declined: there are O(n^3) columns.
    """

    name: ClassVar[str] = "matching_textbook"
    cites = ("BlockiWilliams2010",)
    summary: ClassVar[str] = "optimal 2-anonymity as in the papers: an integer program over all pairs and triples"
    most_rows: int = MOST_ROWS

    def declines(self, problem: Problem) -> str | None:
        """Return why this solver will not start on the problem, or None."""
        return reason_against(problem) or too_large(self.name, problem, self.most_rows)

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return an optimal plan.

        Infeasible is raised when no release exists, or the integer program did not end in time.
        """
        types = problem.types
        rows = np.repeat(np.arange(types.t), types.counts).tolist()
        edges = hyperedges(types.codes, rows, problem.levels, problem.patterns)
        try:
            found = lightest(len(rows), edges, price_alone(problem.levels, problem.patterns, problem.outliers), watch)
        except TimeoutError as error:
            raise Infeasible("no release was found within the limit", requirement="k=2", proven=False) from error
        if found is None:
            raise Infeasible(
                "no release can meet k=2 under this mask; allow full suppression or more patterns",
                requirement="k=2",
                proven=True,
            )
        chosen, cost = found
        plan = plan_of(problem, *as_classes(chosen, rows, types.t))
        bound = Bound(cost, 0, "integer program over pairs and triples")
        return Solution(plan, bound, ended(cost, bound.value, watch), self.name)


def price_alone(levels: Sequence[Levels], patterns: PatternSet, outliers: Outliers) -> int | None:
    """Return what a single fully suppressed row costs where it needs no crowd.

    The `levels` are those of each column, and the `patterns` those that are allowed. `outliers` says whether fully
    suppressed rows need a crowd.
    """
    if outliers == "forbid" or not patterns.allows_full_suppression:
        return None
    return sum(int(level.cost[-1].max(initial=0)) for level in levels)


def as_classes(chosen: Sequence[Edge], rows: Sequence[int], t: int) -> tuple[Int64, Int64, Int64]:
    """Return chosen edges as `plan_of` takes them: classes of types, types of single rows, the rest (none).

    The edges are of a simplex matching. `rows` is the row type of each node, and `t` the number of row types.
    """
    lines = [[rows[v] for v in edge] + [-1] * (3 - len(edge)) for edge in chosen if len(edge) > 1]
    single = [rows[edge[0]] for edge in chosen if len(edge) == 1]
    return np.array(lines, np.int64).reshape(-1, 3), np.array(single, np.int64), np.zeros(t, np.int64)


def too_large(name: str, problem: Problem, most: int) -> str | None:
    """Return that a table has more rows than the `most` that the solver `name` takes, or None."""
    if problem.types.n <= most:
        return None
    return f"{name} takes tables of up to {most} rows, not {problem.types.n}; use matching"
