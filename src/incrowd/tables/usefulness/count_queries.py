"""How far random counts are off when they are asked of the release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.usefulness.coded_tables import rows_of_values, spread

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.usefulness.coded_tables import CodedColumn, CodedTables

__all__ = ["MOST_COLUMNS", "CountErrors", "count_errors"]

MOST_COLUMNS = 3
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
    """

    queries: int
    least: int
    mean: float
    median: float
    mean_by_shares: float
    median_by_shares: float
    mean_of_noise: float
    median_of_noise: float


def count_errors(
    tables: CodedTables, *, seed: int, queries: int = 1000, least: int = 30, watch: Watch | None = None
) -> CountErrors:
    """Ask random counts of the original and of the release.

    Parameters
    ----------
    tables : CodedTables
    seed : int
    queries : int
        How many counts.
    least : int
        The least true count that is asked; rarer selections are drawn again, up to `TRIES` times each.
    watch : Watch, optional
        Where it stops, what was asked so far is the answer.

    Notes
    -----
    A query selects in one to three columns: an interval of a column of numbers, else a set of up to a third of its
    values. O(queries * (t + u)) for t and u distinct rows.

    References
    ----------
    J. Xu et al., "Utility-Based Anonymization Using Local Recoding", KDD 2006 (random counts as a measure).
    """
    rng = np.random.default_rng([seed, 1])
    n = tables.n
    found: list[list[float]] = []
    shares = [rows_of_values(tables, j) for j in range(len(tables.columns))]
    for tried in range(queries * TRIES):
        if len(found) == queries or (tried % 16 == 0 and watch is not None and watch.stopped):
            break
        columns = rng.choice(
            len(tables.columns), int(rng.integers(1, min(MOST_COLUMNS, len(tables.columns)) + 1)), False
        )
        chosen = [(int(j), _selection(tables.columns[j], rng)) for j in columns]
        inside = np.ones(tables.rows.size, np.bool_)
        for j, selected in chosen:
            inside &= selected[tables.original[:, j]]
        true = int(tables.rows[inside].sum())
        if true < least:
            continue
        even, known = np.ones(tables.released_rows.size), np.ones(tables.released_rows.size)
        for j, selected in chosen:
            column, codes = tables.columns[j], tables.released[:, j]
            even *= spread(column, selected[:, None].astype(float))[codes, 0]
            both = spread(column, np.stack([shares[j] * selected, shares[j]], axis=1))
            known *= (both[:, 0] / both[:, 1])[codes]
        answers = [
            float(tables.released_rows @ even),
            float(tables.released_rows @ known),
            int(rng.binomial(n, true / n)),
        ]
        found.append([abs(answer - true) / true for answer in answers])
    errors = np.array(found) if found else np.zeros((1, 3))
    means, medians = errors.mean(axis=0).tolist(), np.median(errors, axis=0).tolist()
    return CountErrors(len(found), least, means[0], medians[0], means[1], medians[1], means[2], medians[2])


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
