"""Prices under requirements: better with every step, each step over every instance."""

from __future__ import annotations

import itertools
import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.kernels.bounds import inner_values as kernel
from incrowd.kernels.bounds.inner_values import Multipliers
from incrowd.loops import settled
from incrowd.tables.count_rules import Family
from incrowd.tables.solve.bounds import lagrangian, tuning
from incrowd.tables.solve.bounds.certificate import NAME
from incrowd.tables.solve.bounds.under_requirements.layout import (
    ABOVE,
    CLOSE,
    column_of,
    distances,
    laid_out,
    metrics_of,
    rules_of,
    with_a_class,
)
from incrowd.tables.solve.bounds.under_requirements.layout import Float64 as layout_Float64
from incrowd.tables.solve.shared.instances import Instances, common_step
from incrowd.tables.solve.shared.status import head

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from incrowd.kernels.bounds.inner_classes import Lists
    from incrowd.progress import Watch
    from incrowd.tables.count_rules import CountRule
    from incrowd.tables.values import Bound, Int64, Problem

# Pieces that the instances are cut into, and threads over them.
PIECES = 64
# Weights of an excess of one row that small classes are tried with, in quarters of the common step of all costs.
QUARTERS = (0, 1, 2, 4, 8, 16, 32, 64, 128)


