"""With a proof or with `work` the release is the same anywhere, and whatever else the process does."""

import json
import os
import subprocess
import sys

import pytest
from tests.seeds import how_many

# The jobs, in a module that other processes import: each release is told by its cost and its rows in their order.
JOBS = """
import hashlib, random
from pathlib import Path
import pyarrow as pa, pyarrow.csv, pyarrow.parquet
import incrowd

rng = random.Random(3)
COLUMNS = {name: [f"{name}{rng.randrange(size)}" for _ in range(150)] for name, size in (("a", 6), ("b", 4), ("c", 5), ("d", 3))}
ASKED = dict(quasi_identifiers=["a", "b", "c"], k=4)
SEARCHES = {"proven": dict(solver="exact"), "work": dict(solver="improve", work=800, seed=5),
            "diverse": dict(solver="improve", work=800, seed=5, sensitive=["d"], l="3/2")}

def shuffled(seed):
    order = list(range(150))
    random.Random(seed).shuffle(order)
    return pa.table(COLUMNS).take(order)

def large():
    return pa.table({f"x{j}": [str(rng.randrange(9)) for _ in range(4000)] for j in range(7)})

def sources(folder):
    table = shuffled(1)
    pa.csv.write_csv(table, folder / "t.csv")
    pa.parquet.write_table(shuffled(2), folder / "t.parquet")
    frames = {"pandas": table.to_pandas(), "shuffled": shuffled(4)}
    try:
        import polars
        frames["polars"] = polars.from_arrow(table)
    except ImportError:
        pass
    return {"csv": folder / "t.csv", "parquet": folder / "t.parquet", **frames}

def made(source, search):
    return incrowd.anonymize(source, **ASKED, **SEARCHES[search])

def told(release):
    rows = release.table
    rows = rows.to_arrow() if hasattr(rows, "to_arrow") else rows if isinstance(rows, pa.Table) else pa.Table.from_pandas(rows, preserve_index=False)
    lines = "\\n".join(map(repr, zip(*(rows[name].to_pylist() for name in COLUMNS), strict=True)))
    return [str(release.exact_cost), hashlib.sha256(lines.encode()).hexdigest()]

def job(search, seed=0):
    with made(shuffled(seed), search) as release:
        return told(release)

def whole(search):  # what a worker hands back: a release itself
    return made(shuffled(7), search)
"""

# What one process finds: of every kind of source, or beside others.
KINDS = """
import json, os, sys
from pathlib import Path
if hasattr(os, "sched_setaffinity") and sys.argv[2] == "one":
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
import jobs
found = {}
for number, (kind, source) in enumerate(jobs.sources(Path(sys.argv[1])).items()):
    for search in ([*jobs.SEARCHES] * 2)[number % 3 :][: int(sys.argv[3])]:
        with jobs.made(source, search) as release:
            found[f"{search} {kind}"] = jobs.told(release)
print(json.dumps(found))
"""
BESIDE = """
import asyncio, concurrent.futures as futures, json, multiprocessing, os, signal, sys, threading
import jobs

def main():
    found = {}
    for search in jobs.SEARCHES:
        found[f"{search} alone"] = jobs.job(search)
    with futures.ThreadPoolExecutor(3) as threads:
        for search, one in [(search, threads.submit(jobs.job, search, seed)) for seed, search in enumerate(jobs.SEARCHES)]:
            found[f"{search} thread {id(one)}"] = one.result()

    async def in_loop():
        here = jobs.job("proven", 9)
        both = await asyncio.gather(asyncio.to_thread(jobs.job, "work"), asyncio.to_thread(jobs.job, "diverse"))
        return here, *both
    found["proven loop"], found["work loop"], found["diverse loop"] = asyncio.run(in_loop())

    # Ctrl-C while a search runs that is far from its end: from another thread, as a terminal sends it (what is started
    # in the background may have been told to ignore it)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    large = jobs.large()
    for after in (0.05, 0.5):
        def hear(event, after=after):
            if event.stage == "solve" and not timers:
                timers.append(threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT)))
                timers[0].start()
        timers = []
        try:
            jobs.incrowd.anonymize(large, quasi_identifiers=large.column_names, k=7, solver="improve", work=10**12, on_event=hear)
        except KeyboardInterrupt:
            found[f"work after Ctrl-C {after}"] = jobs.job("work")

    ways = {"spawn": 1, "fork": 2}  # processes at once: a spawned one imports everything anew
    for way in [way for way in ways if way in multiprocessing.get_all_start_methods()]:
        with futures.ProcessPoolExecutor(ways[way], mp_context=multiprocessing.get_context(way)) as workers:
            for search, one in [(search, workers.submit(jobs.whole, search)) for search in ("work", "diverse")]:
                found[f"{search} {way}"] = jobs.told(one.result())
            declined = workers.submit(jobs.incrowd.anonymize, jobs.shuffled(0), **jobs.ASKED, solver="matching").exception()
            found[f"error {way}"] = f"{type(declined).__name__}: {declined}"
    print(json.dumps(found))

if __name__ == "__main__":
    main()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("anywhere")
    for name, text in (("jobs", JOBS), ("kinds", KINDS), ("beside", BESIDE)):
        (made / f"{name}.py").write_text(text)
    return made


@pytest.fixture(scope="module")
def alone(folder):
    """What the jobs give in a process of their own, with two threads."""
    return found(folder, "beside", hashed="1", threads="2")


def found(folder, script, *arguments, hashed, threads):
    more = {"PYTHONHASHSEED": hashed, "NUMBA_NUM_THREADS": threads}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", f"{script}.py", *arguments],
        cwd=folder, env=os.environ | more, capture_output=True, text=True, check=False, timeout=500,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.proofs
def test_a_release_does_not_depend_on_threads_row_order_kind_of_table_or_hash_seed(folder):
    jobs = {}
    exec(JOBS, jobs)
    here = {search: jobs["job"](search) for search in jobs["SEARCHES"]}
    searches = str(how_many(3, 1))  # of each kind of source
    for where, told in found(folder, "kinds", str(folder), "one", searches, hashed="77", threads="1").items():
        assert told == here[where.split()[0]], where


@pytest.mark.proofs
def test_jobs_in_threads_in_an_event_loop_and_in_forked_and_spawned_processes_give_what_one_alone_does(alone):
    wheres = {where.split()[1] for where in alone}
    assert {"alone", "thread", "loop", "after", "spawn"} <= wheres
    assert sum(where.startswith("work after Ctrl-C") for where in alone) == 2  # both times it was heard
    for where, told in alone.items():
        if where.startswith("error"):
            assert told.startswith("SolverDeclined: solver 'matching' declines: matching is exact for k=2 only")
        else:
            assert told == alone[f"{where.split()[0]} alone"], where
