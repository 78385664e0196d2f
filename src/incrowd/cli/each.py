"""Many tables under one policy: which file each release, report and certificate becomes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError
from incrowd.tables.source_files import check_there, files_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.policy.job import Job

__all__ = ["jobs_of_each"]

WRITTEN = (".csv", ".parquet", ".pq", ".jsonl", ".ndjson", ".arrow", ".feather", ".ipc")
FOLDERS = {"output": "", "report": ".html", "certificate": ".json"}


def jobs_of_each(job: Job, tables: Sequence[str]) -> list[Job]:
    """Return one job a table: its files lie in the folders that the job names, each called as its table.

    Parameters
    ----------
    job : Job
        Its output, report and certificate name folders.
    tables : sequence of str
        Paths; patterns and folders stand for the files in them.

    Raises
    ------
    InputError
        If there is no table or no folder, a file is not there, or two tables have the same name.
    """
    files = [file for table in tables for file in (files_of(table) or [Path(table)])]
    if not files:
        raise InputError("no table is given: --each releases every file by itself, as in --each 2023.csv 2024.csv")
    if job.output is None and not job.dry_run:
        raise InputError("no output is given: with --each, -o names the folder where the releases go")
    for file in files:
        if str(file) == "-":
            raise InputError("standard input (-) does not go with --each: it is one table")
        check_there(file, f"'{file.name}'")
    folders = {name: Path(str(getattr(job, name))) for name in FOLDERS if getattr(job, name) is not None}
    for name, folder in folders.items():
        if not folder.is_dir():
            raise InputError(f"{name} '{folder.name}' is no folder; with --each it must be one that is there")
    made = [job.replace(source=file, **_files(file, folders)) for file in files]
    for name in folders:
        places = [getattr(one, name) for one in made]
        twice = next((place for place in places if places.count(place) > 1), None)
        if twice is not None:
            raise InputError(f"two tables would both become {name} '{twice.name}'; give them in two runs")
    return made


def _files(table: Path, folders: dict[str, Path]) -> dict[str, Any]:
    """Return where the files of one table go."""
    bare = table.name.removesuffix(".gz")
    kept = table.name if Path(bare).suffix.lower() in WRITTEN else ""
    return {
        name: folder / (kept or f"{Path(bare).stem}.csv" if name == "output" else f"{Path(bare).stem}{FOLDERS[name]}")
        for name, folder in folders.items()
    }
