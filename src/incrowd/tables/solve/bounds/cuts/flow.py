"""Flow cuts: what full instances leave of some rows for others.

F   T a set of types with N rows, H a set of h instances that need a crowd, c = N - k h >= 0; G other instances that
    need a crowd, a_g the rows of T that agree with g, and b = min(k, sum over G of max(a_g - c, 0)). Then
    sum_{g in G} (x_g(T) - c u_g) + b sum_{h in H} u_h - sum_{h in H} x_h(outside T) <= b h.
    Proof: let z of H be closed, y the rows that H holds outside T. If nothing of G is open, the left side is
    b (h - z) - y. Else the open ones of H hold k (h - z) - y rows of T at least, which leaves c + k z + y for G; with
    one of G open at least, sum (x_g(T) - c u_g) <= k z + y, and it is at most sum max(a_g - c, 0) as well. For z = 0
    that is y; for z >= 1 the lesser of the two is at most b z + y.

For given G and H the best T is known: the types of which G and H together draw more rows at the point than the
u of G allows. G and H are grown one instance at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.solve.bounds import tuning
from incrowd.tables.solve.bounds.cuts.counting import Cut
from incrowd.tables.solve.bounds.cuts.separation import undecided

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.solve.bounds.lagrangian import Float64
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Int64

__all__ = ["flow_cut", "separate_flows"]

WORK = 200_000  # types looked at: some tenths of a second


def flow_cut(instances: Instances, k: int, types: Int64, part: Sequence[int], full: Sequence[int]) -> Cut | None:
    """Return the F cut of T, G (`part`) and H (`full`); None where it says nothing.

    `types`, (s,), is the set T. `part` holds the instances of G, of which a part of the rows is in T, and `full` those
    of H, whose rows all are in T. `k` is the least rows of a class.
    """
    inside = np.zeros(instances.t, np.bool_)
    inside[types] = True
    left = int(instances.counts[types].sum()) - k * len(full)
    spans = [instances.members[instances.begins[g] : instances.begins[g + 1]] for g in part]
    over = [int(instances.counts[span[inside[span]]].sum()) - left for span in spans]
    weight = min(k, sum(max(rows, 0) for rows in over))
    if left < 0 or weight <= 0:
        return None
    pairs, values = [], []
    for chosen, wanted, value in ((part, inside, 1), (full, ~inside, -1)):
        for g in chosen:
            places = np.arange(instances.begins[g], instances.begins[g + 1])
            places = places[wanted[instances.members[places]]]
            pairs.append(places)
            values.append(np.full(places.size, value, np.int64))
    opens = np.array([-left] * len(part) + [weight] * len(full), np.int64)
    return Cut(
        "F", np.sort(types), np.array([*part, *full], np.int64), opens, np.concatenate(pairs), np.concatenate(values),
        1, weight * len(full),
    )  # fmt: skip


def separate_flows(instances: Instances, k: int, x: Float64, u: Float64, *, least: float) -> list[Cut]:
    """Return flow cuts that a point of the linear program violates by at least `least`, the worst first.

    The point is `x`, (p,), and `u`, (g,), which is 1 for free instances. Time is bounded by `WORK` and O(p) more.
    """
    search = _Search(instances, k, x, u)
    found: dict[tuple[str, bytes, bytes], tuple[float, Cut]] = {}
    for g in undecided(instances, u).tolist():
        beside = search.beside(g)
        for h in beside:
            if search.work > WORK:
                break
            value, types, part, full = search.grow(g, h, beside)
            cut = flow_cut(instances, k, types, part, full) if value > least else None
            if cut is not None:
                found.setdefault(cut.key, (value, cut))
    worst = sorted(found.values(), key=lambda entry: -entry[0])
    return [cut for _, cut in worst[: tuning.DEFAULT.flow_room]]


class _Search:
    """What instances draw on at a point, and the violation of cuts made of them."""

    def __init__(self, instances: Instances, k: int, x: Float64, u: Float64) -> None:
        self.instances, self.k, self.x, self.u = instances, k, x, u
        self.held = np.bincount(instances.owners, weights=x, minlength=instances.size)
        self.tight = (instances.needs > 0) & (u > 1e-6) & (self.held <= tuning.DEFAULT.flow_crowds * k)
        self.drawn: dict[int, dict[int, float]] = {}
        self.work = 0

    def rows(self, g: int) -> dict[int, float]:
        """Return the rows of each type that an instance draws on."""
        known = self.drawn.get(g)
        if known is None:
            places = np.arange(self.instances.begins[g], self.instances.begins[g + 1])
            places = places[self.x[places] > 1e-9]
            known = dict(zip(self.instances.members[places].tolist(), self.x[places].tolist(), strict=True))
            self.drawn[g] = known
        return known

    def beside(self, g: int) -> list[int]:
        """Return the instances near their crowd that share types with one."""
        begins, which, places = self.instances.by_type
        near: set[int] = set()
        for i in self.rows(g):
            here = slice(int(begins[i]), int(begins[i + 1]))
            near.update(which[here][(self.x[places[here]] > 1e-9) & self.tight[which[here]]].tolist())
        return sorted(near - {g})

    def value(self, part: list[int], full: list[int]) -> tuple[float, list[int]]:
        """Return the violation for G and H, and the best T."""
        share = sum(self.u[g] for g in part)
        drawn: dict[int, float] = {}
        for g in (*part, *full):
            for i, rows in self.rows(g).items():
                drawn[i] = drawn.get(i, 0.0) + rows
        self.work += len(drawn)
        counts, k = self.instances.counts, self.k
        types = [i for i, rows in drawn.items() if rows > counts[i] * share + 1e-9]
        left = int(counts[types].sum()) - k * len(full) if types else -1
        if left < 0:
            return -1.0, types
        chosen = np.array(types, np.int64)
        over = 0
        for g in part:
            span = self.instances.members[self.instances.begins[g] : self.instances.begins[g + 1]]
            over += max(int(counts[np.intersect1d(span, chosen)].sum()) - left, 0)
        weight = min(k, over)
        if weight <= 0:
            return -1.0, types
        gain = sum(drawn[i] - counts[i] * share for i in types) + k * len(full) * share
        return float(gain - sum(self.held[h] + weight * (1 - self.u[h]) for h in full)), types

    def grow(self, g: int, h: int, beside: list[int]) -> tuple[float, Int64, list[int], list[int]]:
        """Return violation, T, G and H of the best cut found from G = {g}, H = {h}."""
        part, full = [g], [h]
        best, types = self.value(part, full)
        while best > -0.5:
            more = [(*self.value(part, [*full, other]), other) for other in beside if other not in full]
            value, wider, other = max(more, default=(-1.0, [], -1))
            if value <= best + 1e-6:
                break
            best, types, full = value, wider, [*full, other]
        for other in beside:
            if best > -0.5 and other not in full and self.u[other] < 1 - 1e-6:
                value, wider = self.value([*part, other], full)
                if value > best + 1e-6:
                    best, types, part = value, wider, [*part, other]
        return best, np.array(types, np.int64), part, full
