"""Integer programs by HiGHS's branch and cut."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import highspy
import numpy as np

from incrowd.milp.engine import fresh, listen, outcome_of, pass_program, solution_of
from incrowd.milp.engine_thread import LeftBehind, run
from incrowd.milp.program import Answer, Outcome, Program, unanswered
from incrowd.progress import search_time

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch

__all__ = ["solve"]


def solve(
    program: Program,
    *,
    start: NDArray[np.float64] | None = None,
    cutoff: float | None = None,
    abs_gap: float = 1e-6,
    seconds: float | None = None,
    nodes: int | None = None,
    seed: int = 0,
    presolve: bool = True,
    watch: Watch | None = None,
) -> Answer:
    """Solve a program, or say how far it came.

    `start`, (c,), is a feasible solution to start from, and solutions from `cutoff` on are of no use. It stops when
    objective and bound are `abs_gap` apart, after `seconds` of wall time at most (the watch's deadline counts too), or
    after `nodes` nodes of the tree at most: then the outcome is ``FAILED``, though with the best solution found, the
    same end on every machine.

    Without `presolve` the program is taken as it is, for kinds on which the engine's presolve may not end. The watch is
    asked during the run through the engine's interrupt callback: it may end the run early. An engine that does not end
    then is left behind, and the answer holds nothing. The outcome is ``CUTOFF`` when the engine says that nothing below
    the cutoff exists; a worse solution may be there.
    """
    options: dict[str, Any] = {
        "mip_rel_gap": 0.0, "mip_abs_gap": abs_gap, "random_seed": seed,
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
    return Answer(outcome, x, objective, bound, nodes=int(max(info.mip_node_count, 0)))
