"""The cases of `baseline.py`: a name, what makes the table and its roles, and what else is asked."""

from __future__ import annotations

import csv
import random
import sys
from functools import partial
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

# fmt: off
ADULT = ("age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation", "relationship",
         "race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country", "salary-class")
ADULT_2 = [ADULT[place] for place in (0, 1, 3, 5, 6, 8, 9, 13, 14)]
ADULT_14 = [name for name in ADULT if name != "fnlwgt"]
ARX = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation", "salary-class"]
USER = {"max_stars": 2, "keep": ["education", "salary-class"], "together": [["workclass", "occupation"]],
        "at_most_one": [["age", "sex", "race"]]}
PARTS = {"any": [{"max_stars": 2},
                 {"patterns": [["age", "job", "country"], ["age", "edu", "work"], ["age", "job", "pay"]]}]}
# fmt: on


# What makes a table: from the folder of data and a spare one to settings of the job, "data" among them.
def cmc(data: Path, spare: Path, secret: Iterable[str] = (), gaps: float = 0) -> dict[str, Any]:
    """CMC, outliers suppressed; `gaps` is the share of cells of every third column that are missing."""
    source = data / "cmc.data"
    with source.open() as lines:
        names, *rows = csv.reader(lines)
    if gaps:
        source, chance = spare / "gaps.csv", random.Random(1)
        cells = [["" if j % 3 == 0 and chance.random() < gaps else c for j, c in enumerate(row)] for row in rows if row]
        source.write_text("\n".join(map(",".join, [names, *cells])) + "\n")
    quasi = [name for name in names if name not in secret]
    return {"data": source, "quasi_identifiers": quasi, "sensitive": list(secret), "outliers": "suppress"}


def adult(data: Path, spare: Path, columns: Iterable[str] = ADULT_2, secret: str = "") -> dict[str, Any]:
    """UCI Adult, outliers suppressed."""
    quasi = [name for name in columns if name != secret]
    roles = {"quasi_identifiers": quasi, "sensitive": [secret] if secret else [], "other": "drop"}
    return {"data": data / "adult.data", "header": False, "columns": ADULT, "outliers": "suppress", **roles}


def arx(data: Path, spare: Path, secret: str = "", every: int = 1, trees: Iterable[str] = ARX) -> dict[str, Any]:
    """ARX's Adult, or every so many rows of it, with the hierarchies of some columns, outliers suppressed."""
    source = data / "arx" / "adult.csv"
    if every > 1:
        lines = source.read_text().splitlines()
        source = spare / f"every-{every}.csv"
        source.write_text("\n".join([lines[0], *lines[1::every]]) + "\n")
    quasi = [name for name in ARX if name != secret]
    files = {c: str(data / "arx" / f"adult_hierarchy_{c}.csv") for c in quasi if c in trees}
    roles = {"quasi_identifiers": quasi, "sensitive": [secret] if secret else [], "hierarchies": files}
    return {"data": source, "delimiter": ";", "outliers": "suppress", **roles}


def nursery(data: Path, spare: Path) -> dict[str, Any]:
    """Make the full product of Nursery's eight attributes."""
    rows = [""]
    for size in (3, 5, 4, 4, 3, 2, 3, 3):
        rows = [f"{row}{value}," for row in rows for value in range(size)]
    (spare / "nursery.csv").write_text("a,b,c,d,e,f,g,h\n" + "\n".join(row[:-1] for row in rows) + "\n")
    return {"data": spare / "nursery.csv", "quasi_identifiers": list("abcdefgh")}


def made(data: Path, spare: Path, rows: int, many: bool = False) -> dict[str, Any]:
    """Make the table of `bench_size.py`, or that of `bench_out_of_core.py` with `many` row types."""
    from bench_out_of_core import MAKE as MANY
    from bench_size import MAKE, SIZES, run

    source = spare / f"{rows}-{many}.parquet"
    if not source.exists():
        run(sys.executable, "-c", MANY if many else MAKE, source, rows, SIZES, "8GB")
    return {"data": source, "quasi_identifiers": list(SIZES), "mask": PARTS}


def hospital(data: Path, spare: Path) -> dict[str, Any]:
    """README's hospital."""
    source = spare / "hospital.csv"
    source.write_bytes(resources.files("incrowd.data").joinpath("hospital.csv").read_bytes())
    quasi = ["age_group", "sex", "postcode", "occupation"]
    return {"data": source, "quasi_identifiers": quasi, "identifiers": ["patient_number"], "sensitive": ["diagnosis"]}


METHOD = "contraceptive_method_use"
SECRET, TENTH = partial(cmc, secret=[METHOD]), partial(arx, every=10)
JOB, PAY, LEVEL = (
    partial(adult, secret="occupation"),
    partial(arx, secret="salary-class"),
    partial(arx, secret="education"),
)
WIDE, PORTIONS = partial(adult, columns=ADULT_14), partial(made, rows=100_000, many=True)
LONG = {  # nothing by work: prices alone take minutes
    *(f"trees: ARX's Adult, k = {k}" for k in (10, 25, 100)),
    *(f"stars: Adult, 14 columns, k = {k}" for k in (5, 25, 100)),
}
LARGE = "size: 10,000,000 rows, k = 5"  # one seed, and not attacked
MOVES, OTHER_MOVES = 20_000, {"portions: 100,000 rows, k = 5": 300}  # limits of work; every portion has its own


