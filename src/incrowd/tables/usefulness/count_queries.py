"""How far random counts are off when they are asked of the release."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.usefulness.coded_tables import rows_of_values, spread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.usefulness.coded_tables import CodedColumn, CodedTables

    Folded = tuple[tuple[NDArray[np.integer], ...], NDArray[np.float64]]

__all__ = ["MOST_COLUMNS", "CountErrors", "count_errors"]

MOST_COLUMNS = 3
MOST_CELLS = 1 << 18  # combinations of values that are counted together
KEPT = 1 << 22  # numbers of such counts that are held at once: 32 MB
TRIES = 20  # draws for each query that is wanted: most counts of narrow selections are below the least


@dataclass(frozen=True, slots=True)
class CountErrors:
    """Relative errors of random counts; each 0 where there was no count to ask.

    Attributes
    ----------
    queries : int
        Counts that were asked.
    least : int
        The least true count among those asked for.
    mean, median : float
        Of ``|answer - true| / true``, a released cell read as uniform over the values that it may stand for.
    mean_by_shares, median_by_shares : float
        The same where each of these values weighs as often as it occurs in the original.
    mean_of_noise, median_of_noise : float
        The same for another sample of the original's size, drawn from the original.
    p90 : float
        What nine tenths of the errors that `mean` is of stay below.
    """

    queries: int
    least: int
    mean: float
    median: float
    mean_by_shares: float
    median_by_shares: float
    mean_of_noise: float
    median_of_noise: float
    p90: float


def count_errors(
    tables: CodedTables, *, seed: int, queries: int = 1000, least: int = 30, watch: Watch | None = None
) -> CountErrors:
    """Ask random counts of the original and of the release.

    `queries` is how many counts are asked. `least` is the least true count that is asked; rarer selections are drawn
    again, up to `TRIES` times each. Where the watch stops, what was asked so far is the answer.

    Notes
    -----
    A query selects in one to three columns: an interval of a column of numbers, else a set of up to a third of its
    values. O(queries * (t + u)) for t and u distinct rows at the most: what a few columns hold together is counted once
    where it has at most `MOST_CELLS` combinations.

    References
    ----------
    J. Xu et al., "Utility-Based Anonymization Using Local Recoding", KDD 2006 (random counts as a measure).
    """
    rng = np.random.default_rng([seed, 1])
    n = tables.n
    found: list[list[float]] = []
    shares = [rows_of_values(tables, j) for j in range(len(tables.columns))]
    before = _Folded(tables.original, tables.rows, [column.size for column in tables.columns])
    after = _Folded(tables.released, tables.released_rows, [column.begins.size - 1 for column in tables.columns])
    for tried in range(queries * TRIES):
        if len(found) == queries or (tried % 16 == 0 and watch is not None and watch.stopped):
            break
        columns = rng.choice(
            len(tables.columns), int(rng.integers(1, min(MOST_COLUMNS, len(tables.columns)) + 1)), False
        )
        chosen = [(int(j), _selection(tables.columns[j], rng)) for j in columns]
        chosen.sort(key=lambda one: one[0])
        places = tuple(j for j, _ in chosen)
        codes, rows = before.on(places)
        inside = np.logical_and.reduce([selected[code] for (_, selected), code in zip(chosen, codes, strict=True)])
        true = int(rows[inside].sum())
        if true < least:
            continue
        codes, rows = after.on(places)
        even, known = rows, rows
        for (j, selected), code in zip(chosen, codes, strict=True):
            column = tables.columns[j]
            even = even * spread(column, selected[:, None].astype(float))[code, 0]
            both = spread(column, np.stack([shares[j] * selected, shares[j]], axis=1))
            known = known * (both[:, 0] / both[:, 1])[code]
        answers = [float(even.sum()), float(known.sum()), int(rng.binomial(n, true / n))]
        found.append([abs(answer - true) / true for answer in answers])
    errors = np.array(found) if found else np.zeros((1, 3))
    means, medians = errors.mean(axis=0).tolist(), np.median(errors, axis=0).tolist()
    nine_tenths = float(np.quantile(errors[:, 0], 0.9))
    return CountErrors(len(found), least, means[0], medians[0], means[1], medians[1], means[2], medians[2], nine_tenths)


class _Folded:
    """The rows of one table as a few of its columns see them.

    `codes` is (t, m), and `rows` is (t,): how many rows are like each. `sizes` has the number of codes of each of the m
    columns.
    """

    def __init__(self, codes: NDArray[np.int32], rows: NDArray[np.int64], sizes: Sequence[int]) -> None:
        self._codes = np.asfortranarray(codes)  # a column at a time is looked up
        self._rows = rows.astype(np.float64)  # exact: below 2^53
        self._sizes = sizes
        self._known: dict[tuple[int, ...], Folded] = {}
        self._room = KEPT

    def on(self, columns: tuple[int, ...]) -> Folded:
        """Return codes of the columns and rows of each combination; combinations may come more than once.

        The columns are in rising order.
        """
        if columns in self._known:
            return self._known[columns]
        codes: tuple[NDArray[np.integer], ...] = tuple(self._codes[:, j] for j in columns)
        sizes = [self._sizes[j] for j in columns]
        if math.prod(sizes) > min(MOST_CELLS, self._rows.size):
            return codes, self._rows
        key = np.zeros(self._rows.size, np.int64)
        for code, size in zip(codes, sizes, strict=True):
            key *= size
            key += code
        counts = np.bincount(key, weights=self._rows, minlength=math.prod(sizes)).astype(np.float64)
        there = np.flatnonzero(counts)
        folded: Folded = tuple(np.unravel_index(there, sizes)), counts[there]
        taken = there.size * (len(columns) + 1)
        if taken <= self._room:
            self._room -= taken
            self._known[columns] = folded
        return folded


def _selection(column: CodedColumn, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Draw the values that a count asks for in one column."""
    selected = np.zeros(column.size, np.bool_)
    if column.numbers is not None:
        order = np.argsort(column.numbers, kind="stable")
        order = order[: int((~np.isnan(column.numbers)).sum())]
        width = int(rng.integers(1, max(2, order.size // 2 + 1)))
        first = int(rng.integers(0, order.size - width + 1))
        selected[order[first : first + width]] = True
    else:
        selected[rng.choice(column.size, int(rng.integers(1, max(2, column.size // 3 + 1))), False)] = True
    return selected
