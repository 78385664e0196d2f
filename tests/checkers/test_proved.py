"""`incrowd verify --proved`: the program extracted from the theorems on the corpus, on drawn and on tampered certificates.

It proves no more than the least cost, accepts no release that is none, and says why where it does not read a question.
"""

from __future__ import annotations

import fcntl
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import pyarrow as pa
import pytest

import incrowd
from checkers import ask, corpus
from checkers.ask import ROOT
from checkers.corpus import ENTRIES, EXAMPLES
from checkers.needed import REQUIRED
from checkers.test_drawn import drawn
from seeds import seeds

NOT_READ = "the program reads all requirements but enhanced beta-likeness and delta-disclosure"
WHY = {  # what the program does not read; all else it does
    **dict.fromkeys((name for name in [*ENTRIES, "example: one recoding"] if "one recoding" in name), "a bound for one recoding of the whole table"),
    "model: enhanced beta": NOT_READ, "model: delta-disclosure": NOT_READ,
    "NULL among NULLs": "stars are NULL beside missing values", "example: gaps": "stars are NULL beside missing values",
}  # fmt: skip
LOWER = "the program proves a lower bound than is claimed"


@pytest.fixture(scope="session")
def program():
    """The program, built where there is OCaml; where all programs are required its absence fails."""
    zarith = shutil.which("ocamlfind") and subprocess.run(["ocamlfind", "query", "zarith"], capture_output=True)
    if not zarith or zarith.returncode:
        assert not REQUIRED, "OCaml with Zarith is missing, and INCROWD_REQUIRED asks for it"
        pytest.skip("OCaml with Zarith is missing: the program that is proved is not built here")
    build = ROOT / "theorems" / "_build"
    build.mkdir(exist_ok=True)
    with (build / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run(["make", "-C", str(ROOT / "theorems")], check=True, capture_output=True)
    return str(build / "incrowd-proved")


@pytest.fixture
def built(program, monkeypatch):
    monkeypatch.setenv("INCROWD_PROVED", program)


def proved(folder, **more):
    """What the check says with the program's word beside it."""
    return ask.verified(folder, proved=True, **more)


SOME = ("components", "tree", "cut C", "ranges", "requirements", "matching", "one recoding")
HERE = ["model: delta-disclosure", "four models", "models of many values", "one recoding without stars", *(f"example: {name}" for name in SOME)]  # fmt: skip
NAMES = [*ENTRIES, *(f"example: {name}" for name in EXAMPLES)]


@pytest.mark.parametrize("name", [
    name if name in HERE else pytest.param(name, marks=pytest.mark.proofs) for name in NAMES
])  # fmt: skip
def test_true_releases_are_accepted_and_their_bounds_proved(name, built, tmp_path):
    if name in ENTRIES:
        folder = corpus.copied(name, tmp_path)
    else:
        folder = corpus.example(name.removeprefix("example: "), tmp_path)
    found = proved(folder)
    assert list(found) == []
    if name in WHY:
        assert (found.proved.holds, found.proved.lower_bound) == (False, None)
        assert found.proved.why.startswith(WHY[name])
        return
    question = ENTRIES[name].question if name in ENTRIES else corpus.example_question(name.removeprefix("example: "))
    if name not in ENTRIES or ENTRIES[name].tiny:
        assert found.proved.lower_bound <= question.least
    assert found.proved.holds is (found.proven and found.proved.why == "")
    assert found.proved.why in ("", LOWER)
    assert found.proved.why == "" or not found.proven or "requirement" in corpus.question_of(ask.certificate_of(folder))


@pytest.mark.parametrize(
    "kind", ["prices", "components", "trees", "cuts", "ranges", "requirements", "requirement trees"]
)
@seeds(150, 1)
def test_what_any_numbers_prove_is_no_more_than_the_least_cost_and_what_the_check_says(kind, seed, built, tmp_path):
    """Where the check finds the claims good; under a mask or requirements the program may find more or less."""
    rng = random.Random(f"proved {kind} {seed}")
    folder = tmp_path / str(seed)
    entry, _ = drawn(kind, rng, folder)
    said = ask.by_second(folder)
    if said.status or (entry.said.get("suppressed") == "null"):
        return
    found = proved(folder)
    if found.proved.lower_bound is None:
        assert found.proved.why
        return
    assert entry.question.least is None or found.proved.lower_bound <= entry.question.least
    if kind in ("prices", "components"):
        assert found.proved.lower_bound == said.bound
    elif kind in ("trees", "cuts"):
        assert found.proved.lower_bound >= said.bound or found.proved.why == LOWER


def people(seed=3, rows=60):
    r = random.Random(seed)
    columns = (("a", "pqrst"), ("b", "uvwx"), ("c", "lmn"), ("s", "fgh"))
    return pa.table({name: [r.choice(values) for _ in range(rows)] for name, values in columns})


POLICY = {"quasi_identifiers": ["a", "b", "c"], "sensitive": ["s"], "k": 3}


def test_the_certificate_of_another_release_proves_nothing(built):
    original, more = people(), {"suppressed": "null"}
    good = incrowd.anonymize(original, solver="exact", **(POLICY | more))
    bad = incrowd.anonymize(original, solver="mondrian", **(POLICY | more))
    assert bad.cost > good.cost
    found = incrowd.verify(original, bad.table, certificate=good.certificate(), proved=True, **(POLICY | more))
    assert found.proved.holds is False
    assert found.proved.why == "the release or its certificate was found wrong before"


def test_a_bound_that_needs_its_trees_and_cuts_is_proved_with_them_alone(built, tmp_path):
    folder = corpus.example("tree", tmp_path)
    whole = proved(folder)
    ask.save(folder, ask.certificate_of(folder) | {"trees": [], "proof": "solver", "lower_bound_checked": 0})
    bare = proved(folder)
    assert (whole.proved.holds, bare.proved.holds, bare.proved.why) == (True, False, LOWER)
    assert bare.proved.lower_bound < whole.proved.lower_bound == whole.cost


@pytest.mark.few(1)
@pytest.mark.parametrize(("values", "c"), [(1, 1.5), (2, 3)])
def test_releases_under_recursive_diversity_are_accepted(built, values, c):
    """Where l is 1 no value is left out before the others are counted."""
    policy = POLICY | {"require": [{"model": "l-diversity", "kind": "recursive", "l": values, "c": c, "column": "s"}]}
    release = incrowd.anonymize(people(), work=20, seed=1, **policy)
    found = incrowd.verify(people(), release.table, certificate=release.certificate(), proved=True, **policy)
    assert list(found) == []
    assert found.proved.why in ("", LOWER) and found.proved.lower_bound is not None


def test_a_grid_of_many_cells_is_refused_by_name(built):
    r = random.Random(4)
    original = pa.table({"age": [r.randrange(400) for _ in range(300)], "b": [r.choice("uvw") for _ in range(300)]})
    policy = {"quasi_identifiers": ["age", "b"], "numeric": ["age"], "k": 3, "recoding": "grid", "round": 1}
    release = incrowd.anonymize(original, work=20, seed=1, **policy)
    found = incrowd.verify(original, release.table, certificate=release.certificate(), proved=True, **policy)
    assert found.proved.holds is False and found.proved.why.startswith("the grids have more ranges")


def test_prices_too_many_for_memory_are_not_asked_about(built, tmp_path):
    folder = corpus.example("lines", tmp_path)
    assert proved(folder).proved.holds is True
    found = proved(folder, types_in_memory=1)
    assert found.proved.holds is False and "row types in memory" in found.proved.why


def test_where_it_is_not_built_nothing_is_said(monkeypatch, tmp_path):
    monkeypatch.setenv("INCROWD_PROVED", "")
    monkeypatch.setattr("incrowd.proved.check.find", lambda: None)  # a checkout may hold one that was built
    found = proved(corpus.example("prices", tmp_path))
    assert (found.proved.holds, found.proved.lower_bound) == (None, None)
    assert found.proved.why == "the program is not built here; `make theorems` builds it"


def test_the_command_says_who_checked(built, run, tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n" + "x,1\nx,2\ny,1\ny,2\n" * 3)
    asked = ["--qi", "a,b", "--k", "3"]
    assert run("anonymize", "t.csv", "-o", "r.csv", *asked, "--certificate", "c.json")[0] == 0
    status, out, _ = run("verify", "t.csv", "r.csv", *asked, "--certificate", "c.json", "--proved")
    assert status == 0
    assert "Checked by a program whose correctness is machine-proved" in out.replace("\n", " ")
    assert "machine-proved" not in run("verify", "t.csv", "r.csv", *asked, "--certificate", "c.json")[1]
    status, _, err = run("verify", "t.csv", "r.csv", *asked, "--proved")
    assert status == 2 and "name its file as certificate" in err
    text = (tmp_path / "c.json").read_text().replace('"lower_bound": 0', '"lower_bound": 1')
    (tmp_path / "c.json").write_text(text)
    status, out, _ = run("verify", "t.csv", "r.csv", *asked, "--certificate", "c.json", "--proved")
    assert (status, "machine-proved" in out) == (1, False)


# --- a program that errs, never answers, or is stopped -------------------------------------------------------------------------


@pytest.fixture
def script(tmp_path, monkeypatch):
    """Put a script in the program's place."""

    def put(text):
        program = tmp_path / "program"
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(0o700)
        monkeypatch.setenv("INCROWD_PROVED", str(program))

    return put


def test_the_program_is_sent_what_every_row_shows_and_at_which_levels(script, tmp_path):
    script(f"cat > {tmp_path}/asked")
    assert proved(corpus.example("prices", tmp_path)).proved.holds is False
    asked = (tmp_path / "asked").read_text().splitlines()
    # "*,x" three times and "*,y" twice, no other columns
    assert asked[-11:] == ["1 5", *["0 1 0"] * 3, *["0 2 0"] * 2, *["1 0"] * 5]


def test_a_program_that_ends_without_an_answer_has_refused(script, tmp_path):
    folder = corpus.example("prices", tmp_path)
    script("exit 1")
    found = proved(folder)
    assert (list(found), found.proved.holds) == ([], False)
    assert found.proved.lower_bound is None


@pytest.fixture
def endless(script, tmp_path):
    """A program that says which process it is and never answers."""
    script(f"echo $$ > {tmp_path}/started.part\nmv {tmp_path}/started.part {tmp_path}/started\nexec sleep 600")
    return tmp_path / "started"


def gone(started):
    """Whether the process that a file names has ended."""
    try:
        os.kill(int(started.read_text()), 0)
    except ProcessLookupError:
        return True
    return False


def test_the_time_limit_ends_the_program_and_is_told(endless, tmp_path):
    found = proved(corpus.example("prices", tmp_path), time_limit=0.5)
    assert (found.proved.holds, found.proved.lower_bound) == (False, None)
    assert found.proved.why.startswith("the program was ended by the time limit")
    assert gone(endless)


@pytest.mark.few(1)
@pytest.mark.parametrize(("signal_", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_stop_ends_the_program_with_the_command(endless, tmp_path, signal_, status):
    corpus.example("prices", tmp_path)
    given = ["original.csv", "release.csv", "--policy", "policy.toml", "--certificate", "certificate.json", "--proved"]
    with subprocess.Popen(
        [sys.executable, "-m", "incrowd", "verify", *given],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as command:
        while not endless.exists() and command.poll() is None:
            time.sleep(0.05)
        command.send_signal(signal_)
        assert command.wait(timeout=60) == status
    assert gone(endless)


@pytest.mark.parametrize(
    "text", ["2 0 -1", "2 0 1 1 2 1 0 0 1 99999999999", "2 0 0 0 3 0 0 0 -7", "x", "2 0 1 1 2 1 0 0 1 1 -1"]
)
def test_a_question_of_nonsense_ends_at_once(program, text):
    done = subprocess.run([program], input=text, capture_output=True, text=True, timeout=20)
    assert (done.returncode != 0, done.stdout) == (True, "")


def test_a_logarithm_that_is_too_large_is_passed_over(built):
    """A row of the one value is worth floor(2 ln (2 * 1000 / 1001)) = 1 less."""
    original = pa.table({"a": list("xxxyyy"), "s": list("pppqqq")})
    policy = {
        "quasi_identifiers": ["a"], "sensitive": ["s"], "k": 2,
        "require": [{"model": "l-diversity", "kind": "entropy", "l": 2, "column": "s"}],
    }  # fmt: skip
    certificate = {
        "certificate": "incrowd k-anonymity bound", "version": 12, "rows": 6, "row_types": 2, "k": 2,
        "outliers": "forbid", "scale": 1, "cost": 6, "lower_bound": 6, "lower_bound_checked": 6, "proof": "certificate",
        "requirements": ["l-diversity l=2 column=s kind=entropy"], "parts": 1, "prices": [1, 1], "whole_below": 1,
        "multipliers": [[0, 0, 0, 2, 1000, 1], [0, 1, 0, 2, 1, 1000]], "trees": [], "released_sum": ask.sum_of("a,s\n" + "".join(f"*,{s}\n" for s in "pppqqq")),
    }  # fmt: skip
    release = original.set_column(0, "a", [["*"] * 6])
    found = incrowd.verify(original, release, certificate=certificate, proved=True, **policy).proved
    assert (found.holds, found.lower_bound) == (True, 6)
