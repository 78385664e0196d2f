"""JSON lines inside the engine."""

import pytest

from incrowd.tables.engine import json_lines
from incrowd.tables.engine.base import Engine


@pytest.fixture
def engine():
    with Engine() as made:
        yield made


def test_a_text_stays_text_and_a_number_a_number(engine, tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"id": "007", "n": 1, "x": 1.5, "b": true}\n\n{"id": "8", "n": 2, "x": 2, "b": null}\n')
    lines = json_lines.scan(engine, path, packed=False)
    kinds, good = json_lines.columns_of(engine, lines)
    assert good
    assert {name: str(kind) for name, kind in kinds.items()} == {
        "id": "string", "n": "int64", "x": "float64", "b": "boolean",
    }  # fmt: skip
