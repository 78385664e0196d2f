"""Without Numba's compiler (a debugger's or a coverage run's setting) a job says what it says with it, and no false bound."""

import json
import os
import random
import subprocess
import sys

import pytest

ROLES = ["--qi", "age,sex,place,work,insurance,status", "--sensitive", "illness", "--max-stars", "2", "--k", "5"]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """320 rows, most of them alone with what they show, of which more than 255 are looked at together."""
    rng = random.Random(7)
    columns = {"age": 9, "sex": 2, "place": 25, "work": 9, "insurance": 3, "status": 4, "illness": 6}
    lines = [",".join(str(rng.randrange(n)) for n in columns.values()) for _ in range(320)]
    path = tmp_path_factory.mktemp("table") / "table.csv"
    path.write_text("\n".join([",".join(columns), *lines]) + "\n", encoding="utf-8")
    return path


def without_compiler(*arguments):
    command = [sys.executable, "-m", "incrowd", *map(str, arguments)]
    done = subprocess.run(command, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.few(1)
@pytest.mark.parametrize("asked", [("--solver", "greedy"), ("--solver", "greedy", "--l", "2")])
def test_a_job_without_the_compiler_says_the_same_and_its_bound_holds(run, table, tmp_path, asked):
    facts = []
    for one in (without_compiler, run):
        beside = ["-o", tmp_path / "release.csv", "--certificate", tmp_path / "proof.json"]
        status, said, wrong = one("anonymize", table, *ROLES, *asked, *beside, "--json")
        assert status == 0, wrong
        told = {name: fact for name, fact in json.loads(said).items() if name not in ("seconds", "progress", "peak_mb")}
        facts.append(told | {path.name: path.read_bytes() for path in beside[1::2]})
    assert facts[0] == facts[1]
    assert facts[0]["lower_bound_checked"] > 0
    policy = [*ROLES, *asked[2:]]
    assert run("verify", table, tmp_path / "release.csv", *policy, "--certificate", tmp_path / "proof.json")[0] == 0
