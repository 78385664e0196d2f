"""Inequalities that hold for every release, by counting; each a handful of integers to recheck.

Here the kinds T, C and S; F stands further below.

T   Any set T of types with N rows, r = N mod k > 0, and any set A of instances that need a crowd:
    sum_{g in A} u_g - 1/(k-r) sum_{g in A, i not in T} x_ig <= floor(N/k).
    Proof: an open g has k u_g <= (its rows in T) + y_g, y_g its rows outside T. Summed over A:
    sum u_g <= N/k + sum y_g/k; mixed-integer rounding of that row (u whole, y >= 0) is the cut.
C   Instances of which any two agree with fewer than 2k rows together: at most one is open.
S   Three types of one row each, and for every g in A two of them, p and q: sum_{g in A} (x_pg + x_qg - u_g) <= 1.
    Proof: a term is 1 only if g is open and holds both; two such instances would hold four of three rows.
    Every other term is at most 0. (x whole, which least releases may be.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_matrix

from incrowd.kernels.bounds import cuts as kernel
from incrowd.milp import Rows
from incrowd.tables.solve.bounds import tuning

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.solve.bounds.lagrangian import Float64
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Int64


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """One inequality: sum ``opens * u`` + sum ``value / divisor * x`` <= ``side``.

    `types`: (c,) int64, the T or the three types. `instances`: (a,) int64, a; G and H for F. `opens`: int or (a,)
    int64, coefficient of every u in A. `pairs`: (b,) int64, pairs with a coefficient. `value`: int or (b,) int64.
    `divisor`: it is value / divisor for each of them.
    """

    kind: str
    types: Int64
    instances: Int64
    opens: int | Int64
    pairs: Int64
    value: int | Int64
    divisor: int
    side: int

    @property
    def key(self) -> tuple[str, bytes, bytes]:
        """What tells two cuts apart."""
        return self.kind, self.types.tobytes(), self.instances.tobytes() + np.asarray(self.opens).tobytes()


def counting_cut(instances: Instances, k: int, types: Int64, chosen: Int64) -> Cut:
    """Return the T cut of a set of types and a set of instances."""
    inside = np.zeros(instances.t, np.bool_)
    inside[types] = True
    rows = int(instances.counts[types].sum())
    wanted = np.zeros(instances.size, np.bool_)
    wanted[chosen] = True
    pairs = np.flatnonzero(wanted[instances.owners] & ~inside[instances.members])
    return Cut("T", np.sort(types), np.sort(chosen), 1, pairs, -1, k - rows % k, rows // k)


def triple_cut(instances: Instances, x: Float64, u: Float64, types: Int64) -> Cut:
    """Return the S cut of three types: per instance the two with the largest x, where that helps at the point."""
    begins, which, places = instances.by_type
    at: dict[int, list[tuple[float, int]]] = {}
    for i in types.tolist():
        for z in range(int(begins[i]), int(begins[i + 1])):
            g = int(which[z])
            if instances.needs[g] > 0:
                at.setdefault(g, []).append((float(x[places[z]]), int(places[z])))
    chosen, pairs = [], []
    for g in sorted(at):
        two = sorted(at[g], reverse=True)[:2]
        if len(two) == 2 and two[0][0] + two[1][0] - u[g] > 1e-9:
            chosen.append(g)
            pairs += [place for _, place in two]
    return Cut("S", np.sort(types), np.array(chosen, np.int64), -1, np.sort(np.array(pairs, np.int64)), 1, 1, 1)


def separate(
    instances: Instances,
    k: int,
    x: Float64,
    u: Float64,
    *,
    least: float = 0.02,
    quick: bool = False,
    parts: bool = False,
) -> list[Cut]:
    """Return cuts that a point of the linear program violates by at least `least`, the worst first.

    The point is `x`, (p,), and `u`, (g,), which is 1 for free instances. `quick` looks for sets less long, where many
    small programs are cut. `parts` says that instances lack some of their rows: cliques count them all.
    """
    own = tuning.DEFAULT
    most, rows, turned = own.counting_room, own.counted_rows, instances.by_type
    where, gains, begins, chosen = kernel.counted(
        instances.begins, instances.members, *turned, instances.counts, instances.needs, x, u, k, rows, least
    )
    found: list[tuple[float, Cut]] = []
    for place in np.argsort(-gains, kind="stable")[:most]:
        types = instances.members[instances.begins[where[place]] : instances.begins[where[place] + 1]].astype(np.int64)
        members = chosen[begins[place] : begins[place + 1]].astype(np.int64)
        found.append((float(gains[place]), counting_cut(instances, k, types, members)))
    for gain, types, members in broken_sets(instances, k, x, u, least=least, most=most, quick=quick):
        found.append((gain, counting_cut(instances, k, types, members)))
    if not parts:
        found += _cliques(instances, k, u, least)
    three, gains = kernel.triples(
        instances.begins, instances.members, *turned, instances.counts, instances.needs, x, u, least, 2000
    )
    for place in np.argsort(-gains, kind="stable")[: most // 2]:
        found.append((float(gains[place]), triple_cut(instances, x, u, three[place])))
    found.sort(key=lambda entry: -entry[0])
    unique: dict[tuple[str, bytes, bytes], Cut] = {}
    for _, cut in found:
        unique.setdefault(cut.key, cut)
    return list(unique.values())[:most]


def _cliques(instances: Instances, k: int, u: Float64, least: float) -> list[tuple[float, Cut]]:
    """Return cliques of instances that cannot be open together, grown from the largest u."""
    near = np.flatnonzero((instances.needs > 0) & (u > 0.01) & (u < 0.999) & (instances.rows < 2 * k))
    near = near[np.argsort(-u[near], kind="stable")][: tuning.DEFAULT.clique_instances]
    if near.size < 2:
        return []
    lengths = np.diff(instances.begins)[near]
    line = np.repeat(np.arange(near.size), lengths)
    places = np.concatenate([np.arange(instances.begins[g], instances.begins[g + 1]) for g in near])
    types = instances.members[places]
    held = csr_matrix((instances.counts[types], (line, types)), shape=(near.size, instances.t))
    one = csr_matrix((np.ones(types.size, np.int64), (line, types)), shape=(near.size, instances.t))
    shared = np.asarray((held @ one.T).todense())
    rows = instances.rows[near]
    apart = rows[:, None] + rows[None, :] - shared < 2 * k
    np.fill_diagonal(apart, False)
    found = []
    for start in range(near.size):
        clique = [start]
        allowed = apart[start].copy()
        while allowed.any():
            following = int(np.argmax(allowed))  # sorted by falling u
            clique.append(following)
            allowed &= apart[following]
        total = float(u[near[clique]].sum())
        if len(clique) > 1 and total > 1 + least:
            none = np.zeros(0, np.int64)
            found.append((total - 1, Cut("C", none, np.sort(near[clique]), 1, none, 0, 1, 1)))
    return found


def rows_for(cuts: Sequence[Cut], column: NDArray[np.integer]) -> Rows:
    """Return cuts as rows of a program whose first columns are the pairs; `column`, (g,), has each instance's u."""
    begins = [0]
    columns: list[NDArray[np.integer]] = []
    values: list[Float64] = []
    for cut in cuts:
        columns += [column[cut.instances], cut.pairs]
        values += [
            np.full(cut.instances.size, cut.opens, np.float64),
            np.full(cut.pairs.size, cut.value, np.float64) / cut.divisor,
        ]
        begins.append(begins[-1] + cut.instances.size + cut.pairs.size)
    none = np.zeros(0)
    return Rows(
        np.array(begins, np.int32),
        np.concatenate([none, *columns]).astype(np.int32),
        np.concatenate([none, *values]),
        np.full(len(cuts), -np.inf),
        np.array([float(cut.side) for cut in cuts]),
    )


