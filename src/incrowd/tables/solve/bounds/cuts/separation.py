"""Which types to count: the sets T of counting cuts that a point of the linear program breaks most.

The types of one instance are the obvious T. The cut that is missing at a fractional point is mostly another: two or
three instances share rows that suffice for fewer of them, and T is all they draw on. Finding the best T is a
problem of its own; here it is local search around every fractional instance, which is a heuristic: whatever T comes
out, the cut counted for it holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.bounds import separation as kernel
from incrowd.tables.solve.bounds import tuning

if TYPE_CHECKING:
    from incrowd.tables.solve.bounds.lagrangian import Float64
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Int64

__all__ = ["broken_sets", "undecided"]

WORK = 30_000_000  # terms added up: some tenths of a second
QUICK_WORK = 3_000_000


def broken_sets(
    instances: Instances, k: int, x: Float64, u: Float64, *, least: float, most: int, quick: bool = False
) -> list[tuple[float, Int64, Int64]]:
    """Return violation, T and A of at most `most` counting cuts, the worst first.

    The cuts are violated by at least `least` at the point `x`, (p,), and `u`, (g,), which is 1 for free instances.
    `quick` moves fewer types from each start, and ends sooner. Time is bounded by `WORK` (`QUICK_WORK`) and O(p) more,
    memory O(p).
    """
    drawn = np.flatnonzero((x > 1e-9) & (instances.needs[instances.owners] > 0))
    owners, types = instances.owners[drawn].astype(np.int64), instances.members[drawn].astype(np.int64)
    values = x[drawn]
    order = np.argsort(types, kind="stable")
    violations, begins, flat = kernel.rounding_sets(
        _begins(owners, instances.size), types, values,
        _begins(types, instances.t), owners[order], values[order],
        instances.counts, u, k, undecided(instances, u),
        tuning.DEFAULT.set_width * k, tuning.DEFAULT.quick_steps if quick else tuning.DEFAULT.set_steps,
        QUICK_WORK if quick else WORK, least,
    )  # fmt: skip
    found: list[tuple[float, Int64, Int64]] = []
    known: set[bytes] = set()
    for place in np.argsort(-violations, kind="stable"):
        chosen = np.sort(flat[begins[place] : begins[place + 1]])
        if chosen.tobytes() in known:
            continue
        known.add(chosen.tobytes())
        inside = np.zeros(instances.t, np.bool_)
        inside[chosen] = True
        beyond = ~inside[types]
        outside = np.bincount(owners[beyond], weights=values[beyond], minlength=instances.size)
        divisor = k - int(instances.counts[chosen].sum()) % k
        helping = (instances.needs > 0) & (u > 1e-7) & (u - outside / divisor > 1e-9)
        found.append((float(violations[place]), chosen, np.flatnonzero(helping).astype(np.int64)))
        if len(found) == most:
            break
    return found


def undecided(instances: Instances, u: Float64) -> Int64:
    """Return the instances that are neither open nor closed at a point, those in the middle first.

    `u`, (g,), says how far each instance is open, from 0 to 1.
    """
    middle = np.abs(u - 0.5)
    found = np.flatnonzero((instances.needs > 0) & (middle < 0.5 - 1e-6))
    return found[np.argsort(middle[found], kind="stable")].astype(np.int64)


def _begins(keys: Int64, size: int) -> Int64:
    """Return where each key's run begins once sorted, shape (size + 1,)."""
    return np.concatenate(([0], np.cumsum(np.bincount(keys, minlength=size)))).astype(np.int64)
