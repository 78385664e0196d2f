"""The calls to HiGHS: how a program is handed over, and what its statuses mean."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import highspy
import numpy as np

from incrowd.milp.engine_thread import is_left
from incrowd.milp.program import Outcome, Program
from incrowd.progress import search_time

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch

__all__ = ["INFINITY", "fresh", "listen", "next_run", "outcome_of", "pass_program", "solution_of", "taken"]

INFINITY = float(highspy.kHighsInf)

_OUTCOMES = {
    highspy.HighsModelStatus.kOptimal: Outcome.OPTIMAL,
    highspy.HighsModelStatus.kModelEmpty: Outcome.OPTIMAL,
    highspy.HighsModelStatus.kInfeasible: Outcome.INFEASIBLE,
    # Every program here is bounded: its costs and variables are at least 0.
    highspy.HighsModelStatus.kUnboundedOrInfeasible: Outcome.INFEASIBLE,
    highspy.HighsModelStatus.kObjectiveBound: Outcome.CUTOFF,
    highspy.HighsModelStatus.kTimeLimit: Outcome.TIME_LIMIT,
    highspy.HighsModelStatus.kInterrupt: Outcome.INTERRUPTED,
}


class _Silent(highspy.Highs):
    """An engine that writes nothing: from 1.16 on one that is made says its version on the standard output."""

    def enableCallbacks(self) -> None:  # noqa: N802 - the first method that its parent calls when it is made
        self.setOptionValue("output_flag", False)
        super().enableCallbacks()  # type: ignore[no-untyped-call]


def fresh(**options: Any) -> highspy.Highs:
    """Return a silent engine on one thread.

    ValueError is raised if the engine does not know an option or refuses its value.
    """
    engine = _Silent()  # type: ignore[no-untyped-call]
    for name, value in {"output_flag": False, "threads": 1, **options}.items():
        if engine.setOptionValue(name, value) != highspy.HighsStatus.kOk:
            raise ValueError(f"HiGHS refuses option {name}={value!r}")
    return engine


def pass_program(engine: highspy.Highs, program: Program, *, linear: bool = False) -> None:
    """Hand a program over to the engine; `linear` drops the whole-number conditions.

    ValueError is raised if HiGHS refuses the program.
    """
    rows = program.rows
    whole = np.zeros(len(program.cost), np.int32) if linear else program.whole.astype(np.int32)
    handed = engine.passModel(
        len(program.cost),
        len(rows.lower),
        len(rows.columns),
        int(highspy.MatrixFormat.kRowwise),
        int(highspy.ObjSense.kMinimize),
        program.offset,
        np.asarray(program.cost, np.float64),
        _finite(program.lower),
        _finite(program.upper),
        _finite(rows.lower),
        _finite(rows.upper),
        np.asarray(rows.begins, np.int32),
        np.asarray(rows.columns, np.int32),
        np.asarray(rows.values, np.float64),
        whole,
    )
    taken(handed)


def taken(status: highspy.HighsStatus) -> None:
    """Raise a ValueError if the engine refused what it was handed: it leaves that out and answers without it."""
    if status == highspy.HighsStatus.kError:
        raise ValueError("HiGHS refuses the program, or a change of it")


def listen(engine: highspy.Highs, watch: Watch) -> None:
    """Let the watch, asked while the engine works, end a run.

    The engine's own handling of Ctrl-C is left off: it may end the process.
    """
    number = id(engine)  # a reference would keep it for ever

    def ask(event: Any) -> None:
        if watch.stopped or is_left(number):
            event.interrupt()

    engine.HandleKeyboardInterrupt = False
    engine.HandleUserInterrupt = False
    for callback in (engine.cbMipInterrupt, engine.cbSimplexInterrupt):
        callback.subscribe(ask)


def outcome_of(engine: highspy.Highs, watch: Watch | None = None) -> Outcome:
    """Return how the last run ended: `FAILED` for a status that has no other meaning here.

    The watch is what could end it. Where its time was over and the callback came before the engine's own limit,
    versions of the engine differ in what they call that; here it is `TIME_LIMIT`.
    """
    outcome = _OUTCOMES.get(engine.getModelStatus(), Outcome.FAILED)
    if outcome is Outcome.INTERRUPTED and watch is not None and not watch.interrupted:
        return Outcome.TIME_LIMIT
    return outcome


def solution_of(engine: highspy.Highs) -> tuple[NDArray[np.float64] | None, float]:
    """Return the best solution of the last run, (columns,) float64, and its objective.

    They are None and infinite where there is no solution.
    """
    info = engine.getInfo()
    if info.primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
        return None, np.inf
    return np.array(engine.getSolution().col_value), float(info.objective_function_value)


def next_run(engine: highspy.Highs, watch: Watch | None) -> float | None:
    """Give an engine that has run before the time that the watch leaves for its next run.

    The seconds left, from 0, are returned; None where there is no deadline, and the engine's limit stays as it is.
    """
    if watch is None or watch.deadline is None:
        return None
    left = max(watch.deadline - search_time(), 0.0)
    # The engine's clock runs on from solve to solve.
    engine.setOptionValue("time_limit", engine.getRunTime() + left)
    return left


def _finite(sides: Any) -> Any:
    return np.where(np.isinf(sides), np.copysign(INFINITY if math.isfinite(INFINITY) else np.inf, sides), sides)
