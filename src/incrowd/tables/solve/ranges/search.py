"""Annealing over the instances that prices favour, for releases with ranges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.kernels import dynamic_programs
from incrowd.tables.ranged_plan import RangedPlan
from incrowd.tables.row_numbers import added_up
from incrowd.tables.solve.bounds import lagrangian
from incrowd.tables.solve.improve.annealing import Annealing, evolve
from incrowd.tables.solve.improve.block_dives import BlockDives
from incrowd.tables.solve.improve.candidates import candidates_over
from incrowd.tables.solve.shared.problem_arrays import encode

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.bounds.lagrangian import Scan
    from incrowd.tables.solve.improve.candidates import Candidates
    from incrowd.tables.solve.ranges.lattice import RangeLattice
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.solve.shared.time_limit import TimeShare
    from incrowd.tables.values import Int64

    Float64 = NDArray[np.float64]


def search(
    prices: RangePrices,
    plan: RangedPlan,
    watch: TimeShare,
    *,
    seed: int,
    work: int | None,
    heard: Callable[[int], None],
) -> RangedPlan:
    """Return the best release found from a given one on.

    `work` is the number of moves; with None there are as many as the time allows. `heard` is told the cost reached.
    """
    found = candidates_of(prices, plan)
    annealing = Annealing(found, prices.lattice.problem.k, prices.star)
    if work is None:
        rows, _ = evolve(annealing, watch, seed=seed, enough=prices.bound, heard=heard)
    else:
        _, rows = annealing.run(found.rows, watch, total=work, seed=seed, enough=prices.bound, heard=heard)
    return _plan(prices, found, rows)


def candidates_of(prices: RangePrices, plan: RangedPlan) -> Candidates:
    """Return the stored instances with small reduced costs and those of a plan, as the annealing reads them."""
    lattice, own = prices.lattice, DEFAULT
    mine, place = opened(lattice, plan)
    stored = prices.stored
    rc = np.where(stored.needs == 0, np.inf, lagrangian.reduced_costs(stored, prices.best))
    reach = own.searched * prices.star * max(lattice.problem.k / 5, 1.0)
    near, allowed = stored.nearest(rc, own.searched_pairs, reach), lattice.openable(stored)
    listed = mine.union(stored.only(near & allowed))
    if not allowed.all():
        others = np.flatnonzero(near & ~allowed)
        others = others[np.argsort(rc[others], kind="stable")]
        listed = listed.union(raised(lattice, stored, others[: own.raised]))
    instances, order = listed.cheapest_first()
    rows = rows_over(lattice, instances, np.argsort(order)[place], plan)
    return candidates_over(instances, rows, prices.best)


def raised(lattice: RangeLattice, stored: Instances, which: Int64) -> Instances:
    """Return the cheapest instances that the mask allows above some that it does not.

    `which` is (q,), and the free one is not among them.
    """
    firsts = stored.members[stored.begins[which]].astype(np.int64)
    vectors = stored.vectors[which].astype(np.int64)
    raise_to_mask(lattice, vectors, firsts)
    keep = (vectors != np.array(lattice.whole)).any(axis=1)
    vectors, firsts = vectors[keep], firsts[keep]
    found = lattice.extents(vectors, firsts)
    # instances of one vector are told apart by their first type
    least = found.members[found.begins[: len(vectors)]].astype(np.int64)
    once = np.unique(np.concatenate((vectors, least[:, None]), axis=1), axis=0, return_index=True)[1]
    some = np.zeros(found.size, np.bool_)
    some[once] = True
    some[len(vectors) :] = True
    return found.only(some)


def dives_of(prices: RangePrices, plan: RangedPlan, seed: int) -> BlockDives:
    """Return dives from a release, over the stored instances of small reduced costs and the release's own."""
    lattice, own = prices.lattice, DEFAULT
    mine, place = opened(lattice, plan)
    stored = prices.stored
    rc = np.where(stored.needs == 0, np.inf, lagrangian.reduced_costs(stored, prices.best))
    near = stored.nearest(rc, own.dive_room * lattice.t, own.dive_near * prices.star * lattice.problem.k / 5)
    near &= lattice.openable(stored)
    both, order = mine.union(stored.only(near)).cheapest_first()
    rows = rows_over(lattice, both, np.argsort(order)[place], plan)
    free = np.where(both.needs == 0, -1, np.arange(both.size))

    def planned(held: Int64) -> RangedPlan:
        return plan_of(lattice, both.members.astype(np.int64), free[both.owners], held)

    return BlockDives(
        lattice.problem.k,
        encode(lattice.problem),
        both,
        rows,
        both.needs > 0,
        max(round(prices.star), 1),
        seed,
        planned,
    )


