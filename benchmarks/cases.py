"""The cases that `run.py` runs: a name, what makes the table and its roles, and what else is asked.

`table` has those of ``baseline.json``, `more` those that are run when they are named, and `OFF` the mechanisms of
solvers that can be switched off.
"""

from __future__ import annotations

import csv
import random
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


SIZES = {"age": 74, "work": 9, "edu": 16, "marital": 7, "job": 15, "race": 5, "sex": 2, "country": 42, "pay": 2}


def write_made(target: Path, rows: int, many: bool = False) -> None:
    """Write nine text columns with Adult-2's domains: 200,000 uneven profiles, one row in ten moved; or `many` types.

    With `many` each row is one of 0.3 profiles a row, which makes about one row type in four rows.
    """
    import duckdb

    con = duckdb.connect(config={"memory_limit": "4GB", "temp_directory": f"{target}.spill"})
    profile = "(power(hash(i * 7 + 1) / 18446744073709551615.0, 3) * 200000)::bigint"
    who = f"hash(i * 7 + 1) % {max(rows * 3 // 10, 1)}" if many else profile
    moved, other = "-1" if many else "hash(i * 13 + 5) % 90", profile.replace("* 7 + 1", "* 11 + 3")
    con.execute(f"create view p as select i, {who} as who, {other} as other, {moved} as moved from range({rows}) r(i)")
    cells = []
    for j, (name, size) in enumerate(SIZES.items()):
        by = f"(case when moved = {j} then other else who end)"
        draw = f"(power(hash({by} * 97 + {j}) / 18446744073709551615.0, 2) * {size})::bigint"
        cells.append(f"'{name}' || lpad(({draw})::varchar, 3, '0') as {name}")
    con.execute(f"copy (select {', '.join(cells)}, i % 1000 as note from p) to '{target}' (format parquet)")


