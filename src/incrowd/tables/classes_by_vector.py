"""Classes of rows sorted by their level vector, with the node that each shows at every level from its own up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.values import Int8, Int32, Int64


@dataclass(frozen=True, slots=True, eq=False)
class ClassesByVector:
    """Classes sorted by level vector.

    `vectors`: (v, m) int64, the level vectors in use. `start`: (v + 1,) int64, where the classes of each begin.
    `nodes`: (t, w) int32, by class, and column after column from level 0 up: the node shown, -1 below the class's own
    level. `offsets`: (m,) int64, place of each column's level 0 in `nodes`. `order`: (t,) int64, which class stands
    where.
    """

    vectors: Int64
    start: Int64
    nodes: Int32
    offsets: Int64
    order: NDArray[np.intp]

    @classmethod
    def of(cls, levels: Int8, nodes: Int32, ups: Sequence[Int32]) -> Self:
        """Sort classes by their level vector.

        `levels` is (t, m) int8. `nodes` is (t, m) int32: what each class shows in each column, at its level. `ups` has
        by column the node of each value at each level, (h + 1, d) int32.
        """
        vectors, which = np.unique(levels, axis=0, return_inverse=True)
        which = which.reshape(-1)
        order = np.argsort(which, kind="stable")
        start = np.concatenate(([0], np.cumsum(np.bincount(which, minlength=len(vectors))))).astype(np.int64)
        levels, nodes = levels[order], nodes[order]
        columns: list[Int32] = []
        offsets: list[int] = []
        for j, up in enumerate(ups):
            offsets.append(len(columns))
            node = np.full(len(order), -1, np.int32)
            for level, shown in enumerate(up):
                if level:
                    # the last place is of what is not known
                    over = np.full(int(up[level - 1].max(initial=0)) + 2, -1, np.int32)
                    over[up[level - 1]] = shown
                    node = over[node]
                here = levels[:, j] == level
                node[here] = nodes[here, j]
                columns.append(node.copy())
        wide = np.stack(columns, axis=1) if columns else np.zeros((len(order), 0), np.int32)
        return cls(vectors.astype(np.int64), start, np.ascontiguousarray(wide), np.array(offsets, np.int64), order)
