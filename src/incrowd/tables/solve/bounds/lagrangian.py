"""Lower bounds from prices: the Lagrangian dual, its best prices, and its exact value in integers.

Give every row of type i a price pi_i. Whatever a release is, its classes' costs come to at least

    L(pi) = sum_i n_i pi_i + sum_g min(0, rc_g),
    rc_g  = min { sum_{r in R} (w_g - pi_r) : R a multiset of rows of E(g), |R| >= k_g }:

the release's classes R_g are such multisets and use every row once, so its cost is sum_i n_i pi_i plus the sum of
(w_g - pi_r) over its classes, each of which is at least rc_g, and leaving a class out costs 0. The least of a
class: all rows with w_g < pi_r, and if these are fewer than k_g the cheapest others. The sum runs over kept
instances only (`incrowd.tables.solve.shared.instances`): an optimal release uses no others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from incrowd.kernels.bounds import prices as kernel
from incrowd.kernels.bounds import prices as lattice_scan
from incrowd.tables.solve.shared.instances import Instances
from incrowd.tables.solve.shared.refusals import LISTED_PAIR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from incrowd.progress import Watch
    from incrowd.tables.solve.shared.canonical_pattern import CanonicalPattern
    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Int8, Int64, Problem


Float64 = NDArray[np.float64]

# The most that the rows' scaled costs may come to: sums over instances, in which a row may lie 2^13 times, fit too.
ROOM = 2**48
FINEST = 840_000  # divisible by 1..8: small fractions of a star are whole


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """What one pricing scan over all patterns found.

    `value`: L(pi) in `grain` parts of a scaled cost unit, exact, over every instance of the mask. `instances`: the kept
    ones with a reduced cost of at most the threshold. `rc`: (g,) int64, their reduced costs in the same unit.
    """

    value: int
    instances: Instances
    rc: Int64


def grain(costs: Int64, counts: Int64) -> int:
    """Return how many parts a scaled cost unit is cut into for whole-number prices.

    They are at most 840,000, and few enough for the sums over overlapping instances to fit into 64 bits. `costs` are
    scaled costs of a row, at least 0, and `counts`, (t,), the rows of each type.
    """
    total = int(counts.sum()) * max(int(costs.max(initial=1)), 1) * 4
    parts = FINEST
    while parts > 1 and parts * total >= ROOM:
        parts //= 2
    return parts


def whole_prices(prices: Float64, parts: int) -> Int64:
    """Return prices as whole numbers of `parts` of a cost unit.

    `prices`, (t,), are per row of each type, in scaled cost units, and `parts` is as `grain` gives it.
    """
    return np.rint(prices * parts).astype(np.int64)


def price_caps(instances: Instances) -> Float64:
    """Return the most a price may sensibly be per type: the cost of a free instance (infinity: none)."""
    caps = np.full(instances.t, np.inf)
    for g in np.flatnonzero(instances.needs == 0):
        here = instances.members[instances.begins[g] : instances.begins[g + 1]]
        caps[here] = np.minimum(caps[here], float(instances.costs[g]))
    return caps


def reduced_costs(instances: Instances, prices: Float64) -> Float64:
    """Return rc_g for every instance in floating point, shape (g,).

    `prices`, (t,), are per row of each type, in scaled cost units.
    """
    rc = np.empty(instances.size)
    kernel.reduced_costs(
        instances.begins, instances.members, instances.counts, instances.costs.astype(np.float64),
        instances.needs, prices, np.inf, rc, np.zeros(0, np.int64),
    )  # fmt: skip
    return rc


def remembered(fresh: Instances, stored: Instances, prices: Float64, most_pairs: int) -> Instances:
    """Return fresh instances and stored ones, of least reduced costs, as many as may be remembered.

    Free ones stay, and of the fresh ones all with a reduced cost below 0.
    """
    both = fresh.union(stored)
    rc = np.where(both.needs == 0, -np.inf, reduced_costs(both, prices))
    keep = both.nearest(rc, most_pairs) | (both.needs == 0)
    keep[: fresh.size] |= rc[: fresh.size] < 0
    return both.only(keep)


def subgradient(
    instances: Instances,
    start: Float64,
    *,
    target: float,
    steps: int,
    watch: Watch | None = None,
    enough: float = np.inf,
) -> tuple[float, Float64]:
    """Improve prices by the deflected subgradient method, and return the best L(pi) and its prices, (t,).

    The value is that over these instances, in floating point: no bound before `scan` says so. `start`,
    (t,), are the first prices. `target` is the value to step towards, in scaled cost: that of a release, or somewhat
    less where the gap is known to stay. The watch is asked between chunks of steps, and `enough` is a value at which to
    stop. O(pairs) a step. Steps of Polyak's length theta * (target - L) / |d|^2 along a half-deflected direction; theta
    shrinks after 12 steps without gain.
    """
    caps = price_caps(instances)
    prices = np.minimum(start, caps)
    best = prices.copy()
    move = np.zeros_like(prices)
    state = np.array([-np.inf, 1.0, 0.0])
    costs = instances.costs.astype(np.float64)
    chunk = int(np.clip(20_000_000 // max(instances.pairs, 1), 1, steps))
    done = 0
    while done < steps and state[0] < min(target, enough) and not (done and watch is not None and watch.stopped):
        kernel.subgradient_steps(
            instances.begins, instances.members, instances.counts, costs, instances.needs, caps,
            float(target), min(chunk, steps - done), state, prices, best, move,
        )  # fmt: skip
        done += chunk
    return float(state[0]), best


def scan(
    problem: Problem,
    encoded: ProblemArrays,
    closure: CanonicalPattern,
    prices: Int64,
    parts: int,
    *,
    tau: int = 0,
    most_pairs: int,
    vectors: Int8,
    watch: Watch,
) -> Scan | None:
    """Price every instance of every pattern, without a list; the value is a true bound.

    `prices`, (t,), are in `parts` of a scaled cost unit (see `grain`). Instances with a reduced cost of at most `tau`,
    at least 0 and in the same unit, are returned; after `most_pairs` pairs (type, instance) only those with a negative
    one still are. `vectors`, (p, m) int8, are all patterns of the mask in lexicographic order. The
    watch is asked between blocks of patterns, and what memory is left. None is returned when it said stop before the
    end: then there is no bound. O(p t) steps of some nanoseconds; memory O(m t) beside what is returned.
    """
    e = encoded
    top = np.array(problem.top, np.int8)
    free = problem.outliers == "suppress" and problem.patterns.allows_full_suppression
    value = int((prices * e.counts).sum())
    found: list[tuple[Instances, Int64]] = []
    try:
        for piece, rc, hashed in walk(
            problem, e, closure, prices, parts, tau=tau, most_pairs=most_pairs, vectors=vectors, watch=watch
        ):  # fmt: skip
            value += int(rc[rc < 0].sum()) + hashed
            found.append((piece, rc))
    except Stopped:
        return None
    instances = Instances.joined([piece for piece, _ in found], e)
    reduced = np.concatenate([np.zeros(0, np.int64), *(rc for _, rc in found)])
    if not free:
        return Scan(value, instances, reduced)
    value += int((np.minimum(parts * e.row_costs(top) - prices, 0) * e.counts).sum())
    return Scan(value, instances.with_everyone(top, int(e.row_costs(top)[0]), 0), np.append(reduced, 0))


class Stopped(Exception):
    """The watch said stop."""


def walk(
    problem: Problem, encoded: ProblemArrays, closure: CanonicalPattern, prices: Int64, parts: int, *, tau: int,
    most_pairs: int, vectors: Int8, watch: Watch,
) -> Iterator[tuple[Instances, Int64, int]]:  # fmt: skip
    """Yield the kept instances with a reduced cost of at most `tau`, block by block of patterns, as `scan` takes them.

    With each block come the reduced costs, (g,), and what instances that a hash alone joined add below 0. The free
    fully suppressed instance is not among them. Raises Stopped when the watch says stop before the end.
    """
    e = encoded
    most_pairs = watch.within_memory(most_pairs, LISTED_PAIR)
    _fits(e.costs, e.counts, prices, parts)
    every = len(vectors) == math.prod(int(height) + 1 for height in e.heights)
    top = np.array(problem.top, np.int8)
    free = problem.outliers == "suppress" and problem.patterns.allows_full_suppression
    block = max(1, 10_000_000 // max(e.t, 1))
    listed = 0
    for begin in range(0, len(vectors), block):
        if begin and watch.stopped:
            raise Stopped
        piece = np.ascontiguousarray(vectors[begin : begin + block])
        if free:
            piece = np.ascontiguousarray(piece[~(piece == top).all(axis=1)])
        which, begins, members, rc = lattice_scan.scan_block(
            e.table, e.start, e.heights, piece, e.costs.view(np.uint64), problem.uniform, e.counts, problem.k,
            parts, prices, tau, most_pairs - listed,
        )  # fmt: skip
        assert float(np.abs(rc.astype(np.float64)).sum()) < 2.0**61, "prices cut too fine for 64 bits"
        if every and len(which):  # where every vector is allowed, whatever agrees at a lower level is dominated
            keep = (closure.levels(piece[which], begins, members) == piece[which]).all(axis=1)
            lengths = np.diff(begins)
            which, rc, members = which[keep], rc[keep], members[np.repeat(keep, lengths)]
            begins = np.concatenate(([0], np.cumsum(lengths[keep]))).astype(np.int64)
        if not len(which):
            continue
        shown = np.ascontiguousarray(piece[which])
        # A class joined by a hash alone counts, but cannot be shown to be dominated, nor be used: it agrees above its
        # vector at most (or at 127, which is a top).
        honest = (closure.levels(shown + np.int8(1), begins, members) <= shown).all(axis=1)
        first = np.ones(len(shown), np.bool_) if every else closure.come_first(shown, begins, members)
        hashed = int(rc[~honest & (rc < 0)].sum())
        keep = first & honest
        costs = np.zeros(len(shown), np.int64)
        for j, first_line in enumerate(e.start):
            costs += e.costs[first_line + shown[:, j], members[begins[:-1]]]
        needs = np.full(len(shown), problem.k, np.int64)
        kept = Instances(shown, costs, needs, begins, members, e.counts, -1).only(keep)
        listed += kept.pairs
        yield kept, rc[keep], hashed


def all_vectors(problem: Problem) -> Int8:
    """Return all patterns in lexicographic order, shape (p, m)."""
    blocks = problem.patterns.by_cost(problem.floor_costs(), problem.ties())
    listed = np.concatenate([np.zeros((0, len(problem.levels)), np.int8), *(b.levels for b in blocks)])
    return listed[np.lexsort(listed.T[::-1])] if listed.shape[1] else listed


def _fits(costs: Int64, counts: Int64, prices: Int64, parts: int) -> None:
    """Assert that no sum of scaled prices or costs overflows."""
    largest = max(int(costs.max(initial=0)) * parts, int(np.abs(prices).max(initial=0)))
    assert int(counts.sum()) * largest * 2 < 2**63, "prices cut too fine for 64 bits"
