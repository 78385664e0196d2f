"""Tampered releases and certificates of whole files before all three checkers, and before a judge that tries everything.

Tables have six to eight rows (`oracles/released`); a release is good if rows can be paired, classes counted and
requirements met by their definitions, and costs at least what the best of all releases does.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import random
import tempfile
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path

import numpy as np

import incrowd
from checker import page_script
from checker.red_cases import second
from checker.red_changes import as_if_for, changed, claimed, garbled, wrapping
from incrowd.cli.main import main
from incrowd.errors import IncrowdError
from oracles import released
from oracles.released import QUASI, STARRED, written

SOLVERS = ("exact", "exact", "greedy", "improve", "auto")
TURNS_A_TABLE = 150
NOTHING = dict.fromkeys(("proven", "cost", "lower_bound"))


class Job:
    """A table, its policy, a release and what certifies it, on the disk; and the checkers' answers."""

    def __init__(self, folder, asked, solver):
        self.folder, self.asked, self.files = folder, asked, {}
        folder.mkdir()
        policy = incrowd.Job().replace(**released.save(asked, folder)).policy
        policy.save(folder / "policy.toml")
        incrowd.anonymize(
            folder / "original.csv", policy=folder / "policy.toml", output=folder / "release.csv",
            certificate=folder / "certificate.json", solver=solver, time_limit=10,
        )  # fmt: skip
        self.lines = (folder / "release.csv").read_text(encoding="utf-8").splitlines()
        path = folder / "certificate.json"
        self.certificate = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

    @property
    def cells(self):
        return [[cell if cell else None for cell in line] for line in csv.reader(self.lines)]

    def by_check(self, release, certificate):
        try:
            found = incrowd.verify(
                self.folder / "original.csv", release, policy=self.folder / "policy.toml", certificate=certificate
            )  # fmt: skip
        except IncrowdError:
            return 2, NOTHING
        if certificate is None:
            return int(bool(found)), NOTHING
        return int(bool(found)), {name: getattr(found, name) for name in NOTHING}

    def by_command(self, release, certificate):
        """The exit status of `incrowd verify`."""
        given = [
            str(self.folder / "original.csv"),
            str(release),
            "--policy",
            str(self.folder / "policy.toml"),
            "--quiet",
        ]
        given += ["--certificate", str(certificate)] if certificate else []
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                main(["verify", *given])
        except SystemExit as status:
            return status.code or 0

    def by_second(self, release, certificate):
        given = [
            str(self.folder / "original.csv"),
            str(release),
            "--policy",
            str(self.folder / "policy.toml"),
            "--json",
        ]
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            status = second.main([*given, *(["--certificate", str(certificate)] if certificate else [])])
        said = json.loads(out.getvalue()) if status < 2 else {}
        return status, facts(said)

    def by_page(self, release, certificate):
        more = {"certificate": certificate} if certificate else {}
        found = page_script.page().checked(
            original=self.folder / "original.csv", release=release, policy=self.folder / "policy.toml", **more,
            others=[self.folder / f"{name}.csv" for name in self.asked.lines],
        )  # fmt: skip
        said = found["facts"] or {}
        status = ("good", "violation", "unreadable").index(found["verdict"])
        return status, facts({"lower_bound": said["bound"], **said} if said and status < 2 else {})


def facts(said):
    """Proven, cost and bound as numbers."""
    numbers = {name: None if said.get(name) is None else Fraction(said[name]) for name in ("cost", "lower_bound")}
    return {"proven": said.get("proven"), **numbers}


# --- releases --------------------------------------------------------------------------------------------------------


def of_cells(rows, asked, rng, others):
    """One cell or more changed: for one of another row, a star, a value shown again, a label, what nobody had."""
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        a, b, j = rng.randrange(1, len(rows)), rng.randrange(1, len(rows)), rng.randrange(len(rows[0]))
        what = rng.choice(
            ["cell", "star", "swap", "swap below", "shown", "label", "invented", "empty", "case", "blank"]
        )
        if what == "cell":
            rows[a][j] = rows[b][j]
        elif what == "star":
            rows[a][j] = asked.star
        elif what == "swap":
            rows[a][j], rows[b][j] = rows[b][j], rows[a][j]
        elif what == "swap below":
            rows[a][j:], rows[b][j:] = rows[b][j:], rows[a][j:]
        elif what == "shown" and j < len(QUASI):
            rows[a][j] = rng.choice(asked.rows)[j]
        elif what == "label" and j < len(QUASI) and QUASI[j] in asked.lines:
            rows[a][j] = rng.choice(rng.choice(asked.lines[QUASI[j]]))
        elif what == "invented":
            rows[a][j] = rng.choice(["made up", "0", "**", "NULL", "null", "nan", "\0", "é", "=1+1", "*?"])
        elif what == "empty":
            rows[a][j] = None
        elif what == "case" and rows[a][j]:
            rows[a][j] = rows[a][j].upper() if rows[a][j].islower() else rows[a][j].lower()
        elif what == "blank" and rows[a][j]:
            rows[a][j] = rng.choice([" {}", "{} ", "0{}", "{}.0", "{}\u00a0"]).format(rows[a][j])
    return rows


