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

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError
from incrowd.tables.values import Int64, Levels, Outliers, RowTypes
from incrowd.tables.verify.bound.certificate import Recheck, Table, verdict_on
from incrowd.tables.verify.bound.matching_loops import cheap_pairs, cheap_triples
from incrowd.tables.verify.bound.strict_numbers import Unreadable, entries, numbers, read_head, whole
from incrowd.tables.verify.requirements.reading import reading_of, settings_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

NAME, VERSION = "incrowd 2-anonymity bound", 1

ROOM = 1 << 20
AT_ONCE = 1 << 30  # simple steps between two looks at the keyboard
MOST_TRIPLES = 1 << 36
# No price, nor the sum of the sets' prices, reaches it: what that is good for stands in `matching_loops`.
MOST = 1 << 58  # [M1]


class Refuted(ValueError):
    """Some pair, triple or single row is cheaper than its prices: the certificate proves nothing."""


def recheck(
    table: Table, certificate: Mapping[str, Any], cost: int | None = None, sens: NDArray[Any] | None = None
) -> Recheck:
    """Recount a certificate of the solver `matching`.

    The certificate is as read from JSON. `cost` is the scaled cost of the release, recounted from its rows, which is
    compared with the claimed one. `sens` (t, s) holds the values of one or two sensitive columns of which no value may
    have more than half of a class; the bound is then one for every k. Raise `InputError` if the certificate cannot be
    read.
    """
    try:
        return _recheck(table, certificate, cost, sens)
    except Unreadable as error:
        raise InputError(f"the certificate cannot be read: {error}") from None


def _recheck(table: Table, certificate: Mapping[str, Any], cost: int | None, sens: NDArray[Any] | None) -> Recheck:
    counts = np.asarray(table.counts, np.int64)
    claims = read_head(certificate, NAME, VERSION, table.facts(), cost)
    wrong = list(claims.wrong)
    if sens is None and table.k != 2:  # [M1]
        wrong.append("k")
    if sens is not None and sens.shape[1] not in (1, 2):
        wrong.append("diverse")
    value = 0
    if not wrong:
        codes = np.ascontiguousarray(table.codes, np.int32)
        sizes = tuple(int(top) + 1 for top in codes.max(axis=0, initial=0))
        inner = certificate.get("matching")
        if not isinstance(inner, Mapping):
            raise Unreadable("it lacks the prices")
        try:
            types = RowTypes(codes, counts, sizes)
            value = max(
                matching_bound(
                    types, table.levels, table.allows, inner, outliers=table.outliers, sens=sens, ask=table.ask
                ),
                0,
            )
        except Refuted:
            wrong.append("proof")
    return verdict_on(claims, value, wrong, cost)


