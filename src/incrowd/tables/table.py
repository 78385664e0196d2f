"""A checked table inside the engine, as the stages pass it on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.hierarchy import Fitted
    from incrowd.tables.roles import Roles
    from incrowd.tables.values import Domain, RowTypes


KEY = "row_key"
MOST_NAMED = 20  # columns that a note names
WAS = "was_"  # of released rows: before the id of a quasi-identifier, its original cell
SHOWN = "shown_hash"  # of released rows: a hash of the quasi-identifiers' cells
Kind = str  # a registered format of files, or what came in: pandas, polars, pyarrow, duckdb, ibis, spark, list, dict


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """A source seen from the door: its columns under the engine's names, nothing checked yet.

    `data`: ``row_key`` and ``c0``, ``c1``, ... `names`: the user's names, in order. `origin`: Arrow schema (and frame
    types) of what came in. `label`: what messages call the source. `quotable`: whether messages may repeat the names.
    `whole`: by name, the columns of floats that were read as whole numbers, and the type they came in. `again`: of a
    source that is read as it is asked for: reads it once more by a slower reader, which names the column at fault.
    """

    data: ir.Table
    names: tuple[str, ...]
    kind: Kind
    origin: Any
    label: str
    notes: tuple[str, ...] = ()
    quotable: bool = True
    whole: Mapping[str, str] = field(default_factory=dict)
    again: Callable[[], Opened] | None = None

    @property
    def ids(self) -> dict[str, str]:
        """What each column is called in the engine, by its name."""
        return {name: f"c{i}" for i, name in enumerate(self.names)}

    def notes_on(self, kept: Collection[str]) -> tuple[str, ...]:
        """Return what the reader should tell the user of a job that takes some columns."""
        names = [repr(name) for name in self.names if name in self.whole and name in kept]
        if not names:
            return self.notes
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        said = f"{'columns' if len(names) > 1 else 'column'} {', '.join(names[:MOST_NAMED])}{more}"
        verb = "hold" if len(names) > 1 else "holds"
        return (*self.notes, f"{said} {verb} whole numbers as floats, which are read as whole numbers (1, not 1.0)")


@dataclass(frozen=True, slots=True, eq=False)
class HierarchyLevels:
    """The hierarchy of a quasi-identifier inside the engine.

    `rows`: one line a leaf: ``v`` (its text as in the data, NULL for a missing value), ``line`` (its number) and
    ``n1``, ``n2``, ... up to ``n{h - 1}`` (its labels).
    """

    fitted: Fitted
    rows: ir.Table


@dataclass(frozen=True, slots=True)
class Column:
    """One column that goes into the release.

    `name`: the user's name for it. `id`: its name inside the engine (``c0``, ``c1``, ...), so that no name of the
    user's can clash or be quoted. `text`: whether it was turned into text because the mask could change it.
    """

    name: str
    id: str
    role: Literal["quasi-identifier", "sensitive", "other"]
    text: bool


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A table as read: a row key and the columns of the release; identifiers are gone.

    `data`: ``row_key`` (the input's order) and the columns by `Column.id`. `columns`: in the table's order. `kind`: the
    kind of table that came in. `origin`: what is needed to give the same kind back (an Arrow schema or the frame's
    column types). `notes`: what the reader should tell the user; names and counts only. `ladders`: by `Column.id`, for
    the quasi-identifiers that have a hierarchy. `held`: by `Column.id`, for columns whose texts the engine holds as
    places in a list: from a star's or a label's text to such a cell.
    """

    engine: Engine
    data: ir.Table
    columns: tuple[Column, ...]
    roles: Roles
    rows: int
    kind: Kind
    origin: Any = None
    notes: tuple[str, ...] = ()
    ladders: Mapping[str, HierarchyLevels] = field(default_factory=dict)
    held: Mapping[str, Callable[[ir.Value], ir.Value]] = field(default_factory=dict)

    @property
    def quasi_identifiers(self) -> tuple[Column, ...]:
        """The quasi-identifiers in the user's order (the order of codes and levels)."""
        by_name = {column.name: column for column in self.columns}
        return tuple(by_name[name] for name in self.roles.quasi_identifiers)

    def judged(self, names: Collection[str]) -> tuple[Column, ...]:
        """Return the named columns in the table's order."""
        return tuple(column for column in self.columns if column.name in names)

    @property
    def others(self) -> tuple[Column, ...]:
        """The columns that pass unchanged, in the table's order."""
        return tuple(column for column in self.columns if column.role != "quasi-identifier")


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """The distinct rows of a table on some columns, as they lie in the engine.

    `rows`: the columns by their ids, and ``n``. `t`: its lines.
    """

    rows: ir.Table
    t: int


@dataclass(frozen=True, slots=True, eq=False)
class Compressed:
    """Row types and the way back to their values.

    `values`: ``type`` and per quasi-identifier (and judged sensitive column) its value under the column's id: one line
    per row type. `domain`: the judged sensitive columns (None: there are none).
    """

    types: RowTypes
    values: ir.Table
    domain: Domain | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Expanded:
    """The released rows, computed once.

    `rows`: ``row_key`` and the columns by `Column.id`, with released cells; ``shown_hash``, the content hash of the
    quasi-identifiers' cells, which was taken once for each row type and class. On an engine that `brings_originals`
    also the original cells of the quasi-identifiers, as ``was_ID``: claimed, not checked. `parts`: what was released as
    what, aggregated: ``group``, ``rows``, per quasi-identifier the original value ``o{j}`` and the level ``l{j}``. One
    line per row type and class: t lines or a few more. `star`: the text of a star (None: NULL). `shown`: the released
    cells of every row by its ``shown_hash``, some lines of it more than once: to look them up.
    """

    table: Table
    rows: ir.Table
    parts: ir.Table
    star: str | None
    shown: ir.Table | None = None

    def opened(self) -> tuple[Opened, Opened]:
        """Return the original rows and the released ones as the check opens files."""

        def one(rows: ir.Table) -> Opened:
            cells = {f"c{j}": rows[column.id] for j, column in enumerate(self.table.columns)}
            names = tuple(column.name for column in self.table.columns)
            return Opened(rows.select(**cells), names, self.table.kind, None, "the table")

        return one(self.table.data), one(self.rows)
