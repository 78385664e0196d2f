"""The files of `refusals.txt`: tables, hierarchies and policies with something wrong, and some with nothing wrong.

No answer may repeat the canary.
"""

from __future__ import annotations

import datetime
import gzip
import io
import json
import sqlite3
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

if TYPE_CHECKING:
    from pathlib import Path

CANARY = "Zebedee-4711"
HEAD = "name,age,sex,job,born,ill,pay\n"
JOBS = ["nurse;health;*", "doctor;health;*", "teacher;school;*"]
ROWS = [
    f"{CANARY}{i},{20 + i // 4},{'fm'[i % 2]},{JOBS[i % 3].split(';')[0]},19{70 + i}-0{1 + i % 9}-11,{['flu', 'cold', 'gout'][i // 2 % 3]},{(10 + i) * 100}"
    for i in range(12)
]
PEOPLE = HEAD + "".join(row + "\n" for row in ROWS)
RELEASE = HEAD.removeprefix("name,") + "".join(",".join(("*,*,*", *row.split(",")[4:])) + "\n" for row in ROWS)
POLICY = 'quasi_identifiers = ["age", "sex", "job"]\nidentifiers = ["name"]\nk = 3\n'
LINES = [json.dumps({"a": 1, "b": f"{CANARY}{i}"}) for i in range(3)]
FACTS = {"k": 3, "quasi_identifiers": ["age", "sex", "job"], "cost": 36, "lower_bound": -1, "rows": 12, "solver": "exact"}  # fmt: skip


def policies():
    """Policies and workloads with something wrong."""
    said = {
        "no_toml": "k = = 3\n", "no_key": "kk = 3\n", "twice": f"{POLICY}[read]\nna = []\n[job]\nna = []\n",
        "no_table": f"{POLICY}read = 3\n", "mask": f"{POLICY}[mask]\nmax_star = 3\n", "mask_in": f"{POLICY}[[mask.any]]\nkep = 3\n",
        "masks": f'{POLICY}[mask]\nkeep = ["age"]\nany = [{{max_stars = 1}}]\n', "mask_3": "mask = 3\n" + POLICY,
        "mask_empty": f"{POLICY}[mask]\nany = []\n", "mask_text": f"{POLICY}[mask]\nall = 3\n", "mask_list": f"{POLICY}[mask]\nall = [3]\n",
        "mask_any": f"{POLICY}[mask]\nany = [{{max_stars = 1}}, {{max_stars = 2}}]\n", "level": f"{POLICY}[mask]\nmax_level = 3\n",
        "mixed": f'{POLICY}[mask]\ntogether = ["age", ["sex", "job"]]\n', "listed": f'{POLICY}[mask]\npatterns = [["age"], "sex"]\n',
        "switch": f'{POLICY}[mask]\nfull_suppression = "no"\n', "entry": f"{POLICY}[mask]\nkeep = [3]\n", "none": f"{POLICY}[mask]\npatterns = []\n",
        "some": f'{POLICY}[mask]\npatterns = [["sex"]]\nkeep = ["sex"]\nfull_suppression = false\n', "k": POLICY.replace("k = 3", 'k = "three"'),
        "qi": 'quasi_identifiers = 3\nk = 3\n', "model": f"{POLICY}require = [{{l = 3}}]\n", "other": f"{POLICY}other = 3\n",
        "tree": f'{POLICY}[hierarchies]\njob = {{file = "job.csv", prefix = [2]}}\n', "tree_3": f"{POLICY}[hierarchies]\njob = 3\n",
        "tree_word": f"{POLICY}[hierarchies]\njob = {{prefix = [2], start = 1}}\n", "tree_cost": f'{POLICY}[hierarchies]\njob = {{file = "job.csv", cost = 1}}\n',
        "tree_list": f"{POLICY}[hierarchies]\njob = {{intervals = true}}\n", "falls": f'{POLICY}[hierarchies]\njob = {{file = "job.csv", level_costs = [1, 0]}}\n',
        "few": f'{POLICY}[hierarchies]\njob = {{file = "job.csv", level_costs = [1]}}\n', "both": f'{POLICY}[hierarchies]\njob = {{file = "job.csv", level_costs = [0, 1], node_costs = {{health = 1}}}}\n',
        "nowhere": f'{POLICY}[hierarchies]\njob = {{file = "job.csv", node_costs = {{{CANARY} = 1}}}}\n', "text_costs": f'{POLICY}[hierarchies]\njob = {{file = "job.csv", level_costs = "12"}}\n',
        "nodes": f'{POLICY}[hierarchies]\njob = {{file = "job.csv", node_costs = 3}}\n',
        "cells": f'cost = "cells"\n{POLICY}[hierarchies]\njob = {{file = "job.csv", level_costs = [0, 1]}}\n', "number": f'{POLICY}[hierarchies]\njob = {{file = "job.csv", level_costs = ["x", 1]}}\n',
        "huge": f"{POLICY}[weights]\nage = 99999999999999999999999999\n", "fine": f"{POLICY}[weights]\nage = 1e-30\nsex = 1e30\n", "job": f'{POLICY}[job]\nsolvr = "greedy"\n',
        "weight": f"{POLICY}weights = 3\n", "distance": f'{POLICY}sensitive = ["ill"]\nt = 0.5\nsensitive_distance = {{il = "equal"}}\n',
        "deep": "a = " + "[" * 2000 + "]" * 2000, "source": 'source = ["people.csv", 3]\n' + POLICY, "good": POLICY,
        "w_none": "", "w_key": '[[query]]\ncolumns = ["age"]\nrows = 3\n', "w_columns": '[[query]]\ncolumns = ["age", "age"]\n',
        "w_other": '[[query]]\ncolumns = ["ill"]\n', "w_target": '[[query]]\ncolumns = ["age"]\ntarget = "il"\n',
        "w_weight": '[[query]]\ncolumns = ["age"]\nweight = 0\n', "w_number": '[[query]]\ncolumns = ["age"]\ntarget = 3\n', "w_toml": "[[query\n",
    }  # fmt: skip
    return {f"{name}.toml": text for name, text in said.items()}


