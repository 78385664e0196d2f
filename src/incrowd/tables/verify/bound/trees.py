"""The check's reading of one component's cuts and tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from incrowd.tables.verify.bound import lattice
from incrowd.tables.verify.bound.strict_numbers import LIMIT, Unreadable, entries

if TYPE_CHECKING:
    from collections.abc import Sequence

DEEPEST = 400

Int64 = NDArray[np.int64]
# Divisor, side, instances, their coefficients, pairs, their coefficients.
Counted = tuple[int, int, Int64, Int64, Int64, Int64 | int]
Same = Callable[[tuple[int, ...], int, NDArray[np.integer]], NDArray[np.bool_]]


class Component:
    """One component's instances, numbered as its tree names them.

    `which`, `begins`, `members`, `costs` and `needs` are of all instances; those that need a crowd belong to the
    component of their types. `ask` is called at every cut and leaf, and ends the recount by an exception. labels: (t,)
    int64, component of every type; counts, prices: (t,) int64; vectors: (p, m) int64.
    """

    def __init__(
        self,
        number: int,
        labels: Int64,
        which: NDArray[np.integer],
        begins: Int64,
        members: NDArray[np.integer],
        counts: Int64,
        costs: Int64,
        needs: Int64,
        vectors: Int64,
        parts: int,
        k: int,
        prices: Int64,
        ask: Callable[[], object] = lambda: None,
    ) -> None:
        self.ask = ask
        self.types = np.flatnonzero(labels == number)
        local = np.full(len(labels), -1, np.int64)
        local[self.types] = np.arange(self.types.size)
        owners = np.repeat(np.arange(len(which)), np.diff(begins))
        inside = labels[members] == number
        mine, lengths = np.unique(owners[inside], return_counts=True)
        self.members = local[members[inside]].astype(np.int32)
        self.begins = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
        self.owners = np.repeat(np.arange(mine.size), lengths)
        self.counts = counts[self.types]
        self.scaled = costs[mine] * parts
        self.needs = needs[mine]
        self.vectors = vectors[which[mine]]
        self.firsts = members[begins[mine]]
        self.rows = np.add.reduceat(self.counts[self.members], self.begins[:-1]) if mine.size else needs[:0]
        self.prices = prices[self.types]
        self.local = local
        self.k = k
        self.by_vector: dict[tuple[int, ...], list[int]] = {}
        for g, vector in enumerate(self.vectors.tolist()):
            if self.needs[g] > 0:
                self.by_vector.setdefault(tuple(vector), []).append(g)

    def value(self, tree: Mapping[str, Any], same: Same) -> int | None:
        """Return what the tree proves, in parts; None when a cut or a name does not hold."""
        named = []
        for name in entries(tree, "instances"):
            g = self._named(name, same)
            if g is None:
                return None
            named.append(g)
        cuts = []
        for cut in entries(tree, "cuts"):
            self.ask()
            known = self._cut(cut, named)
            if known is None:
                return None
            cuts.append(known)
        return self._node(tree.get("tree"), named, cuts, {}, 0)

    def _named(self, name: Any, same: Same) -> int | None:
        m = self.vectors.shape[1]
        if not isinstance(name, list) or len(name) != m + 1 or not all(type(x) is int for x in name):
            raise Unreadable("an instance is not named by its levels and a row type")
        *vector, one = name
        if not 0 <= one < self.local.size or self.local[one] < 0:  # [B1]
            return None
        options = np.array(self.by_vector.get(tuple(vector), []), np.int64)
        if not options.size:
            return None
        hits = options[same(tuple(vector), one, self.firsts[options])]
        return int(hits[0]) if hits.size else None

    def _cut(self, cut: Any, named: list[int]) -> Counted | None:
        """Return divisor, side, instances, their coefficient, pairs and their coefficient; None if it is wrong."""
        kind = cut.get("kind") if isinstance(cut, dict) else None
        none = np.zeros(0, np.int64)
        if kind == "C":  # [C1]
            chosen = _chosen(cut, named)
            sets = [self.members[self.begins[g] : self.begins[g + 1]] for g in chosen]
            for a in range(len(chosen)):
                for b in range(a):
                    if int(self.counts[np.union1d(sets[a], sets[b])].sum()) >= 2 * self.k:
                        return None
            return 1, 1, np.array(chosen, np.int64), np.ones(len(chosen), np.int64), none, 0
        if kind == "T":  # [C2]
            types = self._types(cut)
            rows = int(self.counts[types].sum())
            if rows % self.k == 0:
                return None
            chosen = _chosen(cut, named)
            outside = np.ones(self.types.size, bool)
            outside[types] = False
            picked = np.zeros(len(self.scaled), bool)
            picked[chosen] = True
            pairs = np.flatnonzero(picked[self.owners] & outside[self.members])
            ones = np.ones(len(chosen), np.int64)
            return self.k - rows % self.k, rows // self.k, np.array(chosen, np.int64), ones, pairs, -1
        if kind == "F":  # [C4]
            return self._flow(cut, named)
        if kind == "S":  # [C3]
            types = self._types(cut)
            if types.size != 3 or (self.counts[types] != 1).any():
                return None
            chosen, places = [], []
            for entry in entries(cut, "pairs"):
                if not isinstance(entry, list) or len(entry) != 3 or not all(type(x) is int for x in entry):
                    raise Unreadable("a pair of a cut is no instance with two row types")
                g = _index(entry[0], named)
                two = {entry[1], entry[2]}
                if len(two) != 2 or not two <= set(self.types[types].tolist()) or g in chosen:
                    return None
                here = np.arange(self.begins[g], self.begins[g + 1])
                mine = here[np.isin(self.types[self.members[here]], sorted(two))]
                if mine.size != 2:
                    return None
                chosen.append(g)
                places += mine.tolist()
            return 1, 1, np.array(chosen, np.int64), -np.ones(len(chosen), np.int64), np.array(places, np.int64), 1
        raise Unreadable("a cut is none of T, C, S, F")

    def _flow(self, cut: Mapping[str, Any], named: list[int]) -> Counted | None:
        """Return the flow cut of T (types), G (part) and H (full); None if it is wrong.

        Left of T's rows when all h of H are open: c = N - k h, and what H holds outside T on top. With z of H closed
        and one of G open, G holds c + k z and the rows of H outside T at most, each of G its rows of T at most.
        """
        types = self._types(cut)
        part, full = _chosen(cut, named, "part"), _chosen(cut, named, "full")
        inside = np.zeros(self.types.size, bool)
        inside[types] = True
        left = int(self.counts[types].sum()) - self.k * len(full)
        if left < 0 or set(part) & set(full) or (self.needs[part + full] != self.k).any():
            return None
        over = 0
        for g in part:
            own = self.members[self.begins[g] : self.begins[g + 1]]
            over += max(int(self.counts[own[inside[own]]].sum()) - left, 0)
        weight = min(self.k, over)
        mine = np.isin(self.owners, part) & inside[self.members]
        beyond = np.isin(self.owners, full) & ~inside[self.members]
        pairs = np.flatnonzero(mine | beyond)
        opens = np.array([-left] * len(part) + [weight] * len(full), np.int64)
        values = np.where(mine[pairs], 1, -1).astype(np.int64)
        return 1, weight * len(full), np.array(part + full, np.int64), opens, pairs, values

    def _types(self, cut: Mapping[str, Any]) -> Int64:
        given = entries(cut, "types")
        if not all(type(i) is int and 0 <= i < self.local.size and self.local[i] >= 0 for i in given):
            raise Unreadable("a cut names row types that are not in its component")
        if len(set(given)) != len(given):
            raise Unreadable("a cut names a row type twice")
        return self.local[np.array(given, np.int64)]

    def _node(self, node: Any, named: list[int], cuts: list[Counted], state: dict[int, int], depth: int) -> int | None:
        if not isinstance(node, dict) or depth > DEEPEST:
            raise Unreadable("a tree's node is no object, or too deep")
        if "instance" in node:
            g = _index(node["instance"], named)
            if g in state:
                raise Unreadable("a tree branches twice on an instance")
            sides = []
            for name, mark in (("closed", -1), ("open", 1)):
                side = self._node(node.get(name), named, cuts, {**state, g: mark}, depth + 1)
                if side is None:
                    return None
                sides.append(side)
            return min(sides)  # [B2]
        return self._leaf(node, cuts, state)

    def _steepest(self, cuts: list[Counted], at: int) -> int:
        """Return the largest coefficient of a cut, at least 1."""
        return max(1, int(np.abs(cuts[at][3]).max(initial=1))) if 0 <= at < len(cuts) else 1

    def _leaf(self, leaf: Mapping[str, Any], cuts: list[Counted], state: dict[int, int]) -> int | None:
        moves, weights = _pairs(leaf, "prices"), _pairs(leaf, "weights")
        # [B4] Every number below is at most one of these sums, so nothing wraps around.
        moved = sum(abs(move) for _, move in moves)
        weighed = sum(abs(weight) * self._steepest(cuts, at) for at, weight in weights)
        largest = int(np.abs(self.prices).max(initial=0)) + moved + int(self.scaled.max(initial=0)) + weighed
        rows = int(self.counts[self.members].sum()) + int(self.counts.sum())
        if (largest * rows + weighed * (len(self.scaled) + self.k)) * 4 >= LIMIT:
            raise Unreadable("a leaf's numbers are too large to be added up")
        prices = self.prices.copy()
        for at, move in moves:
            if not 0 <= at < prices.size:
                raise Unreadable("a leaf moves the price of no row type")
            prices[at] += move  # [B3]
        extra = np.zeros(self.members.size, np.int64)
        fixed = np.zeros(len(self.scaled), np.int64)
        constant = 0
        for at, weight in weights:
            if not 0 <= at < len(cuts):
                raise Unreadable("a leaf weighs a cut that is not there")
            divisor, side, chosen, opens, places, value = cuts[at]
            if weight < 0 or weight % divisor:  # [B4]
                return None
            constant -= weight * side
            fixed[chosen] += weight * opens
            extra[places] += weight // divisor * value
        marks = np.zeros(len(self.scaled), np.int8)
        for g, mark in state.items():
            marks[g] = mark
        adds = lattice.worth(
            self.begins,
            self.members,
            self.counts,
            self.scaled,
            self.needs,
            prices,
            extra,
            fixed,
            marks,
            self.ask,
        )
        return int((prices * self.counts).sum()) + constant + int(adds.sum())


def _pairs(source: Mapping[str, Any], name: str) -> list[tuple[int, int]]:
    pairs = []
    for entry in entries(source, name):
        if not isinstance(entry, list) or len(entry) != 2 or not all(type(x) is int for x in entry):
            raise Unreadable(f"{name} of a leaf holds something else than pairs of whole numbers")
        pairs.append((entry[0], entry[1]))
    return pairs


def _index(value: Any, named: list[int]) -> int:
    if type(value) is not int or not 0 <= value < len(named):
        raise Unreadable("an instance that the tree does not list")
    return named[value]


def _chosen(cut: Mapping[str, Any], named: list[int], name: str = "instances") -> list[int]:
    chosen = [_index(value, named) for value in entries(cut, name)]
    if len(set(chosen)) != len(chosen):
        raise Unreadable("a cut names an instance twice")
    return chosen


# The check's reading of cuts over the whole lattice: prices, and multipliers of cuts on named instances.
#
# Where there are no components, the walk over the patterns (`lattice`) lists only the instances that may add something
# below 0 at the prices. A cut's terms can bring others below 0: every instance that a proof names is listed here beside
# them, in full, counted from the row types. All others have no part in any cut and are priced as they are, so the sum
# over both is a bound. To list an instance that no least release needs can only lower it.
MOST_MEMBERS = 1 << 26  # [I4] of all listed instances; 16 bytes and more each


@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """Instances: pattern of each, their row types one after another (``members``), and rows that each needs."""

    which: NDArray[np.int32]
    begins: Int64
    members: NDArray[np.int32]
    needs: Int64


class View(Protocol):
    """What the check knows of the table."""

    @property
    def vectors(self) -> Int64:
        """The allowed level vectors, shape (p, m)."""
        ...

    def ask(self) -> object:
        """End the recount by an exception where it shall stop."""
        ...

    def number(self, vector: Sequence[int]) -> int:
        """Return the number of an allowed level vector, -1 for any other."""
        ...

    def same(self, vector: tuple[int, ...], one: int, types: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Return which types show under a level vector what type `one` shows."""
        ...

    def costs(self, which: NDArray[np.integer], types: NDArray[np.integer]) -> Int64:
        """Return the scaled cost of a row per instance, given by pattern and one of its types."""
        ...


