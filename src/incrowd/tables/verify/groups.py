"""Recount of a release: k from the released cells alone, mask and loss from what was starred.

Where a star is a NULL (``suppressed="null"``) a released NULL whose original is NULL too may be either; the mask
is kept if some reading of those cells keeps it, and the loss is an interval.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import ibis

from incrowd.errors import InputError
from incrowd.tables.values import Outliers, Violation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import ibis.expr.types as ir

    from incrowd.tables.backend import Engine
    from incrowd.tables.mask import PatternMask

__all__ = ["Classes", "Loss", "Rules", "judge_patterns", "recount_classes", "recount_patterns"]

MOST_DOUBTFUL = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a release is judged by, as the policy says it.

    Attributes
    ----------
    k : int
    outliers : {"forbid", "suppress"}
    mask : Mask
    names : tuple of str, length m
        Quasi-identifiers, in the order of the columns given to the recounts.
    weights : mapping of str to Fraction
        Cost of a star per column (default 1).
    """

    k: int
    outliers: Outliers
    mask: PatternMask
    names: tuple[str, ...]
    weights: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Classes:
    """Classes of a release; fully suppressed rows that need no crowd are apart."""

    violations: tuple[Violation, ...]
    rows: int
    count: int
    smallest: int
    largest: int
    outliers: int


@dataclass(frozen=True, slots=True)
class Loss:
    """Stars of a release: cells and cost, from the surely to the possibly starred ones."""

    violations: tuple[Violation, ...]
    cells: tuple[int, int]
    cost: tuple[Fraction, Fraction]


def recount_classes(
    engine: Engine, rows: ir.Table, cells: Sequence[str], starred: Sequence[ir.Value], rules: Rules
) -> Classes:
    """Count the classes of released rows.

    Parameters
    ----------
    engine : Engine
    rows : ibis table
        The released rows.
    cells : sequence of str, length m
        Columns of the quasi-identifiers.
    starred : sequence of boolean columns, length m
        Whether a released cell reads as a star.
    rules : Rules

    Notes
    -----
    One GROUP BY over the rows.
    """
    full = starred[0]
    for mark in starred[1:]:
        full = full & mark
    with engine.guard("recounting the classes"):
        classes = rows.mutate(full=full).group_by([*cells, "full"]).aggregate(n=lambda r: r.count())
        small = classes.n < rules.k
        summary = classes.group_by("full").aggregate(
            classes=classes.count(),
            rows=classes.n.sum(),
            smallest=classes.n.min(),
            largest=classes.n.max(),
            small=small.sum(),
            example=ibis.ifelse(small, classes.n, ibis.null("int64")).min(),
        )
        found = engine.fetch(summary).to_pylist()
    free = [f for f in found if f["full"] and rules.outliers == "suppress"]
    bound = [f for f in found if f not in free]
    broken = sum(f["small"] for f in bound)
    violations: tuple[Violation, ...] = ()
    if broken:
        example = min(f["example"] for f in bound if f["small"])
        violations = (Violation(f"k={rules.k}", broken, example),)
    return Classes(
        violations,
        rows=sum(f["rows"] for f in found),
        count=sum(f["classes"] for f in bound),
        smallest=min((f["smallest"] for f in bound), default=0),
        largest=max((f["largest"] for f in bound), default=0),
        outliers=sum(f["rows"] for f in free),
    )


def recount_patterns(
    engine: Engine, rows: ir.Table, surely: Sequence[ir.Value], maybe: Sequence[ir.Value] | None
) -> list[tuple[tuple[int, ...], tuple[int, ...], int]]:
    """Return the star patterns in use: what surely and what possibly is a star, and the rows of each."""
    m = len(surely)
    marks = {f"s{j}": mark.cast("int8") for j, mark in enumerate(surely)}
    if maybe is not None:
        marks.update({f"p{j}": mark.cast("int8") for j, mark in enumerate(maybe)})
    with engine.guard("recounting the patterns"):
        used = rows.select(**marks).group_by(list(marks)).aggregate(n=lambda r: r.count())
        found = engine.fetch(used).to_pylist()
    return [
        (
            tuple(int(f[f"s{j}"]) for j in range(m)),
            tuple(int(f[f"p{j}"]) for j in range(m)) if maybe is not None else (0,) * m,
            int(f["n"]),
        )
        for f in found
    ]


def judge_patterns(patterns: Sequence[tuple[tuple[int, ...], tuple[int, ...], int]], rules: Rules) -> Loss:
    """Judge the patterns in use by the mask's words, and add up the loss."""
    outside, example = 0, None
    cells = [0, 0]
    cost = [Fraction(0), Fraction(0)]
    weights = [rules.weights.get(name, Fraction(1)) for name in rules.names]
    for surely, maybe, rows in patterns:
        if not fits(surely, maybe, rules):
            outside += rows
            example = rows if example is None else min(example, rows)
        both = [a | b for a, b in zip(surely, maybe, strict=True)]
        for end, vector in enumerate((surely, both)):
            cells[end] += rows * sum(vector)
            cost[end] += rows * sum((w for w, star in zip(weights, vector, strict=True) if star), Fraction(0))
    violations = (Violation("mask", outside, example),) if outside else ()
    return Loss(violations, (cells[0], cells[1]), (cost[0], cost[1]))


def fits(surely: tuple[int, ...], maybe: tuple[int, ...], rules: Rules) -> bool:
    """Return whether some reading of the doubtful cells keeps the mask, by its words alone."""
    heights = dict.fromkeys(rules.names, 1)
    doubtful = [j for j, mark in enumerate(maybe) if mark and not surely[j]]
    for reading in (surely, tuple(a | b for a, b in zip(surely, maybe, strict=True))):
        if rules.mask.allows(dict(zip(rules.names, reading, strict=True)), heights):
            return True
    if len(doubtful) > MOST_DOUBTFUL:
        raise InputError(
            f"{len(doubtful)} columns are NULL in the same row of the original and of the release, too many to "
            "decide which of them are stars; release with a star text instead of NULL"
        )
    for chosen in itertools.product((0, 1), repeat=len(doubtful)):
        vector = dict(zip(rules.names, surely, strict=True))
        vector.update({rules.names[j]: star for j, star in zip(doubtful, chosen, strict=True)})
        if rules.mask.allows(vector, heights):
            return True
    return False
