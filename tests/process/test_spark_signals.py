"""Ctrl-C and SIGTERM while Spark works end the command, its Java and all that lies on the disk but what was there."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engines import SPARK, SUBMITTED, spark_wanted

pytestmark = SPARK
PATIENCE = 600  # seconds on a busy machine
# the command itself, to which a signal comes while Spark is at a question that takes hours
COMMAND = """
import json, os, signal, sys, threading
number, place, words = json.loads(sys.argv[1])
sys.argv = ["incrowd", *words]
from incrowd.cli.entry_point import main
from incrowd.jobs import anonymize, row_types
from incrowd.tables import write as folder

def asked(engine):
    threading.Timer(0.5, os.kill, (os.getpid(), number)).start()
    engine.session.range(1 << 40).selectExpr("sum(hash(id))").toArrow()

if place == "write":
    folder.StagedFolder.is_whole = lambda self, engine: asked(engine)
else:
    row_types.solve = lambda problem, *_: asked(engines[0])
    opened, engines = anonymize.open_engine, []
    anonymize.open_engine = lambda *given: engines.append(opened(*given)) or engines[0]
main()
"""


def processes_of(folder):
    """Return how many processes have a folder for their temporary files."""
    found = 0
    for place in Path("/proc").iterdir():
        try:
            found += place.name.isdigit() and f"TMPDIR={folder}".encode() in (place / "environ").read_bytes()
        except OSError:
            continue
    return found


@pytest.mark.timeout(PATIENCE + 60)
@pytest.mark.parametrize(("name", "place"), [("SIGINT", "write"), ("SIGTERM", "write"), ("SIGINT", "solve")])
def test_nothing_is_left_of_a_run_that_a_signal_ends(tmp_path, name, place):
    spark_wanted()
    source, temporary, kept, out = (tmp_path / word for word in ("people.parquet", "tmp", "kept", "out"))
    for folder in (temporary, kept, out):
        folder.mkdir()
    pq.write_table(pa.table({"age": list("aabb"), "note": list("wxyz")}), source)
    words = ["anonymize", source, "-o", out / "o.parquet", "--qi", "age", "--k", "2", "--engine", "spark"]
    number = getattr(signal, name)
    command = [sys.executable, "-c", COMMAND, json.dumps([number, place, [str(word) for word in words]])]
    env = os.environ | {
        "TMPDIR": str(temporary), "PYSPARK_SUBMIT_ARGS": f"--conf spark.checkpoint.dir={kept} {SUBMITTED}",
    }  # fmt: skip
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 128 + number, done.stderr
    assert "Traceback" not in done.stderr
    assert ("interrupted; nothing was written" in done.stderr) == (name == "SIGINT")
    assert list(out.iterdir()) == []
    assert list(kept.rglob("incrowd-*")) == [], "personal data stays behind"
    for _ in range(100):  # a process is gone a little after it has ended
        if not processes_of(temporary):
            break
        time.sleep(0.1)
    assert processes_of(temporary) == 0
    assert list(temporary.iterdir()) == []
