"""From row types to groups of least cost: the exact steps, with the way back to all rows.

Some relaxations are taken for speed and undone if the solution makes use of what they add: pools give away more
copies than they have, or exactly one row leaves by full suppression where that needs a crowd.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.matching.repair import EXIT
from incrowd.progress import Watch
from incrowd.tables.solve.matching.active_rows import ActiveRows, core_of, exits_per_pool
from incrowd.tables.solve.matching.certificate import SCALE, Certificate, certify
from incrowd.tables.solve.matching.groups_of_cycles import groups_of
from incrowd.tables.solve.matching.limits import Stopped, late
from incrowd.tables.solve.matching.metric import metric
from incrowd.tables.solve.matching.search import Found, optimum

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.protocols import PatternSet
    from incrowd.tables.values import Int64, Levels, Outliers

__all__ = ["EXPAND", "Result", "optimal_groups"]

EXPAND = 4


@dataclass(frozen=True, eq=False)
class Result:
    """The least groups found, and what is proven about them.

    Attributes
    ----------
    groups : (g, 3) int64 or None
        Pairs and triples of row types, -1 for no third; one line per group, so that types with several rows
        come several times. None: no solution was found.
    suppressed : (s,) int64
        Types of single rows that are fully suppressed.
    rest : (t,) int64
        Rows of each type left among themselves at no cost.
    cost, bound, checked : int
        In the units of the levels' costs: of this solution, proven, and proven by the certificate alone.
    infeasible : bool
        Whether it is proven that no solution exists.
    certificate : Certificate
    steps : dict
        What happened, in numbers.
    """

    groups: Int64 | None
    suppressed: Int64
    rest: Int64
    cost: int
    bound: int
    checked: int
    infeasible: bool
    certificate: Certificate
    steps: dict[str, int]

    @property
    def optimal(self) -> bool:
        """Whether the groups are proven to be the cheapest."""
        return self.groups is not None and self.cost <= self.bound


def optimal_groups(
    codes: NDArray[np.integer],
    counts: Int64,
    levels: Sequence[Levels],
    patterns: PatternSet,
    *,
    outliers: Outliers = "forbid",
    sens: NDArray[np.integer] | None = None,
    watch: Watch | None = None,
    expand: int = EXPAND,
    dense: bool = True,
    star_exits: bool = True,
) -> Result:
    """Partition rows into groups of at least two at least cost.

    `codes` is (t, m): the row types; `counts` is (t,): the rows of each. `levels` and `patterns` are hierarchies with
    costs, and the mask; see `incrowd.tables.values`. `sens` is (t, s): codes of one or two sensitive columns, of which
    no value may make up more than half of a group. The groups of the result are pairs and triples; they suffice
    (`tests/oracles/pairs_and_triples.py` cuts any group so).

    `outliers` says whether fully suppressed rows need a crowd. With `sens` they always do: they are judged as one
    class. Types with more copies than `expand` are pools, see `incrowd.tables.solve.matching.active_rows`. `dense`
    allows plain tables for masks. `star_exits` lets rows leave by themselves at the price of full suppression, under a
    mask that allows it.

    Raises ValueError for more than two sensitive columns: a group that meets three can be one that cannot be split.

    Notes
    -----
    No polynomial bound is proven for the whole. The assignment relaxation and the checks take O(n^2 L) steps of
    a fraction of a nanosecond per round, n core rows; what follows depends on how many rows it leaves over.
    Memory O(n L) plus the pairs that cost exactly what their prices say.
    """
    if sens is not None and sens.ndim == 2 and sens.shape[1] > 2:
        raise ValueError("groups of 2 and 3 rows are not enough for three or more sensitive columns")
    watch = watch or Watch()
    counts = np.asarray(counts, np.int64)
    free = sens is None or sens.shape[1] == 0
    masked = patterns.count() < int(np.prod([level.height + 1 for level in levels], dtype=object))
    full_exit = free and patterns.allows_full_suppression and (outliers == "suppress" or (masked and star_exits))
    unpooled = np.zeros(counts.size, np.bool_)
    rebuilds = 0
    # Every core is a relaxation of the table: its bound holds whatever becomes of its solution.
    best: tuple[ActiveRows, Found] | None = None
    while True:
        types = metric(codes, levels, patterns, None if free else sens, without_full=full_exit, dense=dense)
        try:
            core = core_of(
                types, counts, expand=expand, unpooled=unpooled, full_exit=full_exit, pools=free, watch=watch
            )
        except Stopped:
            if best is None:
                return _nothing(counts, types.divisor)
            core, found = best
            found.kind = None
            break
        found = optimum(core, watch)
        if best is None or found.infeasible or found.bound >= best[1].bound:
            best = core, found
        if found.kind is None:
            core, found = best
            found.kind = None
            break
        leaving = np.flatnonzero(found.kind == EXIT)
        taken = exits_per_pool(core, leaving, counts.size)
        over = (taken > counts) | (taken == counts - 1)
        over &= taken > 0
        alone = outliers == "forbid" and int((core.goal[leaving] < 0).sum()) == 1
        if not over.any() and not alone:
            break
        rebuilds += 1
        unpooled |= over
        if alone:
            full_exit = False
    found.steps["rebuilds"] = rebuilds
    found.steps["core"] = core.n
    return _result(core, counts, found, watch)


def _nothing(counts: Int64, divisor: int) -> Result:
    """Return what is known before anything was looked at."""
    none = np.zeros(0, np.int64)
    certificate = Certificate(none, none, (), none, SCALE, divisor)
    return Result(None, none, counts * 0, -1, 0, 0, False, certificate, {})


def _result(core: ActiveRows, counts: Int64, found: Found, watch: Watch) -> Result:
    try:
        certificate = certify(core, found.prices, late(watch))
    except Stopped:
        certificate = certify(core, found.base)
    unit = core.metric.divisor
    checked = max(certificate.bound, 0)
    bound = max(found.bound, checked)
    none = np.zeros(0, np.int64)
    if found.kind is None or found.mate is None or found.cost is None:
        return Result(
            None, none, counts * 0, -1, bound * unit, checked * unit, found.infeasible, certificate, found.steps
        )
    lines, leaving = groups_of(found.kind, found.mate)
    groups = np.where(lines >= 0, core.who[lines], -1)
    goal = core.goal[leaving]
    pooled = goal >= 0
    joined = np.column_stack((core.who[leaving][pooled], goal[pooled], np.full(int(pooled.sum()), -1)))
    rest = counts - np.bincount(core.who, minlength=counts.size) - np.bincount(goal[pooled], minlength=counts.size)
    return Result(
        np.concatenate((groups, joined)).astype(np.int64),
        core.who[leaving][~pooled],
        rest.astype(np.int64),
        found.cost * unit,
        min(bound, found.cost) * unit,
        min(checked, found.cost) * unit,
        False,
        certificate,
        found.steps,
    )
