"""File formats: what each of them declares, and what several of them need to write."""

from __future__ import annotations

import contextlib
import gzip
import re
import zlib
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, ClassVar, Literal

import ibis
import pyarrow as pa

from incrowd import registry
from incrowd.atomic_file import reason_of
from incrowd.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.roles import Reading
    from incrowd.tables.table import Opened

BLOCK = 1 << 20
WITH_HEADER = 31  # of zlib: gzip's header and trailer, the trailer compared
LEVEL = 6  # gzip's own default; Python's is 9, for hardly a byte less


@dataclass(frozen=True)
class Format:
    """A kind of file: how it is read, and where that is supported how it is written and read back.

    `name`: the kind of table that comes in, as `Table.kind`. `endings`: by which a file is known when it is read, in
    lower case. `written`: by which a file is known when it is written; none where it is read only. `packed`: whether
    ``.gz`` may follow an ending. `in_parts`: whether a file holds several tables, named ``FILE::TABLE``.
    `empty_is_null`: whether an empty text and a missing value are written alike. `mark`: what a file of it begins with,
    but for blanks; asked where there is no ending. `leads_elsewhere`: whether what a file holds may make its reader
    open other files, as a view of a database does. `steady`: whether what is read is one state of the file, whatever
    others write into it meanwhile.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    endings: ClassVar[tuple[str, ...]]
    written: ClassVar[tuple[str, ...]] = ()
    packed: ClassVar[bool] = False
    in_parts: ClassVar[bool] = False
    empty_is_null: ClassVar[bool] = False
    mark: ClassVar[bytes] = b""
    leads_elsewhere: ClassVar[bool] = False
    steady: ClassVar[bool] = False

    def read(self, engine: Engine, path: Path, reading: Reading, label: str, part: str = "") -> Opened:
        """Return a file (or its table called `part`) inside the engine.

        `reading` says how the texts of a CSV are read, and `label` is what messages call the file. `part` is the name
        of a table in the file, where it holds several, and empty for the only one. Raises InputError, with what was
        expected, if the file cannot be read.
        """
        raise NotImplementedError

    def write(self, engine: Engine, rows: ir.Table, names: Sequence[str], path: Path, *, packed: bool) -> None:
        """Write rows, their columns called by the user's names.

        `names` has a name for each column of `rows`. `path` is a file that is not there yet, and `packed` says whether
        it is written through gzip. Raises InputError if the kind of file cannot hold a column.
        """
        raise NotImplementedError

    def read_back(self, engine: Engine, path: Path, names: Sequence[str], rows: ir.Table) -> ir.Table:
        """Return a written file inside the engine, its columns called as those of `rows`.

        `path` is as `write` wrote it, `names` are those it was written with, and `rows` are what was written.
        """
        raise NotImplementedError


def every_format() -> list[Format]:
    """Return the registered formats, in the order of registration."""
    return [format_named(name) for name in registry.names("formats")]


def format_named(name: str) -> Format:
    """Return the format registered under a name. Raises PolicyError if none is registered under it."""
    made: Format = registry.load("formats", name)()
    return made


def by_ending(known: Literal["endings", "written"]) -> dict[str, Format]:
    """Return the format of each ending by which files are read or written; of those that may be packed first."""
    found: dict[str, Format] = {}
    for kind in sorted(every_format(), key=lambda kind: not kind.packed):
        for ending in getattr(kind, known):
            found |= dict.fromkeys((ending, f"{ending}.gz") if kind.packed else (ending,), kind)
    return found


def ending_of(path: Path) -> str:
    """Return the ending of a file in lower case, with what stands before a ``.gz``."""
    last = [suffix.lower() for suffix in path.suffixes[-2:]]
    return "".join(last if last[-1:] == [".gz"] else last[-1:])


def format_of(path: Path, known: Literal["endings", "written"] = "endings") -> Format | None:
    """Return the format that a file's ending names, of those that are read or written, or None."""
    return by_ending(known).get(ending_of(path))


