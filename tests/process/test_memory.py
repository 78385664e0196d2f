"""``--memory``: sizes as people write them, what is refused before anything is read, and a limit that is kept.

That a process comes near its limit just now no command can arrange. The thread that looks is therefore asked by itself,
with what it would be told (the second half of this file); the first half goes through the door.
"""

import json
import random
import re
import subprocess
import sys
import threading
import time

import numpy as np
import pyarrow as pa
import pytest

import incrowd
from incrowd import memory
from incrowd import memory as module
from incrowd.errors import InputError, PolicyError
from incrowd.memory import MemoryLimit, OverLimit, at_hand, give_back, held, peak, too_little

ROWS = 60
TABLE = pa.table({"a": [f"{i % 4}" for i in range(ROWS)], "b": [f"{i % 5}" for i in range(ROWS)]})
ASKED = {"quasi_identifiers": ["a", "b"], "k": 5, "solver": "greedy"}
# sizes that are too small for any job, and how the message says them
SIZES = {
    "10KB": "0 MB", "499 kb": "0 MB", "501KB": "1 MB", " 8 mb ": "8 MB", "1.5MiB": "2 MB", "10MiB": "10 MB", "12.6MB": "13 MB",
    "0.01GB": "10 MB", "0.02GiB": "21 MB", "0.00001TB": "10 MB",
    "90MB": "90 MB",
}  # fmt: skip
NO_SIZE = ["much", "4", "GB", "-1GB", "1e3GB", "4 G", "9" * 99 + "GB", "٤GB", ""]


@pytest.mark.parametrize("size", SIZES)
def test_a_size_is_a_number_with_a_decimal_or_a_binary_unit_and_too_little_is_refused_before_the_table_is_read(size):
    for job in ("anonymize", "audit"):
        with pytest.raises(
            InputError, match=rf"memory {SIZES[size]} is too little: the program.* give it at least"
        ) as told:
            getattr(incrowd, job)("nowhere.csv", **ASKED, memory=size)
    assert "before anything is read" in str(told.value)


@pytest.mark.parametrize("size", NO_SIZE)
def test_what_is_no_size_is_refused_in_words(size, run, tmp_path):
    (tmp_path / "t.csv").write_text("a\n1\n1\n")
    with pytest.raises(PolicyError, match="memory must be a size such as 4GB or 800MB") as told:
        incrowd.anonymize(TABLE, **ASKED, memory=size)
    assert len(str(told.value)) < 110  # a long one is cut
    status, out, err = run("audit", "t.csv", f"--memory={size}")
    assert (status, out) == (2, "") and "memory must be a size" in err


@pytest.mark.proofs
def test_what_it_is_told_to_give_is_enough_and_the_release_is_the_same(tmp_path):
    """The sentence names a size: with a little more than that the same command goes through, and holds no more."""
    draw = random.Random(3)
    rows = "".join(f"{draw.randrange(50)},{draw.randrange(9)},{draw.randrange(7)}\n" for _ in range(5000))
    (tmp_path / "t.csv").write_text(f"a,b,c\n{rows}")
    command = [
        sys.executable,
        "-m",
        "incrowd",
        "anonymize",
        "t.csv",
        "--qi",
        "a,b,c",
        "--k",
        "4",
        "--solver",
        "greedy",
        "--json",
    ]
    refused = subprocess.run(
        [*command, "-o", "no.csv", "--memory", "40MB"], cwd=tmp_path, capture_output=True, text=True
    )
    assert refused.returncode == 2 and refused.stderr.count("\n") == 1
    assert not (tmp_path / "no.csv").exists()
    least = int(re.search(r"give it at least (\d+) MB", refused.stderr)[1])
    within = subprocess.run(
        [*command, "-o", "kept.csv", "--memory", f"{int(least * 1.25)}MB"], cwd=tmp_path, capture_output=True, text=True
    )
    assert within.returncode == 0, within.stderr
    assert json.loads(within.stdout)["peak_mb"] <= least * 1.25
    free = subprocess.run([*command, "-o", "free.csv"], cwd=tmp_path, capture_output=True, text=True)
    assert free.returncode == 0
    assert (tmp_path / "kept.csv").read_bytes() == (tmp_path / "free.csv").read_bytes()


