"""The cost a policy names, for the columns of one table, as the solvers see it."""

from __future__ import annotations

import dataclasses
import math
import re
from collections import Counter
from dataclasses import dataclass, field
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd import registry
from incrowd.errors import PolicyError, count_of
from incrowd.tables.row_numbers import added_up
from incrowd.tables.values import Int32, Int64, Levels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from incrowd.tables.column_counts import ColumnCounts
    from incrowd.tables.hierarchy import Hierarchy
    from incrowd.tables.protocols import Cost
    from incrowd.tables.values import RowTypes

NONE: Mapping[str, Any] = MappingProxyType({})


def cost_levels(
    name: str,
    columns: Sequence[str],
    sizes: Sequence[int],
    *,
    rows: int,
    nodes: Mapping[str, tuple[Hierarchy, Int64]],
    weights: Mapping[str, Fraction],
    types: RowTypes | None = None,
    numeric: Sequence[str] = (),
    counts: Mapping[str, ColumnCounts] = NONE,
) -> tuple[tuple[Levels, ...], int]:
    """Return the levels of every quasi-identifier with their costs as whole numbers, and the scale.

    `name` is the cost as a policy has it: its name in the registry, with ``:FILE`` where that names a file. `sizes` has
    the number of distinct values of each of the m columns. `nodes` has, per column with a hierarchy, that and the line
    of each value code in it, shape (d,). `weights` multiply the cost of a column, whatever the cost, and are 1 by
    default. `types` is for costs that count rows, and `counts` for those that look at other columns of the table.
    Raises PolicyError if no cost has this name, or its numbers cannot be added up exactly over the rows.
    """
    kind = registry.load("costs", name.partition(":")[0])
    given: dict[str, Any] = {"hierarchies": nodes, "counts": counts}
    known = {field.name for field in dataclasses.fields(kind)}
    if "numbers" in known:
        given["numbers"] = {name: numbers_of(name, *nodes[name]) for name in numeric if name in nodes}
    if "rows" in known and types is not None:
        given["rows"] = {
            name: np.bincount(types.codes[:, j], weights=types.counts, minlength=size).astype(np.int64)
            for j, (name, size) in enumerate(zip(columns, sizes, strict=True))
        }
    cost = kind(**{option: value for option, value in given.items() if option in known})
    ups = [
        nodes[column][0].ups(nodes[column][1])
        if column in nodes
        else np.stack([np.arange(size, dtype=np.int32), np.zeros(size, np.int32)])
        for column, size in zip(columns, sizes, strict=True)
    ]
    return scaled_levels(cost, columns, ups, rows=rows, weights=weights)


# Costs as integers after one common scale, so that every bound and every proof is exact.
MOST = 2**62  # half of what 64 bits hold, so that sums of two costs fit too


def scaled_levels(
    cost: Cost, columns: Sequence[str], ups: Sequence[Int32], *, rows: int, weights: Mapping[str, Fraction] = NONE
) -> tuple[tuple[Levels, ...], int]:
    """Return the levels of every column with integer costs, and their scale.

    The scale is the least common multiple of all denominators: one unit of the user's cost is `scale` of the integers.
    `ups` are the m hierarchies, (h + 1, d) int32 as in `Levels.up`. `rows` counts the rows of the table, as the cost of
    a whole release has to fit in 64 bits too. `weights` are what the costs of a column are multiplied by, at least 0
    and 1 by default. Raises PolicyError if ``rows * m * largest scaled cost`` or the scale is 2^62 or more, or if the
    cost is none: negative, above 0 for a value shown as it is (but for a cost with an `offset`), falling with the
    level, or not the same for the same node. O(h d) time and memory per column. The fractions are told apart by
    identity first, so that a cost with few objects needs few exact operations.
    """
    tables = [cost.node_costs(column, up) for column, up in zip(columns, ups, strict=True)]
    distinct = []
    for column, table in zip(columns, tables, strict=True):
        weight = weights.get(column, Fraction(1))
        distinct.append({key: f * weight for key, f in {id(f): f for line in table for f in line}.items()})
    fractions = [f for found in distinct for f in found.values()]
    scale = math.lcm(1, *(f.denominator for f in fractions))
    largest = max((abs(f) for f in fractions), default=0)
    if max(scale, rows * len(columns) * largest * scale) >= MOST:
        raise PolicyError(
            "the weights have too many digits or lie too far apart to be added up exactly over "
            f"{count_of(rows, 'row')}; round them"
        )
    levels = []
    for column, up, table, found in zip(columns, ups, tables, distinct, strict=True):
        whole = {key: int(f * scale) for key, f in found.items()}
        scaled = np.array([[whole[id(f)] for f in line] for line in table], np.int64).reshape(up.shape)
        _check(cost, column, up, scaled)
        levels.append(Levels(up, scaled))
    return tuple(levels), scale


