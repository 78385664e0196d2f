"""Requirements as linear rows on a group's counts: what an integer program can be told.

A group with c_v rows of value v and size N = sum c_v meets a requirement exactly if some extra variables z >= 0
satisfy rows that are linear in (c, N, z) and, where values are counted, in the group's u (1: open). All rows hold for
the empty group.

- *frequency*, *alpha-k*, *beta*: c_v <= share_v N for every value v.
- *distinct*, *p-sensitive*: z_v <= c_v, z_v 0 or 1, sum z_v >= p u.
- *t-closeness in a tree* (equal: a star): an edge of length 1/(2H) above node x is crossed by what x has too much or
  too little, and over the nodes of one height both come to the same. So z_x >= c_x / N - C_x / n times N, and
  sum z_x <= t H N. C are the counts of the table, n its rows.
- *on a line* (ordered, numeric): z_s >= |below_s(c) - N below_s(C) / n| for the step s between neighbours, and
  sum length_s z_s <= t span N.
- *any metric* (Theorem 9 of [1]): f_vw, the mass moved from v to w, times N, which makes the rows linear. In a metric
  mass may as well pass through other values, so only what leaves v more than enters it counts: it is at least
  c_v - N C_v / n for every v (both sides add up to 0, so it is that), and sum d_vw f_vw <= t N. The paper's equations
  for both ends say the same with twice as many rows.

References
----------
.. [1] H. Liang, H. Yuan, "On the complexity of t-closeness anonymization and related problems", Theorem 9.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.models.alpha_k import Share
from incrowd.tables.models.beta_likeness import Likeness
from incrowd.tables.models.closeness import LineClose, TransportClose, TreeClose
from incrowd.tables.models.value_counts import Distinct, Frequency

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.protocols import Requirement
    from incrowd.tables.values import Int64

__all__ = ["Cone", "cone_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Cone:
    """Rows ``counts @ c + size N + extra @ z + opened u <= 0`` for one group.

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

    code: Int64
    counts: NDArray[np.float64]
    size: NDArray[np.float64]
    extra: NDArray[np.float64]
    opened: NDArray[np.float64]
    binary: bool = False


def cone_of(requirement: Requirement) -> Cone | None:
    """Return the linear rows of a requirement, or None where it has none."""
    if isinstance(requirement, Frequency):
        return _shares(requirement, np.full(requirement.totals.size, float(1 / requirement.l)))
    if isinstance(requirement, Share):
        return _shares(requirement, np.full(requirement.totals.size, float(requirement.alpha)))
    if isinstance(requirement, Likeness):
        share = requirement.totals / requirement.n
        gains = [float(requirement.beta)] * share.size
        if requirement.enhanced:
            gains = [min(gain, -math.log(p)) if p else gain for gain, p in zip(gains, share.tolist(), strict=True)]
        return _shares(requirement, np.minimum(share * (1 + np.array(gains)), 1.0))
    if isinstance(requirement, Distinct):
        return _distinct(requirement)
    if isinstance(requirement, TreeClose):
        return _tree(requirement)
    if isinstance(requirement, LineClose):
        return _line(requirement)
    if isinstance(requirement, TransportClose):
        return _transport(requirement)
    return None


def _cone(requirement: Any, counts: Any, size: Any, extra: Any, **more: Any) -> Cone:
    rows = len(size)
    opened = more.pop("opened", np.zeros(rows))
    return Cone(
        np.asarray(requirement.code, np.int64), np.asarray(counts, np.float64), np.asarray(size, np.float64),
        np.asarray(extra, np.float64).reshape(rows, -1), np.asarray(opened, np.float64), **more,
    )  # fmt: skip


def _shares(requirement: Any, share: NDArray[np.float64]) -> Cone:
    values = share.size
    return _cone(requirement, np.eye(values), -share, np.zeros((values, 0)))


def _distinct(requirement: Distinct) -> Cone:
    values = requirement.totals.size
    counts = np.concatenate((-np.eye(values), np.zeros((1, values))))
    extra = np.concatenate((np.eye(values), -np.ones((1, values))))
    opened = np.concatenate((np.zeros(values), [requirement.least]))
    return _cone(requirement, counts, np.zeros(values + 1), extra, opened=opened, binary=True)


def _tree(requirement: TreeClose) -> Cone:
    counts, size = [], []
    for node, below in zip(requirement.nodes, requirement.sums, strict=True):
        for x, rows in enumerate(below.tolist()):
            counts.append((node == x).astype(np.float64))
            size.append(-rows / requirement.n)
    edges = len(size)
    counts.append(np.zeros(requirement.totals.size))
    size.append(-float(requirement.t) * len(requirement.nodes))
    return _cone(requirement, counts, size, np.concatenate((-np.eye(edges), np.ones((1, edges)))))


def _line(requirement: LineClose) -> Cone:
    places, steps = requirement.totals.size, len(requirement.steps)
    span = max(sum(requirement.steps), 1)
    below = np.tri(steps, places)
    share = np.cumsum(requirement.totals)[:steps] / requirement.n
    counts = np.concatenate((below, -below, np.zeros((1, places))))
    size = np.concatenate((-share, share, [-float(requirement.t)]))
    lengths = np.array(requirement.steps, np.float64).reshape(1, steps) / span
    return _cone(requirement, counts, size, np.concatenate((-np.eye(steps), -np.eye(steps), lengths)))


def _transport(requirement: TransportClose) -> Cone:
    values, n, down = requirement.totals.size, requirement.n, requirement.t.denominator
    source, target = np.nonzero(~np.eye(values, dtype=np.bool_))
    moves = np.arange(source.size)
    extra = np.zeros((values + 1, source.size))
    extra[source, moves] -= n
    extra[target, moves] += n
    extra[values] = requirement.costs[source, target].astype(np.float64) * down
    counts = np.concatenate((n * np.eye(values), np.zeros((1, values))))
    size = np.concatenate((-requirement.totals, [-float(requirement.t.numerator * requirement.scale)]))
    return _cone(requirement, counts, size, extra)
