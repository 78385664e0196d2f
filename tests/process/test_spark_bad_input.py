"""What is wrong with files, folders and disks ends a job on Spark with one sentence, and nothing is published."""

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import incrowd
from engines import SPARK, SUBMITTED
from incrowd.tables.engine.spark_places import Places

pytestmark = SPARK
JOB = {"quasi_identifiers": ["age", "w"], "k": 5, "solver": "greedy", "engine": "spark"}
# permissions do not bind root, unless it gives up what lets it pass them
BOUND = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
AS_SOMEBODY = """
import sys, incrowd
job = dict(quasi_identifiers=["age", "w"], k=5, solver="greedy", engine="spark")
for source, output in zip(sys.argv[1::2], sys.argv[2::2]):
    try:
        incrowd.anonymize(source, output=output, **job)
    except incrowd.IncrowdError as error:
        print(error)
"""


def table(n=400, seed=1):
    rng = random.Random(seed)
    own = [f"{i:09} {rng.random()}" for i in range(n)]
    return pa.table({"age": rng.choices(["30", "41", "52"], k=n), "w": rng.choices("ab", k=n), "own": own})


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 256 kB."""
    place = tmp_path / "small"
    place.mkdir()
    done = None
    if sys.platform == "linux" and os.geteuid() == 0:
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(place)], capture_output=True)
    if done is None or done.returncode:
        pytest.skip("no small file system can be mounted here: that takes root, and its right to mount")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def refused(source, folder, **job):
    """Return the sentence that ends a job which publishes nothing."""
    with pytest.raises(incrowd.IncrowdError) as caught:
        incrowd.anonymize(source, output=folder / "out.parquet", **{**JOB, **job})
    assert [path.name for path in folder.iterdir()] == []
    assert caught.value.__context__ is None
    said = str(caught.value)
    assert "\n" not in said
    assert "Exception" not in said
    return said


def unlike(folder):
    pq.write_table(table().drop_columns(["own"]), folder / "2.parquet")
    return r"'2.parquet' lacks own \('1.parquet'\)"


def empty(folder):
    (folder / "2.parquet").touch()
    return r"'2.parquet' of .* is empty; a part that was cut short\?"


def cut_short(folder):
    (folder / "2.parquet").write_bytes((folder / "1.parquet").read_bytes()[:-30])
    return r"reading '2.parquet' of .* it may be cut short"


def damaged_inside(folder):
    whole = bytearray((folder / "1.parquet").read_bytes())
    whole[4:400] = bytes(396)  # its end, which says where everything is, stays whole
    (folder / "2.parquet").write_bytes(whole)
    return r"a file cannot be read to its end; it may be damaged or cut short"


@pytest.mark.parametrize("fault", [unlike, empty, cut_short, damaged_inside])
def test_a_part_that_is_not_like_the_others_is_a_sentence(spark, tmp_path, fault):
    source, out = tmp_path / "people", tmp_path / "out"
    for folder in (source, out):
        folder.mkdir()
    pq.write_table(table(), source / "1.parquet")
    said = fault(source)
    told = refused(source, out)
    assert re.search(said, told), told


def test_what_may_not_be_read_or_written_is_a_sentence(spark):
    if os.geteuid() == 0 and shutil.which(BOUND[0]) is None:
        pytest.skip("permissions do not bind root, and there is no setpriv to be bound by")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        home, closed, openly, locked = folder / "home", folder / "closed", folder / "open", folder / "locked"
        for one in (home, closed, openly, locked):
            one.mkdir()
        for one in (closed / "1.parquet", openly / "closed.parquet", openly / "open.parquet"):
            pq.write_table(table(), one)
        (openly / "closed.parquet").chmod(0)
        closed.chmod(0)
        locked.chmod(0o555)
        words = []
        for source, output in (
            (closed, home / "a.parquet"),
            (openly / "closed.parquet", home / "b.parquet"),
            (f"file:{openly}/closed.parquet", home / "c.parquet"),
            (openly / "open.parquet", locked / "d.parquet"),
        ):
            words += [str(source), str(output)]
        bound = BOUND if os.geteuid() == 0 else []
        done = subprocess.run(
            [*bound, sys.executable, "-c", AS_SOMEBODY, *words], env=os.environ | {"PYSPARK_SUBMIT_ARGS": SUBMITTED},
            cwd=home, capture_output=True, text=True, timeout=900,
        )  # fmt: skip
        closed.chmod(0o755)
        told = done.stdout.splitlines()
        assert len(told) == 4, done.stdout + done.stderr
        # a folder of this machine is listed before Spark is asked
        assert told[0] == "the folder 'closed' cannot be read: Permission denied; may you read it?"
        for said in told[1:]:
            assert said.endswith("permission is denied; may Spark use it?"), told
        assert not any("Exception" in said for said in told)
        assert list(locked.iterdir()) == []
        assert not list(home.glob("*.parquet"))


def test_a_disk_that_fills_up_is_a_sentence(spark, tmp_path, small_disk):
    pq.write_table(table(20_000), tmp_path / "people.parquet")
    assert refused(tmp_path / "people.parquet", small_disk).endswith("the disk is full; free some space")
    out = tmp_path / "out"
    out.mkdir()
    # the same where Spark keeps what it computes
    spark.session.sparkContext.setCheckpointDir(str(small_disk))
    assert refused(tmp_path / "people.parquet", out).endswith("the disk is full; free some space")
    assert not list(small_disk.glob("*/incrowd-*")), "personal data stays behind"


def test_a_disk_that_is_too_small_is_told_before_the_work(spark, tmp_path, monkeypatch):
    pq.write_table(table(), tmp_path / "people.parquet")
    out = tmp_path / "out"
    out.mkdir()
    monkeypatch.setattr(Places, "free", lambda *_: 1_000)
    spark.session.sparkContext.setCheckpointDir(str(tmp_path / "kept"))
    said = refused(tmp_path / "people.parquet", out, types_in_memory=1)
    assert said.startswith("the disk is too small for this table: 400 rows with 6 row types take about ")
    assert said.endswith("free some, or name a folder on a larger disk (spark.checkpoint.dir)")
