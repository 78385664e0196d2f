"""CSV read by Spark's executors under our own rules: line by line, strictly, and what could be read otherwise refused.

Spark's own reader of CSV lets broken UTF-8 pass as other characters and mends broken quotes. Here each line is a
record: fields without quotes are split, a line with quotes must be one that RFC 4180 allows, and every line has as many
fields as the header. A field with a line's end in it cannot be told from a quote that is never closed: it is refused.
"""

from __future__ import annotations

import contextlib
import csv
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, count_of
from incrowd.tables.formats.csv import SAMPLE_RECORDS, Look, look

if TYPE_CHECKING:
    from incrowd.tables.roles import Reading

__all__ = ["csv_frame"]

SAMPLE = 4 * SAMPLE_RECORDS  # lines looked at here, to learn the delimiter and the header
BLANKS = " \t\n\r\v\f"  # what is taken off both ends of a field
OTHERWISE = "write the table as Parquet, or leave out --engine spark"


def csv_frame(engine: Any, addresses: list[str], reading: Reading, label: str) -> tuple[Any, Look]:
    """Return the frame of a CSV's fields as they are read, ``c0``, ``c1``, ..., and what its first lines say.

    `addresses` are those of its files, each with the same header where there is one; `label` is what messages call it.
    InputError is raised if it is no CSV by our rules, by the number of lines; or if its files have other headers.

    There is one pass over the lines to check them, before anything is read. The engine is a SparkEngine.
    """
    from pyspark.sql import functions as fn

    if reading.encoding.lower().replace("_", "-") not in ("utf-8", "utf8", "utf-8-sig", "ascii"):
        raise InputError(f"engine spark reads CSV in UTF-8 only, and {label} is in {reading.encoding}; {OTHERWISE}")
    with engine.guard(f"reading {label}"):
        first = engine.session.read.text(addresses[0]).limit(SAMPLE).collect()
    texts = [row[0] for row in first]
    sample = engine.private_file(".csv")
    sample.write_text("".join(f"{line}\n" for line in texts), encoding="utf-8", newline="")
    seen = look(sample, reading, label)
    sample.unlink()
    width, header = len(seen.names), next((line for line in texts if line), "")
    with engine.guard(f"reading {label}"):
        lines = engine.session.read.text(addresses)
        value = lines["value"]
        quoted = fn.instr(value, '"') > 0
        one = f'[^"{_escaped(seen.delimiter)}]*'
        field = f'(?:"[^"]*+(?:""[^"]*+)*+"|{one})'
        parts = fn.split(value, _escaped(seen.delimiter), -1)
        marked = fn.concat(fn.lit(seen.delimiter), value)
        cut = fn.regexp_extract_all(marked, fn.lit(f"{_escaped(seen.delimiter)}({field})"), fn.lit(1))
        fields = fn.when(quoted, cut).otherwise(parts)
        whole = ~quoted | value.rlike(f"^{field}(?:{_escaped(seen.delimiter)}{field})*$")
        blank = (value == "") & fn.lit(width > 1)
        names = value == fn.lit(header) if seen.header else fn.lit(False)
        there = ~blank
        told = lines.select(
            fn.input_file_name().alias("file"),
            names.cast("long").alias("line"),
            fn.expr("NOT is_valid_utf8(value)").cast("long").alias("coded"),
            (~whole & there).cast("long").alias("broken"),
            (whole & there & (fn.size(fields) != width)).cast("long").alias("wide"),
        )
        each = told.groupBy("file").agg(*(fn.sum(name).alias(name) for name in ("line", "coded", "broken", "wide")))
        sums = each.agg(
            fn.sum((fn.col("line") != 1).cast("long")).alias("unlike"),
            *(fn.sum(name).alias(name) for name in ("coded", "broken", "wide")),
        ).collect()[0]
    _refuse(sums.asDict(), seen, width, label, texts if len(addresses) == 1 else [])
    kept = lines.filter(there & ~names) if seen.header else lines.filter(there)
    cells = [_read(fields[i], reading).alias(f"c{i}") for i in range(width)]
    return kept.select(*cells), seen


def _read(field: Any, reading: Reading) -> Any:
    """Return what a field means: without its quotes, and NULL where it is empty or says `na`."""
    from pyspark.sql import functions as fn

    inner = fn.replace(fn.substring(field, fn.lit(2), fn.length(field) - 2), fn.lit('""'), fn.lit('"'))
    cell = fn.when(field.startswith('"'), inner).otherwise(field)
    if reading.strip:
        cell = fn.trim(cell, fn.lit(BLANKS))
    for text in ("", *reading.na):
        cell = fn.nullif(cell, fn.lit(text))
    return cell


def _refuse(sums: dict[str, Any], seen: Look, width: int, label: str, first: list[str]) -> None:
    """Refuse what the lines were found to be; `first` are the first of the only file, if it is the only one."""
    coded, broken, unlike, wide = (int(sums[name] or 0) for name in ("coded", "broken", "unlike", "wide"))
    if coded:
        raise InputError(
            f"{count_of(coded, 'line')} of {label} {_verb(coded, 'is', 'are')} not valid UTF-8 text; turn it into "
            "UTF-8, for example with iconv, or leave out --engine spark and say --encoding"
        )
    if broken:
        raise InputError(
            f"{count_of(broken, 'line')} of {label} {_verb(broken, 'has', 'have')} a quote that is not closed on its "
            f"line or not doubled, and engine spark reads no field that goes over a line's end; {OTHERWISE}"
        )
    if seen.header and unlike:
        raise InputError(
            f"{count_of(unlike, 'file')} of {label} {_verb(unlike, 'does', 'do')} not have the header of the first, "
            "once; the files of one table have the same columns in the same order"
        )
    if wide:
        where, found = _first_unlike(first, seen.delimiter, width)
        if where:
            mend = "is the delimiter right (--delimiter)?" if width == 1 else "mend that line"
            raise InputError(f"reading {label}: line {where} has {found} fields where {width} are expected; {mend}")
        raise InputError(
            f"{count_of(wide, 'line')} of {label} {_verb(wide, 'does', 'do')} not have the {count_of(width, 'field')} "
            "expected; mend them"
        )


def _first_unlike(lines: list[str], delimiter: str, width: int) -> tuple[int, int]:
    """Return the place of the first line with another number of fields, and that number; or (0, 0)."""
    with contextlib.suppress(csv.Error):  # a field that is longer than this reader takes
        for place, line in enumerate(lines, 1):
            found = len(next(csv.reader([line], delimiter=delimiter), ()))
            if found not in (0, width):
                return place, found
    return 0, 0


def _verb(number: int, one: str, several: str) -> str:
    return one if number == 1 else several


def _escaped(sign: str) -> str:
    """Return a sign as a regular expression, also inside brackets."""
    return "".join(f"\\x{{{ord(one):x}}}" for one in sign)