def made(data: Path, spare: Path, rows: int, many: bool = False, times: int = 1) -> dict[str, Any]:
    """Make that table, or `times` copies of one of so many times fewer rows: as many row types for any size."""
    source = spare / f"{rows}-{many}-{times}.parquet"
    if not source.exists():
        write_made(source, rows // times, many)
        if times > 1:
            import duckdb

            base = source.rename(spare / "base.parquet")
            duckdb.execute(f"copy (from read_parquet({[str(base)] * times})) to '{source}' (format parquet)")
    return {"data": source, "quasi_identifiers": list(SIZES), "mask": PARTS}


def drawn(
    data: Path, spare: Path, columns: int, values: int, rows: int, skew: float = 1, secret: int = 0, seed: int = 0
) -> dict[str, Any]:
    """Draw independent columns, small values more frequent by a skew above 1, and a sensitive one of so many values."""
    import numpy as np

    source, chance = spare / "drawn.csv", np.random.default_rng(seed)
    table = (chance.random((rows, columns)) ** skew * values).astype(int)
    names = [f"c{j}" for j in range(columns)]
    if secret:
        table = np.column_stack((table, (chance.random(rows) ** 2 * secret).astype(int)))
    head = ",".join([*names, *["s"] * bool(secret)])
    np.savetxt(source, table, fmt="%d", delimiter=",", header=head, comments="")
    return {"data": source, "quasi_identifiers": names, "sensitive": ["s"] * bool(secret)}


def decimals(data: Path, spare: Path, rows: int, leaves: int) -> dict[str, Any]:
    """Draw two columns of numbers, one of them with a hierarchy of tens, hundreds and so on."""
    found = drawn(data, spare, 2, leaves, rows)
    depth = len(str(leaves - 1))
    lines = [[str(i), *(f"{i // 10**h}{'x' * h}" for h in range(1, depth)), "*"] for i in range(leaves)]
    (spare / "tens.csv").write_text("\n".join(map(";".join, lines)) + "\n")
    return found | {"hierarchies": {"c0": str(spare / "tens.csv")}}


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


def more() -> dict[str, tuple[Callable[[Path, Path], dict[str, Any]], dict[str, Any]]]:
    """Return the cases beside the baseline: other solvers, larger tables, tables on which limits are hard to keep."""
    cases: dict[str, tuple[Callable[[Path, Path], dict[str, Any]], dict[str, Any]]] = {}

    def add(name: str, make: Callable[..., dict[str, Any]], k: int, *solvers: str, **settings: Any) -> None:
        for solver in solvers or ("auto",):
            cases[f"{name}, k = {k}, {solver}"] = make, {"k": k, "solver": solver, **settings}

    for k in (2, 3, 5, 10):
        add("paper: CMC, at most 2 stars", cmc, k, "ilp", "exact", max_stars=2)
        add("paper: Adult-2, user mask", adult, k, "ilp", "exact", **USER)
    for columns, values in ((5, 10), (10, 4)):
        for seed in (0, 1):
            make = partial(drawn, columns=columns, values=values, rows=10_000, seed=seed)
            add(f"random: {columns} x {values} values, seed {seed}", make, 2)
    for size in (1_000_000, 10_000_000, 50_000_000):
        add(f"many: {size:,} rows", partial(made, rows=size, many=True), 5, "greedy")
    for times in (1, 10):
        for engine in ("duckdb", "spark"):
            make = partial(made, rows=1_000_000 * times, times=times)
            add(f"times: a million rows {times} times, {engine}", make, 5 * times, "greedy", engine=engine)
    every = ("auto", "greedy", "improve", "mondrian")
    numbers = partial(drawn, columns=1, values=200_000, rows=200_000)
    add("limit: one column", numbers, 2, "auto", "matching", "exact")
    add("limit: one column", numbers, 3, *every[:3], "exact", "approximation")
    add("limit: 3 columns", partial(drawn, columns=3, values=80, rows=200_000, skew=2), 2, "auto", "matching", "exact")
    add("limit: 60 columns", partial(drawn, columns=60, values=3, rows=3000), 5, *every)
    add("limit: 14 columns", partial(drawn, columns=14, values=12, rows=30_000, skew=3), 50, *every)
    add("limit: a million row types", partial(drawn, columns=9, values=40, rows=1_000_000, skew=1.5), 5, "greedy",
        max_stars=3, outliers="suppress")
    add("limit: 100,000 leaves", partial(decimals, rows=200_000, leaves=100_000), 5, *every)
    judged = partial(drawn, columns=8, values=10, rows=30_000, skew=2, secret=12)
    add("limit: l = 3", judged, 5, *every[:3], "exact", l=3)
    add("limit: t = 0.2", judged, 5, *every, "exact", t="0.2")
    add("limit: nested", partial(drawn, columns=3, values=60, rows=100_000), 3, "auto", "chain",
        mask={"patterns": [[], ["c0"], ["c0", "c1"], ["c0", "c1", "c2"]]})
    return cases


# What can be switched off: by solver and mechanism the module below ``incrowd.tables.solve`` and its constants.
OFF: dict[str, tuple[str, dict[str, Any]]] = {
    "exact: all cuts": ("exact.tuning", {"root_rounds": 0, "node_rounds": 0}),
    "exact: cuts below the root": ("exact.tuning", {"node_rounds": 0}),
    "exact: forgetting cuts": ("exact.tuning", {"cut_room": 10**9}),
    "exact: strong branching": ("exact.tuning", {"root_candidates": 1, "least_candidates": 1}),
    "exact: tree before programs": ("exact.tuning", {"tree_programs": 0}),
    "exact: programs near the bound": ("exact.tuning", {"program_margin": 1}),
    "improve: first look": ("bounds.tuning", {"first_visits": 0}),
    "improve: price rounds but one": ("improve.tuning", {"price_rounds": 1}),
    "improve: storing everything": ("bounds.tuning", {"stored_visits": 0}),
    "improve: wide candidates": ("improve.tuning", {"candidate_reach": 1.0}),
    "improve: draws by reduced cost": ("improve.tuning", {"draw_rarity": 0.0}),
    "improve: closing when opening": ("improve.tuning", {"move_odds": (1.0, 0.0, 0.0)}),
    "improve: closing two": ("improve.tuning", {"move_odds": (0.5, 0.5, 0.0)}),
    "improve: polish": ("improve.tuning", {"polished_parts": 0}),
    "improve: cuts": ("improve.tuning", {"cut_speed": 0.0}),
    "matching: region": ("matching.tuning", {"region_share": 0.0}),
    "matching: all single cuts": ("matching.tuning", {"component_rows": 0}),
}
