"""The two-phase algorithm of Theorem 3, literally: guess the used instances, then assign the rows."""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import Infeasible, PolicyError, about
from incrowd.tables.solve.shared.instances import Instances, TooManyInstances, list_instances
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.refusals import beyond_k
from incrowd.tables.solve.shared.row_assignment import assign, to_plan
from incrowd.tables.solve.shared.status import ended
from incrowd.tables.values import Bound, Plan, Problem, Solution

if TYPE_CHECKING:
    from collections.abc import Iterator

    from incrowd.progress import Watch


@dataclass(frozen=True, kw_only=True)
class TwoPhase:
    """Phase 1 tries the sets of instances, Phase 2 solves Row Assignment for each as a flow with lower bounds.

    Parameters
    ----------
    most_sets : int, default 200,000
        Sets up to which it starts, at least 1.

    Notes
    -----
    Only kept instances are guessed (an optimal release uses no others), at most n / k of them, and sets that
    leave a type without an instance are passed over; a set whose rows' cheapest instances already cost more
    than the best release is not assigned. O(2^instances) flows; memory: the list of instances. An oracle for
    the other exact solvers.

    References
    ----------
    .. [1] R. Bredereck, A. Nichterlein, R. Niedermeier, "Pattern-Guided k-Anonymity", Algorithms 2013, 6(4),
       Theorem 3.
    """

    most_sets: int = 200_000
    name: str = field(default="two_phase", init=False)
    cites = ("BredereckNichterleinNiedermeier2013",)
    summary: str = field(default="every set of instances, filled at least cost (Theorem 3); tiny tables", init=False)

    def __post_init__(self) -> None:
        if self.most_sets < 1:
            raise PolicyError(f"most_sets must be at least 1, not {self.most_sets}")

    def declines(self, problem: Problem) -> str | None:
        """Return why the solver will not start: other requirements, or too many sets of instances."""
        reason = beyond_k(problem)
        if reason is not None:
            return reason
        refusal = "its sets of instances are more than {}, take solver 'exact'"
        most = refusal.format(self.most_sets)
        if problem.patterns.count() * problem.types.t > 1_000_000:
            return most
        try:
            instances = list_instances(problem, most_pairs=100_000)
        except TooManyInstances:
            return most
        sets = count_sets(instances, problem.k)
        if sets > self.most_sets:
            return f"it would try {about(sets)} sets of instances, more than {self.most_sets}; take solver 'exact'"
        return None

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return the least release; the bound rests on the flows' solver.

        Infeasible is raised if there is no release, or none was found in time.
        """
        begun = time.perf_counter()
        instances = list_instances(problem, encode(problem))
        begins, which, _ = instances.by_type
        best: tuple[Plan, int] | None = None
        finished = True
        if (np.diff(begins) > 0).all():
            for opened in guesses(instances, problem.k):
                if watch.stopped:
                    finished = False
                    break
                least = np.minimum.reduceat(
                    np.where(opened[which], instances.costs[which], np.iinfo(np.int64).max), begins[:-1]
                )
                if least.max() == np.iinfo(np.int64).max:
                    continue
                if best is not None and int((least * instances.counts).sum()) >= best[1]:
                    continue
                found = assign(instances, opened)
                if found is not None and (best is None or found[1] < best[1]):
                    best = to_plan(instances, found[0]), found[1]
                    watch.report("solve", cost=found[1])
        if best is None:
            raise Infeasible(
                f"no release meets k={problem.k} under this mask: no set of instances can be filled"
                if finished
                else f"no release with k={problem.k} was found in time",
                requirement=f"k={problem.k}",
                proven=finished,
            )
        plan, cost = best
        bound = Bound(cost if finished else 0, 0, "all sets of instances")
        status = ended(cost, bound.value, watch, cut_short=not finished)
        return Solution(plan, bound, status, self.name, {"solve": time.perf_counter() - begun})


def count_sets(instances: Instances, k: int) -> int:
    """Return how many sets of at most n / k instances that need a crowd there are."""
    crowd = int(np.count_nonzero(instances.needs > 0))
    most = min(crowd, int(instances.counts.sum()) // k)
    total = sets = 1
    for size in range(most):
        sets = sets * (crowd - size) // (size + 1)
        total += sets
    return total


def guesses(instances: Instances, k: int) -> Iterator[np.ndarray[tuple[int, ...], np.dtype[np.bool_]]]:
    """Yield the sets of instances that k rows each can fill; free instances belong to every set."""
    crowd = np.flatnonzero(instances.needs > 0)
    most = min(crowd.size, int(instances.counts.sum()) // k)
    for size in range(most + 1):
        for chosen in itertools.combinations(crowd.tolist(), size):
            opened = instances.needs == 0
            opened[list(chosen)] = True
            yield opened
