"""The different rows of two tables as kinds of rows in the same integers: what crosses over from the engine.

Rows with other values in a column that no release changes never come from one another. So the kinds are cut into
portions by such columns, each of which is paired by itself: all that a process holds is one portion.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import ibis
import ibis.selectors as s
import numpy as np

from incrowd.errors import InputError
from incrowd.tables.verify.release.hierarchy_levels import labels_of, leaf_table

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import ibis.expr.types as ir
    import pyarrow as pa
    from numpy.typing import NDArray

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.verify.pairing.common_coding import CommonCoding
    from incrowd.tables.verify.release.range_labels import Reading


NULL, STAR, INVENTED = 0, -1, -2
MOST_CELLS = 500_000_000  # of the matrices that say which range holds which value, in bytes
JOINS = 12  # a longer chain of joins is too deep for the engine's layers


class Ranges(NamedTuple):
    """What free ranges hold: column by column, range by range, whether the value of each code lies in it.

    `begin`, `width`: (m',) int64, where a column begins in `holds`, and how many codes its values have.
    """

    holds: NDArray[np.bool_]
    begin: NDArray[np.int64]
    width: NDArray[np.int64]


NO_RANGES = Ranges(np.zeros(0, np.bool_), np.zeros(0, np.int64), np.zeros(0, np.int64))


def ranges_of(readings: Mapping[int, Reading]) -> Ranges:
    """Return what the ranges hold that the columns show; raise `InputError` where that is too much for memory."""
    width = np.array([len(reading.values) + 1 for reading in readings.values()], np.int64)
    cells = np.array([len(reading.labels) for reading in readings.values()], np.int64) * width
    if cells.sum() > MOST_CELLS:
        raise InputError("the release shows too many different ranges to look through; coarsen its columns first")
    begin = np.cumsum(cells) - cells
    holds = np.zeros(int(cells.sum()), np.bool_)
    for at, size, reading in zip(begin, width, readings.values(), strict=True):
        holds[at + reading.label * size + reading.value + 1] = True
    return Ranges(holds, begin, width)


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """The different rows of one table, with their counts.

    A quasi-identifier is one column of codes; one with a hierarchy is a column for each level below the star's. An
    original row has a code in each of them, a released row in that of the level it shows, and stars in the others.
    `codes`: (t, m') int32, at level 0 of each quasi-identifier 0 for NULL, 1, 2, ... for the values of the original, -1
    for a star, -2 for a value that the original's column does not have, and -3, -4, ... for its free ranges (those
    below 0 in released rows only). At higher levels the number of the label, from 1. `block`: (t,) int64, number of the
    combination of the columns that cut; -1 for one that the original does not have. `rows`: (t,) int64, rows of each
    kind. `size`: (t,) int64, rows of its class, that is with equal cells in all quasi-identifiers (released rows only).
    `ranges`: what its free ranges hold.
    """

    codes: NDArray[np.int32]
    block: NDArray[np.int64]
    rows: NDArray[np.int64]
    size: NDArray[np.int64]
    ranges: Ranges = NO_RANGES

    def taken(self, index: NDArray[np.int64]) -> Kinds:
        """Return the kinds of the index, in its order."""
        return Kinds(self.codes[index], self.block[index], self.rows[index], self.size[index], self.ranges)


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """Both tables as kinds in the engine.

    `before`, `after`: original and released kinds: ``n``, ``block``, ``size``, ``portion`` and the columns of their
    codes. `names`: the columns of codes. `places`: where each quasi-identifier's codes begin. `portions`: blocks of one
    portion never meet those of another. `kept`: what is to be forgotten in the end. `ranges`: what free ranges hold.
    """

    engine: Engine
    before: ir.Table
    after: ir.Table
    names: tuple[str, ...]
    places: tuple[int, ...]
    portions: int
    kept: tuple[ir.Table, ...]
    ranges: Ranges = NO_RANGES

    def part(self, portion: int) -> tuple[Kinds, Kinds]:
        """Return the original and the released kinds of a portion, in no order, its blocks numbered from 0 on."""
        tables = self.before, self.after
        if self.portions > 1:
            tables = tables[0].filter(tables[0].portion == portion), tables[1].filter(tables[1].portion == portion)
        with self.engine.guard("comparing the release with the original"):
            one, two = (self.engine.fetch(table.select("n", "block", "size", *self.names)) for table in tables)
        return kinds_of(one, two, self.names, self.ranges)

    def forget(self) -> None:
        """Let the engine forget the kinds."""
        for done in self.kept:
            self.engine.drop(done)


def kinds_of(before: pa.Table, after: pa.Table, names: Sequence[str], ranges: Ranges) -> tuple[Kinds, Kinds]:
    """Return kinds out of the lines of a portion, its blocks numbered from 0 on.

    `before` and `after` are lines of `Coded`, `names` its columns of codes, and `ranges` what free ranges hold.
    """
    one, two = _kinds(before, names), _kinds(after, names)
    blocks, number = np.unique(one.block, return_inverse=True)
    if not len(blocks):
        return one, Kinds(two.codes, np.full_like(two.block, -1), two.rows, two.size, ranges)
    at = np.minimum(np.searchsorted(blocks, two.block), len(blocks) - 1)
    mine = np.where(blocks[at] == two.block, at, -1)
    return (
        Kinds(one.codes, number.reshape(-1).astype(np.int64), one.rows, one.size),
        Kinds(two.codes, mine.astype(np.int64), two.rows, two.size, ranges),
    )


def _kinds(table: pa.Table, names: Sequence[str]) -> Kinds:
    codes = np.empty((table.num_rows, len(names)), np.int32)
    for j, name in enumerate(names):
        codes[:, j] = table.column(name).to_numpy()
    return Kinds(codes, *(table.column(name).to_numpy().astype(np.int64) for name in ("block", "n", "size")))


def coded(
    tables: CommonCoding,
    engine: Engine,
    hierarchies: Mapping[int, Any] = MappingProxyType({}),
    most: int | None = None,
    ranges: Mapping[int, Reading] = MappingProxyType({}),
) -> Coded:
    """Return both tables as kinds in the engine.

    `hierarchies` are by the place of the quasi-identifier, and so are `ranges`, of all of them or none. `most` is how
    many kinds of both tables a portion should have at most; it has more where a block has. Without it there is one
    portion. One GROUP BY over each table, and per column one join of the kinds with the distinct values of the
    original; linear in the rows. Fetched: 4 m + 16 bytes a kind.
    """
    cells, others = tables.cells, [f"o{j}" for j in range(len(tables.others))]
    with engine.guard("comparing the release with the original"):
        before, after = made = [
            engine.keep(table.group_by([*cells, *others]).aggregate(n=lambda r: r.count()))
            for table in (tables.original, tables.released)
        ]
        portions = 1
        if most is not None:
            kinds = sum(int(engine.one(table.aggregate(t=table.count()))["t"]) for table in (before, after))
            portions = -(-kinds // most)
        if portions > 1:
            others += _unchanged(tables, engine, after, {*hierarchies, *ranges})
        one, two, names = _values(tables, engine, before, after, hierarchies, ranges, made)
        one, two = _blocks(engine, before, one, two, others, made)
        # a missing value has no code at level 0, and a number like every other above it
        had = {name: one[name].fill_null(NULL) for name in names}
        one = one.select("n", "block", size=one.n, **had)
        has: dict[str, ir.Value] = {}
        for j in range(len(cells)):
            has |= _released_codes(tables, two, j, hierarchies.get(j))
        # a join and no window, which would sort and hold all rows
        classes = after.group_by(cells).aggregate(size=lambda r: r.n.sum().cast("int64"))
        classes = classes.rename({f"c{cell}": cell for cell in cells})
        sized = two.select("n", *cells, block=two.block.fill_null(-1), **has)
        sized = sized.join(classes, [sized[cell].identical_to(classes[f"c{cell}"]) for cell in cells])
        two = sized.select("n", "block", "size", *has)
        if portions > 1:
            kept = [engine.keep(_cut(table, portions)) for table in (one, two)]
            for done in made:
                engine.drop(done)
            one, two = made = kept
    places = tuple(names.index(f"k{j}") for j in range(len(cells)))
    return Coded(engine, one, two, tuple(names), places, portions, tuple(made), ranges_of(ranges))


def _unchanged(tables: CommonCoding, engine: Engine, after: ir.Table, labelled: Collection[int]) -> list[str]:
    """Return the columns of quasi-identifiers, beside those with labels, that no released row has changed."""
    plain = [j for j in range(len(tables.cells)) if j not in labelled]
    stars = {f"q{j}": tables.star_at(after, j).any() for j in plain}
    if not stars:
        return []
    found = engine.one(after.aggregate(**stars))
    return [cell for cell, starred in found.items() if not starred]


def _values(
    tables: CommonCoding, engine: Engine, before: ir.Table, after: ir.Table, hierarchies: Mapping[int, Any],
    ranges: Mapping[int, Reading], made: list[ir.Table],
) -> tuple[ir.Table, ir.Table, list[str]]:  # fmt: skip
    """Join the kinds with the codes of their values, and of what stands above them."""
    one, two, names = before, after, []
    m = len(tables.cells)
    for j in range(m):
        values = before.select(v=f"q{j}").drop_null().distinct()
        # numbered once and kept: a lazy numbering may differ from one use to the next
        numbered = values.mutate(code=ibis.row_number().cast("int32") + 1)
        known = engine.put(ranges[j].codes()) if j in ranges else engine.keep(numbered)
        made.append(known)
        known = known.rename({f"v{j}": "v", f"k{j}": "code"})
        one, two = (side.left_join(known, side[f"q{j}"] == known[f"v{j}"]) for side in (one, two))
        if j % JOINS == JOINS - 1:
            one, two = kept = [engine.keep(side.drop(s.startswith("v"))) for side in (one, two)]
            made += kept
    for j in range(m):
        names.append(f"k{j}")
        if j in hierarchies:
            one, two, levels = _climbed(engine, one, two, j, hierarchies[j])
            names += levels
    return one, two, names


def _blocks(
    engine: Engine, before: ir.Table, one: ir.Table, two: ir.Table, columns: Sequence[str], made: list[ir.Table]
) -> tuple[ir.Table, ir.Table]:
    """Join the kinds with the number of their block."""
    if not columns:
        return one.mutate(block=ibis.literal(0, "int64")), two.mutate(block=ibis.literal(0, "int64"))
    known = engine.keep(before.select(*columns).distinct().mutate(block=engine.number()))
    made.append(known)
    known = known.rename({f"b{name}": name for name in columns})
    gone = list(known.columns[:-1])
    one = one.left_join(known, [one[name].identical_to(known[f"b{name}"]) for name in columns]).drop(*gone)
    two = two.left_join(known, [two[name].identical_to(known[f"b{name}"]) for name in columns]).drop(*gone)
    return one, two


def _cut(kinds: ir.Table, portions: int) -> ir.Table:
    """Return kinds with the portion that their block is in; unknown blocks, which find nothing, are in the first."""
    portion = ibis.ifelse(kinds.block < 0, 0, kinds.block % portions).cast("int64")
    return kinds.mutate(portion=portion)


def _climbed(engine: Engine, one: ir.Table, two: ir.Table, j: int, tree: Any) -> tuple[ir.Table, ir.Table, list[str]]:
    """Join the original kinds with the labels above their value, the released ones with the level they show."""
    labels = labels_of(engine, tree)
    leaves = leaf_table(engine, tree, labels)
    levels = {f"n{level}": f"k{j}_{level}" for level in range(1, tree.height)}
    above = leaves.select(**{f"leaf{j}": leaves.leaf}, **{new: leaves[old] + 1 for old, new in levels.items()})
    one = one.left_join(above, one[f"q{j}"].identical_to(above[f"leaf{j}"])).drop(f"leaf{j}")
    shown = labels.table.select(
        **{f"label{j}": "label", f"at{j}": "low", f"node{j}": (labels.table.node + 1).cast("int32")}
    )
    two = two.left_join(shown, two[f"q{j}"].identical_to(shown[f"label{j}"])).drop(f"label{j}")
    return one, two, list(levels.values())


def _released_codes(tables: CommonCoding, rows: ir.Table, j: int, tree: Any | None) -> dict[str, ir.Value]:
    shown = ibis.ifelse(rows[f"q{j}"].isnull(), NULL, rows[f"k{j}"].fill_null(INVENTED))
    star = tables.star_at(rows, j)
    if tree is None:
        return {f"k{j}": ibis.ifelse(star, STAR, shown)}
    level = ibis.ifelse(star, tree.height, rows[f"at{j}"].fill_null(0))
    codes = {f"k{j}": ibis.ifelse(level == 0, shown, STAR)}
    for up in range(1, tree.height):
        codes[f"k{j}_{up}"] = ibis.ifelse(level == up, rows[f"node{j}"], STAR)
    return codes
