"""Rules on a class's rows per sensitive value: what a search and a bound can be told of a requirement in numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Self

import numpy as np

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray


class Family(IntEnum):
    """What a rule asks of a class with c_v rows of value v, N rows in all (C_v and n in the whole table)."""

    SHARES = 0
    """c_v <= share_v N for every v"""
    DISTINCT = 1
    """at least `least` values with c_v > 0"""
    TREE = 2
    """the mean over heights h of half the sum over nodes x of abs(c_x / N - C_x / n) is at most `level`"""
    LINE = 3
    """the sum over steps s of length_s abs(c_(up to s) / N - C_(up to s) / n) is at most `level`"""
    TRANSPORT = 4
    """moving the shares c_v / N to C_v / n costs at most `level`, with the metric `distance`"""
    ENTROPY = 5
    """sum c_v log c_v <= N log N - N `level`"""
    RECURSIVE = 6
    """with r1 >= r2 >= ... the c_v in order: r1 < `level` (r_least + r_(least + 1) + ...)"""


def _no_numbers(*shape: int, kind: Any = np.float64) -> Any:
    return field(default_factory=lambda: np.zeros(shape, kind))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CountRule:
    """One rule; floating point, so who needs certainty asks the requirement itself (`meets`).

    `code`: (kinds,) int32, value v of each combination of sensitive values. `totals`: (v,) int64, rows of the table
    with each value (of the joint kind: combinations), at least 1. `exact`: whether a class meets the requirement
    exactly if it meets its rules; else it only has to meet them. `share`: (v,) float64, SHARES. `limit`: SHARES, where
    it is the same for every value, exactly. `presence`: (v,)
    float64, SHARES: the least share of every value that a class has; empty: none is asked for. Not closed under union,
    so the rule never rests on it: it is for searches, which need not find everything. `least`: DISTINCT, RECURSIVE.
    `level`: TREE, LINE, TRANSPORT (t, 0 to 1), ENTROPY (log l), RECURSIVE (c). `strict`: RECURSIVE, what each row of a
    class leaves of its inequality at least. `node`: (H, v) int32, TREE: node of every value at heights 0 ... H - 1,
    numbered from 0 at every height. `length`: (v - 1,) float64, LINE: lengths of
    the steps between neighbours; they sum to 1. `distance`: (v, v) float64, TRANSPORT: 0 to 1.
    """

    family: Family
    code: NDArray[np.int32]
    totals: NDArray[np.int64]
    exact: bool = True
    share: NDArray[np.float64] = _no_numbers(0)
    limit: Fraction | None = None
    presence: NDArray[np.float64] = _no_numbers(0)
    least: int = 0
    level: float = 0.0
    strict: float = 0.0
    node: NDArray[np.int32] = _no_numbers(0, 0, kind=np.int32)
    length: NDArray[np.float64] = _no_numbers(0)
    distance: NDArray[np.float64] = _no_numbers(0, 0)

    @property
    def values(self) -> int:
        """Number of values."""
        return int(self.totals.size)


# Linear rows on a class's counts: what an integer program can be told of a requirement.
@dataclass(frozen=True, slots=True, eq=False)
class LinearRows:
    """Rows ``counts @ c + size N + extra @ z + opened u <= 0`` for one class.

    A class with c_v rows of value v and size N = sum c_v meets the requirement exactly if some extra variables z >= 0
    satisfy all rows; u is 1 where the class is open. All rows hold for the empty class. `code`: (kinds,) int64, value v
    of each combination of sensitive values. `counts`: (r, v) float64. `size`: (r,) float64. `extra`: (r, z) float64.
    `opened`: (r,) float64. `binary`: whether z are 0 or 1, not any numbers from 0 on.
    """

    code: NDArray[np.int64]
    counts: NDArray[np.float64]
    size: NDArray[np.float64]
    extra: NDArray[np.float64]
    opened: NDArray[np.float64]
    binary: bool = False

    @classmethod
    def of(
        cls, code: Any, counts: Any, size: Any, extra: Any = None, *, opened: Any = None, binary: bool = False
    ) -> Self:  # fmt: skip
        """Return rows from anything that numpy makes arrays of; without `extra` there are no further variables."""
        rows = len(size)
        return cls(
            np.asarray(code, np.int64), np.asarray(counts, np.float64), np.asarray(size, np.float64),
            np.asarray(np.zeros((rows, 0)) if extra is None else extra, np.float64).reshape(rows, -1),
            np.asarray(np.zeros(rows) if opened is None else opened, np.float64), binary,
        )  # fmt: skip
