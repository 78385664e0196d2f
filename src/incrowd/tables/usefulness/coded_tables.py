"""Original and release in the same integers: distinct rows, and which original values a released cell may stand for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError
from incrowd.tables.coded import coded
from incrowd.tables.verify.release.range_labels import read_labels

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    import ibis.expr.types as ir
    from numpy.typing import NDArray

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Expanded
    from incrowd.tables.values import Int32, Int64

MOST_GATHERED = 1 << 22  # numbers that are laid out at once: 32 MB


@dataclass(frozen=True, slots=True, eq=False)
class CodedColumn:
    """One column of both tables.

    `values`: the original's distinct values (None: a missing one). `numbers`: (d,) float64 or None, the values as
    numbers, NaN for a missing one; None where some are none. `begins`: (q + 1,) int64. `leaves`: (p,) int64,
    ``leaves[begins[l]:begins[l + 1]]`` are the original values that released label l may stand for, one at least.
    """

    name: str
    values: tuple[str | None, ...]
    numbers: NDArray[np.float64] | None
    begins: Int64
    leaves: Int64

    @property
    def size(self) -> int:
        """Distinct values of the original."""
        return len(self.values)

    def single(self) -> Int64:
        """Return for each label the only value that it stands for, -1 where there are several; shape (q,)."""
        widths = np.diff(self.begins)
        return np.where(widths == 1, self.leaves[self.begins[:-1]], -1)


@dataclass(frozen=True, slots=True, eq=False)
class CodedTables:
    """Both tables: distinct rows and how many rows are like each.

    `original`: (t, m) int32, value codes of the original's distinct rows. `rows`: (t,) int64. `released`: (u, m) int32,
    label codes of the release's distinct rows. `released_rows`: (u,) int64.
    """

    columns: tuple[CodedColumn, ...]
    original: Int32
    rows: Int64
    released: Int32
    released_rows: Int64

    @property
    def n(self) -> int:
        """Rows of the original."""
        return int(self.rows.sum())


def coded_column(
    name: str,
    values: tuple[str | None, ...],
    labels: tuple[str | None, ...],
    *,
    changing: bool,
    star: str | None,
    tree: Any | None = None,
    ranges: Mapping[str | None, Int64] | None = None,
) -> CodedColumn:
    """Return a column with what its released labels may stand for.

    `values` are the original's d distinct values, and `labels` the release's q distinct cells. `changing` says whether
    cells may be stars, labels or ranges. `star` is the text of a star (None: a star is a missing value), and `tree`
    the column's hierarchy. `ranges` has, by label of a range, the places of the values that it stands for, (p,) each.
    Raises InputError if a released cell is neither a value of the original nor a label for some. A label is read as the
    original's value of that text, if there is one, then as the star, then as the lowest label of the hierarchy that it
    is. O(d h + q d) for h levels.
    """
    place = {value: i for i, value in enumerate(values)}
    everything = np.arange(len(values), dtype=np.int64)
    known: dict[str | None, Int64] = {}
    if changing:
        known = {**(ranges or {}), **({} if tree is None else _below_labels(tree, place))}
    runs = []
    for label in labels:
        if changing and label == star:
            runs.append(everything)
        elif label in place:
            runs.append(everything[place[label] : place[label] + 1])
        else:
            runs.append(known.get(label, everything[:0]))
    unknown = sum(not run.size for run in runs)
    if unknown:
        raise InputError(
            f"column {name!r} of the release holds {unknown} texts that are neither values of the original "
            "nor stars nor labels of its hierarchy; give the policy that the release was made under (policy)"
        )
    begins = np.concatenate(([0], np.cumsum([run.size for run in runs]))).astype(np.int64)
    return CodedColumn(name, values, _numbers(values), begins, np.concatenate([everything[:0], *runs]))


def _below_labels(tree: Any, place: Mapping[str | None, int]) -> dict[str | None, Int64]:
    """Return by label the values of the table below it, at the lowest level where it stands."""
    found: dict[str | None, Int64] = {}
    lines = [(place[line[0]], line) for line in tree.shown if line[0] in place]
    for level in range(1, tree.height):
        members: dict[str | None, list[int]] = {}
        for leaf, line in lines:
            members.setdefault(line[level], []).append(leaf)
        for label, leaves in members.items():
            found.setdefault(label, np.array(leaves, np.int64))
    return found


def _numbers(values: Iterable[str | None]) -> NDArray[np.float64] | None:
    try:
        numbers = np.array([np.nan if value is None else float(value) for value in values])
    except ValueError:
        return None
    known = numbers[~np.isnan(numbers)]
    words = any(value is not None and value.strip().lower() in ("nan", "inf", "infinity") for value in values)
    return numbers if known.size > 1 and np.isfinite(known).all() and not words else None


def spread(column: CodedColumn, parts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each label the mean of what its values have: a cell is read as uniform over what it may stand for.

    For a column with d values and q labels, `parts` is (d, b), and what is returned (q, b).
    """
    begins = column.begins[:-1]
    if column.leaves.size * parts.shape[1] <= MOST_GATHERED:
        sums = np.add.reduceat(parts[column.leaves], begins, axis=0)
    else:  # many wide ranges: one part at a time
        sums = np.stack([np.add.reduceat(part[column.leaves], begins) for part in parts.T], axis=1)
    means: NDArray[np.float64] = sums / np.diff(column.begins)[:, None]
    return means