class PricedRequirements:
    """Prices per row type under requirements, with one multiplier per instance and rule.

    For any prices pi a release costs at least sum n_i pi_i - sum_g V_g, where V_g is at least the most that a valid
    class of instance g gains, sum (pi_i - w_g) x_i, and 0 where it stays closed. V_g is estimated from above: classes
    below `whole_below` rows in whole numbers, larger ones under a multiplier of the requirement, which stays with the
    instance from step to step. `instances` are as `layout.instances_of` lists them, `start`, (t,), are the first prices
    in scaled cost, and `upper` is the cost of a release. `value`: the best so far, in scaled cost: no bound before
    `proof` has recounted it. `prices`: (t,) float64, its prices.

    Notes
    -----
    Steps as `lagrangian.subgradient` takes them [1]_; O(pairs) each, and for instances that gain sorting and a search
    for multipliers. Memory: some 20 bytes a pair with one rule, and some 50 a value that an instance has.

    References
    ----------
    .. [1] M. Held, P. Wolfe, H. P. Crowder, "Validation of Subgradient Optimization", Mathematical Programming 6, 1974.
    """

    def __init__(
        self, problem: Problem, instances: Instances, start: layout_Float64, upper: int, *, below: int, threads: int = 1
    ) -> None:
        self.problem = problem
        self.every = instances
        self.upper = upper
        self.unit = common_step([level.cost for level in problem.levels])
        largest = sum(int(level.cost.max(initial=0)) for level in problem.levels)
        self.dearest = float(max(largest, 1))
        self.parts = lagrangian.grain(np.array([max(largest, 1)]), instances.counts)
        self.weights = np.array([q * self.parts * self.unit // 4 for q in QUARTERS], np.int64)
        self.metrics = metrics_of(problem)
        self.instances: Instances
        self.costs: Int64
        self.lists: Lists
        self.own: Multipliers
        self.pieces: Int64
        self.look(below)
        self.now, self.prices = start.copy(), start.copy()
        self.move = np.zeros_like(start)
        self.value, self.theta, self.stale, self.steps = -np.inf, tuning.DEFAULT.inner_theta, 0, 0
        self.kept = self.own
        self.threads = threads

    def look(self, below: int) -> None:
        """Look at classes of fewer than `below` rows in whole numbers; multipliers begin anew."""
        self.instances = with_a_class(self.problem, self.every, below)
        self.costs = self.instances.costs * self.parts
        self.lists = laid_out(self.problem, self.instances, below)
        slots, shape = self.lists.share.size, (self.lists.family.size, self.instances.size)
        self.own = Multipliers(
            np.zeros(slots, np.int64), np.zeros(slots), np.zeros(slots), np.zeros(shape), np.zeros(shape),
            np.zeros(shape),
        )  # fmt: skip
        ends = np.linspace(0, self.instances.pairs, min(PIECES, max(self.instances.size, 1)) + 1)
        self.pieces = np.unique(np.searchsorted(self.instances.begins, ends))
        self.pieces[0], self.pieces[-1] = 0, self.instances.size

    @property
    def finished(self) -> bool:
        """Whether further steps are of no use."""
        return self.theta < tuning.DEFAULT.inner_least_theta or self.value >= self.upper or not self.instances.size

    def step(self, watch: Watch) -> bool:
        """Take one step; return whether it came to its end."""
        own = tuning.DEFAULT
        whole = self._whole(self.now)
        cover = np.zeros(self.instances.t)
        values = self._over_pieces(
            watch, lambda a, b, values, used: kernel.best_classes(
                self.lists, self.metrics, self.costs, whole, self.own, self.weights, a, b, values, used
            ), cover,
        )  # fmt: skip
        if values is None:
            return False
        self.steps += 1
        counts = self.instances.counts
        reached = (int((whole * counts).sum()) - float(values.astype(np.float64).sum())) / self.parts
        if reached > self.value + 1e-7 * abs(self.value) or not np.isfinite(self.value):
            self.value, self.prices, self.stale = reached, self.now.copy(), 0
            own_now = self.own
            self.kept = Multipliers(
                own_now.y.copy(), own_now.raw.copy(), own_now.extra.copy(), own_now.weight.copy(), own_now.base.copy(),
                own_now.spot.copy(),
            )  # fmt: skip
        else:
            self.stale += 1
            if self.stale >= own.inner_patience:
                self.theta *= own.inner_shrink
                self.stale = 0
                self.now = self.prices.copy()
                self.move[:] = 0.0
                return True
        target = max(own.inner_target * self.upper, 1.01 * self.value)
        target = min(target, self.value + max(own.inner_reach * abs(self.value), self.unit))
        self.move = 0.5 * self.move + 0.5 * (counts - cover) / counts
        norm = float((counts * self.move**2).sum())
        if norm < 1e-12:
            self.theta = 0.0
            return True
        length = self.theta * (target - reached) / norm
        self.now = np.clip(self.now + length * self.move, -self.dearest, 2 * self.dearest)
        return True

    def proof(self) -> Proof:
        """Return the best prices and their multipliers in whole numbers, recounted."""
        whole = self._whole(self.prices)
        return proof_of(
            self.problem, self.lists, self.kept, whole, self.parts, lambda y: self._recounted(whole, y, cut=True)
        )  # fmt: skip

    def bound(self, proof: Proof) -> int:
        """Return the bound of a proof, in scaled cost."""
        return -(-proof.value // (proof.parts * self.unit)) * self.unit

    def near(self, limit: float) -> tuple[Instances, layout_Float64]:
        """Return the instances with a reduced cost of at most `limit` at the best prices, and their reduced costs.

        The reduced cost is what opening the instance costs at least beyond what its rows pay, in scaled cost.
        """
        values = self._recounted(self._whole(self.prices), self.kept.y, cut=False)
        rc = -values / self.parts
        close = rc <= limit
        return self.instances.only(close), rc[close]

    def _whole(self, prices: layout_Float64) -> Int64:
        return lagrangian.whole_prices(prices, self.parts)

    def _recounted(self, whole: Int64, y: Int64, *, cut: bool) -> Int64:
        found = self._over_pieces(
            None, lambda a, b, values, _: kernel.recounted(
                self.lists, self.costs, whole, y, self.weights, cut, a, b, values
            ), np.zeros(0),
        )  # fmt: skip
        assert found is not None
        return found

    def _over_pieces(self, watch: Watch | None, work: object, cover: layout_Float64) -> Int64 | None:
        """Work on all pieces, on several threads; return the instances' values, or None if the watch said stop."""
        values = np.zeros(self.instances.size, np.int64)

        def one(piece: tuple[int, int]) -> layout_Float64 | None:
            if watch is not None and watch.stopped:
                return None
            used = np.zeros_like(cover)
            work(*piece, values, used)  # type: ignore[operator]
            return used

        pieces = list(zip(self.pieces[:-1].tolist(), self.pieces[1:].tolist(), strict=True))
        if self.threads > 1 and settled(kernel.best_classes, kernel.recounted):
            with ThreadPoolExecutor(self.threads) as pool:
                parts = list(pool.map(one, pieces))
        else:
            parts = [one(piece) for piece in pieces]
        for part in parts:
            if part is None:
                return None
            cover += part
        return values


# The bound in whole numbers: prices and multipliers that anyone can recount, and how they are written down.
VERSION = 2


@dataclass(frozen=True, slots=True, eq=False)
class Proof:
    """What a bound under requirements rests on.

    `value`: in `parts` of a scaled cost unit, recounted in whole numbers. `prices`: (t,) int64, in `parts` of a unit.
    `below`: classes with fewer rows were looked at in whole numbers. `multipliers`: tuple of (instance, rule, numbers),
    the numbers that say a multiplier, of the rule's own values.
    """

    value: int
    parts: int
    prices: Int64
    below: int
    multipliers: tuple[tuple[int, int, tuple[int, ...]], ...]


def proof_of(
    problem: Problem, lists: Lists, own: Multipliers, prices: Int64, parts: int,
    recount: Callable[[Int64], Int64],
) -> Proof:  # fmt: skip
    """Return prices and multipliers in whole numbers, and what they come to.

    `own` was found by a search; each multiplier is rounded to one that is valid, and dropped where it gains nothing.
    `recount` leads from y per slot to what every instance adds at most. O(values^2) for each multiplier in use, and two
    recounts.
    """
    none = np.zeros_like(own.y)
    plain = recount(none)
    y = none.copy()
    found: list[tuple[int, int, tuple[int, ...]]] = []
    for r, (_, rule) in enumerate(rules_of(problem)):
        if rule.family == Family.DISTINCT:
            continue
        # Where nothing is gained without multipliers, or nothing was looked for, none is needed.
        for g in np.flatnonzero((plain > 0) & lists.large).tolist():
            here = slice(int(lists.first[r, g]), int(lists.first[r, g + 1]))
            whole = whole_multiplier(
                rule, float(lists.level[r]), lists.value[here].astype(np.int64), own.raw[here], own.extra[here],
                float(own.weight[r, g]),
            )  # fmt: skip
            if whole is not None:
                y[here], numbers = whole
                found.append((g, r, tuple(numbers)))
    values = recount(y)
    worse = values > plain
    for g in np.flatnonzero(worse).tolist():
        for r in range(lists.family.size):
            y[lists.first[r, g] : lists.first[r, g + 1]] = 0
    values = np.minimum(values, plain)
    kept = tuple(entry for entry in found if values[entry[0]] < plain[entry[0]])
    assert float(values.astype(np.float64).sum()) < 2.0**61, "prices cut too fine for 64 bits"
    value = int((prices * lists.counts).sum()) - int(values.sum())
    return Proof(value, parts, prices, lists.whole_below, kept)


def by_requirements(
    problem: Problem, instances: Instances, cost: int, bound: Bound, proof: Proof
) -> dict[str, Any]:  # fmt: skip
    """Return the certificate of a bound under requirements.

    The file says as a certificate of prices does (`incrowd.tables.solve.bounds.certificate`), and::

        version         2: row types differ in quasi-identifiers or in the sensitive columns that requirements name
        requirements    as the policy writes them
        whole_below     classes with fewer rows are looked at in whole numbers
        multipliers     level vector, one row type of the instance, place of the requirement, numbers

    The numbers are, by what the requirement says (v, u: values of its column by rank): pairs v, mu_v for shares; mu and
    F of all values for closeness; mu and P of all values for entropy; mu, u and T, again and again, for recursive.
    `instances` are as `instances_of` lists them, `cost` is the scaled cost of the release, and `bound` the one that the
    proof is of. `proof` holds prices and multipliers in whole numbers.
    """
    rules = rules_of(problem)
    written = []
    for g, r, numbers in proof.multipliers:
        place, rule = rules[r]
        named = [*instances.vectors[g].tolist(), int(instances.reps[g]), place]
        written.append([*named, *_of_column(problem, place, rule, numbers)])
    return {
        **head(problem, cost, bound, NAME, VERSION),
        "requirements": [asked.rule for asked in problem.requirements],
        "parts": proof.parts,
        "prices": proof.prices.tolist(),
        "whole_below": proof.below,
        "multipliers": written,
    }


def _of_column(problem: Problem, place: int, rule: CountRule, numbers: tuple[int, ...]) -> list[int]:
    """Return a multiplier's numbers with the column's values in place of the rule's."""
    value = column_of(problem, place)
    column = np.zeros(int(value.max(initial=0)) + 1, np.int64)  # the rule's value of each value of the column
    column[value] = rule.code
    if rule.family in CLOSE:
        return [numbers[0], *(numbers[1 + v] for v in column.tolist())]
    return list(numbers)


# Multipliers in whole numbers: valid whatever they are, and what they come to per value.
#
# A rule's classes form a cone (at least in what is looked at here), and y is in its polar cone: sum_v y_v x_v <= 0 for
# every valid class x. So no gain is lost that a valid class has when y is taken off the gains. With whole mu, F, P and
# T:
#
#     SHARES                  y_v = mu_v - sum_u share_u mu_u                       (mu >= 0)
#     TREE, LINE, TRANSPORT   y_v = F_v - sum_u q_u F_u - t mu                      (abs(F_u - F_v) <= mu d(u, v))
#     ENTROPY                 y_v = mu (log l + log(P_v / sum P))                   (P >= 1)
#     RECURSIVE               y_v = sum mu ([v = u] + c [v in T] - c)               (T of l - 1 values)
#
# each rounded down (Kantorovich and Rubinstein for distances, Gibbs for entropy).

# Distributions are written in whole numbers that sum to about this.
FINE = 1 << 20
# What a few operations in floating point may lose, as in the kernels.
MARGIN = 1e-9

Float64 = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Whole = tuple["NDArray[np.int64]", list[int]]


def whole_multiplier(
    rule: CountRule, level: float, held: Int64, raw: Float64, extra: Float64, weight: float
) -> Whole | None:
    """Return y per slot and the numbers that say where it comes from (of the rule's values), or None: none is worth it.

    `level` is the rule's threshold, at least the true one. `held`, (s,), are the slots' values, increasing; `raw`,
    `extra` and `weight` are as `incrowd.kernels.bounds.inner_values.multiplier` reads them.
    """
    if rule.family == Family.SHARES:
        return _shares(rule, held, raw)
    if rule.family in CLOSE:
        return _close(rule, level, held, raw, weight)
    if rule.family == Family.ENTROPY and weight >= 1:
        return _entropy(rule, level, held, raw, weight)
    if rule.family == Family.RECURSIVE and weight >= 1:
        return _recursive(rule, level, held, raw, extra)
    return None


def _shares(rule: CountRule, held: Int64, raw: Float64) -> Whole | None:
    mine = np.maximum(np.rint(raw), 0).astype(np.int64)
    if not mine.any():
        return None
    share = np.minimum(rule.share[held] * (1 + ABOVE), 1.0)
    numbers = [int(x) for v, mu in zip(held, mine, strict=True) if mu for x in (v, mu)]
    given = sum(Fraction(part) * mu for part, mu in zip(share.tolist(), mine.tolist(), strict=True) if mu)
    return mine - math.ceil(given), numbers


def _close(rule: CountRule, level: float, held: Int64, raw: Float64, weight: float) -> Whole | None:
    mu = int(np.ceil(weight - 1e-6))
    if mu <= 0:
        return None
    high = _extended(rule, held, raw, mu)
    if high is None:
        return None
    whole, mu = high
    there = sum(c * f for c, f in zip(rule.totals.tolist(), whole.tolist(), strict=True))
    given = Fraction(there, int(rule.totals.sum())) + Fraction(level) * mu
    return whole[held] + math.floor(-given), [mu, *whole.tolist()]


def _extended(rule: CountRule, held: Int64, raw: Float64, mu: int) -> tuple[Int64, int] | None:
    """Return whole F over all values, as low as they can be where no slot is, and mu."""
    if rule.family == Family.LINE:
        place = np.concatenate(([0.0], np.cumsum(rule.length)))
        low = (raw[None, :] - mu * np.abs(place[:, None] - place[held][None, :])).max(axis=1)
        steps = np.floor(rule.length * (1 - ABOVE) * mu).astype(np.int64)
        whole = np.rint(low).astype(np.int64)
        for v, step in enumerate(steps.tolist(), start=1):
            whole[v] = min(max(int(whole[v]), int(whole[v - 1]) - step), int(whole[v - 1]) + step)
        return whole, mu
    if rule.family == Family.TREE and len(rule.node) == 1:
        whole = np.full(rule.values, int(np.floor(raw.max())) - mu, np.int64)
        low = int(whole[0])
        whole[held] = np.clip(np.rint(raw), low, low + mu).astype(np.int64)
        return whole - min(low, int(whole.min())), mu
    far = distances(rule)
    whole = np.rint((raw[None, :] - mu * far[:, held]).max(axis=1)).astype(np.int64)
    apart = np.abs(whole[:, None] - whole[None, :])
    if (apart[far <= 0] > 0).any():
        return None
    most = (apart[far > 0] / far[far > 0]).max(initial=0.0)
    return whole, max(int(np.ceil(most * (1 + 1e-12))), 1)


def _entropy(rule: CountRule, level: float, held: Int64, raw: Float64, weight: float) -> Whole:
    mu = int(np.floor(weight))
    parts = np.ones(rule.values, np.int64)
    parts[held] = np.maximum(np.floor(raw / weight * FINE), 1).astype(np.int64)
    least = level - 3 * ABOVE * (1 + abs(level))  # rounded up where classes are looked at; here below is safe
    y = mu * (least + np.log(parts[held] / float(parts.sum())))
    return _down(y), [mu, *parts.tolist()]


def _recursive(rule: CountRule, level: float, held: Int64, raw: Float64, extra: Float64) -> Whole | None:
    """Return terms whose weights are about what was found: u by one queue, T by wrapping around l - 1 rows."""
    tops = np.floor(np.maximum(raw, 0)).astype(np.int64)
    mu = int(tops.sum())
    if mu <= 0:
        return None
    width = rule.least - 1
    # Every value may be in T for at most mu; other values of the table fill what is missing.
    share = np.minimum(np.floor(np.maximum(extra, 0)).astype(np.int64), mu)
    want = np.zeros(rule.values, np.int64)
    want[held] = share
    left = width * mu - int(want.sum())
    order = [v for v in range(rule.values) if want[v] < mu]
    for v in order:
        more = min(max(left, 0), mu - int(want[v]))
        want[v] += more
        left -= more
    if left > 0:
        return None
    over = -left
    for v in range(rule.values):
        less = min(max(over, 0), int(want[v]))
        want[v] -= less
        over -= less
    ends, borders = [], {0, mu}
    at = 0
    for v in np.flatnonzero(want).tolist():
        # McNaughton's wrap-around: value v is in T on the stretch [at, at + want) of width rows of length mu.
        ends.append((v, at, at + int(want[v])))
        borders |= {at % mu, (at + int(want[v])) % mu}
        at += int(want[v])
    at = 0
    heads = []
    for v, top in zip(held.tolist(), tops.tolist(), strict=True):
        if top:
            heads.append((v, at, at + top))
            borders |= {at, at + top}
            at += top
    marks = sorted(borders)
    numbers: list[int] = []
    y = np.zeros(rule.values)
    for begin, end in itertools.pairwise(marks):
        (u,) = [v for v, a, b in heads if a <= begin < b]
        chosen = [v for v, a, b in ends if any(a <= begin + row * mu < b for row in range(width))]
        numbers += [end - begin, u, *chosen]
        y[u] += end - begin
        inside = np.zeros(rule.values, np.bool_)
        inside[chosen] = True
        # With y = [v = u] - c [v not in T] the larger c is the smaller y, so the threshold from above is the safe one.
        y -= np.where(inside, 0.0, level * (end - begin))
    return _down(y[held]), numbers


def _down(y: Float64) -> Int64:
    return np.floor(y - MARGIN * (1.0 + np.abs(y))).astype(np.int64)
