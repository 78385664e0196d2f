"""Fixing by reduced costs: a smaller program that still holds every release up to a given cost.

Take whole prices with whole multipliers of cuts, their value L, and R_g, the least that instance g adds when it is
open; g counts min(0, R_g) in L. A release with g open is worth L - min(0, R_g) + R_g at least, one with g closed
L - min(0, R_g). One that puts a row of type i into g adds another least R: the same if i is among the rows that
make up R_g; else i comes on top, or in place of the dearest row that was taken only to fill the crowd.

So, against an upper limit on the cost: what exceeds it is closed, must be open, or stays empty in every release up
to the limit. Nothing is said of dearer ones: if the smaller program has no release up to the limit, the limit was
too low. All of it is counted in integers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.bounds import fixing as kernel
from incrowd.milp import Program, stacked
from incrowd.tables.solve.bounds.cuts.counting import Cut, rows_for, terms
from incrowd.tables.solve.shared.instances import Instances
from incrowd.tables.solve.shared.strong_formulation import StrongFormulation, strong

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.solve.exact.proof_tree import DualBound
    from incrowd.tables.values import Int64

__all__ = ["Reduced", "reduce"]


@dataclass(frozen=True, slots=True, eq=False)
class Reduced:
    """The program over what is left.

    Attributes
    ----------
    model : StrongFormulation
        Over `instances`, without the cuts.
    program : Program
        The model's, with cuts and with instances that must be open.
    instances : Instances
        What is left of the list.
    places : (p',) int64
        For each pair of `instances` its place in the whole list.
    """

    model: StrongFormulation
    program: Program
    instances: Instances
    places: Int64


def reduce(prover: DualBound, most: int) -> Reduced | None:
    """Return the strong program, cuts included, over what a release of cost `most` or less can have.

    The leaf of the prover's root has the prices and multipliers, and `most` is a scaled cost, a multiple of the
    prover's unit. None is returned without prices, or where their numbers are too large for 62 bits. O(p log p) for p
    pairs.
    """
    leaf, whole = prover.root.leaf, prover.instances
    if leaf is None or leaf.value < -(2**61) or most * prover.parts >= 2**61:
        return None
    used = [prover.cuts[c] for c in sorted(leaf.weights)]
    constant, extra, fixed = terms(whole, used, [leaf.weights[c] for c in sorted(leaf.weights)])
    base = int((leaf.prices * whole.counts).sum()) + constant
    closed, opened, empty = kernel.ruled_out(
        whole.begins, whole.members, whole.counts, whole.costs * prover.parts, whole.needs, leaf.prices, extra, fixed,
        base, most * prover.parts,
    )  # fmt: skip
    rest, ids, places = without(whole, closed, empty)
    model = strong(rest, unit=prover.unit)
    program = model.program
    here = _numbers(whole.size, ids)
    lower = program.lower.copy()
    lower[model.column[here[opened & (here >= 0)]]] = 1.0
    pairs = _numbers(whole.pairs, places)
    cuts = rows_for([_restricted(cut, here, pairs) for cut in used], model)
    rows = stacked((program.rows, cuts))
    return Reduced(model, Program(program.cost, lower, program.upper, program.whole, rows), rest, places)


def without(whole: Instances, closed: NDArray[np.bool_], empty: NDArray[np.bool_]) -> tuple[Instances, Int64, Int64]:
    """Return the list without some instances and pairs, and the places of what is left: instances, pairs."""
    pairs = ~(empty | closed[whole.owners])
    lengths = np.bincount(whole.owners[pairs], minlength=whole.size)
    keep = lengths > 0
    hub = whole.hub
    if hub >= 0:
        hub = int(np.count_nonzero(keep[:hub])) if keep[hub] else -1
    rest = Instances(
        whole.vectors[keep],
        whole.costs[keep],
        whole.needs[keep],
        np.concatenate(([0], np.cumsum(lengths[keep]))).astype(np.int64),
        whole.members[pairs],
        whole.counts,
        hub,
    )
    return rest, np.flatnonzero(keep).astype(np.int64), np.flatnonzero(pairs).astype(np.int64)


def _numbers(size: int, places: Int64) -> Int64:
    """Return the number of each place among those given, -1 for the others."""
    numbers = np.full(size, -1, np.int64)
    numbers[places] = np.arange(places.size)
    return numbers


def _restricted(cut: Cut, instances: Int64, pairs: Int64) -> Cut:
    """Return a cut over what is left: the others are closed or empty and add nothing."""
    own, rows = instances[cut.instances], pairs[cut.pairs]
    opens = cut.opens if isinstance(cut.opens, int) else cut.opens[own >= 0]
    value = cut.value if isinstance(cut.value, int) else cut.value[rows >= 0]
    return Cut(cut.kind, cut.types, own[own >= 0], opens, rows[rows >= 0], value, cut.divisor, cut.side)
