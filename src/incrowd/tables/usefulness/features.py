"""Rows as numbers, for models that learn from them."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.usefulness.associations import bins_of
from incrowd.tables.usefulness.coded_tables import rows_of_values, spread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.usefulness.coded_tables import CodedTables
    from incrowd.tables.values import Int32

    Float64 = NDArray[np.float64]

__all__ = ["MOST_ROWS", "Features", "can_learn", "drawn"]

MOST_ROWS = 20_000  # what a model learns from, drawn with replacement from larger tables


def can_learn() -> bool:
    """Return whether scikit-learn is there, which models are learned with."""
    return importlib.util.find_spec("sklearn") is not None


class Features:
    """Each row as the shares of its columns' bins, and the place of its numbers between their least and greatest.

    A released cell is read as uniform over the values that it may stand for, so that a star is a share in every bin.
    `columns` are the places of the columns that make features.
    """

    def __init__(self, tables: CodedTables, columns: Sequence[int]) -> None:
        self.columns = tuple(columns)
        self._values: list[Float64] = []
        self._labels: list[Float64] = []
        for j in self.columns:
            column = tables.columns[j]
            of = bins_of(column, rows_of_values(tables, j))
            # the first bin is what the others leave: as a feature it would say nothing new
            parts = np.eye(int(of.max()) + 1)[of][:, 1:]
            if column.numbers is not None:
                known = np.nan_to_num(column.numbers, nan=float(np.nanmean(column.numbers)))
                parts = np.column_stack([parts, (known - known.min()) / max(float(np.ptp(known)), 1e-300)])
            self._values.append(parts)
            self._labels.append(spread(column, parts))

    def original(self, codes: Int32) -> Float64:
        """Return the features of original rows, given as value codes of shape (r, m)."""
        return self._of(self._values, codes)

    def released(self, codes: Int32) -> Float64:
        """Return the features of released rows, given as label codes of shape (r, m)."""
        return self._of(self._labels, codes)

    def _of(self, parts: list[Float64], codes: Int32) -> Float64:
        return np.hstack([part[codes[:, j]] for part, j in zip(parts, self.columns, strict=True)])


def drawn(rows: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw rows with replacement, as many as there are but `MOST_ROWS` at most.

    What is returned, of shape (r,), are places of distinct rows. `rows` is (t,): how many rows are like each distinct
    one.
    """
    n = int(rows.sum())
    return rng.choice(rows.size, min(n, MOST_ROWS), p=rows / n)
