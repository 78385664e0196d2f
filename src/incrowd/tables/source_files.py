"""Which files a source means: one, several that are listed, a pattern such as ``'2024-*.csv'``, or a folder.

Nothing is read here and nothing heavy is imported: a mistake in a name is told at once.
"""

from __future__ import annotations

import contextlib
import glob
import itertools
import re
import stat
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from incrowd.errors import InputError, OurBug, count_of, raise_alone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

MOST = 10_000  # files of one table
# a place that executors reach (s3a://bucket/table), or a table of Spark's catalogue (table:sales.people)
ADDRESS = re.compile(r"(?:table:(?=.)|[A-Za-z][A-Za-z0-9+.-]+:/)")
DATABASE = re.compile(
    r"(?:postgres(?:ql)?|mysql|mariadb|mssql|sqlserver|oracle|sqlite|duckdb|snowflake|bigquery|redshift|clickhouse"
    r"|trino)(?:\+\w+)?:/|jdbc:\w+:",
    re.IGNORECASE,
)

LAKES = {"_delta_log": "delta", "metadata": "iceberg"}  # by the folder that lies in a table's folder
WITHOUT_HOST = ("file", "table", "hdfs", "viewfs", "webhdfs")  # one slash is enough


def address_of(source: Any) -> str | None:
    """Return a source or an output that is an address on a cluster: ``s3a://...``, ``file:/...``, ``table:NAME``.

    None is returned for a path of this machine, and for what is no path.
    """
    if not isinstance(source, (str, Path)):
        return None
    text = str(source)
    if not ADDRESS.match(text):
        return None
    scheme, _, rest = text.partition(":")
    if isinstance(source, Path) and scheme not in WITHOUT_HOST and not rest.startswith("//"):
        rest = f"/{rest}"  # a path has but one slash where there were two
    return f"{scheme}:{rest}"


def are_paths(source: Any) -> TypeGuard[list[str | Path] | tuple[str | Path, ...]]:
    """Return whether a source is a list of paths, which are one table together."""
    return isinstance(source, (list, tuple)) and bool(source) and all(isinstance(one, (str, Path)) for one in source)


def name_of(source: Any) -> str:
    """Return what messages call files, a path or a list of paths, by their base names, without a path."""
    if not are_paths(source):
        return Path(source).name or str(source)
    first, more = Path(source[0]).name, len(source) - 1
    return f"{first} and {count_of(more, 'more file')}" if more else first


def files_of(source: Any) -> list[Path] | None:
    """Return the files of a source that means several; None for one file, and for what is no path.

    A text with ``*``, ``?`` or ``[`` that is no file's name is a pattern (``**`` goes through folders); a folder means
    the files in it, but for those whose names begin with a dot or an underscore. Listed files stand in their order,
    those of a pattern or a folder sorted by name. Raises InputError if a pattern or a folder means none, too many or
    files of several kinds, or a file is meant twice.
    """
    if are_paths(source):
        return _listed(source)
    if not isinstance(source, (str, Path)) or str(source) == "-" or address_of(source) is not None:
        return None
    path = Path(source)
    label = f"'{name_of(source)}'"
    try:
        kind = path.stat().st_mode
    except (OSError, ValueError):
        return _matching(str(source), label) if glob.has_magic(str(source)) else None
    return _inside(path, label) if stat.S_ISDIR(kind) else None


def lake_of(folder: Path) -> str:
    """Return which lake's table lies in a folder of this machine: ``delta``, ``iceberg`` or nothing."""
    try:
        return next((kind for mark, kind in LAKES.items() if (folder / mark).is_dir()), "")
    except (OSError, ValueError):  # no name that a folder can have
        return ""


def _listed(sources: list[str | Path] | tuple[str | Path, ...]) -> list[Path]:
    if any(str(source) == "-" for source in sources):
        raise InputError("standard input (-) is a table of its own and goes with no other file")
    found = [file for source in sources for file in (files_of(source) or [Path(source)])]
    for file in found:
        check_there(file, f"'{file.name}'")
    return _checked(found, f"'{name_of(sources)}'")


