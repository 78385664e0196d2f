"""Recount of a bound under requirements (certificates of version 2), in whole numbers, from the row types alone.

As `incrowd.tables.verify.bound.certificate`, with row types told apart by the sensitive columns too, and every instance
worth what a class that keeps the requirements' rules can gain at most (`class_values`): under k alone, by multipliers
for classes of many rows, size by size for those of few. An instance whose rows an earlier allowed vector shows as well
adds nothing, for classes that keep the rules keep them together.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from incrowd.errors import InputError
from incrowd.tables.verify.bound import lattice
from incrowd.tables.verify.bound.certificate import NAME, Layout, rounded_up, verdict_on
from incrowd.tables.verify.bound.class_values import NONE, STEPS, gains
from incrowd.tables.verify.bound.instances import Proof, Tree, listing_of, name_of, named_in, with_named
from incrowd.tables.verify.bound.rule_tables import rules_of, tables_of
from incrowd.tables.verify.bound.strict_numbers import LIMIT, Unreadable, entries, numbers, read_head, whole
from incrowd.tables.verify.requirements.counts import Classes, floor_of_ln
from incrowd.tables.verify.requirements.distances import Line
from incrowd.tables.verify.requirements.distances import Tree as distances_Tree
from incrowd.tables.verify.requirements.reading import reading_of
from incrowd.tables.verify.requirements.rules import Close, EntropyOf, Recursive, Shares, keep_shares

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from incrowd.tables.values import Domain
    from incrowd.tables.verify.bound.certificate import Recheck, Table
    from incrowd.tables.verify.bound.instances import Listing
    from incrowd.tables.verify.bound.rule_tables import Asked, Tables
    from incrowd.tables.verify.requirements.distances import Matrix
    from incrowd.tables.verify.requirements.rules import Rules

    Int64 = NDArray[np.int64]

VERSION = 2
MOST_SMALL = 4096
HELD = 1 << 22  # multipliers per kind that are held at once


@dataclass(frozen=True, slots=True, eq=False)
class Required:
    """What a policy asks of sensitive values, and which of them the row types have [V1].

    `models`: as the policy names them. `kinds`: (t,) int64, combination of sensitive values of each type of the table.
    `domain`: the combinations.
    """

    models: Sequence[Any]
    kinds: Int64
    domain: Domain


def recheck(table: Table, required: Required, certificate: Mapping[str, Any], cost: int | None = None) -> Recheck:
    """Recount a certificate of version 2, which is as read from JSON.

    The table's types are told apart by quasi-identifiers and sensitive columns, in the order of both. `cost` is the
    scaled cost of the release, recounted from its rows, which is compared with the claimed one. Raise `InputError` if
    the certificate cannot be read, and `PolicyError` for a model that the check has no reading of. O(p t) for p
    patterns and t row types, as under k alone; a sort of every instance that gains and, for those, the classes of fewer
    than ``whole_below`` rows. It is broken off after 2^36 steps of the latter.
    """
    try:
        counts = np.asarray(table.counts, np.int64)
        claims = read_head(certificate, NAME, VERSION, table.facts(), cost)
        wrong = list(claims.wrong)
        asked = entries(certificate, "requirements")
        if asked != [model.rule for model in required.models]:  # [V2]
            wrong.append("requirements")
        value = 0
        if not wrong:
            found = Recount(table, required, counts, certificate).value()
            value = max(found or 0, 0)  # no release costs less than nothing
            if found is None:
                wrong.append("proof")
        return verdict_on(claims, value, wrong, cost)
    except Unreadable as error:
        raise InputError(f"the certificate cannot be read: {error}") from None


class Recount:
    """One recount: what the certificate says, read, and the table laid out."""

    def __init__(self, table: Table, required: Required, counts: Int64, certificate: Mapping[str, Any]) -> None:
        t, n = len(counts), int(counts.sum())
        self.counts, self.k, self.types = counts, min(table.k, n + 1), t
        self.parts = whole(certificate, "parts", least=1)
        self.prices = numbers(certificate.get("prices"), "prices", t)
        self.small = whole(certificate, "whole_below", least=1)
        if self.small > MOST_SMALL:
            raise Unreadable(f"whole_below is above {MOST_SMALL}")
        self.multipliers = entries(certificate, "multipliers")
        self.trees = entries(certificate, "trees") if "trees" in certificate else []
        if len(self.trees) > 1:
            raise Unreadable("there is more than one tree")
        self.view = view = Layout(table)
        self.dearest = self.parts * view.dearest
        self.unit = self.parts * view.step
        largest = int(np.abs(self.prices).max(initial=0)) + self.dearest
        if 2 * n * largest >= LIMIT:  # [V10]
            raise Unreadable("its numbers are too large to be added up")
        self.free = view.top if table.outliers == "suppress" and view.top >= 0 else -1
        self.asked: tuple[Asked, ...] = rules_of(required.models, required.domain)
        self.kinds = np.asarray(required.kinds, np.int64)
        self.number = len(required.domain.counts)
        self.below = LIMIT // max(n, 1) - largest
        self.tables: Tables = tables_of(self.asked, self.number, n, self.k, self.small, self.unit, largest)
        self.vectors: Vectors = vectors_of(self.asked, required.domain, self.small - 1)
        self.steps = 0

    def value(self) -> int | None:
        """Return the recounted bound, scaled; None when a part of the proof does not hold."""
        listed = listing_of(self.view, self.counts, self.k, self.free, self.parts, self.prices, False)
        taken = self.taken(listed)
        if taken is None:
            return None
        none = np.zeros(len(listed.which), np.int8)
        found = self.gained(listed, taken, self.prices, none)
        if found is None:
            return None
        value = int((self.prices * self.counts).sum()) - sum(found.tolist())  # [V3]
        if self.trees:
            proven = self.by_tree(self.trees[0])
            if proven is None:
                return None
            value = max(value, proven)
        return rounded_up(int(value), self.parts, int(self.view.step))

    def by_tree(self, tree: Any) -> int | None:
        """Return what the tree proves, in parts; None when a part of it does not hold."""
        names = named_in(tree, self.view, self.types)
        if names is None:
            return None
        every = listing_of(self.view, self.counts, self.k, self.free, self.parts, self.prices, True)
        listed = with_named(every, names, self.view, self.types, self.k)
        taken = self.taken(listed)
        if taken is None:
            return None
        if sum(map(len, taken.values())) * self.number > HELD:
            raise Unreadable("its multipliers are too many to be held beside a tree")
        own, ys = self.held(taken, 0, len(listed.which))
        if ys is None:
            return None
        places = listed.places(names, self.types)
        reads = Tree(tree, [places[name] for name in names], self.types)

        def leaf(prices: Int64, state: NDArray[np.int8]) -> int | None:
            found = self.gained_by(listed, own, ys, 0, prices, state)
            if (found[state > 0] == NONE).any():
                return None  # [V9] no class is where the leaf has one: it holds no release
            return int((prices * self.counts).sum()) - int(sum(found.tolist()))

        rows = int(self.counts[listed.members].sum()) + int(self.counts.sum())
        most = LIMIT // (2 * rows + 1) - self.dearest
        most = min(most, (LIMIT // max(int(self.counts.sum()), 1) - self.dearest) // 2)
        if self.tables.mus.size:
            most = min(most, LIMIT // (self.small * int(self.counts.sum())) - self.dearest - int(self.tables.mus[-1]))
        return reads.value(Proof(leaf, self.prices, len(listed.which), most))

    def taken(self, listed: Listing) -> dict[int, list[tuple[int, list[int]]]] | None:
        """Return per instance the multipliers that the certificate has for it: requirement and numbers [V8].

        Those of instances that are not listed are passed over. Raise `Unreadable` for anything but lists of whole
        numbers, or two multipliers of one instance and requirement.
        """
        if (int(self.counts[listed.members].sum()) + int(self.counts.sum())) * 2 * (
            int(np.abs(self.prices).max(initial=0)) + self.dearest
        ) >= LIMIT:
            raise Unreadable("its numbers are too large to be added up")
        columns = len(self.view.heights)
        named = []
        for entry in self.multipliers:
            if not isinstance(entry, list) or len(entry) < columns + 2:
                raise Unreadable("a multiplier is no list of levels, row type, requirement and numbers")
            if not all(type(x) is int and -LIMIT < x < LIMIT for x in entry):
                raise Unreadable("a multiplier holds something else than whole numbers")
            if not 0 <= entry[columns + 1] < len(self.asked):
                raise Unreadable("a multiplier is of no requirement")
            named.append(name_of(entry[: columns + 1], self.view, self.types))
        places = listed.places((name for name in named if name is not None), self.types)
        found: dict[int, list[tuple[int, list[int]]]] = {}
        for name, entry in zip(named, self.multipliers, strict=True):
            g = None if name is None else places.get(name)
            if g is None:
                continue
            mine = found.setdefault(g, [])
            if any(entry[columns + 1] == r for r, _ in mine):
                raise Unreadable("an instance has two multipliers of one requirement")
            mine.append((entry[columns + 1], entry[columns + 2 :]))
        return found

    def held(
        self, taken: dict[int, list[tuple[int, list[int]]]], low: int, high: int
    ) -> tuple[Int64, NDArray[np.int64] | None]:
        """Return for instances `low` to `high` the row of each in an array of what is taken per kind, and that array.

        None instead of it where a multiplier is outside its cone.
        """
        own = np.full(high - low, -1, np.int64)
        mine = [g for g in taken if low <= g < high]
        ys = np.zeros((len(mine), self.number), np.int64)
        for row, g in enumerate(mine):
            own[g - low] = row
            for r, given in taken[g]:
                y = taken_by(self.asked[r].says, given, self.below // max(len(self.asked), 1))
                if y is None:
                    return own, None
                ys[row] += y
        return own, ys

    def gained(
        self, listed: Listing, taken: dict[int, list[tuple[int, list[int]]]], prices: Int64, state: NDArray[np.int8]
    ) -> Int64 | None:
        """Return what a class of each instance can gain at most, some of them at a time; None as `held`."""
        ends = [*sorted(taken)[max(HELD // max(self.number, 1), 1) :: max(HELD // max(self.number, 1), 1)]]
        found = []
        for low, high in zip([0, *ends], [*ends, len(listed.which)], strict=True):
            own, ys = self.held(taken, low, high)
            if ys is None:
                return None
            found.append(self.gained_by(listed, own, ys, low, prices, state[low:high]))
        return np.concatenate(found)

    def gained_by(
        self, listed: Listing, own: Int64, ys: NDArray[np.int64], low: int, prices: Int64, state: NDArray[np.int8]
    ) -> Int64:
        """Return what a class of each instance from `low` on can gain at most.

        Raise `Unreadable` if it takes too many steps.
        """
        high = low + len(own)
        begins = listed.begins[low : high + 1]
        members = listed.members[begins[0] : begins[-1]]
        which, firsts = listed.which[low:high], listed.members[begins[:-1]]
        scaled, needs = self.view.costs(which, firsts) * self.parts, listed.needs[low:high]
        begins, result = begins - begins[0], np.zeros(len(own), np.int64)
        for one, last in lattice.pieces(begins):
            self.view.ask()
            result[one:last], steps = gains(
                begins[one : last + 1], members, self.counts, scaled[one:last], needs[one:last], state[one:last],
                prices, self.kinds, own[one:last], ys, self.small, self.tables, self.vectors,
            )  # fmt: skip
            self.steps += int(steps)
            if self.steps > STEPS:
                raise Unreadable("its whole_below asks for more steps than a recount takes; certify with a lower one")
        return result


# A certificate's multipliers: what may be taken from the gain of a row of each kind, by the rules of a requirement.
#
# Where a class keeps a rule, sum_v y_v x_v <= 0 for every y that is made here: then sum (gain - y) x is no less than
# its gain (papers/t-closeness.md, "What a class can gain"). A y that is rounded down stays one.
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


def _near(apart: Line | distances_Tree | Matrix, mu: int, f: list[int]) -> bool:
    """Return whether no two of the numbers are further apart than mu times the distance of their values."""
    if isinstance(apart, distances_Tree):
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


# Classes of few rows listed one by one: which numbers of rows per kind meet every requirement.
#
# A kind is a combination of sensitive values. Only where there are few such vectors at all.
MOST_VECTORS = 1 << 15  # [V6]


class Vectors(NamedTuple):
    """Numbers of rows per kind of small classes, those that are 0 left out.

    `listed`: whether they are listed: else there are too many, and nothing is said. `begins`: (a + 1,) int64. `kind`,
    `times`: (e,) int64. `size`: (a,) int64, rows of each class.
    """

    listed: bool
    kinds: int
    begins: Int64
    kind: Int64
    times: Int64
    size: Int64


def number_of_vectors(counts: Int64, most: int) -> int:
    """Return how many vectors of whole numbers from 0 to `counts` have a sum of 1 to `most`.

    It stops counting where `MOST_VECTORS` is exceeded. `counts` (c,) holds the rows of each kind, and `most`, the
    largest sum, is at least 1.
    """
    if most <= 0:
        return 0
    if most == 1 or len(counts) > MOST_VECTORS:
        return len(counts)
    ways = np.zeros(most + 1, np.int64)  # by sum
    ways[0] = 1
    for count in counts.tolist():
        upto = np.cumsum(ways)
        upto[count + 1 :] -= np.cumsum(ways)[: max(most - count, 0)]
        ways = upto
        if int(ways.sum()) - 1 > MOST_VECTORS:
            break
    return int(ways.sum()) - 1


def vectors_of(asked: Sequence[Asked], domain: Domain, most: int) -> Vectors:
    """Return the vectors of 1 to `most` rows that meet every requirement, where there are few vectors in all.

    `asked` are the requirements read on the domain. A model of which two classes that meet it need not meet it together
    is asked by its rules alone: an instance may be left out for another one that takes its rows in. So is a class that
    a reading cannot decide.
    """
    counts, kinds = domain.counts, len(domain.counts)
    none = np.zeros(0, np.int64)
    if number_of_vectors(counts, most) > MOST_VECTORS:
        return Vectors(False, 0, np.zeros(1, np.int64), none, none, none)
    found: list[list[tuple[int, int]]] = [[]]
    rows = [0]
    for s, count in enumerate(counts.tolist()):
        for a in range(len(found)):
            for v in range(1, min(count, most - rows[a]) + 1):
                found.append([*found[a], (s, v)])
                rows.append(rows[a] + v)
    found, size = found[1:], np.array(rows[1:], np.int64)
    lengths = np.array([len(vector) for vector in found], np.int64)
    owner = np.repeat(np.arange(len(found)), lengths)
    flat = np.array([pair for vector in found for pair in vector], np.int64).reshape(-1, 2)
    met = np.ones(len(found), np.bool_)
    for one in asked:
        left = np.flatnonzero(met)
        if left.size:
            met[left] = _met(one, domain, owner, flat, left)
    keep = met[owner]
    begins = np.concatenate(([0], np.cumsum(lengths[met]))).astype(np.int64)
    kind, times = np.ascontiguousarray(flat[keep, 0]), np.ascontiguousarray(flat[keep, 1])
    return Vectors(True, kinds, begins, kind, times, size[met])


def _met(one: Asked, domain: Domain, owner: Int64, flat: Int64, left: Int64) -> NDArray[np.bool_]:
    """Return which of some vectors meet a requirement, as far as it may be asked."""
    number = np.full(int(owner.max(initial=-1)) + 1, -1, np.int64)
    number[left] = np.arange(left.size)
    here = number[owner] >= 0
    classes = Classes(domain, number[owner[here]], flat[here, 0], flat[here, 1], left.size)
    if one.says.united:
        try:
            return reading_of(one.name).judge(one.settings, classes).met
        except InputError:
            return np.ones(left.size, np.bool_)
    met = np.ones(left.size, np.bool_)
    for rule in one.says.rules:
        if isinstance(rule, Shares):
            met &= keep_shares(rule, classes)
    return met
