"""Which columns say the same: an age and a date of birth, a code and its name. Judged on a sample of the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.attack.column_ties import tie_of
from incrowd.tables.hierarchy.builders import day_of, number_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from incrowd.jobs.proposal.columns import ColumnProfile

__all__ = ["ages_of_dates", "told_by", "twins"]

MOST_COLUMNS = 40  # whose pairs are looked at
NEARLY = 0.99  # of the rows follow a rule
FEWEST_ROWS = 50
MOST_PAIRS = 400  # of a column that passes unchanged and a quasi-identifier
YEARS = 3  # the year of birth and the age add up to the year of the table, give or take


def ages_of_dates(columns: Sequence[ColumnProfile], sample: Mapping[str, Sequence[str | None]]) -> dict[str, str]:
    """Return the dates of birth that an age tells: the column of dates, and the column of ages.

    `sample` holds the cells of some rows by column, as texts.
    """
    ages = [column.name for column in columns if column.proposal.seen.form == "age"]
    dates = [column.name for column in columns if column.proposal.seen.kind == "dates"]
    found = {}
    for date in dates:
        for age in ages:
            born, told = _years(sample[date], sample[age])
            alike = len(told) >= FEWEST_ROWS and np.std(told) >= YEARS
            if alike and np.mean(np.abs(born + told - np.median(born + told)) <= YEARS) >= NEARLY:
                found[date] = age
                break
    return found


def _years(dates: Sequence[str | None], ages: Sequence[str | None]) -> tuple[np.ndarray, np.ndarray]:
    """Return the years of dates and the ages beside them, of the rows that have both."""
    pairs = []
    for date, age in zip(dates, ages, strict=True):
        try:
            pairs.append((day_of(date or "").year, float(number_of(age or ""))))
        except (ValueError, OverflowError):
            continue
    both = np.array(pairs, np.float64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def twins(columns: Sequence[ColumnProfile], sample: Mapping[str, Sequence[str | None]]) -> list[tuple[str, str]]:
    """Return the pairs of columns of which each tells the other, in nearly all rows.

    The first 40 columns that are neither unique nor of one value are looked at. `sample` is as for `ages_of_dates`.
    """
    chosen = [c.name for c in columns if c.distinct > 1 and 3 * c.distinct <= c.filled][:MOST_COLUMNS]
    codes = {name: np.unique(["" if v is None else v for v in sample[name]], return_inverse=True)[1] for name in chosen}
    return [
        (a, b)
        for i, a in enumerate(chosen)
        for b in chosen[i + 1 :]
        if len(codes[a]) >= FEWEST_ROWS and _tells(codes[a], codes[b]) and _tells(codes[b], codes[a])
    ]


def told_by(
    kept: Sequence[str], known: Sequence[str], sample: Mapping[str, Sequence[str | None]]
) -> dict[str, list[str]]:
    """Return the quasi-identifiers that columns give away which pass unchanged, by such a column.

    `kept` are the columns that pass unchanged, and `known` the quasi-identifiers; the first 400 pairs are looked at.
    `sample` is as for `ages_of_dates`.
    """
    pairs = [(one, other) for other in known for one in kept][:MOST_PAIRS]
    places = {name: _places(sample[name]) for name in {name for pair in pairs for name in pair}}
    found: dict[str, list[str]] = {}
    for one, other in pairs:
        if tie_of(places[one], places[other]):
            found.setdefault(one, []).append(other)
    return found


def _places(cells: Sequence[str | None]) -> np.ndarray:
    """Return the place of every value among those of its column, numbers by size; -1 for a missing one."""
    given = [cell for cell in cells if cell is not None]
    try:
        values: list[float] | list[str] = [float(number_of(cell)) for cell in given]
    except (ValueError, OverflowError):
        values = given
    places = np.full(len(cells), -1, np.int64)
    places[[cell is not None for cell in cells]] = np.unique(values, return_inverse=True)[1]
    return places


def _tells(a: np.ndarray, b: np.ndarray) -> bool:
    """Return whether of the rows with a value of `a` nearly all have one of `b`, and one value of `b` is not all."""
    width = int(b.max()) + 1
    pairs, rows = np.unique(a.astype(np.int64) * width + b, return_counts=True)
    most = np.zeros(int(a.max()) + 1, np.int64)
    np.maximum.at(most, pairs // width, rows)
    counts = np.bincount(a)
    often = counts > 1
    followed = int(most[often].sum())
    return int(np.bincount(b).max()) <= NEARLY * len(b) and followed >= NEARLY * int(counts[often].sum()) > 0