def terms(instances: Instances, cuts: Sequence[Cut], weights: Sequence[int]) -> tuple[int, Int64, Int64]:
    """Return what cuts with whole multipliers add to the Lagrangian: constant, per pair, per instance.

    `weights` are the multipliers in parts of a cost unit, at least 0, each a multiple of its cut's divisor.
    """
    constant = 0
    extra = np.zeros(instances.pairs, np.int64)
    fixed = np.zeros(instances.size, np.int64)
    for cut, weight in zip(cuts, weights, strict=True):
        if weight:
            constant -= weight * cut.side
            extra[cut.pairs] += weight // cut.divisor * cut.value
            fixed[cut.instances] += weight * cut.opens
    return constant, extra, fixed


# Flow cuts: what full instances leave of some rows for others.
#
# F   T a set of types with N rows, H a set of h instances that need a crowd, c = N - k h >= 0; G other instances that
#     need a crowd, a_g the rows of T that agree with g, and b = min(k, sum over G of max(a_g - c, 0)). Then
#     sum_{g in G} (x_g(T) - c u_g) + b sum_{h in H} u_h - sum_{h in H} x_h(outside T) <= b h.
#     Proof: let z of H be closed, y the rows that H holds outside T. If nothing of G is open, the left side is
#     b (h - z) - y. Else the open ones of H hold k (h - z) - y rows of T at least, which leaves c + k z + y for G; with
#     one of G open at least, sum (x_g(T) - c u_g) <= k z + y, and it is at most sum max(a_g - c, 0) as well. For z = 0
#     that is y; for z >= 1 the lesser of the two is at most b z + y.
#
# For given G and H the best T is known: the types of which G and H together draw more rows at the point than the u of G
# allows. G and H are grown one instance at a time.
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


