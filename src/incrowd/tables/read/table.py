"""Stage 1: source -> checked table with roles; identifiers never leave this stage."""

from __future__ import annotations

import functools
import operator
from typing import TYPE_CHECKING, Any

import ibis

from incrowd.errors import InputError, count_of
from incrowd.tables.engine.guard import lacks_memory
from incrowd.tables.hierarchy.proposals import Proposal, Seen, propose
from incrowd.tables.source_files import read_whole
from incrowd.tables.table import KEY, Column, HierarchyLevels, Opened, Table

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import ibis.expr.types as ir
    import pyarrow as pa

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.hierarchy import Fitted
    from incrowd.tables.roles import Roles


def with_roles(
    engine: Engine,
    opened: Opened,
    roles: Roles,
    *,
    text: Collection[str],
    star: str | None,
    hierarchies: Mapping[str, Fitted] | None = None,
) -> Table:
    """Give the columns of an opened source their roles (and hierarchies), check them and compute the table once.

    `text` are the quasi-identifiers that are turned into text, and `hierarchies` are by quasi-identifier. `star` is the
    text that a release shows for a suppressed cell; no cell of the table may hold it (None: not checked). InputError is
    raised if a quasi-identifier cannot be one or is declared numeric and is not, a cell holds the star text already, or
    there are no rows; PolicyError if the roles do not fit the columns.
    """
    roles.check(opened.names, quotable=opened.quotable)
    columns, out, ids = [], {}, opened.ids
    for name in roles.kept(opened.names):
        physical = ids[name]
        value = opened.data[physical]
        quasi = name in roles.quasi_identifiers
        if quasi:
            _usable(name, value)
            value = engine.text(value) if name in text else engine.plain(value)
        role = "quasi-identifier" if quasi else "sensitive" if name in roles.sensitive else "other"
        columns.append(Column(name, physical, role, name in text))  # type: ignore[arg-type]
        out[physical] = value
    stars = () if star is None else (star,)
    also = {c.id: {*stars, *_labels(hierarchies, c.name)} for c in columns if c.text}
    trouble = None
    try:
        with engine.guard(f"reading {opened.label}"):
            (data,), held = engine.keep_listed([opened.data.select(KEY, **out)], also)
            judged = [c for c in columns if c.role == "quasi-identifier" and star is not None]
            texts = [c for c in judged if data[c.id].type().is_string()]
            found = _stars(engine, data, [c.id for c in texts], star)
            rows = int(found["n"])
    except InputError as error:
        trouble = error
    read_whole(engine)  # what has changed meanwhile is no table, whatever was found in it
    if trouble is not None:
        if opened.again is None or lacks_memory(str(trouble)):
            raise trouble
        return with_roles(engine, opened.again(), roles, text=text, star=star, hierarchies=hierarchies)
    if rows == 0:
        raise InputError(f"{opened.label} has no rows; there is nothing to release")
    with engine.guard("taking in the hierarchies"):
        ladders = {
            column.id: HierarchyLevels(fitted, engine.put(fitted.ladder()))
            for column in columns
            if (fitted := (hierarchies or {}).get(column.name)) is not None
        }
    notes = opened.notes_on([c.name for c in columns])
    table = Table(engine, data, tuple(columns), roles, rows, opened.kind, opened.origin, notes, ladders, held)
    for column in texts:
        if cells := int(found[column.id] or 0):
            raise InputError(
                f"column {column.name!r} already holds the star text in {count_of(cells, 'row')}; choose another star"
            )
    _all_numbers(table)
    return table


def _stars(engine: Engine, data: ir.Table, ids: Sequence[str], star: str | None) -> dict[str, int]:
    """Return the number of rows as ``n`` and by column how many cells hold the star text.

    Spark is asked first whether there is any, which it can tell from the files' lists of values, unread.
    """
    if ids and not engine.in_process:
        held = functools.reduce(operator.or_, (data[i] == star for i in ids))
        if not engine.one(data.filter(held).aggregate(n=lambda rows: rows.count()))["n"]:
            return {**engine.one(data.aggregate(n=data.count())), **dict.fromkeys(ids, 0)}
    return engine.one(data.aggregate(n=data.count(), **{i: (data[i] == star).sum() for i in ids}))


