"""What a measure must know beside the release, and the aggregates that several measures share."""

from __future__ import annotations

import functools
import operator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

import ibis

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from fractions import Fraction

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Expanded, Table
    from incrowd.tables.values import Int64, Levels, Outliers, Problem, RowTypes

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureContext:
    """What was asked of a release, as far as a measure needs it.

    `k`: the k asked, at least 1. `outliers`: whether fully suppressed rows are a class like any other or outliers.
    `heights`: top level of each quasi-identifier, in the order of ``release.table.quasi_identifiers``. A column whose
    top is 0 never holds a star. `numeric`: names of the quasi-identifiers that hold numbers. `rows`: rows of the table,
    at least 1. `types`: the row types that ``release.parts`` names by their index; measures of generalization need
    them. `levels`: the hierarchy of each quasi-identifier, over the codes of `types`. `ranges`: whether changed cells
    show the range of their class (`incrowd.tables.measures.range_values`) and not a node. `places`: tuple of (d,) int64
    or None, see `Problem.places`. `numbers`: by the place of a numeric quasi-identifier with a hierarchy, its values by
    their codes; None is a missing one. `dictionaries`: by quasi-identifier its distinct values (``value{j}``) and their
    codes (``code{j}``), where row types stay in the engine: measures count there then. `gapped`: columns whose code 0
    is a missing value that looks like a star. `memo`: what several measures of one release share, computed once; not
    part of the context's value.
    """

    k: int
    outliers: Outliers
    heights: tuple[int, ...]
    numeric: tuple[str, ...]
    rows: int
    types: RowTypes
    levels: tuple[Levels, ...] = ()
    ranges: bool = False
    places: tuple[Int64 | None, ...] = ()
    numbers: Mapping[int, Sequence[Fraction | None]] = field(default_factory=dict)
    dictionaries: tuple[ir.Table, ...] = ()
    gapped: tuple[int, ...] = ()
    memo: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, problem: Problem, *, numeric: tuple[str, ...] = (), ranges: bool = False) -> MeasureContext:
        """Return the context of a release that solves a problem.

        `numeric` are the quasi-identifiers that hold numbers. `ranges` says whether changed cells show the range of
        their class.
        """
        return cls(
            k=problem.k,
            outliers="forbid" if ranges else problem.outliers,  # every class of ranges has k rows
            heights=problem.top,
            numeric=tuple(numeric),
            rows=problem.types.n,
            types=problem.types,
            levels=problem.levels,
            ranges=ranges,
            places=problem.places,
            gapped=problem.gaps,
        )


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
        parts, found = context.memo.get(count, (None, None))
        if parts is not release.parts:
            found = count(release, context)
            context.memo[count] = (release.parts, found)
        return cast("T", found)

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
    starred = [parts[f"l{j}"] == top for j, top in enumerate(context.heights)]
    if context.outliers == "forbid" or not any(context.heights):
        return ibis.literal(False)
    return functools.reduce(operator.and_, starred)


# Columns that pass unchanged, and how nearly unique they are: what could undo a release.
NEARLY_UNIQUE = 0.5


@dataclass(frozen=True, slots=True)
class KeptColumn:
    """One column that passes unchanged.

    `role`: ``sensitive`` or ``other``. `distinct`: distinct values (NULL left out). `nearly_unique`: whether there are
    at least half as many distinct values as rows.
    """

    name: str
    role: str
    distinct: int
    nearly_unique: bool


def kept_columns(table: Table) -> tuple[KeptColumn, ...]:
    """Count the distinct values of every kept column: one aggregate over the rows."""
    kept = table.others
    if not kept:
        return ()
    engine = table.engine
    with engine.guard("counting the kept columns' values"):
        found = engine.one(table.data.aggregate(**{c.id: engine.text(table.data[c.id]).nunique() for c in kept}))
    return tuple(
        KeptColumn(c.name, c.role, int(found[c.id]), found[c.id] > 1 and found[c.id] >= NEARLY_UNIQUE * table.rows)
        for c in kept
    )
