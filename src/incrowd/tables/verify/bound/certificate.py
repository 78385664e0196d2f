"""Recount of a certificate: what the lower bound comes to, in integers, from the row types alone.

Uses no solver, no kernel and no optimisation code: groupings, sums and roundings only. What it leans on:

* Lagrangian duality: for any prices, prices times counts plus what each instance can add below 0 is a bound.
* An instance whose rows an earlier allowed vector shows as well adds nothing (`incrowd.tables.verify.bound.lattice`).
* Where the hub (the fully suppressed group, an instance that every row type can take) needs no k rows, row types that
  share no other instance, not even through others, can be counted apart: each such component has a bound of its own.
* Cuts of four kinds, called T, C, S and F in the file, each recounted here, over a component or over the whole lattice
  (`lattice_cuts`); papers/certificates.md proves them and every other rule, under the numbers that stand at the lines.
* A tree is worth the least of its leaves.
* Costs are multiples of one step, so every component's value may be rounded up to it.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from incrowd.errors import InputError
from incrowd.tables.verdict import Violation
from incrowd.tables.verify.bound import lattice
from incrowd.tables.verify.bound import trees as lattice_cuts
from incrowd.tables.verify.bound.strict_numbers import LIMIT, Head, Unreadable, entries, numbers, read_head, whole
from incrowd.tables.verify.bound.trees import Component

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from incrowd.tables.values import Levels, Outliers

    LayoutInt64 = NDArray[np.int64]

NAME, VERSION = "incrowd k-anonymity bound", 1
LINES = 3  # the version whose prices stand line by line

Int64 = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Recheck:
    """What a recount of a certificate found.

    `cost`: scaled cost of the release, as the certificate says and the recount confirms. `lower_bound`: the recounted
    bound, scaled; 0 when nothing was proven. `proven`: whether the whole claimed bound was recounted. `violations`:
    claims that the recount refutes.
    """

    cost: int
    lower_bound: int
    proven: bool
    violations: tuple[Violation, ...]


def recheck(
    table: Table,
    certificate: Mapping[str, Any],
    cost: int | None = None,
    lines: Callable[[], Int64] | None = None,
) -> Recheck:
    """Recount a certificate.

    The certificate is as read from JSON. `cost` is the scaled cost of the release, recounted from its rows; it is
    compared with the claimed one. `lines` returns the prices of a certificate whose prices stand line by line;
    `certificate` is its head then [Z4]. Raises InputError if the certificate cannot be read. O(p t) for p patterns and
    t row types, and once over the listed instances per leaf. Only instances with negative reduced cost are kept in
    memory where there are no components.
    """
    try:
        return _recheck(table, certificate, cost, lines)
    except Unreadable as error:
        raise InputError(f"the certificate cannot be read: {error}") from None


def _recheck(
    table: Table, certificate: Mapping[str, Any], cost: int | None, lines: Callable[[], Int64] | None
) -> Recheck:
    counts = np.asarray(table.counts, np.int64)
    claims = read_head(certificate, NAME, VERSION if lines is None else LINES, table.facts(), cost)
    wrong = list(claims.wrong)
    value = 0
    if not wrong:
        found = _value(table, counts, certificate, lines)
        value = max(found or 0, 0)  # no release costs less than nothing
        if found is None:
            wrong.append("proof")
    return verdict_on(claims, value, wrong, cost)


def verdict_on(claims: Head, value: int, wrong: list[str], cost: int | None) -> Recheck:
    """Return what a recount found of a certificate's claims.

    `value` is the bound that was recounted, scaled; 0 when none was. `wrong` are the claims that are refuted already;
    then the bound is not compared. `cost` is the scaled cost of the release, recounted.
    """
    wrong = list(wrong)
    if not wrong and claims.checked > value:  # [H6]
        wrong.append("lower_bound_checked")
    if not wrong and claims.certified and claims.lower_bound > value:
        wrong.append("lower_bound")
    return Recheck(
        claims.cost if cost is None else cost,
        min(value, claims.cost),
        not wrong and value >= claims.lower_bound,
        tuple(Violation(f"certificate: {name}", 1) for name in wrong),
    )


def _value(
    table: Table, counts: Int64, certificate: Mapping[str, Any], lines: Callable[[], Int64] | None
) -> int | None:
    """Return the recounted bound; None when a part of the proof does not hold."""
    t, k = len(counts), table.k
    parts = whole(certificate, "parts", least=1)
    prices = numbers(certificate.get("prices"), "prices", t) if lines is None else lines()
    label = certificate.get("components")
    labels = None if label is None else _labels(label, t)
    trees = entries(certificate, "trees") if lines is None else []
    view = Layout(table)
    largest = max(int(np.abs(prices).max(initial=0)), parts * view.dearest)
    if int(counts.sum()) * largest * 2 >= LIMIT:  # [P4, F5]
        raise Unreadable("its numbers are too large to be added up")
    step = view.step
    free = view.top if table.outliers == "suppress" and view.top >= 0 else -1  # [I5]
    which, begins, members = lattice.find(
        view.nodes, view.paid, view.start, view.heights, view.width, view.word, view.words, view.vectors,
        view.place, view.radix, view.uniform, counts, k, free, label is not None, parts, prices,
        lattice_cuts.MOST_MEMBERS, view.ask,
    )  # fmt: skip
    if len(members) > lattice_cuts.MOST_MEMBERS:
        raise Unreadable("the table has too many instances for it to be recounted")
    if (int(counts[members].sum()) + int(counts.sum())) * largest * 2 >= LIMIT:  # [P4]
        raise Unreadable("its numbers are too large to be added up")
    firsts = members[begins[:-1]]
    costs = view.costs(which, firsts)
    needs = np.full(len(which), k, np.int64)
    if free >= 0:
        which = np.append(which, np.int32(free))
        members = np.append(members, np.arange(t, dtype=np.int32))
        begins = np.append(begins, len(members))
        costs = np.append(costs, view.costs(np.array([free]), np.zeros(1, np.int64)))
        needs = np.append(needs, 0)
    if labels is None:
        none = np.zeros(len(which), np.int64)
        extra = np.zeros(len(members), np.int64)
        adds = lattice.worth(
            begins, members, counts, costs * parts, needs, prices, extra, none, none.astype(np.int8), view.ask
        )
        value = int((prices * counts).sum()) + int(adds.sum())  # [P1]
        if trees:
            listed = lattice_cuts.Listed(which, begins, members, needs)
            cut = lattice_cuts.proven(trees, listed, view, counts, k, free, parts, prices)
            if cut is None:
                return None
            value = max(value, cut)
        return rounded_up(value, parts, step)
    number = int(labels.max(initial=-1)) + 1
    # [K2] The hub is taken as free: that only lowers the bound. It alone may link components.
    lengths = np.diff(begins)
    covering = np.flatnonzero(lengths == t)
    if covering.size:
        needs[covering[-1]] = 0
    owners = np.repeat(np.arange(len(which)), lengths)
    links = needs[owners] > 0
    if (labels[members] != labels[members[begins[owners]]])[links].any():  # [K1]
        return None
    state = np.zeros(len(which), np.int8)
    adds = np.where(
        needs > 0,
        lattice.worth(
            begins, members, counts, costs * parts, needs, prices, np.zeros(len(members), np.int64),
            np.zeros(len(which), np.int64), state, view.ask,
        ),
        0,
    )  # fmt: skip
    home = labels[members[begins[:-1]]]  # [K3]
    values = [0] * number
    for own, amount in ((labels, prices * counts), (home, adds)):
        sums = np.zeros(number, np.int64)
        np.add.at(sums, own, amount)
        values = [a + int(b) for a, b in zip(values, sums, strict=True)]
    for g in np.flatnonzero(needs == 0):
        view.ask()
        here = members[begins[g] : begins[g + 1]]
        sums = np.zeros(number, np.int64)
        np.add.at(sums, labels[here], np.minimum(costs[g] * parts - prices[here], 0) * counts[here])
        values = [a + int(b) for a, b in zip(values, sums, strict=True)]
    seen = set()
    for tree in trees:
        if not isinstance(tree, dict):
            raise Unreadable("a tree is no object")
        at = whole(tree, "component")
        if not 0 <= at < number or at in seen:
            raise Unreadable("a tree of no or of a known component")
        seen.add(at)
        one = Component(
            at, labels, which, begins, members, counts, costs, needs, view.vectors, parts, k, prices, view.ask
        )
        found = one.value(tree, view.same)
        if found is None:
            return None
        values[at] = max(values[at], found)  # [B1]
    return sum(rounded_up(value, parts, step) for value in values)


def rounded_up(value: int, parts: int, step: int) -> int:
    """Return a bound in `parts` of a scaled unit, rounded up to a scaled cost that a release can have.

    `parts` is at least 1, and so is `step`, which divides the scaled cost of every release.
    """
    return -(-value // (parts * step)) * step  # [P3]


def _labels(label: Any, t: int) -> Int64:
    """Return the component of every row type; there are no more of them than row types, and none is left out."""
    labels = numbers(label, "components", t)
    # [K1]
    if labels.min() < 0 or labels.max() >= t or not np.bincount(labels).all():
        raise Unreadable("components are not numbered from 0 on")
    return labels


# A table as the check sees it, laid out for the walk over its patterns: vectors, nodes and costs a line, key words.
MOST_PATTERNS = 1 << 22  # [T7]
AT_ONCE = 1 << 14  # level vectors between two looks at whether to stop


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The problem as the check sees it.

    `codes`: (t, m) integer, row types in the order of the table sorted by UTF-8 bytes, NULL first. `counts`: (t,)
    integer. `allows`: whether the mask allows a level vector. `ask`: asked again and again by every recount; ends it by
    an exception.
    """

    codes: NDArray[np.integer]
    counts: NDArray[np.integer]
    levels: Sequence[Levels]
    allows: Callable[[tuple[int, ...]], bool]
    k: int
    outliers: Outliers
    scale: int
    ask: Callable[[], object] = lambda: None

    def facts(self) -> dict[str, int | str]:
        """Return what a certificate of this table repeats of it."""
        counts = np.asarray(self.counts, np.int64)
        return {
            # [T2]
            "rows": int(counts.sum()), "row_types": len(counts), "k": self.k, "outliers": self.outliers,
            "scale": self.scale,
        }  # fmt: skip