def hierarchies():
    """Hierarchies of the column job, and matrices of distances of the column ill."""
    jobs = "".join(line + "\n" for line in JOBS)
    return {
        "job.csv": jobs, "lacking.csv": "".join(line + "\n" for line in JOBS[1:]), "ragged_tree.csv": jobs + "x;y\n",
        "tree_twice.csv": jobs + jobs, "two_roots.csv": jobs + "x;y;z\n", "no_tree.csv": "nurse;a;x;*\ndoctor;a;y;*\nteacher;b;y;*\n",
        "no_lines.csv": "", "label.csv": jobs + f"{CANARY};nurse;*\n", "open.csv": jobs + f'"{CANARY};x;*\n', "other.csv": f"{CANARY};x;*\n",
        "blank_line.csv": jobs + ";;\n", "far.csv": ",flu,cold\nflu,0,1\ncold,1,0\n", "no_far.csv": f",flu,cold\nflu,0,{CANARY}\ncold,1,0\n",
        "far_names.csv": f",flu,cold\n{CANARY},0,1\ncold,1,0\n", "far_square.csv": ",flu,cold\nflu,0,1\n", "far_more.csv": ",flu\nflu,0\ncold,1\n",
        "far_long.csv": ",flu,cold\nflu,0,1,1\ncold,1,0\n", "far_twice.csv": ",flu,flu\nflu,0,1\nflu,1,0\n", "far_unnamed.csv": ",flu,\nflu,0,1\n,1,0\n",
        "far_none.csv": "\n", "far_fine.csv": ",flu,cold\nflu,0,1e-30\ncold,1e-30,0\n", "far_open.csv": f',flu,"{CANARY}\nflu,0,1\ncold,1,0\n',
        "far_4.csv": ",flu,cold\nflu,0,4\ncold,4,0\n", "far_negative.csv": ",flu,cold\nflu,0,-1\ncold,-1,0\n", "far_diagonal.csv": ",flu,cold\nflu,1,1\ncold,1,0\n",
        "far_skew.csv": ",flu,cold\nflu,0,1\ncold,0.5,0\n", "far_triangle.csv": ",flu,cold,gout\nflu,0,1,0.1\ncold,1,0,0.1\ngout,0.1,0.1,0\n",
        "ill.csv": f"flu;lungs;*\ncold;lungs;*\n{CANARY};joints;*\n", "ill_roots.csv": "flu;lungs;x\ncold;lungs;y\ngout;joints;x\n",
        "ill_ragged.csv": "flu;lungs;*\ncold;*\n", "ill_twice.csv": "flu;lungs;*\nflu;lungs;*\n", "ill_no_tree.csv": "flu;a;b;*\ncold;a;c;*\n",
    }  # fmt: skip


