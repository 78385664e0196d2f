"""Linear programs that grow: rows are added, bounds moved, and the last basis is the next start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import highspy
import numpy as np

from incrowd.milp.engine import INFINITY, fresh, next_run, outcome_of, pass_program, taken
from incrowd.milp.engine_thread import LeftBehind, run
from incrowd.milp.program import Answer, Outcome, Program, Rows, unanswered

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch

__all__ = ["Linear"]


class Linear:
    """A linear program kept warm in the engine; the whole-number conditions of the program are dropped.

    `method` is the engine's name of it, by default "choose". `presolve` is on by default, but small programs that are
    solved again and again are quicker without.
    """

    def __init__(self, program: Program, *, method: str = "choose", presolve: bool = True) -> None:
        self._engine = fresh(solver=method, presolve="on" if presolve else "off")
        self._lost: Answer | None = None  # the answer once the engine was left behind
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

    def bound(self, columns: NDArray[np.int32], lower: NDArray[np.float64], upper: NDArray[np.float64]) -> None:
        """Set the bounds of some columns, (c,) each; they may be infinite."""
        if len(columns) and self._lost is None:
            taken(self._engine.changeColsBounds(len(columns), columns.astype(np.int32), lower, upper))

    def solve(self, watch: Watch | None = None) -> Answer:
        """Solve from the last basis; `duals` are those of the rows in the order they came.

        The watch ends the run. After a run that was left behind every further answer is the same: nothing is known.
        """
        if self._lost is not None:
            return self._lost
        try:
            run(self._engine, watch, next_run(self._engine, watch))
        except LeftBehind as busy:
            self._engine, self._lost = fresh(), unanswered(busy.interrupted)
            return self._lost
        outcome = outcome_of(self._engine, watch)
        solution = self._engine.getSolution()
        if outcome is not Outcome.OPTIMAL:
            return Answer(outcome, None, np.inf, -np.inf)
        value = float(self._engine.getInfo().objective_function_value)
        duals = np.array(solution.row_dual) if solution.dual_valid else None
        reduced = np.array(solution.col_dual) if solution.dual_valid else None
        return Answer(outcome, np.array(solution.col_value), value, value, duals=duals, reduced=reduced)

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

    def adopt(self, basis: Any, columns: NDArray[np.integer], rows: NDArray[np.integer]) -> None:
        """Start the next solve from the basis of a program that this one has grown from, as `basis` returned it.

        `columns` and `rows` say which column and row of that program each of this one's is; -1 for new ones (columns at
        their lower bounds, rows slack).
        """
        status = highspy.HighsBasisStatus
        old_columns, old_rows = list(basis.col_status), list(basis.row_status)
        grown = highspy.HighsBasis()
        grown.col_status = [status.kLower if j < 0 else old_columns[j] for j in columns.tolist()]
        grown.row_status = [status.kBasic if j < 0 else old_rows[j] for j in rows.tolist()]
        grown.valid = True
        self._engine.setBasis(grown)

    def ray(self) -> NDArray[np.float64] | None:
        """Return a dual ray of an infeasible program over its rows, if the engine has one."""
        status, has, ray = self._engine.getDualRay()  # type: ignore[attr-defined]
        if status != highspy.HighsStatus.kOk or not has:
            return None
        return np.array(ray)