def _check(cost: Cost, column: str, up: Int32, scaled: Int64) -> None:
    """Refuse costs that are none; the solvers' bounds rest on these rules."""
    trouble = ""
    if (scaled[0] != 0).any() and not getattr(cost, "offset", False):
        trouble = "a value shown as it is must cost 0"
    elif (np.diff(scaled, axis=0, prepend=0) < 0).any():
        trouble = "costs must not fall with the level"
    else:
        for nodes, costs in zip(up, scaled, strict=True):
            of_node = np.zeros(int(nodes.max(initial=0)) + 1, np.int64)
            of_node[nodes] = costs
            if (of_node[nodes] != costs).any():
                trouble = "equal nodes must have equal costs"
    if trouble:
        raise PolicyError(f"cost {cost.name!r} cannot be used in column {column!r}: {trouble}")


# Texts of cells as exact numbers.
MISSING = "NULL"  # the line that stands for a missing value: a numeric column holds no such text
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
LONGEST = 1000  # characters


def numbers_of(column: str, hierarchy: Hierarchy, lines: Int64) -> Sequence[Fraction | None]:
    """Return the values of a column as exact numbers, None for a missing one.

    `lines` is (d,): the line of each value in the hierarchy. `column` is for messages. Raises PolicyError if a value is
    no finite number as `NUMBER` writes it.
    """
    texts = [hierarchy.lines[int(line)][0] for line in lines]
    if any(len(text) > LONGEST or not NUMBER.fullmatch(text) for text in texts if text != MISSING):
        raise PolicyError(
            f"cost ncp takes the width of column {column!r}, which is declared numeric, but some of its values are no "
            "finite decimal numbers; leave it out of numeric, or name what stands for a missing value as na"
        )
    return [None if text == MISSING else Fraction(text) for text in texts]


def by_level(up: Int32, cost: Callable[[int, int], Fraction | int]) -> list[list[Fraction]]:
    """Return the costs of a column, shape (h + 1, d) as lists, where all nodes of level l cost ``cost(l, h)``."""
    return [[Fraction(cost(level, len(up) - 1))] * up.shape[1] for level in range(len(up))]


def star_costs(up: Int32) -> list[list[Fraction]]:
    """Return the costs of a column where a star costs 1 and every other node nothing; with h = 0 it has no star."""
    return by_level(up, lambda level, height: int(0 < level == height))


def members_of(nodes: Int32) -> dict[int, list[int]]:
    """Return the values below each node of a level, (d,) int32."""
    found: dict[int, list[int]] = {}
    for value, node in enumerate(nodes.tolist()):
        found.setdefault(node, []).append(value)
    return found


# What a coarser label costs: the share of the column's values it lumps together, or what the user says.
@dataclass(frozen=True, slots=True)
class Leaves:
    """Costs by node: (leaves below - 1) / (leaves - 1), or what the hierarchy itself says of its nodes or levels.

    Parameters
    ----------
    hierarchies : mapping of str to (Hierarchy, (d,) integer)
        Per column with a hierarchy, that and the line of each of its values. In other columns a star costs 1, so
        without any hierarchy the cost is the number of suppressed cells.

    References
    ----------
    V. S. Iyengar, "Transforming Data to Satisfy Privacy Constraints", KDD 2002.
    A. Meyerson, R. Williams, "On the Complexity of Optimal K-Anonymity", PODS 2004 (suppressed cells).
    """

    hierarchies: Mapping[str, tuple[Hierarchy, Int64]] = field(default_factory=dict)

    name = "leaves"
    cites = ("Iyengar2002",)
    summary = "a label costs the share of its column's values that it lumps together, a star 1"

    def node_costs(self, column: str, up: Int32) -> list[list[Fraction]]:
        """Return the costs of a column's nodes, shape (h + 1, d) as lists."""
        if column not in self.hierarchies:
            return star_costs(up)
        hierarchy, lines = self.hierarchies[column]
        return hierarchy.costs(lines)


