"""Better multipliers of an instance for any rule that a broken class can be told by: along one direction after another.

A class that breaks a rule is told apart by a y with sum y x > 0 (`direction`); multipliers move along it as far as what
is left of the gains falls. All of it stays a multiplier of the rule's form: F and mu add up, and so do distributions
(the logarithm is concave) and terms.
"""

from __future__ import annotations

import math

import numpy as np

from incrowd.kernels.bounds.inner_large import filled
from incrowd.kernels.bounds.inner_lists import ENTROPY, EQUAL, LINE, RECURSIVE, SHARES, TRANSPORT, TREE
from incrowd.loops import njit

__all__ = ["best_ray", "multiplier"]

DIRECTIONS = 3
HALVINGS = 8


@njit(cache=True, nogil=True)
def multiplier(family, level, share, raw, extra, weight, base, y):  # type: ignore[no-untyped-def]
    """Fill in y, (s,) float64, per slot of the instance.

    `family` and `level` (a float) are the rule's, and `share`, (s,) float64, is for SHARES the share of each value.
    `raw` and `extra`, (s,) float64, are F, mu or P times mu per slot; for RECURSIVE they are the weight of the terms
    with u = v, and with v in T. `weight` is mu, and `base` the sum of q F over all values.
    """
    if family == SHARES:
        whole = 0.0
        for s in range(raw.size):
            whole += share[s] * raw[s]
        for s in range(raw.size):
            y[s] = raw[s] - whole
    elif family == ENTROPY:
        for s in range(raw.size):
            y[s] = 0.0
            if weight > 0:
                y[s] = weight * (level + math.log(max(raw[s], 1e-12 * weight) / weight))
    elif family == RECURSIVE:
        for s in range(raw.size):
            y[s] = raw[s] + level * (extra[s] - weight)
    elif family in (TREE, LINE, TRANSPORT, EQUAL):
        for s in range(raw.size):
            y[s] = raw[s] - base - level * weight
    else:
        y[:] = 0.0


@njit(cache=True, nogil=True)
def best_ray(family, level, least, metric, value, at, terms, rows, need, enough, state, raw, extra, take):  # type: ignore[no-untyped-def]
    """Improve a multiplier along a few directions; return what is left of the gains.

    `family`, `level` and `least` are the rule's. `metric` holds shares, lengths of steps, nodes and distances of all
    values of the rule's column. `value`, (s,) int32, are the values that the instance has, and `at`, (m,) int64, says
    which of them each member has. `terms`, (m,) float64, are gains less the multipliers of other rules.

    `state`, (2,) float64, is mu, and the sum of q F; `raw` and `extra`, (s,) float64, are as for `multiplier`. These
    three are read and changed. The rows of each member in the class that the multipliers belong to are written into
    `take`, (m,) float64.

    It takes O(m + values) a step of some twenty for each of three directions.
    """
    count = value.size
    scratch = np.empty(terms.size + 1), np.empty(terms.size + 1)
    spare = np.empty(terms.size + 1, np.int64), np.empty(terms.size + 1, np.int64)
    y, more, also = np.zeros(count), np.zeros(count), np.zeros(count)
    here, here_too, here_state = raw.copy(), extra.copy(), state.copy()
    adjusted, low_take = np.empty(terms.size), np.empty(terms.size)
    held = np.zeros(count)
    span = np.abs(terms).max() + 1.0
    kept = 0.0
    best = _left(
        family, level, at, terms, rows, need, scratch, spare, here, here_too, here_state, y, adjusted, held, take
    )
    for _ in range(DIRECTIONS):
        if best <= enough:
            break
        shrink = 0.0
        for s in range(count):
            shrink += y[s] * held[s]
        _left(family, level, at, terms, rows, need, scratch, spare, raw, extra, state, y, adjusted, held, low_take)
        broken, base = _direction(family, level, least, metric, value, held, more, also)
        if broken > 1e-9 * (1.0 + held.sum()):
            low, high, begun, bracketed = 0.0, span, False, False
            length = 0.05 * span if state[0] <= 0 else 0.25 * state[0]
            for _ in range(HALVINGS + 6):
                here[:] = raw + length * more
                here_too[:] = extra + length * also
                here_state[0], here_state[1] = state[0] + length, state[1] + length * base
                left = _left(
                    family,
                    level,
                    at,
                    terms,
                    rows,
                    need,
                    scratch,
                    spare,
                    here,
                    here_too,
                    here_state,
                    y,
                    adjusted,
                    held,
                    low_take,
                )
                if left < best:
                    best, kept = left, length
                    take[:] = low_take
                    begun = True
                slope = 0.0
                for s in range(count):
                    slope += _gradient(family, level, more[s], also[s], base) * held[s]
                if slope > 0:
                    low = length
                    length = 2.0 * length if not bracketed else 0.5 * (low + high)
                else:
                    high, bracketed = length, True
                    length = 0.5 * (low + high)
                if high - low < 0.02 * high or length > span:
                    break
            if begun:
                raw += kept * more
                extra += kept * also
                state[0] += kept
                state[1] += kept * base
                continue
        if state[0] <= 0:
            break
        begun = False
        for factor in (0.97, 0.9, 0.75, 0.5, 0.0):
            here[:] = raw * factor
            here_too[:] = extra * factor
            here_state[:] = state * factor
            left = _left(
                family,
                level,
                at,
                terms,
                rows,
                need,
                scratch,
                spare,
                here,
                here_too,
                here_state,
                y,
                adjusted,
                held,
                low_take,
            )
            if left >= best:
                break
            best, kept = left, factor
            take[:] = low_take
            begun = True
        if not begun:
            break
        raw *= kept
        extra *= kept
        state *= kept
    return best


