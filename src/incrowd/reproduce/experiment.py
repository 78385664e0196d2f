"""Tables 1 to 8 of the paper on pattern-guided k-anonymity, run again: by name, by k, with every claim judged."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from incrowd.errors import InputError, PolicyError, did_you_mean
from incrowd.loops import forced
from incrowd.progress import Watch
from incrowd.reproduce import data_sets
from incrowd.reproduce.claims import CLAIMS, Pairs, Verdict, at
from incrowd.reproduce.measure import Line, Method, Missed, Numeric, Texts, measure, pose
from incrowd.tables.mask import Mask

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from incrowd.reproduce.data_sets import DataSet


PAPER = "Bredereck, Nichterlein, Niedermeier: Pattern-Guided k-Anonymity (2013)"
KS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 25, 50, 75, 100)
SECONDS = 60.0
OTHERS = {"mondrian": "Mondrian", "exact": "exact solver", "ilp": "the paper's integer program"}


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """One table of the paper, by its number.

    `patterns`: how many the mask has in the paper, the all-star one included. `against`: what the heuristic is compared
    with. `ties`: which of several patterns of equal cost the heuristic tries first; `numeric`, `texts`: which columns
    are numbers, and the order of texts for Mondrian (`incrowd.reproduce.measure.pose`). The paper gives none of the
    three: each is the reading under which its sentences hold.
    """

    name: str
    table: int
    data: DataSet
    patterns: int
    against: Literal["mondrian", "exact"]
    mask: Mask = Mask()
    ties: str = "colexicographic"
    numeric: Numeric = "declared"
    texts: Texts = "appearance"

    def title(self, solver: str) -> str:
        """Return what it is, in one line."""
        return (
            f"Table {self.table}: greedy heuristic and {OTHERS[solver]} on {self.data.name}, {self.patterns:,} patterns"
        )


USER = Mask(
    max_stars=2,
    keep=["education", "salary-class"],
    together=[["workclass", "occupation"]],
    at_most_one=[["age", "sex", "race"]],
)
CATALOGUE: tuple[Experiment, ...] = (
    Experiment(
        name="adult", table=1, data=data_sets.ADULT, patterns=2**14, against="mondrian", numeric="all", texts="sorted"
    ),
    Experiment(name="adult-2", table=2, data=data_sets.ADULT_2, patterns=2**9, against="mondrian"),
    Experiment(name="nursery", table=3, data=data_sets.NURSERY, patterns=2**8, against="mondrian", numeric="none"),
    Experiment(
        name="cmc", table=4, data=data_sets.CMC, patterns=2**10, against="mondrian", ties="first", numeric="none"
    ),
    Experiment(name="canada", table=5, data=data_sets.CANADA, patterns=2**9, against="mondrian"),
    Experiment(name="nursery-exact", table=6, data=data_sets.NURSERY, patterns=2**8, against="exact"),
    Experiment(
        name="cmc-exact",
        table=7,
        data=data_sets.CMC,
        patterns=57,
        against="exact",
        mask=Mask(max_stars=2),
        ties="first",
    ),
    Experiment(name="adult-2-exact", table=8, data=data_sets.ADULT_2, patterns=15, against="exact", mask=USER),
)


def find(name: str) -> Experiment:
    """Return an experiment by its name or the number of its table (``"1"``, ``"table-1"``).

    PolicyError is raised if there is none; the message names the nearest one.
    """
    wanted = name.lower()
    for experiment in CATALOGUE:
        if wanted in (experiment.name, str(experiment.table), f"table-{experiment.table}"):
            return experiment
    near = did_you_mean(wanted, [*(experiment.name for experiment in CATALOGUE), "networks"])
    raise PolicyError(f"there is no experiment named {name!r}{near}; `incrowd reproduce --list` names them")


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
    missed: tuple[Missed, ...]
    verdicts: tuple[Verdict, ...]
    notes: tuple[str, ...]
    solver: str
    time_limit: float

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        experiment = self.experiment
        return {
            "name": experiment.name,
            "paper": PAPER,
            "table": experiment.table,
            "title": experiment.title(self.solver),
            "solver": self.solver,
            "data": experiment.data.name,
            "rows": self.rows,
            "row_types": self.row_types,
            "quasi_identifiers": list(experiment.data.columns),
            "numeric": list(experiment.data.numeric),
            "patterns": experiment.patterns,
            "lines": [dataclasses.asdict(line) for line in self.lines],
            "without_release": [dataclasses.asdict(missed) for missed in self.missed],
            "claims": claims_of(self.verdicts),
            "notes": list(self.notes),
        }


def claims_of(verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Return verdicts as plain values."""
    return [dataclasses.asdict(verdict) | {"verdict": verdict.word} for verdict in verdicts]


