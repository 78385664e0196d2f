"""Two tables made comparable: the original and the released rows as kinds of rows in the same integers.

The engine compares and codes; what crosses over is integers. Typed columns of one type are compared as they
are, all others by the engine's one spelling; where either table is CSV an empty text is NULL.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

import ibis
import numpy as np

from incrowd.tables.verify.release.hierarchy_levels import labels_of, leaf_table

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import ibis.expr.types as ir
    import pyarrow as pa
    from numpy.typing import NDArray

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.hierarchy import Fitted
    from incrowd.tables.roles import Roles

__all__ = ["INVENTED", "NULL", "STAR", "CommonCoding", "Kinds", "Side", "alike", "code", "excess"]

NULL, STAR, INVENTED = 0, -1, -2
JOINS = 12  # a longer chain of joins is too deep for the engine's layers


class Side(Protocol):
    """An opened table: columns ``c0``, ``c1``, ... under the user's names."""

    @property
    def data(self) -> ir.Table:
        """The rows."""
        ...

    @property
    def names(self) -> tuple[str, ...]:
        """The user's names, in order."""
        ...

    @property
    def kind(self) -> str:
        """What came in; ``"csv"`` knows no empty text."""
        ...

    @property
    def label(self) -> str:
        """What messages call it."""
        ...

    @property
    def quotable(self) -> bool:
        """Whether messages may repeat the names."""
        ...

    @property
    def whole(self) -> Mapping[str, str]:
        """Columns of floats that were read as whole numbers, and the type they came in."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class CommonCoding:
    """Both tables with the same columns, spelled alike.

    Attributes
    ----------
    original, released : ibis table
        ``q0``, ``q1``, ... (quasi-identifiers in the policy's order), ``o0``, ``o1``, ... (other columns).
    others : tuple of str
        Names of the other columns.
    starred : tuple of int
        Quasi-identifiers in which the star text reads as a star.
    star : str or None
        The star text (None: NULL).
    """

    original: ir.Table
    released: ir.Table
    others: tuple[str, ...]
    starred: tuple[int, ...]
    star: str | None

    @property
    def cells(self) -> list[str]:
        """Columns of the quasi-identifiers."""
        return [name for name in self.released.columns if name[0] == "q"]

    def marks(self) -> list[ir.Value]:
        """Return per quasi-identifier whether the released cell reads as a star."""
        return [self.mark(self.released, j) for j in range(len(self.cells))]

    def mark(self, rows: ir.Table, j: int) -> ir.Value:
        """Return whether cell j of released rows reads as a star."""
        cell = rows[f"q{j}"]
        if self.star is None:
            return cell.isnull()
        return (cell == self.star).fill_null(False) if j in self.starred else cell.isnull() & cell.notnull()


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """The different rows of one table, with their counts.

    A quasi-identifier is one column of codes; one with a hierarchy is a column for each level below the star's. An
    original row has a code in each of them, a released row in that of the level it shows, and stars in the others.

    Attributes
    ----------
    codes : (t, m') int32
        At level 0 of each quasi-identifier 0 for NULL, 1, 2, ... for the values of the original, -1 for a star and
        -2 for a value that the original's column does not have (-1 and -2 in released rows only). At higher levels
        the number of the label, from 1.
    block : (t,) int64
        Number of the combination of the other columns; -1 for one that the original does not have.
    rows : (t,) int64
        Rows of each kind.
    size : (t,) int64
        Rows of its class, that is with equal cells in all quasi-identifiers (released rows only).
    """

    codes: NDArray[np.int32]
    block: NDArray[np.int64]
    rows: NDArray[np.int64]
    size: NDArray[np.int64]

    def taken(self, index: NDArray[np.int64]) -> Kinds:
        """Return the kinds of the index, in its order."""
        return Kinds(self.codes[index], self.block[index], self.rows[index], self.size[index])


def alike(
    original: Side, released: Side, roles: Roles, engine: Engine, *, text: Collection[str], star: str | None
) -> CommonCoding:
    """Return both tables with their common columns spelled alike.

    Parameters
    ----------
    original, released : Side
        `released` has every kept column of `original`.
    roles : Roles
    engine : Engine
    text : collection of str
        Quasi-identifiers that were turned into text.
    star : str or None
        The star text (None: a star is NULL).
    """
    before: dict[str, ir.Value] = {}
    after: dict[str, ir.Value] = {}
    starred = []
    no_empty = "csv" in (original.kind, released.kind)
    others = [name for name in roles.kept(original.names) if name not in roles.quasi_identifiers]
    index = {name: f"q{j}" for j, name in enumerate(roles.quasi_identifiers)}
    index.update({name: f"o{j}" for j, name in enumerate(others)})
    for j, (name, short) in enumerate(index.items()):
        one, two = _column(original, name), _column(released, name)
        # what are floats in one of the tables are floats in both
        if one.type().is_floating() and name in released.whole:
            two = two.cast(released.whole[name])
        elif two.type().is_floating() and name in original.whole:
            one = one.cast(original.whole[name])
        if short[0] == "q" and star is not None and (name in text or one.type().is_string()):
            starred.append(j)
        if name in text or one.type().copy(nullable=True) != two.type().copy(nullable=True):
            one, two = engine.text(one), engine.text(two)
        else:
            one, two = engine.plain(one), engine.plain(two)
        if no_empty and one.type().is_string():
            one, two = one.nullif(""), two.nullif("")
        before[short], after[short] = one, two
    with engine.guard(f"comparing {released.label} with {original.label}"):
        (one, two), _ = engine.keep_listed([original.data.select(**before), released.data.select(**after)])
    return CommonCoding(one, two, tuple(others), tuple(starred), star)


def _column(side: Side, name: str) -> ir.Value:
    return side.data[f"c{side.names.index(name)}"]


def code(
    tables: CommonCoding, engine: Engine, hierarchies: Mapping[int, Fitted] = MappingProxyType({})
) -> tuple[Kinds, Kinds, tuple[int, ...]]:
    """Return the kinds of original and of released rows, in no order, and where each quasi-identifier's codes begin.

    Parameters
    ----------
    tables : CommonCoding
    engine : Engine
    hierarchies : mapping of int to Fitted
        By the place of the quasi-identifier.

    Notes
    -----
    One GROUP BY over each table, and per column one join of the kinds with the distinct values of the
    original; linear in the rows. Outside the engine: 4 m + 16 bytes a kind.
    """
    m = len(tables.cells)
    others = [f"o{j}" for j in range(len(tables.others))]
    made = []
    with engine.guard("comparing the release with the original"):
        before, after = (
            engine.keep(table.group_by([*tables.cells, *others]).aggregate(n=lambda r: r.count()))
            for table in (tables.original, tables.released)
        )
        made += [before, after]
        one, two = before, after
        for j in range(m):
            values = before.filter(before[f"q{j}"].notnull()).select(v=before[f"q{j}"]).distinct()
            # numbered once and kept: a lazy numbering may differ from one use to the next
            known = engine.keep(values.mutate(code=ibis.row_number().cast("int32") + 1))
            made.append(known)
            known = known.rename({f"v{j}": "v", f"k{j}": "code"})
            one = one.left_join(known, one[f"q{j}"] == known[f"v{j}"]).drop(f"v{j}")
            two = two.left_join(known, two[f"q{j}"] == known[f"v{j}"]).drop(f"v{j}")
            if j % JOINS == JOINS - 1:
                one, two = engine.keep(one), engine.keep(two)
                made += [one, two]
        names: list[str] = []
        has: dict[str, ir.Value] = {}
        for j in range(m):
            names.append(f"k{j}")
            if j in hierarchies:
                one, two, levels = _climbed(engine, one, two, j, hierarchies[j])
                names += levels
        if others:
            known = engine.keep(before.select(others).distinct().mutate(block=ibis.row_number()))
            made.append(known)
            known = known.rename({f"b{j}": f"o{j}" for j in range(len(others))})
            gone = list(known.columns[:-1])
            one = one.left_join(known, [one[o].identical_to(known[f"b{o[1:]}"]) for o in others]).drop(*gone)
            two = two.left_join(known, [two[o].identical_to(known[f"b{o[1:]}"]) for o in others]).drop(*gone)
        else:
            one, two = one.mutate(block=ibis.literal(0)), two.mutate(block=ibis.literal(0))
        # a missing value has no code at level 0, and a number like every other above it
        had = {name: one[name].fill_null(NULL) for name in names}
        first = engine.fetch(one.select("n", "block", size=one.n, **had))
        for j in range(m):
            has |= _released_codes(tables, two, j, hierarchies.get(j))
        # a join and no window, which would sort and hold all rows
        classes = after.group_by(tables.cells).aggregate(size=lambda r: r.n.sum().cast("int64"))
        classes = classes.rename({f"c{cell}": cell for cell in tables.cells})
        sized = two.select("n", *tables.cells, block=two.block.fill_null(-1), **has)
        sized = sized.join(classes, [sized[cell].identical_to(classes[f"c{cell}"]) for cell in tables.cells])
        second = engine.fetch(sized.select("n", "block", "size", *has))
        for done in made:
            engine.drop(done)
    return _kinds(first, names), _kinds(second, names), tuple(names.index(f"k{j}") for j in range(m))


def _climbed(
    engine: Engine, one: ir.Table, two: ir.Table, j: int, fitted: Fitted
) -> tuple[ir.Table, ir.Table, list[str]]:
    """Join the original kinds with the labels above their value, the released ones with the level they show."""
    labels = labels_of(engine, fitted)
    leaves = leaf_table(engine, fitted, labels)
    levels = {f"n{level}": f"k{j}_{level}" for level in range(1, fitted.height)}
    above = leaves.select(**{f"leaf{j}": leaves.leaf}, **{new: leaves[old] + 1 for old, new in levels.items()})
    one = one.left_join(above, one[f"q{j}"].identical_to(above[f"leaf{j}"])).drop(f"leaf{j}")
    shown = labels.table.select(
        **{f"label{j}": "label", f"at{j}": "low", f"node{j}": (labels.table.node + 1).cast("int32")}
    )
    two = two.left_join(shown, two[f"q{j}"].identical_to(shown[f"label{j}"])).drop(f"label{j}")
    return one, two, list(levels.values())


def _released_codes(tables: CommonCoding, rows: ir.Table, j: int, fitted: Fitted | None) -> dict[str, ir.Value]:
    shown = ibis.ifelse(rows[f"q{j}"].isnull(), NULL, rows[f"k{j}"].fill_null(INVENTED))
    star = tables.mark(rows, j)
    if fitted is None:
        return {f"k{j}": ibis.ifelse(star, STAR, shown)}
    level = ibis.ifelse(star, fitted.height, rows[f"at{j}"].fill_null(0))
    codes = {f"k{j}": ibis.ifelse(level == 0, shown, STAR)}
    for up in range(1, fitted.height):
        codes[f"k{j}_{up}"] = ibis.ifelse(level == up, rows[f"node{j}"], STAR)
    return codes


def _kinds(table: pa.Table, names: Sequence[str]) -> Kinds:
    codes = np.empty((table.num_rows, len(names)), np.int32)
    for j, name in enumerate(names):
        codes[:, j] = table.column(name).to_numpy()
    return Kinds(codes, *(table.column(name).to_numpy().astype(np.int64) for name in ("block", "n", "size")))


def excess(tables: CommonCoding, engine: Engine) -> Mapping[str, int]:
    """Return per other column, if any, the released rows whose value the original has less often.

    Parameters
    ----------
    tables : CommonCoding
        Both tables, spelled alike.
    engine : Engine
    """
    found = {}
    with engine.guard("comparing the other columns"):
        for j, name in enumerate(tables.others):
            column = f"o{j}"
            had = tables.original.group_by(column).aggregate(had=lambda r: r.count()).rename(value=column)
            has = tables.released.group_by(column).aggregate(has=lambda r: r.count())
            both = has.left_join(had, has[column].identical_to(had.value))
            more = ibis.greatest(both["has"] - both.had.fill_null(0), 0).sum().fill_null(0)
            count = int(engine.one(both.aggregate(more=more))["more"])
            if count:
                found[name] = count
    return found
