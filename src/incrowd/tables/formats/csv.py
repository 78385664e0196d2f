"""CSV: every value is read as text, and no type is guessed.

Python looks at the first records to learn the delimiter, the width and the header; the engine reads the rest,
every column as text. No name of the first line is repeated unless it surely is a header: a forgotten
``--no-header`` turns a person into column names.
"""

from __future__ import annotations

import codecs
import contextlib
import csv
import gzip
import io
import itertools
import re
import shutil
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

import ibis

from incrowd.atomic_file import reason_of
from incrowd.errors import InputError, count_of, refuse_on
from incrowd.settings import shortened
from incrowd.tables.engine.guard import UNLIKE
from incrowd.tables.formats.base import BLOCK, Format, sink
from incrowd.tables.formats.import_columns import written_names
from incrowd.tables.table import Opened

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.roles import Reading


SAMPLE_RECORDS = 200
DELIMITERS = ",;\t|"
NUMBER = re.compile(r"[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d+)?%?$")
ENDS = {"\n": r"\n", "\r\n": r"\r\n"}  # of lines, as the engine is told of them; CR alone it finds by itself
DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T].*)?$")


@dataclass(frozen=True)
class Csv(Format):
    """CSV, every value as text."""

    name = "csv"
    summary = "CSV, every value as text"
    endings = (".csv", ".tsv", ".txt", ".data")
    written = (".csv",)
    packed = True
    empty_is_null = True

    def read(self, engine: Engine, path: Path, reading: Reading, label: str, part: str = "") -> Opened:
        """Return a CSV inside the engine, every column as text."""
        seen = look(path, reading, label)
        with engine.guard(f"reading {label}"):
            data = engine.keep(scan(engine, path, seen, reading, label))
        return Opened(data, seen.names, self.name, None, label, seen.notes, seen.quotable)

    def write(self, engine: Engine, rows: ir.Table, names: Sequence[str], path: Path, *, packed: bool) -> None:
        """Write CSV; times and floats in the one spelling that reading them back gives."""
        spelled = engine.respelled(rows, which=lambda kind: kind.is_timestamp() or kind.is_floating())
        write_csv(engine, spelled, names, path, packed=packed)

    def read_back(self, engine: Engine, path: Path, names: Sequence[str], rows: ir.Table) -> ir.Table:
        """Return a written file inside the engine, every column as text."""
        return _texts(engine, path, rows.columns, header=True, delim=",", new_line=ENDS["\n"])


@dataclass(frozen=True, slots=True)
class Look:
    """What the first records of a file say.

    `names`: column names. `header`: whether the first record is a header. `skip`: empty lines before the first record.
    `end`: what its lines end with: LF, CRLF or CR. `quotable`: whether messages may repeat the names: not where they
    may be a person's data.
    """

    names: tuple[str, ...]
    delimiter: str
    header: bool
    skip: int
    end: str
    notes: tuple[str, ...] = ()
    quotable: bool = True


def look(path: Path, reading: Reading, label: str) -> Look:
    """Return what the first records of a file say; refused are faulty headers, other encodings, mixed line ends."""
    records, skip, delimiter, end = _sample(path, reading, label)
    if not records:
        raise InputError(f"{label} is empty; a table needs a header line and at least one row")
    first = [field.strip() if reading.strip else field for field in records[0]]
    width = len(first)
    if reading.columns and len(reading.columns) != width:
        given = count_of(len(reading.columns), "name")
        raise InputError(f"columns gives {given}, but {label} has {count_of(width, 'column')}")
    header = reading.header is not False
    doubtful = looks_like_data(first, [[f.strip() for f in r] for r in records[1:]])
    if doubtful and reading.header is None:
        raise InputError(
            f"the first line of {label} looks like a row of data, not like column names: "
            "say header = false if the file has none (or header = true if it really is the header)"
        )
    if reading.columns:
        return Look(reading.columns, delimiter, header, skip, end)
    if not header:
        names = tuple(f"c{i + 1}" for i in range(width))
        return Look(names, delimiter, header, skip, end, (f"the columns of {label} are called c1 to c{width}",))
    written_names(first, label, "the header", " or give columns")
    notes = (f"the first line of {label} looks like a row of data but is used as its header",) if doubtful else ()
    return Look(tuple(first), delimiter, header, skip, end, notes, not doubtful)


def looks_like_data(first: list[str], rest: list[list[str]]) -> bool:
    """Return whether the first record is more likely a row than a header.

    It is when one of its fields is a number or a date, or when at least half of its fields (and two of them, or the
    only one) occur again further down in their own column.
    """
    if any(NUMBER.match(field) or DATE.match(field) for field in first):
        return True
    again = sum(any(r[j : j + 1] == [field] for r in rest) for j, field in enumerate(first) if field)
    return again * 2 >= len(first) and again >= min(2, len(first))


def scan(engine: Engine, path: Path, seen: Look, reading: Reading, label: str) -> ir.Table:
    """Return the whole file as text columns ``c0``, ``c1``, ... in the engine; empty fields and those of `na` NULL."""
    # By itself the engine takes the first break for the lines' end, though it stand in a quoted name. Told of the end,
    # it must not be told too that it is strict, which it is: then it reads no row of CRLF.
    ends = {"new_line": ENDS[seen.end]} if seen.end in ENDS else {"strict_mode": True}
    utf8 = _codec(reading.encoding).name in ("utf-8", "utf-8-sig", "ascii")
    source = path if utf8 else _transcode(engine, path, reading.encoding, label)
    ids = [f"c{i}" for i in range(len(seen.names))]
    raw = _texts(engine, source, ids, header=seen.header, skip=seen.skip, delim=seen.delimiter, **ends)
    out = {}
    for name in ids:
        field = raw[name]
        if reading.strip:  # which is dear: the engine looks up every sign, where few fields have a blank at an end
            field = ibis.ifelse((field < "!") | (field.right(1) < "!"), field.strip(), field)
        field = field.nullif("")
        for text in reading.na:
            field = field.nullif(text)
        out[name] = field
    return raw.select(ibis.row_number().name("row_key"), **out)


