"""How cost and bound moved while a solver searched, taken from its events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.progress import Behind, Event, Watch
from incrowd.report.facts.release import number
from incrowd.tables.user_units import in_units, offset_of

if TYPE_CHECKING:
    from incrowd.tables.values import Problem, Solution

__all__ = ["History"]

MOST = 200


class History:
    """Keeps cost and bound over time, from the events of a watch.

    It is made with the watch that the caller listens to, which gets every event as before.

    Attributes
    ----------
    watch : Watch
        To be given to the solver in its place.
    """

    def __init__(self, watch: Watch) -> None:
        self._listener = watch.on_event
        self._heard: list[tuple[float, int | None, int | None]] = []
        self.watch: Watch = Behind(watch, watch.deadline)
        self.watch.on_event = self._hear

    def _hear(self, event: Event) -> None:
        facts = event.facts
        if event.stage in ("solve", "bound") and not facts.get("rows_left"):  # a draft with rows left costs less
            cost, bound = facts.get("cost"), facts.get("lower_bound")
            if isinstance(cost, int) or isinstance(bound, int):
                self._heard.append(
                    (event.seconds, cost if isinstance(cost, int) else None, bound if isinstance(bound, int) else None)
                )
        if self._listener is not None:
            self._listener(event)

    def points(self, problem: Problem, solution: Solution, seconds: float) -> list[dict[str, Any]]:
        """Return best cost and bound so far over time, in the user's units; the last point is the solution's.

        `problem` and `solution` are what was solved and how the search ended, and `seconds` is when it ended, on the
        watch's clock. There are at most 200 points, with ``seconds``, ``cost`` and ``lower_bound`` (None until one is
        known).
        """
        final, floor = solution.plan.cost(problem), solution.bound.value
        cost: int | None = None
        bound: int | None = None
        out: list[dict[str, Any]] = []
        offset = offset_of(problem)
        for at, new_cost, new_bound in [*self._heard, (seconds, final, floor)]:
            # what is better than the end is of a part of the problem
            better = new_cost is not None and new_cost >= final and (cost is None or new_cost < cost)
            tighter = new_bound is not None and new_bound <= floor and (bound is None or new_bound > bound)
            cost, bound = new_cost if better else cost, new_bound if tighter else bound
            if better or tighter or at == seconds:
                out.append(
                    {
                        "seconds": round(at, 3),
                        "cost": _units(cost, problem, offset),
                        "lower_bound": _units(bound, problem, offset),
                    }
                )
        if len(out) > 1 and out[-2]["seconds"] == out[-1]["seconds"]:
            del out[-2]
        every = -(-len(out) // MOST)
        return [*out[:-1:every], out[-1]]


def _units(value: int | None, problem: Problem, offset: int) -> int | float | None:
    return None if value is None else number(in_units(problem, value, offset))
