"""The trade-off curve of any network: components apart, one sweep each, joined again."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.networks.compress import split_components
from incrowd.networks.solve.sweep import sweep
from incrowd.networks.values import NodeSet, Step

if TYPE_CHECKING:
    from incrowd.networks.options import NetworkOptions
    from incrowd.networks.values import Graph, Int32, Int64
    from incrowd.progress import Watch


@dataclass(slots=True)
class WholeCurve:
    """Bounds on the least number of attackers for every level of any graph.

    `n`: number of nodes; as an entry of `lower` or `upper` it stands for "no such set". `lower`, `upper`: (levels,)
    int64, bounds on the size of the smallest set of measure at least k, at index k; only the levels asked for count.
    `sets`: for a size met in `upper`, a set of that size. `method`: what decided, in a few words.
    """

    n: int
    lower: Int64
    upper: Int64
    sets: dict[int, NodeSet]
    method: str

    def interval(self, k: int) -> tuple[int | None, int | None, Int32 | None, bool]:
        """Return what is known of one level k, from 1, among the levels asked for or above them all.

        These are lower and upper bound on the least number of attackers, members, and whether the answer is exact: the
        bounds meet, or no set exists. The upper bound is None where no set is known, and both are where none exists.
        The members are (upper,) int32 or None.
        """
        if k >= self.upper.size:
            return None, None, None, True
        low, high = int(self.lower[k]), int(self.upper[k])
        known = high < self.n
        exact = low == high
        return (
            None if exact and not known else low,
            high if known else None,
            self.sets[high].members if known else None,
            exact,
        )


def whole_curve(graph: Graph, first: int, last: int | None, chosen: NetworkOptions, watch: Watch) -> WholeCurve:
    """Sweep the components and join them.

    Let s be the size of the smallest component. An attacker who owns it sees everybody else as one crowd, so s
    attackers do for every k up to n - s, and no k above n - s is ever reached. A set of fewer than s lies in one
    component K and is judged there, because the others, one crowd, have n - |K| >= s nodes, enough for every level k <=
    n - |K|; beyond that the others would have to be owned, which costs s or more. `first`: lowest level of interest,
    from 1. `last`: highest level of interest; None for all. `chosen`: its `seed` is used. `watch`: when it stops the
    run, the curve is an interval. O(n (n + m)) time at worst, as `incrowd.networks.solve.sweep.sweep`.
    """
    n, parts = graph.nodes, graph.components
    if parts == 1 and watch.stopped:  # a set of n nodes is none, and one node may reach any level up to its degree
        most = int(graph.degrees.max())
        top = max(min(n - 1 if last is None else last, most), first)
        lower = np.where(np.arange(top + 1) <= most, 1, n)
        return WholeCurve(n, lower, np.full(top + 1, n, np.int64), {}, "no time for a sweep")
    if parts == 1:
        curve = sweep(graph, first=first, last=last, watch=watch, seed=chosen.seed)
        return WholeCurve(
            n,
            curve.lower[: curve.last + 1],
            curve.upper[: curve.last + 1],
            curve.sets,
            f"one sweep for all k{f' ({curve.searches} searches)' if curve.searches else ''}",
        )
    owner = np.flatnonzero(graph.component_of == graph.component_sizes.argmin()).astype(np.int32)
    smallest = int(owner.size)
    top = n - smallest
    upper = np.full(top + 1, smallest, np.int64)
    lower = np.full(top + 1, smallest, np.int64)
    sets = {smallest: NodeSet.of(owner, n)}
    reach = {smallest: top}  # the last level each set is good for
    if smallest > 1:
        for nodes, part in split_components(graph):
            size = nodes.size
            if watch.stopped:  # nothing is known of this part and the smaller ones, whose degrees are below its size
                lower[first : min(size, top + 1)] = 1
                break
            high = min(int(part.degrees.max()), n - size, top if last is None else last)
            settled = int(np.count_nonzero(upper[1:] == 1))  # levels at which one node is known to do
            if high < first or high <= settled:
                continue
            curve = sweep(part, first=first, last=high, watch=watch, seed=chosen.seed)
            span = slice(first, high + 1)
            better = curve.upper[span] < upper[span]
            for value in np.unique(curve.upper[span][better]).tolist():
                good = int(np.flatnonzero(curve.upper[: high + 1] == value)[-1])
                if good > reach.get(value, 0):
                    sets[value], reach[value] = NodeSet.of(nodes[curve.sets[value].members], n), good
            upper[span] = np.minimum(upper[span], curve.upper[span])
            lower[span] = np.minimum(lower[span], curve.lower[span])
        lower[:first] = 1
        upper[:first] = np.minimum(upper[:first], upper[first]) if first <= top else upper[:first]
    return WholeCurve(n, lower, upper, sets, f"one sweep a component for all k ({parts} components)")


def steps_of(curve: WholeCurve, reached: int) -> tuple[Step, ...]:
    """Cut a curve into stretches of levels with equal bounds, by rising level, from level 1 to `reached`.

    `reached` is the last level for which a set is known; 0 if there is none.
    """
    out = []
    pairs = np.stack([curve.lower[1 : reached + 1], curve.upper[1 : reached + 1]], axis=1)
    starts = [0, *(np.flatnonzero((pairs[1:] != pairs[:-1]).any(axis=1)) + 1), reached] if reached else [0]
    for a, b in itertools.pairwise(starts):
        low, high = (int(x) for x in pairs[a])
        out.append(Step(int(a) + 1, int(b), high, low, curve.sets[high]))
    return tuple(out)
