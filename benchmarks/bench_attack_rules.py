"""Who leaks how much at what loss: the rules of `incrowd attack` on releases of several tools, at equal k.

    python benchmarks/bench_attack_rules.py --data DIR [--k 2 5 10] [--seconds 60] [--arx FOLDER] [--tables stars trees]

DIR (or INCROWD_DATA) holds ``adult.data`` and ARX's ``arx/adult.csv`` with its hierarchies. Two tables: *stars* is
Adult-2 (nine columns, shown or starred; the values of sex and salary class are known), *trees* ARX's Adult (eight
columns under ARX's hierarchies, which list all values; outliers suppressed). Every release is attacked as one file of
labels, whoever made it, and scored against the original row by row. A line per release and rule that finds something:

- loss: what the cells cost by the policy (stars; the share of a column's values that a label stands for);
- proven: cells of which a value is excluded under premises that follow from what the release says of itself
  (`settled`, the bound); only incrowd's releases say something;
- claimed: the same where the attacker takes any release for one of the least loss;
- determined: cells of which one value is left; labels that stand for one value are counted apart;
- wrong: cells of which the value that is there was excluded;
- insiders of pairs: cells of classes of two of which the other one, who knows themself, excludes a value.

Releases: incrowd's best in ``--seconds``, its greedy, what ``--blunt 2`` makes of the best, its Mondrian (stars), one
recoding for the whole table (``--recoding global --suppression-limit 1``, which is ARX's model, made by us); anonypy's
Mondrian where it is installed, whose ranges are written as the lowest label (or star) that covers them; and ARX's own
program: every ``stars-*-kK.csv`` and ``trees-*-kK.csv`` in the folder ``--arx``, as ``arx/ArxRelease.java`` writes them
(ARX is built from its repository: ``javac`` over ``src/main`` and the libraries beside it; Java 17).
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc

import incrowd
from incrowd.errors import IncrowdError
from incrowd.progress import Watch
from incrowd.tables.attack.answer import RULES, counted, known_before
from incrowd.tables.attack.classes import lowerings
from incrowd.tables.attack.rules import insiders
from incrowd.tables.attack.score import by_order, wrong_of
from incrowd.tables.attack.values import Exclusions
from incrowd.tables.engine.open import open_engine
from incrowd.tables.read import open_source
from incrowd.tables.roles import Reading

if TYPE_CHECKING:
    from collections.abc import Iterator

STARS = (
    "age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country", "salary-class",
)  # fmt: skip
PLACES = (0, 1, 3, 5, 6, 8, 9, 13, 14)  # of these columns in adult.data
TREES = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")


class Case:
    """A table, the policy of its releases, and what their labels stand for."""

    def __init__(self, name: str, data: Path, k: int) -> None:
        self.name, self.k = name, k
        if name == "stars":
            lines = (data / "adult.data").read_text().splitlines()
            rows = [[text.strip() for text in line.split(",")] for line in lines if line.strip()]
            self.table = pa.table({c: [row[at] for row in rows] for c, at in zip(STARS, PLACES, strict=True)})
            self.names = STARS
            self.policy: dict[str, Any] = {"quasi_identifiers": list(STARS), "k": k}
            self.domains = {c: sorted(set(self.table[c].to_pylist())) for c in ("sex", "salary-class")}
            self.labels = {c: {v: [v, "*"] for v in set(self.table[c].to_pylist())} for c in STARS}
        else:
            folder = data / "arx"
            self.table = texts(folder / "adult.csv").select(list(TREES))
            self.names = TREES
            files = {c: str(folder / f"adult_hierarchy_{c}.csv") for c in TREES}
            self.policy = {"quasi_identifiers": list(TREES), "k": k, "outliers": "suppress", "hierarchies": files}
            self.domains = {}
            self.labels = {
                c: {line[0]: line for line in (row.split(";") for row in Path(file).read_text().splitlines())}
                for c, file in files.items()
            }

    def covering(self, rows: list[list[int]]) -> pa.Table:
        """Return the release in which each group of rows shows the lowest labels that all of it has."""
        out = {}
        for name in self.names:
            cells = self.table[name].to_pylist()
            shown = list(cells)
            for group in rows:
                lines = [self.labels[name][value] for value in {cells[i] for i in group}]
                label = next(labels[0] for labels in zip(*lines, strict=True) if len(set(labels)) == 1)
                for i in group:
                    shown[i] = label
            out[name] = shown
        return pa.table(out)


def texts(file: Path) -> pa.Table:
    """Return a table with semicolons, every cell as text."""
    with file.open() as lines:
        names = lines.readline().strip().split(";")
    how = pc.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False)
    return pc.read_csv(file, parse_options=pc.ParseOptions(delimiter=";"), convert_options=how)


def releases(case: Case, seconds: float, arx: Path | None) -> Iterator[tuple[str, Any]]:
    """Return releases by name: a `Release`, or a table of labels in the order of the rows."""
    asked = {**case.policy, "keep_order": True}
    yield "incrowd", incrowd.anonymize(case.table, **asked, time_limit=seconds)
    yield "incrowd, --blunt 2", incrowd.anonymize(case.table, **asked, time_limit=seconds, blunt=2)
    yield "incrowd, greedy", incrowd.anonymize(case.table, **asked, solver="greedy")
    if case.name == "stars":
        yield "incrowd, Mondrian", incrowd.anonymize(case.table, **asked, solver="mondrian")
    whole = {**asked, "outliers": "suppress", "recoding": "global", "suppression_limit": 1}
    yield "incrowd, one recoding (ARX's model)", incrowd.anonymize(case.table, **whole).table
    yield "anonypy, Mondrian", by_anonypy(case)
    for file in sorted(arx.glob(f"{case.name}-*-k{case.k}.csv")) if arx else []:
        yield f"ARX, {file.stem.split('-')[1]}", texts(file).select(list(case.names))


def by_anonypy(case: Case) -> pa.Table | None:
    """Return anonypy's Mondrian in labels; None where it is not installed."""
    try:
        import pandas as pd
        from anonypy.mondrian import Mondrian
    except ImportError:
        return None
    frame = pd.DataFrame({c: pd.Categorical(case.table[c].to_pylist()) for c in case.names})
    groups = Mondrian(frame, list(frame.columns), None).partition(case.k)
    return case.covering([np.asarray(group).tolist() for group in groups])


