"""The small tables, hierarchies, policies and graphs that `compare_runs.py` runs commands on, from one seed."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import sqlite3
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["NAMES", "POLICIES", "make"]

NAMES = ("id", "age", "sex", "zip", "job", "born", "ill", "pay")
JOBS = {"health": ("nurse", "doctor"), "school": ("teacher", "tutor"), "trade": ("baker", "smith", "clerk")}
ILLS = ("flu", "cold", "asthma", "gout")
ZIPS = ("13053", "13068", "14850", "14853", "14890")

Row = list[str]

# policy files: what is right, and what is wrong with them
POLICIES = {
    "good": 'quasi_identifiers = ["age", "sex", "job"]\nsensitive = ["ill"]\nidentifiers = ["id"]\nk = 3\n'
    'outliers = "suppress"\n[mask]\nmax_stars = 2\nkeep = ["sex"]\n[weights]\nage = 2\n[hierarchies]\n'
    'job = { file = "job.csv", level_costs = [0.25, 1] }\nage = { intervals = [10, 20], start = 0 }\n'
    '[job]\nsolver = "greedy"\nseed = 4\nwork = 500\n',
    "nodes": 'quasi_identifiers = ["sex", "job"]\nk = 2\nother = "drop"\nrequire = [{ model = "l-diversity", l = 2, '
    'column = "ill", kind = "distinct" }]\n[hierarchies]\njob = { file = "job.csv", node_costs = { health = 0.1, '
    'school = 0.2, trade = 0.3, "*" = 1 } }\nborn = { dates = ["month", "year"] }\n',
    "composed": 'quasi_identifiers = ["age", "sex", "job", "zip"]\nk = 2\n[mask]\nany = [{ max_stars = 1 }, '
    '{ patterns = [["age", "zip"]] }]\n',
    "no_toml": "k = = 3\n",
    "no_key": "kk = 3\n",
    "no_mask_rule": '[mask]\nmax_star = 3\nk = 2\nquasi_identifiers = ["age"]\n',
    "bad_type": 'k = "three"\nquasi_identifiers = ["age"]\n',
    "bad_list": 'k = 3\nquasi_identifiers = "age"\n',
    "bad_mask": 'k = 3\nquasi_identifiers = ["age"]\nmask = 3\n',
    "bad_model": 'k = 3\nquasi_identifiers = ["age"]\nrequire = [{ l = 3 }]\n',
    "bad_hierarchy": 'k = 3\nquasi_identifiers = ["age"]\n[hierarchies]\nage = { file = "age.csv", prefix = [2] }\n',
    "bad_costs": 'k = 3\nquasi_identifiers = ["job"]\n[hierarchies]\njob = { file = "job.csv", level_costs = [1, 0] }'
    '\n',
    "both_costs": 'k = 3\nquasi_identifiers = ["job"]\n[hierarchies]\njob = { file = "job.csv", level_costs = [0, 1], '
    'node_costs = { health = 1 } }\n',
    "bad_job": 'k = 3\nquasi_identifiers = ["job"]\n[job]\nsolvr = "greedy"\n',
    "bad_weight": 'k = 3\nquasi_identifiers = ["job"]\n[weights]\njob = -1\n',
    "huge": 'k = 3\nquasi_identifiers = ["job"]\n[weights]\njob = 99999999999999999999999999\n',
}  # fmt: skip


def _rows(draw: random.Random, count: int, gaps: float, ages: tuple[int, ...]) -> list[Row]:
    rows = []
    for number in range(count):
        born = f"19{draw.randrange(60, 99)}-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}"
        row = [
            f"p{number:04}", str(draw.choice(ages)), draw.choice("fm"), draw.choice(ZIPS),
            draw.choice([job for jobs in JOBS.values() for job in jobs]), born,
            draw.choices(ILLS, (4, 3, 2, 1))[0], str(100 * draw.randrange(10, 16)),
        ]  # fmt: skip
        rows.append(["" if place in (1, 3, 4) and draw.random() < gaps else cell for place, cell in enumerate(row)])
    return rows


def _csv(rows: list[Row], names: tuple[str, ...] | None = NAMES, delimiter: str = ",", end: str = "\n") -> str:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator=end)
    writer.writerows([*([names] if names else []), *rows])
    return text.getvalue()


def _json_lines(rows: list[Row]) -> str:
    lines = []
    for row in rows:
        line: dict[str, object] = {name: cell or None for name, cell in zip(NAMES, row, strict=True)}
        line["age"] = int(row[1]) if row[1] else None
        line["pay"] = int(row[7]) / 8
        lines.append(json.dumps(line))
    return "\n".join(lines) + "\n"


def _tables(folder: Path) -> None:
    draw = random.Random(2013)
    ages = (23, 27, 31, 38, 44)
    tiny, small = _rows(draw, 12, 0, ages[:3]), _rows(draw, 40, 0, ages)
    gaps, medium = _rows(draw, 40, 0.1, ages), _rows(draw, 240, 0, tuple(range(20, 60, 3)))
    texts = {
        "micro.csv": _csv(tiny[:6]), "tiny.csv": _csv(tiny), "small.csv": _csv(small),
        "gaps.csv": _csv(gaps), "medium.csv": _csv(medium),
        "small.tsv": _csv(small, delimiter="\t"), "semicolon.csv": _csv(small, delimiter=";"),
        "crlf.csv": _csv(small, end="\r\n"), "bom.csv": "\ufeff" + _csv(small), "headless.csv": _csv(small, None),
        "blanks.csv": _csv([[f" {cell} " for cell in row] for row in small]),
        "quotes.csv": _csv([[row[0], row[1], f'"{row[2]},x"', *row[3:]] for row in small]),
        "unknown.csv": _csv([[cell or "?" for cell in row] for row in gaps]),
        "nested.csv": _csv([["a", "b", "c"][: 1 + n % 3] + ["*"] * (2 - n % 3) + ["s"] for n in range(18)],
                           ("a", "b", "c", "s")),
        "stars.csv": _csv([[*row[:2], "*", *row[3:]] for row in small[:6]]),
        "one.csv": _csv(small[:1]), "only_header.csv": _csv([]), "empty.csv": "",
        "doubled.csv": _csv(small, ("id", "age", "sex", "zip", "job", "born", "ill", "ill")),
        "ragged.csv": _csv(small) + "1,2,3\n", "too_many.csv": _csv(small) + ",".join("abcdefghijk") + "\n",
        "open_quote.csv": _csv(small) + 'p,"23,f,13053\n', "unnamed.csv": _csv(small, ("id", "", *NAMES[2:])),
        "no_ending": _csv(small), "table.xyz": _csv(small), "typed.jsonl": _json_lines(medium),
        "gaps.ndjson": _json_lines(gaps), "broken.jsonl": _json_lines(small) + "{not json\n",
        "list.jsonl": '{"a": [1, 2], "b": 1}\n{"a": [2], "b": 1}\n', "empty.jsonl": "", "fake.parquet": "PAR1 not\n",
        "fake.arrow": "no arrow", "fake.duckdb": "nothing", "fake.csv.gz": "not packed", "fake.xlsx": "no workbook",
    }  # fmt: skip
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode())
    (folder / "latin.csv").write_bytes(_csv([[*row[:4], row[4] + "é", *row[5:]] for row in small]).encode("latin-1"))
    (folder / "packed.csv.gz").write_bytes(gzip.compress(_csv(small).encode(), mtime=0))
    (folder / "packed.jsonl.gz").write_bytes(gzip.compress(_json_lines(small).encode(), mtime=0))
    (folder / "cut.csv.gz").write_bytes(gzip.compress(_csv(medium).encode(), mtime=0)[:-40])
    with sqlite3.connect(folder / "lite.sqlite") as base:
        base.execute("create table people (id text, age integer, sex text, zip text, job text, born text, ill text, "
                     "pay integer)")  # fmt: skip
        base.executemany("insert into people values (?, ?, ?, ?, ?, ?, ?, ?)", small)
        base.execute("create table others (a text)")
    base.close()


def _hierarchies(folder: Path) -> None:
    jobs = [f"{job};{kind};*" for kind, listed in JOBS.items() for job in listed]
    files = {
        "job.csv": jobs, "ill.csv": [f"{ill};{'lungs' if ill in ILLS[:3] else 'joints'};*" for ill in ILLS],
        "age.csv": [f"{age};{age // 10 * 10}-{age // 10 * 10 + 9};*" for age in range(15, 80)],
        "lacking.csv": jobs[1:], "ragged_tree.csv": [*jobs[1:], "nurse;health;people;*"],
        "twice.csv": [*jobs, "nurse;school;*"], "two_roots.csv": [*jobs[1:], "nurse;health;all"],
        "no_tree.csv": ["nurse;a;x;*", "doctor;a;y;*", *(f"{job};b;z;*" for job in ("teacher", "tutor"))],
        "empty_tree.csv": [], "distances.csv": ["0,1", "1,0"],
    }  # fmt: skip
    for name, lines in files.items():
        (folder / name).write_text("".join(line + "\n" for line in lines))
    (folder / "java.ahs").write_bytes(b"\xac\xed\x00\x05sr")
    for name, text in POLICIES.items():
        (folder / f"{name}.toml").write_text(text)
    (folder / "bytes.toml").write_bytes(b"\xff\xfe k")


def _graphs(folder: Path) -> None:
    draw = random.Random(1977)
    edges = [(u, v) for u in range(24) for v in range(u) if draw.random() < 0.15]
    tree = [(n, draw.randrange(n)) for n in range(1, 20)]
    files = {
        "random.edges": [f"{u} {v}" for u, v in edges], "tree.csv": ["from,to", *(f"n{u},n{v}" for u, v in tree)],
        "cycle.txt": [f"{n} {(n + 1) % 9}" for n in range(9)],
        "apart.edges": ["1 2", "2 3", "3 1", "7 8", "8 9", "9 9", "2 1", "5 6"],
        "weighted.csv": ["a,b,0.5", "b,c,2", "c,d,1", "d,a,1"], "negative.csv": ["a,b,-1", "b,c,2"],
        "one_column.edges": ["1", "2", "3"], "no_edges.txt": ["# nothing"],
        "k3.metis": ["3 3", "2 3", "1 3", "1 2"], "short.metis": ["3 3", "2 3"],
        "graph.mtx": ["%%MatrixMarket matrix coordinate pattern symmetric", "4 4 4", "2 1", "3 2", "4 3", "4 1"],
        "broken.mtx": ["%%MatrixMarket matrix coordinate pattern symmetric", "4 4"],
        "graph.net": ["*Vertices 4", "1 a", "2 b", "3 c", "4 d", "*Edges", "1 2", "2 3", "3 4"],
        "broken.gml": ["graph [", "node ["],
    }  # fmt: skip
    for name, lines in files.items():
        (folder / name).write_text("".join(line + "\n" for line in lines))


def make(folder: Path) -> None:
    """Write all inputs into a folder, the same bytes every time (but for SQLite's own)."""
    folder.mkdir(parents=True)
    _tables(folder)
    _hierarchies(folder)
    _graphs(folder)
    for name, text in {
        "cert_no_json": "{", "cert_list": "[1, 2]", "cert_other": '{"certificate": "something else", "version": 1}',
        "cert_version": '{"certificate": "incrowd k-anonymity bound", "version": 99}', "cert_twice": '{"a": 1, "a": 2}',
        "cert_deep": "[" * 5000,
    }.items():  # fmt: skip
        (folder / f"{name}.json").write_text(text)
