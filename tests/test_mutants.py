"""The script that changes one thing at a time in functions as they run."""

from __future__ import annotations

import os
import subprocess
import sys

import mutants as module
import pytest

PACKAGE = module.PACKAGE
SOURCE = """def grown(age: int, ages: list[int]) -> bool:
    return age >= 18 and not max(ages) > 3 + 1


class Person:
    @property
    def next(self) -> int:
        def later(age: int) -> int:
            return age + 1

        return later(self.age)
"""


TESTS = """from incrowd_tiny.ages import Person, grown


def test_of_all():
    assert grown(18, [4]) and not grown(17, [4])


def test_that_is_red():
    assert Person() is None
    assert not grown(18, [5])


def test_of_the_next():
    one = Person()
    one.age = 7
    assert one.next > 7
"""


@pytest.fixture
def mutants(tmp_path, monkeypatch):
    """The script over a package of one module, `incrowd_tiny.ages`."""
    (tmp_path / "incrowd_tiny").mkdir()
    for name, text in {"__init__": "", "ages": SOURCE}.items():
        (tmp_path / "incrowd_tiny" / f"{name}.py").write_text(text)
    monkeypatch.setattr(module, "PACKAGE", tmp_path / "incrowd_tiny")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(module.gc, "unfreeze", lambda: None)  # what the suite froze stays so: tiny is newer
    yield module
    for name in ("incrowd_tiny.ages", "incrowd_tiny"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("name", "number", "words", "found"),
    [
        ("grown", 0, "return age >= 18 and (not max(ages) > 3 + 1) -> return None", (None, None, None, 8)),
        ("grown", 1, "age >= 18 and (not max(ages) > 3 + 1) -> age >= 18 or not max(ages) > 3 + 1", (True, True, True, 8)),
        ("grown", 2, "age >= 18 -> age > 18", (False, False, False, 8)),
        ("grown", 3, "not max(ages) > 3 + 1 -> not not max(ages) > 3 + 1", (False, True, False, 8)),
        ("next", 1, "age + 1 -> age - 1", (True, False, False, 6)),
        ("later", 1, "age + 1 -> age - 1", (True, False, False, 6)),
    ],
)  # fmt: skip
def test_a_function_is_changed_as_it_runs_and_its_file_is_not(mutants, name, number, words, found):
    from incrowd_tiny.ages import Person, grown

    held = Person()
    held.age = 7
    answers = lambda: (grown(18, [4]), grown(18, [5]), grown(17, [4]), held.next)
    assert answers() == (True, False, False, 8)
    (function,) = (one for one in mutants.functions() if one.node.name == name)
    assert mutants.make(mutants.changes(function)[number], function, set()) == words
    assert answers() == found
    assert (mutants.PACKAGE / function.path).read_text() == SOURCE


def test_functions_are_drawn_evenly_and_a_third_of_all_is_loops(mutants, monkeypatch):
    monkeypatch.setattr(mutants, "PACKAGE", PACKAGE)
    every = mutants.functions()[::8]  # every change in them is looked for
    monkeypatch.setattr(mutants, "functions", lambda: every)
    told = lambda seed: [(one.path, node.lineno) for one, (node, *_) in mutants.draw(9, seed, "policy/")]
    assert told(1) == told(1) != told(2)
    assert {path.split("/")[-2] for path, _ in told(1)} == {"policy"}
    drawn = mutants.draw(90, 1)
    assert sum(one.loop for one, _ in drawn) == 30
    assert len({(one.path, one.node.lineno) for one, _ in drawn}) == 90
    assert len({one.path.split("/")[0] for one, _ in drawn}) > 8


def test_tests_that_call_the_changed_function_come_first_by_their_time_and_one_that_none_calls_has_all(mutants):
    trials = mutants.Trials([])
    path = str(mutants.PACKAGE / "ages.py")
    grown, later = (path, 1, "grown"), (path, 8, "later")
    trials.noted = [[3.0, 0, [grown]], [1.0, 1, [grown, later]], [2.0, 2, []]]
    of = {one.node.name: one for one in mutants.functions()}
    assert trials.chosen(of["grown"]) == [1, 0]
    assert trials.chosen(of["later"]) == trials.chosen(of["next"]) == [1]
    trials.noted = [[3.0, 0, [grown]], [2.0, 2, []]]
    assert trials.chosen(of["next"]) == [2, 0]


def test_what_no_test_notices_is_told_and_one_that_fails_by_itself_notices_nothing(mutants, tmp_path):
    (tmp_path / "test_ages.py").write_text(TESTS)
    code = f"import mutants; mutants.PACKAGE = mutants.Path({str(mutants.PACKAGE)!r})"
    code += "; faults = [(one, change) for one in mutants.functions() for change in mutants.changes(one)]"
    code += "; mutants.pytest.main(['-p', 'no:terminal', 'test_ages.py'], [mutants.Trials(faults)])"
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, env=paths)
    first, *told = done.stdout.splitlines()
    assert first == "2 of 3 tests pass without a fault and call a function", done.stderr
    found = {said: word for word, _, said in (line.strip().split(maxsplit=2) for line in told)}
    assert found["age >= 18 -> age > 18 AssertionError('test_ages.py::test_of_all')"] == "noticed"
    assert found["age + 1 -> age - 1 AssertionError('test_ages.py::test_of_the_next')"] == "noticed"
    assert found["3 -> 4"] == "SURVIVES"  # the red test alone has ages that tell
