"""What a measure must know beside the release, and the aggregates that several measures share."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

import ibis

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from fractions import Fraction

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Expanded, Table
    from incrowd.tables.values import Problem

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureContext:
    """What was asked of a release, as far as a measure needs it.

    `problem`: what the release solves; ``release.parts`` names its row types by their index. `numeric`: names of the
    quasi-identifiers that hold numbers. `ranges`: whether changed cells show the range of their class and not a node;
    every class then has k rows. `numbers`: by the place of a numeric quasi-identifier with a hierarchy, its values by
    their codes; None is a missing one. `dictionaries`: by quasi-identifier its distinct values (``value{j}``) and their
    codes (``code{j}``), where row types stay in the engine: measures count there then. `memo`: what several measures of
    one release share, computed once; not part of the context's value.
    """

    problem: Problem
    numeric: tuple[str, ...] = ()
    ranges: bool = False
    numbers: Mapping[int, Sequence[Fraction | None]] = field(default_factory=dict)
    dictionaries: tuple[ir.Table, ...] = ()
    memo: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def rows(self) -> int:
        """Rows of the table, at least 1."""
        return self.problem.types.n


@dataclass(frozen=True, slots=True)
class ClassSizes:
    """How many classes there are of each size.

    `classes`: tuple of (int, int), size and number of classes of that size, by increasing size; at most about sqrt(2 n)
    entries. `outliers`: fully suppressed rows that are no class (0 under ``outliers="forbid"``).
    """

    classes: tuple[tuple[int, int], ...]
    outliers: int

    @classmethod
    def of(cls, engine: Engine, classes: ir.Table) -> Self:
        """Count classes, a line each with its ``size`` and whether it is an ``outlier``: a histogram is fetched."""
        histogram = classes.group_by("outlier", "size").aggregate(times=classes.count()).order_by("size")
        found = [(one["outlier"], int(one["size"]), int(one["times"])) for one in engine.fetch(histogram).to_pylist()]
        return cls(
            tuple((size, times) for outlier, size, times in found if not outlier),
            sum(size * times for outlier, size, times in found if outlier),
        )

    @property
    def count(self) -> int:
        """Number of classes."""
        return sum(times for _, times in self.classes)

    @property
    def rows(self) -> int:
        """Rows in classes."""
        return sum(size * times for size, times in self.classes)

    def facts(self) -> dict[str, Any]:
        """Return ``count``, and where there are classes ``min``, ``mean`` and ``max``, else None."""
        some = bool(self.classes)
        return {
            "count": self.count,
            "min": self.classes[0][0] if some else None,
            "mean": self.rows / self.count if some else None,
            "max": self.classes[-1][0] if some else None,
        }


def counted_once(count: Callable[[Expanded, MeasureContext], T]) -> Callable[[Expanded, MeasureContext], T]:
    """Return a function that counts something of a release once for all the measures that ask."""

    @functools.wraps(count)
    def known(release: Expanded, context: MeasureContext) -> T:
        if count not in context.memo:
            context.memo[count] = count(release, context)
        return cast("T", context.memo[count])

    return known


@counted_once
def class_sizes(release: Expanded, context: MeasureContext) -> ClassSizes:
    """Return the sizes of the classes of a release.

    Of the release only its parts are read. A class is a class of the plan, also where a star is written as NULL and
    reads like a shown NULL. Two GROUP BYs over the parts: time grows with the row types, memory with the classes. What
    leaves the engine is a histogram, whose sums Python takes exactly.
    """
    engine = release.table.engine
    parts = release.parts.mutate(outlier=is_outlier(release.parts, context))
    classes = parts.group_by("group", "outlier").aggregate(size=parts["rows"].sum())
    with engine.guard("measuring the classes"):
        return ClassSizes.of(engine, classes)


def is_outlier(parts: ir.Table, context: MeasureContext) -> ir.BooleanValue:
    """Tell of each part whether it is fully suppressed and needs no crowd. `parts` are as ``release.parts``."""
    top = context.problem.top
    if context.ranges or context.problem.outliers == "forbid" or not any(top):
        return ibis.literal(False)
    return ibis.and_(*(parts[f"l{j}"] == level for j, level in enumerate(top)))


# Columns that pass unchanged, and how nearly unique they are: what could undo a release.
NEARLY_UNIQUE = 0.5


def kept_columns(table: Table) -> list[dict[str, Any]]:
    """Return of every kept column ``name``, ``role``, ``distinct`` and ``nearly_unique``: one aggregate over the rows.

    The role is ``sensitive`` or ``other``, NULL is left out of the distinct values, and nearly unique is a column that
    has at least half as many as there are rows.
    """
    kept = table.others
    if not kept:
        return []
    engine = table.engine
    with engine.guard("counting the kept columns' values"):
        found = engine.one(table.data.aggregate(**{c.id: engine.text(table.data[c.id]).nunique() for c in kept}))
    distinct = [int(found[c.id]) for c in kept]
    return [
        {"name": c.name, "role": c.role, "distinct": n, "nearly_unique": n > 1 and n >= NEARLY_UNIQUE * table.rows}
        for c, n in zip(kept, distinct, strict=True)
    ]
