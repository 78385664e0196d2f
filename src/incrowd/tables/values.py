"""The values that travel between the stages.

A table of n rows is compressed to its t row types over m quasi-identifiers. Solvers see integer codes, counts
and integer costs only; a plan says how many rows of which type go to which class; the engine expands it.
**A pattern is a vector of levels**: per quasi-identifier 0 = shown as it is ... h = top = star. An *instance* is a
pattern with the nodes it shows. Pure suppression is h = 1. What plugs in is described in `protocols.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from incrowd.tables.row_numbers import added_up

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from incrowd.tables.protocols import PatternSet, Requirement
    from incrowd.tables.range_columns import RangedColumn


Outliers = Literal["forbid", "suppress"]
Status = Literal["optimal", "gap", "time_limit", "heuristic", "interrupted"]
Proof = Literal["certificate", "solver", "none"]

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Int8 = NDArray[np.int8]


@dataclass(frozen=True, slots=True, eq=False)
class RowTypes:
    """The distinct rows of a table on its quasi-identifiers, with their counts.

    Where requirements need it, rows are told apart by their sensitive values too. `codes`: (t, m) int32, code of the
    value of type i in column j: its rank among the column's distinct values by UTF-8 bytes, NULL first. Rows are
    distinct and in lexicographic order, so the index of a type is its rank in the table sorted by UTF-8 bytes.
    `counts`: (t,) int64, rows of each type, at least 1. `sizes`: (m,) tuple of int, distinct values per column (NULL
    counts as one). `kinds`: (t,) int32, combination of sensitive values of each type, an index into `Sensitive.codes`
    (None: no requirement needs them). Types are then distinct on codes and kind together, in that lexicographic order.
    """

    codes: Int32
    counts: Int64
    sizes: tuple[int, ...]
    kinds: Int32 | None = None

    @property
    def t(self) -> int:
        """Number of row types."""
        return int(self.codes.shape[0])

    @property
    def m(self) -> int:
        """Number of quasi-identifiers."""
        return int(self.codes.shape[1])

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.counts.sum())

    def sample(self, rows: int, seed: int) -> RowTypes:
        """Return the types of some rows, drawn without replacement; of all where there are no more."""
        if rows >= self.n:
            return self
        drawn = np.sort(np.random.default_rng(seed).choice(self.n, rows, replace=False, shuffle=False))
        of = np.searchsorted(np.cumsum(self.counts), drawn, side="right")
        counts = np.bincount(of, minlength=self.t).astype(np.int64)
        keep = counts > 0
        return RowTypes(self.codes[keep], counts[keep], self.sizes, None if self.kinds is None else self.kinds[keep])


@dataclass(frozen=True, slots=True, eq=False)
class Sensitive:
    """The combinations of sensitive values of a table, in codes.

    `codes`: (c, s) int32, code of the value of each combination (kind) in each sensitive column: its rank by UTF-8
    bytes, NULL first. Kinds are distinct and in lexicographic order. `names`: (s,) tuple of str, the columns that
    requirements name, in the table's order. `sizes`: (s,) tuple of int, distinct values per column (NULL counts as
    one).
    """

    codes: Int32
    names: tuple[str, ...]
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """What a model is bound to: the sensitive values of a whole table. It stays out of solvers and messages.

    `values`: (s,) tuple of tuples of str or None, the distinct values of each column in code order, in the engine's one
    spelling (None: NULL). `counts`: (c,) int64, rows of the table with each combination.
    """

    sensitive: Sensitive
    values: tuple[tuple[str | None, ...], ...]
    counts: Int64

    def column(self, name: str) -> int:
        """Return the place of a column among the sensitive ones."""
        return self.sensitive.names.index(name)


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """One quasi-identifier as the solvers see it: its hierarchy in integers.

    `up`: (h + 1, d) int32, ``up[l, v]`` is the node that shows value code v at level l; ``up[0]`` is the identity and
    ``up[h]`` is 0 throughout (the star). Equal at one level means equal at every higher one. `cost`: (h + 1, d) int64,
    ``cost[l, v]`` is the scaled cost of showing value v at level l; equal nodes have equal costs, and costs do not fall
    with the level. ``cost[0]`` is 0 throughout unless the cost has an offset (`user_units`).
    """

    up: Int32
    cost: Int64

    @property
    def height(self) -> int:
        """The top level h."""
        return int(self.up.shape[0]) - 1

    @property
    def uniform(self) -> bool:
        """True when the cost depends on the level alone, not on the node."""
        return bool((self.cost == self.cost[:, :1]).all())


@dataclass(frozen=True, slots=True, eq=False)
class PatternBlock:
    """Some allowed patterns, by increasing cost.

    `levels`: (b, m) int8, the level vectors. `costs`: (b,) int64, for each the least scaled cost that a row can have
    under it (the cost itself where costs are uniform).
    """

    levels: Int8
    costs: Int64


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """What a solver is asked: row types -> classes.

    Every class needs `k` rows. Under ``outliers="suppress"`` rows in the all-star instance need no crowd (they are
    outliers, at full price). Costs are integers: one unit of the user's cost is `scale` of them. `k`: at least 1 and at
    most n. `scale`: scaled cost of one unit of the user's cost. `requirements`: what every class has to meet beside its
    k rows; fully suppressed rows are a class and are judged, also under ``outliers="suppress"``. `sensitive`: what
    `RowTypes.kinds` stands for. `columns`: names of the quasi-identifiers, for messages. `places`: tuple of (d,) int64
    or None, one per quasi-identifier, or empty, where each value code lies among a column's numbers, 0 (NULL) to 2^30,
    for cuts into ranges (None: no numbers). `most_suppressed`: rows that may be fully suppressed at most (None: all of
    them).
    """

    types: RowTypes
    levels: tuple[Levels, ...]
    patterns: PatternSet
    k: int
    outliers: Outliers = "forbid"
    scale: int = 1
    requirements: tuple[Requirement, ...] = ()
    columns: tuple[str, ...] = ()
    sensitive: Sensitive | None = None
    places: tuple[Int64 | None, ...] = ()
    most_suppressed: int | None = None
    ranges: tuple[RangedColumn | None, ...] = ()  # what may show any range of a grid, by quasi-identifier, or empty
    gaps: tuple[int, ...] = ()  # where stars are NULL and values missing: the columns whose code 0 is a missing value
    unsure: bool = False  # whether what is proven of the problem is not of all releases, for a gap may stand for a star
    kinds: PatternSet | None = None  # beside `ranges`: a mask, ranged columns at 0 (value), 1 (range) or 2 (star)

    @property
    def top(self) -> tuple[int, ...]:
        """The all-star vector."""
        return tuple(level.height for level in self.levels)

    @property
    def uniform(self) -> bool:
        """True when the cost of a row depends on its pattern alone."""
        return all(level.uniform for level in self.levels)

    def floor_costs(self) -> list[list[int]]:
        """Return per column and level the least cost of any value: a lower bound on a pattern's cost."""
        return [[int(c) for c in level.cost.min(axis=1)] for level in self.levels]

    def ties(self) -> list[list[int]]:
        """Return the weights of the greedy's tie rule: how many distinct values a level blots out.

        Patterns of equal cost and equally many stars that blot out larger domains come first; where those are equal
        too, stars in earlier columns (a weight too small to decide anything else).
        """
        m = len(self.levels)
        held = [[int(np.count_nonzero(np.bincount(nodes))) for nodes in level.up] for level in self.levels]
        return [
            [(nodes[0] - n) * m * (m + 1) + (m - j) * (l == len(nodes) - 1) for l, n in enumerate(nodes)]  # noqa: E741
            for j, nodes in enumerate(held)
        ]

    def row_costs(self, vector: NDArray[Any] | Sequence[int]) -> Int64:
        """Return the scaled cost of one row of every type under the level vector, shape (t,)."""
        total = np.zeros(self.types.t, np.int64)
        for j, level in enumerate(self.levels):
            total += level.cost[int(vector[j])][self.types.codes[:, j]]
        return total


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """How many rows of which type go to which class.

    `levels`: (g, m) int8, level vector of each class; no two classes share an instance. `part_type`, `part_class`: (p,)
    int32, row type and class of each part, in lexicographic order, no pair twice. `part_rows`: (p,) int64, rows of each
    part, at least 1; over a type they sum to its count.
    """

    levels: Int8
    part_type: Int32
    part_class: Int32
    part_rows: Int64

    @property
    def classes(self) -> int:
        """Number of classes, the fully suppressed one included."""
        return int(self.levels.shape[0])

    def sizes(self) -> Int64:
        """Return the rows of each class, shape (g,)."""
        return added_up(self.part_class, self.part_rows, self.classes)

    def paid(self, problem: Problem) -> Int64:
        """Return the scaled cost of a row of each part, shape (p,)."""
        each: Int64 = np.zeros(self.part_type.size, np.int64)
        for j, level in enumerate(problem.levels):
            each += level.cost[self.levels[self.part_class, j], problem.types.codes[self.part_type, j]]
        return each

    def cost(self, problem: Problem) -> int:
        """Return the scaled cost, recounted part by part."""
        return int((self.paid(problem) * self.part_rows).sum())

    def first(self) -> Int64:
        """Return the place of a part of each class, shape (g,)."""
        first = np.zeros(self.classes, np.int64)
        first[self.part_class[::-1]] = np.arange(self.part_class.size)[::-1]
        return first

    def parts_by_class(self) -> list[Int64]:
        """Return the places of the parts of each class."""
        order = np.argsort(self.part_class, kind="stable")
        return np.split(order, np.cumsum(np.bincount(self.part_class, minlength=self.classes))[:-1])

    def by_pattern(self) -> tuple[list[tuple[int, ...]], list[int], list[int]]:
        """Return level vectors with rows and classes of each; a vector comes once for every class that has it."""
        return [tuple(v) for v in self.levels.tolist()], self.sizes().tolist(), [1] * self.classes

    def nodes(self, problem: Problem) -> Int32:
        """Return the nodes each class shows, shape (g, m), read off one of its parts."""
        codes = problem.types.codes[self.part_type[self.first()]]
        shown = [level.up[self.levels[:, j], codes[:, j]] for j, level in enumerate(problem.levels)]
        return np.stack(shown, axis=1).astype(np.int32) if shown else np.zeros((self.classes, 0), np.int32)


@dataclass(frozen=True, slots=True)
class Bound:
    """A lower bound on the scaled cost of every release of a problem.

    `value`: the bound. `checked`: the part of it that can be recounted without a solver (at most `value`). `method`:
    how it was found, in the field's words.
    """

    value: int
    checked: int
    method: str
    certain: bool = True  # False: no certificate recounts any of it, not even 0

    @property
    def proof(self) -> Proof:
        """Return what the whole bound rests on."""
        return "certificate" if self.certain and self.checked >= self.value else "solver"


class Advice(str):
    """A note of a solver that every reader of a summary should see; other notes stand among its details."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """A plan with its bound and how the search ended.

    `notes` are the solver's own words, for those who ask for details; one that is an `Advice` is for everybody.
    `certificate` holds what a stranger needs to recount ``bound.checked``: integers alone, row types by their index
    (None: the bound is not to be recounted).
    """

    plan: Plan
    bound: Bound
    status: Status
    solver: str
    seconds: dict[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    certificate: Mapping[str, Any] | None = None
