"""An experiment of a paper, run again."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from incrowd.errors import InputError
from incrowd.loops import forced
from incrowd.progress import Watch
from incrowd.reproduce.claims import Pairs, at
from incrowd.reproduce.data_sets import folder_of
from incrowd.reproduce.measure import Line, Method, Missed, Numeric, Texts, measure, pose, program

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from incrowd.reproduce.claims import Claim, Verdict
    from incrowd.reproduce.data_sets import DataSet
    from incrowd.tables.mask import Mask
    from incrowd.tables.solve.greedy.greedy import Ties
    from incrowd.tables.values import Problem


PAPER = "Bredereck, Nichterlein, Niedermeier: Pattern-Guided k-Anonymity (2013)"
Exactly = Literal["exact", "ilp"]

KS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 25, 50, 75, 100)
SECONDS = 60.0


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """One table of the paper.

    `table`: its number in the paper. `patterns`: how many patterns the mask has in the paper, the all-star one
    included. `against`: what the heuristic is compared with. `ties`: which of several patterns of equal cost the
    heuristic tries first: the order under which the sentences of the paper hold, which does not give its own.
    `numeric`, `texts`: which columns are numbers, and the order of texts for Mondrian: see
    `incrowd.reproduce.measure.pose`. As with `ties`, the reading under which the sentences hold.
    """

    name: str
    table: int
    data: DataSet
    mask: Mask
    patterns: int
    against: Literal["mondrian", "exact"]
    claims: tuple[Claim, ...]
    ties: Ties = "domains"
    numeric: Numeric = "declared"
    texts: Texts = "appearance"

    @property
    def title(self) -> str:
        """What it is, in one line."""
        other = "Mondrian" if self.against == "mondrian" else "exact solver"
        return self.titled(other)

    def titled(self, other: str) -> str:
        """Return what it is with the name of what the heuristic is compared with."""
        return f"Table {self.table}: greedy heuristic and {other} on {self.data.name}, {self.patterns:,} patterns"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """An experiment with our figures.

    `lines`: by k, the heuristic first. `missed`: runs of the integer program that ended without a release. `solver`:
    what the heuristic is compared with. `time_limit`: seconds of an exact run.
    """

    experiment: Experiment
    rows: int
    row_types: int
    lines: tuple[Line, ...]
    verdicts: tuple[Verdict, ...]
    notes: tuple[str, ...]
    solver: Literal["mondrian", "exact", "ilp"]
    time_limit: float
    missed: tuple[Missed, ...] = ()

    @property
    def title(self) -> str:
        """What it is, in one line."""
        return self.experiment.titled("the paper's integer program") if self.solver == "ilp" else self.experiment.title

    def by_k(self, method: str) -> dict[int, Line]:
        """Return an algorithm's lines by k."""
        return {line.k: line for line in self.lines if line.method == method}

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        experiment = self.experiment
        return {
            "name": experiment.name,
            "paper": PAPER,
            "table": experiment.table,
            "title": self.title,
            "solver": self.solver,
            "data": experiment.data.name,
            "rows": self.rows,
            "row_types": self.row_types,
            "quasi_identifiers": list(experiment.data.columns),
            "numeric": list(experiment.data.numeric),
            "patterns": experiment.patterns,
            "lines": [line.to_json() for line in self.lines],
            "without_release": [missed.to_json() for missed in self.missed],
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
    solver: Exactly = "exact",
) -> Reproduction:
    """Run an experiment.

    `watch`: gets an event per line; an interruption ends the run with the lines so far. `data`: folder of the data
    sets' original files. `ks`: at least 1 each; the paper's 13 by default. `time_limit`: seconds for the exact solver,
    and for the integer program, at each k. `solver`: of Tables 6 to 8: the exact solver, or the paper's integer program
    and the exact solver beside it. InputError is raised if a file is missing or is not the paper's, a k is not usable,
    or the integer program does not go with the experiment or needs more memory than there is. Two or three runs of a
    solver per k. Only the exact ones have a time limit; quick runs are repeated up to 0.5 s for the median.
    """
    if solver == "ilp" and experiment.against == "mondrian":
        raise InputError("--solver goes with Tables 6 to 8, which have exact solutions; this one has Mondrian's")
    rows = experiment.data.load(folder_of(data))
    chosen = sorted(set(ks))
    if not chosen or chosen[0] < 1 or chosen[-1] > len(rows):
        raise InputError(f"--ks must be whole numbers from 1 to the table's {len(rows):,} rows, with commas between")
    problem = pose(experiment.data, rows, experiment.mask, experiment.numeric, experiment.texts)
    against: Literal["mondrian", "exact", "ilp"] = "mondrian" if experiment.against == "mondrian" else solver
    beside: tuple[Method, ...] = ("exact",) if against == "ilp" else ()
    methods: tuple[Method, ...] = ("greedy", against, *beside)
    with forced("compiled"):  # loading the loops counts for no run
        few = pose(experiment.data, rows[:20], experiment.mask, experiment.numeric, experiment.texts)
        for method in methods:
            _run(dataclasses.replace(few, k=2), method, Watch(), seconds=1.0, ties=experiment.ties)
    lines: list[Line] = []
    missed: list[Missed] = []
    for k in chosen:
        here = dataclasses.replace(problem, k=k)
        for method in methods:
            if watch.interrupted:
                break
            line = _run(here, method, watch, seconds=time_limit, ties=experiment.ties)
            if isinstance(line, Missed):
                missed.append(line)
                watch.tell("reproduce", k=k, method=method, seconds=round(line.seconds, 3))
            else:
                lines.append(line)
                watch.tell("reproduce", k=k, method=method, groups=line.groups, seconds=round(line.seconds, 3))
    notes = [f"columns read as numbers: {_numbers(experiment.data, experiment.numeric)}"]
    notes += _of_other(against, experiment.texts, missed)
    notes.append(f"patterns of equal cost in the order {experiment.ties!r} (as --ties of --solver greedy)")
    found = problem.patterns.count()
    if found != experiment.patterns:
        notes.append(f"the mask has {found:,} patterns here")
    if len(rows) != experiment.data.rows:
        notes.append(f"the file has {len(rows):,} rows, the paper's had {experiment.data.rows:,}: it has grown since")
    if watch.interrupted:
        notes.append("interrupted: the rest was not run")
    first, second = ({line.k: line for line in lines if line.method == method} for method in ("greedy", against))
    pairs = Pairs(first, second, tuple(one.k for one in missed))
    verdicts = tuple(claim.verdict(pairs) for claim in experiment.claims)
    return Reproduction(
        experiment=experiment,
        rows=len(rows),
        row_types=problem.types.t,
        lines=tuple(lines),
        verdicts=verdicts,
        notes=tuple(notes),
        solver=against,
        time_limit=time_limit,
        missed=tuple(missed),
    )


def _run(problem: Problem, method: Method, watch: Watch, *, seconds: float, ties: Ties) -> Line | Missed:
    if method == "ilp":
        return program(problem, watch, seconds=seconds)
    return measure(problem, method, watch, seconds=seconds, ties=ties)


OF_TEXTS = {
    "appearance": "as they come in the file",
    "sorted": "by the alphabet",
}


def _of_other(against: str, texts: Texts, missed: Sequence[Missed]) -> list[str]:
    """Return notes on what the heuristic is compared with."""
    if against == "mondrian":
        return [
            "Mondrian as the toolbox has it that the paper names: a part is cut where its region is widest",
            f"Mondrian has the values of text columns in a line, {OF_TEXTS[texts]}; the paper does not say which",
        ]
    if against == "exact":
        return ["the exact solver starts from the heuristic's release, and keeps it where it is optimal"]
    notes = ["the integer program is the paper's, in HiGHS in place of CPLEX, and starts from nothing"]
    if missed:
        notes.append(f"it had no release within --time-limit at {at(one.k for one in missed)}")
    return notes
