"""A job writes the same bytes whether its loops run as plain Python, compiled, or change over in the middle of a call."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys

import pytest

from seeds import how_many

ROLES = ["--qi", "age,sex,town,job", "--sensitive", "ill", "--work", "100"]
JOBS = {
    "k": [*ROLES, "--k", "4"],
    "improve": [*ROLES, "--k", "3", "--solver", "improve"],
    "hierarchies": [
        *ROLES,
        "--k",
        "3",
        "--solver",
        "improve",
        "--hierarchy",
        "age=age.csv",
        "--hierarchy",
        "town=town.csv",
    ],
    "l": [*ROLES, "--k", "3", "--l", "2"],
    "t": [*ROLES, "--k", "4", "--t", "0.4", "--solver", "improve"],
    "pairs": [*ROLES, "--k", "2"],
    "matching": [*ROLES, "--k", "2", "--solver", "matching"],
    "global": [*ROLES, "--k", "3", "--recoding", "global", "--hierarchy", "age=age.csv"],
    "grid": [*ROLES, "--k", "3", "--recoding", "grid", "--numeric", "age"],
    "ranges": [*ROLES, "--k", "3", "--recoding", "ranges", "--solver", "mondrian", "--numeric", "age"],
}
NETWORKS = {"measure": [], "exactly": ["--exactly", "2"], "attackers": ["--attackers", "2"]}

# Runs each line of standard input as a command and tells its status; the loops of all of them are those of one process.
SCRIPT = """
import json, sys
from incrowd.cli.main import main
for line in sys.stdin:
    name, *arguments = json.loads(line)
    with open(f"{name}.json", "w") as sys.stdout:
        try:
            main(arguments)
        except SystemExit as end:
            print("ended", name, end.code, file=sys.stderr)
"""


def chosen():
    """The jobs: all in `make proofs`, three in `make test`."""
    return JOBS if how_many(2, 1) == 2 else {name: JOBS[name] for name in ("k", "l", "grid")}


def written(folder, way):
    """What every job writes, and says in JSON but for times and memory, by the file's name."""
    jobs = chosen()
    draw = random.Random(5)
    folder.mkdir()
    rows = [
        (draw.randrange(20, 32), draw.choice("fm"), draw.choice("ABCD"), draw.choice("xyz"), draw.choice("uvw"))
        for _ in range(90)
    ]
    (folder / "table.csv").write_text(
        "age,sex,town,job,ill\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    )
    (folder / "age.csv").write_text("".join(f"{age};t{age // 3};s{age // 6};*\n" for age in range(20, 32)))
    (folder / "town.csv").write_text("A;AB;*\nB;AB;*\nC;CD;*\nD;CD;*\n")
    edges = {tuple(sorted(draw.sample(range(14), 2))) for _ in range(20)}
    (folder / "edges.csv").write_text("".join(f"{a},{b}\n" for a, b in sorted(edges)))
    asked = [
        [name, "anonymize", "table.csv", *more, "-o", f"{name}.csv", "--certificate", f"{name}.proof", "--json", "--seed", "3"]
        for name, more in jobs.items() if name != "ranges"
    ]  # fmt: skip
    if "ranges" in jobs:
        asked += [["ranges", "anonymize", "table.csv", *JOBS["ranges"], "-o", "ranges.csv", "--json", "--seed", "3"]]
    asked += [
        [f"verify-{name}", "verify", "table.csv", f"{name}.csv", *more[:2], *more[6:], "--certificate", f"{name}.proof", "--json"]
        for name, more in jobs.items() if name in ("k", "pairs")
    ]  # fmt: skip
    asked += [
        [name, "network", "edges.csv", *more, "--certificate", f"{name}.proof", "--json"]
        for name, more in (NETWORKS if len(jobs) == len(JOBS) else {"measure": []}).items()
    ]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], input="".join(json.dumps(one) + "\n" for one in asked), cwd=folder, text=True,
        capture_output=True, env={**os.environ, "INCROWD_LOOPS": way},
    )  # fmt: skip
    ended = [line.split()[1:] for line in done.stderr.splitlines() if line.startswith("ended ")]
    assert dict(ended) == {one[0]: "0" for one in asked}, done.stderr
    found = {}
    for path in sorted(folder.iterdir()):
        found[path.name] = path.read_text()
        if path.suffix == ".json":
            found[path.name] = {
                k: v for k, v in json.loads(found[path.name]).items() if k not in ("seconds", "progress", "peak_mb")
            }
    return found


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    return written(tmp_path_factory.mktemp("ways") / "compiled", "compiled")


@pytest.mark.proofs
@pytest.mark.parametrize("way", ["midway", "plain"])
def test_the_same_bytes_are_written(compiled, tmp_path, way):
    mine = written(tmp_path / way, way)
    assert set(mine) == set(compiled) >= {f"{name}.csv" for name in chosen()}
    assert {name for name in mine if mine[name] != compiled[name]} == set()