def rows_of_values(tables: CodedTables, place: int) -> NDArray[np.float64]:
    """Return how many original rows have each value of the column at a place, shape (d,)."""
    size = tables.columns[place].size
    return np.bincount(tables.original[:, place], weights=tables.rows, minlength=size).astype(np.float64)


# Original and release as the engine holds them, made the same integers.
def coded_pair(
    engine: Engine,
    original: ir.Table,
    released: ir.Table,
    names: Mapping[str, str],
    *,
    changing: Collection[str],
    star: str | None,
    hierarchies: Mapping[str, Any],
    ranges: bool,
) -> CodedTables:
    """Return both tables coded.

    The engine holds both; they have the columns of `names`, which maps the engine's name of a column to the user's. The
    `changing` columns may show other labels than the original's values. `star` is the text of a star (None: NULL). The
    `hierarchies` are by the user's name. `ranges` says whether changed cells show ranges. Raises InputError if a
    released cell is neither a value of the original nor a label for some. One GROUP BY over each table; what comes out
    grows with the distinct rows.
    """
    with engine.guard("counting the rows of both tables"):
        (codes, rows, values), (shown, counts, labels) = (
            coded(engine, table, list(names)) for table in (original, released)
        )
    columns = tuple(
        coded_column(
            name, values[j], labels[j], changing=name in changing, star=star, tree=hierarchies.get(name),
            ranges=_ranges(values[j], labels[j], name) if ranges and name in changing else None,
        )
        for j, name in enumerate(names.values())
    )  # fmt: skip
    return CodedTables(columns, codes, rows, shown, counts)


def _ranges(values: tuple[str | None, ...], labels: tuple[str | None, ...], name: str) -> dict[str | None, Int64]:
    reading = read_labels(values, labels, name)
    ends = np.cumsum(np.bincount(reading.label, minlength=len(reading.labels)))
    # pairs of a label stand together
    return dict(zip(reading.labels, np.split(reading.value, ends[:-1]), strict=False))


def coded_release(release: Expanded, others: Sequence[str], *, ranges: bool) -> CodedTables:
    """Return a release that is still in its engine, coded beside the table that it was made of.

    `others` are the columns of the release beside its quasi-identifiers that are looked at. `ranges` says whether
    changed cells show ranges. Raises InputError if the engine was closed.
    """
    table = release.table
    judged = [column for column in table.others if column.name in others]
    names = {column.id: column.name for column in (*table.quasi_identifiers, *judged)}
    return coded_pair(
        table.engine, table.data, release.rows, names, changing=table.roles.quasi_identifiers, star=release.star,
        hierarchies={names[short]: ladder.fitted for short, ladder in table.ladders.items()}, ranges=ranges,
    )  # fmt: skip
