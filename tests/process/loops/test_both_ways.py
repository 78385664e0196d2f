"""Every loop counts alike compiled and as plain Python: those of some folders' tests as they go, and all of them here."""

import ast
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import incrowd
from incrowd import networks
from incrowd.kernels.bounds import inner_values, range_boxes
from incrowd.kernels.grouping.frequent import cheapest_classes
from process.loops import both_ways
from process.loops.both_ways import loops_go_both_ways as loops_go_both_ways

ROOT = Path(__file__).parents[3]
CALLERS = ("tests/properties", "tests/checkers", str(Path(__file__)))


def loops_of_the_package():
    folder = Path(incrowd.__file__).parent
    for path in folder.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "@njit" in text else ():
            if isinstance(node, ast.FunctionDef) and any("njit" in ast.dump(mark) for mark in node.decorator_list):
                yield ".".join(("incrowd", *path.relative_to(folder).with_suffix("").parts, node.name))


def loop_of(monkeypatch, tmp_path, body):
    (tmp_path / "a_loop.py").write_text(
        f"import numpy as np\nfrom incrowd.loops import njit\n@njit(cache=True, nogil=True)\ndef f(x):\n{body}"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "a_loop", raising=False)
    return __import__("a_loop").f


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("    h = 0\n    for i in range(x.size):\n        h += x[i]\n    return h\n", "uint8 is added up"),
        ("    return x[-1]\n", ""),
        ("    i = x.size - 3\n    return x[i]\n", "place -1"),
        ("    return np.int64(2**62) * x[0]\n", "overflow"),
        ("    return np.uint64(3) + np.int64(x[0])\n", "make a float"),
        ("    return np.empty(9)[8] == -1e300\n", "the answer"),
    ],
)
def test_what_would_count_otherwise_is_found(monkeypatch, tmp_path, body, said):
    loop = loop_of(monkeypatch, tmp_path, body)
    loop.py_func.__module__ = "incrowd.a_loop"
    both_ways.both(loop, np.array([3, 4], np.uint8))
    found = list(both_ways.differing.values())
    both_ways.differing.clear()
    assert len(found) == bool(said)
    assert all(said in why for why in found)


def test_more_than_255_rows_in_a_bucket_are_counted():
    rows, one = 700, np.zeros(1, np.int64)
    table, costs = np.zeros((2, rows), np.uint64), np.ones((2, rows), np.int64)
    for weights in (np.ones(rows, np.int32), np.ones(rows, np.int64)):
        dear = np.full(rows, 9)
        found = [
            call(table, one, one + 1, np.ones((1, 1), np.int8), one + 4, costs, True, weights, rows, dear)
            for call in (cheapest_classes, cheapest_classes.py_func)
        ]
        assert [cost.tolist() for cost in found] == [[4] * rows] * 2


def drawn(rows, **columns):
    rng = random.Random(5)
    return pa.table({name: [str(rng.randrange(values)) for _ in range(rows)] for name, values in columns.items()})


@pytest.mark.proofs
def test_ranges_of_two_columns_weighted_edges_and_loops_that_few_tables_reach():
    assert networks.read(b"0 1 3.5\n1 2 0.25\n").edges == 2
    asked = {"quasi_identifiers": ["a", "b", "c"], "numeric": ["a", "b"], "recoding": "grid", "k": 2}
    table = drawn(24, a=9, b=9, c=2)
    with incrowd.anonymize(table, work=1, **asked) as release:
        assert not incrowd.verify(table, release.table, certificate=release.certificate(), **asked)
    out, take = np.zeros(5, np.int64), np.zeros(3)
    assert range_boxes._distinct(np.array([7, 3, 7, 5]), np.array([0, 1, 2]), 3, out) == 2
    assert out.tolist() == [3, 7, 0, 0, 0]
    order, rows = np.array([2, 0, 1]), np.array([2, 3, 1])
    inner_values._distinct(2, 2, np.array([0, 1, 0]), order, np.array([4, -1, 9]), rows, 5, take)
    assert take.tolist() == [2, 2, 1]


@pytest.mark.proofs
def test_every_loop_was_made_both_ways(tmp_path):
    report = tmp_path / "reached.json"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not proofs and not spark", *CALLERS],
        env={**os.environ, "BOTH_WAYS": str(report)},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    assert sorted(set(loops_of_the_package()) - set(json.loads(report.read_text()))) == []