@njit(cache=True, nogil=True)
def _left(family, level, at, terms, rows, need, scratch, spare, raw, extra, state, y, adjusted, held, take):  # type: ignore[no-untyped-def]
    """Return what is left of the gains under a multiplier; `held`: rows of each slot that gain."""
    multiplier(family, level, y, raw, extra, state[0], state[1], y)
    held[:] = 0.0
    for x in range(terms.size):
        adjusted[x] = terms[x] - y[at[x]]
        take[x] = 0.0
        if adjusted[x] > 0:
            held[at[x]] += rows[x]
            take[x] = rows[x]
    return filled(adjusted, rows, need, scratch[0], spare[0], scratch[1], spare[1])


@njit(cache=True, nogil=True)
def _gradient(family, level, more, also, base):  # type: ignore[no-untyped-def]
    """Return how y of a slot grows along a direction (entropy: at its beginning)."""
    if family == ENTROPY:
        return level + math.log(max(more, 1e-12))
    if family == RECURSIVE:
        return more + level * (also - 1.0)
    return more - base - level


@njit(cache=True, nogil=True)
def _direction(family, level, least, metric, value, held, more, also):  # type: ignore[no-untyped-def]
    """Fill in the direction of a class with these rows per slot; return by how much it is broken, and sum q F."""
    count, size = held.size, held.sum()
    more[:] = 0.0
    also[:] = 0.0
    if size <= 0:
        return 0.0, 0.0
    base = 0.0
    if family == ENTROPY:
        for s in range(count):
            more[s] = 0.95 * held[s] / size + 0.05 / count
    elif family == RECURSIVE:
        order = np.argsort(-held, kind="mergesort")
        more[order[0]] = 1.0
        for place in range(min(least - 1, count)):
            also[order[place]] = 1.0
    elif family in (LINE, TREE, EQUAL, TRANSPORT):
        base = _potential(family, metric, value, held, size, more)
    else:
        return 0.0, 0.0
    broken = 0.0
    for s in range(count):
        broken += _gradient(family, level, more[s], also[s], base) * held[s]
    return broken, base


@njit(cache=True, nogil=True)
def _potential(family, metric, value, held, size, more):  # type: ignore[no-untyped-def]
    """Fill in a function of slope at most 1 in the metric that tells the class from the table; return sum q F."""
    share, length, node, distance = metric
    count = share.size
    moved = -share * size
    for s in range(held.size):
        moved[value[s]] += held[s]
    high = np.zeros(count)
    if family == LINE:
        over = 0.0
        for v in range(count - 1):
            over += moved[v]
            high[v + 1] = high[v] - length[v] * np.sign(over)
    elif family == TRANSPORT:
        for v in range(count):
            nearest = 1.0
            for u in range(count):
                if moved[u] < 0:
                    nearest = min(nearest, distance[u * count + v])
            high[v] = nearest
    else:
        heights = node.size // count
        for h in range(heights):
            nodes = node[h * count : (h + 1) * count]
            sums = np.zeros(nodes.max() + 1)
            for v in range(count):
                sums[nodes[v]] += moved[v]
            for v in range(count):
                high[v] += 0.5 * np.sign(sums[nodes[v]]) / heights
    base = 0.0
    for v in range(count):
        base += share[v] * high[v]
    for s in range(held.size):
        more[s] = high[value[s]]
    return base
