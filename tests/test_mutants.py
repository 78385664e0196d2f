"""The script that changes one thing at a time in functions as they run."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections import Counter
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"
SOURCE = """def grown(age: int, ages: list[int]) -> bool:
    return age >= 18 and not max(ages) > 3 + 1


class Person:
    @property
    def next(self) -> int:
        def later(age: int) -> int:
            return age + 1

        return later(self.age)
"""


def script(name):
    described = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    module = sys.modules[name] = importlib.util.module_from_spec(described)  # dataclasses look there
    described.loader.exec_module(module)
    return module


@pytest.fixture
def mutants(tmp_path, monkeypatch):
    """The script over a package of one module, `incrowd_tiny.ages`."""
    module = script("mutants")
    for name, text in {"__init__": "", "ages": SOURCE}.items():
        (tmp_path / "incrowd_tiny" / f"{name}.py").parent.mkdir(exist_ok=True)
        (tmp_path / "incrowd_tiny" / f"{name}.py").write_text(text)
    monkeypatch.setattr(module, "SRC", tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(module.gc, "unfreeze", lambda: None)  # what the suite froze stays so: tiny is newer
    yield module
    for name in ("mutants", "incrowd_tiny.ages", "incrowd_tiny"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("function", "number", "words", "found"),
    [
        ("grown:1", 0, "return age >= 18 and (not max(ages) > 3 + 1) -> return None", (None, None, None, 8)),
        ("grown:1", 1, "age >= 18 and (not max(ages) > 3 + 1) -> age >= 18 or not max(ages) > 3 + 1", (True, True, True, 8)),
        ("grown:1", 2, "age >= 18 -> age > 18", (False, False, False, 8)),
        ("grown:1", 3, "not max(ages) > 3 + 1 -> not not max(ages) > 3 + 1", (False, True, False, 8)),
        ("Person.next:7", 1, "age + 1 -> age - 1", (True, False, False, 6)),
    ],
)  # fmt: skip
def test_a_function_is_changed_as_it_runs_and_its_file_is_not(mutants, function, number, words, found):
    from incrowd_tiny.ages import Person, grown

    held = Person()
    held.age = 7
    answers = lambda: (grown(18, [4]), grown(18, [5]), grown(17, [4]), held.next)
    assert answers() == (True, False, False, 8)
    one = {"path": "incrowd_tiny/ages.py", "function": function, "number": number, "loop": False}
    assert mutants.mutated(one["path"], function, number)[2] == words
    mutants.change(one)
    assert answers() == found
    assert (mutants.SRC / one["path"]).read_text() == SOURCE


def test_rooms_have_their_share_and_a_third_of_all_is_loops():
    module = script("mutants")
    drawn = module.draw(90, seed=1)
    assert drawn == module.draw(90, seed=1) != module.draw(90, seed=2)
    assert 20 <= sum(one["loop"] for one in drawn) <= 45
    rooms = Counter(one["room"] for one in drawn)
    assert len(rooms) > 30 and rooms["tables/solve"] == max(n for room, n in rooms.items() if "kernels" not in room)
    assert len({(one["path"], one["function"], one["number"]) for one in drawn}) == len(drawn)


def test_tests_that_call_the_changed_function_come_first_by_their_time_and_one_that_none_calls_has_all(tmp_path):
    module = script("mutants")
    tests = {
        "slow": {"passed": True, "seconds": 3, "calls": ["incrowd/a.py:f"]}, "quick": {"passed": True, "seconds": 1, "calls": ["incrowd/a.py:f", "incrowd/a.py:g"]},
        "red": {"passed": False, "seconds": 0, "calls": ["incrowd/a.py:f"]}, "other": {"passed": True, "seconds": 2, "calls": []},
    }  # fmt: skip
    (tmp_path / "map.json").write_text(json.dumps(tests))
    trial = module.Trial(str(tmp_path / "map.json"), [], 1)
    chosen = lambda name: trial.chosen(
        {"path": "incrowd/a.py", "function": name, "loop": False}, {name: name for name in tests}
    )
    assert chosen("f:1") == ["quick", "slow"]
    assert chosen("g:9") == ["quick"]
    assert chosen("h:3") == ["quick", "other", "slow"]
