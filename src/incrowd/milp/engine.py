"""The calls to HiGHS: how a program is handed over, and what its statuses mean."""

from __future__ import annotations

import atexit
import math
import os
import queue
import threading
import time
from typing import TYPE_CHECKING, Any

import highspy
import numpy as np

from incrowd.milp.program import Outcome, Program
from incrowd.progress import search_time

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch

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


# Runs of the engine in a thread of their own: a call that does not return in time is left behind.
#
# The engine runs in a thread of its own and lets go of the interpreter meanwhile. This thread waits, so it hears
# signals at once, and asks the watch; an engine that goes on for a second after it was told to end is left alone, and
# never touched again. The thread is a daemon: it does not keep the process alive. But an engine that asks for the
# interpreter while the interpreter ends would take the whole process down, so the end of the program waits for it.

# Seconds that an engine has to end by itself after it was asked to, and between two looks at the watch.
GRACE, LOOK = 1.0, 0.05
# Seconds that the end of the program waits for engines that were left behind.
FAREWELL = 10.0


class LeftBehind(Exception):
    """The engine did not end when asked: it is still busy, and must not be touched again.

    `interrupted` tells whether an interruption ended the wait, and not a time limit.
    """

    def __init__(self, interrupted: bool) -> None:
        super().__init__("the engine did not end")
        self.interrupted = interrupted


class _Run:
    """One call, and how it ended."""

    def __init__(self, engine: Any) -> None:
        self.engine = engine
        self.done = threading.Event()
        self.error: BaseException | None = None

    def __call__(self) -> None:
        try:
            self.engine.run()
        except BaseException as error:  # noqa: BLE001 - told to the thread that waits
            self.error = error
        self.done.set()


class _Worker:
    """A thread that does one call after another; it has a queue, for short calls come by thousands."""

    def __init__(self) -> None:
        self.calls: queue.SimpleQueue[_Run] = queue.SimpleQueue()
        threading.Thread(target=self._work, name="incrowd-engine", daemon=True).start()

    def _work(self) -> None:
        while True:
            self.calls.get()()


_idle: list[_Worker] = []
_left: dict[int, _Run] = {}  # by the engine's id; the call holds the engine, so that no other has it
if hasattr(os, "register_at_fork"):  # threads do not live on in a child
    os.register_at_fork(after_in_child=_idle.clear)
    os.register_at_fork(after_in_child=_left.clear)


def is_left(number: int) -> bool:
    """Return whether an engine was left behind: then it should end, whatever its watch says by now.

    The engine is told by its number, the `id` of what `run` was given.
    """
    return number in _left


def left_behind() -> int:
    """Return how many engines were left behind and are still at work."""
    for number, call in list(_left.items()):
        if call.done.is_set():
            _left.pop(number, None)
    return len(_left)


def _say_farewell() -> None:
    """Wait for the engines that were left behind; they are told to end."""
    end = time.monotonic() + FAREWELL
    try:
        while left_behind() and time.monotonic() < end:
            time.sleep(LOOK)
    except KeyboardInterrupt:  # who does not want to wait does not have to
        return


atexit.register(_say_farewell)


def run(engine: Any, watch: Watch | None = None, seconds: float | None = None) -> None:
    """Run an engine, an object with a method `run`, to its end.

    The watch is asked some times a second. `seconds` is the wall time after which the engine ends by itself, if it
    keeps its own limit. LeftBehind is raised if it did not end within a second of the watch's stop or of its own limit.
    """
    try:
        worker = _idle.pop()
    except IndexError:
        worker = _Worker()
    call = _Run(engine)
    worker.calls.put(call)
    end = None if seconds is None else time.perf_counter() + seconds
    stopped: float | None = None
    try:
        while not call.done.wait(LOOK):
            now = time.perf_counter()
            if stopped is None and ((watch is not None and watch.stopped) or (end is not None and now >= end)):
                stopped = now
            if stopped is not None and now >= stopped + GRACE:
                raise LeftBehind(watch is not None and watch.interrupted)
    except BaseException:  # a signal may raise here too; the worker is not handed back either
        _left[id(engine)] = call
        raise
    _idle.append(worker)
    if call.error is not None:
        raise call.error
