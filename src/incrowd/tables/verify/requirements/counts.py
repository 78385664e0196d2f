"""The values of sensitive columns counted in classes, and arithmetic on counts that cannot wrap around."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.values import Domain

__all__ = ["LIMIT", "Classes", "Counted", "largest_ratio", "sums", "times"]

LIMIT = 1 << 62  # below it a sum or difference of two products fits into 64 bits


def times(numbers: NDArray[Any], factor: Any) -> NDArray[Any]:
    """Return the product of counts (at least 0) with an integer or other counts, in Python's integers if need be.

    `factor` is at least 0 too.
    """
    most = int(np.max(factor, initial=0)) if isinstance(factor, np.ndarray) else int(factor)
    if max(int(numbers.max(initial=0)), 1) * most < LIMIT and numbers.dtype != object:
        return numbers * factor  # type: ignore[no-any-return]
    return numbers.astype(object) * factor  # type: ignore[no-any-return]


def sums(owner: NDArray[np.int64], terms: NDArray[Any], classes: int) -> NDArray[Any]:
    """Return the sum of one term an entry for every class, shape (classes,), without overflow.

    `owner` (e,) is the class of each entry, from 0, and `terms` (e,) are at least 0.
    """
    safe = terms.dtype != object and int(np.abs(terms).max(initial=0)) * max(terms.size, 1) < LIMIT
    found = np.zeros(classes, np.int64 if safe else object)
    np.add.at(found, owner, terms if safe else terms.astype(object))
    return found


def largest_ratio(tops: NDArray[Any], bottoms: NDArray[Any]) -> Fraction | None:
    """Return the largest of some fractions of whole numbers, exactly (None: there are none).

    `tops` (c,) are at least 0 and `bottoms` (c,) at least 1.
    """
    if not tops.size:
        return None
    about = tops.astype(np.float64) / bottoms.astype(np.float64)
    near = np.flatnonzero(about >= about.max() * (1 - 1e-9))  # a division is off by far less
    pairs = {(int(tops[i]), int(bottoms[i])) for i in near}
    return max(Fraction(top, bottom) for top, bottom in pairs)


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """One sensitive column, counted in every class.

    Attributes
    ----------
    name : str
    values : (d,) tuple of str or None
        The distinct values of the original by UTF-8 bytes, NULL (None) first.
    totals : (d,) int64
        Rows of the original with each value.
    sizes : (classes,) int64
        Rows of each class; 0 for a class of which nothing is known.
    owner, value, rows : (e,) int64
        Rows of each value in each class, at least 1, by class and then value.
    """

    name: str
    values: tuple[str | None, ...]
    totals: NDArray[np.int64]
    sizes: NDArray[np.int64]
    owner: NDArray[np.int64]
    value: NDArray[np.int64]
    rows: NDArray[np.int64]

    @property
    def n(self) -> int:
        """Rows of the original."""
        return int(self.totals.sum())

    @property
    def classes(self) -> int:
        """Number of classes."""
        return int(self.sizes.size)

    @property
    def shown(self) -> NDArray[np.bool_]:
        """Which classes have rows, shape (classes,)."""
        return self.sizes > 0

    @property
    def begins(self) -> NDArray[np.int64]:
        """Where the entries of each class begin, and the end, shape (classes + 1,)."""
        return np.searchsorted(self.owner, np.arange(self.classes + 1)).astype(np.int64)

    def largest(self) -> NDArray[np.int64]:
        """Return the rows of the most frequent value of each class, shape (classes,)."""
        found = np.zeros(self.classes, np.int64)
        np.maximum.at(found, self.owner, self.rows)
        return found

    def distinct(self) -> NDArray[np.int64]:
        """Return the number of values of each class, shape (classes,)."""
        return np.bincount(self.owner, minlength=self.classes).astype(np.int64)

    def without(self, bad: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which classes have no bad entry, shape (classes,)."""
        met = np.ones(self.classes, np.bool_)
        met[self.owner[bad]] = False
        return met


@dataclass(frozen=True, slots=True, eq=False)
class Classes:
    """All classes of a release with the combinations of sensitive values in them.

    Attributes
    ----------
    domain : Domain
        The original's combinations.
    owner, kind, rows : (e,) int64
        Rows of each combination in each class; a pair may come more than once.
    number : int
        Of classes.
    """

    domain: Domain
    owner: NDArray[np.int64]
    kind: NDArray[np.int64]
    rows: NDArray[np.int64]
    number: int

    def column(self, name: str) -> Counted:
        """Return one sensitive column, counted."""
        j = self.domain.column(name)
        code = self.domain.sensitive.codes[:, j].astype(np.int64)
        values = self.domain.values[j]
        totals = np.zeros(len(values), np.int64)
        np.add.at(totals, code, self.domain.counts)
        entries, rows = self._entries(code, len(values))
        sizes = np.zeros(self.number, np.int64)
        np.add.at(sizes, self.owner, self.rows)
        d = max(len(values), 1)
        return Counted(name, values, totals, sizes, entries // d, entries % d, rows)

    def combinations(self, names: Sequence[str]) -> list[list[tuple[int, ...]]]:
        """Return the different combinations of some columns in every class, as value codes."""
        codes = self.domain.sensitive.codes[:, [self.domain.column(name) for name in names]]
        lines, code = np.unique(codes, axis=0, return_inverse=True)
        entries, _ = self._entries(code.reshape(-1).astype(np.int64), len(lines))
        texts = [tuple(line) for line in lines.tolist()]
        found: list[list[tuple[int, ...]]] = [[] for _ in range(self.number)]
        for entry in entries.tolist():
            found[entry // len(texts)].append(texts[entry % len(texts)])
        return found

    def _entries(
        self, code: NDArray[np.int64], size: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:  # fmt: skip
        """Return ``class * size + code`` of the pairs that occur, in order, and their rows."""
        keys, place = np.unique(self.owner * max(size, 1) + code[self.kind], return_inverse=True)
        rows = np.zeros(keys.size, np.int64)
        np.add.at(rows, place.reshape(-1), self.rows)
        return keys, rows
