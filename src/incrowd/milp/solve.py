"""Integer programs by HiGHS's branch and cut."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import highspy
import numpy as np

from incrowd.milp.engine import (
    INFINITY,
    LeftBehind,
    fresh,
    listen,
    next_run,
    outcome_of,
    pass_program,
    run,
    solution_of,
    taken,
)
from incrowd.milp.program import Answer, Outcome, Program, Rows, unanswered
from incrowd.progress import search_time

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch


def solve(
    program: Program,
    *,
    start: NDArray[np.float64] | None = None,
    cutoff: float | None = None,
    abs_gap: float = 1e-6,
    seconds: float | None = None,
    nodes: int | None = None,
    presolve: bool = True,
    watch: Watch | None = None,
) -> Answer:
    """Solve a program, or say how far it came.

    `start`, (c,), is a feasible solution to start from, and solutions from `cutoff` on are of no use. It stops when
    objective and bound are `abs_gap` apart, after `seconds` of wall time at most (the watch's deadline counts too), or
    after `nodes` nodes of the tree at most: then the outcome is ``FAILED``, though with the best solution found, the
    same end on every machine. Without `presolve` the program is taken as it is, for kinds on which the engine's
    presolve may not end. The watch is asked during the run through the engine's interrupt callback: it may end the run
    early. An engine that does not end then is left behind, and the answer holds nothing. The outcome is ``CUTOFF`` when
    the engine says that nothing below the cutoff exists; a worse solution may be there.
    """
    options: dict[str, Any] = {
        "mip_rel_gap": 0.0, "mip_abs_gap": abs_gap, "random_seed": 0,
        "mip_feasibility_tolerance": 1e-6, "mip_heuristic_effort": 0.05,
    }  # fmt: skip
    if not presolve:
        options["presolve"] = "off"
    if nodes is not None:
        options["mip_max_nodes"] = nodes
    if cutoff is not None:
        options["objective_bound"] = float(cutoff)
    ends = [] if seconds is None else [seconds]
    if watch is not None and watch.deadline is not None:
        ends.append(watch.deadline - search_time())
    if ends:
        options["time_limit"] = max(min(ends), 0.0)
    engine = fresh(**options)
    pass_program(engine, program)
    if start is not None:
        given = highspy.HighsSolution()
        given.col_value = np.asarray(start, np.float64).tolist()
        given.value_valid = True
        engine.setSolution(given)
    if watch is not None:
        listen(engine, watch)
    try:
        run(engine, watch, options.get("time_limit"))
    except LeftBehind as busy:
        return unanswered(busy.interrupted)
    outcome = outcome_of(engine, watch)
    x, objective = solution_of(engine)
    info = engine.getInfo()
    bound = float(info.mip_dual_bound) if program.whole.any() else objective
    if outcome is Outcome.OPTIMAL and x is None:
        outcome = Outcome.FAILED
    # The engine may answer a cutoff with "infeasible", with "bound reached", or with a worse optimum.
    if cutoff is not None and (outcome is Outcome.INFEASIBLE or (outcome is Outcome.OPTIMAL and bound > cutoff)):
        outcome = Outcome.CUTOFF
    return Answer(outcome, x, bound)


# The engine's names of the simplex methods that keep the last basis' duals, or its solution, feasible.
DUAL, PRIMAL = 1, 4


# Linear programs that grow: rows and columns are added, bounds and costs moved, and the last basis is the next start.
class Linear:
    """A linear program kept warm in the engine; the whole-number conditions of the program are dropped.

    `method` is the engine's name of it, by default "choose". `presolve` is on by default, but small programs that are
    solved again and again are quicker without.
    """

    def __init__(self, program: Program, *, method: str = "choose", presolve: bool = True) -> None:
        self._engine = fresh(solver=method, presolve="on" if presolve else "off")
        self._lost: Answer | None = None  # the answer once the engine was left behind
        self._strategy = DUAL
        self.rows, self.columns = len(program.rows.lower), len(program.cost)
        pass_program(self._engine, program, linear=True)

    def add(self, rows: Rows) -> None:
        """Add constraints, which join behind the ones there are.

        ValueError is raised if the engine refuses them: one that names a column twice, for example.
        """
        count = len(rows.lower)
        if count and self._lost is None:
            added = self._engine.addRows(
                count,
                np.maximum(rows.lower, -INFINITY),
                np.minimum(rows.upper, INFINITY),
                len(rows.columns),
                rows.begins[:-1].astype(np.int32),
                rows.columns.astype(np.int32),
                rows.values.astype(np.float64),
            )
            taken(added)
            self._strategy = DUAL
        self.rows += count

    def add_columns(self, cost: NDArray[np.float64], starts: NDArray[Any], rows: NDArray[Any]) -> None:
        """Add columns from 0 on with ones: column i costs ``cost[i]`` and is in ``rows[starts[i]:starts[i + 1]]``."""
        count = len(cost)
        if count and self._lost is None:
            added = self._engine.addCols(
                count,
                cost.astype(np.float64),
                np.zeros(count),
                np.full(count, INFINITY),
                len(rows),
                starts[:count].astype(np.int32),
                rows.astype(np.int32),
                np.ones(len(rows)),
            )
            taken(added)
            self._strategy = PRIMAL
        self.columns += count

    def change_costs(self, columns: NDArray[Any], cost: NDArray[np.float64]) -> None:
        """Set the cost of some columns; both arrays are (c,)."""
        if len(columns) and self._lost is None:
            taken(self._engine.changeColsCost(len(columns), columns.astype(np.int32), cost.astype(np.float64)))
            self._strategy = PRIMAL

    def bound(self, columns: NDArray[Any], lower: NDArray[np.float64], upper: NDArray[np.float64]) -> None:
        """Set the bounds of some columns, (c,) each; they may be infinite."""
        if len(columns) and self._lost is None:
            taken(self._engine.changeColsBounds(len(columns), columns.astype(np.int32), lower, upper))
            self._strategy = DUAL

    def solve(self, watch: Watch | None = None) -> Answer:
        """Solve from the last basis; `duals` are those of the rows in the order they came.

        The watch ends the run. After a run that was left behind every further answer is the same: nothing is known.
        """
        if self._lost is not None:
            return self._lost
        self._engine.setOptionValue("simplex_strategy", self._strategy)
        try:
            run(self._engine, watch, next_run(self._engine, watch))
            outcome = outcome_of(self._engine, watch)
            if outcome is Outcome.FAILED:
                # Lost its way from the last basis: once more from nothing.
                self._engine.clearSolver()
                self._engine.setOptionValue("simplex_strategy", 0)
                run(self._engine, watch, next_run(self._engine, watch))
                outcome = outcome_of(self._engine, watch)
        except LeftBehind as busy:
            self._engine, self._lost = fresh(), unanswered(busy.interrupted)
            return self._lost
        solution = self._engine.getSolution()
        if outcome is not Outcome.OPTIMAL:
            return Answer(outcome)
        value = float(self._engine.getInfo().objective_function_value)
        duals = np.array(solution.row_dual) if solution.dual_valid else None
        return Answer(outcome, np.array(solution.col_value), value, duals=duals)

    def probe(self, iterations: int) -> float:
        """Return about what the objective comes to after some steps, at least 1, of the simplex method; no bound.

        It is infinite where the program has no solution, and minus infinite after a run that was left behind.
        """
        if self._lost is not None:
            return -np.inf
        self._engine.setOptionValue("simplex_iteration_limit", iterations)
        run(self._engine)
        self._engine.setOptionValue("simplex_iteration_limit", 2**31 - 1)
        if outcome_of(self._engine) is Outcome.INFEASIBLE:
            return np.inf
        return float(self._engine.getInfo().objective_function_value)

    def basis(self) -> Any:
        """Return the basis the engine stands at."""
        return self._engine.getBasis()

    def go_back(self, basis: Any) -> None:
        """Start the next solve from a basis, as the engine gave it, for as many rows as there are now."""
        self._engine.setBasis(basis)

    def ray(self) -> NDArray[np.float64] | None:
        """Return a dual ray of an infeasible program over its rows, if the engine has one."""
        status, has, ray = self._engine.getDualRay()  # type: ignore[attr-defined]
        if status != highspy.HighsStatus.kOk or not has:
            return None
        return np.array(ray)
