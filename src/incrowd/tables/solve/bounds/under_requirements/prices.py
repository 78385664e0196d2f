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
from incrowd.tables.solve.bounds.lagrangian import Stopped
from incrowd.tables.solve.bounds.under_requirements.layout import (
    ABOVE,
    CLOSE,
    Float64,
    by_kind,
    cheapest_rows,
    column_of,
    distances,
    laid_out,
    metrics_of,
    rules_of,
    small_classes,
    with_a_class,
)
from incrowd.tables.solve.shared.canonical_pattern import CanonicalPattern
from incrowd.tables.solve.shared.instances import Instances, common_step
from incrowd.tables.solve.shared.requirement_check import kinds_of
from incrowd.tables.solve.shared.status import head

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.count_rules import CountRule
    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Bound, Int64, Problem

# Pieces that the instances are cut into at most, with so many pairs or more, and threads over them.
PIECES, PIECE_PAIRS = 64, 4096
# Weights of an excess of one row that small classes are tried with, in quarters of the common step of all costs.
QUARTERS = (0, 1, 2, 4, 8, 16, 32, 64, 128)


class Classes:
    """Some instances that may hold a valid class, with what their inner problems read, and a multiplier for each rule.

    Costs and prices are in the parts of a scaled cost unit that `priced` says. Instances that are in `known` too begin
    with the multipliers that they have there.
    """

    def __init__(self, priced: PricedRequirements, instances: Instances, known: Classes | None = None) -> None:
        problem, below = priced.problem, priced.below
        self.priced = priced
        self.instances = instances
        self.costs = self.instances.costs * priced.parts
        self.lists = laid_out(problem, self.instances, below, priced.small)
        slots, shape = self.lists.share.size, (self.lists.family.size, self.instances.size)
        self.own = Multipliers(
            np.zeros(slots, np.int64), np.zeros(slots), np.zeros(slots), np.zeros(shape), np.zeros(shape),
            np.zeros(shape),
        )  # fmt: skip
        pieces = min(PIECES, max(self.instances.size, 1), 1 + self.instances.pairs // PIECE_PAIRS)
        ends = np.linspace(0, self.instances.pairs, pieces + 1)
        self.pieces = np.unique(np.searchsorted(self.instances.begins, ends))
        self.pieces[0], self.pieces[-1] = 0, self.instances.size
        if known is not None and known.instances.size and self.instances.size:
            self._learn(known)

    def _learn(self, known: Classes) -> None:
        """Take the multipliers of the same instances; their values stand in the same order."""
        both = np.concatenate((known.instances.names, self.instances.names))
        _, number = np.unique(both, axis=0, return_inverse=True)
        size = known.instances.size
        place = np.full(int(number.max()) + 1, -1, np.int64)
        place[number.reshape(-1)[:size]] = np.arange(size)
        there = place[number.reshape(-1)[size:]]
        here = np.flatnonzero(there >= 0)
        there = there[here]
        for r, (mine, theirs) in enumerate(zip(self.lists.first, known.lists.first, strict=True)):
            widths = np.diff(mine)[here]
            ends = np.cumsum(widths)
            step = np.arange(int(widths.sum())) - np.repeat(ends - widths, widths)
            to, of = np.repeat(mine[here], widths) + step, np.repeat(theirs[there], widths) + step
            for own, others in zip(self.own[:3], known.own[:3], strict=True):
                own[to] = others[of]
            for own, others in zip(self.own[3:], known.own[3:], strict=True):
                own[r, here] = others[r, there]

    def best(self, whole: Int64, floor: int, cover: Float64, watch: Watch) -> Int64 | None:
        """Return what every instance adds at most under better multipliers, as `best_classes` does; None: no time."""
        of = self.priced
        return self._over_pieces(
            watch, lambda a, b, values, used: kernel.best_classes(
                self.lists, of.metrics, self.costs, whole, self.own, of.weights, floor, a, b, values, used
            ), cover,
        )  # fmt: skip

    def recounted(self, whole: Int64, y: Int64, floor: int) -> Int64:
        """Return what every instance adds at most in whole numbers, as `recounted` does."""
        found = self._over_pieces(
            None, lambda a, b, values, _: kernel.recounted(
                self.lists, self.costs, whole, y, self.priced.weights, floor, a, b, values
            ), np.zeros(0),
        )  # fmt: skip
        assert found is not None
        return found

    def _over_pieces(self, watch: Watch | None, work: object, cover: Float64) -> Int64 | None:
        """Work on all pieces, on several threads; return the instances' values, or None if the watch said stop."""
        values = np.zeros(self.instances.size, np.int64)

        def one(piece: tuple[int, int]) -> Float64 | None:
            if watch is not None and watch.stopped:
                return None
            used = np.zeros_like(cover)
            work(*piece, values, used)  # type: ignore[operator]
            return used

        pieces = list(zip(self.pieces[:-1].tolist(), self.pieces[1:].tolist(), strict=True))
        if len(pieces) > 1 and self.priced.threads > 1 and settled(kernel.best_classes, kernel.recounted):
            with ThreadPoolExecutor(self.priced.threads) as pool:
                parts = list(pool.map(one, pieces))
        else:
            parts = [one(piece) for piece in pieces]
        for part in parts:
            if part is None:
                return None
            cover += part
        return values


class PricedRequirements:
    """Prices per row type under requirements, with one multiplier per instance and rule.

    For any prices pi a release costs at least sum n_i pi_i - sum_g V_g, where V_g is at least the most that a valid
    class of instance g gains, sum (pi_i - w_g) x_i, and 0 where it stays closed. V_g is estimated from above: classes
    below `below` rows in whole numbers, larger ones under a multiplier of the requirement. A `round` takes steps on the
    instances that the last scan stored, and scans the whole lattice: only a scan knows a bound, and only `prove` has it
    in whole numbers. `start`, (t,), are the first prices in scaled cost; unless they are `known` to be good, raised to
    somewhat above what the cheapest instance that may hold a valid class costs. `upper` is the cost of a release.
    `value`: the best so far, in scaled cost. `prices`: (t,) float64, its prices.

    Notes
    -----
    Steps as `lagrangian.subgradient` takes them [1]_; O(stored pairs) each, and for instances that gain sorting and a
    search for multipliers. A scan takes O(p t), and the same for the instances that gain before the rule. Memory: some
    20 bytes a stored pair with one rule, and some 50 a value that an instance has.

    References
    ----------
    .. [1] M. Held, P. Wolfe, H. P. Crowder, "Validation of Subgradient Optimization", Mathematical Programming 6, 1974.
    """

    def __init__(
        self,
        problem: Problem,
        encoded: ProblemArrays,
        start: Float64,
        upper: int,
        *,
        known: bool,
        below: int,
        threads: int = 1,
    ) -> None:
        self.problem, self.encoded = problem, encoded
        self.closure, self.vectors = CanonicalPattern(problem, self.encoded), lagrangian.all_vectors(problem)
        self.upper, self.below, self.threads = upper, below, threads
        self.small = small_classes(problem, below)
        self.unit = common_step([level.cost for level in problem.levels])
        largest = sum(int(level.cost.max(initial=0)) for level in problem.levels)
        self.dearest = float(max(largest, 1))
        self.parts = lagrangian.grain(np.array([max(largest, 1)]), problem.types.counts)
        self.weights = np.array([q * self.parts * self.unit // 4 for q in QUARTERS], np.int64)
        self.metrics = metrics_of(problem)
        own = tuning.DEFAULT
        self.reach = own.inner_stored * max(largest / max(problem.types.m, 1), 1.0)
        if problem.patterns.count() * problem.types.t <= own.inner_visits:
            self.reach = float(problem.types.n) * self.dearest
        if not known:
            start = np.maximum(start, own.inner_start * cheapest_rows(problem, self.encoded, self.vectors))
        self.now = self.prices = start
        self.value, self.ahead, self.theta, self.rounds = -np.inf, own.inner_reach, 1.0, 0
        self.stored: Classes | None = None

    @property
    def finished(self) -> bool:
        """Whether further rounds are of no use."""
        return self.ahead < tuning.DEFAULT.inner_least_reach or self.value >= self.upper

    def round(self, watch: Watch) -> bool:
        """Take steps on what is stored, and scan; return whether the scan came to its end."""
        own = tuning.DEFAULT
        if self.stored is not None:
            self.now = self._stepped(self.stored, watch)
        try:
            value, near, _ = self._scanned(self._whole(self.now), self.reach, watch)
        except Stopped:
            return False
        self.rounds += 1
        reached = value / self.parts
        gain = (reached - self.value) / max(reached, 0.25 * self.upper, 1.0)
        if gain < own.inner_gain:
            self.ahead *= own.inner_shrink
        if reached > self.value:
            self.value, self.prices = reached, self.now
        elif gain < -own.inner_fall:
            self.now = 0.5 * (self.now + self.prices)  # steps ran away from what they did not know
        self.stored = Classes(self, near, self.stored)
        return True

    def prove(self, reach: float, watch: Watch) -> tuple[Proof, Instances, Float64] | None:
        """Return the best prices and their multipliers in whole numbers, recounted over every instance of the mask.

        With them come the instances that cost at most `reach`, in scaled cost, beyond what their rows pay, and that
        reduced cost of each. None where the watch said stop before the end.
        """
        whole, multipliers = self._whole(self.prices), []

        def proven(classes: Classes, values: Int64, floor: int) -> Int64:
            values, written = rounded(classes, whole, values, floor)
            multipliers.extend(written)
            return values

        try:
            value, near, rc = self._scanned(whole, reach, watch, proven)
        except Stopped:
            return None
        return Proof(value, self.parts, whole, self.below, tuple(multipliers)), near, rc / self.parts

    def bound(self, proof: Proof) -> int:
        """Return the bound of a proof, in scaled cost."""
        return -(-proof.value // (proof.parts * self.unit)) * self.unit

    def _whole(self, prices: Float64) -> Int64:
        return lagrangian.whole_prices(prices, self.parts)

    def _scanned(
        self, whole: Int64, reach: float, watch: Watch,
        proven: Callable[[Classes, Int64, int], Int64] | None = None,
    ) -> tuple[int, Instances, Int64]:  # fmt: skip
        """Return what the prices are worth, the instances near to adding something, and their reduced costs."""
        floor, near, rc = -int(reach * self.parts) - 1, [], [np.zeros(0, np.int64)]
        value = int((whole * self.encoded.counts).sum())
        for piece, hashed in self._pieces(whole, -floor, watch):
            classes = Classes(self, with_a_class(self.problem, piece, self.below, self.small), self.stored)
            values = classes.best(whole, floor, np.zeros(self.encoded.t), watch)
            if values is None:
                raise Stopped
            if proven is not None:
                values = proven(classes, values, floor)
            assert float(np.abs(values.astype(np.float64)).sum()) < 2.0**61, "prices cut too fine for 64 bits"
            value += hashed - int(values[values > 0].sum())
            close = values > floor
            near.append(classes.instances.only(close))
            rc.append(-values[close])
        return value, Instances.joined(near, self.encoded), np.concatenate(rc)

    def _pieces(self, whole: Int64, tau: int, watch: Watch) -> Iterator[tuple[Instances, int]]:
        """Yield every instance that may add something, or nearly, with its members sorted by kind."""
        problem, e = self.problem, self.encoded
        kinds = kinds_of(problem).astype(np.int64)
        top = np.array(problem.top, np.int8)
        if problem.outliers == "suppress" and problem.patterns.allows_full_suppression:
            everyone = Instances.joined([], e).with_everyone(top, int(e.row_costs(top)[0]), 1)
            yield by_kind(everyone, kinds), 0
        for piece, _, hashed in lagrangian.walk(
            problem, e, self.closure, whole, self.parts, tau=tau, most_pairs=tuning.DEFAULT.inner_pairs,
            vectors=self.vectors, watch=watch,
        ):  # fmt: skip
            yield by_kind(piece, kinds), hashed

    def _stepped(self, stored: Classes, watch: Watch) -> Float64:
        """Return the best prices that some steps on the stored instances lead to."""
        own, counts = tuning.DEFAULT, self.encoded.counts
        most = max(own.inner_target * self.upper, 0.5 * (self.value + self.upper))
        target = min(most, self.value + self.ahead * max(self.value, 0.25 * self.upper))
        target = max(target, self.value + self.unit)
        now, found = self.now, self.now
        best, stale, move = -np.inf, 0, np.zeros_like(now)
        self.theta = min(own.inner_again * self.theta, 1.0)
        for _ in range(own.inner_steps):
            whole, cover = self._whole(now), np.zeros_like(now)
            values = stored.best(whole, 0, cover, watch)
            if values is None:
                break
            reached = (int((whole * counts).sum()) - float(values.astype(np.float64).sum())) / self.parts
            if reached > best:
                stale = stale if reached <= best + 1e-6 * target else 0
                best, found = reached, now
            else:
                stale += 1
                if stale >= own.inner_patience:
                    self.theta, stale, now = own.inner_cooling * self.theta, 0, found
                    move[:] = 0.0
                    continue
            move = 0.5 * move + 0.5 * (counts - cover) / counts
            norm = float((counts * move**2).sum())
            if norm < 1e-12 or reached >= target:
                break
            now = np.clip(now + self.theta * (target - reached) / norm * move, -self.dearest, 2 * self.dearest)
        return np.asarray(found, np.float64)


# The bound in whole numbers: prices and multipliers that anyone can recount, and how they are written down.
VERSION = 12


@dataclass(frozen=True, slots=True, eq=False)
class Proof:
    """What a bound under requirements rests on.

    `value`: in `parts` of a scaled cost unit, recounted in whole numbers. `prices`: (t,) int64, in `parts` of a unit.
    `below`: classes with fewer rows were looked at in whole numbers. `multipliers`: as a certificate holds them.
    """

    value: int
    parts: int
    prices: Int64
    below: int
    multipliers: tuple[tuple[int, ...], ...]


def rounded(classes: Classes, prices: Int64, values: Int64, floor: int) -> tuple[Int64, list[tuple[int, ...]]]:
    """Return what every instance adds at most under multipliers in whole numbers, and these as a certificate has them.

    Each is rounded to one that is valid. None is written where the instance adds no more than `values`, found with
    them, say without any, or where rounding leaves it worth nothing. O(values^2) for each, and two recounts.
    """
    lists, own, problem = classes.lists, classes.own, classes.priced.problem
    y = np.zeros_like(own.y)
    plain = classes.recounted(prices, y, floor)
    found: list[tuple[int, tuple[int, ...]]] = []
    names = classes.instances.names.tolist()
    for r, (place, rule) in enumerate(rules_of(problem)):
        if rule.family == Family.DISTINCT:
            continue
        column = _rules_values(problem, place, rule)
        for g in np.flatnonzero((plain > np.maximum(values, 0)) & lists.large).tolist():
            here = slice(int(lists.first[r, g]), int(lists.first[r, g + 1]))
            whole = whole_multiplier(
                rule, float(lists.level[r]), lists.value[here].astype(np.int64), own.raw[here], own.extra[here],
                float(own.weight[r, g]),
            )  # fmt: skip
            if whole is not None:
                y[here], numbers = whole
                if rule.family in CLOSE:  # of the column's values in place of the rule's
                    numbers = [numbers[0], *(numbers[1 + v] for v in column)]
                found.append((g, (*names[g], place, *numbers)))
    under = classes.recounted(prices, y, floor)
    written = [entry for g, entry in found if under[g] < plain[g]]
    return np.minimum(plain, under), written


def by_requirements(problem: Problem, cost: int, bound: Bound, proof: Proof) -> dict[str, Any]:
    """Return the certificate of a bound under requirements.

    The file says as a certificate of prices does (`incrowd.tables.solve.bounds.certificate`), and::

        version         12: row types differ in quasi-identifiers or in the sensitive columns that requirements name
        requirements    as the policy writes them
        whole_below     classes with fewer rows are looked at in whole numbers
        multipliers     level vector, one row type of the instance, place of the requirement, numbers

    The numbers are, by what the requirement says (v, u: values of its column by rank): pairs v, mu_v for shares; mu and
    F of all values for closeness; mu and P of all values for entropy; mu, u and T, again and again, for recursive.
    `cost` is the scaled cost of the release, and `bound` the one that the proof is of.
    """
    return {
        **head(problem, cost, bound, NAME, VERSION),
        "requirements": [asked.rule for asked in problem.requirements],
        "parts": proof.parts,
        "prices": proof.prices.tolist(),
        "whole_below": proof.below,
        "multipliers": [list(entry) for entry in proof.multipliers],
    }


def prices_of(certificate: Mapping[str, Any] | None) -> Float64 | None:
    """Return the prices that a certificate of `by_requirements` holds, in scaled cost; None where it is another one."""
    if certificate is None or "whole_below" not in certificate:
        return None
    found: Float64 = np.array(certificate["prices"], np.float64) / certificate["parts"]
    return found


def _rules_values(problem: Problem, place: int, rule: CountRule) -> list[int]:
    """Return the rule's value of each value of the column that a requirement judges."""
    value = column_of(problem, place)
    column = np.zeros(int(value.max(initial=0)) + 1, np.int64)
    column[value] = rule.code
    return column.tolist()


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
