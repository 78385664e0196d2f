"""Rows as the vertices of a matching, and what pairs and triples of them cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import gcd, prod
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from incrowd.kernels.matching import metric as kernel
from incrowd.kernels.matching.metric import FAR, Flat, Wide
from incrowd.tables.solve.matching.tuning import ask

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.protocols import PatternSet
    from incrowd.tables.values import Int32, Int64, Levels

Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class Metric:
    r"""The cost per row f(g) of every pair and triple of rows; C(g) = \|g\| f(g).

    f only needs to be **monotone**: if g is allowed, so is every part g' of at least two rows, and f(g') <= f(g). That
    is so

    * for suppression with weights: f sums over the columns on which g differs, and g' differs on no more;
    * for hierarchies: f sums the costs of the lowest common nodes; the one of g' lies below that of g in
      every column, and costs do not fall with the level;
    * under a mask: f is the least cost of an allowed vector above the common levels of g; every such vector
      lies above those of g' too and shows it the same nodes;
    * for 2-diversity by frequency on one or two sensitive columns: classes whose rows differ pairwise there
      are allowed, and so is every part of them.

    From it both conditions of Simplex Matching follow: parts of an allowed triple are allowed, and 2 C(uvw) = 6 f(uvw)
    >= 2 (f(uv) + f(uw) + f(vw)) = C(uv) + C(uw) + C(vw). `rows`, `steps`: (n, L) int32, node and cost step per row and
    line, see `incrowd.kernels.matching.metric`. `codes`, `wide_steps`: (L, n), a small unsigned type or int32. `sens`:
    (n, s) int32, s = 0, 1 or 2. `base`, `ksteps`: (n, w), (n, w, L) int64. `table`: None where the mask allows every
    vector. `most`: the greatest cost per row that a class can have without the mask. `divisor`: common divisor of all
    costs; everything here is divided by it.
    """

    rows: Int32
    steps: Int32
    codes: NDArray[Any]
    wide_steps: NDArray[Any]
    sens: Int32
    base: Int64
    ksteps: Int64
    table: KeyTable | None
    most: int
    divisor: int

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.rows.shape[0])

    @property
    def mode(self) -> int:
        """Return how the kernels find costs."""
        return kernel.SUM if self.table is None else self.table.mode

    @property
    def flat(self) -> Flat:
        """The record for single pairs and triples."""
        keys, values, wanted = self._held()
        return Flat(self.rows, self.steps, self.sens, self.mode, self.base, self.ksteps, keys, values, wanted)

    @property
    def wide(self) -> Wide:
        """The record for one row against many."""
        _, values, wanted = self._held()
        sens = np.ascontiguousarray(self.sens.T)
        base = np.ascontiguousarray(self.base[:, 0])
        return Wide(self.codes, self.wide_steps, sens, base, self.mode, values, wanted)

    def _held(self) -> tuple[Int64, Int64, Int64]:
        if self.table is None:
            return np.zeros((0, 1), np.int64), np.zeros(0, np.int64), np.zeros(2, np.int64)
        return self.table.keys, self.table.values, self.table.wanted

    def take(self, index: NDArray[Any]) -> Metric:
        """Return the metric of some rows, with repetitions if `index` has them.

        `index` is (r,) integers or (n,) bool.
        """
        return Metric(
            self.rows[index], self.steps[index],
            np.ascontiguousarray(self.codes[:, index]), np.ascontiguousarray(self.wide_steps[:, index]),
            self.sens[index], self.base[index], self.ksteps[index], self.table, self.most, self.divisor,
        )  # fmt: skip

    def settled(self, call: Callable[[Flat, Wide], Result], watch: Watch | None = None) -> Result:
        """Call a kernel that changes nothing until all costs that it asks for are known, and return its result.

        `call` is given the two records. Raises Stopped when the watch says so before that.
        """
        while True:
            result = call(self.flat, self.wide)
            if self.table is None or not self.table.resolve(watch):
                return result
            ask(watch)

    def costs(self, classes: NDArray[Any]) -> Int64:
        """Return the cost per row of classes, shape (g,); FAR for what is not allowed.

        `classes` is (g, 3), where a line (i, j, -1) is a pair.
        """
        lines = np.ascontiguousarray(classes, np.int64).reshape(-1, 3)
        found: Int64 = self.settled(lambda flat, _: kernel.costs3(flat, lines))
        return found


def common_divisor(levels: Sequence[Levels]) -> int:
    """Return the greatest common divisor of all costs, 1 if all are zero."""
    return gcd(*(int(c) for level in levels for c in np.unique(level.cost))) or 1


def metric(
    codes: NDArray[Any],
    levels: Sequence[Levels],
    patterns: PatternSet,
    sens: NDArray[Any] | None = None,
    *,
    without_full: bool = False,
) -> Metric:
    """Return the metric of the row types `codes`.

    `codes` is (t, m), and `levels` and `patterns` are as in `incrowd.tables.values.Problem`. `sens` is (t, s): codes of
    one or two sensitive columns, in each of which rows of a class have to differ pairwise. `without_full` takes away
    classes that cost as much as full suppression. Raises OverflowError if a row can cost 2**30 or more after division
    by the common divisor. O(t L) time and memory, L the sum of the heights.
    """
    t = codes.shape[0]
    divisor = common_divisor(levels)
    full = sum(int(level.cost[-1].max(initial=0)) for level in levels) // divisor
    if full >= FAR:
        raise OverflowError(f"a row can cost {full} units")
    table = None
    if patterns.count() < prod(level.height + 1 for level in levels):
        table = KeyTable.of(levels, patterns, divisor, full if without_full else None)
    words = table.words if table else 1
    nodes, steps, ksteps = [], [], []
    base = np.zeros((t, words), np.int64)
    for j, level in enumerate(levels):
        value = codes[:, j]
        if table:
            base[:, table.word[j]] += table.factor[j] * table.classes[j][0][value]
        for here in range(level.height):
            node = np.unique(level.up[here][value], return_inverse=True)[1].reshape(-1)
            step = (level.cost[here + 1] - level.cost[here])[value] // divisor
            if node.max(initial=0) == 0 or (table is None and not step.any()):
                continue
            nodes.append(node)
            steps.append(step)
            if table:
                kstep = np.zeros((t, words), np.int64)
                rise = table.classes[j][here + 1] - table.classes[j][here]
                kstep[:, table.word[j]] = table.factor[j] * rise[value]
                ksteps.append(kstep)
    rows = np.stack(nodes, axis=1).astype(np.int32) if nodes else np.zeros((t, 0), np.int32)
    flat_steps = np.stack(steps, axis=1).astype(np.int32) if nodes else np.zeros((t, 0), np.int32)
    shape = (t, words, len(ksteps))
    keys = np.stack(ksteps, axis=2) if ksteps else np.zeros(shape, np.int64)
    dense_keys = table is not None and table.mode == kernel.TABLE
    wide_steps = keys[:, 0, :] if dense_keys else flat_steps
    # What one row can add up to in a block.
    most = int(wide_steps.sum(axis=1).max(initial=0))
    largest = max(most, int(rows.max(initial=0)))
    kind = np.uint8 if largest < 1 << 8 else np.uint16 if largest < 1 << 16 else np.int32
    return Metric(
        rows, flat_steps,
        np.ascontiguousarray(rows.T.astype(kind)), np.ascontiguousarray(wide_steps.T.astype(kind)),
        np.zeros((t, 0), np.int32) if sens is None else np.ascontiguousarray(sens, np.int32).reshape(t, -1),
        base, keys, table, full, divisor,
    )  # fmt: skip


# What classes cost under a mask, by the keys that occur.
#
# The *key* of a class says per column the lowest level at which its rows agree, and what the levels from there on cost
# at the node they share (the level alone where costs depend on nothing else). Its cost is that of the cheapest pattern
# of the mask above; only keys that a kernel asked for are ever looked up.

# Up to so many possible keys the costs lie in a plain table.
SMALL = 1 << 16
WORD = 1 << 62
# Keys looked up between two looks at the watch.
ASK = 256


@dataclass(eq=False)
class KeyTable:
    """Costs by key; the kernels note the keys they miss, `resolve` fills them in.

    `classes`: per column and level the class of every value, (h + 1, d) each. `chains`: per column and class the pair
    (level, costs of the levels 0..h).
    """

    patterns: PatternSet
    divisor: int
    without_full: int | None
    classes: list[Int64]
    chains: list[list[tuple[int, tuple[int, ...]]]]
    word: list[int]
    factor: list[int]
    mode: int
    keys: Int64
    values: Int64
    wanted: Int64 = field(default_factory=lambda: np.zeros(2, np.int64))

    @staticmethod
    def of(levels: Sequence[Levels], patterns: PatternSet, divisor: int, without_full: int | None) -> KeyTable:
        """Return the table for a mask.

        The costs held are divided by `divisor`, the common divisor of all costs. Where `without_full` is given, classes
        of this cost per row (full suppression) are treated as not allowed: their rows leave one by one.
        """
        classes, chains, word, factor = [], [], [], []
        words, product = 0, 1
        for level in levels:
            found: dict[tuple[int, tuple[int, ...]], int] = {}
            table = np.empty(level.cost.shape, np.int64)
            _, first, back = np.unique(level.cost, axis=1, return_index=True, return_inverse=True)
            costs = [tuple(int(c) for c in level.cost[:, at]) for at in first]
            for here in range(level.height + 1):
                kinds = [found.setdefault((here, (0,) * here + c[here:]), len(found)) for c in costs]
                table[here] = np.array(kinds, np.int64)[back.reshape(-1)]
            if product * len(found) >= WORD:
                words, product = words + 1, 1
            classes.append(table)
            chains.append(list(found))
            word.append(words)
            factor.append(product)
            product *= len(found)
        small = words == 0 and product <= SMALL
        size = product if small else 1 << 12
        return KeyTable(
            patterns, divisor, without_full, classes, chains, word, factor,
            kernel.TABLE if small else kernel.HASH,
            np.zeros((0 if small else size, words + 1), np.int64),
            np.full(size, -1, np.int64),
        )  # fmt: skip

    @property
    def words(self) -> int:
        """Words of a key."""
        return int(self.keys.shape[1])

    def resolve(self, watch: Watch | None = None) -> bool:
        """Look up the keys that were asked for in vain; True if there were any.

        Raises Stopped when the watch says so; a kernel then asks again for what is missing.
        """
        if not self.wanted[0]:
            return False
        self.wanted[0] = 0
        for at, slot in enumerate(np.flatnonzero(self.values == -2)):
            if at % ASK == 0:
                ask(watch)
            words = [int(slot)] if self.mode == kernel.TABLE else [int(w) for w in self.keys[slot]]
            self.values[slot] = self._cost(words)
        if self.mode == kernel.HASH and 4 * self.wanted[1] >= self.values.size:
            self._grow()
        return True

    def _cost(self, words: list[int]) -> int:
        vector, costs = [], []
        for j, chain in enumerate(self.chains):
            level, cost = chain[words[self.word[j]] // self.factor[j] % len(chain)]
            vector.append(level)
            costs.append(cost)
        found = self.patterns.cheapest_above(vector, costs)
        if found is None:
            return kernel.FAR
        cost_ = sum(cost[level] for cost, level in zip(costs, found, strict=True)) // self.divisor
        return kernel.FAR if cost_ == self.without_full else cost_

    def _grow(self) -> None:
        held = np.flatnonzero(self.values != -1)
        keys, values = self.keys[held], self.values[held]
        size = 4 * self.values.size
        self.keys = np.zeros((size, self.words), np.int64)
        self.values = np.full(size, -1, np.int64)
        kernel.insert(self.keys, self.values, keys, values)