def of_rows(rows, asked, rng, others):
    """Rows gone, doubled, one for another, all in another order, or many at once."""
    for _ in range(rng.choice([1, 1, 2])):
        if len(rows) < 3:
            break
        a, b = rng.randrange(1, len(rows)), rng.randrange(1, len(rows))
        what = rng.choice(["gone", "doubled", "instead", "order", "half", "twice", "quasi", "original"])
        if what == "gone":
            del rows[a]
        elif what == "doubled":
            rows.append(list(rows[a]))
        elif what == "instead":
            rows[a] = list(rows[b])
        elif what == "quasi":
            rows[a][: len(QUASI)], rows[b][: len(QUASI)] = rows[b][: len(QUASI)], rows[a][: len(QUASI)]
        elif what == "order":
            rows[1:] = rng.sample(rows[1:], len(rows) - 1)
        elif what == "half":
            del rows[max(len(rows) // 2, 2) :]
        elif what == "twice":
            rows += [list(row) for row in rows[1:]]
        else:  # as it was before
            rows[a][: len(QUASI)] = rng.choice(asked.rows)[: len(QUASI)]
    return rows


def of_columns(rows, asked, rng, others):
    """A column gone, doubled, renamed, moved or new, or a row of another length."""
    j, what = (
        rng.randrange(len(rows[0])),
        rng.choice(["gone", "doubled", "renamed", "moved", "new", "ragged", "header"]),
    )
    if what == "gone":
        return [row[:j] + row[j + 1 :] for row in rows]
    if what == "doubled":
        return [[*row, row[j]] for row in rows]
    if what == "renamed":
        rows[0][j] = rng.choice(["another", rows[0][j].upper(), rows[0][j - 1], f" {rows[0][j]}", None])
    elif what == "moved":
        to = rng.randrange(len(rows[0]))
        for row in rows:
            row.insert(to, row.pop(j))
    elif what == "new":
        return [[*row, "new" if r == 0 else "x"] for r, row in enumerate(rows)]
    elif what == "ragged":
        a = rng.randrange(1, len(rows))
        rows[a] = rows[a][:-1] if rng.random() < 0.5 else [*rows[a], "x"]
    else:
        return rows[1:]
    return rows


def of_others(rows, asked, rng, others):
    """A good release of this table under another policy, or of another table."""
    if others and rng.random() < 0.15:
        return rng.choice(others).cells
    k = rng.choice([1, 2, 2, 3, asked.said["k"]])
    star, by = asked.star, defaultdict(list)
    mask = rng.choice(released.MASKS)
    other = released.Asked(asked.rows, asked.said | {"mask": mask, "k": k}, asked.lines)
    for options in other.options:  # one vector for all, or the cheapest that leaves everybody a crowd
        for vector, (cells, _) in options.items():
            by[vector, cells].append(vector)
    kept, found = len(asked.names), [list(asked.names)]
    for row, options in zip(asked.rows, other.options, strict=True):
        some = [cells for vector, (cells, _) in options.items() if len(by[vector, cells]) >= k]
        cells = rng.choice(some[:3]) if some else (STARRED,) * len(QUASI)
        found.append([*written(cells, star), *row[len(QUASI) : kept]])
    return found


RELEASES = {"cells": of_cells, "rows": of_rows, "columns": of_columns, "of another policy": of_others}


def text_of(rows, rng):
    """The file's text; now and then written in another way."""
    out = io.StringIO()
    turn = rng.random()
    end = "\r\n" if turn < 0.03 else "\n"
    csv.writer(out, lineterminator=end, quoting=csv.QUOTE_ALL if 0.03 <= turn < 0.05 else csv.QUOTE_MINIMAL).writerows(
        rows
    )
    text = out.getvalue()
    return f"\ufeff{text}" if 0.05 <= turn < 0.07 else text + end if 0.07 <= turn < 0.09 else text, turn >= 0.09


# --- one after the other ---------------------------------------------------------------------------------------------


def jobs(rng, folder):
    """Jobs on drawn tables, without end."""
    number = 0
    while True:
        number += 1
        asked = released.drawn(rng)
        solver = rng.choice(SOLVERS)
        if asked.said["k"] == 2 and rng.random() < 0.4:
            solver = "matching"
            asked.said["require"] = [] if rng.random() < 0.5 else ["l-diversity l=2 column=ill"]
        with contextlib.suppress(IncrowdError):
            yield Job(folder / f"job{number}", asked, solver)


def certificate_for(job, rng, others, cost_known):
    """A certificate to lay beside a release: none, its own, or one that was changed; the kind of change."""
    own, turn = job.certificate, rng.random()
    if own is None or turn < (0.5 if cost_known else 0.1):
        return None, ""
    if turn < 0.6:
        return json.dumps(own), ""
    source = np.random.default_rng(rng.randrange(2**63))
    other = rng.choice([job, *others]).certificate or own
    what = rng.choice(["places", "places", "places", "text", "wrapping", "another's", "version", "claims"])
    if what == "text":
        return garbled(own, source), "certificate"
    made = changed(own, other, source)[0] if what in ("places", "version") else own
    if what == "wrapping":
        made = wrapping(own, source)
    elif what == "another's":
        made = as_if_for(other, own) if rng.random() < 0.7 else other
    elif what == "version":
        made = made | {
            "version": rng.choice([1, 2, 3]),
            "requirements": rng.choice([[], job.asked.said.get("require", [])]),
        }
    if what == "claims" or rng.random() < 0.3:
        made = claimed(made, made["cost"] if type(made.get("cost")) is int else 1)
    return json.dumps(made), "certificate"


class Tally:
    """What became of the releases, by kind."""

    def __init__(self):
        self.rows, self.bad = defaultdict(Counter), []

    def add(self, kind, name, *told):
        self.rows[kind][name] += 1
        if told:
            self.bad.append((kind, name, *told))


def held(job, kind, rows, tally, rng, every, page, others):
    """Let all look at one release, and compare."""
    text, plainly = text_of(rows, rng)
    release, path = job.folder / "bad.csv", job.folder / "bad.json"
    release.write_text(text, encoding="utf-8", newline="")
    claims, what = certificate_for(job, rng, others, kind != "untouched")
    if claims is not None:
        path.write_text(claims, encoding="utf-8", newline="")
    given = release, path if claims is not None else None
    kind = what or kind
    said = {"second": answered(job.by_second, *given)}
    if page:
        said["page"] = answered(job.by_page, *given)
    tally.rows[kind]["tried"] += 1
    fits = job.asked.good([cell or "" for cell in rows[0]], [tuple(row) for row in rows[1:]])
    doubt = len({answer[0] for answer in said.values()}) > 1 or (
        claims is None and plainly and (said["second"][0] == 0) != fits
    )
    if tally.rows[kind]["tried"] % every == 0 or doubt:
        tally.add(kind, "by verify")
        said["check"] = answered(job.by_check, *given)
        if tally.rows[kind]["by verify"] % 4 == 1:
            said["command"] = job.by_command(*given), said["check"][1]
    first = said.get("check", said["second"])
    tally.add(kind, ("good", "violation", "unreadable", "errors")[first[0]])
    for name, again in said.items():
        shown = name, again, first, job.asked, text, claims
        if again[0] == 3:
            tally.add(kind, "errors", *shown)
        elif again != first:
            tally.add(kind, "differ", *shown)
        if again[0] == 0 and not fits:
            tally.add(kind, "accepted", *shown)
        if again[0] == 1 and claims is None and fits and plainly:
            tally.add(kind, "refused", *shown)
        if again[0] == 0 and claims is not None and again[1]["lower_bound"] > job.asked.least:
            tally.add(kind, "above", *shown)


def answered(ask, *given):
    """The answer; an error is one of its own."""
    try:
        return ask(*given)
    except Exception as error:
        if ask.__name__ == "by_page":
            page_script.page.cache_clear()
        print(f"    {ask.__name__}: {type(error).__name__}: {error}", flush=True)
        return 3, NOTHING


COLUMNS = ("tried", "by verify", "good", "violation", "unreadable", "differ", "accepted", "refused", "above", "errors")


def table(number, every, seed, page, turns=TURNS_A_TABLE, progress=True, made=jobs, ways=RELEASES):
    """Print the table of releases; return how often something was wrong."""
    rng, tally, others = random.Random(seed), Tally(), []
    with tempfile.TemporaryDirectory() as folder:
        done = shown = 0
        for job in made(rng, Path(folder)):
            held(job, "untouched", job.cells, tally, rng, every, page, others)
            done += 1
            for _ in range(min(turns, number - done)):
                kind = rng.choice([*ways, "cells", "rows", "untouched"])
                rows = job.cells if kind == "untouched" else ways[kind](job.cells, job.asked, rng, others)
                held(job, kind, rows, tally, rng, every, page, others)
                done += 1
            others = [job, *others[:4]]
            if progress and done // 500 > shown:
                shown = done // 500
                print(f"    {done:,} of {number:,}", flush=True)
                show(tally)
            if done >= number:
                break
    show(tally)
    some = Counter()
    for kind, name, who, again, first, asked, text, claims in tally.bad:
        some[name] += 1
        if some[name] <= 4:
            print(
                f"    {name} ({kind}), {who}: {again}, {first}\n    {asked.said}\n    {asked.rows}\n    {asked.lines}"
            )
            print(f"    {text!r}\n    {claims}", flush=True)
    return len(tally.bad)


def show(tally):
    """Print the table as far as it is."""
    print(f"{'releases':<22}" + "".join(f"{name:>{max(len(name), 6) + 2}}" for name in COLUMNS))
    total = sum(tally.rows.values(), Counter())
    for kind, row in [*sorted(tally.rows.items()), ("all", total)]:
        print(f"{kind:<22}" + "".join(f"{row[name]:>{max(len(name), 6) + 2}}" for name in COLUMNS), flush=True)
