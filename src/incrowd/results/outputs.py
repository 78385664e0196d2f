"""A release on its way out: the files of its job together, or a folder that Spark's executors write."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.atomic_file import together, whole_file
from incrowd.errors import OurBug
from incrowd.tables.source_state import refuse_changed
from incrowd.tables.verify.release.read_back import bears_verdict
from incrowd.tables.write import check_output, same_rows, send, staged_stream, write_file
from incrowd.tables.write.folder import check_folder, staged_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from incrowd.tables.write.folder import StagedFolder

__all__ = ["write_job", "write_release"]


def write_job(release: Any) -> None:
    """Write a release to its job's output, with certificate and report: all of them staged, the release last.

    The annotation does not name `Release`, for it stands above this module. InputError, SolverDeclined and OurBug are
    raised as by `Release.write`.
    """
    job, stream, folder = release.job, None, None
    with contextlib.ExitStack() as undo:
        with together():
            if job.output is not None and job.certificate is not None:
                release.certificate(job.certificate)
            if job.report is not None:
                release.report(job.report)
            if job.output is not None and _in_folders(release):
                folder = undo.enter_context(_checked_folder(release, job.output, None))
            elif job.output == "-":
                stream = staged_stream(release._rows, **_manner(release))
            elif job.output is not None:
                write_release(release, job.output, None)
        if folder is not None:
            folder.place()
    if stream is not None:
        send(stream)


def write_release(release: Any, path: Path | str, kind: Any) -> None:
    """Write a release, whole or not at all.

    `path` is a path or an address. `kind` is the kind of file (None: what the ending says). InputError is raised if it
    cannot be written; OurBug is raised if what was written does not hold the verified rows.
    """
    if _in_folders(release):
        with _checked_folder(release, path, kind) as folder:
            folder.place()
        return
    rows, path = release._rows, Path(path)
    check_output(path, release.job.source, any_ending=kind is not None)
    with whole_file(path) as staged:
        write_file(rows, staged, kind=kind, **_manner(release))
        if not same_rows(rows, staged, kind=kind, spreadsheet_safe=release.job.spreadsheet_safe):
            raise OurBug("the written file does not hold the verified release; nothing was kept. Please report this")


def _in_folders(release: Any) -> bool:
    """Return whether the rows lie in an engine whose executors write them."""
    engine = release._rows.table.engine
    return engine.files is not engine


@contextlib.contextmanager
def _checked_folder(release: Any, output: Path | str, kind: Any) -> Iterator[StagedFolder]:
    """Give the staged folder of a release, read back and recounted; it is still to take its place."""
    job, rows = release.job, release._rows
    check_folder(output, kind=kind, spreadsheet_safe=job.spreadsheet_safe)
    with staged_folder(rows, output, kind=kind, **_manner(release)) as folder:
        good = folder.is_whole(rows.table.engine)
        if good and not job.spreadsheet_safe:  # marked cells are other texts
            texts = folder.empty_is_null
            good = bears_verdict(folder.rows, rows, release._rules, release._verdict, texts=texts)
        refuse_changed(rows.table.engine)
        if not good:
            raise OurBug("the written folder does not hold the verified release; it was removed. Please report this")
        yield folder


def _manner(release: Any) -> dict[str, bool]:
    return {"keep_order": release.job.keep_order, "spreadsheet_safe": release.job.spreadsheet_safe}
