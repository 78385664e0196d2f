"""What prices and cuts are worth over the whole lattice of patterns, and what a stranger needs to recount it.

Cuts are over listed instances. With multipliers for them (`cuts`) prices per row type give the bound

    sum_i n_i pi_i - sum_c lambda_c b_c + sum_{g listed} min(0, rc_g(pi, lambda)) + sum_{g not listed} min(0, rc_g(pi)),

where rc_g(pi, lambda) has the cut terms in it. An instance that is not listed has coefficient 0 in every cut: cuts T, S
and F may leave out any instance (their A, G and H are any sets), and so may a cut C, whose clique only gets smaller. So
the cuts hold for every release, other instances are priced as without cuts, and one scan over all patterns gives their
sum, in integers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.kernels.bounds import cuts as kernel
from incrowd.tables.solve.bounds.certificate import by_prices, written_cut
from incrowd.tables.solve.bounds.cuts import Cut, terms
from incrowd.tables.solve.bounds.lagrangian import reduced_costs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.solve.bounds.lagrangian import Float64, Scan
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Bound, Int64, Problem


@dataclass(frozen=True, slots=True, eq=False)
class Proof:
    """Whole prices and multipliers with what they are worth over all instances of the mask.

    `value`: in parts. `parts`: of a scaled cost unit. `prices`: (t,) int64, in parts. `cuts`: over `instances`.
    `weights`: one per cut, above 0, a multiple of the cut's divisor, in parts.
    """

    value: int
    parts: int
    prices: Int64
    cuts: tuple[Cut, ...]
    weights: tuple[int, ...]
    instances: Instances


def proven(
    instances: Instances, cuts: Sequence[Cut], multipliers: Float64, whole: Int64, parts: int, scan: Scan
) -> Proof | None:
    """Return what prices and multipliers are worth over all instances of the mask, in integers.

    The cuts are over `instances`. `multipliers`, one per cut, are in scaled cost units and are rounded; `whole`, (t,),
    are prices in `parts` of a scaled cost unit, and `scan` is one at these prices. None is returned where numbers get
    too large for 64 bits.
    """
    J = instances
    used, amounts = [], []
    for cut, multiplier in zip(cuts, multipliers, strict=True):
        amount = amount_of(cut, multiplier, parts)
        if amount > 0:
            used.append(cut)
            amounts.append(amount)
    constant, extra, fixed = terms(J, used, amounts)
    price = int(np.abs(whole).max(initial=0))
    largest = price + int(np.abs(extra).max(initial=0))
    rows = int(J.counts[J.members].sum()) * (largest + int(J.costs.max(initial=0)) * parts)
    if rows + int(np.abs(fixed).sum()) >= ROOM or not NamedSums(J, used, below(scan)).fits(amounts, price, parts):
        return None
    state = np.zeros(J.size, np.int8)
    listed = kernel.priced(J.begins, J.members, J.counts, J.costs * parts, J.needs, whole, extra, fixed, state)
    # The scan's sum, less what it holds of listed instances. Those that its hashes hid stay in: only lower.
    again = _known(J, scan.instances) & (scan.rc < 0) & (scan.instances.needs > 0)
    others = scan.value - int(scan.rc[again].sum())
    if scan.instances.suppressed >= 0 and (J.needs == 0).any():
        paid = parts * int(scan.instances.costs[scan.instances.suppressed]) - whole
        others -= int((np.minimum(paid, 0) * J.counts).sum())
    return Proof(others + constant + int(listed), parts, whole, tuple(used), tuple(amounts), J)


def _known(instances: Instances, others: Instances) -> NDArray[np.bool_]:
    """Return which of other instances are among some, shape (g',)."""
    both = np.concatenate((instances.names, others.names))
    _, number = np.unique(both, axis=0, return_inverse=True)
    number = number.reshape(-1)
    return np.isin(number[instances.size :], number[: instances.size])


# How fine a proof's numbers may be so that who checks it can add them up in 64 bits.
ROOM = 2**61  # no sum of a proof reaches it


def below(scan: Scan) -> Instances:
    """Return the instances that a check lists by itself at a scan's prices: those that add something below 0."""
    return scan.instances.only((scan.rc < 0) | (scan.instances.needs == 0))


def countable(
    instances: Instances,
    cuts: Sequence[Cut],
    multipliers: Float64,
    prices: Float64,
    parts: int,
    scan: Scan | None = None,
) -> int:
    """Return the finest grain, `parts` or that halved so often, at which a proof can be added up by who checks it.

    `instances`, `cuts` and `multipliers` are as of `cuts_over_lattice.proven`, and `prices`, (t,), are in scaled cost
    units. The scan is at these prices; without one the instances are taken for all that there are.
    """
    if scan is None:
        listed = instances.only((reduced_costs(instances, prices) < 0) | (instances.needs == 0))
    else:
        listed = below(scan)
    named = NamedSums(instances, cuts, listed)
    price = float(np.abs(prices).max(initial=0.0))
    while parts > 1:
        amounts = [amount_of(cut, multiplier, parts) for cut, multiplier in zip(cuts, multipliers, strict=True)]
        if named.fits(amounts, int(price * parts) + 1, parts):
            break
        parts //= 2
    return parts


def amount_of(cut: Cut, multiplier: float, parts: int) -> int:
    """Return a multiplier in parts, a multiple of its cut's divisor."""
    return round(float(multiplier) * parts / cut.divisor) * cut.divisor


class NamedSums:
    """The instances that a check lists, because cuts name them or at the prices, and what sums over them can come to.

    A check bounds its sums before it makes them, and knows how large multipliers are but not how their terms cancel: 4
    (R P + W (G + k)) has to stay below 2^61, with W the multipliers times their cuts' largest coefficients, P the
    largest price and cost and W, R the rows of the table and of the G listed instances [B4]. Here it stays below half
    of that: a check may list some that a scan has hidden behind equal ones.
    """

    def __init__(self, instances: Instances, cuts: Sequence[Cut], listed: Instances) -> None:
        J = instances
        of = [part for cut in cuts for part in (cut.instances, J.owners[cut.pairs])]
        named = np.zeros(J.size, np.bool_)
        named[np.concatenate([np.zeros(0, np.int64), *of]).astype(np.int64)] = True
        self.rows = int(J.counts.sum()) + int((J.counts[J.members] * named[J.owners]).sum())
        self.rows += int(listed.counts[listed.members].sum())
        self.dearest = max(int(J.costs[named].max(initial=0)), int(listed.costs.max(initial=0)))
        self.more = int(named.sum()) + listed.size + int(J.needs.max(initial=0))
        self.steepest = [max(1, int(np.abs(cut.opens).max(initial=1))) for cut in cuts]

    def fits(self, amounts: Sequence[int], price: int, parts: int) -> bool:
        """Return whether the sums of a proof with these multipliers and largest price can be bounded."""
        weighed = sum(amount * steep for amount, steep in zip(amounts, self.steepest, strict=True))
        largest = price + self.dearest * parts + weighed
        return (largest * self.rows + weighed * self.more) * 8 < ROOM


# What cuts over the whole lattice rest on, written down for a stranger.
#
# As a certificate of prices alone (`certificate`), with one tree of a single leaf beside them: the instances that its
# cuts name, the cuts, and their whole multipliers. `incrowd.check.prices` recounts it.
def by_lattice_cuts(problem: Problem, cost: int, bound: Bound, proof: Proof) -> dict[str, Any]:
    """Return the certificate of a bound that prices and cuts give over all patterns."""
    instances = proof.instances
    names: dict[int, int] = {}

    def name(g: int) -> int:
        return names.setdefault(g, len(names))

    every = np.arange(instances.t)
    cuts = [written_cut(cut, instances, every, name) for cut in proof.cuts]
    named = [[*instances.vectors[g].tolist(), int(instances.reps[g])] for g in names]
    leaf = {"prices": [], "weights": [[c, weight] for c, weight in enumerate(proof.weights)]}
    tree = {"component": 0, "instances": named, "cuts": cuts, "tree": leaf}
    return {**by_prices(problem, cost, bound, proof.prices, proof.parts), "trees": [tree]}