def reproduce(
    experiment: Experiment,
    watch: Watch,
    *,
    data: str | Path | None = None,
    ks: Sequence[int] = KS,
    time_limit: float = SECONDS,
    solver: Literal["exact", "ilp"] = "exact",
) -> Reproduction:
    """Run an experiment; an interruption ends the run with the lines so far.

    `data`: folder of the data sets' original files. `time_limit`: seconds for the exact solver, and for the integer
    program, at each k. `solver`: of Tables 6 to 8: the exact solver, or the paper's integer program and the exact
    solver beside it. InputError is raised if a file is missing or is not the paper's, a k is not usable, or the integer
    program does not go with the experiment or needs more memory than there is.
    """
    if solver == "ilp" and experiment.against == "mondrian":
        raise InputError("--solver goes with Tables 6 to 8, which have exact solutions; this one has Mondrian's")
    rows = experiment.data.load(data_sets.folder_of(data))
    chosen = sorted(set(ks))
    if not chosen or chosen[0] < 1 or chosen[-1] > len(rows):
        raise InputError(f"--ks must be whole numbers from 1 to the table's {len(rows):,} rows, with commas between")
    asked = (experiment.mask, experiment.numeric, experiment.texts)
    problem, few = (pose(experiment.data, some, *asked) for some in (rows, rows[:20]))
    against: Method = "mondrian" if experiment.against == "mondrian" else solver
    methods: tuple[Method, ...] = ("greedy", against, *(("exact",) if against == "ilp" else ()))
    with forced("compiled"):  # loading the loops counts for no run
        for method in methods:
            measure(dataclasses.replace(few, k=2), method, Watch(), seconds=1.0, ties=experiment.ties)
    lines: list[Line] = []
    missed: list[Missed] = []
    for k in chosen:
        for method in methods:
            if watch.interrupted:
                break
            line = measure(dataclasses.replace(problem, k=k), method, watch, seconds=time_limit, ties=experiment.ties)
            if isinstance(line, Missed):
                missed.append(line)
            else:
                lines.append(line)
            watch.report("reproduce", k=k, method=method, seconds=round(line.seconds, 3))
    first, second = ({line.k: line for line in lines if line.method == method} for method in ("greedy", against))
    pairs = Pairs(first, second, tuple(one.k for one in missed))
    return Reproduction(
        experiment=experiment,
        rows=len(rows),
        row_types=problem.types.t,
        lines=tuple(lines),
        missed=tuple(missed),
        verdicts=tuple(claim.verdict(pairs) for claim in CLAIMS[experiment.name]),
        notes=tuple(_notes(experiment, against, pairs, len(rows), problem.patterns.count(), watch)),
        solver=against,
        time_limit=time_limit,
    )


def _notes(experiment: Experiment, against: Method, pairs: Pairs, rows: int, patterns: int, watch: Watch) -> list[str]:
    """Return what the paper does not say and is chosen here, and what is otherwise than in the paper."""
    numbers = {"all": "all, texts by their rank", "none": "none"}
    texts = {"appearance": "as they come in the file", "sorted": "by the alphabet"}
    notes = [f"columns read as numbers: {numbers.get(experiment.numeric, ', '.join(experiment.data.numeric))}"]
    if against == "mondrian":
        notes += [
            "Mondrian as the toolbox has it that the paper names: a part is cut where its region is widest",
            f"Mondrian has the values of text columns {texts[experiment.texts]}; the paper does not say how",
        ]
    elif against == "exact":
        notes.append("the exact solver starts from the heuristic's release, and keeps it where it is optimal")
    else:
        notes.append("the integer program is the paper's, in HiGHS in place of CPLEX, and starts from nothing")
    if pairs.missed:
        notes.append(f"it had no release within --time-limit at {at(pairs.missed)}")
    notes.append(f"patterns of equal cost in the order {experiment.ties!r} (option ties of solver greedy)")
    if patterns != experiment.patterns:
        notes.append(f"the mask has {patterns:,} patterns here")
    if rows != experiment.data.rows:
        notes.append(f"the file has {rows:,} rows, the paper's had {experiment.data.rows:,}: it has grown since")
    return [*notes, "interrupted: the rest was not run"] if watch.interrupted else notes


