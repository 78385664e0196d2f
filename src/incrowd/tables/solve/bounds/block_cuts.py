"""Cuts where the linear program is too large to be cut whole: prices and multipliers, raised block by block.

The bound of prices and cuts (`cuts_over_lattice`) is the value L(pi, lambda) of a Lagrangian. Hold the prices of all
row types but those of a block B, and all multipliers that there are. In pi_B and the multipliers of new cuts L is the
dual of a small linear program over the instances that touch B:

    min  sum (w_g - [i not in B] pi_i + extra_ig) x_ig + sum fixed_g u_g + sum (hi_i s_i - lo_i t_i)
    (A)  sum_g x_ig + s_i - t_i = n_i         every i in B
    (K)  sum_i x_ig >= k u_g,  (L)  x_ig <= n_i u_g,  0 <= u_g <= 1, and the new cuts,

where extra and fixed are the terms of the cuts before, and hi and lo bound how far a price may move. The bounds are
there for what the program leaves out: an instance with a reduced cost above tau has k cheapest rows that come to more
than tau, so all its others are above tau / k; where no price moves by more than that, it stays at 0 or above. What
comes out is proven in integers over all patterns all the same (`proven`), and where floating point or a cut's terms on
pairs that the program leaves out lower L, the block is undone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.bounds import cuts as kernel
from incrowd.milp import Linear, Outcome, Program, rows_of
from incrowd.tables.solve.bounds import lagrangian, tuning
from incrowd.tables.solve.bounds.cuts import Cut, rows_for, separate, separate_flows
from incrowd.tables.solve.bounds.cuts_over_lattice import countable, proven
from incrowd.tables.solve.shared.instances import Instances

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.bounds.cuts_over_lattice import Proof
    from incrowd.tables.solve.bounds.lagrangian import Float64, Scan
    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Int32, Int64, Plan


class BlockCuts:
    """Prices and cuts over listed instances, and what they are worth there.

    `instances` are kept ones, in full, among them all with a reduced cost of at most `reach` at the prices. `prices`,
    (t,) float64, and `reach` come in scaled cost units. All numbers are divided by `unit` here, which is about what a
    star costs. `thorough`: cuts are looked for longer, of all kinds; only where a block is the table. `prices`: (t,)
    float64, in units. `cuts`: over `instances`. `weights`: their multipliers, at least 0, in units. `rc`: (g,) float64,
    reduced costs with the terms of the cuts, in units.
    """

    def __init__(
        self, instances: Instances, prices: Float64, reach: float, k: int, unit: float, *, thorough: bool = False
    ) -> None:
        self.k, self.unit, self.thorough = k, unit, thorough
        self.instances, self.costs = instances, instances.costs / unit
        self.reach = reach / unit
        self.prices = prices / unit
        self.centre = self.prices.copy()
        self.cuts: list[Cut] = []
        self.weights: list[float] = []
        self.constant = 0.0
        self.extra, self.fixed = np.zeros(instances.pairs), np.zeros(instances.size)
        self.rc = np.empty(instances.size)
        self.value = self.valued()

    def valued(self) -> float:
        """Return L over the listed instances in floating point, in units: no bound before it is `proof`."""
        J = self.instances
        below = kernel.cut_reduced_costs(
            J.begins, J.members, J.counts, self.costs, J.needs, self.prices, self.extra, self.fixed,
            np.arange(J.size), self.rc,
        )  # fmt: skip
        return float((self.prices * J.counts).sum()) + self.constant + float(below)

    def sweep(self, blocks: Sequence[Int64], watch: Watch) -> float:
        """Raise L block by block; return by how much."""
        before = self.value
        for block in blocks:
            if watch.stopped:
                break
            self.raise_block(block, watch)
        return self.value - before

    def raise_block(self, types: Int64, watch: Watch) -> bool:
        """Solve and cut the program of a block, and take its duals where they raise L; return whether they do.

        `types`, (b,), are the row types of the block.
        """
        program = _BlockProgram(self, types)
        if not program.size or not program.solved(watch):
            return False
        held = self.prices, self.extra, self.fixed, self.constant, len(self.cuts)
        self.prices, self.extra, self.fixed = self.prices.copy(), self.extra.copy(), self.fixed.copy()
        self.prices[types] = program.new_prices()
        for cut, weight in zip(program.cuts, program.weights(), strict=True):
            if weight > tuning.DEFAULT.block_weight:
                self._take(cut, float(weight))
        value = self.valued()
        if value > self.value + 1e-9:
            self.value = value
            return True
        self.prices, self.extra, self.fixed, self.constant, count = held
        del self.cuts[count:], self.weights[count:]
        self.value = self.valued()
        return False

    def grow(self, scan: Scan, reach: float) -> None:
        """Take what a scan at the prices found; from now on they may move from where they are.

        The scan comes with the instances up to `reach`, in scaled cost units.
        """
        pairs, size = self.instances.pairs, self.instances.size
        self.instances = self.instances.union(scan.instances)
        self.costs = self.instances.costs / self.unit
        self.extra = np.concatenate((self.extra, np.zeros(self.instances.pairs - pairs)))
        self.fixed = np.concatenate((self.fixed, np.zeros(self.instances.size - size)))
        self.rc = np.empty(self.instances.size)
        self.reach, self.centre = reach / self.unit, self.prices.copy()
        self.value = self.valued()

    def whole(self, parts: int) -> Int64:
        """Return the prices as whole numbers of parts of a scaled cost unit, for a scan."""
        return lagrangian.whole_prices(self.prices * self.unit, parts)

    def proof(self, whole: Int64, parts: int, scan: Scan) -> Proof | None:
        """Return what prices and multipliers are worth over all patterns, given the scan at the prices."""
        return proven(self.instances, self.cuts, np.array(self.weights) * self.unit, whole, parts, scan)

    def grain(self, parts: int, scan: Scan | None = None) -> int:
        """Return the finest grain of at most `parts` at which prices and cuts can be checked."""
        prices = self.prices * self.unit
        return countable(self.instances, self.cuts, np.array(self.weights) * self.unit, prices, parts, scan)

    def _take(self, cut: Cut, weight: float) -> None:
        self.cuts.append(cut)
        self.weights.append(weight)
        self.constant -= weight * cut.side
        self.extra[cut.pairs] += weight / cut.divisor * cut.value
        self.fixed[cut.instances] += weight * cut.opens


class _BlockProgram:
    """The linear program of a block, with its cuts over all listed instances.

    Columns: the kept pairs, one u an instance, then s and t for every type of the block. Rows: (A), (K), (L), the cuts.
    """

    def __init__(self, state: BlockCuts, types: Int64) -> None:
        self.state, self.types = state, types
        J, k = state.instances, state.k
        inside = np.zeros(J.t, np.bool_)
        inside[types] = True
        near = tuning.DEFAULT.block_near * state.reach
        touching = np.logical_or.reduceat(inside[J.members], J.begins[:-1]) if J.size else np.zeros(0, np.bool_)
        self.chosen = np.flatnonzero(touching & (state.rc <= near))
        self.size = self.chosen.size
        if not self.size:
            return
        lengths, pairs = kernel.block_pairs(
            J.begins, J.members, J.counts, state.costs, J.needs, state.prices, state.extra, inside, self.chosen
        )
        self.pairs = pairs
        here, members = np.unique(J.members[pairs], return_inverse=True)
        self.here = here.astype(np.int64)
        numbers: Int32 = members.reshape(-1).astype(np.int32)
        self.local = Instances(
            J.vectors[self.chosen], J.costs[self.chosen], J.needs[self.chosen],
            np.concatenate(([0], np.cumsum(lengths))).astype(np.int64), numbers, J.counts[here], -1,
        )  # fmt: skip
        self.own = inside[here]
        move = tuning.DEFAULT.block_move * state.reach / k
        box = tuning.DEFAULT.block_box * state.reach / k
        now, centre = state.prices[types], state.centre[types]
        self.high = np.maximum(np.minimum(centre + box, now + move), now)
        self.low = np.minimum(np.maximum(centre - box, now - move), now)
        self.cuts: list[Cut] = []
        self.linear = Linear(self._program(), presolve=False)
        self.duals = np.zeros(0)

    def _program(self) -> Program:
        """Return the program without cuts; remember where their rows begin."""
        J, state, local = self.state.instances, self.state, self.local
        q, g, b = local.pairs, local.size, self.types.size
        owners = local.owners.astype(np.int64)
        # Both are in the order of the types.
        line = np.full(local.t, -1, np.int64)
        line[self.own] = np.searchsorted(self.types, self.here[self.own])
        mine = line[local.members] >= 0
        held = np.where(mine, 0.0, state.prices[J.members[self.pairs]])
        cost = state.costs[self.chosen][owners] + state.extra[self.pairs] - held
        rows = local.counts[local.members].astype(np.float64)
        every, lines, spare = np.arange(q), np.arange(g), np.arange(b)
        total = J.counts[self.types].astype(np.float64)
        bound = np.flatnonzero(local.needs[owners] > 0)
        count = np.arange(bound.size)
        entries = [
            (
                np.concatenate((line[local.members[mine]], spare, spare)),
                np.concatenate((every[mine], q + g + spare, q + g + b + spare)),
                np.concatenate((np.ones(int(mine.sum())), np.ones(b), -np.ones(b))),
            ),
            (
                np.concatenate((owners, lines)),
                np.concatenate((every, q + lines)),
                np.concatenate((np.ones(q), -local.needs.astype(np.float64))),
            ),
            (
                np.concatenate((count, count)),
                np.concatenate((bound, q + owners[bound])),
                np.concatenate((np.ones(bound.size), -rows[bound])),
            ),
        ]
        free = np.full(g, np.inf)
        self.base = b + g + bound.size
        return Program(
            cost=np.concatenate((cost, state.fixed[self.chosen], self.high, -self.low)),
            lower=np.zeros(q + g + 2 * b),
            upper=np.concatenate((rows, np.ones(g), np.full(2 * b, np.inf))),
            whole=np.zeros(q + g + 2 * b, np.bool_),
            rows=rows_of(
                entries, [(total, total), (np.zeros(g), free), (np.full(bound.size, -np.inf), np.zeros(bound.size))]
            ),
        )

    def solved(self, watch: Watch) -> bool:
        """Solve and cut, round by round; return whether there are duals."""
        own = tuning.DEFAULT
        q, g = self.local.pairs, self.local.size
        known: set[tuple[str, bytes, bytes]] = set()
        for left in reversed(range(own.block_rounds + 1)):
            answer = self.linear.solve(watch)
            if answer.outcome is not Outcome.OPTIMAL or answer.duals is None or answer.x is None:
                break
            self.duals = answer.duals
            self.counted = len(self.cuts)
            if not left or watch.stopped:
                break
            u = np.where(self.local.needs > 0, answer.x[q : q + g], 1.0)
            x = answer.x[:q]
            if self.state.thorough:
                least = own.thorough_violation
                found = separate(self.local, self.state.k, x, u, least=least)
                found += separate_flows(self.local, self.state.k, x, u, least=least)
            else:
                found = separate(self.local, self.state.k, x, u, least=own.block_violation, quick=True, parts=True)
            fresh = [cut for cut in found if cut.key not in known]
            known |= {cut.key for cut in fresh}
            if not fresh:
                break
            self.linear.add(rows_for(fresh, q + np.arange(g)))
            self.cuts += [self._whole(cut) for cut in fresh]
        return self.duals.size > 0

    def new_prices(self) -> Float64:
        """Return the prices of the block's types."""
        return np.clip(self.duals[: self.types.size], self.low, self.high)

    def weights(self) -> Float64:
        """Return the multipliers of the cuts that were in the last program solved, 0 for the others."""
        weights = np.zeros(len(self.cuts))
        weights[: self.counted] = np.maximum(-self.duals[self.base : self.base + self.counted], 0.0)
        return weights

    def _whole(self, cut: Cut) -> Cut:
        """Return a cut of the program over all listed instances, with their pairs that the program leaves out."""
        J = self.state.instances
        which = self.chosen[cut.instances]
        types = self.here[cut.types]
        if cut.kind != "T":
            return Cut(cut.kind, types, which, cut.opens, self.pairs[cut.pairs], cut.value, cut.divisor, cut.side)
        inside = np.zeros(J.t, np.bool_)
        inside[types] = True
        places = np.concatenate([np.arange(J.begins[g], J.begins[g + 1]) for g in which])
        pairs = np.sort(places[~inside[J.members[places]]])
        return Cut("T", types, which, 1, pairs, -1, cut.divisor, cut.side)


