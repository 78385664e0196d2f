"""What a quick search loses on a sample of a table: cheap, and near enough to choose a policy by."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from incrowd import registry
from incrowd.errors import Infeasible, InputError
from incrowd.jobs.prepare import prepare_opened
from incrowd.progress import Behind, Watch, search_time

if TYPE_CHECKING:
    from incrowd.policy.job import Policy
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Opened
    from incrowd.tables.values import Problem

__all__ = ["expected_loss", "quick_loss"]

SECONDS = 5.0
VISITS = 100_000_000  # of the greedy: below a second


def quick_loss(problem: Problem, watch: Watch | None = None) -> float | None:
    """Return the share of the quasi-identifiers' cost that a quick search loses: 0 nothing, 1 all stars.

    None is returned where there is no such release, every cell is free, or the search did not end within five seconds.
    The watch can end the search, and hears nothing of it.
    """
    most = sum(int(level.cost[-1].max()) for level in problem.levels) * problem.types.n
    watch = watch or Watch()
    greedy = registry.load("solvers", "greedy")(visits=VISITS)
    quiet = Behind(watch, search_time() + SECONDS)
    quiet.on_event = None
    try:
        found = greedy.solve(problem, quiet) if most else None
    except Infeasible:
        return None
    # a search cut short says nothing of what is lost
    return None if found is None or quiet.stopped else float(Fraction(found.plan.cost(problem), most))


def expected_loss(engine: Engine, opened: Opened, policy: Policy) -> float | None:
    """Return what following a policy loses of some rows, as `quick_loss` says it; None where it cannot be said.

    For a large table `opened` holds the rows of a sample. `PolicyError` or `InputError` is raised if the policy does
    not fit the table.
    """
    try:
        return quick_loss(prepare_opened(engine, opened, policy).problem())
    except InputError:
        return None
