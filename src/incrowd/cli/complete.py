"""Completion of column names in a shell: from the header of the table that stands in the command already."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from click.shell_completion import CompletionItem

from incrowd.settings import from_option, settings_of
from incrowd.tables.roles import Reading
from incrowd.tables.source_files import are_paths, files_of

if TYPE_CHECKING:
    import click

__all__ = ["NAMED", "column_names"]

# settings that name columns, and what follows each name
NAMED = {
    **dict.fromkeys(("quasi_identifiers", "sensitive", "identifiers", "numeric", "keep"), ""),
    **dict.fromkeys(("together", "at_most_one", "never_together"), ""),
    **dict.fromkeys(("weights", "max_level", "hierarchies", "sensitive_distance"), "="),
}


def column_names(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return what a shell offers for an option that names columns.

    `context` holds the words of the command so far. Of `incomplete`, which is what stands there, names before its last
    comma stay. The list is empty where no table is named yet, it cannot be read, or its first line looks like a
    person's data.
    """
    after = NAMED.get(parameter.name or "", "")
    done, comma, begun = ("", "", incomplete) if after else incomplete.rpartition(",")
    used = set(done.split(","))
    with contextlib.suppress(Exception):  # a shell that waits for a word is told nothing
        left = [word for word in context.args if not word.startswith("-")]  # of a command that ends in an option
        names = _names({"table": left, **{name: value for name, value in context.params.items() if value}})
        found = [name for name in names if name.startswith(begun) and name not in used and "," not in name]
        return [CompletionItem(f"{done}{comma}{name}{after}") for name in found]
    return []


def _names(given: dict[str, Any]) -> tuple[str, ...]:
    """Return the column names of the table that a command names, or of its policy's."""
    source = given.get("table") or given.get("original")
    source = source[0] if are_paths(source) else source
    options = {
        name: from_option(spec, given[name])
        for name, spec in settings_of(Reading).items()
        if given.get(name) not in (None, ())
    }
    if not source and given.get("policy"):
        from incrowd.policy.job import Job

        job = Job.load(given["policy"])
        source, reading = job.source, job.replace(**options).policy.reading
    else:
        reading = Reading(**options)
    if not source:
        return ()
    path = (files_of(source) or [Path(source)])[0]
    return _of_file(path, reading)


def _of_file(path: Path, reading: Reading) -> tuple[str, ...]:
    if path.suffix in (".parquet", ".pq"):
        import pyarrow.parquet as pq

        return tuple(pq.read_schema(path).names)
    if Path(path.name.removesuffix(".gz")).suffix not in (".csv", ".tsv", ".txt", ".data"):
        return ()
    from incrowd.tables.formats.csv import look

    seen = look(path, reading, path.name)
    return seen.names if seen.quotable else ()
