"""Recount of a bound over all ranges of one column, in integers, from the row types and the prices alone.

Every release has one that costs no more in which each class shows, of the other columns, the lowest levels at which its
rows agree and, of the ranged column, its value or the shortest run of cells that holds them, classes that show the same
being one. So prices times counts, and what each such instance can add below 0, is a bound; `range_sweep` adds it up.
papers/ranges.md proves it.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError
from incrowd.tables.verify.bound.certificate import Recheck, rounded_up, verdict_on
from incrowd.tables.verify.bound.ranges.sweep import TOO_LOW, below_zero
from incrowd.tables.verify.bound.strict_numbers import LIMIT, Unreadable, numbers, read_head, whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from incrowd.tables.values import Levels, Outliers

    Int64 = NDArray[np.int64]

__all__ = ["NAME", "VERSION", "RangedTable", "recheck", "step_of"]

NAME, VERSION = "incrowd ranges bound", 1
MOST_PATTERNS = 1 << 22


@dataclass(frozen=True, slots=True, kw_only=True)
class RangedTable:
    """The problem as the check sees it: one column on a grid [G1], the others on their levels.

    Attributes
    ----------
    codes : (t, m) integer
        Row types in the order of the table sorted by UTF-8 bytes.
    counts : (t,) int64
    levels : sequence of Levels, length m
        The ranged column's: value and star.
    column : int
        The ranged one.
    numbers : (d,) tuple of Fraction
        The number of each of its value codes.
    step : Fraction
        Of the grid, above 0.
    k : int
    outliers : {"forbid", "suppress"}
    scale : int
    """

    codes: NDArray[np.integer]
    counts: Int64
    levels: Sequence[Levels]
    column: int
    numbers: tuple[Fraction, ...]
    step: Fraction
    k: int
    outliers: Outliers
    scale: int


def step_of(certificate: Mapping[str, Any]) -> Fraction:
    """Return the step of the grid that a certificate speaks of.

    Parameters
    ----------
    certificate : mapping
        Nothing in it is believed.

    Raises
    ------
    InputError
        If it is none.
    """
    said = certificate.get("step")
    if not isinstance(said, list) or len(said) != 2 or not all(type(part) is int and 0 < part < LIMIT for part in said):
        raise InputError("the certificate cannot be read: step is no pair of whole numbers above 0")
    return Fraction(said[0], said[1])


def recheck(table: RangedTable, certificate: Mapping[str, Any], cost: int | None = None) -> Recheck:
    """Recount a certificate.

    Parameters
    ----------
    table : RangedTable
    certificate : mapping
        As read from JSON.
    cost : int, optional
        Scaled cost of the release, recounted.

    Raises
    ------
    InputError
        If the certificate cannot be read.

    Notes
    -----
    O(p t log t) for p patterns of the other columns, and a sweep of every group: from each value, up to the run that
    costs as much as the group's dearest price.
    """
    try:
        return _recheck(table, certificate, cost)
    except Unreadable as error:
        raise InputError(f"the certificate cannot be read: {error}") from None


def _recheck(table: RangedTable, certificate: Mapping[str, Any], cost: int | None) -> Recheck:
    facts: dict[str, int | str] = {
        "rows": int(table.counts.sum()), "row_types": len(table.counts), "k": table.k, "outliers": table.outliers,
        "scale": table.scale,
    }  # fmt: skip
    claims = read_head(certificate, NAME, VERSION, facts, cost)
    wrong = list(claims.wrong)
    if whole(certificate, "column") != table.column:
        wrong.append("column")
    if step_of(certificate) != table.step:
        wrong.append("step")
    value = 0 if wrong else max(_value(table, certificate), 0)
    return verdict_on(claims, value, wrong, cost)


def _value(table: RangedTable, certificate: Mapping[str, Any]) -> int:
    parts = whole(certificate, "parts", least=1)
    counts = np.asarray(table.counts, np.int64)
    prices = numbers(certificate.get("prices"), "prices", len(counts))
    others = [j for j in range(len(table.levels)) if j != table.column]
    tops = [table.levels[j].height for j in others]
    if math.prod(top + 1 for top in tops) > MOST_PATTERNS:
        raise Unreadable("the other columns have too many level vectors to recount")
    if any((np.diff(table.levels[j].cost, axis=0) < 0).any() for j in others):
        raise Unreadable("costs fall with the level, which this proof does not allow")
    places = [math.floor(number / table.step) for number in table.numbers]
    occupied = {cell: x for x, cell in enumerate(sorted(set(places)))}
    cells = np.array([occupied[cell] for cell in places], np.int64)
    before = np.concatenate(([0], np.cumsum(np.bincount(cells)))).astype(np.int64)
    star = int(table.levels[table.column].cost.max())
    if len(places) < 2 or star % (len(places) - 1):
        raise Unreadable("the column has one value, or its scale does not fit its ranges")
    unit = star // (len(places) - 1)  # [G3]
    dearest = sum(int(level.cost.max()) for level in table.levels)
    largest = max(int(np.abs(prices).max(initial=0)), parts * dearest)
    if int(counts.sum()) * largest * 4 >= -TOO_LOW:
        raise Unreadable("its numbers are too large to be added up")
    codes = np.asarray(table.codes)
    value = codes[:, table.column].astype(np.int64)
    place = cells[value]
    free = table.outliers == "suppress"
    total = int((prices * counts).sum())  # [G5]
    if free:
        total += int((np.minimum(dearest * parts - prices, 0) * counts).sum())
    none = np.full(len(counts), -1, np.int64)
    for vector in itertools.product(*(range(top + 1) for top in tops)):
        up = [table.levels[j].up[level][codes[:, j]].astype(np.int64) for j, level in zip(others, vector, strict=True)]
        low = [
            table.levels[j].up[level - 1][codes[:, j]].astype(np.int64) if level else none
            for j, level in zip(others, vector, strict=True)
        ]
        paid = np.zeros(len(counts), np.int64)
        for j, level in zip(others, vector, strict=True):
            paid += table.levels[j].cost[level][codes[:, j]]
        lines = np.array([*up, *low], np.int64).reshape(2 * len(others), len(counts))
        runs = np.lexsort((value, place, *up))
        found = below_zero(  # [G4]
            lines, paid * parts, place, value, before, unit * parts, counts, table.k, parts, prices,
            free and list(vector) == tops, runs,
        )  # fmt: skip
        total += int(found)
        if found <= TOO_LOW:
            return 0
    step = math.gcd(unit, *(int(np.gcd.reduce(table.levels[j].cost, axis=None)) for j in others))
    return rounded_up(total, parts, max(step, 1))
