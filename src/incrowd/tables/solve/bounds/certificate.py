"""What a bound rests on, written down for a stranger: whole prices, cuts, trees.

No value of the table and no hash of it: row types are named by their place in the sorted table, instances by a
level vector and one row type that shows it. `incrowd.check.prices` recounts it.

::

    certificate, version    what this is
    rows, row_types, k, outliers, scale    the problem; costs are whole numbers of 1/scale of the user's unit
    cost, lower_bound       of the release, and claimed (scaled)
    lower_bound_checked     what a recount comes to (scaled)
    proof                   "certificate" (the whole bound is recounted) or "solver" (the rest is a solver's word)
    parts                   prices are whole numbers of 1/parts of a scaled unit
    components              null, or per row type the number of its component; the suppressed class is relaxed then
    prices                  per row type
    trees                   for components whose prices alone leave a gap: instances, cuts, and a tree of leaves

Without components there is one tree at most, of a single leaf: cuts over the whole lattice (`lattice_certificate`).
A leaf holds the changes of its component's prices and multipliers of cuts; an inner node an instance that is
closed on one side and open on the other. A component is worth the least of its leaves, rounded up to a cost that
a release can have; the bound is the sum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.solve.shared.status import head

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from incrowd.tables.solve.bounds.cuts import Cut
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Bound, Int64, Problem


NAME = "incrowd k-anonymity bound"
VERSION = 11


def by_prices(problem: Problem, cost: int, bound: Bound, prices: Int64, parts: int) -> dict[str, Any]:
    """Return the certificate of a bound that prices alone give. `prices` are (t,), in `parts` of a scaled cost unit."""
    return {
        **head(problem, cost, bound, NAME, VERSION),
        "parts": parts,
        "components": None,
        "prices": prices.tolist(),
        "trees": [],
    }


def written_cut(
    cut: Cut, instances: Instances, types: NDArray[np.integer], name: Callable[[int], int]
) -> dict[str, Any]:
    """Return a cut as a certificate holds it.

    The cut is over `instances`. `types`, (t,), is what the certificate calls their row types, and `name` gives the
    number by which it calls an instance.
    """
    if cut.kind == "S":
        owners, members = instances.owners[cut.pairs], types[instances.members[cut.pairs]]
        pairs = [[name(int(g)), *members[owners == g].tolist()] for g in np.unique(owners)]
        return {"kind": "S", "types": types[cut.types].tolist(), "pairs": pairs}
    chosen = [name(int(g)) for g in cut.instances]
    if cut.kind == "C":
        return {"kind": "C", "instances": chosen}
    if cut.kind == "F":
        opens = (np.asarray(cut.opens) > 0).tolist()
        part, full = ([g for g, side in zip(chosen, opens, strict=True) if side is which] for which in (False, True))
        return {"kind": "F", "types": types[cut.types].tolist(), "part": part, "full": full}
    return {"kind": "T", "types": types[cut.types].tolist(), "instances": chosen}
