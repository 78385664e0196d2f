"""Recount of a bound under requirements (certificates of version 2), in whole numbers, from the row types alone.

As `incrowd.tables.verify.bound.certificate`, with row types told apart by the sensitive columns too, and every instance
worth what a class that keeps the requirements' rules can gain at most (`class_values`): under k alone, by multipliers
for classes of many rows, size by size for those of few. An instance whose rows an earlier allowed vector shows as well
adds nothing, for classes that keep the rules keep them together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError
from incrowd.tables.verify.bound import lattice
from incrowd.tables.verify.bound.certificate import NAME, rounded_up, verdict_on
from incrowd.tables.verify.bound.class_values import NONE, STEPS, gains
from incrowd.tables.verify.bound.instances import listing_of, name_of, with_named
from incrowd.tables.verify.bound.layout import Layout
from incrowd.tables.verify.bound.multipliers import taken_by
from incrowd.tables.verify.bound.requirement_trees import Proof, Tree, named_in
from incrowd.tables.verify.bound.rule_tables import rules_of, tables_of
from incrowd.tables.verify.bound.small_classes import vectors_of
from incrowd.tables.verify.bound.strict_numbers import LIMIT, Unreadable, entries, numbers, read_head, whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from incrowd.tables.values import Domain
    from incrowd.tables.verify.bound.certificate import Recheck
    from incrowd.tables.verify.bound.instances import Listing
    from incrowd.tables.verify.bound.layout import Table
    from incrowd.tables.verify.bound.rule_tables import Asked, Tables
    from incrowd.tables.verify.bound.small_classes import Vectors

    Int64 = NDArray[np.int64]

__all__ = ["VERSION", "Recount", "Required", "recheck"]

VERSION = 2
MOST_SMALL = 4096
HELD = 1 << 22  # multipliers per kind that are held at once


@dataclass(frozen=True, slots=True, eq=False)
class Required:
    """What a policy asks of sensitive values, and which of them the row types have [V1].

    Attributes
    ----------
    models : sequence of models
        As the policy names them.
    kinds : (t,) int64
        Combination of sensitive values of each type of the table.
    domain : Domain
        The combinations.
    """

    models: Sequence[Any]
    kinds: Int64
    domain: Domain


def recheck(table: Table, required: Required, certificate: Mapping[str, Any], cost: int | None = None) -> Recheck:
    """Recount a certificate of version 2, which is as read from JSON.

    The table's types are told apart by quasi-identifiers and sensitive columns, in the order of both. `cost` is the
    scaled cost of the release, recounted from its rows, which is compared with the claimed one. Raise `InputError` if
    the certificate cannot be read, and `PolicyError` for a model that the check has no reading of.

    Notes
    -----
    O(p t) for p patterns and t row types, as under k alone; a sort of every instance that gains and, for those, the
    classes of fewer than ``whole_below`` rows. It is broken off after 2^36 steps of the latter.
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
