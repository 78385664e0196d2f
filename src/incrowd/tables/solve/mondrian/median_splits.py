"""Mondrian's parts: the table cut at medians until no cut is left that may be made."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import Infeasible
from incrowd.kernels.grouping import median_splits as kernel
from incrowd.tables.solve.shared.requirement_check import meets

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.values import Int32, Int64, Levels, Problem

__all__ = ["Line", "Parts", "column_line", "cut_up"]

LENGTH = 1 << 30


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """Disjoint sets of rows that together are the table.

    Attributes
    ----------
    types : (e,) int32
        Row types, one part after another; a type may lie in several.
    rows : (e,) int64
        Rows of each, at least 1.
    begins : (p + 1,) int64
    """

    types: Int32
    rows: Int64
    begins: Int64

    @property
    def count(self) -> int:
        """Number of parts."""
        return self.begins.size - 1

    def of(self, which: NDArray[np.bool_]) -> Parts:
        """Return some of the parts."""
        sizes = np.diff(self.begins)
        entries = np.repeat(which, sizes)
        begins = np.concatenate(([0], np.cumsum(sizes[which]))).astype(np.int64)
        return Parts(self.types[entries], self.rows[entries], begins)


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """The values of one column in a row.

    Attributes
    ----------
    rank : (d,) int32
        Of each value code.
    place : (d,) int64
        By rank: where it lies, from 0 to 2^30; does not fall.
    """

    rank: Int32
    place: Int64


def column_line(level: Levels, places: Int64 | None) -> Line:
    """Return the order of a column's values: by place (else code), but the leaves of every node together.

    `places` is (d,), see `Problem.places`. They are also distances, where the hierarchy keeps their order; otherwise
    neighbours are one apart.
    """
    d = level.up.shape[1]
    given = np.arange(d, dtype=np.int64) if places is None else places
    keys = [np.arange(d), given]
    for nodes in level.up[1:-1]:
        least = np.full(int(nodes.max(initial=0)) + 1, np.iinfo(np.int64).max)
        np.minimum.at(least, nodes, given)
        keys += [nodes, least[nodes]]
    order = np.lexsort(keys)
    rank = np.empty(d, np.int32)
    rank[order] = np.arange(d, dtype=np.int32)
    along = given[order]
    if (np.diff(along) < 0).any():
        along = np.arange(d, dtype=np.int64)
    span = int(along[-1] - along[0]) if d else 0
    place = np.zeros(d, np.int64)
    if span:
        place[:] = [(int(x) - int(along[0])) * LENGTH // span for x in along]
    return Line(rank, place)


def cut_up(problem: Problem, *, relaxed: bool, watch: Watch, median: bool = False) -> Parts:
    """Return Mondrian's parts; each has at least k rows and meets every requirement.

    All open parts are cut in one round, then their sides in the next one. When interrupted the parts at hand are
    returned.

    With `relaxed`, rows of one value may be on both sides of a cut. With `median`, a cut is at the median alone, and
    not tried elsewhere. Raises Infeasible if the whole table does not meet a requirement (a proof where requirements
    are closed under union).
    """
    types = problem.types
    lines = [
        column_line(level, problem.places[j] if problem.places else None) for j, level in enumerate(problem.levels)
    ]
    longest = max((line.rank.size for line in lines), default=0)
    heights = np.array([level.height for level in problem.levels], np.int64)
    first = np.concatenate(([0], np.cumsum(heights + 1)[:-1])).astype(np.int64)
    rank = np.empty((types.t, types.m), np.int32)
    place = np.zeros((types.m, longest), np.int64)
    node = np.zeros((int((heights + 1).sum()), longest), np.int32)
    for j, (line, level) in enumerate(zip(lines, problem.levels, strict=True)):
        rank[:, j] = line.rank[types.codes[:, j]]
        place[j, : line.place.size] = line.place
        node[first[j] : first[j] + heights[j] + 1, line.rank] = level.up
    still = Parts(np.arange(types.t, dtype=np.int32), types.counts.copy(), np.array([0, types.t], np.int64))
    _whole(problem, still)
    refused = np.zeros(1, np.int64)
    done: list[Parts] = []
    while still.count:
        column, cut, number = kernel.next_cuts(
            still.types,
            still.rows,
            still.begins,
            refused,
            rank,
            place,
            node,
            first,
            heights,
            problem.k,
            median,
            relaxed,
        )
        live = (column >= 0) & (not watch.stopped)
        done.append(still.of(~live))
        still = still.of(live)
        sides = Parts(*kernel.divide(still.types, still.rows, still.begins, column[live], cut[live], rank, relaxed))
        refused = np.zeros(sides.count, np.int64)
        if problem.requirements:
            group = np.repeat(np.arange(sides.count), np.diff(sides.begins))
            good = meets(problem, group, sides.types, sides.rows, sides.count)
            both = good[0::2] & good[1::2]
            again = number[live][~both] + 1
            refused = np.concatenate((np.zeros(2 * int(both.sum()), np.int64), again))
            sides = _joined([sides.of(np.repeat(both, 2)), still.of(~both)])
        still = sides
        watch.tell("solve", parts=sum(part.count for part in done) + still.count)
    return _joined(done)


def _whole(problem: Problem, table: Parts) -> None:
    """Refuse a table that does not even meet the requirements as one group."""
    group = np.zeros(table.types.size, np.int64)
    for requirement in problem.requirements:
        alone = dataclasses.replace(problem, requirements=(requirement,))
        if not meets(alone, group, table.types, table.rows, 1)[0]:
            proven = requirement.closed_under_union
            raise Infeasible(
                f"no release {'can meet' if proven else 'was found that meets'} {requirement.describe()}: all rows "
                "as one group do not meet it; lower the threshold",
                requirement=requirement.rule,
                proven=proven,
            )


def _joined(many: list[Parts]) -> Parts:
    """Return several lists of parts as one."""
    sizes = np.concatenate([np.diff(parts.begins) for parts in many])
    return Parts(
        np.concatenate([parts.types for parts in many]),
        np.concatenate([parts.rows for parts in many]),
        np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
    )
