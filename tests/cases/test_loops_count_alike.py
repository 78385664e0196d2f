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
    """600 rows, most of them alone with what they show, of which far more than 255 are looked at together."""
    rng = random.Random(7)
    columns = {"age": 9, "sex": 2, "place": 25, "work": 9, "insurance": 3, "status": 4, "illness": 6}
    lines = [",".join(str(rng.randrange(n)) for n in columns.values()) for _ in range(600)]
    path = tmp_path_factory.mktemp("table") / "table.csv"
    path.write_text("\n".join([",".join(columns), *lines]) + "\n", encoding="utf-8")
    return path


def incrowd(*arguments, plain=False):
    environment = {**os.environ, **({"NUMBA_DISABLE_JIT": "1"} if plain else {})}
    done = subprocess.run(
        [sys.executable, "-m", "incrowd", *map(str, arguments)], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.few(1)
@pytest.mark.parametrize("asked", [("--solver", "greedy"), ("--solver", "greedy", "--l", "2")])
def test_a_job_without_the_compiler_says_the_same_and_its_bound_holds(table, tmp_path, asked):
    facts = {}
    for plain in (True, False):
        release, proof = tmp_path / f"{plain}.csv", tmp_path / f"{plain}.json"
        said = incrowd("anonymize", table, *ROLES, *asked, "-o", release, "--certificate", proof, "--json", plain=plain)
        facts[plain] = {
            name: value for name, value in json.loads(said).items() if name not in ("seconds", "progress", "peak_mb")
        }
        facts[plain]["files"] = release.read_bytes(), proof.read_bytes()
        policy = [*ROLES, *asked[2:]] if "--l" in asked else ROLES
        found = json.loads(incrowd("verify", table, release, *policy, "--certificate", proof, "--json"))
        assert found["violations"] == []
    assert facts[True] == facts[False]
    assert facts[True]["lower_bound_checked"] > 0
