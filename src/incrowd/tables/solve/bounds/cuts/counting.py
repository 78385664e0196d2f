"""Inequalities that hold for every release, by counting; each a handful of integers to recheck.

Here the kinds T, C and S; F is in `incrowd.tables.solve.bounds.cuts.flow`.

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
from incrowd.tables.solve.bounds.cuts.separation import broken_sets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.solve.bounds.lagrangian import Float64
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.solve.shared.strong_formulation import StrongFormulation
    from incrowd.tables.values import Int64

__all__ = ["Cut", "rows_for", "separate", "terms"]


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """One inequality: sum ``opens * u`` + sum ``value / divisor * x`` <= ``side``.

    Attributes
    ----------
    kind : {"T", "C", "S", "F"}
    types : (c,) int64
        The T or the three types.
    instances : (a,) int64
        A; G and H for F.
    opens : int or (a,) int64
        Coefficient of every u in A.
    pairs : (b,) int64
        Pairs with a coefficient.
    value : int or (b,) int64
    divisor : int
        It is value / divisor for each of them.
    side : int
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
    instances: Instances, k: int, x: Float64, u: Float64, *, least: float = 0.02, quick: bool = False
) -> list[Cut]:
    """Return cuts that a point of the linear program violates by at least `least`, the worst first.

    The point is `x`, (p,), and `u`, (g,), which is 1 for free instances. `quick` looks for sets less long, where many
    small programs are cut.
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


def rows_for(cuts: Sequence[Cut], model: StrongFormulation) -> Rows:
    """Return cuts over the model's instances as rows of a program, over the columns of `model`."""
    begins = [0]
    columns: list[Int64] = []
    values: list[Float64] = []
    for cut in cuts:
        columns += [model.column[cut.instances], cut.pairs]
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
