"""How columns come into the engine: under its own names, in types it can hold, faults named by column."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import ibis
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from incrowd.errors import InputError, refuse_on
from incrowd.tables.table import KEY, Kind, Opened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine


BATCH_ROWS = 65_536
EXACT = 2**53  # below it every whole number is a float of its own
DATE64_LIMIT = 10**15  # milliseconds: 31,688 years
FIRST_DAY, LAST_DAY = "0001-01-01", "9999-12-31"


def distinct_names(names: Sequence[str], label: str, otherwise: str = "") -> None:
    """Refuse names that occur twice, by their positions.

    `label` is what the message calls the source, and `otherwise` what else than another name helps. Raises InputError
    if two are equal.
    """
    seen: dict[str, int] = {}
    for position, name in enumerate(names, start=1):
        if name in seen:
            same = f"columns {seen[name]} and {position} of {label} have the same name"
            raise InputError(f"{same}; rename one{otherwise}")
        seen[name] = position


def written_names(names: Sequence[str], label: str, place: str, otherwise: str = "") -> None:
    """Refuse names of a first line that are empty or occur twice, by their positions.

    `place` is where a name can be given; the rest is as of `distinct_names`.
    """
    for position, name in enumerate(names, start=1):
        if not name:
            raise InputError(f"column {position} of {label} has no name; name it in {place}{otherwise}")
    distinct_names(names, label, otherwise)


def names_of(schema: pa.Schema, label: str) -> tuple[str, ...]:
    """Return the names of columns; Arrow decodes them when they are asked for.

    `label` is what messages call the source. Raises InputError if a name is no text or occurs twice, by its position.
    """
    for position in range(len(schema)):
        with refuse_on(
            f"the name of column {position + 1} of {label} is not valid UTF-8 text; rename it", UnicodeError
        ):
            schema.field(position).name.encode()
    distinct_names(schema.names, label)
    return tuple(schema.names)


def mixed(name: str) -> str:
    """Return the sentence for a column whose values have no type in common."""
    return f"column {name!r} mixes values of several types; turn it into one type, for example text"


def array_of(name: str, cells: Any) -> Any:
    """Return the cells of a column as an Arrow array, or several; what it holds never reaches a message."""
    with refuse_on(mixed(name), pa.ArrowException, TypeError, ValueError, OverflowError):
        return pa.array(cells, from_pandas=True)


def whole_numbers(found: Any) -> Any:
    """Return floats that are all whole numbers below 2^53 (and not all missing) as such; any others as they are."""
    if not pa.types.is_floating(found.type) or found.null_count == len(found):
        return found
    floats = found.cast(pa.float32()) if pa.types.is_float16(found.type) else found
    for at in range(0, len(floats), BATCH_ROWS):
        some = floats.slice(at, BATCH_ROWS)
        whole = pc.and_(pc.equal(some, pc.trunc(some)), pc.less(pc.abs(some), float(EXACT)))
        if pc.all(whole).as_py() is False:
            return found
    return floats.cast(pa.int64())


def plain_path(engine: Engine, path: Path) -> str:
    """Return a path that the engine takes for one file: it reads ``*``, ``?`` and ``[`` as patterns, and UTF-8 only.

    This is the path of the file itself, or that of a link to it in the private folder.
    """
    if not any(mark in "*?[" or "\ud800" <= mark <= "\udfff" for mark in str(path)):
        return str(path)
    link = engine.private_file(re.sub(r"[^.\w]", "", "".join(path.suffixes[-2:]), flags=re.ASCII))
    link.symlink_to(path.resolve())
    return str(link)


def from_arrow(
    engine: Engine,
    schema: pa.Schema,
    batches: Iterable[pa.RecordBatch],
    kind: Kind,
    origin: Any,
    label: str,
    *,
    notes: tuple[str, ...] = (),
    broken: str = "",
) -> Opened:
    """Bring Arrow batches into the engine as they come.

    The batches have that schema and are asked for one at a time, so that memory is a batch, and the engine's table,
    which spills beyond its limit. `kind`, `origin`, `label` and `notes` are as in `Opened`. `broken` is what to say
    when the batches themselves cannot be read. Raises InputError that names the column that holds what the engine
    cannot.
    """
    names = names_of(schema, label)
    kinds = [_kind_for_engine(field.type) for field in schema]
    trouble: list[str] = []

    def stream() -> Iterator[pa.RecordBatch]:
        rows = 0
        source = iter(batches)
        while True:
            try:
                batch = next(source, None)
            except (pa.ArrowException, OSError, EOFError, ValueError, TypeError, OverflowError, RuntimeError):
                trouble.append(broken or f"{label} cannot be read to its end; it may be damaged")
                return
            if batch is None:
                return
            columns = []
            for name, column, wanted in zip(names, batch.columns, kinds, strict=True):
                fitted = _fitted(column, wanted)
                if fitted is None:
                    trouble.append(unfit(name, column.type))
                    return
                columns.append(fitted)
            keys = pa.array(np.arange(rows, rows + batch.num_rows, dtype=np.int64))
            rows += batch.num_rows
            yield pa.RecordBatch.from_arrays([keys, *columns], schema=inside)

    inside = pa.schema([(KEY, pa.int64()), *((f"c{i}", wanted) for i, wanted in enumerate(kinds))])
    with engine.guard(f"reading {label}"):
        data = engine.take(inside, stream())
    if trouble:
        raise InputError(trouble[0])
    return opened(engine, data, names, kind, origin, label, notes)


def opened(
    engine: Engine, data: ir.Table, names: tuple[str, ...], kind: Kind, origin: Any, label: str,
    notes: tuple[str, ...] = (),
) -> Opened:  # fmt: skip
    """Return a table of the engine as an opened source, its dates checked.

    Columns of types that no release could hold (spans of time, times finer than microseconds) become text. `data` has
    the columns ``c0``, ``c1``, ... in the order of `names`, which are the user's. `origin` is what is needed to give
    the same kind of table back that came in, `label` what messages call the source, and `notes` what the user should
    know, one sentence each. There is one pass over the rows where there are dates or times. Raises InputError if a date
    lies beyond the years 1 to 9999, by its column.
    """
    limits, out = {}, {}
    for i, _ in enumerate(names):
        value = data[f"c{i}"]
        found = value.type()
        if found.is_interval() or found.is_unknown():
            out[f"c{i}"] = value.cast("string")
        elif found.is_date() or (found.is_timestamp() and (found.scale or 6) <= 6):
            first, last = ibis.date(FIRST_DAY), ibis.date(LAST_DAY)
            if found.is_timestamp():
                first, last = first.cast(found), (last + ibis.interval(days=1)).cast(found)
                limits[f"c{i}"] = ((value < first) | (value >= last)).sum()
            else:
                limits[f"c{i}"] = ((value < first) | (value > last)).sum()
    if limits:
        with engine.guard(f"reading {label}"):
            beyond = engine.one(data.aggregate(**limits))
        for i, name in enumerate(names):
            if beyond.get(f"c{i}"):
                raise InputError(_beyond(name))
    return Opened(data.mutate(**out) if out else data, names, kind, origin, label, notes)


def _beyond(name: str) -> str:
    return f"column {name!r} holds dates outside the years 1 to 9999; mend them or turn the column into text"


def unfit(name: str, kind: pa.DataType | str) -> str:
    """Return the sentence for a column of a type that the engine cannot hold, or with dates beyond its own.

    `name` is that of the column, and `kind` is its type or the name of it.
    """
    if isinstance(kind, pa.DataType) and str(kind).startswith(("date", "time")):
        return _beyond(name)
    return f"column {name!r} holds {kind} values that the table engine cannot hold; turn it into text or numbers first"


ENTERS_AS = {
    pa.null(): pa.string(), pa.date64(): pa.date32(), pa.float16(): pa.float32(), pa.duration("ns"): pa.duration("us")
}  # fmt: skip


def _kind_for_engine(kind: pa.DataType) -> pa.DataType:
    """Return the type in which a column enters the engine.

    Timestamps in seconds or milliseconds enter in microseconds: the engine does not survive an overflow when it casts
    them itself.
    """
    if isinstance(kind, pa.BaseExtensionType):
        return kind if kind.extension_name == "arrow.uuid" else _kind_for_engine(kind.storage_type)
    if pa.types.is_timestamp(kind) and kind.unit in ("s", "ms"):
        return pa.timestamp("us", kind.tz)
    if pa.types.is_decimal256(kind):
        return pa.decimal128(min(kind.precision, 38), kind.scale) if kind.scale <= 38 else kind
    return ENTERS_AS.get(kind, kind)


def _fitted(column: pa.Array, wanted: pa.DataType) -> pa.Array | None:
    """Return a column in the type in which it enters the engine, or None if it does not fit."""
    if column.type == wanted:
        return column
    if isinstance(column, pa.ExtensionArray):
        column = column.storage
    if pa.types.is_date64(column.type):  # whose cast to days overflows unseen
        days = column.cast(pa.int64())
        ends = [end for end in pc.min_max(days).as_py().values() if end is not None]
        if any(abs(end) > DATE64_LIMIT for end in ends):
            return None
    try:
        return column.cast(wanted)
    except (pa.ArrowException, ValueError):
        return None
