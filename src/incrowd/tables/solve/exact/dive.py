"""Releases from a linear program: open the instance that is most nearly open, solve again, and so on down."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from incrowd.milp import Outcome
from incrowd.tables.solve.exact import tuning

if TYPE_CHECKING:
    from collections.abc import Mapping

    from incrowd.milp import Answer
    from incrowd.progress import Watch
    from incrowd.tables.solve.exact.proof_tree import DualBound

__all__ = ["beyond", "dive", "near"]


def beyond(prover: DualBound, answer: Answer, upper: int) -> bool:
    """Return whether an answer leaves no release below `upper`, as far as its float can be believed.

    The prover knows the certified bound, the answer is that of a linear program, and `upper` is a scaled cost.
    """
    if answer.outcome is not Outcome.OPTIMAL:
        return True
    return math.ceil(answer.bound - 1e-6) * prover.unit >= upper


def near(prover: DualBound) -> int:
    """Return a cost a little above the bound: dives that keep below it fail early, or end well.

    The bound is the certified one, which the prover knows.
    """
    bound = max(prover.value(), 0)
    return bound + 3 * prover.unit + bound // tuning.DEFAULT.dive_margin // prover.unit * prover.unit


def dive(
    prover: DualBound, state: Mapping[int, int], answer: Answer, upper: int, watch: Watch, *, quick: bool = False
) -> Answer | None:
    """Return an answer below a node in which no instance is undecided, or None.

    `state` holds the instances open (1) or closed (-1) at the node, and `answer` is the node's. `upper` is the scaled
    cost that a release has to be below. `quick` opens many at once: all that are nearly open, and a quarter of the
    undecided ones at least.

    An instance that cannot be opened is closed; when that is too dear as well, the dive ends. One that would take too
    many linear programs does not begin.
    """
    here = dict(state)
    own = tuning.DEFAULT
    steps = max(min(own.small_dive_depth, own.dive_work // max(prover.instances.pairs, 1)), own.large_dive_depth)
    if not quick and prover.undecided(answer).size > steps:
        return None
    several = prover.instances.size if quick else 1
    for _ in range(2 * steps):
        undecided = prover.undecided(answer)
        if not undecided.size:
            return answer
        u = prover.point(answer)[1][undecided]
        order = undecided[np.argsort(-u, kind="stable")]
        several = max(1, min(several, max(order.size // own.dive_divisor, int((u > own.dive_openness).sum()))))
        tries = [{int(g): 1 for g in order[:several]}, {int(order[0]): -1}]
        if several > 1:
            tries.insert(1, {int(order[0]): 1})
        for decided in tries:
            if watch.stopped:
                return None
            found = prover.solve({**here, **decided}, watch)
            if not beyond(prover, found, upper):
                break
            several = several // 2
        else:
            return None
        here.update(decided)
        answer = found
    return None
