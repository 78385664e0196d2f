"""How far the associations between two columns are from the original's."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse

from incrowd.tables.usefulness.coded_tables import rows_of_values, spread

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.usefulness.coded_tables import CodedColumn, CodedTables
    from incrowd.tables.values import Int64

    Float64 = NDArray[np.float64]

__all__ = ["MOST_BINS", "Associations", "associations", "bins_of", "cramers_v"]

MOST_BINS = 20  # values of a column that are looked at apart: its most frequent ones, or ranges of its numbers
MOST_PAIRS = 500


@dataclass(frozen=True, slots=True)
class Associations:
    """Differences of Cramer's V between original and release, over pairs of columns.

    Attributes
    ----------
    pairs : int
        Pairs that were looked at; a sample where there are more than `MOST_PAIRS`.
    mean, largest : float
        Of the absolute differences, 0 to 1; 0 without a pair.
    furthest : tuple of str
        The two columns of the largest difference; empty without a pair.
    of_original, of_release : float
        V of these two columns in either table.
    mean_of_noise, largest_of_noise : float
        The same differences for another sample of the original's size, drawn from the original.
    """

    pairs: int
    mean: float
    largest: float
    furthest: tuple[str, ...]
    of_original: float
    of_release: float
    mean_of_noise: float
    largest_of_noise: float


def associations(tables: CodedTables, *, seed: int, watch: Watch | None = None) -> Associations:
    """Compare the association of every pair of columns.

    Where the watch stops, the pairs so far are the answer.

    Notes
    -----
    A released cell counts in equal parts for the values that it may stand for, one column independently of the
    other. O(pairs * (t + u)) for t and u distinct rows.

    References
    ----------
    H. Cramer, "Mathematical Methods of Statistics", 1946 (V).
    """
    rng = np.random.default_rng([seed, 2])
    again = rng.multinomial(tables.n, tables.rows / tables.n)
    bins = [bins_of(column, rows_of_values(tables, j)) for j, column in enumerate(tables.columns)]
    parts = [spread(column, np.eye(int(of.max()) + 1)[of]) for column, of in zip(tables.columns, bins, strict=True)]
    pairs = list(itertools.combinations(range(len(tables.columns)), 2))
    if len(pairs) > MOST_PAIRS:
        pairs = [pairs[p] for p in sorted(rng.choice(len(pairs), MOST_PAIRS, False))]
    found: list[tuple[float, float, float]] = []
    for i, j in pairs:
        if watch is not None and watch.stopped:
            break
        one, two = bins[i][tables.original[:, i]], bins[j][tables.original[:, j]]
        sizes = (parts[i].shape[1], parts[j].shape[1])
        labels = scipy.sparse.coo_array(
            (tables.released_rows.astype(float), (tables.released[:, i], tables.released[:, j])),
            shape=(parts[i].shape[0], parts[j].shape[0]),
        ).tocsr()
        found.append((
            cramers_v(_table(one, two, tables.rows, sizes)),
            cramers_v(parts[i].T @ (labels @ parts[j])),
            cramers_v(_table(one, two, again, sizes)),
        ))  # fmt: skip
    if not found:
        return Associations(0, 0.0, 0.0, (), 0.0, 0.0, 0.0, 0.0)
    had, has, noisy = np.array(found).T
    off, noise = np.abs(has - had), np.abs(noisy - had)
    far = int(off.argmax())
    names = tuple(tables.columns[j].name for j in pairs[far])
    return Associations(
        len(found), float(off.mean()), float(off.max()), names, float(had[far]), float(has[far]), float(noise.mean()),
        float(noise.max()),
    )  # fmt: skip


def bins_of(column: CodedColumn, rows: Float64) -> Int64:
    """Return for each value of a column its bin: values as they are, else ranges of numbers or frequent values.

    The bins are (d,) for the d values of the column, 0 to `MOST_BINS` - 1 at most. `rows` is (d,): the rows of each.
    """
    if column.size <= MOST_BINS:
        return np.arange(column.size)
    found = np.full(column.size, MOST_BINS - 1, np.int64)
    if column.numbers is not None:
        known = np.flatnonzero(~np.isnan(column.numbers))
        order = known[np.argsort(column.numbers[known], kind="stable")]
        before = np.cumsum(rows[order]) - rows[order]
        found[order] = np.minimum(
            (before * (MOST_BINS - 1) / max(rows[order].sum(), 1)).astype(np.int64), MOST_BINS - 2
        )
    else:
        most = np.argsort(-rows, kind="stable")[: MOST_BINS - 1]
        found[most] = np.arange(most.size)
    return np.unique(found, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _table(one: Int64, two: Int64, rows: Int64, sizes: tuple[int, int]) -> Float64:
    cells = np.bincount(one * sizes[1] + two, weights=rows, minlength=sizes[0] * sizes[1])
    return cells.reshape(sizes).astype(np.float64)


def cramers_v(table: Float64) -> float:
    """Return Cramer's V of a table of counts, 0 (independent) to 1; 0 where a side has one category.

    The counts, of shape (a, b), are 0 or more; they need not be whole.
    """
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    if min(table.shape) < 2:
        return 0.0
    total = table.sum()
    phi = float((table**2 / np.outer(table.sum(axis=1), table.sum(axis=0))).sum()) - 1
    return float(np.sqrt(max(phi, 0.0) / (min(table.shape) - 1))) if total else 0.0
