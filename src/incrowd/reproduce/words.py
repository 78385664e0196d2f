"""A reproduction as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.reproduce.claims import Verdict
    from incrowd.reproduce.experiment import Reproduction
    from incrowd.reproduce.measure import Line


OTHERS = {"mondrian": "Mondrian", "exact": "exact solver", "ilp": "the paper's integer program, in HiGHS"}
REACHED = ("s", "bound", "gap", "r")
HEAD = ("k", "s", "u", "r", "#h", "h_avg", "h_max")
MEANING = (
    "s suppressed cells, u usefulness (smaller is better), r seconds, #h output row types, h_avg and h_max their "
    "sizes; a * behind s: proven to be the least"
)
RANGES = "Mondrian's s: cells of its groups in columns that are not constant there, which it shows as ranges"


def text_of(found: Reproduction) -> str:
    """Return the table and the claims with their verdicts, as text whose lines end with a line end."""
    first, second = found.by_k("greedy"), found.by_k(found.solver)
    rows = [[str(k), *_cells(first.get(k)), *_cells(second.get(k))] for k in sorted(set(first) | set(second))]
    head = [HEAD[0], *HEAD[1:], *HEAD[1:]]
    lines = [
        found.title,
        f"{found.rows:,} rows, {found.row_types:,} row types. Left: greedy heuristic, right: {OTHERS[found.solver]}.",
        f"{MEANING}.",
        *([f"{RANGES}."] if found.solver == "mondrian" else []),
        "",
        *grid(head, rows, bar=len(HEAD)),
        "",
        *(_beside(found) if found.solver == "ilp" else []),
        *told(found.verdicts),
        "",
        *(f"Note: {note}." for note in found.notes),
    ]
    return "\n".join(lines) + "\n"


def _beside(found: Reproduction) -> list[str]:
    """Return how far the integer program and the exact solver came in their time, one line for each k."""
    ours, exact = found.by_k("ilp"), found.by_k("exact")
    missed = {one.k: one for one in found.missed}
    rows = []
    for k in sorted({*ours, *exact, *missed}):
        if k in missed:
            cells = ["none", f"{missed[k].bound:,}", "-", f"{missed[k].seconds:.3g}"]
        else:
            cells = _reached(ours.get(k))
        rows.append([str(k), *cells, *_reached(exact.get(k))])
    return [
        f"How far each came in {found.time_limit:g} seconds. Left: integer program in HiGHS, right: solver 'exact'.",
        "bound: no release has fewer suppressed cells; gap: s over the bound, less one",
        "",
        *grid(["k", *REACHED, *REACHED], rows, bar=len(REACHED) + 1),
        "",
    ]


def _reached(line: Line | None) -> list[str]:
    if line is None:
        return ["-"] * len(REACHED)
    gap = f"{100 * (line.suppressed / line.bound - 1):.2f} %" if line.bound > 0 else "0.00 %" if line.optimal else "-"
    return [f"{line.suppressed:,}", f"{line.bound:,}", gap, f"{line.seconds:.3g}"]


def grid(head: Sequence[str], rows: Sequence[Sequence[str]], *, bar: int | None = None, left: int = 0) -> list[str]:
    """Return lines with columns of equal width, numbers to the right.

    `head` names the columns, and each of the rows is as long as `head`. A rule stands before the column `bar`. The
    first `left` columns are words, to the left.
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


def told(verdicts: Sequence[Verdict]) -> list[str]:
    """Return the sentences with their verdicts and our figures, after a line that counts them."""
    words = [verdict.word for verdict in verdicts]
    counts = ", ".join(f"{words.count(word)} {word}" for word in dict.fromkeys(words))
    lines = [f"What the text says: {counts}"]
    for verdict in verdicts:
        lines += [f"  [{verdict.word}] {verdict.claim}", f"      ours: {verdict.ours}"]
    return lines
