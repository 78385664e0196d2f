"""The script that flips comparisons, on a package of one function."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "scripts" / "mutate.py"
SOURCE = """def grown(age: int, ages: list[int]) -> bool:
    return age >= 18 and max(ages) > 3
"""
TEST = """from tiny.ages import grown

def test_eighteen_is_grown():
    assert grown(18, [18, 40]) and not grown(17, [40])
"""


@pytest.fixture(scope="module")
def mutate():
    described = importlib.util.spec_from_file_location("mutate", SCRIPT)
    module = sys.modules["mutate"] = importlib.util.module_from_spec(described)  # dataclasses look there
    described.loader.exec_module(module)
    yield module
    del sys.modules["mutate"]


@pytest.fixture
def tiny(tmp_path):
    """A project of one function and one test, and a compiled file that is none."""
    files = {"pyproject.toml": "", "src/tiny/__init__.py": "", "src/tiny/ages.py": SOURCE, "tests/test_ages.py": TEST}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture(scope="module")
def every(mutate):
    """All mutants of the package."""
    return mutate.all_mutants(SCRIPT.parents[1], mutate.AREAS, ones=True)


def everything(folder):
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}


def test_a_mutant_that_a_test_catches_and_one_that_survives_are_told_apart(mutate, tiny, monkeypatch):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    areas = {"ages": mutate.Area("tiny", ())}
    mutants, before = mutate.all_mutants(tiny, areas), everything(tiny)
    assert [mutant.after for mutant in mutants] == ["age > 18", "age >= 18 or max(ages) > 3", "max(ages) >= 3"]
    known = {("tiny/ages.py", "grown", "age >= 18 and max(ages) > 3 -> age >= 18 or max(ages) > 3"): "for the test"}
    outcomes = list(mutate.try_all(tiny, areas, mutants, jobs=1, limit=60, known=known, bare=True))
    assert [(outcome.how, outcome.by) for outcome in outcomes] == [
        ("mirrored", "tests/test_ages.py::test_eighteen_is_grown"),
        ("known", "for the test"),
        ("survived", ""),
    ]
    assert everything(tiny) == before


def test_a_flip_changes_its_own_operator_alone(mutate):
    source = b"a = (1 < (2)) and not b\nc = '\xc3\xa4<' not  in (a is not None, 'and')\nd = e + 1\n"
    found = mutate.mutants_of(source, "m.py", "m", ones=True)
    assert [(mutant.line, mutant.after) for mutant in found] == [
        (1, "1 <= (2)"),
        (1, "(1 < (2)) or not b"),
        (2, "'ä<' in (a is not None, 'and')"),
        (2, "a is None"),
        (3, "e + 0"),
    ]


def test_a_sample_takes_alike_many_of_every_area(mutate, every):
    drawn = mutate.choose(every, 10, 0)
    assert [mutant.area for mutant in drawn] == [area for area in mutate.AREAS for _ in range(2)]
    assert set(drawn) <= set(every)


def test_every_known_mutant_can_be_made(mutate, every):
    assert not set(mutate.known_mutants(mutate.KNOWN)) - {mutant.key for mutant in every}
