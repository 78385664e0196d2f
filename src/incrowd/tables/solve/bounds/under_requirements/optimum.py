"""A certificate for a release that a solver says is least: prices per row type, and a tree where they fall short."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from incrowd.kernels.bounds.inner_classes import NO_CLASS, best_of_each
from incrowd.milp import Linear, Program, rows_of
from incrowd.tables.solve.bounds import tuning
from incrowd.tables.solve.bounds.lagrangian import Stopped
from incrowd.tables.solve.bounds.under_requirements.layout import (
    CLOSE,
    LISTED,
    Float64,
    instances_of,
    laid_out,
    possible_classes,
    rules_of,
    small_classes,
    with_a_class,
)
from incrowd.tables.solve.bounds.under_requirements.prices import Proof, by_requirements
from incrowd.tables.solve.mishap import release_kept
from incrowd.tables.solve.shared.instances import TooManyInstances, common_step
from incrowd.tables.values import Bound

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Int8, Int64, Problem, Solution


def with_certificate(problem: Problem, solution: Solution, watch: Watch) -> Solution:
    """Return a solution with what of its bound can be recounted, and the certificate of that.

    The problem has requirements that two classes meet together if both do. The solution's bound is its cost: what is to
    be proven. The watch says when to stop; what prices prove until then is kept. Classes are listed as far as there are
    few (all, on few rows), so prices are those of the linear program over all valid classes; where they prove less than
    the cost a tree over open and closed instances goes on (`price_tree`), up to 10^6 leaves. What no tree closes stays
    the solver's word.
    """
    if not problem.requirements or watch.stopped:
        return solution
    with release_kept(watch):
        return _proven(problem, solution, watch)
    return solution


def _proven(problem: Problem, solution: Solution, watch: Watch) -> Solution:
    """Return a solution with what prices and a tree prove of its bound."""
    try:
        every = instances_of(problem, watch=watch, most_pairs=tuning.DEFAULT.class_pairs)
    except (TooManyInstances, Stopped):
        return solution
    program = ClassProgram(problem, every)
    cost = solution.plan.cost(problem)
    if not program.parts:
        return solution
    target = program.parts * (min(solution.bound.value, cost) - program.unit) + 1
    tree = PriceTree(program, target, watch)
    prices, value = tree.root.prices, tree.root.value
    checked = min(max(-(-value // (program.parts * program.unit)) * program.unit, 0), solution.bound.value)
    method = solution.bound.method
    if tree.node is not None:
        checked = solution.bound.value
        method = "prices per row type under requirements"
        if isinstance(tree.node, Split):
            method = f"{method}, with a tree of {tree.leaves} leaves"
    if solution.certificate is not None and checked <= solution.bound.checked:
        return solution
    bound = Bound(solution.bound.value, checked, method)
    proof = Proof(value, program.parts, prices, program.below, ())
    certificate = by_requirements(problem, cost, bound, proof)
    if isinstance(tree.node, Split):
        certificate["trees"] = [written(tree.node, prices, program.instances.names.tolist())]
    watch.report("bound", cost=cost, lower_bound=bound.value)
    return dataclasses.replace(solution, bound=bound, certificate=certificate)


# A tree over instances that are open or closed, with prices at its leaves: what prices alone leave, it proves.
#
# Every release has an instance open or closed, so it lies in one leaf, and costs at least what the leaf's prices prove
# where V_g of an open instance is what a valid class gains, also below 0, and V_g of a closed one is 0.

# An instance that is less open, or less closed, is taken to be closed, or open.
FRACTION = 1e-6
# Leaves from one word of progress to the next.
TELLING = 256


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """Prices, shape (t,)."""

    prices: Int64


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """An instance that is closed on one side and open on the other."""

    instance: int
    closed: Node
    open: Node


Node = Leaf | Split


class PriceTree:
    """The search for a tree whose every leaf proves a cost.

    `target` is what every leaf has to prove, in parts. `root`: what prices alone prove. `node`: the tree (None: there
    is none, or it would be too large, or time ran out). A node takes linear programs until no class joins, each from
    the last one's basis. Where the program's solution has every instance open or closed and still costs too little, no
    tree over instances can close the gap (with prices inside the program's box): the search ends there, at once.
    Memory: 8 bytes a row type and leaf, written some 20 a price that a leaf changes; deeper than 300 it does not go.
    """

    def __init__(self, program: ClassProgram, target: int, watch: Watch) -> None:
        self.program, self.target, self.watch = program, target, watch
        self.leaves = 0
        self._steps = 0
        state = np.zeros(program.instances.size, np.int8)
        self.root = program.search(state, np.zeros_like(program.counts), target, watch)
        self.node: Node | None = None
        if self.root.value >= target:
            self.node = Leaf(self.root.prices)
            self.leaves = 1
        elif self.root.opened is not None:
            self.node = self._split(state, self.root.prices, self.root.opened, 0)

    def _grown(self, state: Int8, start: Int64, depth: int) -> Node | None:
        """Return the tree below a node, or None."""
        if self.watch.stopped or depth > tuning.DEFAULT.tree_depth or self.leaves >= tuning.DEFAULT.tree_leaves:
            return None
        found = self.program.search(state, start, self.target, self.watch)
        if found.value >= self.target:
            self.leaves += 1
            self._steps += self.program.entries
            if self.leaves % TELLING == 0:
                self.watch.report("bound", leaves=self.leaves)
            return Leaf(found.prices) if self._steps <= tuning.DEFAULT.tree_steps else None
        if found.opened is None:
            return None
        return self._split(state, found.prices, found.opened, depth)

    def _split(self, state: Int8, prices: Int64, opened: Float64, depth: int) -> Node | None:
        """Return the tree that branches on the instance that is most undecided, or None."""
        g = self._undecided(state, opened)
        if g < 0:
            return None
        sides: list[Node] = []
        for mark in (-1, 1):
            below = state.copy()
            below[g] = mark
            side = self._grown(below, prices, depth + 1)
            if side is None:
                return None
            sides.append(side)
        return Split(g, *sides)

    def _undecided(self, state: Int8, opened: Float64) -> int:
        """Return the instance whose opening is nearest to a half, -1 for none."""
        apart = np.where(state == 0, np.abs(opened - 0.5), 1.0)
        g = int(np.argmin(apart)) if apart.size else -1
        return g if g >= 0 and apart[g] < 0.5 - FRACTION else -1


def written(node: Node, root: Int64, names: list[list[int]]) -> dict[str, Any]:
    """Return a tree as a certificate holds it.

    `root`, (t,), are the certificate's prices, and `names` holds the name of each instance of the program.
    """
    places: dict[int, int] = {}

    def plain(node: Node) -> dict[str, Any]:
        if isinstance(node, Leaf):
            moved = np.flatnonzero(node.prices != root)
            return {"prices": [[i, int(node.prices[i] - root[i])] for i in moved.tolist()], "weights": []}
        place = places.setdefault(node.instance, len(places))
        return {"instance": place, "closed": plain(node.closed), "open": plain(node.open)}

    tree = plain(node)
    return {"component": 0, "instances": [names[g] for g in places], "cuts": [], "tree": tree}


# The linear program over the valid classes of every instance, at most one of each: what prices alone can prove.
#
# Its dual has a price pi_i per row type and what an instance gains at most, V_g:
#
#     most of  sum_i n_i pi_i - sum_g V_g   where   V_g >= sum_i (pi_i - w_g) x_i   for every valid class x of g,
#
# V_g >= 0 where g may be open or closed, any V_g where it is open, none where it is closed. Classes are far too many to
# write down: those that break their row at the prices at hand are found by `best_of_each` and join, until none does.
# Whatever prices the engine says are made whole numbers, and what they prove is counted anew in whole numbers.

# Certificates with larger numbers are not read.
LARGEST = 1 << 61
# Classes looked at one by one in one look at all instances.
MOST_LOOKS = 1 << 24
MOST_BELOW = 4096
# What a class has to gain beyond its row's value to join, and what the engine's values are taken apart by.
LEAST = 1e-7


class Ended(NamedTuple):
    """How the search for prices ended.

    `prices`: (t,) int64, the best found, in parts. `value`: what they prove, in parts; `LARGEST` where an open instance
    has no valid class: there is no release. `opened`: (G,) float64 or None, how far each instance is open in the linear
    program's solution; None where the search did not come to its end.
    """

    prices: Int64
    value: int
    opened: Float64 | None


class Priced(NamedTuple):
    """What prices are worth: in parts, and the best class of each instance."""

    value: int
    values: Int64
    takes: Float64


def listable_below(problem: Problem, instances: int) -> int:
    """Return up to which number of rows, exclusive, all valid classes are listed: at most n + 1, 1 for none.

    The problem has requirements and n rows; `instances` is how many instances there are.
    """
    most = min(LISTED, MOST_LOOKS // max(instances, 1))
    low, high = 1, min(problem.types.n + 1, MOST_BELOW)
    while low < high:
        middle = (low + high + 1) // 2
        if 0 < possible_classes(problem, middle) <= most:
            low = middle
        else:
            high = middle - 1
    return low


class ClassProgram:
    """The program, kept warm from one set of open and closed instances to the next.

    `every` holds the instances as `layout.instances_of` lists them. `instances`: those that may hold a valid class.
    `below`: classes of fewer rows are listed; larger ones are known by the number of their rows and values alone.
    `parts`: parts of a scaled cost unit in which prices are whole; 0 where numbers are too large for a certificate.
    `entries`: steps that a recount takes for one look at an instance, about. A look takes O(pairs log pairs + instances
    * listed classes * kinds) and memory of 8 bytes a pair, 2 bytes a kind and listed class; a linear program has t + 2
    G columns and a row for every class that has joined.
    """

    def __init__(self, problem: Problem, every: Instances) -> None:
        self.problem = problem
        self.below = listable_below(problem, every.size)
        small = small_classes(problem, self.below)
        self.instances = with_a_class(problem, every, self.below, small)
        self.lists = laid_out(problem, self.instances, self.below, small)
        self.unit = common_step([level.cost for level in problem.levels])
        self.counts: Int64 = problem.types.counts
        dearest = max(sum(int(level.cost.max(initial=0)) for level in problem.levels), 1)
        self.box = tuning.DEFAULT.class_box * problem.types.n * dearest
        rows = int(every.rows.sum()) + 2 * problem.types.n
        looked = self.below * problem.types.n if any(rule.family in CLOSE for _, rule in rules_of(problem)) else 0
        room = (self.box + dearest + 32 * self.unit) * 2 * max(2 * rows + 1, looked)
        self.parts = min(tuning.DEFAULT.class_parts, (LARGEST - 1) // room)
        if self.parts * self.unit < 4 * problem.types.n:  # roundings would cost as much as a step
            self.parts = 0
        self.costs = self.instances.costs * self.parts
        self.entries = self.instances.pairs + int((self.lists.vectors > 0).sum())
        self.rounds = 0
        self._joined: set[bytes] = set()
        self._owner: list[NDArray[np.int64]] = []
        self._linear: Linear | None = None

    def priced(self, prices: Int64, state: Int8) -> Priced:
        """Return what prices, (t,), prove, counted in whole numbers.

        `state`, (G,), is 1 for an open instance, -1 for a closed one and 0 for either.
        """
        values, takes = np.zeros(self.instances.size, np.int64), np.zeros(self.instances.pairs)
        best_of_each(self.lists, self.costs, prices, state, values, takes)
        if (values[state > 0] <= NO_CLASS).any():
            return Priced(LARGEST, values, takes)
        return Priced(int((prices * self.counts).sum()) - int(values.sum()), values, takes)

    def search(self, state: Int8, start: Int64, target: int, watch: Watch) -> Ended:
        """Return prices that prove the target where some instances are open or closed, or the best there are.

        `state`, (G,), says which are, as for `priced`. `start`, (t,), are the prices to look at first. `target` is in
        parts; the search ends there.
        """
        best, seen = start, self.priced(start, state)
        value = seen.value
        if value >= target:
            return Ended(best, value, None)
        linear = self._bounded(state)
        self._join(state, seen, None)
        for _ in range(tuning.DEFAULT.class_rounds):
            if watch.stopped:
                break
            answer = linear.solve(watch)
            if answer.x is None:
                break
            self.rounds += 1
            prices = np.rint(answer.x[: self.counts.size] * self.parts).astype(np.int64)
            seen = self.priced(prices, state)
            if seen.value > value:
                best, value = prices, seen.value
                if value >= target:
                    break
            if not self._join(state, seen, answer.x[self.counts.size :][: self.instances.size]):
                assert answer.duals is not None
                opened = np.zeros(self.instances.size)
                if self._owner:
                    owners = np.concatenate(self._owner)
                    np.add.at(opened, owners, np.abs(answer.duals[: owners.size]))
                return Ended(best, value, opened)
        return Ended(best, value, None)

    def _bounded(self, state: Int8) -> Linear:
        """Return the program with the bounds of the open and closed instances."""
        t, size = self.counts.size, self.instances.size
        far = 4.0 * self.box * self.problem.types.n
        if self._linear is None:
            program = Program(
                np.concatenate((-self.counts.astype(np.float64), np.ones(size), np.zeros(size))),
                np.concatenate((np.full(t, -float(self.box)), np.zeros(2 * size))),
                np.concatenate((np.full(t, float(self.box)), np.full(size, far), np.zeros(size))),
                np.zeros(t + 2 * size, np.bool_),
                rows_of([(np.zeros(0), np.zeros(0), np.zeros(0))], [(np.zeros(0), np.zeros(0))]),
            )
            self._linear = Linear(program, method="simplex")
        gains, spare = np.arange(t, t + size, dtype=np.int32), np.arange(t + size, t + 2 * size, dtype=np.int32)
        self._linear.bound(gains, np.where(state > 0, -far, 0.0), np.where(state < 0, 0.0, far))
        self._linear.bound(spare, np.zeros(size), np.where(state < 0, np.inf, 0.0))
        return self._linear

    def _join(self, state: Int8, seen: Priced, known: Float64 | None) -> bool:
        """Add the rows of the best classes that gain more than the program knows; return whether there were any."""
        value = seen.values / self.parts
        low = np.zeros(self.instances.size) if known is None else known
        more = (state >= 0) & (seen.values > NO_CLASS) & ((value > low + LEAST * (1.0 + np.abs(low))) | (known is None))
        begins, members = self.instances.begins, self.instances.members
        t = self.counts.size
        parts: list[tuple[Int64, NDArray[np.int64], Float64]] = []
        right: list[float] = []
        owner: list[int] = []
        for g in np.flatnonzero(more).tolist():
            take = seen.takes[begins[g] : begins[g + 1]]
            used = np.flatnonzero(take)
            name = g.to_bytes(8, "little") + take.astype(np.int64).tobytes()
            if not used.size or name in self._joined:
                continue
            self._joined.add(name)
            rows = np.full(used.size + 2, len(owner), np.int64)
            columns = np.concatenate((members[begins[g] + used], [t + g, t + self.instances.size + g])).astype(np.int64)
            parts.append((rows, columns, np.concatenate((-take[used], [1.0, 1.0]))))
            right.append(-float(self.instances.costs[g]) * float(take.sum()))
            owner.append(g)
        if not owner:
            return False
        assert self._linear is not None
        entries = tuple(np.concatenate(part) for part in zip(*parts, strict=True))
        self._linear.add(rows_of([entries], [(np.array(right), np.full(len(right), np.inf))]))  # type: ignore[list-item]
        self._owner.append(np.array(owner, np.int64))
        return True
