"""Tables of over a hundred columns open, are counted, grouped and released as narrow ones are."""

from __future__ import annotations

import csv
import io
import json
import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from web import conftest as app

root, server, visitor = app.root, app.server, app.visitor
WIDTH, ROWS = 130, 40
NAMES = [f"c{i}" for i in range(WIDTH)]


def rows(seed=0):
    draw = random.Random(seed)
    return [[draw.choice("abc") for _ in NAMES] for _ in range(ROWS)]


def text_of(lines):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([NAMES, *lines])
    return out.getvalue()


@pytest.fixture
def wide(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text(text_of(rows()))
    return path


@pytest.mark.proofs
def test_a_policy_is_proposed_for_130_columns(run, wide):
    code, out, err = run("init", wide)
    assert code == 0, err
    assert f'"{NAMES[-1]}"' in out


@pytest.mark.proofs
def test_the_app_opens_130_columns(visitor):
    page = visitor.text(visitor.opened("wide.csv", text_of(rows()).encode()) + "/columns")
    assert all(f'"{name}"' in page or f">{name}<" in page for name in ("c0", "c128", "c129"))


@pytest.mark.few(1)
@pytest.mark.parametrize(("kind", "width"), [("csv", 24), ("csv", WIDTH), ("parquet", 128)])
def test_an_audit_takes_hundreds_of_quasi_identifiers(run, tmp_path, wide, kind, width):
    lines = [*rows(), rows()[0]]
    if kind == "csv":
        wide.write_text(text_of(lines))
    else:  # numbers, which the engine does not hold as places in a list of texts
        numbers = {name: [ord(line[j]) for line in lines] for j, name in enumerate(NAMES)}
        wide = tmp_path / "wide.parquet"
        pq.write_table(pa.table(numbers), wide)
    asked = ("--k", "2", "--qi", ",".join(NAMES[-width:]), "--outliers", "suppress")
    code, out, err = run("audit", wide, *asked, "--json")
    assert code in (0, 1), err
    facts = json.loads(out)
    assert len(facts["columns"]) == width
    assert facts["unique_rows"] == ROWS - 1
    for j in (-width, -20, -1):
        assert facts["columns"][j]["distinct"] == len({line[j] for line in lines})


@pytest.mark.few(1)
@pytest.mark.parametrize("width", [12, WIDTH])
def test_130_columns_are_released_and_a_hierarchy_is_made_of_the_last(run, tmp_path, wide, width):
    assert run("hierarchy", "c129", wide, "--prefix", "-o", "h.csv")[0] == 0
    asked = ("--k", "2", "--qi", ",".join(NAMES[-width:]), "--hierarchy", "c129=h.csv", "--solver", "greedy")
    code, _, err = run("anonymize", wide, *asked, "-o", "out.csv")
    assert code == 0, err
    with (tmp_path / "out.csv").open(newline="") as file:
        names, *released = csv.reader(file)
    assert names == NAMES
    assert len(released) == ROWS
    shown = [line[-width:] for line in released]
    assert min(shown.count(line) for line in shown) >= 2