def unpacked(engine: Engine, path: Path, label: str) -> Path:
    """Return what a gzip file holds, in the private folder: the engine compares neither checksums nor lengths.

    `label` is what messages call the file. InputError is raised if a member is cut short, its checksum or length is
    another, or something else than zeros follows. Memory is a few blocks, whatever the file unpacks to.
    """
    target = engine.private_file("".join(path.suffixes[-2:-1]))
    try:
        with target.open("wb") as out:
            out.writelines(_blocks(path))
    except (EOFError, zlib.error):
        trouble = "it is no whole gzip file (cut short, damaged, or followed by more)"
        raise InputError(f"{label} cannot be unpacked: {trouble}") from None
    except OSError as error:
        raise InputError(f"{label} cannot be unpacked: {reason_of(error)}") from None
    return target


def is_whole(path: Path) -> bool:
    """Return whether every member of a gzip file is whole, and nothing but zeros follows them; one pass over it."""
    try:
        return all(block is not None for block in _blocks(path))
    except (OSError, EOFError, zlib.error):
        return False


def _blocks(path: Path) -> Iterator[bytes]:
    """Yield what a gzip file holds; EOFError or zlib.error is raised where it is not whole."""
    with path.open("rb") as source:
        held = source.read(BLOCK)
        while True:
            member = zlib.decompressobj(WITH_HEADER)
            while not member.eof:
                if not held and not (held := source.read(BLOCK)):
                    raise EOFError
                yield member.decompress(held, BLOCK)
                held = member.unconsumed_tail
            held = member.unused_data or source.read(BLOCK)
            if held[:1] in (b"", b"\0"):
                break
        while held:  # padding, as tapes leave it
            if held.strip(b"\0"):
                raise EOFError
            held = source.read(BLOCK)


@contextlib.contextmanager
def sink(path: Path, packed: bool) -> Iterator[IO[bytes] | gzip.GzipFile]:
    """Give the file to write to; if `packed` through gzip, without name and time: equal releases are equal files."""
    with path.open("wb") as file, contextlib.ExitStack() as last:
        yield last.enter_context(gzip.GzipFile("", "wb", LEVEL, fileobj=file, mtime=0)) if packed else file


def renamed(schema: pa.Schema, names: Sequence[str]) -> Any:
    """Return an Arrow schema with other names, one for each field."""
    return pa.schema([field.with_name(name) for field, name in zip(schema, names, strict=True)])


# CSV that a spreadsheet opens without running it: an apostrophe before cells that it would take for formulas.
#
# A text that is no number and begins with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return gets an apostrophe,
# and so does one that begins with apostrophes followed by such a text, so that the way back is never in doubt.
MARK = "'"
# the same for the engine's regular expressions and for Python's
FORMULA = r"^'*[=+\-@\t\r]"
NUMBER = r"^'*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"


def safe(engine: Engine, rows: ir.Table, names: Sequence[str]) -> tuple[ir.Table, list[str]]:
    """Return rows whose text cells a spreadsheet shows and does not run, and columns' names treated alike.

    `names` are as the file has them; those of `rows` may be others.
    """
    shown = [MARK + name if _is_run(name) else name for name in names]
    return engine.respelled(rows, lambda text: ibis.ifelse(_runs(text), ibis.literal(MARK) + text, text)), shown


def bare(engine: Engine, rows: ir.Table, names: Sequence[str]) -> tuple[ir.Table, list[str]]:
    """Return rows and columns' names as they were before `safe` [R10]. `names` are as the file has them."""

    def plain(text: ir.Value) -> ir.Value:
        return ibis.ifelse(text.startswith(MARK) & _runs(text.substr(1)), text.substr(1), text)

    shown = [name[1:] if name.startswith(MARK) and _is_run(name[1:]) else name for name in names]
    return engine.respelled(rows, plain), shown


def _runs(text: ir.Value) -> ir.Value:
    return text.re_search(FORMULA) & ~text.re_search(NUMBER)


def _is_run(text: str) -> bool:
    return re.match(FORMULA, text) is not None and re.fullmatch(NUMBER.removesuffix("$"), text) is None