def tables():
    """Tables of texts."""
    return {
        "people.csv": PEOPLE, "same.csv": PEOPLE, "release.csv": RELEASE, "only_header.csv": HEAD, "empty.csv": "", "blank.csv": "\n\n",
        "doubled.csv": PEOPLE.replace("pay", "ill", 1), "unnamed.csv": PEOPLE.replace("age", "", 1), "ragged.csv": PEOPLE + f"{CANARY},2,3\n",
        "too_many.csv": PEOPLE + "1,2,3,4,5,6,7,8,9\n", "open_quote.csv": PEOPLE + f'{CANARY},"23,f\n', "headless.csv": PEOPLE[len(HEAD) :],
        "table.xyz": PEOPLE, "no_ending": PEOPLE, "stars.csv": PEOPLE.replace(",f,", ",*,"), "zero.csv": PEOPLE.replace(CANARY, CANARY + "\0", 1),
        "gaps.csv": PEOPLE.replace(",f,", ",,"), "numbers.csv": "n,d,s\n" + "".join(f"{i}e9{i % 9},2020-02-{31 - i % 2},x\n" for i in range(6)),
        "one.csv": "n,d,s\n7,2020-01-01,x\n7,2020-01-01,y\n", "long.csv": "n,s\n0.123456789012345678,x\n2,y\n", "inf.csv": "n,s\n1e308,x\n-1e308,y\n",
        "broken.jsonl": "\n".join(LINES) + f'\n{{"{CANARY}\n', "list.jsonl": '{"a": [1], "b": 1}\n{"a": [2], "b": 1}\n', "empty.jsonl": "",
        "array.jsonl": f'[{{"a": "{CANARY}"}}]\n', "value.jsonl": f'"{CANARY}"\n', "keys.jsonl": '{"a": 1}\n{"a": 2, "a": 3}\n', "bare.jsonl": "{}\n{}\n",
        "cert_no_json.json": "{", "cert_list.json": "[1, 2]", "cert_other.json": '{"certificate": "something else", "version": 1}',
        "cert_version.json": '{"certificate": "incrowd k-anonymity bound", "version": 99}', "cert_twice.json": '{"a": 1, "a": 2}', "cert_deep.json": "[" * 5000,
        "facts.json": json.dumps(FACTS), "facts_none.json": "{}", "facts_list.json": "[]", "facts_text.json": json.dumps(FACTS | {"policy": {}, "cost": True}),
        "sexes.txt": "f\nm\n", "one_sex.txt": "f\n", "sexes_twice.txt": "f\nm\nf\n", "no_sexes.txt": "",
    }  # fmt: skip


def write(folder: Path) -> None:
    """Write all of them."""
    for name, text in (tables() | hierarchies() | policies()).items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    packed = gzip.compress(PEOPLE.encode(), mtime=0)
    broken = {
        "fake.parquet": b"PAR1 not\n", "fake.arrow": b"no arrow", "fake.duckdb": b"nothing", "fake.csv.gz": b"not packed", "fake.xlsx": b"PK",
        "fake.sav": b"cut", "fake.dta": b"cut", "fake.xpt": b"cut", "cut.csv.gz": packed[:-9], "java.ahs": b"\xac\xed\x00\x05sr", "bytes.toml": b"\xff\xfe k",
        "latin.csv": PEOPLE.replace("nurse", "é").encode("latin-1"), "latin.jsonl": '{"a": "é"}\n'.encode("latin-1"), "latin_tree.csv": "é;x;*\n".encode("latin-1"),
        "far_latin.csv": ",é\né,0\n".encode("latin-1"), "cut.sqlite": b"SQLite format 3\0 cut", "latin.txt": "é\n".encode("latin-1"),
    }  # fmt: skip
    for name, content in broken.items():
        (folder / name).write_bytes(content)
    with duckdb.connect(folder / "two.duckdb") as base:
        base.execute("CREATE TABLE one AS SELECT 1 AS a; CREATE TABLE two AS SELECT 2 AS b")
    base = sqlite3.connect(folder / "lite.sqlite")
    base.execute("create table people (a text, b integer)")
    base.executemany("insert into people values (?, ?)", [(CANARY, 1), (1.5, 2)])
    base.execute("create table others (a text)")
    base.commit()
    base.close()
    dates = [datetime.date(1, 1, 1), None]
    pq.write_table(
        pa.table({"d": dates, "far": pa.array([0, 2**31 - 1], pa.date32()), "s": ["x", "y"]}), folder / "far.parquet"
    )
    pq.write_table(
        pa.table({"a": [[CANARY], ["y"]], "s": [{"p": 1}, None], "t": ["x", "y"]}), folder / "nested.parquet"
    )
    pq.write_table(
        pa.table({"n": [1.0, float("nan")], "t": ["x", "y"], "f": [float("inf"), 1.0]}), folder / "floats.parquet"
    )
    for place, columns in {"parts": ("a,b", "a,b"), "unlike": ("a,b", "a,c"), "kinds": ("a,b", "a,b")}.items():
        (folder / place).mkdir()
        for i, names in enumerate(columns):
            ending = "tsv" if place == "kinds" and i else "csv"
            (folder / place / f"{i}.{ending}").write_text(f"{names}\nx,y\nx,z\n")
    (folder / "typed").mkdir()
    for i, cells in enumerate(([1], ["1"])):
        pq.write_table(pa.table({"a": cells}), folder / "typed" / f"{i}.parquet")
    (folder / "nothing").mkdir()
    (folder / "folders" / "inside").mkdir(parents=True)
    (folder / "by" / "year=1").mkdir(parents=True)
    pq.write_table(pa.table({"a": [1]}), folder / "by" / "year=1" / "0.parquet")
    (folder / "folders" / "inside" / "0.csv").write_text("a\n1\n")
    import openpyxl

    book = openpyxl.Workbook()
    for row in (["a", "b"], [1, "x"], [CANARY, "y"]):
        book.active.append(row)
    doubled = book.create_sheet("doubled")
    for row in (["a", "b", "a"], [1, 2, 3]):
        doubled.append(row)
    gap = book.create_sheet("unnamed")
    for row in (["a", None, "c"], [1, 2, 3]):
        gap.append(row)
    book.create_sheet("bare")
    out = io.BytesIO()
    book.save(out)
    (folder / "book.xlsx").write_bytes(out.getvalue())