# Blocks of row types for programs that a whole table is too large for: halves of halves, along few classes.
LEAST, MOST = 0.15, 0.55  # shares of the types that a part may have: of the lesser part, and of the first one


def type_blocks(
    encoded: ProblemArrays, plan: Plan, most: int, random: np.random.Generator, jitter: float = 0.0
) -> list[Int64]:
    """Return blocks of row types, each halved by a column at a level until it is small enough.

    `plan` is a release; of all columns and levels the one is taken whose parts share the fewest of its classes, for
    every type of the lesser part. A block has at most `most` row types (at least 1); where no column parts a larger one
    any further, its types are parted in order. `jitter` is the factor by which a choice may look worse than it is, less
    1: other blocks at every call. O(t L log t) time for t types and L lines of levels, halvings being nearly even.
    """
    class_ = np.zeros(encoded.t, np.int64)
    class_[plan.part_type[::-1]] = plan.part_class[::-1]
    blocks, todo = [], [np.arange(encoded.t)]
    while todo:
        block = todo.pop()
        if block.size <= most:
            blocks.append(block)
            continue
        side = _halved(encoded, class_[block], block, random, jitter)
        if side is None:
            side = np.arange(block.size) < block.size // 2
        todo += [block[side], block[~side]]
    return blocks


def _halved(
    e: ProblemArrays, classes: Int64, block: Int64, random: np.random.Generator, jitter: float
) -> NDArray[np.bool_] | None:
    """Return the half of a block that fewest classes cross; None where no column has two nodes of some size."""
    _, class_ = np.unique(classes, return_inverse=True)
    size = np.bincount(class_)
    best, found = np.inf, None
    for first, height in zip(e.start, e.heights, strict=True):
        for line in range(int(first), int(first + max(height, 1))):
            _, node = np.unique(e.nodes[block, line], return_inverse=True)
            held = np.bincount(node)
            if held.size < 2:
                continue
            chosen, total = np.zeros(held.size, np.bool_), 0
            for x in np.argsort(-held, kind="stable"):
                if total + held[x] <= MOST * block.size or not total:
                    chosen[x] = True
                    total += int(held[x])
            small = min(total, block.size - total)
            if small < LEAST * block.size:
                continue
            side = chosen[node]
            here = np.bincount(class_, weights=side)
            score = float(np.minimum(here, size - here).sum()) / small * (1 + jitter * random.random())
            if score < best:
                best, found = score, side
    return found