def rows_over(lattice: RangeLattice, instances: Instances, place: Int64, plan: RangedPlan) -> Int64:
    """Return a plan's rows per pair of some instances.

    The members of each instance are increasing. `place` is (g,): where each class's instance stands.
    """
    spots = instances.owners.astype(np.int64) * lattice.t + instances.members
    asked = place[plan.part_class] * lattice.t + plan.part_type
    return added_up(np.searchsorted(spots, asked), plan.part_rows, instances.pairs)


def _plan(prices: RangePrices, found: Candidates, rows: Int64) -> RangedPlan:
    """Return the plan for rows per pair of the lists; as `Candidates.plan`."""
    types, classes, lengths = found.parts(rows)
    return plan_of(
        prices.lattice, types, np.where(classes == found.instances.suppressed, -1, classes).astype(np.int64), lengths
    )


# From parts of a plan to the instances that they show, and back: every class at its lowest nodes and shortest runs.
def shown(lattice: RangeLattice, types: Int64, class_: Int64, classes: int) -> Int64:
    """Return the vector of what each class of some parts shows at the least cost, as `lattice` has it.

    `types` and `class_` are (p,): the row type and class of each part; every class has a part. O(p) for each level of
    each column.
    """
    order = np.argsort(class_, kind="stable")
    types, class_ = types[order], class_[order]
    first = types[np.searchsorted(class_, np.arange(classes))]
    found = []
    for start, height in zip(lattice.start.tolist(), lattice.heights, strict=True):
        lowest = np.zeros(classes, np.int64)
        for level in range(height):
            line = lattice.nodes[start + level]
            lowest[class_[line[types] != line[first[class_]]]] = level + 1
        found.append(lowest)
    for cell, value in zip(lattice.cell, lattice.value, strict=True):
        low, high = np.full(classes, np.iinfo(np.int64).max), np.full(classes, -1, np.int64)
        np.minimum.at(low, class_, cell[types])
        np.maximum.at(high, class_, cell[types])
        several = np.zeros(classes, np.bool_)
        several[class_[value[types] != value[first[class_]]]] = True
        found += [np.where(several, low, -1), np.where(several, high, value[first])]
    return np.stack(found, axis=1).astype(np.int64)


def plan_of(lattice: RangeLattice, types: Int64, class_: Int64, rows: Int64) -> RangedPlan:
    """Return the plan of some parts, classes that show the same made one.

    `types`, `class_` and `rows` are (p,): the row type, class and rows of each part; a class of -1 is suppressed whole.
    """
    problem, others = lattice.problem, lattice.others
    keep = rows > 0
    types, class_, rows = types[keep], class_[keep], rows[keep]
    label = np.unique(class_, return_inverse=True)[1].reshape(-1)
    classes = int(label.max(initial=-1)) + 1
    vectors = shown(lattice, types, label, classes)
    first = np.zeros(classes, np.int64)
    first[label[::-1]] = types[::-1]
    whole = np.array(lattice.whole, np.int64)
    vectors[label[class_ < 0]] = whole
    raise_to_mask(lattice, vectors, first)
    nodes = [lattice.nodes[lattice.start[x] + vectors[:, x], first] for x in range(len(others))]
    key = np.concatenate((vectors, np.stack(nodes, axis=1) if nodes else np.zeros((classes, 0), np.int64)), axis=1)
    _, index, home = np.unique(key, axis=0, return_index=True, return_inverse=True)
    home = home.reshape(-1)
    vectors = vectors[index]
    ends = vectors[:, len(others) :].reshape(len(index), len(lattice.columns), 2)
    star = (ends[:, :, 0] == 0) & (ends[:, :, 1] == lattice.last)
    run = (ends[:, :, 0] >= 0) & ~star
    levels = np.zeros((len(index), len(problem.levels)), np.int8)
    levels[:, others] = vectors[:, : len(others)]
    heights = np.array([problem.levels[j].height for j in lattice.columns])
    levels[:, list(lattice.columns)] = np.where(star, heights, np.where(run, 1, 0))
    runs = np.where(run[:, :, None], ends, -1)
    pairs, place = np.unique(np.stack([types, home[label]], axis=1), axis=0, return_inverse=True)
    total = added_up(place.reshape(-1), rows, len(pairs))
    return RangedPlan(
        levels, pairs[:, 0].astype(np.int32), pairs[:, 1].astype(np.int32), total, columns=lattice.columns,
        runs=runs.astype(np.int64),
    )  # fmt: skip


