"""Files and tables that Spark's executors read by themselves: no row of theirs passes through this process."""

from __future__ import annotations

import contextlib
import csv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, count_of
from incrowd.tables.engine.spark_places import Place, local_place, pattern_of
from incrowd.tables.formats.base import format_of
from incrowd.tables.formats.csv import SAMPLE_RECORDS, Look, look
from incrowd.tables.read.spark import open_frame_of_spark
from incrowd.tables.source_files import LAKES, address_of, are_paths, check_there, files_of, lake_of, steady

if TYPE_CHECKING:
    from collections.abc import Mapping

    from incrowd.tables.roles import Reading
    from incrowd.tables.table import Opened

KINDS = ("parquet", "csv", "orc")
HIDDEN = ("_", ".")
AT_ONCE = 16  # files whose columns are looked at together
OTHERWISE = "write it as Parquet, or leave out engine = spark"


def open_spark_files(engine: Any, source: Any, reading: Reading, label: str) -> Opened:
    """Return files or a table of Spark's catalogue inside the engine, read by the executors as they are asked for.

    `source` is a path, an address or a list of them, of Parquet, CSV or ORC; a pattern or a folder means several files.
    ``table:NAME`` is a table of the catalogue. The folder of a Delta or an Iceberg table is read where the session has
    what reads it. The engine is a SparkEngine, and `label` is what messages call the source. InputError is raised if it
    cannot be read, with what was expected. This process learns the names, sizes and columns of the files, and of CSV
    some first records.
    """
    session = engine.session
    address = address_of(source)
    if address is not None and address.startswith("table:"):
        with engine.guard(f"reading {label}"):
            frame = session.table(address.removeprefix("table:"))
        return open_frame_of_spark(engine, frame, label, "spark-table")
    with engine.guard(f"looking for {label}"):
        places, lake = _places(engine, source, label)
    if lake:
        with engine.guard(f"reading {label} as a table of {lake.capitalize()}"):
            frame = session.read.format(lake).load(places[0].address)
        return open_frame_of_spark(engine, frame, label, lake)
    kind = _kind(places, label)
    for place in places:
        if place.size == 0:
            raise InputError(f"{place.name!r} of {label} is empty; a part that was cut short? Write it again")
    addresses = [pattern_of(place.address) for place in places]

    def listed() -> Mapping[str, tuple[int, ...]]:
        return {one.address: (one.size, one.changed) for one in _places(engine, source, label)[0]}

    if kind == "csv":
        with steady(engine, label, listed, once=True, lasting=False):
            frame, seen = csv_frame(engine, addresses, reading, label)
            return open_frame_of_spark(engine, frame, label, kind, seen=seen)
    with steady(engine, label, listed, once=False, lasting=True):
        _same_columns(engine, [place.name for place in places], addresses, kind, label)
        with engine.guard(f"reading {label}"):
            frame = session.read.format(kind).load(addresses)
        return open_frame_of_spark(engine, frame, label, kind, by_columns=True)


def _places(engine: Any, source: Any, label: str) -> tuple[list[Place], str]:
    """Return the files that a source means; or the folder of a lake's table, and which."""
    if are_paths(source):
        found = [place for one in source for place in _places(engine, one, label)[0]]
        if len({place.address for place in found}) < len(found):
            raise InputError(f"{label} means a file twice, and its rows would count twice; name each once")
        return found, ""
    address = address_of(source)
    if address is None:
        path = Path(source)
        if path.is_dir() and (lake := lake_of(path)):
            return [Place(str(path.absolute()), path.name, 1, True)], lake
        files = files_of(source)
        if files is None:
            check_there(path, label)
            files = [path]
        return [place for file in files for place in engine.places.matching(local_place(file))], ""
    found = engine.places.matching(address)
    if not found:
        raise InputError(f"there is no file {label}: executors see nothing at that address")
    out: list[Place] = []
    for place in found:
        if not place.folder:
            out.append(place)
            continue
        inside = engine.places.inside(place.address)
        names = {one.name for one in inside if one.folder}
        lake = next((kind for mark, kind in LAKES.items() if mark in names), "")
        if lake and len(found) == 1:
            return found, lake
        shown = [one for one in inside if not one.name.startswith(HIDDEN)]
        if any(one.folder for one in shown):
            raise InputError(
                f"the folder {label} has folders in it, which are not read; give such a table by its name "
                "(table:NAME), or as a frame"
            )
        out += shown
    if not out:
        raise InputError(f"the folder {label} holds no table")
    return out, ""


