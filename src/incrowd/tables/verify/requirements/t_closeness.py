"""t-closeness as the check reads it: the earth mover's distance of every class to the whole table is at most t.

With n rows in the table and N in a class all shares are multiplied by n N, so that everything is counted in whole
numbers. What has to be moved (N. Li, T. Li, S. Venkatasubramanian, "t-Closeness", ICDE 2007):

- in a tree, what every node has too much or too little crosses the edge above it, and such an edge is half a level
  long; where any two values are equally far apart every value is a node below the root;
- on a line, what all values up to a step have too much or too little crosses that step;
- in any other metric, see `transport`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.verify.requirements.counts import LIMIT, largest_ratio, sums, times
from incrowd.tables.verify.requirements.distances import (
    Line,
    Matrix,
    Tree,
    Values,
    line_of_numbers,
    line_of_ranks,
    matrix_of,
    tree_of,
)
from incrowd.tables.verify.requirements.reading import Judged
from incrowd.tables.verify.requirements.rules import Close, Rules, column_of
from incrowd.tables.verify.requirements.transport import least_work

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.values import Domain
    from incrowd.tables.verify.requirements.counts import Classes, Counted
    from incrowd.tables.verify.requirements.reading import Settings


Work = tuple[Any, int]  # (classes,) whole numbers W and u: a class of N rows is W / (N u) from the table


def judge(asked: Settings, classes: Classes) -> Judged:
    """Return which classes meet it, and the least t that all of them meet.

    Raise `PolicyError` if the distance cannot measure the column's values.
    """
    column, t = classes.column(asked["column"]), asked["t"]
    apart = _distance(asked, column.values, column.name)
    if isinstance(apart, Tree):
        work, unit = _in_tree(column, apart)
    elif isinstance(apart, Line):
        work, unit = _on_line(column, apart)
    else:
        work, unit = _moved(column, apart)
    met = times(work, t.denominator) <= times(column.sizes, unit * t.numerator)
    most = largest_ratio(work[column.shown], column.sizes[column.shown])
    return Judged(met.astype(np.bool_), None if most is None else most / unit)


def rules(asked: Settings, domain: Domain) -> Rules:
    """Return the distance. Raise `PolicyError` if it cannot measure the column's values."""
    values = domain.values[domain.column(asked["column"])]
    apart = _distance(asked, values, asked["column"])
    return Rules((Close(**column_of(domain, asked["column"]), t=asked["t"], apart=apart),), united=True)


def share_limit(asked: Settings) -> None:
    """Return None: it limits no value's share by a number of its own."""
    return


def _distance(asked: Settings, values: Values, name: str) -> Line | Tree | Matrix:
    kind = asked["distance"]
    if kind == "equal":
        return Tree([np.arange(len(values), dtype=np.int64)])
    if kind == "hierarchical":
        return tree_of(values, asked["hierarchy"], name)
    if kind == "ordered":
        return line_of_ranks(values, asked["order"], name)
    if kind == "numeric":
        return line_of_numbers(values, name)
    if isinstance(kind, str):
        raise ValueError(f"there is no distance {kind!r}")
    return matrix_of(values, kind, asked["order"], name)


def _grouped(
    column: Counted, place: NDArray[np.int64], places: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:  # fmt: skip
    """Return the column's entries by place instead of value (class, place, rows), and the table's rows per place."""
    totals = np.zeros(places, np.int64)
    np.add.at(totals, place, column.totals)
    keys, at = np.unique(column.owner * max(places, 1) + place[column.value], return_inverse=True)
    rows = np.zeros(keys.size, np.int64)
    np.add.at(rows, at.reshape(-1), column.rows)
    return keys // max(places, 1), keys % max(places, 1), rows, totals


def _in_tree(column: Counted, tree: Tree) -> Work:
    """Return half of what all nodes below the root have too much or too little, the mean over the heights."""
    n, sizes = column.n, column.sizes
    total: Any = 0
    for place in tree.nodes:
        owner, node, rows, totals = _grouped(column, place, int(place.max(initial=-1)) + 1)
        have, want = times(rows, n), times(totals[node], sizes[owner])
        differs = sums(owner, np.abs(have - want), column.classes)
        # nodes that a class does not have lack all that they should have
        absent = times(sizes, n) - sums(owner, want, column.classes)
        total = total + differs + absent
    return total, 2 * n * len(tree.nodes)


def _on_line(column: Counted, line: Line) -> Work:
    """Return the sum over all steps of their length times what crosses them.

    From one place of a class to its next (and before its first) what the class has below a step stays a, while the
    table's share N b of the rows b below it grows: first it is at most n a, then above. Prefix sums over the steps give
    both parts of each such stretch at once.
    """
    n, sizes, last = column.n, column.sizes, len(line.steps)
    span = sum(line.steps)
    owner, place, rows, totals = _grouped(column, line.place, last + 1)
    below = np.cumsum(totals)[:-1]
    safe = 4 * n * max(int(sizes.max(initial=0)), 1) * max(span, 1) < LIMIT
    steps = np.array(line.steps, np.int64 if safe else object)
    length = np.concatenate((np.zeros(1, steps.dtype), np.cumsum(steps)))
    mass = np.concatenate((np.zeros(1, steps.dtype), np.cumsum(steps * below)))
    # a stretch before the first place of every class with rows, and one after each of its places
    shown = np.flatnonzero(column.shown)
    owner, low = np.concatenate((shown, owner)), np.concatenate((np.zeros(shown.size, np.int64), place))
    rows = np.concatenate((np.zeros(shown.size, np.int64), rows))
    first = np.arange(owner.size) < shown.size
    order = np.lexsort((low, ~first, owner))
    owner, low, rows = owner[order], low[order], rows[order]
    ends = np.append(owner[1:] != owner[:-1], True)[: owner.size]
    high = np.where(ends, last, np.append(low[1:], last)[: owner.size])
    running = np.cumsum(rows)
    starts = np.flatnonzero(np.append(True, owner[1:] != owner[:-1])[: owner.size])
    base = (running - rows)[starts]
    have = running - np.repeat(base, np.diff(np.append(starts, owner.size)))
    size = sizes[owner]
    share = (times(have, n) // np.maximum(size, 1)).astype(np.int64)
    turn = np.clip(np.searchsorted(below, share, side="right"), low, high)
    mine, theirs = times(have, n), size if safe else size.astype(object)
    too_much = mine * (length[turn] - length[low]) - theirs * (mass[turn] - mass[low])
    too_little = theirs * (mass[high] - mass[turn]) - mine * (length[high] - length[turn])
    return sums(owner, too_much + too_little, column.classes), n * max(span, 1)


def _moved(column: Counted, matrix: Matrix) -> Work:
    """Return the least work of every class, one transportation problem each."""
    n, begins = column.n, column.begins
    total = np.zeros(column.classes, object)
    for g in np.flatnonzero(column.shown):
        mine = slice(begins[g], begins[g + 1])
        excess: NDArray[Any] = -times(column.totals, int(column.sizes[g]))
        excess[column.value[mine]] += times(column.rows[mine], n)
        total[g] = least_work(excess, matrix.costs)
    return total, n * matrix.scale