def raise_to_mask(lattice: RangeLattice, vectors: Int64, firsts: Int64) -> None:
    """Raise what classes show to the cheapest that the mask allows; a value is raised to the run of its cell.

    `vectors` is (g, m + 2 r) and is changed in place. `firsts` is (g,): a type of each class.
    """
    kinds = lattice.kinds.kinds(vectors, lattice.last)
    known: dict[bytes, Int64] = {}
    own = len(lattice.others)
    for g in np.flatnonzero(~lattice.kinds.allowed(kinds)).tolist():
        key = kinds[g].tobytes()
        if key not in known:
            known[key] = lattice.kinds.over(kinds[g])
        ways, first = known[key], int(firsts[g])
        cost = lattice.paid[lattice.start + ways[:, :own], first].sum(axis=1)
        ends = []
        for c, one in enumerate(lattice.ranged):
            a, b = vectors[g, own + 2 * c : own + 2 * c + 2].tolist()
            cell = int(lattice.cell[c, first])
            low, high = (a, b) if a >= 0 else (cell, cell)
            run = int(one.up[high] - one.low[low])
            cost = cost + np.array([0 if a < 0 else run, run, int(one.up[-1] - one.low[0])])[ways[:, own + c]]
            ends.append(((a, b), (low, high), (0, one.cells - 1)))
        best = ways[int(np.argmin(cost))]
        vectors[g, :own] = best[:own]
        vectors[g, own:] = [x for pair, kind in zip(ends, best[own:].tolist(), strict=True) for x in pair[kind]]


def opened(lattice: RangeLattice, plan: RangedPlan) -> tuple[Instances, Int64]:
    """Return the instances that a plan opens, with all their types and the free one, and each class's place there."""
    starred = np.zeros(plan.classes, np.bool_)
    if lattice.free:
        starred = (plan.levels == np.array(lattice.problem.top, np.int8)).all(axis=1) & (plan.runs < 0).all(axis=(1, 2))
    number = (np.cumsum(~starred) - 1).astype(np.int64)
    inside = ~starred[plan.part_class]
    types, class_ = plan.part_type[inside].astype(np.int64), number[plan.part_class[inside]]
    classes = int((~starred).sum())
    first = np.zeros(classes, np.int64)
    first[class_[::-1]] = types[::-1]
    levels, runs = plan.levels[~starred].astype(np.int64), plan.runs[~starred]
    vectors = np.zeros((classes, len(lattice.whole)), np.int64)
    own = len(lattice.others)
    vectors[:, :own] = levels[:, lattice.others]
    for c, j in enumerate(lattice.columns):
        value = np.where(levels[:, j] > 0, lattice.last[c], lattice.value[c, first])
        low = np.where(levels[:, j] > 0, 0, -1)
        run = runs[:, c, 0] >= 0
        vectors[:, own + 2 * c] = np.where(run, runs[:, c, 0], low)
        vectors[:, own + 2 * c + 1] = np.where(run, runs[:, c, 1], value)
    found = lattice.extents(vectors, first)
    return found, np.where(starred, found.suppressed, number)