def matching_bound(
    types: RowTypes,
    levels: Sequence[Levels],
    allows: Callable[[tuple[int, ...]], bool],
    certificate: Mapping[str, Any],
    *,
    outliers: Outliers = "forbid",
    sens: NDArray[Any] | None = None,
    ask: Callable[[], object] = lambda: None,
) -> int:
    """Recompute the lower bound that a certificate proves, in scaled costs.

    `types`, `levels` and `outliers` are the problem, as in `incrowd.tables.values.Problem`; k is 2. `allows` says
    whether the mask allows a level vector, and `sens` (t, s) holds sensitive codes: rows of a part differ pairwise in
    each of these columns. `ask` is called again and again, and ends the recount by an exception. The certificate has
    ``scale`` (int, at least 1), ``divisor`` (a common divisor of all costs: one unit of cost is that many scaled ones
    and `scale` of the prices), ``rows`` (type of each priced row), ``prices`` (int each) and ``sets`` (list of
    ``rows``, places in that list, and ``price``). Raise `Unreadable` if it is malformed, and `Refuted` if any pair,
    triple or single row is cheaper than its prices; the text says which kind and how many. The bound is ceil((sum of
    prices) / scale) times the divisor. Integers throughout. O(n^2 L) simple steps, n priced rows; O(s^3) for a set of s
    rows.
    """
    scale, divisor, who, y, sets, z = _read(types, certificate)
    levels = _divided(levels, divisor, scale)
    lift = y.copy()
    for rows, price in zip(sets, z.tolist(), strict=True):
        lift[rows] += price  # no row twice in a set; |y| and the sum of all z are below 2**58 each
    lines, steps = _lines(types, levels)
    mask = PlainMask(levels, allows)
    secret = np.zeros((types.t, 0), np.int64) if sens is None else np.asarray(sens, np.int64).reshape(types.t, -1)
    free = secret.shape[1] == 0
    if outliers == "suppress" and free and mask.allows_full_suppression:  # [M3]
        full = sum(int(level.cost[-1].max(initial=0)) for level in levels)
        _refuse("single rows", int((lift > scale * full).sum()))  # below 2**58, see `_divided`
    # All other rows stand at price 0, one for each type that has a row not listed.
    spare = np.flatnonzero(np.bincount(who, minlength=types.t) < types.counts)
    everyone = np.concatenate((who, spare))
    prices = np.concatenate((lift, np.zeros(spare.size, np.int64)))
    mptr, mids = _by_row(everyone.size, sets)
    wide = np.ascontiguousarray(lines[everyone].T)
    wide_steps = np.ascontiguousarray(steps[everyone].T)
    secrets = np.ascontiguousarray(secret[everyone])
    codes = types.codes[everyone]
    first, some = 0, max(AT_ONCE // max(wide.size, 1), 1)
    while first < who.size:  # [M5]
        ask()
        last = min(first + some, who.size)
        left, right, need, first = cheap_pairs(
            wide, wide_steps, secrets, prices, mptr, mids, z, scale, first, last, ROOM
        )
        _refuse("pairs", _too_cheap(mask, codes[left], codes[right], codes[right], need, scale))
    for rows in sets:  # [M6]
        first, some = 0, max(AT_ONCE // (rows.size * max(len(wide), 1)), 1)
        while first < rows.size**2:
            ask()
            last = min(first + some, rows.size**2)
            found, need, first = cheap_triples(
                wide, wide_steps, secrets, prices, mptr, mids, z, scale, rows, first, last, ROOM
            )
            a, b, c = (codes[found[:, j]] for j in range(3))
            _refuse("triples", _too_cheap(mask, a, b, c, need, scale))
    # As many terms as rows and sets: Python's own numbers, which have no largest one.
    total: int = sum(y.tolist()) + sum(z.tolist())
    return -(-total // scale) * divisor  # [M2]


def _divided(levels: Sequence[Levels], divisor: int, scale: int) -> tuple[Levels, ...]:
    """Return the levels with their costs in units of the divisor; `scale` times a row's cost is below 2**58 then."""
    if any((level.cost % divisor).any() for level in levels):
        raise Unreadable("the certificate has a divisor that does not divide the costs")
    if scale * sum(int(level.cost.max(initial=0)) // divisor for level in levels) >= MOST:
        raise Unreadable("the certificate has too fine a scale")
    return tuple(Levels(level.up, level.cost // divisor) for level in levels)


def _refuse(kind: str, count: int) -> None:
    if count:
        raise Refuted(f"the certificate is wrong: {count} {kind} cost less than their prices")


def _read(types: RowTypes, certificate: Mapping[str, Any]) -> tuple[int, int, Int64, Int64, list[Int64], Int64]:
    scale, divisor = (whole(certificate, name, least=1, below=MOST) for name in ("scale", "divisor"))
    who = numbers(certificate.get("rows"), "rows of the prices")
    y = numbers(certificate.get("prices"), "prices of the rows", len(who), MOST)
    if who.size and (who.min() < 0 or who.max() >= types.t):
        raise Unreadable("the certificate names row types that the table does not have")
    if (np.bincount(who, minlength=types.t) > types.counts).any():
        raise Unreadable("the certificate prices more rows of a type than the table has")
    sets, z = [], []
    for entry in entries(certificate, "sets"):
        if not isinstance(entry, Mapping):
            raise Unreadable("a set of the certificate is no object")
        rows = numbers(entry.get("rows"), "rows of a set")
        price = whole(entry, "price", below=MOST)
        if rows.size % 2 == 0 or np.unique(rows).size != rows.size or price < 0:
            raise Unreadable("the certificate has a set that is not odd, or a negative price of one")
        if rows.min() < 0 or rows.max() >= who.size:
            raise Unreadable("the certificate has a set of rows that it does not price")
        sets.append(np.sort(rows))
        z.append(price)
    if sum(z) >= MOST:
        raise Unreadable("the certificate has sets whose prices add up to 2**58 or more")
    if sum(rows.size**3 for rows in sets) > MOST_TRIPLES:
        raise Unreadable("the certificate has sets of too many rows to look at all triples in them")
    return scale, divisor, who, y, sets, np.array(z, np.int64)


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


def _too_cheap(
    mask: PlainMask, a: NDArray[np.int32], b: NDArray[np.int32], c: NDArray[np.int32], need: Int64, scale: int
) -> int:
    """Count the groups {a, b, c}, cheap without the mask, that are allowed and cost less than need / scale."""
    if not need.size:
        return 0
    vectors = np.zeros(a.shape, np.int64)
    for j, level in enumerate(mask.levels):
        for here in range(level.height):
            node = level.up[here]
            apart = (node[a[:, j]] != node[b[:, j]]) | (node[a[:, j]] != node[c[:, j]])
            vectors[apart, j] = here + 1
    costs, allowed = mask.least_costs(vectors, a)  # [M4]
    # scale * cost < 2**58, see `_divided`
    return int((allowed & (costs * scale < need)).sum())


# The cheapest way that a mask leaves to a group, by asking the mask's plain reading and nothing else.
MOST_STEPS = 1 << 24  # looks at a column of a vector

Vector = tuple[int, ...]


class PlainMask:
    """What groups cost under a mask.

    There are m `levels`, and `allows` says whether the mask allows a level vector. If it has a method ``raised`` (as a
    `MaskReading` has), that says which levels every allowed vector at or above one has at least, but that of stars
    alone. The lattice is climbed from the vectors that are asked for, each vector of it once, in `MOST_STEPS` at most.
    With ``raised`` the climb is short, however many columns there are.
    """

    def __init__(self, levels: Sequence[Levels], allows: Callable[[Vector], bool]) -> None:
        self.levels, self.allows = levels, allows
        self.raised: Callable[[Vector], Vector | None] = getattr(allows, "raised", lambda vector: vector)
        self.heights = tuple(level.height for level in levels)
        self.known: dict[Vector, tuple[Vector, ...]] = {}
        self.steps = 0

    @property
    def allows_full_suppression(self) -> bool:
        """Whether a row may be stars alone."""
        return self.allows(self.heights)

    def least_costs(
        self, vectors: NDArray[np.int64], rows: NDArray[np.integer]
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return what a row of each group costs at least, and whether the mask allows the group at all.

        `vectors` (g, m) holds the lowest levels at which each group looks alike, `rows` (g, m) the value codes of one
        row of each. Raise `Unreadable` if that takes too many steps.
        """
        costs = np.zeros(len(vectors), np.int64)
        allowed = np.zeros(len(vectors), np.bool_)
        first, back = distinct(vectors)
        order = np.argsort(back, kind="stable")
        begins = np.searchsorted(back[order], np.arange(len(first) + 1))
        for g, at in enumerate(first):
            here = order[begins[g] : begins[g + 1]]
            ways = self.lowest(tuple(vectors[at].tolist()))
            # costs of a row are below 2**62 by the scale (`scaled_levels`), whatever its levels
            each = [
                sum((level.cost[way[j]][rows[here, j]] for j, level in enumerate(self.levels)), np.zeros(1, np.int64))
                for way in ways
            ]
            if each:
                allowed[here] = True
                costs[here] = np.minimum.reduce([np.broadcast_to(one, here.shape) for one in each])
        return costs, allowed

    def lowest(self, vector: Vector) -> tuple[Vector, ...]:
        """Return the lowest allowed vectors at or above one: costs do not fall, so one is cheapest [M4]."""
        stack = [vector]
        while stack:
            here = stack[-1]
            if here in self.known:
                stack.pop()
                continue
            self._step(len(here))
            if self.allows(here):
                self.known[stack.pop()] = (here,)
                continue
            low = self.raised(here)
            if low is None:
                self.known[stack.pop()] = (self.heights,) if self.allows_full_suppression else ()
                continue
            if low != here:
                if low in self.known:
                    self.known[stack.pop()] = self.known[low]
                else:
                    stack.append(low)
                continue
            self._step(len(here) ** 2)
            above = [(*here[:j], x + 1, *here[j + 1 :]) for j, x in enumerate(here) if x < self.heights[j]]
            missing = [one for one in above if one not in self.known]
            if missing:
                stack += missing
                continue
            self.known[stack.pop()] = self._pruned({way for one in above for way in self.known[one]})
        return self.known[vector]

    def _pruned(self, ways: set[Vector]) -> tuple[Vector, ...]:
        kept: list[Vector] = []
        for way in sorted(ways, key=sum):
            self._step(len(way) * (1 + len(kept)))
            if not any(all(a <= b for a, b in zip(low, way, strict=True)) for low in kept):
                kept.append(way)
        return tuple(kept)

    def _step(self, steps: int) -> None:
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise Unreadable("the mask leaves too many level vectors to recount")


def distinct(lines: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first place of each distinct line of whole numbers of at least 0, and for every line which it is."""
    radix = [int(top) + 1 for top in lines.max(axis=0, initial=0)]
    weights, room = [], 1
    for size in reversed(radix):
        weights.append(room)
        room *= size
    if room < 2**62:
        _, first, back = np.unique(
            lines @ np.array(weights[::-1], np.int64), return_index=True, return_inverse=True
        )  # fmt: skip
    else:
        _, first, back = np.unique(lines, axis=0, return_index=True, return_inverse=True)
    return first, back.reshape(-1)


# Which sensitive columns a policy asks to be varied enough that pairs and triples of differing rows suffice.
#
# A group in which no value of a column has more than half of the rows splits into pairs and at most one triple of rows
# that differ there; the same holds for two columns at once (an equitable edge colouring), not for three. So a bound
# over all such pairs and triples holds for every release that meets such a requirement (Liang, Yuan, Theorem 11).
def halved_columns(models: Iterable[Any]) -> frozenset[str]:
    """Return the columns of which no value may have more than half of a class, by what is asked.

    `models` are as the policy has them.
    """
    found = set()
    for model in models:
        asked = settings_of(model)
        limit = reading_of(model.name).share_limit(asked)
        if limit is not None and 2 * limit <= 1:  # [M1]
            found.add(str(asked["column"]))
    return frozenset(found)


def telling(codes: NDArray[np.integer]) -> NDArray[np.integer]:
    """Return sensitive codes with columns left out that tell the same values apart as an earlier one, shape (t, s).

    `codes` (t, s) holds the code of each type in each sensitive column.
    """
    kept: list[int] = []
    for j in range(codes.shape[1]):
        _, mine = np.unique(codes[:, j], return_inverse=True)
        if not any(np.array_equal(mine, np.unique(codes[:, i], return_inverse=True)[1]) for i in kept):
            kept.append(j)
    return codes[:, kept]
