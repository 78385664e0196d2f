"""Range labels as the check reads them, and which original values each may stand for.

``[17-34]`` stands for the original numbers from 17 to 34. What is an original value is read as that value.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from incrowd.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import ibis.expr.types as ir
    from numpy.typing import NDArray

    from incrowd.tables.engine.base import Engine


MOST_PAIRS = 20_000_000
A_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?"
NUMBER = re.compile(A_NUMBER)
RANGE = re.compile(rf"\[({A_NUMBER})-({A_NUMBER})\]")


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """The labels of one released column.

    `values`: the original values, in no order. `label`, `value`: (p,) int64, every pair of a label and an original
    value that it may stand for, as indices into both.
    """

    labels: tuple[str, ...]
    values: tuple[str | None, ...]
    label: NDArray[np.int64]
    value: NDArray[np.int64]

    def pairs(self) -> pa.Table:
        """Return the pairs as a table: ``leaf`` and ``label``."""
        leaves, labels = pa.array(self.values, pa.string()), pa.array(self.labels, pa.string())
        return pa.table({"leaf": leaves.take(pa.array(self.value)), "label": labels.take(pa.array(self.label))})

    def codes(self) -> pa.Table:
        """Return values ``v`` with their ``code``, from 1 on, and labels with theirs, -3, -4, ..."""
        codes = [*range(1, len(self.values) + 1), *range(-3, -3 - len(self.labels), -1)]
        return pa.table({"v": pa.array([*self.values, *self.labels], pa.string()), "code": pa.array(codes, pa.int32())})


def read_labels(originals: Sequence[str | None], released: Iterable[str | None], column: str) -> Reading:
    """Read the labels among the released values of a column.

    `originals` and `released` are distinct values; released ones that are neither an original value nor a label are
    left out. The column's name is for the message. Raise `InputError` if the labels stand for more than `MOST_PAIRS`
    values together. Takes O(d log d) for d original values, and O(1) for each pair and O(log d) for each label.
    """
    known = set(originals)
    numbers = sorted(
        (Decimal(value), i) for i, value in enumerate(originals) if value is not None and NUMBER.fullmatch(value)
    )
    keys = [number for number, _ in numbers]
    order = np.array([i for _, i in numbers], np.int64)
    labels: list[str] = []
    runs: list[NDArray[np.int64]] = []
    total = 0
    for text in released:
        if text is None or text in known:
            continue
        found = _range(text, keys, order)
        if found is None:
            continue
        labels.append(text)
        runs.append(found)
        total += found.size
        if total > MOST_PAIRS:
            raise InputError(
                f"the ranges released in column {column!r} stand for more than {MOST_PAIRS:,} values together, too "
                "many to look through; coarsen that column first"
            )
    sizes = np.array([run.size for run in runs], np.int64)
    none = np.zeros(0, np.int64)
    return Reading(
        tuple(labels),
        tuple(originals),
        np.repeat(np.arange(len(labels)), sizes) if runs else none,
        np.concatenate(runs) if runs else none,
    )


def _range(text: str, keys: Sequence[Decimal], order: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """Return the places of the numbers that a range stands for (None: it is no range of numbers)."""
    found = RANGE.fullmatch(text)
    if found is None:
        return None
    low, high = Decimal(found[1]), Decimal(found[2])
    return order[bisect_left(keys, low) : bisect_right(keys, high)]


def reading_of(engine: Engine, original: ir.Value, released: ir.Value, column: str) -> Reading:
    """Return the labels of a released column; its values leave the engine, and go no further."""
    before, after = (
        engine.fetch(cells.name("v").as_table().distinct()).column("v").to_pylist() for cells in (original, released)
    )
    return read_labels(before, after, column)
