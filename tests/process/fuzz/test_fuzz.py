"""What the fuzzer found stays mended, and the fuzzer finds what it says it finds."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from process.fuzz import mutation
from process.fuzz.case import Case, load, stored
from process.fuzz.kinds import KINDS, SHARES, case_of
from process.fuzz.sandbox import Finding
from process.fuzz.shrink import shrunk

HERE = Path(__file__).parent
STORED = sorted((HERE / "corpus").glob("*.json"))

# in a process of its own: what is found may crash, hang or take the memory, and each planted case does
ALONE = """
import sys
from pathlib import Path
from process.fuzz import sandbox, workers
from process.fuzz.case import CANARY, Case, load
{plant}
cases = [load(Path(name).read_text()) for name in sys.argv[1:]] or globals().get("PLANTED", [])
for number, finding in sorted(workers.run_batch(lambda at: cases[at], range(len(cases)), {limit})):
    print(number, finding.what, "|", finding.place, flush=True)
"""
PLANT = """
import os, sys
import click
import numpy as np
from incrowd.cli.main import cli

sandbox.MOST_MEMORY = 1 << 27  # some machines give pages slowly

@cli.command("planted")
@click.argument("what")
def planted(what):
    if what == "traceback":
        raise KeyError("a cell")
    if what == "crash":
        os.abort()
    if what == "hang":
        while True: pass
    if what == "memory":
        held = np.ones(20_000_000)  # a little more than is allowed
    if what == "cell":
        click.echo(f"the cell {CANARY}7", err=True)
    if what == "left":
        Path(".out.part.csv").write_text("a")
    if what == "silent":
        sys.exit(2)
    if what == "lines":
        click.echo("incrowd: one\\ntwo", err=True); sys.exit(2)
    if what == "control":
        click.echo("\\x07", err=True)
    if what == "exit":
        sys.exit(9)

PLANTED = [Case("command", ("planted", what)) for what in
           ("nothing", "traceback", "crash", "hang", "memory", "cell", "left", "silent", "lines", "control", "exit")]
"""


def said_by(*words):
    """What Python says, started with some words where it finds the package and the tests."""
    paths = [str(HERE.parents[2] / "src"), str(HERE.parents[1])]
    done = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, check=False, timeout=300,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:] + done.stdout
    return done.stdout


def found_by(arguments=(), plant="", limit=20):
    """What a worker finds, by the number of the case."""
    said = said_by("-c", ALONE.format(plant=plant, limit=limit), *map(str, arguments))
    return {int(line.partition(" ")[0]): line.partition(" ")[2] for line in said.splitlines()}


def test_what_was_found_is_found_no_more():
    found = found_by(STORED, limit=200)  # where kernels are compiled for the first time, that takes a while
    assert not found, {STORED[number].name: what for number, what in found.items()}


@pytest.mark.proofs
def test_every_planted_fault_is_found_and_told_from_the_others():
    found = found_by(plant=PLANT, limit=1.5)
    kinds = {number: what.partition(" |")[0] for number, what in found.items()}
    assert kinds == {
        1: "traceback KeyError", 2: "crash SIGABRT", 3: "hang", 4: "memory", 5: "cell", 6: "left", 7: "silent", 8: "lines",
        9: "control", 10: "exit 9",
    }  # fmt: skip


def test_every_kind_has_a_share_and_makes_the_same_input_again():
    assert SHARES.keys() == KINDS.keys()
    assert sum(SHARES.values()) == 1000
    for kind in ("network", "hierarchy", "policy", "command", "python"):
        assert case_of(kind, 3, 7) == case_of(kind, 3, 7)
        assert len({repr((case.words, case.call, case.files)) for case in (case_of(kind, 3, i) for i in range(10))}) > 5


def test_a_stored_case_is_the_same_again():
    case = Case(
        "table", ("init", "t.csv"), files=(("t.csv", b"\xff\x00a"), ("u.csv", "ä\r\n".encode())), shown=True, named=True
    )
    assert load(stored(case, "why")) == case
    call = Case("python", call=("Mask", "keep=['\ud800']"))
    assert load(stored(call, "why")) == call


def test_every_stored_case_is_of_a_kind_small_and_says_why():
    for path in STORED:
        text = path.read_text(encoding="utf-8")
        case = load(text)
        assert case.kind in KINDS
        assert '"why"' in text
        assert len(text) < 20_000, path.name


def test_a_case_is_shrunk_to_what_makes_it_fail():
    def tried(case):
        held = dict(case.files)
        bad = "--bad" in case.words and b"!" in held.get("a", b"")
        return Finding("cell", "here") if bad else None

    case = Case(
        "table", ("init", "a", "--good", "1", "--bad", "2"), files=(("a", b"x" * 99 + b"!" + b"y" * 30), ("b", b"z"))
    )
    small = shrunk(case, Finding("cell", "here"), tried, 60)
    assert small == Case("table", ("init", "--bad"), files=(("a", b"!"),))


def test_changed_json_is_json_and_changed_bytes_differ():
    rng = random.Random(1)
    text = json.dumps({"a": [1, {"b": 2}], "c": "x"}).encode()
    changed = [mutation.changed_json(rng, text) for _ in range(200)]
    assert all(json.loads(one) is not None for one in changed)
    assert len(set(changed)) > 50
    assert changed == [mutation.changed_json(again, text) for again in [random.Random(1)] for _ in range(200)]
    assert sum(mutation.changed_bytes(rng, text) != text for _ in range(200)) > 180


@pytest.mark.proofs
def test_the_command_counts_inputs_and_ends_well_where_nothing_is_found(tmp_path):
    said = said_by("-m", "process.fuzz", "--inputs", "6", "--only", "policy", "--keep", str(tmp_path / "kept"))
    assert "all                           6         0" in said
    assert not (tmp_path / "kept").exists()
