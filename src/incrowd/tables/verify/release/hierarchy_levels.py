"""Hierarchies as the check sees them: which levels a released cell can be read at, from the hierarchy's lines alone.

A label stands for one set of leaves, perhaps at several levels in a row (a node with a single child). So a released
cell is read at a lowest and a highest level; rows without such labels have one reading.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import ibis
import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.verify.rules import Costs


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """The labels of one column, numbered.

    `table`: ``label`` (NULL: a missing value shown as it is), ``node`` (its number), ``low`` and ``high`` (levels).
    `number`: mapping of (str or None) to int. `places`: by number lowest and highest level, and the first line.
    `height`: the star's level.
    """

    table: ir.Table
    number: Mapping[str | None, int]
    places: Sequence[tuple[int, int, int]]
    height: int


def labels_of(engine: Engine, tree: Any) -> Labels:
    """Return the labels of a hierarchy over a column's values; O(L h) time and memory for L leaves."""
    number = {label: i for i, label in enumerate(tree.low)}
    places = list(zip(tree.low.values(), tree.high.values(), tree.first.values(), strict=True))
    columns = {
        "label": pa.array(list(number), pa.string()), "node": pa.array(range(len(number)), pa.int32()),
        "low": pa.array([low for low, _, _ in places], pa.int8()),
        "high": pa.array([high for _, high, _ in places], pa.int8()),
    }  # fmt: skip
    return Labels(engine.put(pa.table(columns)), number, places, tree.height)


def leaf_table(engine: Engine, tree: Any, labels: Labels) -> ir.Table:
    """Return per leaf ``leaf`` (NULL: a missing value) and its node above at each level, ``n1`` ... ``n{h - 1}``.

    `tree` is a hierarchy over the column's values, of height h, and `labels` are its labels.
    """
    columns: dict[str, pa.Array] = {"leaf": pa.array([line[0] for line in tree.shown], pa.string())}
    for level in range(1, tree.height):
        columns[f"n{level}"] = pa.array([labels.number[line[level]] for line in tree.shown], pa.int32())
    return engine.put(pa.table(columns))


def pairs_table(engine: Engine, tree: Any) -> ir.Table:
    """Return every pair of a ``leaf`` and a ``label`` above it that is not itself, from a hierarchy over a column."""
    pairs = {(line[0], label) for line in tree.shown for label in line[1:] if label != line[0]}
    columns = {name: pa.array([pair[at] for pair in pairs], pa.string()) for at, name in enumerate(("leaf", "label"))}
    return engine.put(pa.table(columns))


def unsure_lines(labels: Labels, costs: Costs) -> dict[int, list[Fraction]]:
    """Return by number the labels that cost something else at their highest level than at their lowest one.

    Each comes with what its line costs at every level: a value's own label above it may have a cost, the value has
    none. `labels` has the lowest and highest level of each label of the hierarchy, and `costs` are by line and level.
    """
    ends = enumerate(labels.places)
    return {node: costs[line] for node, (low, high, line) in ends if costs[line][low] != costs[line][high]}


def readings(
    rows: ir.Table,
    cells: Sequence[str],
    starred: Sequence[ir.Value],
    most: Sequence[ir.Value],
    labels: Mapping[int, Labels],
    told: Mapping[int, Collection[int]],
) -> ir.Table:
    """Return rows with the lowest and highest level of every cell, ``lo{j}`` and ``hi{j}`` (int8).

    `cells` are the m columns of the quasi-identifiers; `starred` and `most` are boolean columns of `rows` for them,
    which are surely and perhaps stars. `labels` are by the place of the column; the others are told by their star
    alone: level 0 or 1. `told` has, by the place of a column, numbers of labels that are told apart, in ``no{j}``: the
    number of such a label, else -1.
    """
    plain = [j for j in range(len(cells)) if j not in labels]
    levels = {f"lo{j}": starred[j].cast("int8") for j in plain} | {f"hi{j}": most[j].cast("int8") for j in plain}
    marked = rows.mutate(**{f"star{j}": starred[j] for j in labels}, **levels)
    for j in sorted(labels):
        cell = cells[j]
        own = {f"label{j}": "label", f"low{j}": "low", f"high{j}": "high", f"node{j}": "node"}
        table = labels[j].table.select(**own)
        marked = marked.left_join(table, marked[cell].identical_to(table[f"label{j}"]))
        top = ibis.literal(labels[j].height, "int8")
        nothing = ibis.literal(0, "int8")
        ends = {
            name: ibis.ifelse(marked[f"star{j}"], top, ibis.coalesce(marked[end], nothing))
            for name, end in ((f"lo{j}", f"low{j}"), (f"hi{j}", f"high{j}"))
        }
        if j in told:
            node = ibis.coalesce(marked[f"node{j}"], -1)
            ends[f"no{j}"] = ibis.ifelse(~marked[f"star{j}"] & node.isin(list(told[j])), node, -1)
        marked = marked.mutate(**ends).drop(*own)
    return marked.drop(*[f"star{j}" for j in labels])


def node_costs(
    engine: Engine,
    rows: ir.Table,
    cell: str,
    starred: ir.Value,
    labels: Labels,
    costs: Costs,
    but: Collection[int] = (),
) -> tuple[Fraction, Fraction]:
    """Return what the shown labels and stars of one column cost, at their lowest and highest reading.

    `costs` are those of every line at every level, in units of the policy; labels of which the numbers stand in `but`
    are left out. `cell` is the released column in the released rows, and `starred` says whether it reads as a star. It
    takes one GROUP BY of the column; what leaves the engine is a count per node.
    """
    table = labels.table
    marked = rows.select(cell=rows[cell], star=starred)
    joined = marked.left_join(table, marked.cell.identical_to(table.label))
    node = ibis.ifelse(joined.star, -1, joined.node.fill_null(-2))
    with engine.guard("adding up the cost"):
        found = engine.fetch(joined.select(node=node).group_by("node").aggregate(n=lambda r: r.count())).to_pylist()
    low = high = Fraction(0)
    for one in found:
        if one["node"] == -1:
            cheap = dear = costs[0][labels.height]
        elif one["node"] == -2 or one["node"] in but:  # no value of the hierarchy, which the pairing says
            continue
        else:
            *ends, line = labels.places[one["node"]]
            cheap, dear = (costs[line][level] for level in ends)
        low, high = low + cheap * one["n"], high + dear * one["n"]  # [R9]
    return low, high
