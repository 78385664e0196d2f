"""What a bound rests on, written down for a stranger: whole prices, cuts, trees.

No value of the table and no hash of it: row types are named by their place in the sorted table, instances by a
level vector and one row type that shows it. `incrowd.tables.verify.bound.certificate` recounts it.

::

    certificate, version    what this is
    rows, row_types, k, outliers, scale    the problem; costs are whole numbers of 1/scale of the user's unit
    cost, lower_bound       of the release, and claimed (scaled)
    lower_bound_checked     what a recount comes to (scaled)
    proof                   "certificate" (the whole bound is recounted) or "solver" (the rest is a solver's word)
    parts                   prices are whole numbers of 1/parts of a scaled unit
    components              null, or per row type the number of its component; the hub is relaxed then
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

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from incrowd.tables.solve.bounds.cuts.counting import Cut
    from incrowd.tables.solve.exact.component import Closing
    from incrowd.tables.solve.exact.proof_tree import Node
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Bound, Int32, Int64, Problem

__all__ = ["by_components", "by_prices", "head", "of_release", "written_cut"]

NAME = "incrowd k-anonymity bound"
VERSION = 1


def of_release(
    certificate: Mapping[str, Any] | None, cost: int, bound: Bound, claimed: Bound | None = None
) -> dict[str, Any] | None:
    """Return a certificate of another release under the same bound, with its cost and claims in place of the old.

    Parameters
    ----------
    certificate : mapping or None
        What recounts `bound`.
    cost : int
    bound : Bound
        Of the certificate.
    claimed : Bound, optional
        What is claimed of the release, if more.
    """
    if certificate is None:
        return None
    claimed = claimed or bound
    claims = {"cost": cost, "lower_bound": claimed.value, "lower_bound_checked": bound.checked}
    proof = "certificate" if bound.checked >= claimed.value else "solver"
    return {**certificate, **claims, "proof": proof}


def by_prices(problem: Problem, cost: int, bound: Bound, prices: Int64, parts: int) -> dict[str, Any]:
    """Return the certificate of a bound that prices alone give.

    Parameters
    ----------
    prices : (t,) int64
        In `parts` of a scaled cost unit.
    """
    return {
        **head(problem, cost, bound, NAME, VERSION),
        "parts": parts,
        "components": None,
        "prices": prices.tolist(),
        "trees": [],
    }


def by_components(
    problem: Problem, cost: int, bound: Bound, label: Int32, closings: Sequence[Closing]
) -> dict[str, Any]:
    """Return the certificate of a bound summed over components.

    Parameters
    ----------
    label : (t,) int32
    closings : sequence of Closing
        In the order of the labels.
    """
    prices = np.zeros(problem.types.t, np.int64)
    trees = []
    for number, closing in enumerate(closings):
        own = closing.prices
        if closing.by_tree and closing.prover is not None:
            root = closing.prover.root.leaf
            own = closing.prices if root is None else root.prices
            trees.append(_tree(number, closing, own))
        prices[closing.part.types] = own
    return {
        **head(problem, cost, bound, NAME, VERSION),
        "parts": closings[0].parts,
        "components": label.tolist(),
        "prices": prices.tolist(),
        "trees": trees,
    }


def head(problem: Problem, cost: int, bound: Bound, name: str, version: int) -> dict[str, Any]:
    """Return what every certificate begins with, whatever proves its bound."""
    return {
        "certificate": name,
        "version": version,
        "for": "those who hold the original: row types are numbered as they stand in the sorted table",
        "rows": problem.types.n,
        "row_types": problem.types.t,
        "k": problem.k,
        "outliers": problem.outliers,
        "scale": problem.scale,
        "cost": cost,
        "lower_bound": bound.value,
        "lower_bound_checked": bound.checked,
        "proof": bound.proof,
    }


def _tree(number: int, closing: Closing, base: Int64) -> dict[str, Any]:
    assert closing.prover is not None
    prover = closing.prover
    used_cuts: dict[int, int] = {}
    used: dict[int, int] = {}

    def instance(g: int) -> int:
        return used.setdefault(g, len(used))

    def node(at: Node) -> dict[str, Any]:
        inner = at.closed is not None and at.opened is not None
        if inner and (at.leaf is None or prover.least(at) > prover.up(at.leaf.value)):
            assert at.closed is not None
            assert at.opened is not None
            return {"instance": instance(at.branch), "closed": node(at.closed), "open": node(at.opened)}
        if at.leaf is None:
            return {"prices": [], "weights": []}
        moved = np.flatnonzero(at.leaf.prices != base)
        weights = [[used_cuts.setdefault(c, len(used_cuts)), w] for c, w in sorted(at.leaf.weights.items())]
        moves = [[int(i), int(at.leaf.prices[i] - base[i])] for i in moved]
        return {"prices": moves, "weights": weights}

    tree = node(prover.root)
    types = closing.part.types
    cuts = [written_cut(prover.cuts[c], closing.instances, types, instance) for c in used_cuts]
    named = [[*closing.instances.vectors[g].tolist(), int(types[closing.instances.reps[g]])] for g in used]
    return {"component": number, "instances": named, "cuts": cuts, "tree": tree}


def written_cut(
    cut: Cut, instances: Instances, types: NDArray[np.integer], name: Callable[[int], int]
) -> dict[str, Any]:
    """Return a cut as a certificate holds it.

    Parameters
    ----------
    cut : Cut
        Over `instances`.
    instances : Instances
    types : (t,) integer
        What the certificate calls the instances' row types.
    name : callable
        Number by which the certificate calls an instance.
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
