"""The bound of a matching recomputed from row types and prices: a stranger to the solver.

Every release with groups of at least two rows splits, at no greater cost, into pairs and triples of rows that
look alike under the mask. Prices y (one a row, 0 for rows not listed) and z >= 0 (one an odd set S of listed
rows) satisfy, for every pair and triple g that is allowed, of cost C(g),

    sum{y_v : v in g} + sum{z_S : |g and S| odd} <= C(g).

Summed over the parts of a release: every row is in one part, and an odd set meets some part oddly, so
sum y + sum z is at most its cost. Single rows that may be fully suppressed are parts too.

All pairs are looked at. Of triples only those inside a set: the two conditions on pairs imply the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from incrowd.errors import InputError
from incrowd.tables.values import Int64, Levels, Outliers, PatternSet, RowTypes, Violation
from incrowd.tables.verify.bound import Recheck, Table
from incrowd.tables.verify.trees import Unreadable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["NAME", "VERSION", "Refuted", "matching_bound", "recheck"]

NAME, VERSION = "incrowd 2-anonymity bound", 1

BLOCK = 2048
ROOM = 1 << 20


class Refuted(ValueError):
    """Some pair, triple or single row is cheaper than its prices: the certificate proves nothing."""


def recheck(
    table: Table,
    patterns: PatternSet,
    certificate: Mapping[str, Any],
    cost: int | None = None,
    sens: NDArray[Any] | None = None,
) -> Recheck:
    """Recount a certificate of the solver `matching`.

    Parameters
    ----------
    table : Table
    patterns : PatternSet
        The mask of the table.
    certificate : mapping
        As read from JSON.
    cost : int, optional
        Scaled cost of the release, recounted from its rows; compared with the claimed one.
    sens : (t, s) int, optional
        Values of one or two sensitive columns of which no value may have more than half of a class; the bound is then
        one for every k.

    Raises
    ------
    InputError
        If the certificate cannot be read.
    """
    try:
        return _recheck(table, patterns, certificate, cost, sens)
    except Unreadable as error:
        raise InputError(f"the certificate cannot be read: {error}") from None


def _recheck(
    table: Table,
    patterns: PatternSet,
    certificate: Mapping[str, Any],
    cost: int | None,
    sens: NDArray[Any] | None,
) -> Recheck:
    if certificate.get("certificate") != NAME or certificate.get("version") != VERSION:
        raise Unreadable(f"it is no {NAME!r} of version {VERSION}")
    claims = {}
    for name in ("cost", "lower_bound", "lower_bound_checked"):
        claim = certificate.get(name)
        if not isinstance(claim, int) or isinstance(claim, bool):
            raise Unreadable(f"{name} is no whole number")
        claims[name] = claim
    if certificate.get("proof") not in ("certificate", "solver"):
        raise Unreadable("proof is neither 'certificate' nor 'solver'")
    counts = np.asarray(table.counts, np.int64)
    facts = {
        "rows": int(counts.sum()), "row_types": len(counts), "k": table.k, "outliers": table.outliers,
        "scale": table.scale,
    }  # fmt: skip
    wrong = [name for name, fact in facts.items() if certificate.get(name) != fact]
    if sens is None and table.k != 2:
        wrong.append("k")
    if sens is not None and sens.shape[1] not in (1, 2):
        wrong.append("diverse")
    if cost is not None and cost != claims["cost"]:
        wrong.append("cost")
    if not claims["lower_bound_checked"] <= claims["lower_bound"] <= claims["cost"]:
        wrong.append("lower_bound")
    value = 0
    if not wrong:
        codes = np.ascontiguousarray(table.codes, np.int32)
        sizes = tuple(int(top) + 1 for top in codes.max(axis=0, initial=0))
        inner = certificate.get("matching")
        if not isinstance(inner, Mapping):
            raise Unreadable("it lacks the prices")
        try:
            types = RowTypes(codes, counts, sizes)
            value = max(matching_bound(types, table.levels, patterns, inner, outliers=table.outliers, sens=sens), 0)
        except Refuted:
            wrong.append("proof")
    if not wrong and claims["lower_bound_checked"] > value:
        wrong.append("lower_bound_checked")
    if not wrong and certificate["proof"] == "certificate" and claims["lower_bound"] > value:
        wrong.append("lower_bound")
    return Recheck(
        claims["cost"] if cost is None else cost,
        min(value, claims["cost"]),
        not wrong and value >= claims["lower_bound"],
        tuple(Violation(f"certificate: {name}", 1) for name in wrong),
    )


def matching_bound(
    types: RowTypes,
    levels: Sequence[Levels],
    patterns: PatternSet,
    certificate: Mapping[str, Any],
    *,
    outliers: Outliers = "forbid",
    sens: NDArray[Any] | None = None,
) -> int:
    """Recompute the lower bound that a certificate proves, in scaled costs.

    Parameters
    ----------
    types, levels, patterns, outliers
        The problem, as in `incrowd.tables.values.Problem`; k is 2.
    certificate : mapping
        ``scale`` (int, at least 1), ``divisor`` (a common divisor of all costs: one unit of cost is that many scaled
        ones and `scale` of the prices), ``rows`` (type of each priced row), ``prices`` (int each), ``sets`` (list of
        ``rows``, places in that list, and ``price``).
    sens : (t, s) int, optional
        Sensitive codes; rows of a part differ pairwise in each of these columns.

    Returns
    -------
    int
        ceil((sum of prices) / scale) times the divisor.

    Raises
    ------
    Unreadable
        If the certificate is malformed.
    Refuted
        If any pair, triple or single row is cheaper than its prices; the text says which kind and how many.

    Notes
    -----
    Integers throughout. O(n^2 L) simple steps, n priced rows; O(s^3) for a set of s rows.
    """
    scale, divisor, who, y, sets, z = _read(types, certificate)
    levels = _divided(levels, divisor, scale)
    lift = y.copy()
    for rows, price in zip(sets, z, strict=True):
        lift[rows] += price
    lines, steps = _lines(types, levels)
    mask = _Mask(types, levels, patterns, scale)
    secret = np.zeros((types.t, 0), np.int64) if sens is None else np.asarray(sens, np.int64).reshape(types.t, -1)
    free = secret.shape[1] == 0
    if outliers == "suppress" and free and patterns.allows_full_suppression:
        full = sum(int(level.cost[-1].max(initial=0)) for level in levels)
        _refuse("single rows", int((lift > scale * full).sum()))
    # All other rows stand at price 0, one for each type that has a row not listed.
    spare = np.flatnonzero(np.bincount(who, minlength=types.t) < types.counts)
    everyone = np.concatenate((who, spare))
    prices = np.concatenate((lift, np.zeros(spare.size, np.int64)))
    mptr, mids = _by_row(everyone.size, sets)
    wide = np.ascontiguousarray(lines[everyone].T)
    wide_steps = np.ascontiguousarray(steps[everyone].T)
    secrets = np.ascontiguousarray(secret[everyone])
    first = 0
    while first < who.size:
        left, right, cost, first = _cheap_pairs(
            wide, wide_steps, secrets, prices, mptr, mids, z, scale, first, who.size, ROOM
        )
        _refuse("pairs", mask.too_cheap(everyone[left], everyone[right], everyone[right], cost))
    for rows in sets:
        begin = 0
        while begin < rows.size:
            found, need, begin = _cheap_triples(
                wide, wide_steps, secrets, prices, mptr, mids, z, scale, rows, begin, ROOM
            )
            _refuse(
                "triples", mask.too_cheap(everyone[found[:, 0]], everyone[found[:, 1]], everyone[found[:, 2]], need)
            )
    return -(-(int(y.sum()) + int(z.sum())) // scale) * divisor


def _divided(levels: Sequence[Levels], divisor: int, scale: int) -> tuple[Levels, ...]:
    """Return the levels with their costs in units of the divisor."""
    if any((level.cost % divisor).any() for level in levels):
        raise Unreadable("the certificate has a divisor that does not divide the costs")
    if scale * sum(int(level.cost.max(initial=0)) // divisor for level in levels) >= 1 << 58:
        raise Unreadable("the certificate has too fine a scale")
    return tuple(Levels(level.up, level.cost // divisor) for level in levels)


def _refuse(kind: str, count: int) -> None:
    if count:
        raise Refuted(f"the certificate is wrong: {count} {kind} cost less than their prices")


def _read(types: RowTypes, certificate: Mapping[str, Any]) -> tuple[int, int, Int64, Int64, list[Int64], Int64]:
    try:
        scale, divisor = int(certificate["scale"]), int(certificate["divisor"])
        who = np.array(certificate["rows"], np.int64).reshape(-1)
        y = np.array(certificate["prices"], np.int64).reshape(-1)
        sets = [np.array(entry["rows"], np.int64).reshape(-1) for entry in certificate["sets"]]
        z = np.array([int(entry["price"]) for entry in certificate["sets"]], np.int64)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise Unreadable("the certificate lacks numbers it needs: scale, divisor, rows, prices, sets") from error
    if min(scale, divisor) < 1 or who.size != y.size:
        raise Unreadable("the certificate has a scale or divisor below 1, or not one price for each row")
    if who.size and (who.min() < 0 or who.max() >= types.t):
        raise Unreadable("the certificate names row types that the table does not have")
    if (np.bincount(who, minlength=types.t) > types.counts).any():
        raise Unreadable("the certificate prices more rows of a type than the table has")
    for rows, price in zip(sets, z, strict=True):
        if rows.size % 2 == 0 or np.unique(rows).size != rows.size or price < 0:
            raise Unreadable("the certificate has a set that is not odd, or a negative price of one")
        if rows.min() < 0 or rows.max() >= who.size:
            raise Unreadable("the certificate has a set of rows that it does not price")
    # Sums of few prices must not wrap around.
    if max(np.abs(y).max(initial=0), int(sum(map(int, z)))) >= 1 << 58:
        raise Unreadable("the certificate has prices beyond 2**58")
    return scale, divisor, who, y, [np.sort(rows) for rows in sets], z


def _lines(types: RowTypes, levels: Sequence[Levels]) -> tuple[NDArray[np.int32], Int64]:
    """Return node and cost step of every type at every level below the top."""
    nodes, steps = [], []
    for j, level in enumerate(levels):
        value = types.codes[:, j]
        for here in range(level.height):
            nodes.append(level.up[here][value])
            steps.append((level.cost[here + 1] - level.cost[here])[value])
    if not nodes:
        return np.zeros((types.t, 0), np.int32), np.zeros((types.t, 0), np.int64)
    return np.stack(nodes, axis=1).astype(np.int32), np.stack(steps, axis=1).astype(np.int64)


def _by_row(n: int, sets: list[Int64]) -> tuple[Int64, Int64]:
    rows = np.concatenate(sets) if sets else np.zeros(0, np.int64)
    names = np.repeat(np.arange(len(sets)), [s.size for s in sets])
    order = np.lexsort((names, rows))
    ptr = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=n))))
    return ptr.astype(np.int64), names[order].astype(np.int64)


class _Mask:
    """What groups cost under the mask, for those that would be too cheap without it."""

    def __init__(self, types: RowTypes, levels: Sequence[Levels], patterns: PatternSet, scale: int) -> None:
        self.types, self.levels, self.patterns, self.scale = types, levels, patterns, scale
        every = 1
        for level in levels:
            every *= level.height + 1
        self.all_allowed = patterns.count() == every
        self.known: dict[tuple[int, ...], int] = {}

    def too_cheap(self, a: Int64, b: Int64, c: Int64, need: Int64) -> int:
        """Count the groups {a, b, c}, cheap without the mask, that are allowed and cost less than need / scale."""
        if self.all_allowed or not a.size:
            return int(a.size)
        vector = np.zeros((a.size, len(self.levels)), np.int64)
        for j, level in enumerate(self.levels):
            u, v, w = (self.types.codes[x, j] for x in (a, b, c))
            for here in range(level.height):
                node = level.up[here]
                vector[(node[u] != node[v]) | (node[u] != node[w]), j] = here + 1
        shown = vector
        if not all(level.uniform for level in self.levels):
            shown = np.concatenate((vector, self.types.codes[a]), axis=1)
        first, back = _distinct(shown)
        least = np.array([self._least(vector[at], int(a[at]), shown[at]) for at in first], np.int64)
        cost = least[back]
        return int(((cost >= 0) & (cost * self.scale < need)).sum())

    def _least(self, vector: Int64, row: int, name: Int64) -> int:
        """Return the cost per row, -1 where no pattern allows the group."""
        key = tuple(int(x) for x in name)
        if key not in self.known:
            costs = [[int(c) for c in level.cost[:, self.types.codes[row, j]]] for j, level in enumerate(self.levels)]
            for j, low in enumerate(vector):
                costs[j][: int(low)] = [0] * int(low)
            found = self.patterns.cheapest_above([int(v) for v in vector], costs)
            self.known[key] = -1 if found is None else sum(c[x] for c, x in zip(costs, found, strict=True))
        return self.known[key]


def _distinct(lines: Int64) -> tuple[Int64, Int64]:
    """Return the first place of each distinct line and for every line which it is."""
    radix = lines.max(axis=0, initial=0) + 1
    if float(np.prod(radix.astype(np.float64))) < 2**62:
        weight = np.concatenate((np.cumprod(radix[::-1])[-2::-1], [1])).astype(np.int64)
        _, first, back = np.unique(lines @ weight[-lines.shape[1] :], return_index=True, return_inverse=True)
    else:
        _, first, back = np.unique(lines, axis=0, return_index=True, return_inverse=True)
    return first, back.reshape(-1)


@njit(cache=True)
def _shared(i, j, mptr, mids, z):  # type: ignore[no-untyped-def]
    total = np.int64(0)
    a, b = mptr[i], mptr[j]
    while a < mptr[i + 1] and b < mptr[j + 1]:
        if mids[a] == mids[b]:
            total += z[mids[a]]
            a += 1
            b += 1
        elif mids[a] < mids[b]:
            a += 1
        else:
            b += 1
    return total


@njit(cache=True)
def _cheap_pairs(lines, steps, secrets, prices, mptr, mids, z, scale, first, last, room):  # type: ignore[no-untyped-def]
    """List pairs with 2 scale h < their prices, h without the mask; stop after a row that fills the room.

    Returns left, right, ceil(prices / 2) and the next row to look at.
    """
    n = lines.shape[1]
    left = np.empty(room + n, np.int64)
    right = np.empty(room + n, np.int64)
    need = np.empty(room + n, np.int64)
    count = 0
    acc = np.empty(BLOCK, np.int64)
    i = first
    while i < last and count < room:
        for a in range(i + 1, n, BLOCK):
            b = min(a + BLOCK, n)
            m = b - a
            for t in range(m):
                acc[t] = 0
            for line in range(lines.shape[0]):
                c = lines[line, i]
                w = steps[line, i]
                others = lines[line, a:b]
                for t in range(m):
                    if others[t] != c:
                        acc[t] += w
            theirs = prices[a:b]
            hits = 0
            for t in range(m):
                hits += 2 * scale * acc[t] - theirs[t] < prices[i]
            if hits == 0:
                continue
            for t in range(m):
                j = a + t
                asked = prices[i] + prices[j]
                if 2 * scale * acc[t] >= asked:
                    continue
                allowed = True
                for s in range(secrets.shape[1]):
                    if secrets[i, s] == secrets[j, s]:
                        allowed = False
                if not allowed:
                    continue
                asked -= 2 * _shared(i, j, mptr, mids, z)
                if 2 * scale * acc[t] < asked:
                    left[count] = i
                    right[count] = j
                    need[count] = -((-asked) // 2)
                    count += 1
        i += 1
    return left[:count], right[:count], need[:count], i


@njit(cache=True)
def _cheap_triples(lines, steps, secrets, prices, mptr, mids, z, scale, rows, first, room):  # type: ignore[no-untyped-def]
    """List triples of a set with 3 scale f < their prices; stop after a row that fills the room."""
    size = rows.size
    out = np.empty((room + size * size, 3), np.int64)
    need = np.empty(room + size * size, np.int64)
    count = 0
    a = first
    while a < size and count < room:
        u = rows[a]
        for b in range(a + 1, size):
            v = rows[b]
            for c in range(b + 1, size):
                w = rows[c]
                allowed = True
                for s in range(secrets.shape[1]):
                    x, y, q = secrets[u, s], secrets[v, s], secrets[w, s]
                    if x in (y, q) or y == q:
                        allowed = False
                if not allowed:
                    continue
                cost = np.int64(0)
                for line in range(lines.shape[0]):
                    k = lines[line, u]
                    if lines[line, v] != k or lines[line, w] != k:
                        cost += steps[line, u]
                # Prices hold every set of each row; a set with two of them must not count, one with three once.
                asked = prices[u] + prices[v] + prices[w]
                asked -= 2 * (
                    _shared(u, v, mptr, mids, z) + _shared(u, w, mptr, mids, z) + _shared(v, w, mptr, mids, z)
                )
                for e in range(mptr[u], mptr[u + 1]):
                    inside = 0
                    for f in range(mptr[v], mptr[v + 1]):
                        inside += mids[f] == mids[e]
                    for f in range(mptr[w], mptr[w + 1]):
                        inside += mids[f] == mids[e]
                    if inside == 2:
                        asked += 4 * z[mids[e]]
                if 3 * scale * cost < asked:
                    out[count, 0] = u
                    out[count, 1] = v
                    out[count, 2] = w
                    need[count] = -((-asked) // 3)
                    count += 1
        a += 1
    return out[:count], need[:count], a
