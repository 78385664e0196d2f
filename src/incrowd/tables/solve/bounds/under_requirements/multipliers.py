"""Multipliers in whole numbers: valid whatever they are, and what they come to per value.

A rule's classes form a cone (at least in what is looked at here), and y is in its polar cone: sum_v y_v x_v <= 0 for
every valid class x. So no gain is lost that a valid class has when y is taken off the gains. With whole mu, F, P and T:

    SHARES                  y_v = mu_v - sum_u share_u mu_u                       (mu >= 0)
    TREE, LINE, TRANSPORT   y_v = F_v - sum_u q_u F_u - t mu                      (abs(F_u - F_v) <= mu d(u, v))
    ENTROPY                 y_v = mu (log l + log(P_v / sum P))                   (P >= 1)
    RECURSIVE               y_v = sum mu ([v = u] + c [v in T] - c)               (T of l - 1 values)

each rounded down (Kantorovich and Rubinstein for distances, Gibbs for entropy).
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.count_rules import Family
from incrowd.tables.solve.bounds.under_requirements.layout import ABOVE, CLOSE, distances

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.count_rules import CountRule
    from incrowd.tables.values import Int64

__all__ = ["Whole", "whole_multiplier"]

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
    `extra` and `weight` are as `incrowd.kernels.bounds.inner_rays.multiplier` reads them.
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