# Prices over all ranges: rounds of price steps on stored instances, each ended by a scan over every instance.
class RangePrices:
    """Prices, the bound they give, and the instances they favour; better with every `round`.

    `paid` is (t,): what a row of each type costs in a release, scaled. `listed` are the release's instances, with the
    free one, and `upper` is its scaled cost. `bound`: the best so far, scaled and rounded up to a cost that a release
    can have. `whole`: (t,) int64, the prices that it comes from, in `parts` of a scaled unit. `stored`: those of small
    reduced costs, and the free one. `best`: (t,) float64.
    """

    def __init__(self, lattice: RangeLattice, paid: Float64, listed: Instances, upper: int) -> None:
        self.lattice = lattice
        self.upper = upper
        self.step = lattice.step
        most = np.array([lattice.top], np.int64)
        self.parts = lagrangian.grain(most, lattice.counts)
        self.star = max(lattice.top / max(len(lattice.problem.levels), 1), 1.0)
        own, crowd = DEFAULT, lattice.problem.k / 5
        line = not lattice.others and len(lattice.columns) == 1
        aim, self.gain = own.aim, own.gain
        if line:  # what rows cost there is small beside the star
            self.star = min(self.star, own.mean * upper / int(lattice.counts.sum()))
            aim, self.gain = own.line_aim, own.line_gain
        self.reach = self.star * max(crowd, 0.5)
        if crowd > 1:
            self.reach = self.star * crowd**own.growth
        self.pairs = int(own.pairs * max(crowd, 1.0) ** 0.5)
        if line:
            self.pairs = max(self.pairs, own.along * lattice.t)
        self.now = own.start * paid
        self.best = self.now
        self.target = aim * upper
        self.stored = listed
        self.value = -(1 << 62)
        self.bound = 0
        self.whole: Int64 = np.zeros(lattice.t, np.int64)
        self.stale = 0
        self.rounds = 0
        self.shrink = 1.0

    @property
    def finished(self) -> bool:
        """Whether more rounds would gain nothing."""
        return self.bound >= self.upper or self.stale > DEFAULT.patience

    def round(self, watch: Watch | None, *, steps: int | None = None) -> bool:
        """Take price steps and scan; return whether the scan came to its end.

        `steps` are those of the prices; by default about as many as tuning says.
        """
        own = DEFAULT
        steps = own.steps if steps is None else steps
        if steps and self.rounds:
            _, self.now = lagrangian.subgradient(
                self.stored, self.now, target=self.target, steps=steps, watch=watch, enough=float(self.upper)
            )
            box = own.box * self.star * self.shrink
            self.now = np.clip(np.clip(self.now, self.best - box, self.best + box), 0.0, None)
        whole = lagrangian.whole_prices(self.now, self.parts)
        found = self.lattice.scan(whole, self.parts, int(own.near * self.reach * self.parts), self.pairs, watch)
        if found is None:
            return False
        self.rounds += 1
        self.take(found, whole)
        self.stored = lagrangian.remembered(found.instances, self.stored, self.now, self.pairs)
        return True

    def take(self, found: Scan, whole: Int64) -> None:
        """Take what a scan over all patterns says that prices are worth. `whole` is (t,): the prices."""
        value, last = found.value, self.value
        self.shrink = min(1.0, 1.5 * self.shrink) if value > last else 0.7 * self.shrink
        if value > last + self.gain * self.upper * self.parts:
            self.stale = 0
        else:
            self.stale += 1
        if value > last:
            self.value, self.whole, self.best = value, whole, self.now
            self.settle(value)

    def settle(self, value: int) -> None:
        """Take a proven value, in parts, as the bound."""
        unit = self.parts * self.step
        self.bound = max(self.bound, min(-(-value // unit) * self.step, self.upper))


# First prices for one column alone: raised together as far as its runs allow.
PIECE = 20_000_000  # rows looked at between two looks at the watch, about


def line_prices(
    cell: Int64, low: Int64, up: Int64, counts: Int64, k: int, watch: Watch | None = None
) -> NDArray[np.float64] | None:
    """Return prices at which hardly any k rows of a run are priced above its cost; None if the watch said stop.

    `cell` is (t,): the cell of each row type, in any order; `counts` is (t,). `low` and `up` are (G,), as in
    `RangedColumn`. They begin at what k rows cost nearby, on average. Then all rise, or fall, by the room that is least
    among the runs that hold them, which leaves no run in debt, since each of its k rows rises by at most a k-th of what
    it leaves; now and then all shrink, so that those rise that were held back. Prices are a heuristic; a scan says what
    they prove.
    """
    own = DEFAULT
    order = np.argsort(cell, kind="stable")
    cells, rows = cell[order].astype(np.int64), counts[order].astype(np.int64)
    free = rows >= k  # a class of one value costs nothing
    upto = np.concatenate(([0], np.cumsum(rows)))
    first = np.searchsorted(upto, upto[:-1] - own.near_rows * k, side="right").clip(1, len(rows)) - 1
    last = np.searchsorted(upto, upto[1:] + own.near_rows * k).clip(1, len(rows)) - 1
    near = (up[cells[last]] - low[cells[first]]).astype(np.float64)
    prices = np.where(free, 0.0, 0.9 * k * near / (upto[last + 1] - upto[first]))
    best, most, room = prices, -np.inf, np.empty(len(rows))
    piece = max(64, PIECE // (k * k))
    for turn in range(own.rises * own.shrinks):
        room.fill(dynamic_programs.LINE_ROOMS_NONE)
        for begin in range(0, len(rows), piece):
            if watch is not None and watch.stopped:
                return None
            dynamic_programs.rooms(cells, low, up, rows, k, prices, begin, min(begin + piece, len(rows)), room)
        held = np.where(room == dynamic_programs.LINE_ROOMS_NONE, 0.0, room)
        risen = np.where(free, 0.0, np.maximum(prices + held, 0.0))
        value = float((risen * rows).sum()) if held.min(initial=0.0) >= -1e-6 else -np.inf
        if value > most:
            best, most = risen, value
        prices = own.shrink * risen if turn % own.rises == own.rises - 1 else risen
    found: NDArray[Any] = np.empty(len(rows))
    found[order] = best
    return found


# What tunes the search for ranges: speed and reach only; whatever comes out is counted again in integers.
@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """The constants, chosen by ``benchmarks/run.py --case ranges``."""

    # Share of what a row costs in the first release at which its price begins.
    start: float = 0.4
    # Part of these prices at which a first scan begins where it is dear: low ones leave little to look at.
    dear: float = 0.12
    # Reduced cost up to which instances are stored, in stars for five rows of k; its growth with k beyond; pairs that
    # are stored at most at k = 5, which grow with its root.
    near: float = 0.1
    growth: float = 0.3
    pairs: int = 400_000
    # Of one column alone: times k rows to either side that first prices look at; how often prices rise before they
    # shrink, how often and to what. There so many times a row's mean cost is taken for the star, so many pairs are
    # stored for each type, prices have an aim of their own, and a round that gains less than this share of the cost is
    # without gain.
    near_rows: int = 8
    rises: int = 6
    shrinks: int = 4
    shrink: float = 0.97
    mean: float = 30.0
    along: int = 40
    line_aim: float = 0.985
    line_gain: float = 0.006
    # Price steps of a round, and the share of the release's cost to step towards.
    steps: int = 150
    aim: float = 0.87
    # How far prices may go from the best ones in a round, in stars: further, they run away from what is not stored.
    box: float = 0.3
    # Rounds without gain before giving up, and the least gain that counts, as a share of the release's cost.
    patience: int = 4
    gain: float = 5e-5
    # Shares of the time at which the first release, the prices, the annealing and the dives end.
    first_end: float = 0.25
    price_end: float = 0.5
    search_end: float = 0.72
    dive_end: float = 0.97
    # Pairs for each row type that dives may open, and the reduced cost of these at most, in stars for five rows of k.
    dive_room: float = 15.0
    dive_near: float = 0.4
    # Pairs among which the search looks, and the reduced cost up to which it does, in stars for five rows of k.
    searched_pairs: int = 4_000_000
    searched: float = 0.6
    # Instances that a mask does not allow as they are, of which the search gets what it allows above.
    raised: int = 3000
    # Rows times sizes of classes up to which the dynamic program tries every size, and sizes that it tries else.
    every_size: int = 400_000_000
    sizes: int = 48
    # Popular values that a class steps over at most.
    skipped: int = 8
    # Rounds where there is no time limit.
    rounds: int = 20


DEFAULT = Tuning()
