"""The normalized certainty penalty of a label: which share of its column's domain it stands for."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from incrowd.tables.costs.stars import star_costs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from incrowd.tables.values import Int32

__all__ = ["CertaintyCost", "penalties"]


@dataclass(frozen=True, slots=True)
class CertaintyCost:
    """A label costs the share of its column's domain that it stands for, a star 1; see `penalties`.

    The sum over all cells is the measure ``ncp`` times rows and quasi-identifiers where no column has a weight.

    Parameters
    ----------
    hierarchies : mapping of str to anything
        The columns that have labels; in others a star costs 1.
    numbers : mapping of str to sequence of Fraction or None
        By column that has a hierarchy and is declared numeric, its values by their codes; None is a missing one.

    References
    ----------
    J. Xu, W. Wang, J. Pei, X. Wang, B. Shi, A. W.-C. Fu, "Utility-Based Anonymization Using Local Recoding",
    KDD 2006 (the penalty of a cell).
    """

    hierarchies: Mapping[str, object] = field(default_factory=dict)
    numbers: Mapping[str, Sequence[Fraction | None]] = field(default_factory=dict)

    name = "ncp"
    cites = ("XuEtAl2006",)
    summary = "a label costs its share of its column's domain (numeric: its width by the column's), a star 1"

    def node_costs(self, column: str, up: Int32) -> list[list[Fraction]]:
        """Return the penalties of a column's nodes, shape (h + 1, d) as lists."""
        if column not in self.hierarchies:
            return star_costs(Fraction(1), up)
        return penalties(up, self.numbers.get(column))


def penalties(up: Int32, numbers: Sequence[Fraction | None] | None = None) -> list[list[Fraction]]:
    """Return what showing each value of a column at each level costs, shape (h + 1, d) as lists.

    Of the d values that the column has in the table (a missing one is a value) let V be those below a node. A star
    costs 1, a value shown as it is 0. In a column of numbers a node costs ``(max V - min V) / (max - min of all)``; 1
    if V holds a missing value beside numbers, 0 if all numbers are equal. In any other a node costs ``|V| / d``, and
    0 where ``|V| = 1``.

    `up` is (h + 1, d) int32, as `Levels.up`. `numbers` are the d values of a column of numbers, and None for any other.
    It takes O(h d) time and memory. The text of a label is not read: an interval is as wide as what the table has in
    it.
    """
    top, size = up.shape[0] - 1, up.shape[1]
    nothing, one = Fraction(0), Fraction(1)
    out = [[nothing] * size]
    told = [] if numbers is None else [number for number in numbers if number is not None]
    whole = max(told) - min(told) if told else nothing
    for level in range(1, top):
        nodes = up[level].tolist()
        members: dict[int, list[int]] = {}
        for value, node in enumerate(nodes):
            members.setdefault(node, []).append(value)
        shares = {
            node: _share(len(values), size) if numbers is None else _width([numbers[v] for v in values], whole)
            for node, values in members.items()
        }
        out.append([shares[node] for node in nodes])
    return [*out, [one] * size] if top else out


def _share(values: int, size: int) -> Fraction:
    return Fraction(values, size) if values > 1 else Fraction(0)


def _width(values: list[Fraction | None], whole: Fraction) -> Fraction:
    numbers = [value for value in values if value is not None]
    if not numbers or len(values) == 1:
        return Fraction(0)
    if len(numbers) < len(values):
        return Fraction(1)
    return (max(numbers) - min(numbers)) / whole if whole else Fraction(0)
