"""The rows of requirements that a component's programs have so far: what a point breaks joins them, once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.milp import Program, Rows, stacked
from incrowd.tables.solve.exact import tuning
from incrowd.tables.solve.exact.fixing import restricted
from incrowd.tables.solve.exact.under_requirements.requirement_rows import (
    all_rows,
    broken_rows,
    stated,
    value_counts,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.count_rules import CountRule
    from incrowd.tables.solve.bounds.lagrangian import Float64
    from incrowd.tables.solve.shared.strong_formulation import StrongFormulation
    from incrowd.tables.values import Int64


class KnownRows:
    """Rows that hold for every release, for a linear program and for integer programs that have some more of them.

    `codes` holds for every rule the value of each pair's type, (p,), and `judged`, (g,), says which instances have a
    class that has to meet the rules. `rows`: those of integer programs: requirements' rows and, as a caller adds them,
    cuts.
    """

    def __init__(
        self,
        model: StrongFormulation,
        rules: Sequence[CountRule],
        codes: Sequence[NDArray[np.integer]],
        judged: NDArray[np.bool_],
        rows: list[Rows],
    ) -> None:
        self.model, self.rules, self.codes, self.judged = model, rules, codes, judged
        self.rows = rows
        self._linear: set[bytes] = set()
        self._whole: set[bytes] = set()

    def broken(self, x: Float64, u: Float64, least: float, *, linear: bool = True) -> list[Rows]:
        """Return rows that a point breaks and that the linear (integer) program has not, and count them in.

        The point is `x`, (p,), rows per pair, and `u`, (g,), how far each instance is open. Rows broken by less than
        `least`, in rows of the table, are left out. `linear` says whether the rows are for the linear program; integer
        programs get them in any case.
        """
        instances = self.model.instances
        found = []
        for number, (rule, code) in enumerate(zip(self.rules, self.codes, strict=True)):
            counts = value_counts(instances, code, x, rule.values)
            some = np.flatnonzero((counts.sum(axis=1) > 1e-9) & self.judged)
            classes, values, opens = broken_rows(rule, counts[some], u[some], needs=instances.needs[some], least=least)
            found += self._new(number, some[classes], values, opens, linear=linear)
        return found

    def state(self, some: NDArray[np.integer]) -> None:
        """Let integer programs have every row of given instances, where they are few."""
        some = some[self.judged[some]]
        begins = self.model.instances.begins
        for number, (rule, code) in enumerate(zip(self.rules, self.codes, strict=True)):
            for g in some.tolist():
                rows = all_rows(rule, int(self.model.instances.needs[g]))
                if rows is None or len(rows[1]) * some.size > tuning.DEFAULT.stated_rows:
                    break
                values, opens = rows
                here = np.unique(code[begins[g] : begins[g + 1]])
                mine = np.concatenate(
                    [np.arange(begin, begin + rule.values)[here] for begin in range(0, len(opens), rule.values)]
                )
                self._new(number, np.full(mine.size, g), values[mine], opens[mine], linear=False)

    def _new(
        self, number: int, classes: NDArray[np.integer], values: Float64, opens: Float64, *, linear: bool
    ) -> list[Rows]:
        """Count rows of a rule in; return those that the linear (integer) program had not."""
        fresh, added = [], []
        had = self._linear if linear else self._whole
        for y, g in enumerate(classes.tolist()):
            row = np.append(np.round(values[y], 9), opens[y])
            name = bytes([number]) + g.to_bytes(4, "little") + row.tobytes()
            if name not in had:
                fresh.append(y)
                had.add(name)
                if linear and name in self._whole:
                    continue
                self._whole.add(name)
                added.append(y)
        made = [
            stated(self.model, classes[some], values[some], opens[some], self.codes[number])
            for some in (added, [y for y in fresh if y not in set(added)])
            if some
        ]
        self.rows += made[: bool(added)]
        return made


def over(
    base: Program, more: Sequence[Rows], kept: Int64, lower: Float64, upper: Float64
) -> tuple[Program, list[Rows]]:
    """Return a program over some of its columns, the others 0, with other sides of them, and more rows over these.

    `kept`, (c',), are the columns that stay, increasing; `more`, `lower` and `upper`, (c,), are over all columns.
    """
    size = len(base.cost)
    rows = restricted(base.rows, size, kept)
    program = Program(base.cost[kept], lower[kept], upper[kept], base.whole[kept], rows)
    return program, [restricted(stacked(more), size, kept)] if more else []
