"""The integer program over the free rows of a neighbourhood: they get cheaper, and every class meets its rules.

Rows of the requirements are added as points break them, so what comes out may still break one; the caller asks.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from incrowd.milp import Linear, Outcome, Rows, solve, stacked
from incrowd.tables.solve.improve.under_requirements import tuning
from incrowd.tables.solve.shared.row_assignment import cost_of, holds
from incrowd.tables.solve.shared.strong_formulation import strong
from incrowd.tables.solve.shared.under_requirements.program_rows import cost_at_most, stated
from incrowd.tables.solve.shared.under_requirements.separation import all_rows, broken_rows
from incrowd.tables.solve.shared.under_requirements.value_counts import value_counts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.count_rules import CountRule
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Int64

__all__ = ["NeighbourhoodProgram"]


class NeighbourhoodProgram:
    """One program.

    The `instances` are over the types of the free rows, and `rows` is (p,): where the free rows are now. `kinds` is
    (t,): the combination of sensitive values of each type. The `rules` are of families that rows are known for. `stay`
    has for each rule the rows of each value that stay in each instance, shape (g, v); only an instance that needs no
    crowd has some. All costs are multiples of `unit`.

    Exponential time in the worst case; memory O(pairs) for the program.

    Attributes
    ----------
    ended : bool
        Whether the program said that there is nothing better, or found the best.
    """

    def __init__(
        self,
        instances: Instances,
        kinds: NDArray[np.integer],
        rules: Sequence[CountRule],
        stay: Sequence[Int64],
        rows: Int64,
        unit: int,
    ) -> None:
        self.instances, self.rules, self.stay, self.rows = instances, rules, stay, rows
        self.codes = [rule.code[kinds[instances.members]] for rule in rules]
        self.model = strong(instances, unit=unit, whole=True)
        self.ended = False
        self.known: set[tuple[int, int, bytes]] = set()
        pairs = instances.pairs
        self.limit = cost_of(instances, rows) // unit - 1
        self.more = [cost_at_most(self.model.program, pairs, self.limit + 0.5)]
        self._state()

    def best(self, met: Callable[[Int64], bool], watch: Watch, seconds: float | None) -> Int64 | None:
        """Return rows per pair that cost less and meet everything, or None.

        `met` decides exactly whether rows per pair meet every requirement. One solution may take `seconds`; with None
        it has so many nodes of the tree as the tuning says.
        """
        pairs = self.instances.pairs
        if not self._worth(watch):
            return None
        nodes = tuning.DEFAULT.program_nodes if seconds is None else None
        for _ in range(tuning.DEFAULT.program_rounds):
            program = dataclasses.replace(self.model.program, rows=stacked([self.model.program.rows, *self.more]))
            answer = solve(program, abs_gap=0.999, seconds=seconds, nodes=nodes, watch=watch)
            self.ended = answer.outcome in (Outcome.OPTIMAL, Outcome.INFEASIBLE, Outcome.CUTOFF)
            if answer.x is None:
                return None
            rows: Int64 = np.rint(answer.x[:pairs]).astype(np.int64)
            if holds(self.instances, rows) and met(rows):
                return rows
            u = self._open(rows)
            if watch.stopped or not self._break(rows.astype(np.float64), u, 1e-6):
                return None
        return None

    def _worth(self, watch: Watch) -> bool:
        """Whether the linear program, with rows that its points break, allows for less than now."""
        linear = Linear(self.model.program)
        linear.add(stacked(self.more))
        pairs, crowd = self.instances.pairs, self.model.crowd
        for _ in range(tuning.DEFAULT.program_cuts):
            answer = linear.solve(watch)
            if answer.x is None:
                self.ended = answer.outcome is Outcome.INFEASIBLE
                return False
            u = self._open(answer.x[:pairs])
            u[crowd] = answer.x[pairs:]
            fresh = self._break(answer.x[:pairs], u, tuning.DEFAULT.program_violation)
            if not fresh:
                break
            for some in fresh:
                linear.add(some)
        return not watch.stopped

    def _open(self, rows: NDArray[np.number]) -> NDArray[np.float64]:
        """Return for every instance whether it holds rows, free ones or such as stay."""
        held = np.bincount(self.instances.owners, weights=rows, minlength=self.instances.size)
        for stay in self.stay[:1]:
            held = held + stay.sum(axis=1)
        return (held > 1e-6).astype(np.float64)

    def _state(self) -> None:
        """State all rows of the rules that have few."""
        crowd = self.model.crowd
        for number, (rule, code) in enumerate(zip(self.rules, self.codes, strict=True)):
            if rule.values * crowd.size > tuning.DEFAULT.stated_rows:
                continue
            for need in np.unique(self.instances.needs[crowd]).tolist():
                rows = all_rows(rule, need)
                if rows is None:
                    continue
                some = crowd[self.instances.needs[crowd] == need]
                groups = np.repeat(some, len(rows[1]))
                values, opens = np.tile(rows[0], (some.size, 1)), np.tile(rows[1], some.size)
                present = np.zeros((self.instances.size, rule.values), np.bool_)
                present[self.instances.owners, code] = True
                here = ((values > 0) & present[groups]).any(axis=1) | (opens > 0)
                self._add(number, groups[here], values[here], opens[here])

    def _break(self, x: NDArray[np.float64], u: NDArray[np.float64], least: float) -> list[Rows]:
        """Add the rows of the rules that a point breaks, and return them."""
        fresh = []
        J = self.instances
        for number, (rule, code) in enumerate(zip(self.rules, self.codes, strict=True)):
            counts = value_counts(J, code, x, rule.values) + self.stay[number]
            some = np.flatnonzero(counts.sum(axis=1) > 1e-6)
            groups, values, opens = broken_rows(
                rule, counts[some], u[some], needs=np.maximum(J.needs[some], 1), least=least
            )  # fmt: skip
            fresh += self._add(number, some[groups], values, opens)
        return fresh

    def _add(
        self, number: int, groups: NDArray[np.integer], values: NDArray[np.float64], opens: NDArray[np.float64]
    ) -> list[Rows]:
        """Add rows that are not known yet, and return them."""
        names = [
            (number, g, np.append(np.round(v, 9), b).tobytes())
            for g, v, b in zip(groups.tolist(), values, opens, strict=True)
        ]
        new = [y for y, name in enumerate(names) if name not in self.known]
        self.known.update(names)
        if not new:
            return []
        groups, values, opens = groups[new], values[new], opens[new]
        # an instance without a u of its own is open for the rows that stay
        own = self.model.column[groups] >= 0
        upper = -(values * self.stay[number][groups]).sum(axis=1) - np.where(own, 0.0, opens)
        rows = stated(self.model, groups, values, np.where(own, opens, 0.0), self.codes[number])
        rows = dataclasses.replace(rows, upper=upper + 1e-9)
        self.more.append(rows)
        return [rows]