class Layout:
    """The table laid out for the walk over the patterns."""

    def __init__(self, table: Table) -> None:
        codes, self.ask = np.asarray(table.codes), table.ask
        _t, m = codes.shape
        tops = [level.height for level in table.levels]
        lattice_size = math.prod(top + 1 for top in tops)
        if lattice_size > MOST_PATTERNS:
            raise Unreadable(f"{lattice_size} level vectors are too many to recount")
        self.heights = np.array(tops, np.int64)
        self.start = np.concatenate(([0], np.cumsum(self.heights + 1)[:-1])).astype(np.int64)
        every = itertools.product(*(range(top + 1) for top in tops))
        allowed = [np.zeros((0, m), np.int64)]
        while some := list(itertools.islice(every, AT_ONCE)):
            table.ask()
            allowed.append(np.array(list(filter(table.allows, some)), np.int64).reshape(-1, m))  # [T6]
        self.vectors = np.concatenate(allowed)
        table.ask()
        self.radix = np.ones(m, np.int64)
        for j in range(m - 1, 0, -1):
            self.radix[j - 1] = self.radix[j] * (tops[j] + 1)
        self.place = np.full(lattice_size, -1, np.int32)
        self.place[self.vectors @ self.radix] = np.arange(len(self.vectors))
        top = int(self.place[int(self.heights @ self.radix)])
        self.top = top
        columns = list(enumerate(table.levels))
        # [T3]
        self.nodes = np.concatenate([level.up[:, codes[:, j]] for j, level in columns]).astype(np.int64)
        # [T4]
        self.paid = np.concatenate([level.cost[:, codes[:, j]] for j, level in columns]).astype(np.int64)
        self.uniform = all(bool((level.cost == level.cost[:, :1]).all()) for level in table.levels)
        # [T5]
        self.step = max(math.gcd(*(int(np.gcd.reduce(level.cost, axis=None)) for level in table.levels)), 1)
        self.dearest = sum(int(level.cost.max()) for level in table.levels)
        # Key words: columns side by side, as many as 62 bits hold. A starred column adds 0.
        self.word = np.zeros(m, np.int64)
        self.width = np.zeros(len(self.nodes), np.int64)
        self.words, room = 1, 1
        for j, level in enumerate(table.levels):
            size = int(level.up.max()) + 1
            if room * size >= 2**62:
                self.words, room = self.words + 1, 1
            self.word[j] = self.words - 1
            self.width[self.start[j] : self.start[j] + tops[j] + 1] = room
            room *= size

    def costs(self, which: NDArray[np.integer], types: NDArray[np.integer]) -> LayoutInt64:
        """Return the scaled cost of a row per instance, given by pattern and one of its types."""
        total = np.zeros(len(which), np.int64)
        for j, first in enumerate(self.start):
            total += self.paid[first + self.vectors[which, j], types]
        return total

    def number(self, vector: Sequence[int]) -> int:
        """Return the number of an allowed level vector, -1 for any other."""
        if len(vector) != len(self.heights) or any(not 0 <= x <= h for x, h in zip(vector, self.heights, strict=True)):
            return -1
        return int(self.place[int(np.array(vector, np.int64) @ self.radix)])

    def same(self, vector: tuple[int, ...], one: int, types: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Return which types show under a level vector what type `one` shows."""
        lines = self.start + np.array(vector, np.int64)
        result: NDArray[np.bool_] = (self.nodes[lines][:, types] == self.nodes[lines, one][:, None]).all(axis=0)
        return result
