"""The small jobs that `mutate_verify.py` runs: tables, policies and solvers' options.

A third has at most eight rows, and trying every release says what is wrong with one and what the best costs. The others
have up to 24, with what small tables cannot show: the second checker (`checker/incrowd_check.py`, which shares no code
with the package) says whether a release is one, and no bound may be above what a job of the same table and policy cost
without any change.
"""

from __future__ import annotations

import contextlib
import csv
import io
import itertools
import random
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

ALONE = (
    "exact", "matching", "improve", "chain", "greedy", "matching", "mondrian", "ilp", "two_phase", "improve",
    "matching_local", "approximation", "subset_dp", "mondrian_relaxed", "exact", "matching_textbook", "auto",
)  # fmt: skip
UNDER = ("exact", "improve", "subset_dp", "ilp", "greedy", "improve", "mondrian", "exact", "auto")
# of larger tables: what is asked of the solver
WIDE = (
    {"solver": "auto"}, {"solver": "improve"}, {"solver": "exact"}, {"solver": "greedy"},
    {"solver": "matching"}, {"solver": "improve", "reduce": "kernel"}, {"solver": "mondrian"}, {"solver": "ball_cover"},
    {"solver": "forest"}, {"solver": "instance_cover"}, {"solver": "approximation"}, {"solver": "two_phase"},
    {"solver": "ilp"}, {"solver": "greedy", "ties": "first"}, {"solver": "subset_dp", "recursion": "halves"},
    {"solver": "mondrian_relaxed"}, {"solver": "greedy", "ties": "pattern"}, {"solver": "exact", "gap": 0.1},
    {"solver": "greedy", "ties": "colexicographic"}, {"solver": "subset_dp", "recursion": "thirds"},
    {"solver": "matching_local"}, {"solver": "exact", "reduce": "kernel"},
)  # fmt: skip
WIDE_UNDER = tuple(one for one in WIDE if one["solver"] in (*UNDER, "two_phase") and "recursion" not in one)
IMPROVE, BOUNDS = "incrowd.tables.solve.improve.tuning:DEFAULT", "incrowd.tables.solve.bounds.tuning:DEFAULT"
# Columns, values of each, rows, what is asked, and the solver's options or the name of a list of them.
RARE = (
    (1, 30, 12, {"k": 3, "recoding": "grid", "round": 5, "numeric": ["c0"]}, {"solver": "auto"}),
    (4, 3, 22, {}, "pairs"),
    (4, 3, 11, {}, "free"),
    (8, 2, 10, {"k": 3}, "columns"),
    (2, 5, 14, {"require": ["delta-disclosure delta=1.2 column=ill"]}, "required"),
    (3, 4, 16, {"k": 3, "trees": ["c0", "c1"]}, "clocked"),
    (3, 4, 14, {"require": ["l-diversity l=2 column=ill"]}, "required"),
    (3, 4, 15, {"k": 3}, "clocked"),
    (2, 5, 12, {"require": ["t-closeness t=0.35 column=ill distance=equal"]}, "required"),
    (3, 3, 12, {"k": 2, "outliers": "suppress"}, {"solver": "greedy", "blunt": 3}),
    (2, 40, 10, {"k": 2, "recoding": "grid", "round": 5, "numeric": ["c0", "c1"]}, {"solver": "auto"}),
    (3, 4, 12, {"require": ["l-diversity l=3/2 column=ill kind=entropy"]}, "required"),
    (3, 4, 12, {"require": ["l-diversity l=2 c=2 column=ill kind=recursive"]}, "required"),
)
SOLVERS: dict[str, list[dict[str, Any]]] = {
    "pairs": [
        {"solver": "matching"}, {"solver": "matching_local"}, {"solver": "matching"}, {"solver": "matching_textbook"},
    ],
    "free": [
        {"solver": "subset_dp", "recursion": "halves"}, {"solver": "subset_dp", "recursion": "thirds"},
        {"solver": "ball_cover"}, {"solver": "forest"}, {"solver": "instance_cover"}, {"solver": "approximation"},
    ],
    "columns": [
        {"solver": "greedy"}, {"solver": "exact"}, {"solver": "auto"},
        {"solver": "improve", "set": {f"{BOUNDS}.stored_visits": 1}},
    ],
    "required": [
        {"solver": "improve", "set": {f"{IMPROVE}.listable": 0}}, {"solver": "auto", "time_limit": 2, "clock": 0.002},
        {"solver": "improve", "set": {f"{IMPROVE}.listed_below": 2, f"{IMPROVE}.shares_below": 1}},
        {"solver": "improve", "time_limit": 2, "clock": 0.002, "set": {f"{IMPROVE}.listable": 0}},
    ],
    "clocked": [
        {"solver": name, "time_limit": limit, "clock": 0.001}
        for name in ("improve", "auto", "exact") for limit in (1, 3)
    ],
}  # fmt: skip
TREE = "p;early;*\nq;early;*\nr;late;*\n"
MATRIX = "p,q,r\n0,1,2\n1,0,1.5\n2,1.5,0\n"
QUERIES = (
    '[[query]]\ncolumns = ["age", "sex"]\nweight = 2\n\n[[query]]\ncolumns = ["town"]\n\n'
    '[[query]]\ncolumns = ["age"]\ntarget = "ill"\n'
)


