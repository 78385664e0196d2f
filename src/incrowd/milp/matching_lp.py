"""A linear program that grows in both directions: lines (constraints) and columns join, the basis stays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.milp.engine import INFINITY, fresh, listen, next_run, outcome_of, pass_program, solution_of, taken
from incrowd.milp.engine_thread import LeftBehind, run
from incrowd.milp.program import Answer, Outcome, Program, unanswered
from incrowd.progress import search_time

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch

__all__ = ["Growing", "whole"]

DUAL, PRIMAL = 1, 4


class Growing:
    """Minimise ``cost @ x`` over x >= 0 and lines ``lower <= A x <= upper`` of ones."""

    def __init__(self) -> None:
        self._engine = fresh(solver="simplex", presolve="off")
        self._method = DUAL
        self._lost: Answer | None = None  # the answer once the engine was left behind

    @property
    def lines(self) -> int:
        """Number of lines."""
        return int(self._engine.getNumRow())

    @property
    def columns(self) -> int:
        """Number of columns."""
        return int(self._engine.getNumCol())

    def add_lines(self, lower: float, upper: float, members: list[NDArray[Any]]) -> NDArray[np.int32]:
        """Add lines, each with a one in some columns; return their numbers, (lines,) int32.

        The bounds are the same for all new lines; `members` holds the columns of each line, (s,) integers.
        """
        first = self.lines
        if members:
            sizes = np.array([len(m) for m in members])
            starts = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.int32)
            index = np.concatenate([np.asarray(m) for m in members]).astype(np.int32)
            added = self._engine.addRows(
                len(members),
                np.full(len(members), lower),
                np.full(len(members), min(upper, INFINITY)),
                int(index.size),
                starts,
                index,
                np.ones(index.size),
            )
            self._taken(added)
            self._method = DUAL
        return np.arange(first, first + len(members), dtype=np.int32)

    def add_columns(self, cost: NDArray[np.float64], starts: NDArray[Any], lines: NDArray[Any]) -> NDArray[np.int32]:
        """Add columns with ones in the given lines; return their numbers, (c,) int32.

        Column i costs ``cost[i]`` and has ones in ``lines[starts[i]:starts[i + 1]]``; `starts` is (c + 1,).
        """
        first, count = self.columns, int(cost.size)
        if count:
            added = self._engine.addCols(
                count,
                cost.astype(np.float64),
                np.zeros(count),
                np.full(count, INFINITY),
                int(lines.size),
                starts[:count].astype(np.int32),
                lines.astype(np.int32),
                np.ones(lines.size),
            )
            self._taken(added)
            self._method = PRIMAL
        return np.arange(first, first + count, dtype=np.int32)

    def change_costs(self, columns: NDArray[Any], cost: NDArray[np.float64]) -> None:
        """Set the cost of some columns; both arrays are (c,)."""
        if columns.size:
            which, values = columns.astype(np.int32), cost.astype(np.float64)
            self._taken(self._engine.changeColsCost(int(columns.size), which, values))
            self._method = PRIMAL

    def forbid(self, columns: NDArray[Any]) -> None:
        """Hold some columns, (c,) integers, at zero."""
        if columns.size:
            zeros = np.zeros(columns.size)
            self._taken(self._engine.changeColsBounds(int(columns.size), columns.astype(np.int32), zeros, zeros))
            self._method = DUAL

    def solve(self, watch: Watch | None = None) -> Answer:
        """Solve from the last basis; the watch ends the run."""
        if self._lost is not None:
            return self._lost
        self._engine.setOptionValue("simplex_strategy", self._method)
        try:
            outcome = self._run(watch)
            if outcome is Outcome.FAILED:
                # Lost its way from the last basis: once more from nothing.
                self._engine.clearSolver()
                self._engine.setOptionValue("simplex_strategy", 0)
                outcome = self._run(watch)
        except LeftBehind as busy:
            self._engine, self._lost = fresh(), unanswered(busy.interrupted)
            return self._lost
        if outcome is not Outcome.OPTIMAL:
            return Answer(outcome, None, np.inf, -np.inf)
        solution = self._engine.getSolution()
        value = float(self._engine.getInfo().objective_function_value)
        return Answer(outcome, np.array(solution.col_value), value, value, duals=np.array(solution.row_dual))

    def _taken(self, status: Any) -> None:
        if self._lost is None:
            taken(status)

    def _run(self, watch: Watch | None) -> Outcome:
        run(self._engine, watch, next_run(self._engine, watch))
        return outcome_of(self._engine, watch)


def whole(program: Program, *, abs_gap: float, nodes: int | None = None, watch: Watch | None = None) -> Answer:
    """Solve an integer program, or work through `nodes` nodes of it: the same end on every machine.

    An answer that is neither optimal nor infeasible may still hold a solution. `abs_gap` is the absolute gap between
    solution and bound at which it ends, in the objective's unit; `nodes` of None sets no limit, and the watch ends the
    run.
    """
    options: dict[str, Any] = {"mip_rel_gap": 0.0, "mip_abs_gap": abs_gap, "random_seed": 0}
    if nodes is not None:
        options["mip_max_nodes"] = nodes
    if watch is not None and watch.deadline is not None:
        options["time_limit"] = max(watch.deadline - search_time(), 0.0)
    engine = fresh(**options)
    pass_program(engine, program)
    if watch is not None:
        listen(engine, watch)
    try:
        run(engine, watch, options.get("time_limit"))
    except LeftBehind as busy:
        return unanswered(busy.interrupted)
    outcome = outcome_of(engine, watch)
    x, objective = solution_of(engine)
    return Answer(outcome, x, objective, float(engine.getInfo().mip_dual_bound))