def attack(case: Case, name: str, release: Any, best: float) -> float:
    """Print what the rules find in one release; return its loss."""
    if release is None:
        print(f"| {case.k} | {name} | not installed | | | | | | | | |")
        return best
    rows = release.table if isinstance(release, incrowd.Release) else release
    policy = dict(case.policy)
    if name in ("incrowd, one recoding (ARX's model)",) or name.startswith("ARX"):
        policy["outliers"] = "suppress"
    facts = release.facts if isinstance(release, incrowd.Release) else None
    found = incrowd.attack(
        rows, **policy, facts=facts, domains=case.domains, knows=() if facts else ("policy",)
    )  # another tool says nothing of its release
    released = found.inferences.released
    cost = released.cost / released.scale
    best = best or cost
    proven = {line["rule"]: line for line in found.rules if line["standing"] == "proven"}
    with open_engine("duckdb", None, case.table, rows) as engine:
        before, after = open_source(engine, case.table, Reading()), open_source(engine, rows, Reading())
        at = [f"c{before.names.index(c)}" for c in case.names], [f"c{after.names.index(c)}" for c in case.names]
        edges = by_order(engine, before.data, after.data, *at, [], released)
    known = known_before(released)
    lines = []
    for rule in RULES:
        if rule.name == "single_rows_by_bound":
            continue  # where the least loss is assumed it says what single_rows says
        excluded = rule.find(released, 0, Watch())
        told = counted(released, excluded)
        sure = known if rule.name == "labels" else told.determined & ~known
        determined = int((sure * released.unit_rows[:, None]).sum())
        if told.cells(released) or determined:
            wrong, mass = wrong_of(edges, excluded, released, Watch()), told.mean_mass(released)
            share = "" if mass is None else f"{100 * mass:.0f} %"
            of_rule = proven[rule.name]["excluded"] if rule.name in proven else 0
            mistaken = f"{wrong.least:,}" if wrong else "too many"
            lines.append(
                f"{rule.name} | {of_rule:,} | {told.cells(released):,} | {share} | {determined:,} | {mistaken}"
            )
    pairs = of_pairs(released, edges)
    if pairs[0]:
        sure = pairs[0] if found.premises["settled"] == "proven" else 0
        lines.append(f"insiders of pairs | {sure:,} | {pairs[0]:,} | | {pairs[1]:,} | {pairs[2]:,}")
    for told in lines or ["nothing found | 0 | 0 | | 0 | 0"]:
        more, hidden = 100 * (cost / best - 1), found.facts["hidden_cells"]
        print(f"| {case.k} | {name} | {cost:,.0f} | {more:+.1f} % | {hidden:,} | {told} |", flush=True)
    return best


def of_pairs(released: Any, edges: Any) -> tuple[int, int, int]:
    """Return the cells of classes of two of which the other excludes a value, those then known, and those wrong."""
    finer = lowerings(released, Watch())
    told = insiders(released, finer, Exclusions.none())
    wrong = 0
    order = np.argsort(edges.unit, kind="stable")
    unit, values = edges.unit[order], edges.values[order]
    for c, j in np.argwhere((finer.level >= 0) & (released.sizes == 2)[:, None]).tolist():
        here = values[np.searchsorted(unit, c) : np.searchsorted(unit, c, "right"), j]
        nodes = released.columns[j].levels.up[finer.level[c, j]]
        wrong += 2 * int((here >= 0).all() and len(set(nodes[here].tolist())) == 1)
    return told["cells"], told["determined"], wrong


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("INCROWD_DATA"))
    parser.add_argument("--k", type=int, nargs="+", default=[2, 5, 10])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--arx", type=Path)
    parser.add_argument("--tables", nargs="+", default=["stars", "trees"], choices=["stars", "trees"])
    asked = parser.parse_args()
    if asked.data is None:
        parser.error("--data or INCROWD_DATA must name the folder that holds adult.data and arx/adult.csv")
    for name in asked.tables:
        print(f"\n{name}\n")
        print("| k | release | loss | more | hidden | rule | proven | claimed | mass | determined | wrong |")
        print("|---|---|---|---|---|---|---|---|---|---|---|")
        for k in asked.k:
            case, best = Case(name, Path(asked.data), k), 0.0
            for tool, release in releases(case, asked.seconds, asked.arx):
                try:
                    best = attack(case, tool, release, best)
                except IncrowdError as error:
                    print(f"| {k} | {tool} | {error} | | | | | | | | |", flush=True)


if __name__ == "__main__":
    main()
