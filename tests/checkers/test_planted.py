"""Faults planted in what makers read: the wrong releases that come of them are never good for `incrowd.verify`.

The maker has the fault, and `verify` runs in the same process with it; `check` as a program reads everything by itself and
says whether the release is one.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io

import pytest

import incrowd
from incrowd.check.command import main as second
from incrowd.errors import IncrowdError
from incrowd.tables.engine.base import Engine
from incrowd.tables.formats import csv as read_csv
from incrowd.tables.hierarchy import specs, values
from incrowd.tables.mask.patterns import Patterns
from incrowd.tables.roles import Roles

TREE = "Aachen;A;AB;*\nAalen;A;AB;*\nBonn;B;AB;*\nBorna;B;AB;*\nCelle;C;C;*\n"
JOBS = {  # original, policy, hierarchy
    "towns": (
        "town,o\nAachen,0\nAalen,1\nAalen,2\nBonn,0\nBonn,1\nCelle,2\nCelle,0\n",
        'quasi_identifiers = ["town"]\nk = 2\nhierarchies = {town = "town.csv"}\n', TREE,
    ),
    "lone towns": (
        "town\nAachen\nBonn\nCelle\nCelle\n", 'quasi_identifiers = ["town"]\nk = 2\nhierarchies = {town = "town.csv"}\n', TREE,
    ),
    "a missing town": (
        "town\nAachen\nAalen\n\nCelle\nCelle\n", 'quasi_identifiers = ["town"]\nk = 2\nhierarchies = {town = "town.csv"}\n[read]\nheader = true\n',
        f"{TREE}NULL;N;N;*\n",
    ),
    "completed": (
        "town,age\nAachen,21\nUlm,21\nBonn,34\nBonn,34\n",
        'quasi_identifiers = ["town", "age"]\nk = 2\ncomplete_hierarchies = true\nhierarchies = {town = "town.csv"}\n', TREE,
    ),
    "no tree": (
        "a,b\np,1\nq,1\nr,1\nt,1\np,2\nq,2\n", 'quasi_identifiers = ["a", "b"]\nk = 2\nhierarchies = {a = "town.csv"}\n',
        "p;g;U;*\nq;g;V;*\nr;h;V;*\nt;h;U;*\n",
    ),
    "two sets": (
        "a,b\np,1\nq,1\nr,1\nt,1\np,2\nq,2\n", 'quasi_identifiers = ["a", "b"]\nk = 2\nhierarchies = {a = "town.csv"}\n',
        "p;g;h;*\nq;g;h;*\nr;h;k;*\nt;h;k;*\n",
    ),
    "plain": (
        "a,b,s\nx,1,p\nX,1,q\nx,2,p\ny,2,q\n0,3,p\nNA,3,q\nx,2,p\n",
        'quasi_identifiers = ["a", "b"]\nsensitive = ["s"]\nk = 2\n[read]\nheader = true\n', None,
    ),
}  # fmt: skip


def changed(function, how):
    """The function, with what it returns changed."""
    return lambda *args, **more: how(function(*args, **more))


def relined(lines):
    """A fault of what is read from a hierarchy's file: its lines are others."""

    def other(*args, real=specs.read_hierarchy, **more):
        found = real(*args, **more)
        return dataclasses.replace(found, lines=tuple(lines(list(found.lines))))

    return lambda fault: fault.setattr(specs, "read_hierarchy", other)


def folded(lines):
    return [(line[0], *map(str.lower, line[1:])) for line in lines]


def scanned(how):
    """A fault of the engine's reading of CSV."""
    return lambda fault: fault.setattr(read_csv, "scan", changed(read_csv.scan, how))


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
        specs.Fitted, "shown", lambda self: list(self.hierarchy.lines))),
    "a height is one less": ("lone towns", lambda fault: fault.setattr(
        specs.Fitted, "height", property(lambda self: self.hierarchy.height - 1))),
    "the last column is never changed": ("plain", lambda fault: fault.setattr(
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


def written(job, folder):
    """Write what a job is about; the places of all its files."""
    for file, text in zip(("original.csv", "policy.toml", "town.csv"), JOBS[job], strict=True):
        if text is not None:
            (folder / file).write_text(text, encoding="utf-8")
    return [folder / file for file in ("original.csv", "release.csv", "policy.toml", "certificate.json")]


@pytest.mark.few(7)
@pytest.mark.parametrize("name", FAULTS)
def test_verify_finds_what_a_planted_fault_makes_wrong(name, tmp_path, monkeypatch):
    job, plant = FAULTS[name]
    files = written(job, tmp_path)
    plant(monkeypatch)
    try:
        incrowd.anonymize(files[0], policy=files[2], solver="exact", output=files[1], certificate=files[3])
    except Exception:
        return  # it refuses its own release, or the table, or breaks off
    try:
        found = incrowd.verify(files[0], files[1], policy=files[2], certificate=files[3])
    except IncrowdError:
        return
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        status = second(list(map(str, files)))
    assert bool(found) >= (status != 0), (status, files[1].read_text())


@pytest.mark.parametrize("job", [name for name in JOBS if name not in ("no tree", "two sets")])
def test_without_a_fault_the_same_jobs_are_good(job, tmp_path):
    files = written(job, tmp_path)[:3]
    incrowd.anonymize(files[0], policy=files[2], solver="exact", output=files[1])
    assert list(incrowd.verify(files[0], files[1], policy=files[2])) == []
    with contextlib.redirect_stdout(io.StringIO()):
        assert second(list(map(str, files))) == 0
