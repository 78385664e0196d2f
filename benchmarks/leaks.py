"""Who gives away how much at what loss: the rules of `incrowd attack` on releases of several tools, at equal k.

    python benchmarks/leaks.py --data DIR [--k 2 5 10] [--seconds 60] [--arx FOLDER] [--tables stars trees]
    python benchmarks/leaks.py --data DIR --draws 50       # blunting alone: the mean of so many draws at each level

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
recoding for the whole table (ARX's model, made by us); anonypy's Mondrian where it is installed, whose ranges are
written as the lowest label (or star) that covers them; and ARX's own program: every ``stars-*-kK.csv`` and
``trees-*-kK.csv`` in the folder ``--arx``, as ``arx/ArxRelease.java`` writes them.

With ``--draws`` the rule for single rows alone: *quotient* is how often a claimed value is there, over how often it
would be if it were as frequent there as in the table (0: the claims are certain; 1: they say nothing).
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
from run import head, show

import incrowd
from cases import ADULT, ADULT_2, ARX
from incrowd.errors import IncrowdError
from incrowd.progress import Watch
from incrowd.tables.attack.answer import counted
from incrowd.tables.attack.classes import lowerings
from incrowd.tables.attack.rules import RULES, insiders
from incrowd.tables.attack.score import by_order, wrong_of
from incrowd.tables.attack.values import Exclusions
from incrowd.tables.engine.open import open_engine
from incrowd.tables.read import open_source
from incrowd.tables.roles import Reading

if TYPE_CHECKING:
    from collections.abc import Iterator

ONE_RECODING = "incrowd, one recoding (ARX's model)"


class Case:
    """A table, the policy of its releases, and what their labels stand for."""

    def __init__(self, name: str, data: Path, k: int) -> None:
        self.name, self.k = name, k
        self.domains: dict[str, list[str]] = {}
        if name == "stars":
            lines = (data / "adult.data").read_text().splitlines()
            rows = [dict(zip(ADULT, map(str.strip, line.split(",")), strict=True)) for line in lines if line.strip()]
            self.names = ADULT_2
            self.table = pa.table({c: [row[c] for row in rows] for c in self.names})
            self.policy: dict[str, Any] = {"quasi_identifiers": self.names, "k": k}
            self.domains = {c: sorted(set(self.table[c].to_pylist())) for c in ("sex", "salary-class")}
            self.labels = {c: {v: [v, "*"] for v in set(self.table[c].to_pylist())} for c in self.names}
        else:
            self.names = ARX[:-1]
            self.table = texts(data / "arx" / "adult.csv").select(self.names)
            files = {c: str(data / "arx" / f"adult_hierarchy_{c}.csv") for c in self.names}
            self.policy = {"quasi_identifiers": self.names, "k": k, "outliers": "suppress", "hierarchies": files}
            self.labels = {
                c: {line[0]: line for line in (row.split(";") for row in Path(file).read_text().splitlines())}
                for c, file in files.items()
            }

    def covering(self, rows: list[list[int]]) -> pa.Table:
        """Return the release in which each class shows the lowest labels that all of it has."""
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

    def edges(self, rows: Any, released: Any) -> Any:
        """Return which original row is which released one, by their order."""
        with open_engine("duckdb", None, self.table, rows) as engine:
            before, after = open_source(engine, self.table, Reading()), open_source(engine, rows, Reading())
            return by_order(engine, before, after, [], released)


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
    yield ONE_RECODING, incrowd.anonymize(case.table, **whole).table
    yield "anonypy, Mondrian", by_anonypy(case)
    for file in sorted(arx.glob(f"{case.name}-*-k{case.k}.csv")) if arx else []:
        yield f"ARX, {file.stem.split('-')[1]}", texts(file).select(case.names)


def by_anonypy(case: Case) -> pa.Table | None:
    """Return anonypy's Mondrian in labels; None where it is not installed."""
    try:
        import pandas as pd
        from anonypy.mondrian import Mondrian
    except ImportError:
        return None
    frame = pd.DataFrame({c: pd.Categorical(case.table[c].to_pylist()) for c in case.names})
    classes = Mondrian(frame, list(frame.columns), None).partition(case.k)
    return case.covering([np.asarray(rows).tolist() for rows in classes])


def attacked(case: Case, name: str, release: Any) -> tuple[Any, Any, float]:
    """Return what the attack found, which row is which, and the loss."""
    rows = release.table if isinstance(release, incrowd.Release) else release
    facts = release.facts if isinstance(release, incrowd.Release) else None
    policy = dict(case.policy)
    if name == ONE_RECODING or name.startswith("ARX"):
        policy["outliers"] = "suppress"
    knows = () if facts else ("policy",)  # another tool says nothing of its release
    found = incrowd.attack(rows, **policy, facts=facts, domains=case.domains, knows=knows)
    released = found.inferences.released
    return found, case.edges(rows, released), released.cost / released.scale


