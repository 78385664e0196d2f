"""What models ask of a class in exact rules on its rows per value: what bounds under requirements lean on.

Every rule holds for the union of two classes for which it holds. A class of N rows has c_v rows of value v, the whole
table n and C_v; a value's number is its rank among the column's by UTF-8 bytes, NULL first.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.verify.requirements.counts import times
from incrowd.tables.verify.requirements.distances import Line, Matrix, Tree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.values import Domain
    from incrowd.tables.verify.requirements.counts import Classes


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OfColumn:
    """A rule on the values of one column.

    `code`: (kinds,) int64, value of each combination of sensitive values. `totals`: (d,) int64, rows of the table with
    each value.
    """

    code: NDArray[np.int64]
    totals: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Shares(OfColumn):
    """c_v <= share_v N; an irrational share is rounded up [V5]."""

    share: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Distinct(OfColumn):
    """At least `least` values [V5]."""

    least: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Close(OfColumn):
    """The earth mover's distance from the class to the whole table is at most t [V5]."""

    t: Fraction
    apart: Line | Tree | Matrix

    def equal(self) -> tuple[NDArray[np.int64], Fraction] | None:
        """Return what it implies for the equal distance: a number for every value, and the t between those.

        No two values are nearer than delta, so that what costs at most t in this metric costs at most t / delta where
        all values are equally far apart. Values at one place of a line count as one. None where nothing is implied.
        """
        places = np.arange(self.totals.size, dtype=np.int64)
        if isinstance(self.apart, Tree):
            nearest = Fraction(_lowest(self.apart), max(len(self.apart.nodes), 1))
        elif isinstance(self.apart, Line):
            used, places = np.unique(self.apart.place, return_inverse=True)
            places = places.reshape(-1).astype(np.int64)
            at = [0]
            for step in self.apart.steps:
                at.append(at[-1] + step)
            here = [at[int(place)] for place in used]
            gaps = [high - low for low, high in itertools.pairwise(here)]
            nearest = Fraction(min(gaps), at[-1]) if gaps else Fraction(1)
        else:
            costs = self.apart.costs.copy()
            np.fill_diagonal(costs, self.apart.scale)
            nearest = Fraction(int(costs.min(initial=self.apart.scale)), self.apart.scale)
        if nearest == 0 or self.t >= nearest:
            return None
        return places, self.t / nearest


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EntropyOf(OfColumn):
    """-sum (c_v / N) ln (c_v / N) >= ln l [V5]."""

    l: Fraction  # noqa: E741


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Recursive(OfColumn):
    """With r1 >= r2 >= ... the c_v: r1 < c (r_l + r_(l+1) + ...) [V5]."""

    l: int  # noqa: E741
    c: Fraction


Rule = Shares | Distinct | Close | EntropyOf | Recursive


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """What a model says in rules.

    `rules`: every class that meets the model keeps them; none: nothing is known. `united`: whether the union of two
    classes that meet the model meets it, so that the model itself may be asked about a class, and not its rules alone
    [V4].
    """

    rules: tuple[Rule, ...] = ()
    united: bool = False


def column_of(domain: Domain, name: str) -> dict[str, NDArray[np.int64]]:
    """Return what every rule says of its column: the value of every kind, and the values' rows.

    `domain` are the table's sensitive values, and `name` is that of the column.
    """
    j = domain.column(name)
    code = domain.sensitive.codes[:, j].astype(np.int64)
    totals = np.zeros(len(domain.values[j]), np.int64)
    np.add.at(totals, code, domain.counts)
    return {"code": code, "totals": totals}


def keep_shares(rule: Shares, classes: Classes) -> NDArray[np.bool_]:
    """Return which classes, given with the rows of every value, keep the shares.

    The rule has shares of the table's values that no class may exceed.
    """
    kept = np.ones(classes.number, np.bool_)
    sizes = np.zeros(classes.number, np.int64)
    np.add.at(sizes, classes.owner, classes.rows)
    keys = classes.owner * rule.totals.size + rule.code[classes.kind]
    pairs, place = np.unique(keys, return_inverse=True)
    rows = np.zeros(pairs.size, np.int64)
    np.add.at(rows, place.reshape(-1), classes.rows)
    for v, share in enumerate(rule.share):
        here = np.flatnonzero(pairs % rule.totals.size == v)
        owner = pairs[here] // rule.totals.size
        over = times(rows[here], share.denominator) > times(sizes[owner], share.numerator)
        kept[owner[over.astype(np.bool_)]] = False
    return kept


def _lowest(tree: Tree) -> int:
    """Return the least height at which two values meet (the tree's if there is but one value)."""
    for height, nodes in enumerate(tree.nodes):
        if np.unique(nodes).size < nodes.size:
            return height
    return len(tree.nodes)
