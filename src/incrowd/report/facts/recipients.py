"""Facts for those who receive a release: without what would help them to infer hidden values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["HELD_BACK", "told"]

HELD_BACK = frozenset(
    {
        "advice", "bound_method", "cost", "cost_exact", "gap", "gives_away", "kernel", "lower_bound",
        "lower_bound_checked", "lower_bound_exact", "optimal", "peak_mb", "progress", "proof", "seconds", "seed",
        "settled", "solver", "solver_notes", "stars_alone", "status",
    }
)  # fmt: skip
"""What says how near the release is to the cheapest one, and how it was searched for."""


def told(facts: Mapping[str, Any], *, quiet: bool) -> Mapping[str, Any]:
    """Return the facts that are shown and written.

    `facts` are as `incrowd.report.facts.release.facts_of` returns them. `quiet` says whether they are for those who
    receive the release: for them all are returned but `HELD_BACK`, and ``quiet_facts``: true.

    What stays is counted from the release itself. Under the usual cost so is the cost: whoever counts the stars knows
    it. What is held back is that no release costs less, or by how much at most.
    """
    if not quiet:
        return facts
    return {name: value for name, value in facts.items() if name not in HELD_BACK} | {"quiet_facts": True}
