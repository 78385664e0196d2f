"""What cuts over the whole lattice rest on, written down for a stranger.

As a certificate of prices alone (`certificate`), with one tree of a single leaf beside them: the instances that its
cuts name, the cuts, and their whole multipliers. `incrowd.tables.verify.bound.lattice_cuts` recounts it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.solve.bounds.certificate import by_prices, written_cut

if TYPE_CHECKING:
    from incrowd.tables.solve.bounds.cuts_over_lattice import Proof
    from incrowd.tables.values import Bound, Problem

__all__ = ["by_lattice_cuts"]


def by_lattice_cuts(problem: Problem, cost: int, bound: Bound, proof: Proof) -> dict[str, Any]:
    """Return the certificate of a bound that prices and cuts give over all patterns."""
    instances = proof.instances
    names: dict[int, int] = {}

    def name(g: int) -> int:
        return names.setdefault(g, len(names))

    every = np.arange(instances.t)
    cuts = [written_cut(cut, instances, every, name) for cut in proof.cuts]
    named = [[*instances.vectors[g].tolist(), int(instances.reps[g])] for g in names]
    leaf = {"prices": [], "weights": [[c, weight] for c, weight in enumerate(proof.weights)]}
    tree = {"component": 0, "instances": named, "cuts": cuts, "tree": leaf}
    return {**by_prices(problem, cost, bound, proof.prices, proof.parts), "trees": [tree]}
