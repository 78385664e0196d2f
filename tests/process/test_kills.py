"""Runs killed at random moments over an earlier run's files: each file is whole, and old beside new is told apart."""

import subprocess
import sys

import pytest

# one warm process forks a child for every kill; what the child stages it leaves, and nobody cleans up after it
KILLS = """
import os, random, signal, sys, tempfile
from pathlib import Path
import pyarrow as pa
import incrowd

base, kills, ending = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
tempfile.tempdir = str(base / "temporary")
Path(tempfile.tempdir).mkdir()
rng = random.Random(7)
rows = 400
tables = [
    pa.table({name: [f"{turn}{rng.randrange(size)}" for _ in range(rows)] for name, size in (("a", 4), ("b", 3), ("c", 9))})
    for turn in "on"
]
out = base / "out"
out.mkdir()
places = [out / "c.json", out / f"release.{ending}"]

def run(turn):
    with incrowd.anonymize(
        tables[turn], quasi_identifiers=["a", "b"], k=3, solver="greedy",
        output=places[1], certificate=places[0],
    ):
        pass

def ages():  # whether each file is of the second table
    return [path.stat().st_ino not in old for path in places]

def child(step):  # killed at its event number `step`; returns whether it was, else its events and those of the renames
    reads, writes = os.pipe()
    pid = os.fork()
    if not pid:
        seen, renames = [0], []
        def hook(event, _):
            seen[0] += 1
            if event == "os.rename":
                renames.append(seen[0])
            if seen[0] == step:
                os.kill(os.getpid(), signal.SIGKILL)
        sys.addaudithook(hook)
        try:
            run(1)
            os.write(writes, " ".join(map(str, [seen[0], *renames])).encode())
        finally:
            os._exit(0)
    os.close(writes)
    with open(reads) as told:
        events = told.read()
    return os.waitpid(pid, 0)[1] != 0, [int(number) for number in events.split()]

run(1)
events, *renames = child(0)[1]
assert len(renames) >= len(places)
# a third of the kills fall anywhere, one where the files are written, one from the first rename to the last
ranges = [(1, events), (events * 3 // 4, events), (renames[0], renames[-1] + 1)]
halves = deaths = new = 0
for number in range(kills):
    run(0)
    old = {path.stat().st_ino for path in places}
    deaths += child(rng.randint(*ranges[number % 3]))[0]
    mixed = len(set(ages())) > 1
    halves += mixed
    if mixed:  # a certificate is not taken for that of another release, nor a release for that of another table
        assert ages() == [True, False], "the release is the last"
        for table in tables:
            assert incrowd.verify(table, places[1], quasi_identifiers=["a", "b"], k=3, certificate=places[0]), number
    with incrowd.anonymize(tables[0], quasi_identifiers=["a"], k=2, solver="greedy", output=out / "next.csv"):
        (out / "next.csv").unlink()  # the next run in the folder sweeps what was staged
    new += ages()[1]
    assert sorted(path.name for path in out.iterdir()) == sorted(path.name for path in places)
    proof = {} if mixed else {"certificate": places[0]}
    assert not incrowd.verify(tables[ages()[1]], places[1], quasi_identifiers=["a", "b"], k=3, **proof), number
left = list(Path(tempfile.tempdir).glob("incrowd-*"))
assert len(left) <= 1, left  # the engine of the last verification removed those of the dead
print(deaths, kills - new, new, halves)  # how many died; had the old release at the end; the new one; beside a certificate of the other
"""


@pytest.mark.proofs  # at every step in turn: tests/process/test_whole_or_absent.py
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_after_kills_at_random_moments_every_file_is_whole_and_verified(tmp_path, ending):
    kills = 100
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", KILLS, str(tmp_path), str(kills), ending],
        capture_output=True, text=True, check=False, timeout=3000,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    deaths = int(done.stdout.split()[-4])
    assert deaths >= kills // 2  # the others had fewer events than the one that was counted
