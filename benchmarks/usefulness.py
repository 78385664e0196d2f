"""How useful releases of four tables are, by the figures of `incrowd usefulness`: ours, Mondrian's and synthetic rows.

    python benchmarks/usefulness.py --data DIR [--table "ARX's Adult"] [--ks 5,10] [--only "leaves,stars"]
                                    [--queries 1000] [--json FILE]

DIR (or INCROWD_DATA) holds ``arx/adult.csv`` with its hierarchies, ``adult.data`` and ``cmc.data``; Nursery is made.
anonypy's Mondrian is asked if it is installed; its parts are shown as ours are, by ranges of numbers and stars in other
columns. Synthetic rows are drawn from each column's shares alone (``marginals``), and along the tree of columns that
hold most information of one another (``tree``: C. Chow, C. Liu, IEEE Trans. Inf. Theory 14, 1968); neither promises any
crowd. ``weighted`` has the weight 1 / (1 - share of its most frequent value) for each column. Errors are relative, of
random counts; ``pMSE ratio`` is 1 for another sample; ``assoc.`` is the mean difference of Cramer's V; ``right`` is the
share of the original's rows that a model of the release predicts, beside that of a model of the original.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import os
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from run import head, show

import incrowd
from cases import ADULT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Case = tuple[str, pd.DataFrame, dict[str, Any], str | None]

NURSERY = {"parents": 3, "has_nurs": 5, "form": 4, "children": 4, "housing": 3, "finance": 2, "social": 3, "health": 3}
LEAST = 20  # a column with fewer numbers is one of categories to anonypy


def cases(data: Path) -> Iterator[Case]:
    """Yield per table its name, rows, hierarchies by quasi-identifier (None: stars) and target."""
    files = {path.stem.removeprefix("adult_hierarchy_"): str(path) for path in (data / "arx").glob("adult_h*.csv")}
    read = partial(pd.read_csv, dtype=str, keep_default_na=False)
    rows = read(data / "arx" / "adult.csv", sep=";")
    yield "ARX's Adult", rows, {name: files[name] for name in rows if name != "salary-class"}, "salary-class"
    rows = read(data / "adult.data", names=ADULT, skipinitialspace=True)
    plain = {name: files.get(name) for name in ADULT if name in files or name in ("relationship", "hours-per-week")}
    asked = {**plain, "age": "intervals:5,10,20", "hours-per-week": "intervals:5,10,20"}
    asked.pop("salary-class")
    yield "Adult, 10 columns", rows[[*asked, "salary-class"]], asked, "salary-class"
    rows = read(data / "cmc.data")
    named: dict[str, Any] = dict.fromkeys(rows.columns[:-1])
    named |= {"wife_age": "intervals:5,10", "children_born": "intervals:2,4"}
    named |= dict.fromkeys(("wife_education", "husband_education", "husband_occupation", "SOL_index"), "intervals:2")
    yield "CMC", rows, named, rows.columns[-1]
    lines = list(itertools.product(*([str(i) for i in range(size)] for size in NURSERY.values())))
    asked = {name: "intervals:2" if size > 3 else None for name, size in NURSERY.items()}
    yield "Nursery", pd.DataFrame(lines, columns=list(NURSERY)), asked, None


def weights(rows: pd.DataFrame, names: list[str]) -> dict[str, float]:
    """Return 1 / (1 - share of the most frequent value) of each column."""
    return {name: round(1 / max(1 - rows[name].value_counts(normalize=True).iloc[0], 0.01), 2) for name in names}


def ways(case: Case, k: int) -> Iterator[tuple[str, Callable[[], pd.DataFrame], bool]]:
    """Yield per way its name, how it makes its rows, and whether cells show ranges."""
    _, rows, hierarchies, _ = case
    names = list(hierarchies)
    numbers = [name for name in names if rows[name].str.fullmatch(r"-?\d+").all()]
    numeric = [name for name in numbers if rows[name].nunique() >= LEAST]
    given = {name: spec for name, spec in hierarchies.items() if spec is not None}
    asked = {"quasi_identifiers": names, "k": k, "solver": "greedy", "keep_order": True, "outliers": "suppress"}

    def ours(**more: Any) -> pd.DataFrame:
        with incrowd.anonymize(rows, **{**asked, "complete_hierarchies": bool(given), **more}) as release:
            return release.table

    for cost in ("leaves", "cells", "levels", "ncp", "entropy"):
        of_cost = {"hierarchies": given, "cost": cost, **({"numeric": numeric} if cost == "ncp" else {})}
        yield cost, partial(ours, **of_cost), False
        if cost in ("leaves", "ncp"):
            word = "weighted" if cost == "leaves" else f"{cost}, weighted"
            yield word, partial(ours, **of_cost, weights=weights(rows, names)), False
    yield "stars", partial(ours, complete_hierarchies=False), False
    ranges = {"solver": "mondrian", "recoding": "ranges", "numeric": numbers, "outliers": "forbid"}
    yield "mondrian", partial(ours, complete_hierarchies=False, **ranges), True
    yield "anonypy", partial(anonypy_rows, rows, names, numeric, numbers, k), True
    yield "synthetic: marginals", partial(synthetic, rows, []), False
    yield "synthetic: tree", lambda: synthetic(rows, tree(rows)), False


def anonypy_rows(rows: pd.DataFrame, names: list[str], numeric: list[str], numbers: list[str], k: int) -> pd.DataFrame:
    """Return the parts of anonypy's Mondrian, each number as the range of its part."""
    from anonypy.mondrian import Mondrian

    frame = rows.copy()
    for name in names:
        frame[name] = frame[name].astype(int) if name in numeric else frame[name].astype("category")
    released = rows.copy()
    for part in Mondrian(frame, names).partition(k):
        for name in names:
            cells = rows.loc[part, name].unique()
            if len(cells) > 1:
                ends = sorted(cells, key=int) if name in numbers else []
                released.loc[part, name] = f"[{ends[0]}-{ends[-1]}]" if ends else "*"
    return released


