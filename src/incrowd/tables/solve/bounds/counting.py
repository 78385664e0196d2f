"""A lower bound by counting alone: no row can be cheaper than its cheapest instance with a crowd.

In a release every row lies in an instance g that at least k_g rows of the table agree with, so it costs at least

    sum over row types i of  n_i * min{ w_g(i) : i agrees with g, N(g) >= k_g },

N(g) the rows of the table that agree with g, k_g = k but 0 for the fully suppressed instance where outliers
may be suppressed.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import Infeasible
from incrowd.kernels.grouping import frequent
from incrowd.tables.solve.shared.pattern_scan import Workers, batches
from incrowd.tables.solve.shared.problem_arrays import ProblemArrays, encode
from incrowd.tables.solve.shared.status import of_release
from incrowd.tables.solve.shared.time_limit import for_bound
from incrowd.tables.values import Advice, Bound, Int64, Plan, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from incrowd.progress import Watch
    from incrowd.tables.values import Solution

WORK = 2_000_000_000
BATCH = 1 << 23
NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True, eq=False)
class CountingBound:
    """What every row has to cost.

    `least`: (t,) int64, lower bound on the scaled cost of one row of each type. `complete`: True when each is the
    cheapest instance with a crowd, False when the work ran out and some rows only got the cost of the cheapest pattern
    not looked at. `patterns`: patterns looked at.
    """

    least: Int64
    complete: bool
    patterns: int

    def bound(self, problem: Problem) -> Bound:
        """Return the bound for all rows."""
        value = int((self.least * problem.types.counts).sum())
        return Bound(value, checked=value, method="per row")


def per_row_bound(problem: Problem, watch: Watch) -> Bound:
    """Return the per-row bound of a problem, or a cheaper valid one where that takes too much work.

    So many row visits (row types times patterns) as `WORK` are made at most. The watch is asked between batches of
    patterns; when it says stop, the bound ends as if the work had run out. Infeasible is raised if some row has no
    allowed instance with a crowd: then no release exists, which is a proof.

    Notes
    -----
    O(p t) time in the worst case, p patterns, t row types; patterns that no row needs are passed over. Memory
    O(m t). Rows are counted by 64-bit hashes. A collision can only make an instance look more crowded than it
    is, hence the minimum smaller: the bound stays valid, whatever the hashes are.

    References
    ----------
    .. [1] R. Bredereck, A. Nichterlein, R. Niedermeier, "Pattern-Guided k-Anonymity", Algorithms 2013, 6(4).
    """
    with Workers() as workers:
        return per_row(problem, encode(problem), workers, watch).bound(problem)


def per_row(
    problem: Problem,
    encoded: ProblemArrays,
    workers: Workers,
    watch: Watch,
    *,
    work: int = WORK,
    ceiling: Int64 | None = None,
) -> CountingBound:
    """Return the least cost of every row.

    `ceiling`, (t,), holds costs above which not to look, for example those of a release, which no least cost exceeds.
    Too low a ceiling can only weaken the bound. Infeasible is raised as by `per_row_bound`.
    """
    best = np.full(encoded.t, NEVER, np.int64) if ceiling is None else ceiling.copy()
    patterns = problem.patterns
    if patterns.allows_full_suppression:
        # All rows agree on the all-star instance, and there are at least k of them.
        best = np.minimum(best, encoded.row_costs(np.array(problem.top, np.int8)))
    floors, ties = problem.floor_costs(), problem.ties()
    seen = visits = 0
    for batch in batches(patterns.by_cost(floors, ties), _sizes(encoded.t)):
        floor = int(batch.costs[0])
        if best.max() <= floor:
            break
        spent = encoded.t * len(batch.costs)
        if watch.stopped or visits + spent > work:
            # Patterns ascend: whatever was not looked at costs every row at least the floor.
            return CountingBound(np.minimum(best, floor), False, seen)

        def look(piece: Int64, batch=batch, best=best) -> Int64:  # type: ignore[no-untyped-def]
            lowered: Int64 = frequent.cheapest_classes(
                encoded.table,
                encoded.start,
                encoded.heights,
                np.ascontiguousarray(batch.levels[piece]),
                batch.costs[piece],
                encoded.costs,
                problem.uniform,
                encoded.weights,
                problem.k,
                best,
            )
            return lowered

        pieces = workers.split(batch.levels, spent)
        results = workers.pool.map(look, pieces) if workers.pool and len(pieces) > 1 else map(look, pieces)
        for lowered in results:
            best = np.minimum(best, lowered)
        visits += spent
        seen += len(batch.costs)
        watch.report("bound", patterns=seen, rows_open=int((best > floor).sum()))
    hopeless = int(problem.types.counts[best == NEVER].sum())
    if hopeless:
        raise no_crowd(problem, hopeless)
    return CountingBound(best, True, seen)


def ceiling(problem: Problem, plan: Plan) -> Int64:
    """Return per row type the least cost of its rows in a plan, shape (t,): a ceiling for `per_row`."""
    least: Int64 = np.full(problem.types.t, NEVER, np.int64)
    np.minimum.at(least, plan.part_type, plan.paid(problem))
    return least


def no_crowd(problem: Problem, rows: int) -> Infeasible:
    """Return the proof that no release exists, in words: `rows` look like fewer than k under every pattern."""
    look = "row looks" if rows == 1 else "rows look"
    return Infeasible(
        f"no release can meet k={problem.k}: under every pattern of the mask {rows} {look} like fewer than "
        f"{problem.k} rows of the table; allow full suppression, allow more patterns or lower k",
        requirement=f"k={problem.k}",
        proven=True,
    )


def _sizes(t: int) -> Iterator[int]:
    size = 1
    while True:
        yield max(1, min(size, BATCH // t))
        size = min(2 * size, 4096)


# What is known where a gap may stand for a star that the mask does not allow, or row types stay in the engine: the
# per-row bound of complete rows.
#
# The class of a row that misses no value and is shown at level vector v holds only rows that have its values where v
# shows them, so at least k of the table have them, and the row costs what v costs. Others cost no less than they are.
SAID = Advice(
    "a NULL may be a star or a missing value here, and a row that misses a value looks like rows blanked beside it, "
    "which the search does not count: the bound is of the rows that miss no value alone, and nothing is called "
    "optimal; with suppressed = text the two are told apart"
)


def bound_of_complete_rows(problem: Problem, found: Solution, watch: Watch) -> Bound:
    """Return the per-row bound of the rows that miss no value; O(p t) for p patterns and t row types."""
    most = ceiling(problem, found.plan)
    missing = (problem.types.codes[:, list(problem.gaps)] == 0).any(axis=1)
    most[missing] = problem.row_costs(np.zeros(len(problem.levels), np.int64))[missing]  # it costs no more at least
    with Workers() as workers:
        return per_row(problem, encode(problem), workers, for_bound(watch), ceiling=most).bound(problem)


def with_bound(problem: Problem, found: Solution, bound: Bound) -> Solution:
    """Return a solution of a problem with gaps under a bound that is right there; no certificate recounts any of it."""
    unchecked, certificate = dataclasses.replace(bound, checked=0, certain=False), found.certificate
    if certificate is not None:
        nothing = {
            "prices": [0] * len(certificate.get("prices", ())),
            "components": None,
            "trees": [],
            "multipliers": [],
        }
        certificate = dict(certificate) | {key: none for key, none in nothing.items() if key in certificate}
    return dataclasses.replace(
        found,
        bound=unchecked,
        status="heuristic" if found.status in ("optimal", "gap") else found.status,
        notes=(*(note for note in found.notes if isinstance(note, Advice)), SAID),
        certificate=of_release(certificate, found.plan.cost(problem), unchecked),
    )


def not_proven(error: Infeasible) -> Infeasible:
    """Return an error that a solver of a problem with gaps raised, as one that proves nothing."""
    if not error.proven:
        return error
    return Infeasible(
        f"no release was found that meets {error.requirement} under this mask; stars are NULL and look like the "
        "missing values of the quasi-identifiers, so there may be one with both in a class, which is not looked for; "
        "allow full suppression, allow more patterns or ask for less",
        requirement=error.requirement,
        proven=False,
    )
