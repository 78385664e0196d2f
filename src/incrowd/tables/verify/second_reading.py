"""The cells of a CSV file as the engine has them, as Arrow reads them and, where these differ, as `check` does."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from incrowd.check.exact import Unreadable
from incrowd.check.tables import BLANKS, Table, codec_of, sign_of
from incrowd.errors import OurBug

if TYPE_CHECKING:
    from collections.abc import Iterator

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.roles import Reading
    from incrowd.tables.table import Opened

ENDINGS = (".csv", ".tsv", ".txt", ".data")
MOST_IN_PYTHON = 1 << 27  # bytes of a file that `check` reads
BEFORE = b"\xef\xbb\xbf\r\n"  # what may stand before the first line: a mark of UTF-8, and empty lines


def confirm_cells(engine: Engine, opened: Opened, source: Any, reading: Reading) -> tuple[str, ...]:
    """Raise `OurBug` where the engine's cells of a CSV file are others than those that two other readers find.

    What is no such file is passed over. Rows are compared by sums of their hashes, some at a time; where Arrow finds
    others, a file that is not large is read into memory as a whole. O(cells) time. Return what the user is to know:
    that a file was read in one way only, for it is read on Spark, or is of a form that no other reader takes.
    """
    if not isinstance(source, (str, Path)) or Path(source).suffix.lower() not in ENDINGS or not Path(source).is_file():
        return ()
    once = (f"what cells {opened.label} holds was read in one way only",)
    if engine.files is not engine:  # on Spark the reading is shared
        return once
    names = [f"c{j}" for j in range(len(opened.names))]
    strange: list[str] = []
    with engine.guard("reading the table a second time"):
        ours = engine.fingerprint(opened.data, [opened.data[name] for name in names])
        found = engine.sums_of(names, _batches(Path(source), reading, names, strange))
    large = Path(source).stat().st_size > MOST_IN_PYTHON
    if (large and strange) or (ours == found and not strange):
        return once if strange else ()
    if not large:
        try:
            third = Table(
                source, header=reading.header is not False, delimiter=reading.delimiter, encoding=reading.encoding,
                na=reading.na, strip=reading.strip,
            )  # fmt: skip
        except Unreadable:
            return once
        columns = [pa.array(column, pa.string()) for column in zip(*third.rows, strict=True)]
        with engine.guard("reading the table a third time"):
            found = engine.sums_of(names, pa.table(columns, names).to_batches() if third.rows else ())
    if ours != found:
        raise OurBug(f"other ways of reading {opened.label} find other cells; nothing was verified. Please report this")
    return ()


def _batches(path: Path, reading: Reading, names: list[str], strange: list[str]) -> Iterator[pa.RecordBatch]:
    """Yield the cells of a file as texts, NULL where a value is missing, until something is `strange` to Arrow.

    Nothing is raised: the text of an error may quote a line.
    """
    missing = pa.array(["", *reading.na])
    try:
        for batch in _read(path, reading, names):
            told = [pc.ascii_trim(cells, BLANKS) for cells in batch.columns] if reading.strip else batch.columns
            yield pa.record_batch([pc.if_else(pc.is_in(cells, missing), None, cells) for cells in told], names)
    except (pa.ArrowInvalid, ValueError, LookupError) as error:
        strange.append(type(error).__name__)


def _read(path: Path, reading: Reading, names: list[str]) -> Iterator[pa.RecordBatch]:
    """Yield a file's cells as Arrow reads them."""
    codec = codec_of(reading.encoding)
    with path.open(encoding=codec, newline="") as lines:
        sign = sign_of(list(itertools.islice((line for line in lines if line.strip("\r\n")), 800)), reading.delimiter)
    with path.open("rb") as begun, pa.OSFile(str(path)) as file:
        head = begun.read(1 << 16)
        file.seek(len(head) - len(head.lstrip(BEFORE)) if codec == "utf-8-sig" else 0)
        yield from csv.open_csv(
            file,
            csv.ReadOptions(
                column_names=names, skip_rows_after_names=reading.header is not False, encoding=reading.encoding
            ),
            csv.ParseOptions(
                delimiter=sign, newlines_in_values=True, ignore_empty_lines=len(names) > 1
            ),
            csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False),
        )  # fmt: skip
