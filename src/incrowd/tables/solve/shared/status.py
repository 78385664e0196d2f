"""How a search ended: the one rule by which every solver names the status of its solution."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.values import Status

__all__ = ["ended", "ended_later"]


def ended(
    cost: int,
    bound: int,
    watch: Watch,
    *,
    gap: float = 0.0,
    cut_short: bool | None = None,
    through: Status = "heuristic",
) -> Status:
    """Return how a search ended. The first line that is true decides.

    ================  =============================================================
    ``optimal``       the bound meets the cost
    ``interrupted``   the search was cut short, and somebody asked for that
    ``gap``           cost and bound are as near as was asked for
    ``time_limit``    the search was cut short
    ``heuristic``     the method did all it does
    ================  =============================================================

    Cost and bound are in scaled cost units, and `gap` is the relative distance of them at which the method stops.
    `cut_short` says whether the method could not do all it does; by default, whether the watch says stop now, for
    methods that would otherwise go on. `through` is what to call the end of a method that did all it does.
    """
    if cost <= bound:
        return "optimal"
    cut_short = watch.stopped if cut_short is None else cut_short
    if cut_short and watch.interrupted:
        return "interrupted"
    if cost - bound <= gap * bound:
        return "gap"
    return "time_limit" if cut_short else through


def ended_later(status: Status, watch: Watch) -> Status:
    """Return how several searches ended, the last of which said `status`.

    Where it did all it does, there may have been no time for the next: the watch says whether the time was over or an
    interruption was heard.
    """
    if status != "heuristic" or not watch.stopped:
        return status
    return "interrupted" if watch.interrupted else "time_limit"
