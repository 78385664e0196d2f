"""The release as an attacker holds it, what was published about it, and what a rule finds."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from incrowd.tables.row_numbers import row_numbers

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from incrowd.tables.hierarchy import Spec
    from incrowd.tables.mask import PatternMask
    from incrowd.tables.protocols import PatternSet, Requirement
    from incrowd.tables.values import Int8, Int32, Int64, Levels, Outliers

Premise = Literal["valid", "bound", "settled", "program"]
Standing = Literal["proven", "assumed", "no"]


@dataclass(frozen=True, eq=False)
class AttackColumn:
    """What is known of the values of one quasi-identifier.

    `values`: the values known to be possible, at least one (None: a missing value). `closed`: whether no other value is
    possible; only then a value can be determined by excluding the others. `levels`: the nodes and scaled costs of the
    known values. `shown`: (d,) int64, rows of the release that show each value as it is.
    """

    name: str
    values: tuple[str | None, ...]
    closed: bool
    levels: Levels
    shown: Int64

    @property
    def size(self) -> int:
        """Number of known values."""
        return len(self.values)

    @cached_property
    def by_node(self) -> list[tuple[Int64, Int64]]:
        """By level the known values sorted by their nodes, the most shown first, (d,), and where each node's begin."""
        orders = [np.lexsort((-self.shown, up)) for up in self.levels.up]
        return [
            (order, np.searchsorted(up[order], np.arange(int(up.max(initial=0)) + 2)))
            for up, order in zip(self.levels.up, orders, strict=True)
        ]

    def below(self, level: int, value: int) -> Int64:
        """Return the known values that the node of a value at a level stands for, the most shown first."""
        (order, starts), node = self.by_node[level], self.levels.up[level, value]
        return order[starts[node] : starts[node + 1]]


