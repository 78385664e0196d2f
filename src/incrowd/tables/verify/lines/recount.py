"""What a certificate of lines proves, recounted from row types that stay in the engine [Z4].

The same number as `incrowd.tables.verify.bound.certificate` finds in memory for prices without components and trees.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.verify.bound.certificate import LINES, NAME, Recheck, rounded_up, verdict_on
from incrowd.tables.verify.bound.strict_numbers import LIMIT, Unreadable, read_head, whole
from incrowd.tables.verify.lines.dominance import Vectors
from incrowd.tables.verify.lines.sums import Sums
from incrowd.tables.verify.lines.type_table import with_prices

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from incrowd.tables.values import Levels, Outliers
    from incrowd.tables.verify.lines.price_file import PriceFile
    from incrowd.tables.verify.lines.type_table import TypeTable

__all__ = ["Asked", "recount", "unchanged"]

MOST_ASKED = 1 << 12  # [Z4] level vectors that take a GROUP BY each


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The question, as the check sees it.

    Attributes
    ----------
    levels : sequence of Levels, length m
    allows : callable
        Whether the mask allows a level vector.
    k : int
    outliers : {"forbid", "suppress"}
    scale : int
    ask : callable
        Asked at every level vector; ends the recount by an exception.
    """

    levels: Sequence[Levels]
    allows: Callable[[tuple[int, ...]], bool]
    k: int
    outliers: Outliers
    scale: int
    ask: Callable[[], object] = lambda: None


def unchanged(types: TypeTable, levels: Sequence[Levels]) -> int:
    """Return the scaled cost of all rows shown as they are."""
    nothing = Vectors(levels, lambda vector: not any(vector))
    return Sums(types.engine, types.rows.mutate(type=types.rows.n), levels, nothing, 1, 1).unchanged()


def recount(types: TypeTable, file: PriceFile, head: Mapping[str, Any], asked: Asked, cost: int | None) -> Recheck:
    """Recount a certificate of lines; the row types are forgotten.

    `head` is the certificate's head, its claims in the numbers that prices add up to, and `cost` the scaled cost of the
    release, recounted from its rows. Raise `InputError` if the certificate cannot be read, or asks for more than is
    recounted.

    Notes
    -----
    The file is unpacked three times, a megabyte at a time. One GROUP BY over the row types for each level vector under
    which some row costs less than its price; a line leaves the engine for each instance that adds below 0.
    """
    try:
        file.unpack(types.t)
        facts: dict[str, int | str] = {  # [T2]
            "rows": types.n, "row_types": types.t, "k": asked.k, "outliers": asked.outliers, "scale": asked.scale,
        }  # fmt: skip
        claims = read_head(head, NAME, LINES, facts, cost)
        value = 0 if claims.wrong else max(_value(types, file, head, asked), 0)
        return verdict_on(claims, value, list(claims.wrong), cost)
    except Unreadable as error:
        raise file.refused(error) from None


def _value(types: TypeTable, file: PriceFile, head: Mapping[str, Any], asked: Asked) -> int:
    """Return the recounted bound, scaled."""
    parts = whole(head, "parts", least=1)
    ends = [(int(some.min()), int(some.max())) for some in file.prices(types.t)]
    most = max(high for _, high in ends)
    dearest = sum(int(level.cost.max()) for level in asked.levels)
    largest = max(most, -min(low for low, _ in ends), parts * dearest)
    _fits(types.n * largest * 2)  # [P4, F5]
    step = max(math.gcd(*(int(np.gcd.reduce(level.cost, axis=None)) for level in asked.levels)), 1)  # [T5]
    vectors = Vectors(asked.levels, asked.allows)
    top = tuple(level.height for level in asked.levels)
    free = top if asked.outliers == "suppress" and top in vectors.known else None  # [I5]
    least = [level.cost.min(axis=1) for level in asked.levels]
    asking = [
        vector
        for vector in map(tuple, vectors.allowed.tolist())
        if vector != free and parts * sum(int(one[at]) for one, at in zip(least, vector, strict=True)) < most
    ]
    if len(asking) > MOST_ASKED:
        raise Unreadable(
            f"{len(asking):,} level vectors cost less than its prices, and {MOST_ASKED:,} are asked where row types "
            "stay in the engine; allow them in memory with --types-in-memory"
        )
    rows = with_prices(types, file.prices(types.t))
    sums = Sums(types.engine, rows, asked.levels, vectors, asked.k, parts)
    value, listed = sums.prices(), 0  # [P1]
    for vector in asking:
        asked.ask()
        added, held = sums.added(vector)
        value, listed = value + added, listed + held
        _fits((listed + types.n) * largest * 2)  # [P4]
    if free is not None:
        value += sums.free(free)
    types.engine.drop(rows)
    return rounded_up(value, parts, step)


def _fits(number: int) -> None:
    if number >= LIMIT:
        raise Unreadable("its numbers are too large to be added up")
