"""A certificate of lines recounted: in the table engine where the row types are too many for this process."""

from __future__ import annotations

import functools
from types import MappingProxyType
from typing import TYPE_CHECKING

from incrowd.check import verdict
from incrowd.check.exact import Unreadable
from incrowd.errors import InputError
from incrowd.jobs.check_certificate import (
    columns_of,
    recheck,
    said_of,
    with_offset,
)
from incrowd.tables.verify import lines
from incrowd.tables.verify.lines import type_table
from incrowd.tables.verify.release.released_cost import claimed_cost, recounted_cost
from incrowd.tables.verify.row_types import grouped

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from fractions import Fraction
    from typing import Any

    import ibis.expr.types as ir

    from incrowd.jobs.check_certificate import Rechecked
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Opened
    from incrowd.tables.verdict import Loss
    from incrowd.tables.verify.lines import PriceFile
    from incrowd.tables.verify.rules import Rules


def recheck_lines(
    engine: Engine, original: Opened, released: Opened, rules: Rules, file: PriceFile, most: int,
    ask: Callable[[], object] = lambda: None, loss: Loss | None = None,
    told: Mapping[str, Any] = MappingProxyType({}),
) -> Rechecked:  # fmt: skip
    """Recount a certificate of lines from the two tables.

    The engine holds both tables, and `rules` are read of the original. `most` is the number of row types that may lie
    in this process; more are left in the engine. `ask` is called again and again, and ends the recount by an exception.
    `loss` is that of the release, where it was recounted before, and `told` what the head must say of it.
    InputError is raised if the certificate cannot be read, or is not one of these tables and this policy.
    """
    if rules.policy.grid:
        raise InputError("the certificate is not about ranges on a grid, and the policy is")
    types = grouped(engine, original.data, columns_of(engine, original, rules))
    many = int(engine.one(types.aggregate(t=types.count()))["t"])
    try:
        if many > most:
            paid = recounted_cost(engine, original, released, rules, loss)
            return recheck_in_engine(engine, types, rules, file, paid, ask, told)
        engine.drop(types)
        file.unpack(many)
        return recheck(
            engine, original, released, rules, file.head, ask,
            prices=functools.partial(_prices, file), loss=loss, told=told,
        )  # fmt: skip
    except Unreadable as error:
        raise file.refused(error) from None


def prices_in_memory(file: PriceFile, types: int) -> Mapping[str, Any]:
    """Return the certificate of version 11 that says what a certificate of lines does [Z4].

    `types` is the number of row types of the table. InputError is raised if the file cannot be read.
    """
    try:
        prices = _prices(file, types)
    except Unreadable as error:
        raise file.refused(error) from None
    return {**file.head, "version": file.head["version"] - 2, "components": None, "prices": prices, "trees": []}


def _prices(file: PriceFile, types: int) -> list[int]:
    """Return the prices of a certificate of lines, one a row type."""
    return [price for some in file.prices(types) for price in some.tolist()]


def recheck_in_engine(
    engine: Engine, grouped_rows: ir.Table, rules: Rules, file: PriceFile,
    paid: tuple[Fraction, Fraction] | None, ask: Callable[[], object] = lambda: None,
    told: Mapping[str, Any] = MappingProxyType({}),
) -> Rechecked:  # fmt: skip
    """Recount a certificate of lines, the original's row types left in the engine.

    `grouped_rows` are these, and `paid` is what the release costs, least and most. InputError is raised if the file
    cannot be read.
    """
    verdict.refuse_of_gaps(verdict.kind_of(file.head), gaps=bool(rules.gaps))
    types = type_table(engine, grouped_rows, rules.climbed)
    levels, scale = rules.levels(types.sizes, types.lines, types.n)
    offset = int(rules.unchanged() * scale)
    head = with_offset(file.head, offset)
    cost = claimed_cost(head, paid, scale, offset)
    found = lines.recount(types, file, head, rules, levels, scale, offset, cost, ask, told)
    return said_of(found, cost, offset, scale, rules.policy.k)
