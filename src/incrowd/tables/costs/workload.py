"""What the questions of a workload lose by a label."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from incrowd.tables.costs.logarithms import PARTS, micro_bits

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from incrowd.tables.column_counts import ColumnCounts
    from incrowd.tables.hierarchy import Hierarchy
    from incrowd.tables.values import Int32, Int64

__all__ = ["WorkloadCost"]


@dataclass(frozen=True, slots=True)
class WorkloadCost:
    """A label costs what the workload's queries lose by it, each times its weight; `docs/workload.md` has the formula.

    Parameters
    ----------
    hierarchies : mapping of str to (Hierarchy, (d,) int64)
        By column, with the line of each value code.
    counts : mapping of str to ColumnCounts
        What the table and the workload say of the hierarchy's lines.
    """

    hierarchies: Mapping[str, tuple[Hierarchy, Int64]] = field(default_factory=dict)
    counts: Mapping[str, ColumnCounts] = field(default_factory=dict)

    name = "workload"
    summary = "a label costs what a file's queries lose by it (workload:FILE), and never less than labels below it"
    file = True  # a policy names it with a file

    def node_costs(self, column: str, up: Int32) -> list[list[Fraction]]:
        """Return the costs of a column's nodes, shape (h + 1, d) as lists; they never fall with the level."""
        told = self.counts[column]
        lines = self.hierarchies[column][1]
        targets = [(weight, [rows[int(line)] for line in lines]) for weight, rows in told.telling]
        known = [[_spread(rows) for rows in by_value] for _, by_value in targets]
        nothing = Fraction(0)
        out = [[nothing] * up.shape[1]]
        for nodes in up[1:]:
            below: dict[int, list[int]] = {}
            for value, node in enumerate(nodes.tolist()):
                below.setdefault(node, []).append(value)
            costs = {}
            for node, members in below.items():
                cost = told.counting * Fraction(PARTS - -(-PARTS // len(members)), PARTS)
                for (weight, by_value), before in zip(targets, known, strict=True):
                    cost += weight * _growth([by_value[v] for v in members], [before[v] for v in members])
                costs[node] = max(cost, *(out[-1][v] for v in members))
            out.append([costs[node] for node in nodes.tolist()])
        return out


def _spread(rows: Mapping[int, int]) -> int:
    """Return N log2 N - sum of n log2 n, for N rows of which n have one value each, in millionths."""
    total = sum(rows.values())
    return total * micro_bits(total) - sum(n * micro_bits(n) for n in rows.values())


def _growth(rows: list[Mapping[int, int]], before: Iterable[int]) -> Fraction:
    """Return by how many bits a row of some values tells less of the target where they are one, rounded down."""
    joined: Counter[int] = Counter()
    for one in rows:
        joined.update(one)
    grown = _spread(joined) - sum(before)
    return Fraction(max(grown // joined.total(), 0), PARTS)
