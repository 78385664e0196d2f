"""The certificate of a bound summed over components, some of them with a tree.

Its format is that of `incrowd.tables.solve.bounds.certificate`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.solve.bounds.certificate import NAME, VERSION, written_cut
from incrowd.tables.solve.shared.certificate_head import head

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.solve.exact.component import ComponentState
    from incrowd.tables.solve.exact.proof_tree import Node
    from incrowd.tables.values import Bound, Int32, Int64, Problem

__all__ = ["by_components"]


def by_components(
    problem: Problem, cost: int, bound: Bound, label: Int32, closings: Sequence[ComponentState]
) -> dict[str, Any]:
    """Return the certificate of a bound summed over components.

    `label` is (t,) int32, and `closings` come in the order of the labels.
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


def _tree(number: int, closing: ComponentState, base: Int64) -> dict[str, Any]:
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
