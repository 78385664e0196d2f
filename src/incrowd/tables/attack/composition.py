"""Two releases of the same people, or of people of whom some are in both: whose row may be whose.

A row of one release and a row of the other fit when no shown cell contradicts, level by level, and columns that no
release changes agree. Where both hold the same people, every pairing of all rows that fit is possible and no other:
the joint crowd of a row are those rows of the other release that share some perfect pairing with it. It is found
between classes of equal rows, by one flow and the strong components of what it leaves (``papers/composition.md``, C1 to
C3), never between rows. Where only some people are in both, rows that fit are all that can be said.

References
----------
S. R. Ganta, S. P. Kasiviswanathan, A. Smith, "Composition attacks and auxiliary information in data privacy",
KDD 2008.
A. L. Dulmage, N. S. Mendelsohn, "Coverings of bipartite graphs", Canadian Journal of Mathematics 10, 1958.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.crowds.assignment import augment, begin
from incrowd.kernels.crowds.keys import meet
from incrowd.kernels.crowds.strong_parts import strong_parts
from incrowd.tables.classes_by_vector import ClassesByVector

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from incrowd.tables.values import Int8, Int32, Int64

__all__ = ["Joint", "ShownClasses", "joint_crowds"]

PAIRS_AT_A_TIME = 2048  # pairs of level vectors between two questions whether to stop
MOST_EDGES = 1 << 28  # classes and keys that meet; more would not fit a common machine's memory


@dataclass(frozen=True, slots=True, eq=False)
class ShownClasses:
    """The classes of equal rows of a release, in codes that both releases share.

    Attributes
    ----------
    levels : (t, m) int8
        Level of each cell; 0 throughout in columns that are never changed.
    nodes : (t, m) int32
        Node that the cell shows at its level.
    counts : (t,) int64
        Rows of each class, at least 1.
    """

    levels: Int8
    nodes: Int32
    counts: Int64


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """Whose row may be whose.

    Attributes
    ----------
    possible : bool
        For the same people: whether all rows can be paired at all. Where not, the crowds are those of rows that fit.
    first, second : (t,) int64
        For each class of either release the rows of the other one that a row of it may belong with.
    complete : bool
        False where it was stopped before the end; the crowds are those of rows that fit then, or 0.
    key_a, key_b : (x + 1,) int64
        Where the edges of each key begin, on either side.
    a_class, b_class : (e,) int32
        The class of each edge, by key. A class of either release that stand at the same key fit.
    parts : (classes + keys + classes,) int32 or None
        Strong components: classes at one key may belong together where theirs are equal (None: wherever they fit).
    """

    possible: bool
    first: Int64
    second: Int64
    complete: bool
    key_a: Int64
    key_b: Int64
    a_class: Int32
    b_class: Int32
    parts: Int32 | None


def joint_crowds(
    first: ShownClasses,
    second: ShownClasses,
    ups: Sequence[Int32],
    *,
    same_people: bool,
    stop: Callable[[], bool] = lambda: False,
) -> Joint:
    """Return for every class of two releases how many rows of the other one may belong with a row of it.

    Both releases are over the same columns. `ups` are (h + 1, d) int32 by column: the node of each value at each level;
    one line for a column that is never changed. `same_people` says whether both hold the same people, one row each.
    Else rows that fit are counted, and nothing is excluded for certain.

    `stop` is asked between pieces of work. Time grows with the classes times the other release's level vectors, for the
    flow times its phases. MemoryError is raised where more than 2^28 classes and keys meet.
    """
    heights = np.array([int(up.shape[0]) - 1 for up in ups])
    a = ClassesByVector.of(first.levels, first.nodes, ups)
    b = ClassesByVector.of(second.levels, second.nodes, ups)
    a_rows, b_rows = first.counts[a.order], second.counts[b.order]
    x_count, edges, whole = _keys(a, b, heights, stop)
    a_class, a_key, b_class, b_key = edges
    a_class, key_a = _by_key(a_class, a_key, x_count)
    b_class, key_b = _by_key(b_class, b_key, x_count)
    a_keys, b_keys = (np.repeat(np.arange(x_count, dtype=np.int32), np.diff(key)) for key in (key_a, key_b))

    def counted(parts: Int32 | None) -> tuple[Int64, Int64]:
        return _crowds(a_rows, b_rows, a_class, a_keys, b_class, b_keys, x_count, parts)

    possible, parts = True, None
    if same_people:
        of_a, a_edges = _by_class(a_class, a_rows.size)
        of_b, b_edges = _by_class(b_class, b_rows.size)
        left, wanted = a_rows.copy(), b_rows.copy()
        sent, got = np.zeros(a_class.size, np.int64), np.zeros(b_class.size, np.int64)
        graph = (key_a, a_class, key_b, b_class, of_a, a_edges, a_keys, of_b, b_edges, b_keys)
        whole = whole and not stop()
        if whole:
            begin(key_a, a_class, key_b, b_class, left, wanted, sent, got)
        while whole and left.any():
            if not augment(*graph, left, wanted, sent, got):
                break
            whole = not stop()
        possible = not left.any() and not wanted.any()
        if whole and possible:
            parts = strong_parts(*graph, sent, got)
    crowds = counted(parts)
    a_order, b_order = a.order, b.order
    one, two = np.empty_like(crowds[0]), np.empty_like(crowds[1])
    one[a_order], two[b_order] = crowds
    if parts is not None:
        parts = _reordered(parts, a_order, b_order, x_count)
    to_a, to_b = a_order.astype(np.int32), b_order.astype(np.int32)
    return Joint(possible, one, two, whole, key_a, key_b, to_a[a_class], to_b[b_class], parts)


def _keys(
    a: ClassesByVector, b: ClassesByVector, heights: NDArray[np.integer], stop: Callable[[], bool]
) -> tuple[int, tuple[Int32, Int32, Int32, Int32], bool]:
    """Return the keys at which classes meet, those that say most first, and whether all were found."""
    pairs = np.stack(np.meshgrid(np.arange(len(a.vectors)), np.arange(len(b.vectors)), indexing="ij"), -1)
    pairs = pairs.reshape(-1, 2).astype(np.int64)
    joint = np.maximum(a.vectors[pairs[:, 0]], b.vectors[pairs[:, 1]])
    pairs = pairs[np.argsort((joint / np.maximum(heights, 1)).sum(axis=1), kind="stable")]
    found: list[tuple[Int32, ...]] = []
    keys, met = 0, 0
    for at in range(0, len(pairs), PAIRS_AT_A_TIME):
        if stop():
            return keys, _joined(found), False
        some = np.ascontiguousarray(pairs[at : at + PAIRS_AT_A_TIME])
        keys, *edges = meet(some, a.vectors, b.vectors, a.offsets, a.nodes, b.nodes, a.start, b.start, keys)
        found.append(tuple(edges))
        met += edges[0].size + edges[2].size
        if met > MOST_EDGES:
            raise MemoryError
    return keys, _joined(found), True


def _joined(found: Sequence[tuple[Int32, ...]]) -> tuple[Int32, Int32, Int32, Int32]:
    """Return the edges of all pieces, side by side."""
    none = np.zeros(0, np.int32)
    one, two, three, four = (np.concatenate([none, *(edges[c] for edges in found)]) for c in range(4))
    return one, two, three, four


def _by_key(classes: Int32, keys: Int32, count: int) -> tuple[Int32, Int64]:
    """Return the classes sorted by key, and where each key begins."""
    start = np.concatenate(([0], np.cumsum(np.bincount(keys, minlength=count)))).astype(np.int64)
    return classes[np.argsort(keys, kind="stable")], start


def _by_class(classes: Int32, count: int) -> tuple[Int64, Int32]:
    """Return where the edges of each class begin, and the edges."""
    start = np.concatenate(([0], np.cumsum(np.bincount(classes, minlength=count)))).astype(np.int64)
    return start, np.argsort(classes, kind="stable").astype(np.int32)


def _crowds(
    a: Int64, b: Int64, a_class: Int32, a_keys: Int32, b_class: Int32, b_keys: Int32, keys: int, parts: Int32 | None
) -> tuple[Int64, Int64]:
    """Return the rows of the other release that may belong with a row of each class."""
    use_a, use_b = np.ones(a_class.size, np.bool_), np.ones(b_class.size, np.bool_)
    if parts is not None:
        here = parts[a.size : a.size + keys]
        use_a = parts[a_class] == here[a_keys]
        use_b = parts[a.size + keys + b_class.astype(np.int64)] == here[b_keys]
    found = []
    one, two = (a, a_class, a_keys, use_a), (b, b_class, b_keys, use_b)
    for (mine, my_class, my_keys, my_use), (other, its_class, its_keys, its_use) in ((one, two), (two, one)):
        rows = np.zeros(keys, np.int64)
        np.add.at(rows, its_keys[its_use], other[its_class[its_use]])
        crowd = np.zeros(mine.size, np.int64)
        np.add.at(crowd, my_class[my_use], rows[my_keys[my_use]])
        found.append(crowd)
    return found[0], found[1]


def _reordered(parts: Int32, a_order: NDArray[np.intp], b_order: NDArray[np.intp], keys: int) -> Int32:
    """Return the components with the classes in their own order again."""
    out = parts.copy()
    out[: a_order.size][a_order] = parts[: a_order.size]
    out[a_order.size + keys :][b_order] = parts[a_order.size + keys :]
    return out
