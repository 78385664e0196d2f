"""Prices under requirements: better with every step, each step over every instance."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.bounds import inner_values as kernel
from incrowd.kernels.bounds.inner_values import Multipliers
from incrowd.loops import settled
from incrowd.tables.solve.bounds import lagrangian, tuning
from incrowd.tables.solve.bounds.under_requirements.layout import Float64, laid_out, metrics_of, with_a_class
from incrowd.tables.solve.bounds.under_requirements.proof import Proof, proof_of
from incrowd.tables.solve.shared.instances import Instances, common_step

if TYPE_CHECKING:
    from incrowd.kernels.bounds.inner_lists import Lists
    from incrowd.progress import Watch
    from incrowd.tables.values import Int64, Problem

__all__ = ["PricedRequirements"]

# Pieces that the instances are cut into, and threads over them.
PIECES = 64
# Weights of an excess of one row that small classes are tried with, in quarters of the common step of all costs.
QUARTERS = (0, 1, 2, 4, 8, 16, 32, 64, 128)


class PricedRequirements:
    """Prices per row type under requirements, with one multiplier per instance and rule.

    For any prices pi a release costs at least sum n_i pi_i - sum_g V_g, where V_g is at least the most that a valid
    class of instance g gains, sum (pi_i - w_g) x_i, and 0 where it stays closed. V_g is estimated from above: classes
    below `whole_below` rows in whole numbers, larger ones under a multiplier of the requirement, which stays with the
    instance from step to step.

    `instances` are as `layout.instances_of` lists them, `start`, (t,), are the first prices in scaled cost, and `upper`
    is the cost of a release.

    Attributes
    ----------
    value : float
        The best so far, in scaled cost: no bound before `proof` has recounted it.
    prices : (t,) float64
        Its prices.
    steps : int

    Notes
    -----
    Steps as `lagrangian.subgradient` takes them [1]_; O(pairs) each, and for instances that gain sorting and a search
    for multipliers. Memory: some 20 bytes a pair with one rule, and some 50 a value that an instance has.

    References
    ----------
    .. [1] M. Held, P. Wolfe, H. P. Crowder, "Validation of Subgradient Optimization", Mathematical Programming 6, 1974.
    """

    def __init__(
        self, problem: Problem, instances: Instances, start: Float64, upper: int, *, below: int, threads: int = 1
    ) -> None:
        self.problem = problem
        self.every = instances
        self.upper = upper
        self.unit = common_step([level.cost for level in problem.levels])
        largest = sum(int(level.cost.max(initial=0)) for level in problem.levels)
        self.dearest = float(max(largest, 1))
        self.parts = lagrangian.grain(np.array([max(largest, 1)]), instances.counts)
        self.weights = np.array([q * self.parts * self.unit // 4 for q in QUARTERS], np.int64)
        self.metrics = metrics_of(problem)
        self.instances: Instances
        self.costs: Int64
        self.lists: Lists
        self.own: Multipliers
        self.pieces: Int64
        self.look(below)
        self.now, self.prices = start.copy(), start.copy()
        self.move = np.zeros_like(start)
        self.value, self.theta, self.stale, self.steps = -np.inf, tuning.DEFAULT.inner_theta, 0, 0
        self.kept = self.own
        self.threads = threads

    def look(self, below: int) -> None:
        """Look at classes of fewer than `below` rows in whole numbers; multipliers begin anew."""
        self.instances = with_a_class(self.problem, self.every, below)
        self.costs = self.instances.costs * self.parts
        self.lists = laid_out(self.problem, self.instances, below)
        slots, shape = self.lists.share.size, (self.lists.family.size, self.instances.size)
        self.own = Multipliers(
            np.zeros(slots, np.int64), np.zeros(slots), np.zeros(slots), np.zeros(shape), np.zeros(shape),
            np.zeros(shape),
        )  # fmt: skip
        ends = np.linspace(0, self.instances.pairs, min(PIECES, max(self.instances.size, 1)) + 1)
        self.pieces = np.unique(np.searchsorted(self.instances.begins, ends))
        self.pieces[0], self.pieces[-1] = 0, self.instances.size

    @property
    def finished(self) -> bool:
        """Whether further steps are of no use."""
        return self.theta < tuning.DEFAULT.inner_least_theta or self.value >= self.upper or not self.instances.size

    def step(self, watch: Watch) -> bool:
        """Take one step; return whether it came to its end."""
        own = tuning.DEFAULT
        whole = self._whole(self.now)
        cover = np.zeros(self.instances.t)
        values = self._over_pieces(
            watch, lambda a, b, values, used: kernel.best_classes(
                self.lists, self.metrics, self.costs, whole, self.own, self.weights, a, b, values, used
            ), cover,
        )  # fmt: skip
        if values is None:
            return False
        self.steps += 1
        counts = self.instances.counts
        reached = (int((whole * counts).sum()) - float(values.astype(np.float64).sum())) / self.parts
        if reached > self.value + 1e-7 * abs(self.value) or not np.isfinite(self.value):
            self.value, self.prices, self.stale = reached, self.now.copy(), 0
            own_now = self.own
            self.kept = Multipliers(
                own_now.y.copy(), own_now.raw.copy(), own_now.extra.copy(), own_now.weight.copy(), own_now.base.copy(),
                own_now.spot.copy(),
            )  # fmt: skip
        else:
            self.stale += 1
            if self.stale >= own.inner_patience:
                self.theta *= own.inner_shrink
                self.stale = 0
                self.now = self.prices.copy()
                self.move[:] = 0.0
                return True
        target = max(own.inner_target * self.upper, 1.01 * self.value)
        target = min(target, self.value + max(own.inner_reach * abs(self.value), self.unit))
        self.move = 0.5 * self.move + 0.5 * (counts - cover) / counts
        norm = float((counts * self.move**2).sum())
        if norm < 1e-12:
            self.theta = 0.0
            return True
        length = self.theta * (target - reached) / norm
        self.now = np.clip(self.now + length * self.move, -self.dearest, 2 * self.dearest)
        return True

    def proof(self) -> Proof:
        """Return the best prices and their multipliers in whole numbers, recounted."""
        whole = self._whole(self.prices)
        return proof_of(
            self.problem, self.lists, self.kept, whole, self.parts, lambda y: self._recounted(whole, y, cut=True)
        )  # fmt: skip

    def bound(self, proof: Proof) -> int:
        """Return the bound of a proof, in scaled cost."""
        return -(-proof.value // (proof.parts * self.unit)) * self.unit

    def near(self, limit: float) -> tuple[Instances, Float64]:
        """Return the instances with a reduced cost of at most `limit` at the best prices, and their reduced costs.

        The reduced cost is what opening the instance costs at least beyond what its rows pay, in scaled cost.
        """
        values = self._recounted(self._whole(self.prices), self.kept.y, cut=False)
        rc = -values / self.parts
        close = rc <= limit
        return self.instances.only(close), rc[close]

    def _whole(self, prices: Float64) -> Int64:
        return lagrangian.whole_prices(prices, self.parts)

    def _recounted(self, whole: Int64, y: Int64, *, cut: bool) -> Int64:
        found = self._over_pieces(
            None, lambda a, b, values, _: kernel.recounted(
                self.lists, self.costs, whole, y, self.weights, cut, a, b, values
            ), np.zeros(0),
        )  # fmt: skip
        assert found is not None
        return found

    def _over_pieces(self, watch: Watch | None, work: object, cover: Float64) -> Int64 | None:
        """Work on all pieces, on several threads; return the instances' values, or None if the watch said stop."""
        values = np.zeros(self.instances.size, np.int64)

        def one(piece: tuple[int, int]) -> Float64 | None:
            if watch is not None and watch.stopped:
                return None
            used = np.zeros_like(cover)
            work(*piece, values, used)  # type: ignore[operator]
            return used

        pieces = list(zip(self.pieces[:-1].tolist(), self.pieces[1:].tolist(), strict=True))
        if self.threads > 1 and settled(kernel.best_classes, kernel.recounted):
            with ThreadPoolExecutor(self.threads) as pool:
                parts = list(pool.map(one, pieces))
        else:
            parts = [one(piece) for piece in pieces]
        for part in parts:
            if part is None:
                return None
            cover += part
        return values