def proven(
    trees: list[Any], known: Listed, view: View, counts: Int64, k: int, free: int, parts: int, prices: Int64
) -> int | None:
    """Return what one tree proves over all instances, in parts; None when a part of it does not hold.

    `trees` comes from the certificate and holds one tree at most. `free` is the place of the pattern of full
    suppression that holds any number of rows, -1 where there is none. `counts` (t,) holds the rows of each type,
    `prices` (t,) the price per row of each type, in `parts` of a scaled unit. May raise `Unreadable`.
    """
    tree = trees[0]
    component = tree.get("component") if isinstance(tree, dict) else None
    if len(trees) != 1 or type(component) is not int or component != 0:
        raise Unreadable("without components there is one tree at most, of component 0")
    leaf = tree.get("tree")
    if not isinstance(leaf, dict) or "instance" in leaf or leaf.get("prices") != []:
        # [L1] What is listed was listed at the certificate's prices: at others more instances might add below 0.
        raise Unreadable("without components the tree is one leaf that moves no price")
    listed = with_named(tree, known, view, len(counts), k, free)
    if listed is None:
        return None
    costs = view.costs(listed.which, listed.members[listed.begins[:-1]])
    everywhere = Component(
        0, np.zeros(len(counts), np.int64), listed.which, listed.begins, listed.members, counts, costs, listed.needs,
        view.vectors, parts, k, prices, view.ask,
    )  # fmt: skip
    return everywhere.value(tree, view.same)  # [L3]


