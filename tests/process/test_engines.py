"""The main job is the same on every engine: the same rows, in the same order, under the same check."""

import contextlib
import datetime
import decimal
import functools
import json
import random

import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest

import incrowd
from engines import ENGINES, spark_kept

N = 80
WORDS = ["Đặng", 'a"b', "two\nlines", "\\*'x;--", "😀"]


@pytest.fixture(scope="module", params=ENGINES)
def engine(request):
    with spark_kept() if request.param == "spark" else contextlib.nullcontext():
        yield request.param


@functools.cache
def source():
    rng = random.Random(4)

    def draw(*values):
        return [rng.choice(values) for _ in range(N)]

    when = datetime.datetime(2020, 2, 29, 12, 30, 0, 500000)
    return pa.table(
        {
            "id": [f"person {i}" for i in range(N)],
            "age": pa.array(draw(None, 30, 41, 47, 52, 55), pa.int64()),
            "zip": draw("12345", "12399", "12999", "90210"),
            "Zip": draw("a", "b"),
            "word": draw(None, *WORDS),
            "born": pa.array(draw(None, datetime.date(1, 1, 1), datetime.date(2020, 2, 29)), pa.date32()),
            "money": pa.array(draw(None, decimal.Decimal("1.50"), decimal.Decimal("-0.05")), pa.decimal128(9, 2)),
            "real": pa.array(draw(None, 1.5, 1e16, 0.1, -0.0), pa.float64()),
            "seen": pa.array(draw(None, when, datetime.datetime(1999, 1, 1)), pa.timestamp("us")),
            "zone": pa.array(draw(None, when), pa.timestamp("us", "UTC")),
            "few": pa.array(draw(None, 0, 255), pa.uint8()),
            "free": draw(None, "", " x ", *WORDS),
            "secret": draw("p", "q", "r"),
        }
    )


JOBS = {
    "stars": {"quasi_identifiers": ["word", "Zip", "few"], "mask": incrowd.Mask(max_stars=1), "k": 10},
    "hierarchies": {
        "quasi_identifiers": ["age", "zip", "word"],
        "hierarchies": {"age": "intervals:5,10,20", "zip": "prefix"},
        "weights": {"word": "1/3"},
        "k": 4,
    },
    "typed stars": {"quasi_identifiers": ["age", "real", "seen"], "suppressed": "null", "k": 3},
    "ranges": {
        "quasi_identifiers": ["age", "word"],
        "numeric": ["age"],
        "recoding": "ranges",
        "solver": "mondrian",
        "k": 5,
    },
    "diverse": {"quasi_identifiers": ["age", "born", "few"], "k": 3, "l": 2, "outliers": "suppress", "other": "drop"},
}


def settings(job):
    return {"identifiers": ["id"], "sensitive": ["secret"], "solver": "greedy", "work": 1000, "seed": 7, **JOBS[job]}


@functools.cache
def on_duckdb(job):
    """Return the rows of the release, in their order, and its facts."""
    with incrowd.anonymize(source(), **settings(job)) as release:
        return release.table, release.facts


def measured(facts):
    """Return the facts that do not tell of a single run."""
    return {name: value for name, value in facts.items() if name not in ("seconds", "peak_mb", "progress")}


@pytest.mark.few(1)
@pytest.mark.parametrize("job", [*JOBS])
def test_a_release_is_the_same_on_every_engine_row_for_row(engine, job, tmp_path):
    order = list(range(N))
    random.Random(1).shuffle(order)
    given = source().take(order)
    with incrowd.anonymize(given, engine=engine, **settings(job)) as release:
        expected, facts = on_duckdb(job)
        assert release.table.schema == expected.schema
        assert release.table.to_pylist() == expected.to_pylist()
        assert measured(release.facts) == measured(facts)
        assert incrowd.verify(given, release.table, release.job) == []
        if job == "stars" and engine == "spark":
            assert any(count > 1 for count in rows_of_types(release)), "no row type is split"
            plain = incrowd.anonymize(given, **settings(job))
            # DuckDB's files of every kind are read in tests/process/test_kinds.py
            for name in ("r.csv", "r.parquet"):
                release._write(tmp_path / name, None)
                plain._write(tmp_path / f"plain-{name}", None)
                assert content(tmp_path / name) == content(tmp_path / f"plain-{name}")
                # a CSV with line ends in its fields is not read through executors
                assert incrowd.verify(given, tmp_path / name, release.job.replace(engine="duckdb")) == []
            plain.close()


