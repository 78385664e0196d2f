"""Nothing that is told hangs on the order in which the engine's threads come to their rows."""

import random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import incrowd
from seeds import how_many

pytestmark = [pytest.mark.order, pytest.mark.seeds, pytest.mark.usefixtures("many_threads")]
N = how_many(300_000, 130_000)  # rows of several blocks of the engine's, each of which a thread takes


def table_of(rows):
    return pa.table({"a": [row[0] for row in rows], "b": [row[1] for row in rows]})


def test_the_class_that_a_violation_tells_of_is_the_same_for_every_order_of_the_rows(repeats):
    # four rows for five that all may come from them: who goes without is a choice
    original, released = [("1", "1")] * 4 + [("9", "9")], [("1", "*")] * 2 + [("*", "1")] * 3
    draw = random.Random(1)
    for _ in range(max(2, repeats // 2)):
        draw.shuffle(original)
        draw.shuffle(released)
        found = incrowd.verify(table_of(original), table_of(released), quasi_identifiers=["a", "b"], k=2)
        assert [(v.rule, v.count, v.example_group_size) for v in found] == [("faithful", 1, 2)]


def big():
    drawn = np.random.default_rng(1)
    return pa.table(
        {
            "a": drawn.integers(0, 7, N).astype("str"),
            "b": drawn.integers(0, 300, N),
            "c": pa.array(drawn.choice(["x", "ä", "Z", "_", None], N)),
            "s": drawn.integers(0, 9, N).astype("str"),
            "kept": drawn.choice([0.0, -0.0, np.nan, 1.5], N),
        }
    )


def test_a_job_gives_the_same_file_facts_and_certificate_every_time(repeats, tmp_path):
    table, settings = big(), {"quasi_identifiers": ["a", "b", "c"], "sensitive": ["s"], "k": 40, "time_limit": 0}
    seen = {}
    for i in range(max(2, repeats // 5)):
        out, certificate = tmp_path / f"{i}.parquet", tmp_path / "c.json"
        order = np.random.default_rng(i).permutation(N)
        with incrowd.anonymize(table.take(order), output=out, certificate=certificate, **settings) as release:
            facts = {k: v for k, v in release.facts.items() if k not in ("seconds", "peak_mb", "progress", "release")}
        rows = [column.to_pylist() for column in pq.read_table(out).columns]
        # written from the engine's lists of values, by several threads and in order, some texts came out empty
        assert "" not in rows[1]
        audited = incrowd.audit(table.take(order), quasi_identifiers=["a", "b", "c"], sensitive=["s"]).facts
        audited = {k: v for k, v in audited.items() if k not in ("seconds", "peak_mb")}
        for name, told in (("rows", rows), ("facts", facts), ("audit", audited), ("proof", certificate.read_text())):
            seen.setdefault(name, repr(told))
            assert repr(told) == seen[name], name