def _texts(engine: Engine, path: Path, ids: Sequence[str], **manner: Any) -> ir.Table:
    """Return the fields of a CSV as texts, its columns called by `ids`."""
    columns = dict.fromkeys(ids, "VARCHAR")
    return engine.scan("read_csv", path, columns=columns, auto_detect=False, quote='"', escape='"', **manner)


def _codec(encoding: str) -> codecs.CodecInfo:
    with contextlib.suppress(LookupError, ValueError):
        found = codecs.lookup(encoding)
        if found._is_text_encoding:  # zip, base64 and others turn bytes into bytes
            return found
    raise InputError(f"there is no encoding {shortened(encoding)} for text; use for example utf-8, latin-1 or cp1252")


def _open(path: Path, encoding: str) -> TextIO:
    codec = _codec(encoding).name
    named = "utf-8-sig" if codec == "utf-8" else codec
    if path.suffix == ".gz":  # where a shell asks for column names; a table comes unpacked
        return gzip.open(path, "rt", encoding=named, newline="")
    return path.open(encoding=named, newline="")


def _sample(path: Path, reading: Reading, label: str) -> tuple[list[list[str]], int, str, str]:
    """Return the first records, the empty lines before them, the delimiter and what lines end with."""
    lines: list[str] = []
    trouble = f"{label} is not valid {reading.encoding} text; name its encoding, for example latin-1 or cp1252"
    try:
        with refuse_on(trouble, UnicodeError), _open(path, reading.encoding) as text:
            lines += itertools.islice(text, 4 * SAMPLE_RECORDS + 1)
    except OSError as error:
        raise InputError(f"{label} cannot be read: {error.strerror}") from None
    for number, line in enumerate(lines, start=1):
        if "\0" in line:
            raise InputError(f"{label} is no text in {reading.encoding}: line {number} holds a zero byte")
    lines[:1] = [line.removeprefix("\ufeff") for line in lines[:1]]
    skip = next((i for i, line in enumerate(lines) if line.strip("\r\n")), len(lines))
    before, lines = lines[:skip], lines[skip:]
    delimiter = reading.delimiter or _detect(lines)
    records = _records(lines, delimiter)
    return records, skip, delimiter, _line_end(before, lines, delimiter, label) if records else ""


def _line_end(before: list[str], lines: list[str], delimiter: str, label: str) -> str:
    """Return what ends the first record, and every empty line before it."""
    reader = csv.reader(lines, delimiter=delimiter)
    next(reader)
    first, last = "".join(lines[: reader.line_num]), lines[reader.line_num - 1]
    end = last[len(last.rstrip("\r\n")) :]
    if end and set(before) - {end}:
        raise InputError(f"the lines of {label} do not all end alike: {UNLIKE}")
    if end == "\r" and "\n" in first:
        raise InputError(f"the lines of {label} end in CR, and a column's name holds another line break: {UNLIKE}")
    return end


def _records(lines: list[str], delimiter: str) -> list[list[str]]:
    with contextlib.suppress(csv.Error):
        return list(itertools.islice(filter(None, csv.reader(lines, delimiter=delimiter)), SAMPLE_RECORDS + 1))
    return []


def _detect(lines: list[str]) -> str:
    """Return the delimiter by which most records have equally many, and more than one, fields."""
    best = (0.0, 0, 0, ",")
    for rank, delimiter in enumerate(DELIMITERS):
        widths = Counter(len(record) for record in _records(lines, delimiter))
        if not widths:
            continue
        width, times = widths.most_common(1)[0]
        if width > 1:
            best = max(best, (times / widths.total(), width, -rank, delimiter))
    return best[3]


def _transcode(engine: Engine, path: Path, encoding: str, label: str) -> Path:
    """Copy a file in another encoding to UTF-8 in the private folder."""
    target = engine.private_file(".csv")
    trouble = f"{label} is not valid {encoding} text throughout; name its encoding, for example latin-1"
    try:
        with (
            refuse_on(trouble, UnicodeError),
            _open(path, encoding) as text,
            target.open("w", encoding="utf-8", newline="") as out,
        ):
            shutil.copyfileobj(text, out, BLOCK)
    except OSError as error:
        raise InputError(f"{label} cannot be read: {reason_of(error)}") from None
    return target


def write_csv(engine: Engine, rows: ir.Table, names: Sequence[str], path: Path, *, packed: bool) -> None:
    """Write CSV: comma, UTF-8, LF, a header line, NULL as the empty field; through gzip if `packed`."""
    body = path.with_name(path.name + ".body")
    try:
        body.touch(mode=0o600, exist_ok=False)  # nobody reads along before the check
        # without its header: the engine would take names that differ in case alone for one
        engine.con.to_csv(rows, body, header=False, delim=",", nullstr="", use_tmp_file=False)
        with sink(path, packed) as out:
            out.write(_header(names))
            with body.open("rb") as source:
                shutil.copyfileobj(source, out, BLOCK)
    finally:
        body.unlink(missing_ok=True)


def _header(names: Sequence[str]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(names)  # which quotes a CR in a name too
    return (text.getvalue().removesuffix("\r\n") + "\n").encode()
