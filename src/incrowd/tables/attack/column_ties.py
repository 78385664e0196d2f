"""Columns that pass unchanged although they tell a quasi-identifier: an age beside a date of birth, a town, a band.

Pairs of columns are compared by how often two rows with the same value of the one have the same value of the other,
and by their ranks. No other row says anything of a value that stands alone, so such rows are left out: a column that
is nearly unique tells nothing here, and is warned of by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ibis
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from incrowd.progress import Watch
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Table
    from incrowd.tables.values import Int64


SAMPLE_ROWS = 20_000
MOST_PAIRS = 200
FEWEST_ROWS = 50  # that have another row with the same value
FEWEST_SHARE = 0.1  # of the rows, likewise
NEARLY = 0.9  # of what is left to guess
IN_STEP = 0.95  # rank correlation
MANY_VALUES = 10  # of both columns, for ranks to say anything


def changed_columns(facts: Mapping[str, Any]) -> list[str]:
    """Return the quasi-identifiers with a cell that a release does not show as it was, from the release's facts."""
    return [column["name"] for column in facts["levels_per_column"] if sum(column["rows"][1:])]


def column_ties(table: Table, changed: Sequence[str], watch: Watch | None = None) -> dict[str, Any]:
    """Return which columns that pass unchanged tell a quasi-identifier that was changed, as in ``--json``.

    They are ``column_ties`` and, where there were pairs to compare, ``column_pairs``. `changed` are quasi-identifiers
    with a cell that is not shown as it was. The watch can end the search between two pairs; the others count as not
    looked at. It looks at no more than 20,000 rows, evenly spread over the table, and 200 pairs: some tenths of a
    second, a second or two for the widest tables. The places of the values among the others leave the engine; no value
    does.
    """
    known = [column for column in table.quasi_identifiers if column.name in changed]
    pairs = [(one, other) for other in known for one in table.others]
    lines: list[dict[str, Any]] = []
    looked = len(pairs)
    if pairs and table.rows >= FEWEST_ROWS:
        some = pairs[:MOST_PAIRS]
        ids = sorted({column.id for pair in some for column in pair}, key=lambda name: int(name[1:]))
        places = _places(table.engine, table.data, table.rows, ids)
        looked = 0
        for one, other in some:
            if watch is not None and (watch.interrupted or watch.short):
                break
            tie = tie_of(places[one.id], places[other.id])
            looked += 1
            if tie:
                lines.append({"column": one.name, "quasi_identifier": other.name, "how": list(tie)})
    compared = {"column_pairs": {"looked_at": looked, "possible": len(pairs)}} if pairs else {}
    return {"column_ties": lines, **compared}


def _places(engine: Engine, data: Any, rows: int, ids: Sequence[str]) -> Mapping[str, Int64]:
    """Return the place of every value among those of its column, numbers by size; -1 for a missing one."""
    step = -(-rows // SAMPLE_ROWS)
    some = data.filter(data["row_key"] % step == 0) if step > 1 else data
    texts = some.select(**{name: engine.text(some[name]) for name in ids})
    asked = {}
    for name in ids:
        text = texts[name]
        place = ibis.dense_rank().over(ibis.window(order_by=[text.try_cast("float64"), text]))
        asked[name] = ibis.ifelse(text.isnull(), -1, place.cast("int64"))
    with engine.guard("comparing the columns that are kept with the quasi-identifiers"):
        found = engine.fetch(texts.select(**asked))
    return {name: np.array(found.column(name).to_pylist(), np.int64) for name in ids}


def tie_of(one: npt.NDArray[np.integer], other: npt.NDArray[np.integer]) -> dict[str, float]:
    """Return what a column tells of another, as far as it tells nearly all.

    `one` and `other` are (n,) int: a number for every row's value, in the order of the values; below 0 for none. In the
    answer ``tells`` is the chance that of two rows with the same value of the first column both have the same value of
    the second, where that is more than the second column's values would suggest, and ``follows`` the same the other way
    round. ``in_step`` says how closely the one rises or falls with the other: their rank correlation without its sign.
    """
    both = (one >= 0) & (other >= 0)
    if int(both.sum()) < FEWEST_ROWS:
        return {}
    first = np.unique(one[both], return_inverse=True)[1].astype(np.int64)
    second = np.unique(other[both], return_inverse=True)[1].astype(np.int64)
    sizes, others = np.bincount(first), np.bincount(second)
    pairs, alike = np.unique(first * len(others) + second, return_counts=True)
    tie = {"tells": _share(pairs // len(others), alike, sizes, others)}
    tie["follows"] = _share(pairs % len(others), alike, others, sizes)
    if min(len(sizes), len(others)) >= MANY_VALUES:
        by_rank = abs(float(np.corrcoef(_ranks(sizes)[first], _ranks(others)[second])[0, 1]))
        tie["in_step"] = round(by_rank, 4) if by_rank >= IN_STEP else 0.0
    return {how: share for how, share in tie.items() if share}


def _share(given: Int64, alike: Int64, sizes: Int64, others: Int64) -> float:
    """Return the chance that rows with the same value in one column share the other's; 0 where it is not nearly sure.

    `given`: (p,) int64, the one column's value of every pair of values that occurs. `alike`: (p,) int64, the rows of
    each pair. `sizes`, `others`: int64, the rows of each value of the one column, and of the other.
    """
    rows = int(others.sum())
    repeated = sizes > 1
    counted = int(sizes[repeated].sum())
    if counted < max(FEWEST_ROWS, FEWEST_SHARE * rows):
        return 0.0
    again = alike * (alike - 1) / np.maximum(sizes[given] - 1, 1)
    share = float(again.sum()) / counted
    by_chance = float((others * (others - 1)).sum()) / (rows * (rows - 1))
    return round(share, 4) if share - by_chance >= NEARLY * (1 - by_chance) > 0 else 0.0


def _ranks(sizes: Int64) -> npt.NDArray[np.float64]:
    """Return the rank of each value, rows with the same value sharing theirs."""
    return np.cumsum(sizes) - (sizes - 1) / 2.0
