"""The main job on a bundled table: an invented hospital, no real person."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import TYPE_CHECKING

from incrowd.atomic_file import together, write_whole
from incrowd.errors import InputError
from incrowd.jobs.anonymize import anonymize
from incrowd.policy.job import Job

if TYPE_CHECKING:
    from pathlib import Path

    from incrowd.progress import Watch


def demo(folder: Path, watch: Watch | None = None) -> str:
    """Release the bundled table into a folder and return what happened, in words.

    `folder`: made where it does not exist; files of the demo in it are replaced. `watch`: hears events, and can stop
    the search. Returns the release's summary, the names of the files, and the commands that do the same. InputError is
    raised if the folder cannot be made, or a file cannot be written; then none of the files is.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"folder '{folder.name}' cannot be made: {error.strerror}") from None
    bundled = files("incrowd.data")
    with together(), as_file(bundled / "hospital.csv") as table, as_file(bundled / "hospital.toml") as policy:
        for source in (table, policy):
            write_whole(folder / source.name, source.read_bytes())
        job = Job.load(policy).replace(source=table, output=folder / "release.csv", report=folder / "report.html")
        with anonymize(job, watch) as release:
            text = release.shell_summary()
        write_whole(folder / "summary.txt", text)
    where = f"{folder.name}/"
    return (
        f"{text}\nIn {where}: hospital.csv (the table), hospital.toml (the policy), release.csv, summary.txt,\n"
        "and report.html, to be opened in a browser.\n"
        f"The same by hand:\n"
        f"  incrowd anonymize {where}hospital.csv --policy {where}hospital.toml -o {where}release.csv\n"
        f"  incrowd verify {where}hospital.csv {where}release.csv --policy {where}hospital.toml\n"
    )
