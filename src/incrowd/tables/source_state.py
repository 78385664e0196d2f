"""Whether the files of a table are still those that a job began to read; else it would release a mixture.

An engine that copies what it reads asks when it has read; one that reads files again wherever rows are needed asks once
more before anything is published, and when a job fails, for then this is why.
"""

from __future__ import annotations

import contextlib
import stat
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import IncrowdError, InputError, OurBug
from incrowd.tables.source_files import are_paths, files_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = ["file_states", "read_whole", "refuse_changed", "steady"]

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

    def change(self) -> str:
        """Return in a sentence what is otherwise now; empty where nothing is."""
        before, now = self._before, {}
        with contextlib.suppress(Exception):  # what is gone cannot be listed
            now = dict(self._listed())
        if now == before:
            return ""
        others = sorted({*before, *now}, key=lambda one: (before.get(one) == now.get(one), one))
        first, name = others[0], f"'{Path(others[0]).name}'"
        said = "is gone" if first not in now else "is new" if first not in before else "was written anew"
        where = "" if name == self.label else f" ({name} {said})"
        return (
            f"{self.label} changed while it was read{where}: leave the files of a table as they are until the command "
            "has ended, and run it again"
        )


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
    change = ""
    try:
        yield
    except InputError:
        change = state.change()
        if not change:
            kept.remove(state)  # it cannot be read, whatever becomes of it
            raise
    if change or (not once and (change := state.change())):
        raise InputError(change)
    if not once and not lasting:
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
        if change := state.change():
            trouble: IncrowdError = InputError(change)
            try:
                raise trouble from None
            finally:
                trouble.__context__ = None


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