def _matching(pattern: str, label: str) -> list[Path]:
    named = itertools.islice(glob.iglob(pattern, recursive=True), MOST + 1)  # noqa: PTH207 - Path.glob takes no absolute pattern
    found = sorted(path for path in map(Path, named) if path.is_file())
    if not found:
        raise InputError(f"no file is called {label}; a pattern goes by the files' names, like '2024-*.csv'")
    fixed = Path(*itertools.takewhile(lambda part: not glob.has_magic(part), Path(pattern).parts))
    if any("=" in part for path in found for part in path.parts[len(fixed.parts) : -1]):
        raise InputError(_partitioned(label))
    return _checked(found, label)


def _inside(folder: Path, label: str) -> list[Path]:
    lake = lake_of(folder)
    if lake:
        raise InputError(
            f"the folder {label} is a table of {lake.capitalize()}, whose files alone are not its rows: read it with "
            "engine spark and the package for such tables, or write it as Parquet first"
        )
    try:
        inside = sorted(path for path in itertools.islice(folder.iterdir(), MOST + 1) if path.name[0] not in "._")
    except OSError as error:
        raise InputError(f"the folder {label} cannot be read: {error.strerror}; may you read it?") from None
    folders = [path for path in inside if path.is_dir()]
    if any("=" in path.name for path in folders):
        raise InputError(_partitioned(label))
    if folders:
        raise InputError(
            f"the folder {label} has folders in it, which are not read; name the files by a pattern, "
            "like 'folder/**/*.parquet'"
        )
    if not inside:
        raise InputError(f"the folder {label} holds no table")
    return _checked(inside, f"the folder {label}")


def _partitioned(label: str) -> str:
    return (
        f"{label} keeps values of a column in the names of folders, like year=2024, which are not read; write them "
        "into the files, or give the table as a frame"
    )


def _checked(found: list[Path], label: str) -> list[Path]:
    if len(found) > MOST:
        raise InputError(f"{label} means more than {MOST:,} files; join some of them first")
    kinds = sorted({"".join(path.suffixes[-2:]) if path.suffix == ".gz" else path.suffix for path in found})
    if len(kinds) > 1:
        raise InputError(
            f"{label} means files of several kinds ({', '.join(kinds[:4])}); those of one table are of one kind: name "
            f"them by a pattern, like '*{kinds[0]}'"
        )
    if len({path.resolve() for path in found}) < len(found):
        raise InputError(f"{label} means a file twice, and its rows would count twice; name each once")
    return found