@pytest.mark.proofs
@pytest.mark.parametrize("limit", ["450MB", "600MB"])
def test_a_table_larger_than_its_memory_is_released_within_it_or_refused_in_a_sentence(tmp_path, limit):
    rng = np.random.default_rng(1)
    n = 2_000_000
    table = pa.table(
        {name: rng.integers(0, top, n).astype(str) for name, top in (("a", 90), ("b", 70), ("c", 50), ("d", 20))}
    )
    import pyarrow.parquet as pq

    pq.write_table(table, tmp_path / "t.parquet")
    done = subprocess.run(
        [sys.executable, "-m", "incrowd", "anonymize", "t.parquet", "--qi", "a,b,c,d", "--k", "5", "--time-limit", "10",
         "-o", "r.parquet", "--json", "--memory", limit],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode == 0:
        assert json.loads(done.stdout)["peak_mb"] <= int(limit[:-2]) * 1.01
    else:
        assert done.returncode == 2 and "memory" in done.stderr
        assert [path.name for path in tmp_path.iterdir()] == ["t.parquet"]


@pytest.mark.parametrize(
    ("name", "asked", "ways"),
    [
        ("anonymize", {"solver": "auto"}, "take `solver greedy`, or take fewer quasi-identifiers"),
        ("anonymize", {}, "or take fewer quasi-identifiers"),
        ("tradeoff", {"solver": "auto"}, "take `solver greedy`, or take fewer quasi-identifiers"),
        ("audit", {}, "or take fewer quasi-identifiers"),
        ("verify", {}, "or leave memory out and let it take what the machine has"),
        ("usefulness", {}, "or leave memory out and let it take what the machine has"),
        ("attack", {}, "or leave memory out and let it take what the machine has"),
    ],
)
def test_the_advice_at_the_limit_is_one_that_helps_what_was_asked(monkeypatch, name, asked, ways):
    def full(*_):
        raise MemoryError

    monkeypatch.setattr(f"incrowd.jobs.{name}.open_engine", full)  # where a library would find none
    tables = [TABLE, TABLE] if name in ("verify", "usefulness") else [TABLE]
    options = {**ASKED, **asked}
    if name == "tradeoff":
        options["ks"] = [options.pop("k")]
    with pytest.raises(InputError) as told:
        getattr(incrowd, name)(*tables, **options, memory=f"{(held() * 2 + 10**9) // 10**6}MB")
    said = str(told.value)
    assert said.endswith(ways) and said.count("give it more memory") == 1
    assert ("greedy" in said) == ("greedy" in ways)


# --- what no command can arrange

LIMIT = 1_000_000_000


@pytest.fixture
def holds(monkeypatch):
    """What the process holds, as the test says."""
    now = [300_000_000]
    monkeypatch.setattr(module, "held", lambda: now[0])
    monkeypatch.setattr(module, "give_back", lambda: None)
    return now


def until(true):
    """Wait for another thread, as Python does: between two steps."""
    for _ in range(2000):
        if true():
            return True
        time.sleep(0.001)
    return False


def test_near_the_limit_the_search_is_told_again_and_again_and_no_error_comes(holds):
    told = []
    with MemoryLimit(LIMIT, lambda: told.append(1)) as kept:
        assert kept.left == 550_000_000  # 85 % less what is held
        time.sleep(0.05)
        assert not told
        holds[0] = 930_000_000
        assert kept.left == 0
        assert until(lambda: len(told) > 3)
        holds[0] = 300_000_000
    assert not kept.over


def test_at_the_limit_the_thread_that_works_gets_a_memory_error(holds):
    with pytest.raises(OverLimit), MemoryLimit(LIMIT, lambda: None) as kept:
        holds[0] = 980_000_000
        until(lambda: False)
    assert kept.over
    until(lambda: threading.active_count() == 1)  # nothing comes later


def test_a_limit_below_what_is_held_already_is_refused_with_what_is_needed(holds):
    holds[0] = 800_000_000
    with pytest.raises(InputError, match="memory 1000 MB is too little: .*holds 800 MB .*give it at least 1088 MB"):
        MemoryLimit(LIMIT, lambda: None).__enter__()


def test_where_the_thread_does_not_hear_it_what_is_called_last_is_called(holds, monkeypatch):
    said = []
    monkeypatch.setattr(module, "PATIENCE", 0.02)
    monkeypatch.setattr(module, "last", [said.append])
    kept = MemoryLimit(LIMIT, lambda: None)
    monkeypatch.setattr(kept, "_stop", lambda: setattr(kept, "over", True))  # as if a library did not return
    with kept:
        holds[0] = 1_100_000_000
        assert until(lambda: said)
        holds[0] = 300_000_000
    assert said[0] == too_little(LIMIT) and "limit of 1000 MB" in said[0]


def test_what_is_held_rises_with_what_is_written_and_the_peak_stays():
    before = held()
    block = np.ones(5_000_000)  # 40 MB
    rise = held() - before
    assert rise > 30_000_000 and peak() >= before + 30_000_000
    del block
    give_back()
    assert held() < before + 20_000_000 and peak() >= before + 30_000_000


def test_what_is_at_hand_is_the_least_of_system_group_and_limit(tmp_path, monkeypatch):
    meminfo, most, now = (tmp_path / name for name in ("meminfo", "max", "current"))
    meminfo.write_text("MemTotal:       16000000 kB\nMemAvailable:    8000000 kB\n")
    monkeypatch.setattr(memory, "MEMINFO", meminfo)
    monkeypatch.setattr(memory, "GROUPS", ((most, now), (tmp_path / "none", tmp_path / "none")))
    monkeypatch.setattr("resource.getrlimit", lambda _: (-1, -1))
    assert at_hand() == 8_000_000 * 1024
    most.write_text("max\n")
    now.write_text("100\n")
    assert at_hand() == 8_000_000 * 1024
    most.write_text("3000000100\n")
    assert at_hand() == 3_000_000_000
    now.write_text("4000000000\n")
    assert at_hand() == 0


def test_what_is_at_hand_can_be_told_without_the_systems_list(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "MEMINFO", tmp_path / "none")
    assert at_hand() > 0
