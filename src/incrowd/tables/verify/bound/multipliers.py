"""A certificate's multipliers: what may be taken from the gain of a row of each kind, by the rules of a requirement.

Where a class keeps a rule, sum_v y_v x_v <= 0 for every y that is made here: then sum (gain - y) x is no less than its
gain (papers/t-closeness.md, "What a class can gain"). A y that is rounded down stays one.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.verify.bound.strict_numbers import Unreadable
from incrowd.tables.verify.requirements.distances import Line, Tree
from incrowd.tables.verify.requirements.logarithms import floor_of_ln
from incrowd.tables.verify.requirements.rules import Close, EntropyOf, Recursive, Shares

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from incrowd.tables.verify.requirements.distances import Matrix
    from incrowd.tables.verify.requirements.rules import Rules

__all__ = ["taken_by"]


def taken_by(says: Rules, numbers: list[int], below: int) -> NDArray[np.int64] | None:
    """Return what a multiplier takes from a row of each kind, shape (kinds,); None where it is outside the cone [V8].

    `says` are the rules of the requirement that it belongs to, `numbers` are as the certificate has them, each known to
    be whole, and no absolute value of the result reaches `below`. Raise `Unreadable` where there are not the numbers
    that its kind has, or they come to too much.
    """
    rule = says.rules[0] if len(says.rules) == 1 else None
    if isinstance(rule, Shares):
        found = _of_shares(rule, numbers)
    elif isinstance(rule, Close):
        found = _of_distance(rule, numbers)
    elif isinstance(rule, EntropyOf):
        found = _of_entropy(rule, numbers)
    elif isinstance(rule, Recursive):
        found = _of_recursive(rule, numbers)
    else:  # one that has no multipliers
        return None
    if found is None:
        return None
    if any(not -below < y < below for y in found):
        raise Unreadable("its multipliers are too large to be added up")
    taken: NDArray[np.int64] = np.array(found, np.int64)[rule.code]
    return taken


def _of_shares(rule: Shares, numbers: list[int]) -> list[int] | None:
    """Return mu_v - sum_u share_u mu_u from pairs v, mu_v."""
    if len(numbers) % 2:
        raise Unreadable("a multiplier of shares is no list of pairs")
    places, mus = numbers[::2], numbers[1::2]
    if any(not 0 <= v < len(rule.share) for v in places) or len(set(places)) < len(places):
        raise Unreadable("a multiplier names a value that is not there, or one twice")
    if any(mu < 0 for mu in mus):
        return None
    whole = sum((rule.share[v] * mu for v, mu in zip(places, mus, strict=True)), Fraction(0))
    found = [-(-whole.numerator // whole.denominator) * -1] * len(rule.share)
    for v, mu in zip(places, mus, strict=True):
        found[v] += mu
    return found


def _of_distance(rule: Close, numbers: list[int]) -> list[int] | None:
    """Return F_v - sum_u q_u F_u - t mu from mu, F_0, F_1, ..., where no two F are further apart than mu times d."""
    values = rule.totals.size
    if len(numbers) != values + 1:
        raise Unreadable("a multiplier of a distance is not one number and one a value")
    mu, f = numbers[0], numbers[1:]
    if mu < 0 or not _near(rule.apart, mu, f):
        return None
    n, t = int(rule.totals.sum()), rule.t
    mean = sum(c * one for c, one in zip(rule.totals.tolist(), f, strict=True))
    rest = -(t.denominator * mean + t.numerator * mu * n) // (t.denominator * n)
    return [one + rest for one in f]


def _near(apart: Line | Tree | Matrix, mu: int, f: list[int]) -> bool:
    """Return whether no two of the numbers are further apart than mu times the distance of their values."""
    if isinstance(apart, Tree):
        height = len(apart.nodes)
        levels = [nodes.tolist() for nodes in apart.nodes] + [[0] * len(f)]
        return all(_widest(nodes, f) * height <= mu * h for h, nodes in enumerate(levels))
    if isinstance(apart, Line):
        at = [0]
        for step in apart.steps:
            at.append(at[-1] + step)
        ordered = sorted(zip(apart.place.tolist(), f, strict=True))
        return all(
            abs(one - other) * at[-1] <= mu * (at[high] - at[low]) and (low != high or one == other)
            for (low, one), (high, other) in itertools.pairwise(ordered)
        )
    costs = apart.costs
    most = max((abs(one) for one in f), default=0)
    fits = max(2 * most * apart.scale, mu * apart.scale) < 1 << 62
    kind: Any = np.int64 if fits else object
    given = np.array(f, dtype=kind)
    return bool((np.abs(given[:, None] - given[None, :]) * apart.scale <= mu * costs.astype(kind)).all())


def _widest(nodes: Sequence[int], f: list[int]) -> int:
    """Return the largest difference of two numbers below one node."""
    low: dict[int, int] = {}
    high: dict[int, int] = {}
    for node, one in zip(nodes, f, strict=True):
        low[node] = min(low.get(node, one), one)
        high[node] = max(high.get(node, one), one)
    return max((high[node] - low[node] for node in low), default=0)


def _of_entropy(rule: EntropyOf, numbers: list[int]) -> list[int] | None:
    """Return mu (ln l + ln(P_v / P)) from mu, P_0, P_1, ..., P their sum."""
    if len(numbers) != rule.totals.size + 1:
        raise Unreadable("a multiplier of entropy is not one number and one a value")
    mu, shares = numbers[0], numbers[1:]
    if mu < 0 or any(share < 1 for share in shares):
        return None
    whole = sum(shares)
    found = {share: floor_of_ln(mu, rule.l * Fraction(share, whole)) for share in set(shares)}
    return [found[share] for share in shares]


def _of_recursive(rule: Recursive, numbers: list[int]) -> list[int] | None:
    """Return sum mu ([v = u] + c [v in T] - c) from mu, u and the l - 1 values of T, again and again."""
    values, length = rule.totals.size, rule.l + 1
    if len(numbers) % length:
        raise Unreadable("a multiplier of recursive diversity has terms of another length")
    terms = [numbers[at : at + length] for at in range(0, len(numbers), length)]
    for _, *named in terms:  # all of them before a sign is looked at: what is unreadable refutes nothing
        if any(not 0 <= v < values for v in named) or len(set(named[1:])) < len(named) - 1:
            raise Unreadable("a multiplier names a value that is not there, or one twice")
    if any(mu < 0 for mu, *_ in terms):
        return None
    up, down = rule.c.numerator, rule.c.denominator
    found, base = [0] * values, 0
    for mu, first, *others in terms:
        base -= mu * up
        found[first] += mu * down
        for v in others:
            found[v] += mu * up
    return [(one + base) // down for one in found]
