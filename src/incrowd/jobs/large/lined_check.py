"""A certificate of lines recounted: in the table engine where the row types are too many for this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import InputError
from incrowd.jobs.check_certificate import as_they_are, said_of, with_offset
from incrowd.tables.verify.bound import certificate as bound
from incrowd.tables.verify.bound.row_types import count_types
from incrowd.tables.verify.bound.strict_numbers import Unreadable
from incrowd.tables.verify.lines import recount
from incrowd.tables.verify.lines.type_table import grouped, type_table
from incrowd.tables.verify.mask import MaskReading
from incrowd.tables.verify.release.costs import read_levels
from incrowd.tables.verify.release.released_cost import claimed_cost, recounted_cost

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction
    from typing import Any

    import ibis.expr.types as ir

    from incrowd.jobs.check_certificate import Rechecked
    from incrowd.jobs.prepare import FittedPolicy
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.hierarchy import Fitted
    from incrowd.tables.table import Opened
    from incrowd.tables.values import Levels
    from incrowd.tables.verify.lines.price_file import PriceFile

__all__ = ["prices_in_memory", "recheck_in_engine", "recheck_lines"]


def recheck_lines(
    engine: Engine, original: Opened, released: Opened, fitted: FittedPolicy, file: PriceFile, most: int
) -> Rechecked:
    """Recount a certificate of lines from the two tables.

    Parameters
    ----------
    engine : Engine
        Holds both tables.
    original, released : Opened
    fitted : FittedPolicy
        Fitted to the original.
    file : PriceFile
    most : int
        Row types that may lie in this process; more are left in the engine, where it is one that hears a stop (DuckDB).

    Raises
    ------
    InputError
        If it cannot be read, or is not one of these tables and this policy.
    """
    if fitted.policy.recoding == "grid":
        raise InputError("the certificate is not about ranges on a grid, and the policy is")
    columns, climbed = _columns(engine, original, fitted)
    types = grouped(engine, original.data, columns)
    paid = recounted_cost(
        engine, original, released, fitted.rules, fitted.policy.roles, text=fitted.text, star=fitted.star
    )
    try:
        if engine.name == "duckdb" and types.t > most:
            return _in_engine(engine, types, climbed, fitted, file, paid)
        engine.drop(types.rows)
        file.unpack(types.t)
        return _in_memory(engine, original.data, columns, climbed, fitted, file, paid)
    except Unreadable as error:
        raise file.refused(error) from None


def recheck_in_engine(
    engine: Engine, rows: ir.Table, columns: Sequence[ir.Value], fitted: FittedPolicy, file: PriceFile,
    paid: tuple[Fraction, Fraction],
) -> Rechecked:  # fmt: skip
    """Recount a certificate of lines of a release that is about to be written, its row types left in the engine.

    Parameters
    ----------
    engine : Engine
        DuckDB.
    rows : ibis table
        The original.
    columns : sequence of ibis columns of `rows`, length m
        Its quasi-identifiers.
    fitted : FittedPolicy
    file : PriceFile
    paid : (Fraction, Fraction)
        What the release costs, least and most.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    names, hierarchies = fitted.policy.quasi_identifiers, fitted.hierarchies
    climbed = {j: hierarchies[name] for j, name in enumerate(names) if name in hierarchies}
    return _in_engine(engine, grouped(engine, rows, columns), climbed, fitted, file, paid)


def prices_in_memory(file: PriceFile, types: int) -> Mapping[str, Any]:
    """Return the certificate of version 1 that says what a certificate of lines does [Z4].

    Parameters
    ----------
    file : PriceFile
    types : int
        Row types of the table.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    try:
        prices = [price for some in file.prices(types) for price in some.tolist()]
    except Unreadable as error:
        raise file.refused(error) from None
    return {**file.head, "version": bound.VERSION, "components": None, "prices": prices, "trees": []}


def _columns(
    engine: Engine, original: Opened, fitted: FittedPolicy
) -> tuple[list[ir.Value], dict[int, Fitted]]:  # fmt: skip
    """Return the quasi-identifiers as they are read, and their hierarchies by place."""
    names, hierarchies = fitted.policy.quasi_identifiers, fitted.hierarchies
    before = [original.data[f"c{original.names.index(name)}"] for name in names]
    columns = [engine.text(c) if name in fitted.text else c for name, c in zip(names, before, strict=True)]
    return columns, {j: hierarchies[name] for j, name in enumerate(names) if name in hierarchies}


def _in_engine(
    engine: Engine, grouped_rows: Any, climbed: Mapping[int, Fitted], fitted: FittedPolicy, file: PriceFile,
    paid: tuple[Fraction, Fraction] | None,
) -> Rechecked:  # fmt: skip
    types = type_table(engine, grouped_rows, climbed)
    levels, scale = _levels(fitted, types.sizes, types.lines, types.n)
    offset = recount.unchanged(types, levels)
    head = with_offset(file.head, offset)
    cost = claimed_cost(head, paid, scale, offset)
    asked = recount.Asked(
        levels=levels, allows=_mask(fitted, levels), k=int(fitted.policy.k or 1), outliers=fitted.policy.outliers,
        scale=scale,
    )  # fmt: skip
    return said_of(recount.recount(types, file, head, asked, cost), cost, offset, scale, asked.k)


def _in_memory(
    engine: Engine, rows: ir.Table, columns: Sequence[ir.Value], climbed: Mapping[int, Fitted], fitted: FittedPolicy,
    file: PriceFile, paid: tuple[Fraction, Fraction] | None,
) -> Rechecked:  # fmt: skip
    types = count_types(engine, rows, columns, climbed)
    sizes = [int(rank) + 1 for rank in types.codes.max(axis=0)]
    levels, scale = _levels(fitted, sizes, types.lines, int(types.counts.sum()))
    offset = as_they_are(levels, types.codes, types.counts)
    head = with_offset(file.head, offset)
    cost = claimed_cost(head, paid, scale, offset)
    table = bound.Table(
        codes=types.codes, counts=types.counts, levels=levels, allows=_mask(fitted, levels),
        k=int(fitted.policy.k or 1), outliers=fitted.policy.outliers, scale=scale,
    )  # fmt: skip
    again = bound.recheck(table, head, cost, lambda: np.concatenate(list(file.prices(len(types.counts)))))
    return said_of(again, cost, offset, scale, table.k)


def _levels(
    fitted: FittedPolicy, sizes: Sequence[int], lines: Sequence[Any], rows: int
) -> tuple[tuple[Levels, ...], int]:  # fmt: skip
    """Return every column's levels with whole costs, and their scale, by the check's own reading."""
    names, rules = fitted.policy.quasi_identifiers, fitted.rules
    told = zip(names, lines, strict=True)
    climbing = {name: (fitted.hierarchies[name], line) for name, line in told if line is not None}
    return read_levels(rules.cost, names, sizes, climbing, rules.weights, rows=rows, counts=rules.counts)


def _mask(fitted: FittedPolicy, levels: Sequence[Levels]) -> MaskReading:
    """Return the mask as it is written, read by the check."""
    policy = fitted.policy
    return MaskReading(policy.mask.to_dict(), policy.quasi_identifiers, [level.height for level in levels])
