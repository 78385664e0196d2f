"""Non-uniform entropy: how many bits a label hides of the value behind it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.costs.logarithms import PARTS, micro_bits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from incrowd.tables.values import Int32, Int64

__all__ = ["EntropyCost"]


@dataclass(frozen=True, slots=True)
class EntropyCost:
    """A cell of a value x under a label u costs ``log2 f(u) - log2 f(x)`` bits, f the rows of the table below.

    The two differ in what is the same for every release: the second term, summed over all rows. So solvers see ``log2
    f(u)``, at level 0 too, where it is that of the value itself, and equal nodes have equal costs; the sum of all rows
    as they are is taken off again (`incrowd.tables.user_units`). Logarithms are rounded down to 10^-6 of a bit, and
    what is rounded is the cost.

    Parameters
    ----------
    rows : mapping of str to (d,) int64
        By column the rows of each value code.

    References
    ----------
    A. Gionis, T. Tassa, "k-Anonymization with Minimal Loss of Information", IEEE TKDE 21(2), 2009.
    """

    rows: Mapping[str, Int64] = field(default_factory=dict)

    name = "entropy"
    cites = ("GionisTassa2009",)
    summary = "a label costs the bits it hides of its value: log2 of the rows below the label over the value's rows"
    offset = True  # what is shown as it is has a cost, which is taken off the sum again

    def node_costs(self, column: str, up: Int32) -> list[list[Fraction]]:
        """Return log2 of the rows below each node, shape (h + 1, d) as lists."""
        known: dict[int, Fraction] = {}
        out = []
        for nodes in up:
            below = np.zeros(int(nodes.max(initial=0)) + 1, np.int64)
            np.add.at(below, nodes, self.rows[column])
            out.append([_bits(int(number), known) for number in below[nodes]])
        return out


def _bits(number: int, known: dict[int, Fraction]) -> Fraction:
    found = known.get(number)
    if found is None:
        found = known[number] = Fraction(micro_bits(number), PARTS)
    return found