def drawn_jobs(number: int, folder: Path) -> list[dict[str, Any]]:
    """Write the tables and policies of as many jobs, of every kind in turn."""
    kinds = small_jobs(folder), wide_jobs(folder), rare_jobs(folder)
    return [job for some in itertools.islice(zip(*kinds, strict=False), number // 3) for job in some]


def small_jobs(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield jobs of every solver, model, mask, cost and rule for outliers in turn, and grids, on at most eight rows."""
    from oracles import grid_files, released

    texts = list(released.REQUIREMENTS)
    for seed in itertools.count(1):
        rng = random.Random(seed)
        required = seed % 2 == 0
        turn = seed // 2
        require = [texts[turn % len(texts)]] + ([rng.choice(texts)] if rng.random() < 0.2 else []) if required else []
        solver = (UNDER if required else ALONE)[(turn + turn // len(texts)) % (len(UNDER) if required else len(ALONE))]
        asked = released.drawn(rng, require=require)
        asked.said["mask"] = (
            released.MASKS[seed % len(released.MASKS)] if solver != "chain" else {"patterns": [["age"], ["age", "sex"]]}
        )
        if solver.startswith("matching"):
            asked.said["k"] = 2
            asked.said["require"] = ["l-diversity l=2 column=ill"] if solver == "matching" and turn % 3 == 0 else []
        if seed % 7 == 0:  # ranges on a grid, which have a search of their own
            asked, solver = grid_files.drawn(rng), "auto"
        if asked.least is not None and (job := written(seed, folder, asked, {"solver": solver})):
            yield job


def wide_jobs(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield jobs of larger tables, three of each with other solvers, with costs and distances that small ones lack."""
    from oracles import grid_files, released

    alone, under = itertools.cycle(WIDE), itertools.cycle(WIDE_UNDER)
    for table in itertools.count(1000):
        rng = random.Random(table)
        own = folder / f"files{table}"
        own.mkdir()
        most = rng.choice([9, 9, 10, 10, 12, 16])
        grid = table % 6 == 5
        texts = rng.choice(
            [[], [], [rng.choice(list(released.REQUIREMENTS))], rng.sample(list(released.REQUIREMENTS), 2)]
        )
        asked = grid_files.drawn(rng) if grid else released.drawn(rng, rows=(most, most), require=texts)
        said = asked.said
        if grid:
            said["round"] = rng.choice([said["round"], None])  # None: the step is chosen
        elif asked.lines or rng.random() < 0.3:
            said["cost"] = rng.choice(["leaves", "ncp", "entropy", "levels", f"workload:{own / 'queries.toml'}"])
            (own / "queries.toml").write_text(QUERIES, encoding="utf-8")
            said |= {"numeric": ["age"]} if said["cost"] == "ncp" and rng.random() < 0.5 else {}
        if rng.random() < 0.2 and not grid:
            said["recoding"] = "global"
        if rng.random() < 0.15 and said["outliers"] == "suppress":
            said["suppression_limit"] = 0.3
        if rng.random() < 0.25 and not grid:
            (own / "ill.csv").write_text(TREE, encoding="utf-8")
            (own / "apart.csv").write_text(MATRIX, encoding="utf-8")
            kind = rng.choice([f"hierarchical:{own / 'ill.csv'}", f"matrix:{own / 'apart.csv'}", "equal"])
            said |= {"t": 0.45, "sensitive": ["ill"], "sensitive_distance": {"ill": kind}, "require": []}
        shared: list[Fraction] = []
        for at in range(3):
            options = next(under if said.get("require") or "t" in said else alone)
            if options["solver"] in ("matching", "matching_local") and at:
                said |= {"k": 2, "require": [], "mask": {}}
                shared = []
            if grid or said.get("recoding") == "global":
                if at == 2:
                    continue
                options = {"solver": "auto"} | ({"gap": 0.05} if at else {})
            plain = released.Asked(asked.rows, dict(said), asked.lines)
            if job := written(table * 10 + at, folder, plain, options):
                yield job | {"asked": Larger(Path(job["folder"]), shared)}


def rare_jobs(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield jobs of what other tables do not reach, in turn: many columns, a clock that runs out, values set low."""
    for seed in itertools.count(1):
        rng = random.Random(seed)
        columns, values, rows, said, options = RARE[seed % len(RARE)]
        more = SOLVERS[options][seed // len(RARE) % len(SOLVERS[options])] if isinstance(options, str) else options
        names = [f"c{j}" for j in range(columns)]
        table = [[str(rng.randrange(values)) for _ in names] + [rng.choice("pqr")] for _ in range(rows)]
        asked = Plain([*names, "ill"], table, {"quasi_identifiers": names, "sensitive": ["ill"], "k": 2, **said})
        if job := written(seed, folder / "rare", asked, more):
            yield job | {"seed": -seed, "asked": Larger(Path(job["folder"]), [])}


def written(seed: int, folder: Path, asked: Any, options: dict[str, Any]) -> dict[str, Any] | None:
    """Write the files of a job; None if its policy is refused."""
    import incrowd
    from incrowd.errors import IncrowdError
    from oracles import released

    own = folder / f"job{seed}"
    own.mkdir(parents=True)
    with contextlib.suppress(IncrowdError):
        said = asked.save(own) if isinstance(asked, Plain) else released.save(asked, own)
        incrowd.Job().replace(**said).policy.save(own / "policy.toml")
        usual = {} if "time_limit" in options else {"work": 150}
        return {"seed": seed, "folder": str(own), "options": usual | options, "asked": asked}
    return None


@dataclass(frozen=True)
class Plain:
    """A table of whole numbers and a sensitive column, and a policy's words; ``trees`` names columns that have one."""

    names: list[str]
    rows: list[list[str]]
    said: dict[str, Any]

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the table and its hierarchies; return the policy's words with the hierarchies' files."""
        text = [",".join(self.names), *(",".join(row) for row in self.rows)]
        (folder / "original.csv").write_text("\n".join(text) + "\n", encoding="utf-8")
        said = dict(self.said)
        for name in said.pop("trees", ()):
            held = sorted({row[self.names.index(name)] for row in self.rows}, key=int)
            lines = "".join(f"{value};{int(value) // 2}h;{int(value) // 4}q;*\n" for value in held)
            (folder / f"{name}.csv").write_text(lines, encoding="utf-8")
            said.setdefault("hierarchies", {})[name] = folder / f"{name}.csv"
        return said


class Larger:
    """What the second checker says of the releases of a job.

    Parameters
    ----------
    folder : Path
        Of the job's table and policy.
    costs : list of Fraction
        What jobs of the same table and policy cost; they share the list.
    """

    def __init__(self, folder: Path, costs: list[Fraction]) -> None:
        self.folder, self.costs = folder, costs

    def good(self, names: list[str], released: list[tuple[str | None, ...]]) -> bool:
        """Return whether a table is a release as asked."""
        path = self.folder / "asked.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(
                [names, *([cell or "" for cell in row] for row in released)]
            )
        return self.second(path) == 0

    def second(self, path: Path, *certificate: Path) -> int:
        """Return the second checker's exit status."""
        from incrowd.check.command import main

        files = [self.folder / "original.csv", path, self.folder / "policy.toml", *certificate]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return int(main([str(file) for file in files]))

    @property
    def least(self) -> Fraction:
        """The cost of the best release that is known: no bound may be above it."""
        return min(self.costs, default=Fraction(10**12))