def _kind(places: list[Place], label: str) -> str:
    """Return the one kind that all files are of, by their endings."""
    names = {place.name for place in places}
    kinds = {"orc" if name.lower().endswith(".orc") else getattr(format_of(Path(name)), "name", "") for name in names}
    if len(kinds) > 1:
        endings = ", ".join(sorted({Path(name).suffix for name in names}))
        raise InputError(f"{label} means files of several kinds ({endings}); name those of one kind")
    kind = kinds.pop()
    if kind not in KINDS:
        raise InputError(
            f"{label} is of a kind that engine spark does not read (it reads Parquet, CSV, ORC and tables of its "
            f"catalogue); {OTHERWISE}"
        )
    return kind


def _same_columns(engine: Any, names: list[str], addresses: list[str], kind: str, label: str) -> None:
    """Refuse files with other columns than the first, which Spark would read as missing values."""

    def columns(name: str, address: str) -> list[tuple[str, str]]:
        with engine.guard(f"reading {name!r} of {label} (is it whole?)"):
            schema = engine.session.read.format(kind).load(address).schema
            return [(field.name, field.dataType.simpleString()) for field in schema]

    with ThreadPoolExecutor(min(AT_ONCE, len(names))) as pool:
        found = list(pool.map(columns, names, addresses))
    first = found[0]
    for name, other in zip(names, found, strict=True):
        if other == first:
            continue
        lacks = [one for one, _ in first if one not in dict(other)]
        more = [one for one, _ in other if one not in dict(first)]
        if lacks or more:
            said = f"lacks {', '.join(lacks[:3])}" if lacks else f"has {', '.join(more[:3])} besides"
        elif [one for one, _ in other] != [one for one, _ in first]:
            said = "has its columns in another order"
        else:
            differs = next(one for one, kind_of in first if dict(other)[one] != kind_of)
            said = f"has another type in column {differs!r}"
        raise InputError(f"the files of one table have the same columns, but {name!r} {said} ({names[0]!r})")


# CSV read by Spark's executors under our own rules: line by line, strictly, and what could be read otherwise refused.
#
# Spark's own reader of CSV lets broken UTF-8 pass as other characters and mends broken quotes. Here each line is a
# record: fields without quotes are split, a line with quotes must be one that RFC 4180 allows, and every line has as
# many fields as the header. A field with a line's end in it cannot be told from a quote that is never closed: it is
# refused.
SAMPLE = 4 * SAMPLE_RECORDS  # lines looked at here, to learn the delimiter and the header
FAULTS = ("coded", "broken", "unlike", "wide")  # of lines, and of headers
BLANKS = " \t\n\r\v\f"  # what is taken off both ends of a field
SPARK_CSV_OTHERWISE = "write the table as Parquet, or leave out engine = spark"


def csv_frame(engine: Any, addresses: list[str], reading: Reading, label: str) -> tuple[Any, Look]:
    """Return the frame of a CSV's fields as they are read, ``c0``, ``c1``, ..., and what its first lines say.

    `addresses` are those of its files, each with the same header where there is one; `label` is what messages call it.
    InputError is raised if it is no CSV by our rules, by the number of lines; or if its files have other headers. There
    is one pass over the lines to check them, before anything is read. The engine is a SparkEngine.
    """
    from pyspark.sql import functions as fn

    if reading.encoding.lower().replace("_", "-") not in ("utf-8", "utf8", "utf-8-sig", "ascii"):
        raise InputError(
            f"engine spark reads CSV in UTF-8 only, and {label} is in {reading.encoding}; {SPARK_CSV_OTHERWISE}"
        )
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
        each = told.groupBy("file").agg(*(fn.sum(name).alias(name) for name in told.columns[1:]))
        unlike = (fn.col("line") != 1).cast("long").alias("unlike")
        sums = engine.first(each.select("*", unlike).agg(*(fn.sum(name).alias(name) for name in FAULTS)))
    _refuse(sums, seen, width, label, texts if len(addresses) == 1 else [])
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
    coded, broken, unlike, wide = (int(sums[name] or 0) for name in FAULTS)
    if coded:
        raise InputError(
            f"{count_of(coded, 'line')} of {label} {_verb(coded, 'is', 'are')} not valid UTF-8 text; turn it into "
            "UTF-8, for example with iconv, or leave out engine = spark and name its encoding"
        )
    if broken:
        raise InputError(
            f"{count_of(broken, 'line')} of {label} {_verb(broken, 'has', 'have')} a quote that is not closed on its "
            f"line or not doubled, and engine spark reads no field that goes over a line's end; {SPARK_CSV_OTHERWISE}"
        )
    if seen.header and unlike:
        raise InputError(
            f"{count_of(unlike, 'file')} of {label} {_verb(unlike, 'does', 'do')} not have the header of the first, "
            "once; the files of one table have the same columns in the same order"
        )
    if wide:
        where, found = _first_unlike(first, seen.delimiter, width)
        if where:
            mend = "is the delimiter right?" if width == 1 else "mend that line"
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
