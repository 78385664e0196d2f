"""Faults planted in what makers read: the wrong releases that come of them are never good for `incrowd.verify`.

The maker has the fault, and `verify` runs in the same process with it; `check` as a program reads everything by itself and
says whether the release is one.
"""

from __future__ import annotations

import csv
import dataclasses
import datetime
import decimal
import tomllib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tomli_w

import incrowd
from checkers import ask
from incrowd.policy import job as job_of_a_file
from incrowd.tables.engine.base import Engine
from incrowd.tables.formats import csv as csv_format
from incrowd.tables.hierarchy import specs, values
from incrowd.tables.mask import Mask
from incrowd.tables.mask.patterns import Patterns
from incrowd.tables.roles import Roles
from incrowd.tables.verify import second_reading

TREE = "Aachen;A;AB;*\nAalen;A;AB;*\nBonn;B;AB;*\nBorna;B;AB;*\nCelle;C;C;*\n"
JOBS = tomllib.loads(Path(__file__).with_name("planted.toml").read_text(encoding="utf-8"))


def changed(function, how):
    """The function, with what it returns changed."""
    return lambda *args, **more: how(function(*args, **more))


def relined(lines):
    """A fault of what is read from a hierarchy's file: its lines are others."""

    def other(*args, real=specs.HierarchyFile.load, **more):
        found = real(*args, **more)
        return dataclasses.replace(found, lines=tuple(lines(list(found.lines))))

    return lambda fault: fault.setattr(specs.HierarchyFile, "load", other)


def folded(lines):
    return [(line[0], *map(str.lower, line[1:])) for line in lines]


def scanned(how):
    """A fault of the engine's reading of CSV."""
    return lambda fault: fault.setattr(csv_format, "scan", changed(csv_format.scan, how))


def no_value(text):
    return lambda rows: rows.mutate(**{name: rows[name].nullif(text) for name in rows.columns if name != "row_key"})


FAULTS = {
    "labels are folded": ("towns", relined(folded)),
    "the last level is lost": ("lone towns", relined(lambda lines: [line[:-1] for line in lines])),
    "the first line has the labels of the third": (
        "towns", relined(lambda lines: [(lines[0][0], *lines[2][1:]), *lines[1:]]),
    ),
    "lines that are no tree pass": ("no tree", lambda fault: fault.setattr(values, "_parting", lambda given: [])),
    "a label for two sets passes": ("two sets", lambda fault: fault.setattr(values, "_ambiguous", lambda given: [])),
    "completed values go under the first labels": ("completed", lambda fault: fault.setattr(
        values.Hierarchy, "completed", lambda self, more: values.Hierarchy(
            lines=self.lines + tuple((value, *self.lines[0][1:]) for value in more)))),
    "the line NULL stands for the text": ("a missing town", lambda fault: fault.setattr(
        specs.Fitted, "shown", property(lambda self: list(self.hierarchy.lines)))),
    "a height is one less": ("lone towns", lambda fault: fault.setattr(
        specs.Fitted, "height", property(lambda self: self.hierarchy.height - 1))),
    "the last column is never changed": ("numbered", lambda fault: fault.setattr(
        Patterns, "reach", changed(Patterns.reach, lambda highest: (*highest[:-1], 0)))),
    "case of cells is folded": ("plain", lambda fault: fault.setattr(
        Engine, "text", changed(Engine.text, lambda text: text.lower()))),
    "cells are cut": ("towns", lambda fault: fault.setattr(
        Engine, "text", changed(Engine.text, lambda text: text.substr(0, 2)))),
    "a value is missing": ("plain", scanned(no_value("2"))),
    "rows are not read": ("plain", scanned(lambda rows: rows.filter(rows.row_key < 6))),
    "columns without a role are lost": ("towns", lambda fault: fault.setattr(
        Roles, "kept", lambda self, names: tuple(n for n in names if n in {*self.quasi_identifiers, *self.sensitive}))),
}  # fmt: skip


def made(job, tmp_path):
    """The files of a job: its original, where its release and certificate go, and its policy."""
    said = {"hierarchy": TREE, **JOBS[job], "policy": tomli_w.dumps(JOBS[job]["policy"])}
    for file, text in (("original.csv", "original"), ("policy.toml", "policy"), ("town.csv", "hierarchy")):
        (tmp_path / file).write_text(said[text], encoding="utf-8")
    return [tmp_path / file for file in ("original.csv", "release.csv", "policy.toml", "certificate.json")]


def judged(folder, certificate="certificate.json"):
    """The exit statuses of `verify` and of `check` as a program."""
    return ask.by_verify(folder, certificate).status, ask.told_by_second(folder, certificate)[0]