def test_a_certificate_is_rechecked_on_every_engine(engine, tmp_path):
    with incrowd.anonymize(source(), engine=engine, **settings("hierarchies")) as release:
        release.certificate(tmp_path / "c.json")
        found = incrowd.verify(source(), release.table, release.job, certificate=tmp_path / "c.json")
        held = json.loads((tmp_path / "c.json").read_text())
        wrong = {**held, "cost": held["cost"] - 1}  # no other bound is taken for it
        assert incrowd.verify(source(), release.table, release.job, certificate=wrong)
    assert found == []
    assert release.proof == "certificate"


def test_the_inputs_order_is_kept_on_every_engine_where_asked(engine):
    with incrowd.anonymize(source(), engine=engine, keep_order=True, **settings("stars")) as release:
        assert release.table.column("free").to_pylist() == source().column("free").to_pylist()


def content(path):
    """Return what a file holds: its bytes, or, where Spark has wider types only (uint8), its rows in their order."""
    if path.is_dir() and path.suffix == ".csv":  # Spark's: each part has the header
        parts = [part.read_bytes().partition(b"\n") for part in sorted(path.glob("part-*"))]
        return b"".join((parts[0][0], b"\n", *(rows for _, _, rows in parts)))
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    return pa.ipc.open_file(path.read_bytes()).read_all().to_pylist() if path.suffix == ".arrow" else path.read_bytes()


def rows_of_types(release):
    """Return for every row type in how many groups its rows are."""
    kinds = list(release._solution.plan.part_type)
    return [kinds.count(kind) for kind in set(kinds)]


def test_a_broken_release_is_refused_on_every_engine(engine):
    with incrowd.anonymize(source(), engine=engine, **settings("stars")) as release:
        out = release.table
        position = out.column_names.index("free")
        broken = out.set_column(position, "free", pa.array(["another"] * N))
        found = incrowd.verify(source(), broken, release.job)
    assert [violation.rule for violation in found] == ["other columns: free", "faithful"]


def test_a_csv_file_is_untouched_text_on_every_engine(engine, tmp_path):
    texts = ["007", "1.0", " x", '"q""uote"', '"two\nlines"', "NULL", "\\n", "Đặng", "1e5", "true"]
    if engine == "spark":  # which refuses such a field: tests/tables/read/test_spark_csv.py
        texts.remove('"two\nlines"')
    path = tmp_path / "t.csv"
    path.write_text("a,b\r\n" + "".join(f"{text},{i % 2}\r\n" for i, text in enumerate(texts * 4)), newline="")
    with incrowd.anonymize(path, engine=engine, quasi_identifiers=["b"], k=5, solver="greedy", strip=False) as release:
        seen = set(release.table.column("a").to_pylist())
    assert seen == {text.strip('"').replace('""', '"') for text in texts}
    assert 'q"uote' in seen


def test_a_faulty_file_is_the_same_sentence_on_every_engine(engine, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n3,4\n5,6,7\n")
    with pytest.raises(incrowd.IncrowdError, match=r"reading 't.csv': line 4 has 3 fields where 2 are expected"):
        incrowd.anonymize(path, engine=engine, quasi_identifiers=["a"], k=2)


def test_an_audit_is_the_same_on_every_engine(engine):
    asked = {"quasi_identifiers": ["age", "zip", "word"], "identifiers": ["id"], "sensitive": ["secret"], "k": 2}
    found = measured(incrowd.audit(source(), engine=engine, **asked).facts)
    assert found == measured(incrowd.audit(source(), **asked).facts)
