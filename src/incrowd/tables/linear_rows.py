"""Linear rows on a group's counts: what an integer program can be told of a requirement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["LinearRows"]


@dataclass(frozen=True, slots=True, eq=False)
class LinearRows:
    """Rows ``counts @ c + size N + extra @ z + opened u <= 0`` for one group.

    A group with c_v rows of value v and size N = sum c_v meets the requirement exactly if some extra variables z >= 0
    satisfy all rows; u is 1 where the group is open. All rows hold for the empty group.

    Attributes
    ----------
    code : (kinds,) int64
        Value v of each combination of sensitive values.
    counts : (r, v) float64
    size : (r,) float64
    extra : (r, z) float64
    opened : (r,) float64
    binary : bool
        Whether z are 0 or 1, not any numbers from 0 on.
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
