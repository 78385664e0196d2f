"""How many rows of each value every instance holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.solve.shared.instances import Instances

__all__ = ["value_counts"]


def value_counts(
    instances: Instances, code: NDArray[np.integer], rows: NDArray[np.number], values: int
) -> NDArray[np.float64]:
    """Return the rows of each value in every instance, shape (g, values).

    `code` is (p,): the value of the type of each pair, below `values`. `rows` is (p,): the rows per pair. O(pairs + g
    values) time and memory.
    """
    place = instances.owners.astype(np.int64) * values + code
    held = np.bincount(place, weights=rows, minlength=instances.size * values)
    counts: NDArray[np.float64] = held.astype(np.float64).reshape(instances.size, values)
    return counts
