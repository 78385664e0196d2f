"""The certificate of a bound on row types that stay in the engine: a price a line, recounted by the check."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from incrowd.errors import OurBug
from incrowd.jobs.large.lined_check import recheck_in_engine
from incrowd.results.price_lines import PriceLines, pack
from incrowd.tables.large.prices import prices
from incrowd.tables.large.queries import Cut, stoppable
from incrowd.tables.solve.shared.certificate_head import head
from incrowd.tables.solve.shared.time_limit import for_bound
from incrowd.tables.user_units import in_units
from incrowd.tables.verify.bound.strict_numbers import Unreadable
from incrowd.tables.verify.lines.price_file import PriceFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from incrowd.jobs.large.table import Counted
    from incrowd.progress import Watch
    from incrowd.tables.large.floor import Floor
    from incrowd.tables.large.prices import Prices
    from incrowd.tables.large.types import PackedTypes
    from incrowd.tables.values import Int64, Problem, Solution

__all__ = ["certified"]

NAME, VERSION = "incrowd k-anonymity bound", 3
QUICKLY = 1  # how hard what only this run reads is packed


def certified(
    made: Counted,
    problem: Problem,
    types: PackedTypes,
    solution: Solution,
    least: Floor,
    found: Prices | None,
    watch: Watch,
) -> tuple[Solution, PriceLines]:
    """Return a solution with what of its bound the check could recount from its certificate, and that.

    `solution` is one of `problem`. `least` is its per-row bound, with prices, and at most its bound; the prices are
    forgotten. `found` are the prices that prove more for some row types, or None; they are forgotten too. `watch` ends
    the recount within two seconds; then nothing of the bound is said to be recountable. OurBug is raised if the check
    refutes the certificate, or finds less than the bound that was claimed.
    """
    table, engine = made.table, types.engine
    cost = solution.plan.cost(problem)
    if least.prices is None:
        raise OurBug("a certificate was asked for, and its prices were not kept. Please report this")
    per_row, (proven, parts) = least.prices, (least.value, 1) if found is None else (found.value, found.parts)
    unchecked = dataclasses.replace(solution.bound, checked=0)
    told = {**head(problem, cost, unchecked, NAME, VERSION), "proof": "solver", "parts": parts}
    scratch = engine.private_file(".gz")
    pack(scratch, PriceLines(told, lambda: prices(table, types, per_row, found)), QUICKLY)
    checked = 0
    try:
        with stoppable(engine, for_bound(watch)):
            columns = [table.data[column.id] for column in table.quasi_identifiers]
            paid = in_units(problem, cost)
            again = recheck_in_engine(engine, table.data, columns, made.fitted, PriceFile(scratch), (paid, paid))
    except Cut:
        pass
    else:
        if again.violations or (least.complete and again.lower_bound < in_units(problem, proven)):
            raise OurBug(
                "the independent check finds less in the certificate than it claims; nothing was written. Please report"
            )
        checked = min(int(again.lower_bound * problem.scale), solution.bound.value)
    bound = dataclasses.replace(solution.bound, checked=checked)
    claims = {**told, "lower_bound_checked": checked, "proof": bound.proof}
    return dataclasses.replace(solution, bound=bound), PriceLines(claims, lambda: _read_again(scratch, problem.types.t))


def _read_again(scratch: Path, types: int) -> Iterator[Int64]:
    """Give the prices that the check has read, for the file that is written."""
    file = PriceFile(scratch)
    try:
        yield from file.prices(types)
    except Unreadable as error:
        raise file.refused(error) from None