# Which types to count: the sets T of counting cuts that a point of the linear program breaks most.
#
# The types of one instance are the obvious T. The cut that is missing at a fractional point is mostly another: two or
# three instances share rows that suffice for fewer of them, and T is all they draw on. Finding the best T is a problem
# of its own; here it is local search around every fractional instance, which is a heuristic: whatever T comes out, the
# cut counted for it holds.
SEPARATION_WORK = 30_000_000  # terms added up: some tenths of a second
QUICK_WORK = 3_000_000


def broken_sets(
    instances: Instances, k: int, x: Float64, u: Float64, *, least: float, most: int, quick: bool = False
) -> list[tuple[float, Int64, Int64]]:
    """Return violation, T and A of at most `most` counting cuts, the worst first.

    The cuts are violated by at least `least` at the point `x`, (p,), and `u`, (g,), which is 1 for free instances.
    `quick` moves fewer types from each start, and ends sooner. Time is bounded by `WORK` (`QUICK_WORK`) and O(p) more,
    memory O(p).
    """
    drawn = np.flatnonzero((x > 1e-9) & (instances.needs[instances.owners] > 0))
    owners, types = instances.owners[drawn].astype(np.int64), instances.members[drawn].astype(np.int64)
    values = x[drawn]
    order = np.argsort(types, kind="stable")
    violations, begins, flat = kernel.rounding_sets(
        _begins(owners, instances.size), types, values,
        _begins(types, instances.t), owners[order], values[order],
        instances.counts, u, k, undecided(instances, u),
        tuning.DEFAULT.set_width * k, tuning.DEFAULT.quick_steps if quick else tuning.DEFAULT.set_steps,
        QUICK_WORK if quick else SEPARATION_WORK, least,
    )  # fmt: skip
    found: list[tuple[float, Int64, Int64]] = []
    known: set[bytes] = set()
    for place in np.argsort(-violations, kind="stable"):
        chosen = np.sort(flat[begins[place] : begins[place + 1]])
        if chosen.tobytes() in known:
            continue
        known.add(chosen.tobytes())
        inside = np.zeros(instances.t, np.bool_)
        inside[chosen] = True
        beyond = ~inside[types]
        outside = np.bincount(owners[beyond], weights=values[beyond], minlength=instances.size)
        divisor = k - int(instances.counts[chosen].sum()) % k
        helping = (instances.needs > 0) & (u > 1e-7) & (u - outside / divisor > 1e-9)
        found.append((float(violations[place]), chosen, np.flatnonzero(helping).astype(np.int64)))
        if len(found) == most:
            break
    return found


def undecided(instances: Instances, u: Float64) -> Int64:
    """Return the instances that are neither open nor closed at a point, those in the middle first.

    `u`, (g,), says how far each instance is open, from 0 to 1.
    """
    middle = np.abs(u - 0.5)
    found = np.flatnonzero((instances.needs > 0) & (middle < 0.5 - 1e-6))
    return found[np.argsort(middle[found], kind="stable")].astype(np.int64)


def _begins(keys: Int64, size: int) -> Int64:
    """Return where each key's run begins once sorted, shape (size + 1,)."""
    return np.concatenate(([0], np.cumsum(np.bincount(keys, minlength=size)))).astype(np.int64)
