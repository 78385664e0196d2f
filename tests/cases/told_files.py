"""The tables of `told.txt`: small enough for a pencil, and one that is large enough for every part of a report."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

ILLS = ("flu", "cold", "gout", "flu", "burn", "flu")


def patients(n=240):
    """A table of many row types: numbers, codes, dates, missing values, a column that follows another."""
    lines = ["id,age,sex,zip,born,ill,bmi"]
    for i in range(n):
        age = 20 + (i * 7 + i // 13) % 40
        zip_code = f"{1 + i % 3}0{i // 5 % 4}{i % 2}{i % 7}" if i % 60 else ""
        born = f"{1980 - age}-{1 + i % 12:02}-{1 + i % 28:02}"
        lines.append(f"p{i},{age},{'fm'[i * i % 3 % 2]},{zip_code},{born},{ILLS[i // 7 % 6]},{18 + i % 9}")
    return "\n".join(lines) + "\n"


SIX = "a,b,free\nx,p,0\nx,p,1\nx,p,2\nx,p,3\ny,p,4\nz,p,5\n"
EIGHT = "age,sex,ill\n20,f,flu\n20,f,cold\n30,f,flu\n30,m,flu\n40,m,cold\n40,m,cold\n50,m,flu\n50,f,flu\n"
TREE = "20;young;*\n30;young;*\n40;old;*\n50;old;*\n"
POLICY = 'quasi_identifiers = ["age", "sex"]\nsensitive = ["ill"]\nk = 2\n[hierarchies]\nage = "age.csv"\n[job]\nsolver = "exact"\n'
FACTS = {"k": 2, "quasi_identifiers": ["age", "sex"], "cost": 3, "lower_bound": 3, "optimal": True, "settled": True}
WORK = '[[query]]\ncolumns = ["age"]\n[[query]]\ncolumns = ["age", "sex"]\nweight = 2\ntarget = "ill"\n'


def write(folder: Path) -> None:
    """Write all of them."""
    texts = {
        "six.csv": SIX, "eight.csv": EIGHT, "patients.csv": patients(), "age.csv": TREE, "policy.toml": POLICY, "work.toml": WORK,
        "sexes.txt": "f\nm\nx\n",
        "moved.csv": "age,sex,ill\n*,f,flu\n*,f,cold\n30,*,flu\n30,*,flu\n40,m,cold\n40,m,gout\n50,m,flu\n50,m,flu\n",
        "days.csv": "day,code,n,x\n2021-03-05,A41.9,17,-1\n1999-12-31,I10,90,2.5\n2021-03-06,E11,3,0\n2020-02-29,A01,42,10\n",
        # three people whose second value is hidden, while the class that shows f there exists
        "three.csv": "age,sex,ill\n31,f,flu\n31,f,cold\n31,*,cold\n31,*,flu\n31,*,cold\n47,m,flu\n47,m,cold\n", "two.txt": "f\nm\n",
        "seven.csv": "age,sex,ill\n31,f,flu\n31,f,cold\n31,m,cold\n31,m,flu\n31,m,cold\n47,m,flu\n47,m,cold\n",
        "other.csv": "age,sex,ill\n31,f,flu\n31,f,cold\n31,f,cold\n31,x,flu\n31,m,cold\n47,m,flu\n47,m,cold\n",
        "three.json": json.dumps(FACTS),
    }  # fmt: skip
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
