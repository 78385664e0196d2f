"""The main job on a bundled table: an invented hospital, no real person."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from importlib.resources import as_file, files
from typing import TYPE_CHECKING

from incrowd.atomic_file import together, write_whole
from incrowd.errors import InputError
from incrowd.jobs.anonymize import anonymize
from incrowd.policy.job import Job
from incrowd.tables.hierarchy.values import STAR

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from incrowd.progress import Watch
    from incrowd.results.release_facts import ReleaseFacts

    # what a row shows in the quasi-identifiers, and its diagnosis
    Row = tuple[tuple[str, ...], str]

# Rows shown before and after.
SHOWN = 2


def demo(folder: Path, watch: Watch | None = None) -> str:
    """Release the bundled table into a folder and return what happened, in sixteen lines at most.

    `folder`: made where it does not exist; files of the demo in it are replaced: the table, its policy, the release,
    its report, and `summary.txt`, the release's whole summary. `watch`: hears events, and can stop the search.
    InputError is raised if the folder cannot be made, or a file cannot be written; then none of the files is.
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
            known = release.known
            write_whole(folder / "summary.txt", release.summary())
    return _story(folder, known)


def _story(folder: Path, facts: ReleaseFacts) -> str:
    """Return what was done with the hospital's table, from the files as they lie there."""
    columns = facts.quasi_identifiers
    before, after = _rows(folder / "hospital.csv", columns), _rows(folder / "release.csv", columns)
    alone = {shown for shown, n in Counter(shown for shown, _ in before).items() if n == 1}
    told = defaultdict(set)  # what each class learns of its people
    for shown, diagnosis in after:
        told[shown].add(diagnosis)
    sure = sum(len(of) == 1 for of in told.values())
    cells, hidden, least = len(before) * len(columns), facts.suppressed_cells, facts.lower_bound
    least_words = "proven the least: no release can hide fewer than" if facts.optimal else "and none hides fewer than"
    recounted = "rows and proof" if facts.lower_bound_checked == least else "its rows"
    pairs = _before_and_after(before, after, alone)
    untouched = all(shown[columns.index("sex")] != STAR for shown, _ in after)
    where = f"{folder.name}/"
    lines = [
        f"A hospital hands {len(before):,} admissions to a study. Age group, sex, postcode and occupation",
        f"are known of many people, and {len(alone):,} rows are alone with theirs: who knows the four finds the row.",
        "",
        *_columns([(*columns, "", *columns), *((*one, "->", *other) for one, other in pairs)]),
        "",
        f"Now every row looks like at least {facts.k - 1} others on these columns"
        f"{'; sex was never touched, as asked' if untouched else ''}.",
        f"{hidden:,} of {cells:,} cells are hidden ({hidden / cells:.1%}), {least_words} {least:,}.",
        f"An independent recount of {recounted} passed.",
        f"Left to you: nothing was asked of the diagnosis. In {sure} of {len(told)} crowds all share one;",
        "l = 2 promises that none does.",
        "",
        f"In {where}: hospital.csv, hospital.toml (what was asked), release.csv, summary.txt, report.html",
        f"Check it:  incrowd verify {where}hospital.csv {where}release.csv --policy {where}hospital.toml",
        "Your own:  incrowd init YOUR.csv -o policy.toml    In a browser:  incrowd serve YOUR.csv",
    ]
    return "\n".join(lines) + "\n"


def _rows(path: Path, columns: Sequence[str]) -> list[Row]:
    """Return of each row what it shows in these columns, and its diagnosis."""
    with path.open(encoding="utf-8", newline="") as file:
        return [(tuple(row[name] for name in columns), row["diagnosis"]) for row in csv.DictReader(file)]


def _before_and_after(
    before: Sequence[Row], after: Sequence[Row], alone: set[tuple[str, ...]]
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield rows that were alone with what became of them, each with other stars, where only one released row fits."""
    stars = set()
    released = set(after)
    for shown, diagnosis in before:
        if shown not in alone:
            continue
        fits = [
            row
            for row, of in released
            if of == diagnosis and all(b in (STAR, a) for a, b in zip(shown, row, strict=True))
        ]
        if len(fits) != 1 or STAR not in fits[0]:
            continue
        where = tuple(cell == STAR for cell in fits[0])
        if where not in stars:
            stars.add(where)
            yield shown, fits[0]
        if len(stars) == SHOWN:
            return


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield lines of cells under one another."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
