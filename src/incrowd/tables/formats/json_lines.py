"""JSON lines: types are JSON's own, nothing is guessed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import ibis
import ibis.expr.datatypes as dt

from incrowd.errors import InputError
from incrowd.tables.engine.guard import lacks_memory
from incrowd.tables.formats.base import Format, sink
from incrowd.tables.formats.import_columns import opened
from incrowd.tables.table import KEY, Opened

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.roles import Reading


@dataclass(frozen=True)
class JsonLines(Format):
    """JSON objects, one a line."""

    name = "jsonl"
    summary = "JSON objects, one a line"
    endings = (".jsonl", ".ndjson", ".json")
    written = (".jsonl", ".ndjson")
    packed = True
    mark = b"{"

    def read(self, engine: Engine, path: Path, reading: Reading, label: str, part: str = "") -> Opened:
        """Return a file of JSON objects, one a line, inside the engine.

        Columns come in the order in which their keys first occur; a key that a line lacks is NULL. Text stays text
        (dates too), whole numbers are int64 or decimal, other numbers float64. What is nested or mixes types passes as
        JSON and cannot be a quasi-identifier. Raises InputError with the number of the first faulty line. Three passes
        over the file; linear in it. Memory is the engine's.
        """
        kinds: dict[str, dt.DataType] | None = None
        with path.open("rb") as source:  # the engine skips the byte order mark or not, by the number of its threads
            marked = source.read(len(MARK)) == MARK
        if marked:
            raise InputError(fault(path, label))
        try:
            with engine.guard(f"reading {label}"):
                lines = engine.scan("read_json", path, **LINES)
                kinds = columns_of(engine, lines)
                if kinds:
                    found = {f"c{i}": value for i, value in enumerate(cells(lines, kinds))}
                    data = engine.keep(lines.select(ibis.row_number().name(KEY), **found))
        except InputError as error:
            if lacks_memory(str(error)):
                raise
            kinds = None
        if kinds is None:
            raise InputError(fault(path, label))
        if not kinds:
            raise InputError(f"{label} is empty; a table needs at least one line with at least one key")
        return opened(engine, data, tuple(kinds), "jsonl", None, label)

    def write(self, engine: Engine, rows: ir.Table, names: Sequence[str], path: Path, *, packed: bool) -> None:
        """Write one JSON object a line, UTF-8, LF, nulls written out; through gzip if `packed`."""
        floats = {i: rows[i].isinf().sum() for i in rows.columns if rows[i].type().is_floating()}
        endless = engine.one(rows.aggregate(**floats)) if floats else {}
        for i, name in zip(rows.columns, names, strict=True):
            if endless.get(i):
                raise InputError(
                    f"column {name!r} holds infinite numbers, which JSON lines cannot; write CSV or Parquet"
                )
        with sink(path, packed) as out:
            for batch in engine.batches(lines_of(engine, rows, names)):
                for line in batch.column(0).to_pylist():
                    out.write(line.encode() + b"\n")

    def read_back(self, engine: Engine, path: Path, names: Sequence[str], rows: ir.Table) -> ir.Table:
        """Return a written file inside the engine, in the types that `rows` has."""
        lines = engine.scan("read_json", path, **LINES)
        kinds = {name: _json_type(rows[i]) for i, name in zip(rows.columns, names, strict=True)}
        return lines.select(**dict(zip(rows.columns, cells(lines, kinds), strict=True)))


def _json_type(value: ir.Value) -> dt.DataType:
    kind = value.type()
    same = kind.is_json() or kind.is_integer() or kind.is_floating() or kind.is_boolean()
    return kind if same else dt.string


# JSON lines inside the engine: one object a line, read and written without guessing.
#
# A text stays text (``"007"``, ``"2020-01-01"``), a number a number, ``true`` a boolean. Column names never meet the
# engine's own names: a cell is asked for by a JSON pointer, which any name can be written as.
LINES = {"columns": {"json": "JSON"}, "format": "newline_delimited", "records": "false"}  # empty ones are left out
MARK = b"\xef\xbb\xbf"  # the byte order mark

LONGEST = 1 << 25  # keys of a line, more than the bytes of the longest line the engine reads
NUMBERS = {"UBIGINT", "BIGINT", "HUGEINT", "UHUGEINT", "DOUBLE"}


@ibis.udf.scalar.builtin(name="json_extract_string", signature=((dt.json, dt.Array(dt.string)), dt.Array(dt.string)))  # type: ignore[untyped-decorator]
def _as_texts(document: Any, pointers: Any) -> Any:
    """Return the texts of values: strings without their quotes, NULL for null and for what is not there."""


@ibis.udf.scalar.builtin(name="json_extract", signature=((dt.json, dt.string), dt.json))  # type: ignore[untyped-decorator]
def _as_json(document: Any, pointer: Any) -> Any:
    """Return a value as JSON."""


@ibis.udf.scalar.builtin(name="json_type", signature=((dt.json,), dt.string))  # type: ignore[untyped-decorator]
def _type(document: Any) -> Any:
    """Return OBJECT, ARRAY, ..."""


@ibis.udf.scalar.builtin(name="json_keys", signature=((dt.json,), dt.Array(dt.string)))  # type: ignore[untyped-decorator]
def _keys(document: Any) -> Any:
    """Return the keys of an object, doubled ones twice."""


@ibis.udf.scalar.builtin(name="list_unique", signature=((dt.Array(dt.string),), dt.int64))  # type: ignore[untyped-decorator]
def _different(keys: Any) -> Any:
    """Return how many different texts a list has."""


@ibis.udf.agg.builtin(name="json_group_structure", signature=((dt.json,), dt.string))  # type: ignore[untyped-decorator]
def _structure(document: Any) -> Any:
    """Return what kinds of values stand under each key, as JSON."""


@ibis.udf.scalar.builtin(name="to_json", signature=((dt.string,), dt.json))  # type: ignore[untyped-decorator]
def _quoted(text: Any) -> Any:
    """Return a text as a JSON string."""


def columns_of(engine: Engine, lines: ir.Table) -> dict[str, dt.DataType] | None:
    """Return the type of every column; None where a line is not good.

    Whole numbers are int64 or, beyond it, decimal; other numbers are float64. What is nested or mixes types stays JSON.
    A column of nulls alone is text. Not good are lines that hold no object or a key twice. `lines` has one column
    ``json``. The columns come in the order in which they first occur. Up to four passes over the lines: one for their
    structure, one where they do not all have the same keys, and one where there are numbers.
    """
    keys = _keys(lines.json)
    some = engine.fetch(lines.select(keys=keys).limit(1)).column(0).to_pylist()
    usual: list[str] = some[0] if some else []  # of one line, and in most files of them all
    other = keys != ibis.literal(usual, "array<string>")
    found = engine.one(
        lines.aggregate(
            structure=_structure(lines.json),
            strange=(_type(lines.json) != "OBJECT").sum(),
            doubled=ibis.ifelse(other, keys.length() != _different(keys), False).sum(),
            others=other.sum(),
        )
    )
    if found["strange"] or found["doubled"] or len(set(usual)) < len(usual):
        return None
    merged = json.loads(found["structure"] or "{}")
    if not isinstance(merged, dict):  # every object was empty
        return {}
    # the engine merges lines in whatever order its threads take them
    structure = {name: merged[name] for name in (_in_order(engine, lines) if found["others"] else usual)}
    plain = {"VARCHAR": dt.string, "NULL": dt.string, "BOOLEAN": dt.boolean}
    kinds = {name: plain.get(kind, dt.json) if isinstance(kind, str) else dt.json for name, kind in structure.items()}
    numbers = [name for name, kind in structure.items() if isinstance(kind, str) and kind in NUMBERS]
    tests = {}
    for i, text in enumerate(_texts(lines, numbers)):
        whole = ibis.ifelse(text.re_search(r"^-?[0-9]+$"), text, ibis.null("string"))
        tests[f"i{i}"] = (text.notnull() & whole.try_cast("int64").isnull()).sum()
        tests[f"d{i}"] = (text.notnull() & whole.try_cast("decimal(38, 0)").isnull()).sum()
    wide = engine.one(lines.aggregate(**tests)) if tests else {}
    for i, name in enumerate(numbers):
        kinds[name] = dt.float64 if wide[f"d{i}"] else dt.Decimal(38, 0) if wide[f"i{i}"] else dt.int64
    return kinds


def _in_order(engine: Engine, lines: ir.Table) -> list[str]:
    """Return all keys in the order in which they first occur: by line, then within the line.

    One pass in the file's order, so by one thread; it reads keys alone.
    """
    numbered = lines.select(line=ibis.row_number(), keys=_keys(lines.json))
    keys = numbered.select("line", key=numbered["keys"].unnest(), place=ibis.range(numbered["keys"].length()).unnest())
    first = keys.group_by("key").aggregate(first=(keys.line * LONGEST + keys.place).min())
    found = engine.fetch(first).to_pydict()
    return [key for _, key in sorted(zip(found["first"], found["key"], strict=True))]


def cells(lines: ir.Table, kinds: Mapping[str, dt.DataType]) -> list[ir.Value]:
    """Return columns of the lines of a file, each in its type as `columns_of` returns it."""
    out = []
    for text, (name, kind) in zip(_texts(lines, list(kinds)), kinds.items(), strict=True):
        if kind.is_json():
            found = _as_json(lines.json, _pointer(name))
            out.append(ibis.ifelse(_type(found) == "NULL", ibis.null("json"), found))
        else:
            out.append(text if kind.is_string() else text.cast(kind))
    return out


def _texts(lines: ir.Table, names: Sequence[str]) -> list[ir.Value]:
    """Return the texts under some keys; every line is parsed once for all of them."""
    if not names:
        return []
    found = _as_texts(lines.json, ibis.literal([_pointer(name) for name in names]))
    return [found[i] for i in range(len(names))]


def lines_of(engine: Engine, rows: ir.Table, names: Sequence[str]) -> ir.Table:
    """Return rows as one column ``line`` of JSON objects with the keys `names`, nulls written out.

    Whole numbers, floats, booleans and JSON are written as such; all else, decimals too, as the text that the engine
    spells it with, so that reading it gives the same text back. `names` has a key for each column of `rows`.
    """
    line: ir.Value = ibis.literal("{")
    for position, (i, name) in enumerate(zip(rows.columns, names, strict=True)):
        value = rows[i]
        kind = value.type()
        text = value.cast("string") if kind.is_json() else engine.text(value)
        text = _quoted(text).cast("string") if _json_type(value).is_string() else text
        key = ("," if position else "") + json.dumps(name, ensure_ascii=False) + ":"
        line = line + ibis.literal(key) + text.fill_null("null")
    return rows.select(line=line + "}")


def _pointer(name: str) -> str:
    return "/" + name.replace("~", "~0").replace("/", "~1")


def fault(path: Path, label: str) -> str:
    """Return a sentence that says which line is at fault, and never what it holds.

    It reads the file a second time, line by line, and is for errors only. `label` is what the sentence calls the file.
    """
    number = 0
    try:
        with path.open("rb") as source:
            for number, line in enumerate(source, start=1):
                if line.startswith(MARK):
                    return f"{label} begins with a byte order mark; save it as UTF-8 without one"
                if not line.strip():
                    continue
                if number == 1 and line.lstrip().startswith(b"["):
                    return f"{label} is a JSON array; write one object a line instead (JSON lines)"
                document = json.loads(line.decode(), object_pairs_hook=_Pairs)
                if not isinstance(document, _Pairs):
                    return f"line {number} of {label} holds no JSON object; every line must hold one, as {{...}}"
                if len(dict(document)) != len(document):
                    return f"line {number} of {label} has a key twice; every column may come once a line"
    except UnicodeError:
        return f"line {number} of {label} is not valid UTF-8 text; JSON lines must be UTF-8"
    except ValueError:
        return f"line {number} of {label} is no whole JSON object; every line must hold one, as {{...}}"
    return f"{label} cannot be read as JSON lines; every line must hold one object, as {{...}}"


class _Pairs(list[tuple[str, Any]]):
    """The pairs of a JSON object, doubled keys twice."""