# As text: the table, how far the integer program came, the claims, the notes.
HEAD = ("s", "u", "r", "#h", "h_avg", "h_max")
REACHED = ("s", "bound", "gap", "r")
MEANING = (
    "s suppressed cells, u usefulness (smaller is better), r seconds, #h output row types, h_avg and h_max their "
    "sizes; a * behind s: proven to be the least"
)
RANGES = "Mondrian's s: cells of its groups in columns that are not constant there, which it shows as ranges"


def text_of(found: Reproduction) -> str:
    """Return the table and the claims with their verdicts, as text whose lines end with a line end."""
    by = {m: {line.k: line for line in found.lines if line.method == m} for m in ("greedy", found.solver, "exact")}
    lines = [
        found.experiment.title(found.solver),
        f"{found.rows:,} rows, {found.row_types:,} row types. Left: greedy heuristic, right: {OTHERS[found.solver]}.",
        f"{MEANING}.",
        *([f"{RANGES}."] if found.solver == "mondrian" else []),
        "",
        *_beside(HEAD, by["greedy"], by[found.solver], _cells),
        "",
    ]
    if found.solver == "ilp":
        lines += [
            f"How far each came in {found.time_limit:g} seconds. Left: integer program, right: solver 'exact'.",
            "bound: no release has fewer suppressed cells; gap: s over the bound, less one",
            "",
            *_beside(REACHED, by["ilp"] | {one.k: one for one in found.missed}, by["exact"], _reached),
            "",
        ]
    return "\n".join([*lines, *told(found.verdicts), "", *(f"Note: {note}." for note in found.notes)]) + "\n"


def _beside(head: Sequence[str], left: Mapping[int, Any], right: Mapping[int, Any], cells: Any) -> list[str]:
    """Return two tables side by side, a line for each k; dashes where one has none."""
    rows = [
        [str(k), *(cell for side in (left, right) for cell in (cells(side[k]) if k in side else ["-"] * len(head)))]
        for k in sorted({*left, *right})
    ]
    return grid(["k", *head, *head], rows, bar=len(head) + 1)


def _cells(line: Line) -> list[str]:
    star = "*" if line.optimal else " "
    sizes = [f"{line.groups:,}", f"{line.mean:.2f}", f"{line.largest:,}"]
    return [f"{line.suppressed:,}{star}", f"{line.usefulness:.3f}", f"{line.seconds:.3g}", *sizes]


def _reached(line: Line | Missed) -> list[str]:
    if isinstance(line, Missed):
        return ["none", f"{line.bound:,}", "-", f"{line.seconds:.3g}"]
    gap = f"{100 * (line.suppressed / line.bound - 1):.2f} %" if line.bound > 0 else "0.00 %" if line.optimal else "-"
    return [f"{line.suppressed:,}", f"{line.bound:,}", gap, f"{line.seconds:.3g}"]


def grid(head: Sequence[str], rows: Sequence[Sequence[str]], *, bar: int | None = None, left: int = 0) -> list[str]:
    """Return lines with columns of equal width, numbers to the right; the first `left` columns are words, to the left.

    A rule stands before the column `bar`.
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


def told(verdicts: Sequence[Verdict]) -> list[str]:
    """Return the sentences with their verdicts, the paper's value and ours, after a line that counts them."""
    words = [verdict.word for verdict in verdicts]
    lines = [f"What the text says: {', '.join(f'{words.count(word)} {word}' for word in dict.fromkeys(words))}"]
    for verdict in verdicts:
        lines += [f"  [{verdict.word}] {verdict.claim}", f"      paper: {verdict.paper}; ours: {verdict.ours}"]
    return lines
