"""An experiment of a paper, run again."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from incrowd import kernels
from incrowd.errors import InputError
from incrowd.reproduce.claims import Claim, Pairs, Verdict
from incrowd.reproduce.data_sets import folder_of
from incrowd.reproduce.measure import Line, Numeric, measure, pose

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from incrowd.progress import Watch
    from incrowd.reproduce.data_sets import DataSet
    from incrowd.tables.mask import Mask
    from incrowd.tables.solve.greedy.ties import Ties

__all__ = ["KS", "Experiment", "Reproduction", "reproduce"]

KS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 25, 50, 75, 100)
SECONDS = 60.0


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """One table of the paper.

    Attributes
    ----------
    name : str
    table : int
        Its number in the paper.
    data : DataSet
    mask : Mask
    patterns : int
        How many patterns the mask has in the paper, the all-star one included.
    against : {"mondrian", "exact"}
        What the heuristic is compared with.
    ties : {"domains", "pattern", "first", "colexicographic"}
        Which of several patterns of equal cost the heuristic tries first: the order under which the sentences of the
        paper hold, which does not give its own.
    claims : tuple of Claim
    """

    name: str
    table: int
    data: DataSet
    mask: Mask
    patterns: int
    against: Literal["mondrian", "exact"]
    claims: tuple[Claim, ...]
    ties: Ties = "domains"

    @property
    def title(self) -> str:
        """What it is, in one line."""
        other = "Mondrian" if self.against == "mondrian" else "exact solver"
        return f"Table {self.table}: greedy heuristic and {other} on {self.data.name}, {self.patterns:,} patterns"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """An experiment with our figures.

    Attributes
    ----------
    experiment : Experiment
    rows, row_types : int
    lines : tuple of Line
        By k, the heuristic first.
    verdicts : tuple of Verdict
    notes : tuple of str
    """

    experiment: Experiment
    rows: int
    row_types: int
    lines: tuple[Line, ...]
    verdicts: tuple[Verdict, ...]
    notes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        experiment = self.experiment
        return {
            "name": experiment.name,
            "paper": "Bredereck, Nichterlein, Niedermeier: Pattern-Guided k-Anonymity (2013)",
            "table": experiment.table,
            "title": experiment.title,
            "data": experiment.data.name,
            "rows": self.rows,
            "row_types": self.row_types,
            "quasi_identifiers": list(experiment.data.columns),
            "numeric": list(experiment.data.numeric),
            "patterns": experiment.patterns,
            "lines": [line.to_json() for line in self.lines],
            "claims": [dataclasses.asdict(verdict) | {"verdict": verdict.word} for verdict in self.verdicts],
            "notes": list(self.notes),
        }


def _numbers(data: DataSet, numeric: Numeric) -> str:
    words = {"all": "all, texts by their rank", "none": "none"}
    return words.get(numeric, ", ".join(data.numeric))


def reproduce(
    experiment: Experiment,
    watch: Watch,
    *,
    data: str | Path | None = None,
    ks: Sequence[int] = KS,
    time_limit: float = SECONDS,
    numeric: Numeric = "declared",
) -> Reproduction:
    """Run an experiment.

    Parameters
    ----------
    experiment : Experiment
    watch : Watch
        Gets an event per line; an interruption ends the run with the lines so far.
    data : path, optional
        Folder of the data sets' original files.
    ks : sequence of int
        At least 1 each; the paper's 13 by default.
    time_limit : float, default 60
        Seconds for the exact solver at each k.
    numeric : {"declared", "all", "none"}
        Which columns are numbers, see `incrowd.reproduce.measure.pose`.

    Returns
    -------
    Reproduction

    Raises
    ------
    InputError
        If a file is missing or is not the paper's, or a k is not usable.

    Notes
    -----
    Two runs of a solver per k. Only the exact solver has a time limit; quick runs are repeated up to 0.5 s for the
    median.
    """
    rows = experiment.data.load(folder_of(data))
    chosen = sorted(set(ks))
    if not chosen or chosen[0] < 1 or chosen[-1] > len(rows):
        raise InputError(f"--ks must be whole numbers from 1 to the table's {len(rows):,} rows, with commas between")
    kernels.warm()
    problem = pose(experiment.data, rows, experiment.mask, numeric)
    notes = [f"columns read as numbers (--numeric {numeric}): {_numbers(experiment.data, numeric)}"]
    if experiment.against == "mondrian":
        notes.append(
            "Mondrian cuts at medians alone, as in its paper; the solver 'mondrian' also cuts beside them, at less loss"
        )
    else:
        notes.append("the exact solver starts from the heuristic's release, and keeps it where it is optimal")
    notes.append(f"patterns of equal cost in the order {experiment.ties!r} (as --ties of --solver greedy)")
    found = problem.patterns.count()
    if found != experiment.patterns:
        notes.append(f"the mask has {found:,} patterns here")
    if len(rows) != experiment.data.rows:
        notes.append(f"the file has {len(rows):,} rows, the paper's had {experiment.data.rows:,}: it has grown since")
    lines: list[Line] = []
    for k in chosen:
        here = dataclasses.replace(problem, k=k)
        for method in ("greedy", experiment.against):
            if watch.interrupted:
                break
            line = measure(here, method, watch, seconds=time_limit, ties=experiment.ties)
            watch.tell("reproduce", k=k, method=method, groups=line.groups, seconds=round(line.seconds, 3))
            lines.append(line)
    if watch.interrupted:
        notes.append("interrupted: the rest was not run")
    first, second = (
        {line.k: line for line in lines if line.method == method} for method in ("greedy", experiment.against)
    )
    pairs = Pairs(first, second)
    verdicts = tuple(claim.verdict(pairs) for claim in experiment.claims)
    return Reproduction(
        experiment=experiment,
        rows=len(rows),
        row_types=problem.types.t,
        lines=tuple(lines),
        verdicts=verdicts,
        notes=tuple(notes),
    )
