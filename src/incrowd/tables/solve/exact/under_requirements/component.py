"""One component under requirements: a linear program with cuts, what it leaves out, and an integer program.

The rows of the requirements are many; only those that a point breaks are in the programs (`separation`), which lowers
nothing that they prove: a program with fewer rows is a relaxation. The hub, which links components, is taken as free
and not judged, but where the part is the whole problem. The cuts T, C, S and F count rows and hold for every release
of k alone, so for these too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_matrix

from incrowd.milp import Answer, Linear, Outcome, Program, Rows, solve, stacked
from incrowd.tables.solve.bounds.cuts.counting import rows_for, separate
from incrowd.tables.solve.bounds.cuts.flow import separate_flows
from incrowd.tables.solve.exact import tuning
from incrowd.tables.solve.exact.component import count_bound
from incrowd.tables.solve.shared.row_assignment import cost_of, holds
from incrowd.tables.solve.shared.strong_formulation import strong
from incrowd.tables.solve.shared.under_requirements.program_rows import stated
from incrowd.tables.solve.shared.under_requirements.separation import all_rows, broken_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.count_rules import CountRule
    from incrowd.tables.solve.bounds.cuts.counting import Cut
    from incrowd.tables.solve.bounds.lagrangian import Float64
    from incrowd.tables.solve.shared.components import Part
    from incrowd.tables.values import Int64

__all__ = ["RequiredComponent"]

EXACT = 1e-6  # by which whole groups may seem to break a row in floating point


class RequiredComponent:
    """What is known of a component with its hub free and not judged.

    Parameters
    ----------
    part : Part
    kinds : (t,) int
        Combination of sensitive values of the part's types.
    rules : sequence of CountRule
        All of them exact.
    met : callable
        Whether whole rows per pair of the part, shape (p,), meet every requirement outside the hub: decided exactly.
    unit : int
        Costs of releases are multiples of it.
    k : int
    rows : (p,) int64 or None
        A release.
    whole : bool, default False
        Whether the part is the whole problem: then its hub needs at least one row, and is judged.

    Attributes
    ----------
    rows : (p,) int64 or None
        The best release found.
    cost : int
        Its scaled cost.
    value : int
        Lower bound on the scaled cost, by the word of linear and integer programs.
    infeasible : bool
        Whether there is no release, by their word.

    Notes
    -----
    The integer program may take exponential time. Memory: some 200 bytes a pair of the list, beside the engine's.
    """

    def __init__(
        self,
        part: Part,
        kinds: NDArray[np.integer],
        rules: tuple[CountRule, ...],
        met: Callable[[Part, Int64], bool],
        unit: int,
        k: int,
        rows: Int64 | None,
        *,
        whole: bool = False,
    ) -> None:
        self.part, self.rules, self.met, self.unit, self.k, self.whole = part, rules, met, unit, k, whole
        self.instances = part.instances if whole else part.instances.free_hub()
        self.codes = [rule.code[kinds[self.instances.members]] for rule in rules]
        self.rows: Int64 | None = None
        self.cost = int(np.iinfo(np.int64).max)
        self.value = int((count_bound(self.instances) * self.instances.counts).sum())
        self.model = strong(self.instances, unit=unit, whole=True)
        self.infeasible = False
        self.more: list[Rows] = []
        self.known: set[bytes] = set()
        self.answer: Answer | None = None
        if rows is not None:
            self.offer(rows)
        if self.instances.size == 1 and self.instances.hub == 0:
            self.offer(self.instances.counts[self.instances.members])

    @property
    def closed(self) -> bool:
        """Whether the best release is known to be one of least cost."""
        return self.rows is not None and self.value >= self.cost

    def offer(self, rows: Int64) -> bool:
        """Take a release if it is one and cheaper; return whether it is one."""
        if not holds(self.instances, rows) or not self.met(self.part, rows):
            return False
        cost = cost_of(self.instances, rows)
        if cost < self.cost:
            self.rows, self.cost = rows.astype(np.int64), cost
        return True

    # --- rows and cuts -------------------------------------------------------------------------------------------

    def broken(self, x: Float64, u: Float64, least: float) -> list[Rows]:
        """Return rows of the requirements that a point breaks, as rows of the program; none comes twice."""
        instances = self.instances
        found = []
        for number, (rule, code) in enumerate(zip(self.rules, self.codes, strict=True)):
            place = instances.owners.astype(np.int64) * rule.values + code
            held = np.bincount(place, weights=x, minlength=instances.size * rule.values)
            counts: Float64 = held.astype(np.float64).reshape(instances.size, rule.values)
            if instances.hub >= 0 and not self.whole:
                counts[instances.hub] = 0.0
            some = np.flatnonzero((counts.sum(axis=1) > 1e-9) & (instances.needs > 0))
            groups, values, opens = broken_rows(rule, counts[some], u[some], needs=instances.needs[some], least=least)
            groups = some[groups]
            found += self._new(number, groups, values, opens, code)
        return found

    def _new(
        self, number: int, groups: NDArray[np.integer], values: Float64, opens: Float64, code: NDArray[np.integer]
    ) -> list[Rows]:
        """Return those rows of a rule that are not known yet."""
        fresh = []
        for y, g in enumerate(groups.tolist()):
            row = np.append(np.round(values[y], 9), opens[y])
            name = bytes([number]) + g.to_bytes(4, "little") + row.tobytes()
            if name not in self.known:
                self.known.add(name)
                fresh.append(y)
        return [stated(self.model, groups[fresh], values[fresh], opens[fresh], code)] if fresh else []

    def point(self, x: Float64) -> tuple[Float64, Float64]:
        """Return x per pair and u per instance (1 for the hub)."""
        u = np.ones(self.instances.size)
        u[self.model.crowd] = x[self.instances.pairs :]
        return x[: self.instances.pairs], u

    # --- the linear program --------------------------------------------------------------------------------------

    def relax(self, watch: Watch) -> None:
        """Solve the linear program, adding broken rows and cuts until they gain little."""
        own = tuning.DEFAULT
        linear = Linear(self.model.program)
        cuts: dict[tuple[str, bytes, bytes], Cut] = {}
        before, idle = -np.inf, 0
        while not watch.stopped:
            answer = linear.solve(watch)
            if answer.outcome is not Outcome.OPTIMAL or answer.x is None:
                return
            self.answer = answer
            self.value = max(self.value, self.up(answer.bound))
            if self.closed:
                return
            x, u = self.point(answer.x)
            rows = self.broken(x, u, own.rule_violation)
            idle = idle + 1 if answer.bound < before + own.least_gain else 0
            before = answer.bound
            if not rows or idle >= 2:
                # the cuts take it that every group needs k rows or none, so the hub is free for them
                free = self.instances.free_hub()
                found = separate(free, self.k, x, u, least=own.root_violation)
                found += separate_flows(free, self.k, x, u, least=own.root_violation)
                fresh = {cut.key: cut for cut in found if cut.key not in cuts}
                cuts |= fresh
                if fresh:
                    rows.append(rows_for(list(fresh.values()), self.model))
            if not rows or idle >= own.idle_rounds:
                return
            for some in rows:
                linear.add(some)
            self.more += rows

    def in_hub(self) -> list[Float64]:
        """Return for every rule the rows of each value that the linear program puts into the hub, shape (v,) each."""
        instances = self.instances
        if self.answer is None or self.answer.x is None:
            x = np.zeros(instances.pairs) if self.rows is None else self.rows.astype(np.float64)
        else:
            x = self.answer.x[: instances.pairs]
        mine = instances.owners == instances.hub
        return [
            np.bincount(code[mine], weights=x[mine], minlength=rule.values).astype(np.float64)
            for rule, code in zip(self.rules, self.codes, strict=True)
        ]

    def up(self, bound: float) -> int:
        """Return the least cost of a release that an engine's bound allows."""
        return int(np.ceil(bound - 1e-6)) * self.unit if np.isfinite(bound) else -(2**62)

    # --- the integer program -------------------------------------------------------------------------------------

    def close(self, watch: Watch) -> None:
        """Search by integer programs what costs a little more than the bound, then a little more, and so on.

        A program over what a release up to a limit can have (fixing by reduced costs) either has none, which raises the
        bound above the limit, or has the least release.
        """
        if self.answer is None or self.answer.reduced is None:
            return
        step = max(2 * self.unit, self.value // tuning.DEFAULT.program_margin // self.unit * self.unit)
        dearest = int(self.instances.counts.sum()) * int(self.instances.costs.max(initial=0))
        while not (self.closed or self.infeasible or watch.stopped):
            limit = min(self.value + step, self.cost - self.unit, dearest)
            answer = self.program(limit, watch)
            if answer is None:
                return
            if answer.outcome in (Outcome.INFEASIBLE, Outcome.CUTOFF):
                self.infeasible = limit >= dearest
                self.value = limit + self.unit
                step *= 2
                continue
            self.value = max(self.value, min(self.up(answer.bound), limit + self.unit, self.cost))
            if answer.outcome is not Outcome.OPTIMAL:
                return

    def program(self, limit: int, watch: Watch) -> Answer | None:
        """Return the answer of the integer program over releases up to a limit; its release is taken.

        Rows that its solutions break are added until none does. None: it does not come to an end.
        """
        self.complete(limit)
        while not watch.stopped:
            program, kept = self._left(limit)
            answer = solve(program, abs_gap=0.999, watch=watch)
            if answer.x is None:
                return answer
            x = np.zeros(len(self.model.program.cost))
            x[kept] = answer.x
            rows: Int64 = np.rint(x[: self.instances.pairs]).astype(np.int64)
            if self.offer(rows) or answer.outcome is not Outcome.OPTIMAL:
                return answer
            held = np.bincount(self.instances.owners, weights=rows, minlength=self.instances.size) > 0
            broken = self.broken(rows.astype(np.float64), held.astype(np.float64), EXACT)
            if not broken:
                return None
            self.more += broken
        return None

    def complete(self, limit: int) -> None:
        """Add every row of the requirements on instances that a release up to a limit may open, where they are few."""
        pairs = self.instances.pairs
        kept = self._kept(limit)
        some = np.unique(self.instances.owners[kept[kept < pairs]])
        if not self.whole:
            some = some[self.instances.needs[some] > 0]
        found = []
        for number, (rule, code) in enumerate(zip(self.rules, self.codes, strict=True)):
            for g in some.tolist():
                rows = all_rows(rule, int(self.instances.needs[g]))
                if rows is None or len(rows[1]) * some.size > tuning.DEFAULT.stated_rows:
                    break
                values, opens = rows
                here = np.unique(code[self.instances.begins[g] : self.instances.begins[g + 1]])
                mine = np.concatenate(
                    [np.arange(begin, begin + rule.values)[here] for begin in range(0, len(opens), rule.values)]
                )
                found += self._new(number, np.full(mine.size, g), values[mine], opens[mine], code)
        self.more += found

    def _kept(self, limit: int) -> Int64:
        """Return the columns that a solution up to a limit may use."""
        answer = self.answer
        assert answer is not None
        assert answer.x is not None
        assert answer.reduced is not None
        room = self._room(limit)
        return np.flatnonzero((answer.x > 1e-9) | (answer.reduced <= room))

    def _room(self, limit: int) -> float:
        """Return what a solution up to a limit may cost more than the linear program, with a margin for its floats."""
        assert self.answer is not None
        return limit / self.unit - self.answer.bound + 1e-4 + 1e-7 * abs(self.answer.bound)

    def _left(self, limit: int) -> tuple[Program, Int64]:
        """Return the program over columns that a solution up to a limit may use, and their places."""
        base, answer = self.model.program, self.answer
        assert answer is not None
        assert answer.x is not None
        assert answer.reduced is not None
        room, kept = self._room(limit), self._kept(limit)
        lower = base.lower.copy()
        full = np.zeros(len(base.cost), np.bool_)
        full[self.instances.pairs :] = (answer.x[self.instances.pairs :] >= 1 - 1e-9) & (
            -answer.reduced[self.instances.pairs :] > room
        )
        lower[full] = 1.0
        cost = Rows(
            np.array([0, self.instances.pairs], np.int32), np.arange(self.instances.pairs, dtype=np.int32),
            base.cost[: self.instances.pairs], np.array([-np.inf]), np.array([limit / self.unit + 1e-6]),
        )  # fmt: skip
        rows = stacked((base.rows, *self.more, cost))
        matrix = csr_matrix((rows.values, rows.columns, rows.begins), shape=(len(rows.lower), len(base.cost)))[:, kept]
        left = Rows(
            matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32), matrix.data, rows.lower, rows.upper
        )  # fmt: skip
        program = Program(base.cost[kept], lower[kept], base.upper[kept], base.whole[kept], left)
        return program, kept