# fmt: off
def table() -> dict[str, tuple[Callable[[Path, Path], dict[str, Any]], dict[str, Any]]]:
    """Return all cases in the order in which they are run: by name the maker and the settings."""
    cases = {}

    def add(name: str, make: Callable[..., dict[str, Any]], *ks: int, **settings: Any) -> None:
        cases.update({f"{name}, k = {k}": (make, {"k": k, **settings}) for k in ks or (5,)})

    add("small: hospital", hospital)
    add("small: hospital, l = 2", hospital, 3, l=2)
    add("small: hospital, t = 0.3", hospital, 3, t="0.3")
    add("stars: CMC", cmc, 3, 5, 10)
    add("stars: Adult-2", adult, 5, 10, 25, 100)
    add("trees: ARX's Adult", arx, 5, 10, 25, 100)
    add("trees: every tenth row", TENTH)
    add("trees: every 60th row, 8 columns", partial(PAY, every=60), 5, 10)
    add("l: CMC, frequency l = 2", SECRET, l=2)
    add("l: CMC, distinct l = 3", SECRET, require=f"l-diversity l=3 column={METHOD} kind=distinct")
    add("l: CMC, entropy l = 2", SECRET, require=f"l-diversity l=2 column={METHOD} kind=entropy")
    add("l: CMC, recursive c = 2, l = 2", SECRET, require=f"l-diversity l=2 c=2 column={METHOD} kind=recursive")
    add("l: CMC, joint l = 3", partial(cmc, secret=[METHOD, "SOL_index"]),
        require=f"l-diversity l=3 columns={METHOD},SOL_index kind=joint")
    add("l: Adult-2, frequency l = 2", JOB, l=2)
    add("l: Adult-2, frequency l = 3", JOB, l=3)
    add("l: ARX's Adult, occupation, distinct l = 3", partial(arx, secret="occupation"),
        require="l-diversity l=3 column=occupation kind=distinct")
    add("t: CMC, t = 0.2", SECRET, t="0.2")
    add("t: CMC, t = 0.1", SECRET, 2, t="0.1")
    add("t: CMC, t = 0.2 ordered", SECRET, require=f"t-closeness t=0.2 column={METHOD} distance=ordered")
    add("t: Adult-2, t = 0.3", JOB, t="0.3")
    add("t: ARX's Adult, education, t = 0.2 ordered", LEVEL,
        require="t-closeness t=0.2 column=education distance=ordered")
    add("t: ARX's Adult, salary-class, t = 0.2 equal", PAY, t="0.2")
    add("beta: ARX's Adult, salary-class, beta = 1", PAY, require="beta-likeness beta=1 column=salary-class")
    add("delta: CMC, delta = 1", SECRET, require=f"delta-disclosure delta=1 column={METHOD}")
    add("forbid: CMC", cmc, outliers="forbid")
    add("forbid: CMC, l = 2", SECRET, l=2, outliers="forbid")
    add("forbid: CMC, t = 0.2", SECRET, t="0.2", outliers="forbid")
    add("forbid: Adult-2", adult, 100, outliers="forbid")
    add("forbid: every tenth row", TENTH, outliers="forbid")
    add("nulls: CMC with gaps", partial(cmc, gaps=0.1), 3, 5, suppressed="null")
    add("nulls: CMC with gaps, l = 2", partial(cmc, gaps=0.1, secret=[METHOD]), l=2, suppressed="null")
    add("matching: CMC", cmc, 2)
    add("matching: CMC, at most 2 stars", cmc, 2, max_stars=2)
    add("matching: CMC, l = 2", SECRET, 2, l=2)
    add("matching: Adult-2", adult, 2)
    add("matching: Adult, 14 columns", WIDE, 2)
    add("matching: ARX's Adult, stars", partial(arx, trees=()), 2)
    add("matching: ARX's Adult, levels", arx, 2, cost="levels")
    add("matching: ARX's Adult, leaves", arx, 2)
    add("mask: CMC, at most 2 stars", cmc, 3, 5, 10, max_stars=2)
    add("mask: Adult-2, user mask", adult, 2, 3, 5, 10, 25, 100, **USER)
    add("mask: Nursery", nursery)
    for limit in ("1", "0.02", "0"):
        add(f"one recoding: ARX's Adult, limit {limit}", PAY, recoding="global", suppression_limit=limit)
    add("ranges: ARX's Adult, grid of 5", partial(arx, trees=[name for name in ARX if name != "age"]),
        recoding="grid", round=5, numeric=["age"])
    add("ranges: Adult-2, Mondrian", adult, recoding="ranges", numeric=["age"], solver="mondrian", outliers="forbid")
    add("cost: CMC, ncp", cmc, cost="ncp", numeric=["wife_age", "children_born"])
    add("cost: CMC, entropy", cmc, cost="entropy")
    add("cost: every tenth row, ncp", TENTH, cost="ncp")
    add("cost: every tenth row, levels", TENTH, cost="levels")
    add("greedy: Adult-2", adult, 5, 100, solver="greedy")
    add("greedy: ARX's Adult", arx, solver="greedy")
    add("greedy: ARX's Adult, salary-class, t = 0.2", PAY, solver="greedy", t="0.2")
    add("mondrian: Adult-2", adult, 5, 10, 100, solver="mondrian", outliers="forbid")
    add("portions: 100,000 rows", PORTIONS, types_in_memory=5000)
    add("portions: 100,000 rows, greedy", PORTIONS, types_in_memory=5000, solver="greedy")
    for size in (100_000, 1_000_000):
        add(f"size: {size:,} rows", partial(made, rows=size), solver="greedy")
        add(f"size: {size:,} rows on Spark", partial(made, rows=size), solver="greedy", engine="spark")
    add("stars: Adult, 14 columns", WIDE, 5, 25, 100)
    add("size: 10,000,000 rows", partial(made, rows=10_000_000), solver="greedy")
    return cases