@dataclass(frozen=True, eq=False)
class Released:
    """A release by its classes, with what the policy says of it.

    `levels`: (c, m) int8, level of each class in each column. `reps`: (c, m) int32, a known value below the node that
    the class shows in each column (any, where it shows a star). `sizes`: (c,) int64, rows of each class. `unit_class`,
    `unit_kind`: (u,) int32, the classes again, told apart by the sensitive values that requirements judge: class and
    combination of each unit, in lexicographic order. Without requirements a unit is a class. `unit_rows`: (u,) int64.
    `patterns`: the mask. `scale`: scaled cost of one unit of the user's cost. `requirements`: bound to the sensitive
    values of the release, which are those of the original. `most_suppressed`: rows that may be fully suppressed.
    `costs_known`: whether the release and the policy say what a cell costs (a cost that looks at the original does
    not). `notes`: what has to be said of it. `made`: columns of which one value below every label stands for those that
    the hierarchy was made of.
    """

    columns: tuple[AttackColumn, ...]
    levels: Int8
    reps: Int32
    sizes: Int64
    unit_class: Int32
    unit_kind: Int32
    unit_rows: Int64
    k: int
    outliers: Outliers
    patterns: PatternSet
    scale: int = 1
    requirements: tuple[Requirement, ...] = ()
    most_suppressed: int | None = None
    costs_known: bool = True
    notes: tuple[str, ...] = field(default=())
    made: tuple[str, ...] = field(default=())

    @property
    def m(self) -> int:
        """Number of quasi-identifiers."""
        return len(self.columns)

    @property
    def rows(self) -> int:
        """Rows of the release."""
        return int(self.sizes.sum())

    def cells(self, which: NDArray[np.bool_]) -> int:
        """Return how many cells of rows lie where units are marked, `which` (u, m)."""
        return int((self.unit_rows[:, None] * which).sum())

    @cached_property
    def top(self) -> Int8:
        """The all-star vector."""
        return np.array([column.levels.height for column in self.columns], np.int8)

    @cached_property
    def starred(self) -> NDArray[np.bool_]:
        """Which cells are stars, shape (c, m)."""
        return np.asarray((self.levels == self.top) & (self.top > 0))

    @cached_property
    def full(self) -> NDArray[np.bool_]:
        """Which classes are fully suppressed, shape (c,)."""
        return np.asarray((self.levels == self.top).all(axis=1))

    @cached_property
    def free(self) -> NDArray[np.bool_]:
        """Which classes need no crowd: the fully suppressed rows where outliers are suppressed, shape (c,)."""
        return self.full if self.outliers == "suppress" else np.zeros(self.sizes.size, np.bool_)

    @cached_property
    def costs(self) -> Int64:
        """The scaled cost of a row of each class, shape (c,)."""
        total = np.zeros(self.sizes.size, np.int64)
        for j, column in enumerate(self.columns):
            total += column.levels.cost[self.levels[:, j], self.reps[:, j]]
        return total

    @property
    def cost(self) -> int:
        """The scaled cost of the release."""
        return int((self.costs * self.sizes).sum())

    @cached_property
    def vectors(self) -> tuple[Int8, Int64]:
        """The level vectors in use, shape (p, m), and which of them each class has, shape (c,)."""
        first, which = row_numbers(self.levels.T, len(self.levels))
        return self.levels[first], which

    def nodes(self, classes: NDArray[np.integer], levels: NDArray[np.integer]) -> Int64:
        """Return what classes show when raised to some levels, shape (len(classes), m).

        `classes` is (x,). `levels` is (m,), or (x, m), and has at least the levels of the classes in every column.
        """
        found = [column.levels.up[levels[..., j], self.reps[classes, j]] for j, column in enumerate(self.columns)]
        return np.stack(found, axis=1).astype(np.int64) if found else np.zeros((len(classes), 0), np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Exclusions:
    """Values that cells of units cannot have had; no triple twice, in lexicographic order.

    `unit`, `column`, `value`: (e,) int32, unit of the release, quasi-identifier and known value. `complete`: whether
    the rule looked at everything it could (False: it was cut off; what it found holds). `contradictions`: units whose
    premise cannot hold: every value would be excluded, or a row fits a cheaper class for certain.
    """

    unit: Int32
    column: Int32
    value: Int32
    complete: bool = True
    contradictions: int = 0

    @staticmethod
    def of(
        found: Iterable[tuple[NDArray[np.integer], ...]] = (), *, complete: bool = True, contradictions: int = 0
    ) -> Exclusions:
        """Return exclusions in order, each once, from lists of units, columns and values, (e,) each."""
        lists = np.hstack([np.zeros((3, 0), np.int32), *(np.stack(part).astype(np.int32) for part in found)])
        unit, column, value = lists[:, row_numbers(lists, lists.shape[1])[0]]
        return Exclusions(unit, column, value, complete, contradictions)

    def __or__(self, other: Exclusions) -> Exclusions:
        return Exclusions.of(
            [(one.unit, one.column, one.value) for one in (self, other)],
            complete=self.complete and other.complete, contradictions=self.contradictions + other.contradictions,
        )  # fmt: skip


# What an attack is told of the policy that a release was made under.
@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The policy of a release, as an attacker holds it.

    `names`: quasi-identifiers. `star`: text of a star (None: NULL). `cost`: name of the cost. `hierarchies`: as the
    policy names them. `complete`: whether values that a hierarchy lacks were put under its root. `encoding`: tried for
    files that are not UTF-8. `suppression_limit`: share of the rows that may be fully suppressed. `domains`: by column
    all values that are possible.
    """

    names: tuple[str, ...]
    k: int
    mask: PatternMask
    star: str | None
    outliers: Outliers
    cost: str
    weights: Mapping[str, Fraction]
    requirements: tuple[Any, ...]
    hierarchies: Mapping[str, Spec]
    complete: bool
    encoding: str
    suppression_limit: Fraction | None
    domains: Mapping[str, Sequence[str | None]]

    @property
    def judged(self) -> tuple[str, ...]:
        """The sensitive columns that requirements judge."""
        return tuple(dict.fromkeys(column for model in self.requirements for column in model.judged))