def tree(rows: pd.DataFrame) -> list[tuple[str, str]]:
    """Return edges from a column to one that is drawn given it: the tree of most mutual information."""
    coded = {name: pd.factorize(rows[name])[0] for name in rows}
    info = {}
    for one, two in itertools.combinations(rows, 2):
        both = np.zeros((coded[one].max() + 1, coded[two].max() + 1))
        np.add.at(both, (coded[one], coded[two]), 1 / len(rows))
        apart = np.outer(both.sum(axis=1), both.sum(axis=0))
        info[one, two] = float((both[both > 0] * np.log(both[both > 0] / apart[both > 0])).sum())
    inside, edges = {rows.columns[0]}, []
    while len(inside) < rows.shape[1]:
        one, two = max((pair for pair in info if len(inside & set(pair)) == 1), key=lambda pair: info[pair])
        edges.append((one, two) if one in inside else (two, one))
        inside |= {one, two}
    return edges


def synthetic(rows: pd.DataFrame, edges: list[tuple[str, str]]) -> pd.DataFrame:
    """Return rows drawn along the edges, every other column by its shares alone."""
    rng = np.random.default_rng(7)
    above = {two: one for one, two in edges}
    made: dict[str, Any] = {}
    for name in [edges[0][0], *above] if edges else list(rows):
        if name not in above:
            made[name] = rng.choice(rows[name].to_numpy(), len(rows))
            continue
        drawn = np.empty(len(rows), object)
        for value, cells in rows.groupby(above[name])[name]:
            places = np.flatnonzero(made[above[name]] == value)
            drawn[places] = rng.choice(cells.to_numpy(), places.size)
        made[name] = drawn
    return pd.DataFrame(made)[list(rows)].astype(str)


def measured(case: Case, k: int, made: pd.DataFrame, *, ranges: bool, queries: int) -> dict[str, Any]:
    _, rows, hierarchies, target = case
    given = {} if ranges else {name: spec for name, spec in hierarchies.items() if spec is not None}
    numeric = [name for name in hierarchies if rows[name].str.fullmatch(r"-?\d+").all()]
    return incrowd.usefulness(
        rows, made, quasi_identifiers=list(hierarchies), k=k, hierarchies=given, complete_hierarchies=bool(given),
        recoding="ranges" if ranges else "levels", numeric=numeric if ranges else [], target=target, queries=queries,
    ).facts  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("INCROWD_DATA"), help="folder of the real tables")
    parser.add_argument("--table", help="one table alone")
    parser.add_argument("--ks", default="5,10")
    parser.add_argument("--only", help='these ways alone, with commas ("ncp, weighted" in quotes)')
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--json", type=Path, help="a file that gets all figures, a line each")
    options = parser.parse_args()
    if not options.data:
        parser.error("say where the tables lie: --data DIR, or INCROWD_DATA")
    only = None if options.only is None else next(csv.reader([options.only], skipinitialspace=True))
    for case in cases(Path(options.data)):
        for k in map(int, options.ks.split(",")) if options.table in (None, case[0]) else ():
            print(f"\n{case[0]}, {len(case[1]):,} rows x {len(case[2])}, k = {k}")
            head("", "mean", "median", "by shares", "median", "pMSE ratio", "assoc.", "right (original)", "CPU s")
            for name, make, ranges in ways(case, k):
                if only is not None and name not in only:
                    continue
                begun = time.process_time()
                try:
                    made = make()
                except ImportError:
                    print("anonypy is not installed: without it (pip install anonypy)")
                    continue
                spent = time.process_time() - begun
                found = measured(case, k, made, ranges=ranges, queries=options.queries)
                counts, pairs, learned = found["counts"], found["associations"], found["prediction"]
                right = f"{learned['accuracy']:.1%} ({learned['of_original']:.1%})" if learned else ""
                errors = ("mean", "median", "mean_by_shares", "median_by_shares")
                told = (*(f"{counts[key]:.3f}" for key in errors), f"{found['distinction']['ratio']:.1f}")
                show(name, *told, f"{pairs['mean']:.3f}", right, f"{spent:.1f}")
                noise = [f"{counts[key]:.3f}" for key in ("mean_of_noise", "median_of_noise")]
                if options.json is not None:
                    with options.json.open("a") as file:
                        file.write(json.dumps({"table": case[0], "k": k, "way": name, **found}) + "\n")
            show("another sample", *noise, "", "", 1, f"{pairs['mean_of_noise']:.3f}", "", "")


if __name__ == "__main__":
    main()