def check_there(path: Path, label: str) -> None:
    """Refuse a file that is not there, or is a folder, by an InputError in words. `label` is what messages call it."""
    try:
        folder = stat.S_ISDIR(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise InputError(f"there is no file {label}") from None
    except OSError as error:
        raise InputError(f"{label} cannot be opened: {error.strerror}") from None
    if folder:
        raise InputError(f"{label} is a folder; name a table in it")


def refuse_database(source: Any) -> None:
    """Refuse the address of a database, which may hold a password: nothing of it is told.

    InputError is raised with what to give instead.
    """
    if isinstance(source, (str, Path)) and DATABASE.match(str(source)):
        raise InputError(
            "a database is not read by its address: name the file of SQLite or DuckDB, as FILE::TABLE, or give the "
            "table in Python, as a relation of a DuckDB that attached the database (READ_ONLY) or as an Ibis table"
        )


def refuse_missing(*sources: Any) -> None:
    """Refuse files that are not there, before the libraries that would read them are loaded.

    Paths are looked at, everything else passes; a table in a file (``FILE::TABLE``) is left to who reads it. Raises
    InputError in the words of who would read it.
    """
    for source in sources:
        refuse_database(source)
        if not isinstance(source, (str, Path)) or str(source) == "-" or "::" in str(source) or not str(source).strip():
            continue
        if address_of(source) is not None or lake_of(Path(source)):
            continue
        if files_of(source) is None:
            check_there(Path(source), f"'{name_of(source)}'")


# Whether the files of a table are still those that a job began to read; else it would release a mixture.
#
# An engine that copies what it reads asks when it has read; one that reads files again wherever rows are needed asks
# once more before anything is published, and when a job fails, for then this is why.
_read: weakref.WeakKeyDictionary[Any, list[_SourceState]] = weakref.WeakKeyDictionary()  # by engine


class _SourceState:
    """A source as it was found.

    `label` is what messages call it. `listed` returns its files by their addresses, each with what tells it from
    another one, and fails where the source is gone. `lasting` says whether the files are read again until the engine is
    closed.
    """

    def __init__(self, label: str, listed: Callable[[], Mapping[str, tuple[int, ...]]], *, lasting: bool) -> None:
        self.label, self.lasting, self._listed = label, lasting, listed
        self._before = listed()

    def refuse_change(self) -> None:
        """Raise InputError if something is otherwise now."""
        before, now = self._before, {}
        with contextlib.suppress(Exception):  # what is gone cannot be listed
            now = dict(self._listed())
        if now == before:
            return
        others = sorted({*before, *now}, key=lambda one: (before.get(one) == now.get(one), one))
        first, name = others[0], f"'{Path(others[0]).name}'"
        said = "is gone" if first not in now else "is new" if first not in before else "was written anew"
        where = "" if name == self.label else f" ({name} {said})"
        said = (
            f"{self.label} changed while it was read{where}: leave the files of a table as they are until the command"
        )
        raise_alone(InputError(f"{said} has ended, and run it again"))


@contextlib.contextmanager
def steady(
    engine: Any, label: str, listed: Callable[[], Mapping[str, tuple[int, ...]]] | None, *, once: bool, lasting: bool
) -> Iterator[None]:
    """Refuse a source that changes inside the block, in which an engine opens it.

    `label` is what messages call the source. `listed` returns its files by their addresses, each with what tells it
    from another one; None is for what is no file. `once` says whether it is read after the block only, until
    `read_whole`, and `lasting` whether it is read again after that, until the engine is closed. Raises InputError if it
    has changed, instead of what reading it failed with.
    """
    if listed is None:
        yield
        return
    state = _SourceState(label, listed, lasting=lasting)
    kept = _read.setdefault(engine, [])
    kept.append(state)
    try:
        yield
    except InputError:
        state.refuse_change()
        kept.remove(state)  # it cannot be read, whatever becomes of it
        raise
    if not once:
        state.refuse_change()
        if not lasting:
            kept.remove(state)


def read_whole(engine: Any) -> None:
    """Refuse sources that changed until now; those that are not read again may change from now on."""
    refuse_changed(engine)
    _read[engine] = [state for state in _read.get(engine, ()) if state.lasting]


def refuse_changed(engine: Any, error: BaseException | None = None) -> None:
    """Refuse sources that changed and are still read.

    `error` is what a job failed with: one that a changed table explains is told as that. Raises InputError by the first
    of the sources that changed.
    """
    if error is not None and not isinstance(error, InputError | OurBug):
        return
    for state in _read.get(engine, ()):
        state.refuse_change()


def file_states(source: Any) -> Callable[[], Mapping[str, tuple[int, ...]]] | None:
    """Return what lists the files of this machine that a source means; None where it means none.

    The source is a path, a list of paths or an object; standard input, pipes and tables of this process are none.
    """
    if not (isinstance(source, (str, Path)) or are_paths(source)) or str(source) == "-":
        return None

    def listed() -> Mapping[str, tuple[int, ...]]:
        files = files_of(source) or [Path(str(source))]
        found = {str(file): file.stat() for file in files}
        return {
            name: (one.st_size, one.st_mtime_ns, one.st_ino) for name, one in found.items() if stat.S_ISREG(one.st_mode)
        }

    try:
        listed()
    except (OSError, ValueError, InputError):  # whoever opens it says what is wrong
        return None
    return listed
