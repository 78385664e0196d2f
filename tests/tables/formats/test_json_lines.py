"""JSON lines come in with their columns in the order in which the keys first occur, whatever the engine's threads do."""

import gzip
import json
import random

import pytest

from incrowd.errors import InputError
from incrowd.tables.engine.base import Engine
from incrowd.tables.read import open_source
from incrowd.tables.roles import Reading


@pytest.fixture
def engine(many_threads):
    del many_threads
    with Engine() as made:
        yield made


def first_occurrences(rows):
    return tuple(dict.fromkeys(key for row in rows for key in row))


@pytest.mark.order
@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz"])
def test_columns_come_in_the_order_in_which_their_keys_first_occur(ending, engine, tmp_path, repeats):
    rows = [{"b": i, "a": "x", "nested": {"z": 1, "y": 2}} for i in range(4000)]
    rows[17] |= {"late": None, "a/b~": 1}
    rows[3999] = {"last": 1, "late": 2, "a": "y"}
    text = "\n".join(map(json.dumps, rows))  # the last line, unended, is a thread's own
    path = tmp_path / f"t{ending}"
    path.write_bytes(gzip.compress(text.encode(), 1) if ending.endswith("gz") else text.encode())
    for _ in range(repeats):
        assert open_source(engine, path, Reading()).names == ("b", "a", "nested", "late", "a/b~", "last")


@pytest.mark.order
def test_keys_in_another_order_in_every_line_stand_as_they_first_occur(engine, tmp_path, repeats):
    draw = random.Random(repeats)
    keys = ["", "a", "é", '"', "/", "~1", "\0", "😀", "A", "row_key", "c0", "json"]
    for _ in range(repeats):
        rows = [dict.fromkeys(draw.sample(keys, draw.randint(0, 5)), 1) for _ in range(60)]
        path = tmp_path / "t.jsonl"
        path.write_text("\n\n".join(map(json.dumps, rows)))
        assert open_source(engine, path, Reading()).names == first_occurrences(rows)


@pytest.mark.parametrize("line", [0, 1, 2])
def test_a_key_twice_is_refused_in_any_line(engine, line, tmp_path):
    lines = ['{"a": 1, "b": 2}'] * 3
    lines[line] = '{"a": 1, "b": 2, "a": 3}'
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(lines))
    with pytest.raises(InputError, match=f"line {line + 1} of 't.jsonl' has a key twice"):
        open_source(engine, path, Reading())


def test_a_key_twice_in_every_line_is_refused(engine, tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": 1, "a": 2}\n' * 3)
    with pytest.raises(InputError, match="line 1 of 't.jsonl' has a key twice"):
        open_source(engine, path, Reading())


def test_empty_objects_are_rows_of_nulls(engine, tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{}\n{"b": 1, "a": null}\n{}\n')
    opened = open_source(engine, path, Reading())
    assert opened.names == ("b", "a")
    found = engine.fetch(opened.data.order_by("row_key")).to_pydict()
    assert (found["c0"], found["c1"]) == ([None, 1, None], [None] * 3)
