"""The first run after an installation: what a small table needs is not compiled, and what is compiled takes no search time."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys

import pytest


def released(folder, *options, **environment):
    """Facts of a release of 40 invented rows by a process that finds nothing compiled, and how many loops it compiled."""
    draw = random.Random(7)
    rows = [
        (int(8 * draw.random() ** 2), draw.choice("fffm"), "ABCDE"[int(5 * draw.random() ** 3)], draw.choice("wxyz"))
        for _ in range(40)
    ]
    (folder / "table.csv").write_text("age,sex,town,job\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    done = subprocess.run(
        [sys.executable, "-m", "incrowd", "anonymize", "table.csv", "--qi", "age,sex,town,job", "--k", "3", "-o", "out.csv",
         "--json", *options],
        cwd=folder, capture_output=True, text=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder / "empty"), **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), len(list(folder.glob("empty/**/*.nbc"))), done.stderr


def test_a_small_table_is_proven_without_a_compiler(tmp_path):
    facts, compiled, said = released(tmp_path)
    assert (facts["optimal"], compiled) == (True, 0)
    assert "compiling" not in said


@pytest.mark.proofs
def test_the_table_of_the_first_page_is_proven_without_a_compiler(run, tmp_path):
    """One of its loops takes longer than one of many would take to compile, and not as long as the first takes."""
    assert run("demo")[0] == 0
    demo = str(tmp_path / "incrowd-demo" / "hospital.csv")
    asked = ["--qi", "age_group,sex,postcode,occupation", "--identifier", "patient_number", "--sensitive", "diagnosis"]
    done = subprocess.run(
        [sys.executable, "-m", "incrowd", "anonymize", demo, "-o", "out.csv", *asked, "--k", "5", "--json"],
        cwd=tmp_path, capture_output=True, text=True, check=True, env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "empty")},
    )  # fmt: skip
    facts = json.loads(done.stdout)
    assert (facts["cost"], facts["optimal"], list(tmp_path.glob("empty/**/*.nbc"))) == (975, True, [])


@pytest.mark.proofs
def test_a_limit_stands_still_while_loops_are_compiled(tmp_path):
    facts, compiled, said = released(tmp_path, "--solver", "exact", "--time-limit", "4", INCROWD_LOOPS="compiled")
    assert compiled > 5 and "compiling loops for this machine, " in said
    assert facts["optimal"] and facts["seconds"]["solve"] > 4  # of wall time