def with_named(tree: Mapping[str, Any], known: Listed, view: View, t: int, k: int, free: int) -> Listed | None:
    """Return the known instances and those that a tree names beside them.

    It is None when something named is no instance that needs a crowd. The tree has a list ``instances`` of level
    vectors, each with one row type. The members of `known` increase inside an instance, `t` is the number of row types,
    and `k` the rows that an instance needs. The pattern `free` needs no crowd, -1 stands for none. Takes O(m t) for
    each name. May raise `Unreadable`.
    """
    names = entries(tree, "instances")
    have = set(zip(known.which.tolist(), known.members[known.begins[:-1]].tolist(), strict=True))
    which: list[int] = []
    extents: list[NDArray[np.int32]] = []
    every, room = np.arange(t), MOST_MEMBERS
    for name in names:
        if not isinstance(name, list) or len(name) < 1 or not all(type(x) is int for x in name):
            raise Unreadable("an instance is not named by its levels and a row type")
        *vector, one = name
        number = view.number(vector)
        if number < 0 or number == free or not 0 <= one < t:  # [L2]
            return None
        extent = np.flatnonzero(view.same(tuple(vector), one, every)).astype(np.int32)
        key = (number, int(extent[0]))
        if key not in have:
            have.add(key)
            which.append(number)
            extents.append(extent)
            room -= len(extent)
            if room < 0:
                raise Unreadable("it names too many instances to be recounted")
    lengths = np.array([len(extent) for extent in extents], np.int64)
    return Listed(
        np.concatenate((known.which, np.array(which, np.int32))),
        np.concatenate((known.begins, known.begins[-1] + np.cumsum(lengths))).astype(np.int64),
        np.concatenate((known.members, *extents)).astype(np.int32),
        np.concatenate((known.needs, np.full(len(which), k, np.int64))),
    )
