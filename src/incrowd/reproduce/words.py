"""A reproduction as text and as CSV."""

from __future__ import annotations

import csv
import dataclasses
import io
from typing import TYPE_CHECKING

from incrowd.reproduce.measure import Line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.reproduce.claims import Verdict
    from incrowd.reproduce.experiment import Reproduction

__all__ = ["grid", "table_csv", "text_of"]

HEAD = ("k", "s", "u", "r", "#h", "h_avg", "h_max")
MEANING = (
    "s suppressed cells, u usefulness (smaller is better), r seconds, #h output row types, h_avg and h_max their "
    "sizes; a * behind s: proven to be the least"
)
RANGES = "Mondrian's s: cells of its groups in columns that are not constant there, which it shows as ranges"


def text_of(found: Reproduction) -> str:
    """Return the table and the claims with their verdicts, as text.

    Parameters
    ----------
    found : Reproduction

    Returns
    -------
    str
        Lines of text that end with a line end.
    """
    experiment = found.experiment
    first, second = (
        {line.k: line for line in found.lines if line.method == method} for method in ("greedy", experiment.against)
    )
    rows = [[str(k), *_cells(first.get(k)), *_cells(second.get(k))] for k in sorted(set(first) | set(second))]
    other = "Mondrian" if experiment.against == "mondrian" else "exact solver"
    head = [HEAD[0], *HEAD[1:], *HEAD[1:]]
    lines = [
        experiment.title,
        f"{found.rows:,} rows, {found.row_types:,} row types. Left: greedy heuristic, right: {other}.",
        f"{MEANING}.",
        *([f"{RANGES}."] if experiment.against == "mondrian" else []),
        "",
        *grid(head, rows, bar=len(HEAD)),
        "",
        *_verdicts(found.verdicts),
        "",
        *(f"Note: {note}." for note in found.notes),
    ]
    return "\n".join(lines) + "\n"


def grid(head: Sequence[str], rows: Sequence[Sequence[str]], *, bar: int | None = None, left: int = 0) -> list[str]:
    """Return lines with columns of equal width, numbers to the right.

    Parameters
    ----------
    head : sequence of str
        Names of the columns.
    rows : sequence of sequence of str
        Each as long as `head`.
    bar : int, optional
        A rule stands before this column.
    left : int
        The first so many columns are words, to the left.
    """
    widths = [max(len(line[j]) for line in (head, *rows)) for j in range(len(head))]
    made = []
    for line in (head, *rows):
        sized = enumerate(zip(line, widths, strict=True))
        cells = [cell.ljust(width) if j < left else cell.rjust(width) for j, (cell, width) in sized]
        if bar is not None:
            cells.insert(bar, "|")
        made.append("  ".join(cells).rstrip())
    return made


def table_csv(found: Reproduction) -> str:
    """Return the table as CSV, one line per algorithm and k.

    Parameters
    ----------
    found : Reproduction

    Returns
    -------
    str
        With a line of names; figures are not rounded.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["experiment", *(field.name for field in dataclasses.fields(Line))])
    for line in found.lines:
        told = line.to_json() | {"optimal": str(line.optimal).lower()}
        writer.writerow([found.experiment.name, *told.values()])
    return out.getvalue()


def _cells(line: Line | None) -> list[str]:
    if line is None:
        return ["-"] * (len(HEAD) - 1)
    return [
        f"{line.suppressed:,}{'*' if line.optimal else ' '}",
        f"{line.usefulness:.3f}",
        f"{line.seconds:.3g}",
        f"{line.groups:,}",
        f"{line.mean:.2f}",
        f"{line.largest:,}",
    ]


def _verdicts(verdicts: Sequence[Verdict]) -> list[str]:
    words = [verdict.word for verdict in verdicts]
    counts = ", ".join(f"{words.count(word)} {word}" for word in dict.fromkeys(words))
    lines = [f"What the text says: {counts}"]
    for verdict in verdicts:
        lines += [f"  [{verdict.word}] {verdict.claim}", f"      ours: {verdict.ours}"]
    return lines