# The number of changed cells: a coarser label costs as much as a star.
@dataclass(frozen=True, slots=True)
class Cells:
    """Every changed cell costs 1, at whatever level it is shown."""

    name = "cells"
    summary = "every changed cell costs 1, whatever its level"

    def node_costs(self, column: str, up: Int32) -> list[list[Fraction]]:
        """Return 0 for the values as they are and 1 for every level above, shape (h + 1, d) as lists."""
        del column
        return by_level(up, lambda level, _: min(level, 1))


# How far up its hierarchy a cell is shown.
@dataclass(frozen=True, slots=True)
class LevelShares:
    """A cell at level l of a hierarchy with h levels costs l / h, a star 1.

    References
    ----------
    L. Sweeney, "Achieving k-Anonymity Privacy Protection Using Generalization and Suppression", IJUFKS 10(5), 2002:
    one minus its precision is the mean of this cost over the cells.
    """

    name = "levels"
    cites = ("Sweeney2002Achieving",)
    summary = "a label costs its level's share of the height of its column's hierarchy, a star 1"

    def node_costs(self, column: str, up: Int32) -> list[list[Fraction]]:
        """Return level / height for every node of a level, shape (h + 1, d) as lists."""
        del column
        return by_level(up, lambda level, height: Fraction(level, max(height, 1)))


# The normalized certainty penalty of a label: which share of its column's domain it stands for.
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
            return star_costs(up)
        return penalties(up, self.numbers.get(column))


def penalties(up: Int32, numbers: Sequence[Fraction | None] | None = None) -> list[list[Fraction]]:
    """Return what showing each value of a column at each level costs, shape (h + 1, d) as lists.

    Of the d values that the column has in the table (a missing one is a value) let V be those below a node. A star
    costs 1, a value shown as it is 0. In a column of numbers a node costs ``(max V - min V) / (max - min of all)``; 1
    if V holds a missing value beside numbers, 0 if all numbers are equal. In any other a node costs ``|V| / d``, and 0
    where ``|V| = 1``. `up` is (h + 1, d) int32, as `Levels.up`. `numbers` are the d values of a column of numbers, and
    None for any other. It takes O(h d) time and memory. The text of a label is not read: an interval is as wide as what
    the table has in it.
    """
    top, size = up.shape[0] - 1, up.shape[1]
    nothing, one = Fraction(0), Fraction(1)
    out = [[nothing] * size]
    told = [] if numbers is None else [number for number in numbers if number is not None]
    whole = max(told) - min(told) if told else nothing
    for level in range(1, top):
        shares = {
            node: _share(len(values), size) if numbers is None else _width([numbers[v] for v in values], whole)
            for node, values in members_of(up[level]).items()
        }
        out.append([shares[node] for node in up[level].tolist()])
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


# Logarithms to the base 2 as whole numbers, rounded down by a rule that leaves no choice; there is no float in it.
PARTS = 10**6  # of a bit
DIGITS = 36
LOG_OF_2 = Context(prec=DIGITS).ln(Decimal(2))
DOUBT = Decimal(10) ** (10 - DIGITS)  # far above what rounding leaves


@lru_cache(maxsize=1 << 16)
def micro_bits(number: int) -> int:
    """Return ``floor(10^6 log2 number)`` of a number that is at least 1.

    It is read off a power of two; else the logarithm is irrational and no multiple of 10^-6, so that digits decide.
    """
    whole = number.bit_length() - 1
    if number == 1 << whole:
        return whole * PARTS
    with localcontext(prec=DIGITS):
        parts = Decimal(number).ln() / LOG_OF_2 * PARTS
        least = int(parts - DOUBT)
        if least < int(parts + DOUBT):
            raise ArithmeticError("a logarithm is not decided")
        return least


# Non-uniform entropy: how many bits a label hides of the value behind it.
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
        out = []
        for nodes in up:
            below = added_up(nodes, self.rows[column], int(nodes.max(initial=0)) + 1)
            out.append([_bits(number) for number in below[nodes].tolist()])
        return out


@lru_cache(maxsize=1 << 16)  # equal numbers are one object, which is scaled once
def _bits(number: int) -> Fraction:
    return Fraction(micro_bits(number), PARTS)


# What the questions of a workload lose by a label.
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
            costs = {}
            for node, members in members_of(nodes).items():
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