def _labels(hierarchies: Mapping[str, Fitted] | None, name: str) -> set[str]:
    """Return the labels that cells of a column may show."""
    fitted = (hierarchies or {}).get(name)
    return set() if fitted is None else {label for line in fitted.shown for label in line[1:] if label is not None}


def _usable(name: str, value: Any) -> None:
    kind = value.type()
    if kind.is_nested() or kind.is_binary() or kind.is_json() or kind.is_interval():
        raise InputError(
            f"column {name!r} holds {str(kind).partition('<')[0].strip('!')} values and cannot be a quasi-identifier; "
            "turn it into text or numbers first"
        )


def _all_numbers(table: Table) -> None:
    numeric = [c for c in table.quasi_identifiers if c.name in table.roles.numeric]
    if not numeric:
        return
    data = table.data
    bad = {}
    for column in numeric:
        value = data[column.id]
        number = table.engine.text(value).try_cast("float64")
        known = ibis.ifelse(number.isnull(), 0.0, number)
        bad[column.id] = (value.notnull() & (number.isnull() | known.isnan() | known.isinf())).sum()
    with table.engine.guard("reading the numeric columns"):
        found = table.engine.one(data.aggregate(**bad))
    for column in numeric:
        if found[column.id]:
            raise InputError(
                f"column {column.name!r} is declared numeric but {found[column.id]} of its values cannot be read as a "
                "number; leave it out of numeric, or name what stands for a missing value as na"
            )


# The distinct values of one column with their rows, before anything is made of them.
def counted(engine: Engine, opened: Opened, name: str) -> ir.Table:
    """Return the distinct values of a column, spelled out, as ``v``, and their rows as ``n``: one GROUP BY.

    `opened` is the table as it came in.
    """
    texts = opened.data.select(v=engine.text(opened.data[opened.ids[name]]))
    return texts.group_by("v").aggregate(n=lambda rows: rows.count())


def listed(engine: Engine, rows: ir.Table) -> tuple[list[str | None], list[int]]:
    """Return values ``v`` and their rows ``n``, sorted by the values' bytes, None first."""
    found = engine.fetch(rows.select("v", "n")).to_pylist()
    found.sort(key=lambda one: (one["v"] is not None, one["v"] or ""))
    return [one["v"] for one in found], [int(one["n"]) for one in found]


def counted_values(engine: Engine, opened: Opened, name: str, most: int) -> pa.Table | None:
    """Return `counted` values outside the engine; None where there are more than `most`."""
    with engine.guard(f"counting the values of column {name!r}"):
        found = engine.fetch(counted(engine, opened, name).limit(most + 1))
    return found if found.num_rows <= most else None


def column_values(engine: Engine, opened: Opened, name: str) -> list[str | None]:
    """Return the distinct values of a column, spelled out and sorted by their bytes, None first."""
    with engine.guard(f"counting the values of column {name!r}"):
        return listed(engine, counted(engine, opened, name))[0]


# Stage 1: hierarchies proposed for the quasi-identifiers that have none, from their distinct values.
MOST_VALUES = 200_000  # distinct ones of a column that are looked at: some 100 MB with their lines


def propose_hierarchies(engine: Engine, opened: Opened, columns: Sequence[str]) -> tuple[Proposal, ...]:
    """Return what is proposed for some columns, in their order.

    `opened` is the table as it came in. A column that it does not have is left out: the roles say so. There is one
    GROUP BY per column; its distinct values leave the engine where they are at most 200,000.
    """
    found = []
    for name in columns:
        if name not in opened.names:
            continue
        values = distinct_values(engine, opened, name)
        if values is None:
            why = f"it has more than {MOST_VALUES:,} values"
            found.append(Proposal(name, None, why, Seen("texts", MOST_VALUES)))
        else:
            found.append(propose(name, values))
    return tuple(found)


def distinct_values(engine: Engine, opened: Opened, name: str) -> list[str] | None:
    """Return the distinct values of a column as sorted texts, without the missing one; None where they are too many."""
    found = counted_values(engine, opened, name, MOST_VALUES + 1)  # the missing one beside them
    texts = [] if found is None else found.column("v").drop_null().to_pylist()
    return None if found is None or len(texts) > MOST_VALUES else sorted(texts)
