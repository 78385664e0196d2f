"""Cuts over the whole lattice of patterns: a linear program over priced instances, and a bound over all of them.

The program holds the instances that prices favour; its duals are prices for the row types and multipliers for the
cuts (`cuts`). The bound they give is

    sum_i n_i pi_i - sum_c lambda_c b_c + sum_{g listed} min(0, rc_g(pi, lambda)) + sum_{g not listed} min(0, rc_g(pi)),

where rc_g(pi, lambda) has the cut terms in it. An instance outside the program has coefficient 0 in every cut: cuts
T, S and F may leave out any instance (their A, G and H are any sets). So the cuts hold for every release, those
outside are priced as without cuts, and one scan over all patterns gives their sum, in integers. What the scan finds
below 0 joins the program; where there is nothing left to find, the program is cut further. The program's own value is
no bound and is never used as one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.kernels.bounds import cuts as kernel
from incrowd.milp import Linear, Outcome
from incrowd.tables.solve.bounds import lagrangian as prices
from incrowd.tables.solve.bounds import tuning
from incrowd.tables.solve.bounds.certificate import by_prices, written_cut
from incrowd.tables.solve.bounds.cuts import Cut, rows_for, separate, separate_flows, terms
from incrowd.tables.solve.bounds.lagrangian import reduced_costs
from incrowd.tables.solve.shared.strong_formulation import strong

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.bounds.lagrangian import Float64, Scan
    from incrowd.tables.solve.shared.canonical_pattern import CanonicalPattern
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Bound, Int8, Int64, Problem

COARSER = 16  # so many times fewer parts after a proof whose sums might


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


class PriceAndCut:
    """The growing linear program, and the best proof so far.

    `vectors`, (p, m) int8, are all patterns of the mask in lexicographic order, and `instances` are kept ones, in full,
    on which there is a release. Costs are divided by `unit` in the program, in scaled cost units: about what a star
    costs. `parts` is the number of parts of a scaled cost unit, see `prices.grain`, and is smaller where multipliers
    get too many to be added up in them. `first`, (t,) int64, are the best prices so far and `value` is what they are
    worth over all patterns, both in parts.
    """

    def __init__(
        self,
        problem: Problem,
        encoded: ProblemArrays,
        closure: CanonicalPattern,
        vectors: Int8,
        instances: Instances,
        unit: int,
        parts: int,
        first: Int64,
        value: int,
    ) -> None:
        self.problem, self.encoded, self.closure, self.vectors = problem, encoded, closure, vectors
        self.unit, self.parts = unit, parts
        self.cuts: list[Cut] = []
        self.best = Proof(value, parts, first, (), (), instances)
        self._centre: Float64 = first / (parts * unit)
        self._multipliers: dict[tuple[str, bytes, bytes], float] = {}
        self._stale = 0
        self._build(instances)

    def _build(self, instances: Instances) -> None:
        """Set the program up anew; pairs and instances keep their places, so that the cuts stay what they are."""
        self.instances = instances
        self.model = strong(instances, unit=self.unit)
        self.linear = Linear(self.model.program)
        self.linear.add(rows_for(self.cuts, self.model.column))
        self.links = self.model.program.rows.lower.size

    def round(self, watch: Watch) -> bool:
        """Solve, price over all patterns, then grow or cut the program; return whether another round may gain."""
        answer = self.linear.solve(watch)
        if answer.outcome is not Outcome.OPTIMAL or answer.duals is None or answer.x is None:
            return False
        pi, weights = answer.duals[: self.instances.t], np.maximum(-answer.duals[self.links :], 0.0)
        seen, gained = self._price(pi, weights, watch)
        if seen is None:
            return False
        self._stale = 0 if gained > tuning.DEFAULT.lattice_gain else self._stale + 1
        fresh = self._missing(seen)
        short = answer.bound - self._proven
        if fresh.any() and short > tuning.DEFAULT.lattice_shortage:
            self._grow(seen.instances.only(fresh), weights)
        elif not self._cut(answer.x):
            if not fresh.any() or short < tuning.DEFAULT.lattice_gain:
                return False
            self._grow(seen.instances.only(fresh), weights)
        return self._stale < tuning.DEFAULT.lattice_patience

    # --- values over all instances -----------------------------------------------------------------------

    @property
    def _proven(self) -> float:
        """The best value, in units."""
        return self.best.value / (self.best.parts * self.unit)

    def _price(self, pi: Float64, weights: Float64, watch: Watch) -> tuple[Scan | None, float]:
        """Value points between the best duals and the program's, in integers; return the last scan and the gain.

        The first point at which instances are missing is the last one looked at.
        """
        scan: Scan | None = None
        known = np.array([self._multipliers.get(cut.key, 0.0) for cut in self.cuts])
        before = self._proven
        for share in tuning.DEFAULT.lattice_points:
            whole = prices.whole_prices(self._centre + share * (pi - self._centre), self.parts * self.unit)
            scan = prices.scan(
                self.problem, self.encoded, self.closure, whole, self.parts,
                tau=int(tuning.DEFAULT.lattice_distance * self.unit * self.parts), vectors=self.vectors, watch=watch,
            )  # fmt: skip
            if scan is None:
                return None, 0.0
            proof = self._proof(whole, known + share * (weights - known), scan)
            if proof is None:
                self.parts = max(self.parts // COARSER, 1)
                break
            if proof.value * self.best.parts > self.best.value * proof.parts:
                self.best = proof
                self._centre = whole / (self.parts * self.unit)
                scale = float(self.parts * self.unit)
                self._multipliers = {
                    cut.key: weight / scale for cut, weight in zip(proof.cuts, proof.weights, strict=True)
                }
            below = np.minimum(scan.rc[~self._listed(scan.instances)], 0)
            if int(below.sum()) < -tuning.DEFAULT.lattice_shortage * self.parts * self.unit:
                break
        return scan, self._proven - before

    def _proof(self, whole: Int64, multipliers: Float64, scan: Scan) -> Proof | None:
        """Return what prices and multipliers are worth, given the scan at the prices; None if numbers get too large."""
        return proven(self.instances, self.cuts, multipliers * self.unit, whole, self.parts, scan)

    def _listed(self, others: Instances) -> NDArray[np.bool_]:
        """Return which of other instances are in the program, shape (g',)."""
        return _known(self.instances, others)

    # --- the program -------------------------------------------------------------------------------------

    def _missing(self, scan: Scan) -> NDArray[np.bool_]:
        """Return which of the scanned instances should join, shape (g',)."""
        fresh = ~self._listed(scan.instances)
        most = tuning.DEFAULT.lattice_joining
        if np.count_nonzero(fresh) > most:
            limit = np.partition(scan.rc[fresh], most)[most]
            fresh &= scan.rc <= limit
        return fresh

    def _grow(self, fresh: Instances, weights: Float64) -> None:
        kept = np.flatnonzero(weights > 0)
        self.cuts = [self.cuts[c] for c in kept]
        links, basis, t = self.links, self.linear.basis(), self.instances.t
        pairs, crowd = self.instances.pairs, self.model.crowd.size
        self._build(self.instances.union(fresh))
        # The simplex method goes on from where it was: in every block of columns and rows the old ones come first.
        now, more = self.instances.pairs, self.model.crowd.size
        columns = [_places(pairs, now, 0), _places(crowd, more, pairs)]
        lines = [np.arange(t), _places(crowd, more, t), _places(links - t - crowd, self.links - t - more, t + crowd)]
        self.linear.adopt(basis, np.concatenate(columns), np.concatenate((*lines, links + kept)))

    def _cut(self, x: Float64) -> int:
        """Add cuts that the point breaks; return how many."""
        u = np.ones(self.instances.size)
        u[self.model.crowd] = x[self.instances.pairs :]
        known = {cut.key for cut in self.cuts}
        point = x[: self.instances.pairs], u
        least = tuning.DEFAULT.lattice_violation
        found = separate(self.instances, self.problem.k, *point, least=least)
        found += separate_flows(self.instances, self.problem.k, *point, least=least)
        fresh = [cut for cut in found if cut.key not in known]
        self.linear.add(rows_for(fresh, self.model.column))
        self.cuts += fresh
        return len(fresh)


def _places(old: int, new: int, first: int) -> Int64:
    """Return the places of a block that has grown at its end from `old` to `new`; -1 for what is new."""
    return np.concatenate((first + np.arange(old), np.full(new - old, -1))).astype(np.int64)


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
