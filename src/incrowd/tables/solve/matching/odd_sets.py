"""Odd sets of rows that a fractional solution of the linear program treats as if they could be matched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.matching import columns
from incrowd.kernels.matching import odd_sets as kernel
from incrowd.tables.solve.matching import tuning
from incrowd.tables.solve.matching.limits import ask

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.values import Int64

__all__ = ["odd_sets"]

LITTLE = 1e-7


def odd_sets(n: int, groups: Int64, x: NDArray[np.float64], watch: Watch | None = None) -> list[Int64]:
    """Return sets S of odd size with x{g : an odd number of g in S} < 1, each ascending.

    `n` is the number of rows. `groups` is (c, 3): columns of one to three rows, -1 filling up; `x` is (c,). The watch
    is asked from component to component. Raises Stopped when it says so.

    Notes
    -----
    Odd components of the fractional support; in the even ones (and the odd ones that hold) least cuts in the
    manner of Padberg and Rao, where a triple's rows are joined at 1/2, 0 and 1 in turn, and single rows to a
    sink; last, steps from fractional triples. A violated set may be missed.
    """
    part = (x > LITTLE) & (x < 1 - LITTLE)
    groups, x = groups[part], x[part]
    if not x.size:
        return []
    two, three = groups[:, 1] >= 0, groups[:, 2] >= 0
    left = np.concatenate((groups[two, 0], groups[three, 0], groups[three, 1]))
    right = np.concatenate((groups[two, 1], groups[three, 2], groups[three, 2]))
    label = kernel.components(n, left, right)
    value = np.zeros(n)
    alone = ~two | three
    np.add.at(value, label[groups[alone, 0]], x[alone])
    rows = np.unique(groups[groups >= 0])
    order = rows[np.argsort(label[rows], kind="stable")]
    bounds = np.flatnonzero(np.diff(label[order])) + 1
    of_group = np.argsort(label[groups[:, 0]], kind="stable")
    sorted_labels = label[groups[of_group, 0]]
    found: dict[bytes, Int64] = {}
    own = tuning.DEFAULT
    for component in np.split(order, bounds):
        name = label[component[0]]
        if component.size % 2 and value[name] < 1 - own.violation and component.size <= own.component_rows:
            _keep(found, np.sort(component))
            continue
        ask(watch)
        low, high = np.searchsorted(sorted_labels, [name, name + 1])
        if 3 < component.size <= own.component_rows and high - low > 2:
            mine = of_group[low:high]
            for chosen in _inside(np.sort(component), groups[mine], x[mine]):
                _keep(found, chosen)
    return list(found.values())


def _keep(found: dict[bytes, Int64], chosen: Int64) -> None:
    found[chosen.tobytes()] = chosen


def _inside(component: Int64, groups: Int64, x: NDArray[np.float64]) -> list[Int64]:
    own, size = tuning.DEFAULT, component.size
    place = np.searchsorted(component, np.where(groups < 0, component[0], groups))
    two, three = groups[:, 1] >= 0, groups[:, 2] >= 0
    pair = two & ~three
    left = np.concatenate((place[pair, 0], place[three, 0], place[three, 0], place[three, 1], place[~two, 0]))
    right = np.concatenate(
        (place[pair, 1], place[three, 1], place[three, 2], place[three, 2], np.full(int((~two).sum()), size))
    )
    kept: list[Int64] = []
    local = np.where(groups < 0, -1, place).astype(np.int64)
    for share in (0.5, 0.0, 1.0) if three.any() else (0.5,):
        weight = np.concatenate((x[pair], np.tile(share * x[three], 3), x[~two]))
        for mark in kernel.odd_cuts(size + 1, left, right, weight):
            inside = mark[:size]
            if inside.sum() > 1 and x[columns.odd(local, mark)].sum() < 1 - own.violation:
                kept.append(component[inside])
        if kept:
            return kept
    if size <= own.bettered_rows and three.any():
        kept = _bettered(component, local, x, three)
    return kept


def _bettered(component: Int64, local: Int64, x: NDArray[np.float64], three: NDArray[np.bool_]) -> list[Int64]:
    """Return violated sets reached from fractional triples by toggling two rows at a time."""
    kept: dict[bytes, Int64] = {}
    for triple in local[three]:
        mark = np.zeros(component.size, np.bool_)
        mark[triple] = True
        if kernel.better_odd_set(component.size, local, x, mark) < 1 - tuning.DEFAULT.violation:
            kept[component[mark].tobytes()] = component[mark]
    return list(kept.values())[: tuning.DEFAULT.component_sets]
