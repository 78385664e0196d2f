"""CONTRIBUTING.md does what it says: its example is made, registered and tested as written."""

import ast
import importlib.util
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

from incrowd import registry

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"```python\n# (\S+)\n(.*?)```", TEXT, re.DOTALL))
MODULE = "src/incrowd/tables/measures/blank_rows.py"
TEST = "tests/tables/measures/test_blank_rows.py"


def as_module(name, code, folder):
    path = folder / f"{name.rpartition('.')[2]}.py"
    path.write_text(code, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    return spec, module


@pytest.fixture
def example(tmp_path, monkeypatch):
    """The example's measure, registered by its own line."""
    name = "incrowd.tables.measures.blank_rows"
    spec, module = as_module(name, BLOCKS[MODULE], tmp_path)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    line = ast.literal_eval("{" + BLOCKS["src/incrowd/registry.py"].strip() + "}")
    for key, target in line.items():
        monkeypatch.setitem(registry.MEASURES, key, target)
    return next(iter(line))


def test_the_example_is_whole():
    assert set(BLOCKS) == {MODULE, "src/incrowd/registry.py", TEST}


def test_the_example_is_found_by_its_one_line(example):
    assert example not in (ROOT / "src/incrowd/registry.py").read_text(encoding="utf-8")
    found = registry.load("measures", example)
    assert found.name == example
    assert found.summary


def test_the_examples_own_test_passes_and_would_fail_without_the_measure(example, release_of, tmp_path):
    spec, module = as_module("test_blank_rows", BLOCKS[TEST], tmp_path)
    spec.loader.exec_module(module)
    tests = [f for name, f in inspect.getmembers(module, inspect.isfunction) if name.startswith("test_")]
    assert len(tests) == 1
    tests[0](release_of)
    module.BlankRows.measure = lambda self, release, context: 0.0
    with pytest.raises(AssertionError):
        tests[0](release_of)


def test_the_example_keeps_the_style(tmp_path):
    path = tmp_path / "blank_rows.py"
    path.write_text(BLOCKS[MODULE], encoding="utf-8")
    ruff = [sys.executable, "-m", "ruff", "check", "--config", str(ROOT / "pyproject.toml"), str(path)]
    done = subprocess.run(ruff, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_every_file_and_folder_named_is_there():
    named = set(re.findall(r"`((?:src|tests|scripts)/[\w./]+)`", TEXT))
    assert len(named) > 5
    assert {path for path in named if not (ROOT / path).exists()} == set()


def test_every_example_to_look_at_is_there():
    rows = re.findall(r"\| [\w ]+ \| `(src/[\w/]+)` \|.*\| `([\w/]+\.py)` \|", TEXT)
    assert len(rows) == 5
    assert [f"{folder}/{file}" for folder, file in rows if not (ROOT / folder / file).exists()] == []


def test_every_make_target_named_is_there():
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"\bmake (\w+)", TEXT))
    assert named >= {"setup", "test", "check", "walls", "proofs"}
    assert named <= targets
