"""Usefulness: how diverse the original rows behind an output row are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import ibis
import numpy as np

from incrowd.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

    from incrowd.tables.measures.context import MeasureContext
    from incrowd.tables.table import Expanded
    from incrowd.tables.values import Int64


STEPS = 10**9
MOST_MARKS = 1 << 27  # bytes


@dataclass(frozen=True, slots=True)
class Usefulness:
    """Mean tuple diversity of the output row types; from 0 to m, smaller is better.

    ``u = 1/r * sum over i = 1..r of sum over j = 1..m of d_A(original(R_i), j)``

    over the output row types R_1 ... R_r, unweighted by their sizes; the all-star type is one of them,
    whatever the outlier rule. With V the values of column j in the original rows of R_i and D those it has in
    the whole table,

    - d_A = (max V - min V) / (max D - min D) where the column is declared numeric, 0 if it is constant;
    - d_A = |V| / |D| otherwise: never 0.

    NULL is a category: it counts in |V| and |D|, and in a numeric column a set V that mixes NULL with numbers
    has d_A = 1, one of NULL alone 0.

    References
    ----------
    R. Bredereck, A. Nichterlein, R. Niedermeier, "Pattern-Guided k-Anonymity", Algorithms 6(4), 2013,
    Definitions 3 to 5, after G. Loukides, J. Shao, "Capturing Data Usefulness and Privacy Protection in
    K-Anonymisation", SAC 2007. The treatment of NULL and of constant columns is ours; the paper has neither.
    """

    name = "usefulness"
    summary = "mean over the output row types of the diversity of the original rows behind each"
    unit = "columns"

    def measure(self, release: Expanded, context: MeasureContext) -> float:
        """Return the usefulness.

        InputError is raised if the range of a numeric column is infinite.

        Notes
        -----
        What leaves the engine is two integers a part; per column one look at the parts. For numeric columns two GROUP
        BYs over the parts. Time and memory grow with row types times columns.
        The d_A of numeric columns are rounded to 10^-9 before they are added up, so that the sum is one of
        integers and does not depend on the engine's order of adding; whole numbers beyond 2^53 are rounded.
        """
        engine = release.table.engine
        columns = list(enumerate(release.table.quasi_identifiers))
        numbers = [j for j, column in columns if column.name in context.numeric]
        kinds, classes = _kinds(release, context, [j for j, _ in columns if j not in numbers])
        total = sum(kinds)
        if not numbers:
            return total / classes
        parts = release.parts  # `read` has seen that their originals all are numbers
        parts = parts.mutate(**{f"o{j}": engine.text(parts[f"o{j}"]).try_cast("float64") for j in numbers})
        with engine.guard("measuring the usefulness"):
            domain = engine.one(parts.aggregate(**_ranges(parts, numbers)))
            for j in numbers:
                if not math.isfinite(_width(domain, j)):
                    raise InputError(
                        f"column {columns[j][1].name!r} is declared numeric but its range is infinite; "
                        "leave it out of numeric, or name what stands for a missing value as na"
                    )
            each = parts.group_by("group").aggregate(**_ranges(parts, numbers))
            found = engine.one(each.aggregate(**{f"s{j}": _spread(each, j, domain).sum() for j in numbers}))
        total += sum(int(found[f"s{j}"]) / STEPS for j in numbers)
        return total / classes


def _kinds(release: Expanded, context: MeasureContext, columns: list[int]) -> tuple[list[float], int]:
    """Return per column the sum of |V| over the classes, in parts of |D|, and the number of classes."""
    engine = release.table.engine
    if context.dictionaries:
        return _kinds_there(release, context.problem.types.sizes, columns)
    with engine.guard("measuring the usefulness"):
        parts = engine.fetch(release.parts.select("type", "group"))
    group, types = parts.column("group").to_numpy(), context.problem.types
    codes = types.codes[parts.column("type").to_numpy()]
    sizes = types.sizes
    return [_different(group * sizes[j] + codes[:, j]) / sizes[j] for j in columns], _different(group)


def _kinds_there(release: Expanded, sizes: Sequence[int], columns: list[int]) -> tuple[list[float], int]:
    """Count in the engine: one DISTINCT a column over the parts; nothing but numbers crosses."""
    engine, parts = release.table.engine, release.parts

    def different(*names: str) -> int:
        one = parts.select(*names).distinct()
        return int(engine.one(one.aggregate(n=one.count()))["n"])

    with engine.guard("measuring the usefulness"):
        return [different("group", f"o{j}") / sizes[j] for j in columns], different("group")


def _different(numbers: Int64) -> int:
    """Return how many different whole numbers from 0 on there are."""
    most = int(numbers.max()) + 1
    if most > MOST_MARKS:
        return int(np.unique(numbers).size)
    seen = np.zeros(most, np.bool_)
    seen[numbers] = True
    return int(np.count_nonzero(seen))


def _ranges(parts: ir.Table, numbers: list[int]) -> dict[str, ir.Value]:
    """Return whether NULL is among a set of numbers, the least and the largest."""
    out: dict[str, ir.Value] = {}
    for j in numbers:
        original = parts[f"o{j}"]
        out[f"null{j}"] = original.isnull().cast("int64").max()
        out[f"low{j}"] = original.min()
        out[f"high{j}"] = original.max()
    return out


def _width(domain: dict[str, Any], j: int) -> float:
    return 0.0 if domain[f"low{j}"] is None else float(domain[f"high{j}"] - domain[f"low{j}"])


def _spread(classes: ir.Table, j: int, domain: dict[str, Any]) -> ir.Value:
    """Return d_A of a numeric column in steps of 10^-9."""
    low, high = classes[f"low{j}"], classes[f"high{j}"]
    width = _width(domain, j)
    apart = ((high - low) / width * STEPS).round().cast("int64") if width > 0 else ibis.literal(0, "int64")
    mixed = (classes[f"null{j}"] == 1) & low.notnull()
    return ibis.cases((mixed, STEPS), (low.isnull(), 0), else_=apart)