@pytest.mark.parametrize(("job", "words"), [
    pytest.param(job, words, id=f"{job}-{name}", marks=[pytest.mark.proofs] * (key == "again"))
    for job in JOBS for key in ("misread", "again") for name, words in JOBS[job].get(key, {}).items()
])  # fmt: skip
def test_verify_finds_what_comes_of_a_policy_that_makers_read_otherwise(job, words, tmp_path, monkeypatch):
    files = made(job, tmp_path)
    gone = {*words.get("not_written", ()), *(key for key, value in words.items() if value is False)}

    def other(found):
        return {key: value for key, value in {**found, **words}.items() if key not in gone | {"not_written"}}

    if "not_written" in words:
        monkeypatch.setattr(Mask, "to_dict", changed(Mask.to_dict, other))
    else:
        monkeypatch.setattr(job_of_a_file, "flat_settings", changed(job_of_a_file.flat_settings, other))
    incrowd.anonymize(files[0], policy=files[2], solver="exact", output=files[1], certificate=files[3])
    assert min(judged(tmp_path)) > 0


# of cells and rows: the table is read once, and `verify` reads it a second way
OF_THE_TABLE = ("case of cells is folded", "a value is missing", "rows are not read")


@pytest.mark.few(6, "a height is one less")
@pytest.mark.parametrize("name", FAULTS)
def test_what_a_planted_fault_makes_wrong_is_not_written_or_verify_finds_it(name, tmp_path, monkeypatch):
    job, plant = FAULTS[name]
    files = made(job, tmp_path)
    plant(monkeypatch)
    try:
        incrowd.anonymize(files[0], policy=files[2], solver="exact", output=files[1], certificate=files[3])
    except Exception:
        assert name not in OF_THE_TABLE and not files[1].exists()
        return  # it refuses its own release, or the table, or breaks off
    assert name in OF_THE_TABLE
    assert judged(tmp_path)[0] > 0, files[1].read_text()
    monkeypatch.setattr(second_reading, "MOST_IN_PYTHON", 0)  # as of a large file
    assert judged(tmp_path)[0] > 0


def test_a_file_that_no_other_reader_takes_is_said_to_be_read_in_one_way(tmp_path):
    files = made("plain", tmp_path)
    files[0].write_text("a,b,s\nx,1,p,\nx,1,q\n", encoding="utf-8")  # a line with an empty field too many
    incrowd.anonymize(files[0], policy=files[2], output=files[1])
    found = incrowd.verify(files[0], files[1], policy=files[2])
    assert (list(found), found.notes) == ([], ("what cells 'original.csv' holds was read in one way only",))


@pytest.mark.few(2)
@pytest.mark.parametrize("job", [name for name in JOBS if name not in ("no tree", "two sets")])
def test_without_a_fault_the_same_jobs_are_good(job, tmp_path):
    files = made(job, tmp_path)
    incrowd.anonymize(files[0], policy=files[2], solver="exact", output=files[1])
    assert judged(tmp_path, None) == (0, 0)


DAY, NOON = datetime.date(2020, 2, 29), datetime.datetime(1969, 12, 31, 12, 0, 0, 500000)
TYPED = {
    "f": (0.1, 0.1, 0.30000000000000004, 0.3, float("nan"), None, -0.0, 0.0, 1e16, 1e16),
    "n": (1, 1, None, 2**53 + 1, 2, 2, 3, 3, -4, -4), "b": (True,) * 8 + (None, False),
    "d": (DAY,) * 6 + (None,) * 4, "t": (NOON,) * 5 + (datetime.datetime(2020, 2, 29),) * 5,
    "m": (decimal.Decimal("1.50"),) * 8 + (decimal.Decimal("-0.05"),) * 2, "o": ("x", "", "a,b", 'q"', None) * 2,
}  # fmt: skip


def spelled(cell):
    """A cell as Python spells it."""
    if isinstance(cell, float):
        return "" if cell != cell else repr(cell + 0.0)
    if isinstance(cell, datetime.datetime):
        return cell.isoformat().rstrip("0") if cell.microsecond else cell.isoformat()
    return "" if cell is None else str(cell).lower()


@pytest.mark.few(2)
@pytest.mark.parametrize("fault", ["", "floats lose digits", "NaN is a value and -0 is not 0"])
def test_typed_cells_are_spelled_as_python_spells_them(fault, tmp_path, monkeypatch):
    pq.write_table(pa.table({name: list(cells) for name, cells in TYPED.items()}), tmp_path / "typed.parquet")
    with (tmp_path / "original.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([TYPED, *(map(spelled, row) for row in zip(*TYPED.values(), strict=True))])
    (tmp_path / "policy.toml").write_text(f"quasi_identifiers = {list(TYPED)[:-1]}\nk = 2\nheader = true\n")
    real = Engine.text
    if fault.startswith("floats"):
        monkeypatch.setattr(
            Engine, "text", lambda self, cells: real(self, cells.round(1) if cells.type().is_floating() else cells)
        )
    elif fault:
        monkeypatch.setattr(Engine, "plain", lambda self, cells: cells)
    incrowd.anonymize(
        tmp_path / "typed.parquet", policy=tmp_path / "policy.toml", solver="exact", output=tmp_path / "release.csv",
        certificate=tmp_path / "certificate.json",
    )  # fmt: skip
    found = judged(tmp_path)
    assert min(found) > 0 if fault else found == (0, 0)