def attack(case: Case, name: str, release: Any, best: float) -> float:
    """Print what the rules find in one release; return the least loss so far."""
    if release is None:
        show(case.k, name, "not installed", *[""] * 8)
        return best
    found, edges, cost = attacked(case, name, release)
    released = found.inferences.released
    best = best or cost
    proven = {line["rule"]: line for line in found.rules if line["standing"] == "proven"}
    known = counted(released, Exclusions.of()).determined
    lines: list[tuple[object, ...]] = []
    for rule in RULES:
        if rule.name == "single_rows_by_bound":
            continue  # where the least loss is assumed it says what single_rows says
        excluded = rule.find(released, 0, Watch())
        told = counted(released, excluded)
        sure = known if rule.name == "labels" else told.determined & ~known
        determined = int((sure * released.unit_rows[:, None]).sum())
        cells, mass = told.told(released)
        if cells or determined:
            wrong = wrong_of(edges, excluded, released, Watch())
            share = "" if mass is None else f"{100 * mass:.0f} %"
            of_rule = proven[rule.name]["excluded"] if rule.name in proven else 0
            mistaken = f"{wrong.least:,}" if wrong else "too many"
            lines.append((rule.name, of_rule, cells, share, determined, mistaken))
    pairs = of_pairs(released, edges)
    if pairs[0]:
        sure_cells = pairs[0] if found.premises["settled"] == "proven" else 0
        lines.append(("insiders of pairs", sure_cells, pairs[0], "", *pairs[1:]))
    for line in lines or [("nothing found", 0, 0, "", 0, 0)]:
        more, hidden = 100 * (cost / best - 1), found.facts["hidden_cells"]
        show(case.k, name, f"{cost:,.0f}", f"{more:+.1f} %", f"{hidden:,}", *line)
    return best


def of_pairs(released: Any, edges: Any) -> tuple[int, int, int]:
    """Return the cells of classes of two of which the other excludes a value, those then known, and those wrong."""
    finer = lowerings(released, Watch())
    told = insiders(released, finer, Exclusions.of())
    wrong = 0
    order = np.argsort(edges.unit, kind="stable")
    unit, values = edges.unit[order], edges.values[order]
    for c, j in np.argwhere((finer.level >= 0) & (released.sizes == 2)[:, None]).tolist():
        here = values[np.searchsorted(unit, c) : np.searchsorted(unit, c, "right"), j]
        nodes = released.columns[j].levels.up[finer.level[c, j]]
        wrong += 2 * int((here >= 0).all() and len(set(nodes[here].tolist())) == 1)
    return told["cells"], told["determined"], wrong


def by_chance(excluded: Exclusions, edges: Any, released: Any) -> float:
    """Return the rows that would have an excluded value if each were as frequent there as in the whole table."""
    rows, total = np.minimum(edges.left_rows[edges.left], edges.right_rows[edges.right]), 0.0
    for j in range(edges.values.shape[1]):
        here, known = excluded.column == j, edges.values[:, j] >= 0
        most = int(excluded.value[here].max(initial=0)) + 1
        share = np.bincount(edges.values[known, j], weights=rows[known], minlength=most) / rows.sum()
        total += (released.unit_rows[excluded.unit[here]] * share[excluded.value[here]]).sum()
    return float(total)


def draws(case: Case, seconds: float, runs: int) -> None:
    """Print what single rows give away before and after blunting, the mean of so many draws."""
    rule = next(rule for rule in RULES if rule.name == "single_rows")
    best, asked = 0.0, {**case.policy, "keep_order": True}
    ways: list[tuple[str, int, dict[str, Any]]] = [
        (f"incrowd, {seconds:g} s", 1, {"time_limit": seconds}),
        *((f"--blunt {level}", runs, {"time_limit": seconds, "blunt": level}) for level in (1, 2, 3)),
        ("incrowd, greedy", 1, {"solver": "greedy"}),
        ("incrowd, Mondrian", 1, {"solver": "mondrian"}),
    ]
    for name, many, more in ways:
        sums, began = np.zeros(4), time.process_time()
        for _ in range(many):
            with incrowd.anonymize(case.table, **asked, **more) as release:
                found, edges, cost = attacked(case, name, release)
            released = found.inferences.released
            excluded = rule.find(released, 0, Watch())
            told, wrong = counted(released, excluded), wrong_of(edges, excluded, released, Watch())
            chance = by_chance(excluded, edges, released)
            sums += cost, told.told(released)[0], wrong.least if wrong else np.nan, chance
        cost, cells, mistaken, chance = sums / many
        best = best or cost
        quotient = f"{mistaken / chance:.2f}" if chance else "-"
        spent = (time.process_time() - began) / many
        more_than = f"{100 * (cost / best - 1):.1f} %"
        show(case.k, name, f"{cost:,.0f}", more_than, f"{cells:,.0f}", f"{mistaken:,.0f}", quotient, f"{spent:.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("INCROWD_DATA"))
    parser.add_argument("--k", type=int, nargs="+", default=[2, 5, 10])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--arx", type=Path)
    parser.add_argument("--tables", nargs="+", default=["stars", "trees"], choices=["stars", "trees"])
    parser.add_argument("--draws", type=int, default=0, help="draws at each level of blunting, and nothing else")
    asked = parser.parse_args()
    if asked.data is None:
        parser.error("--data or INCROWD_DATA must name the folder that holds adult.data and arx/adult.csv")
    for name in asked.tables:
        print(f"\n{name}\n")
        if asked.draws:
            head("k", "release", "loss", "more", "claimed", "wrong", "quotient", "CPU s")
        else:
            head("k", "release", "loss", "more", "hidden", "rule", "proven", "claimed", "mass", "determined", "wrong")
        for k in asked.k:
            case, best = Case(name, Path(asked.data), k), 0.0
            if asked.draws:
                draws(case, asked.seconds, asked.draws)
                continue
            for tool, release in releases(case, asked.seconds, asked.arx):
                try:
                    best = attack(case, tool, release, best)
                except IncrowdError as error:
                    show(k, tool, error, *[""] * 8)


if __name__ == "__main__":
    main()
