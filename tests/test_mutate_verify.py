"""The script that changes one thing in the package and asks whether `verify` is deceived."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

import incrowd
from oracles import released

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"
ROWS = [
    ("20", sex, town, ill, "1", "n")
    for sex, town, ill in (("f", "x", "p"), ("f", "y", "q"), ("m", "x", "p"), ("m", "z", "r"))
]


def script(name):
    described = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    module = sys.modules[name] = importlib.util.module_from_spec(described)  # dataclasses look there
    described.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def mutants():
    known, path = dict(sys.modules), list(sys.path)
    yield script("mutate_verify")
    sys.path[:] = path
    for name in ("mutate_verify", "mutate"):
        if name not in known:
            sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def worker():
    yield script("mutate_verify_worker")
    del sys.modules["mutate_verify_worker"]


def test_sums_extremes_and_whole_numbers_change_and_types_do_not(mutants):
    source = b"def f(a: tuple[int, 2], b=3) -> 4:\n    return min(a, 1) + np.maximum(a - b, b)\n"
    found = sorted(mutants.more_mutants(source, "m.py", "m"), key=lambda mutant: mutant.begin)
    changed = [(source[: m.begin] + m.new.encode() + source[m.end :]).decode().split("\n") for m in found]
    assert [lines[0 if "b=4" in lines[0] else 1].strip() for lines in changed] == [
        "def f(a: tuple[int, 2], b=4) -> 4:",
        "return max(a, 1) + np.maximum(a - b, b)",
        "return min(a, 2) + np.maximum(a - b, b)",
        "return min(a, 1) - np.maximum(a - b, b)",
        "return min(a, 1) + np.minimum(a - b, b)",
        "return min(a, 1) + np.maximum(a + b, b)",
    ]


@pytest.mark.proofs
def test_every_area_has_mutants_and_bounds_are_no_solvers(mutants):
    every = mutants.all_mutants(SCRIPTS.parent)
    assert {mutant.area for mutant in every} == set(mutants.AREAS)
    assert all(
        ("/bounds/" in mutant.module) == (mutant.area == "bounds") or mutant.area == "kernels" for mutant in every
    )
    assert len({(mutant.module, mutant.begin, mutant.new) for mutant in every}) == len(every)


def test_a_change_reaches_functions_that_others_hold(worker, tmp_path, monkeypatch):
    text = "def inner(x):\n    return [y + 1 for y in x]\n\n\ndef outer():\n    def held():\n        return 1\n    return held\n"
    (tmp_path / "tiny_held.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(worker, "SRC", tmp_path)
    tiny = importlib.import_module("tiny_held")
    inner, outer = tiny.inner, tiny.outer
    known = worker.functions()
    worker.change(str(tmp_path / "tiny_held.py"), text.replace("y + 1", "y + 2"), known)
    assert inner([1]) == [3] and outer()() == 1
    worker.change(str(tmp_path / "tiny_held.py"), text.replace("return 1", "return 7"), known)
    assert outer()() == 7
    del sys.modules["tiny_held"]


@pytest.fixture
def job(tmp_path):
    """A job and its release."""
    asked = released.Asked(ROWS, {"quasi_identifiers": list(released.QUASI), "sensitive": ["ill", "pay"], "k": 2})
    incrowd.Job().replace(**released.save(asked, tmp_path)).policy.save(tmp_path / "policy.toml")
    (tmp_path / "out").mkdir()
    incrowd.anonymize(
        tmp_path / "original.csv", policy=tmp_path / "policy.toml", output=tmp_path / "out" / "release.csv",
        certificate=tmp_path / "out" / "certificate.json", solver="exact",
    )  # fmt: skip
    return {"asked": asked, "folder": str(tmp_path), "seed": 0, "solver": "exact", "clean": str(tmp_path / "out")}


def test_a_wrong_release_and_a_bound_too_high_are_wrong_and_not_past(mutants, job):
    out = Path(job["clean"])
    assert mutants.judged(job, out, always=True) == {
        "wrong": False, "past": False, "refused": False, "good": True, "above": False
    }  # fmt: skip
    path, release = out / "certificate.json", (out / "release.csv").read_text(encoding="utf-8")
    honest = json.loads(path.read_text(encoding="utf-8"))
    cost = honest["cost"] + 1
    path.write_text(
        json.dumps(honest | {"cost": cost, "lower_bound": cost, "lower_bound_checked": cost}), encoding="utf-8"
    )
    found = mutants.judged(job, out)
    assert found["above"] and found["refused"] and not found["past"]
    lines = release.splitlines()
    (out / "release.csv").write_text("\n".join([*lines[:-1], "20,m,z,r,1,n"]) + "\n", encoding="utf-8")
    found = mutants.judged(job, out)
    assert not found["good"] and found["wrong"] and found["refused"] and not found["past"]


def test_the_worst_of_a_mutants_jobs_is_what_became_of_it(mutants, job, monkeypatch):
    answers = [{"how": how, "out": job["clean"], "why": ""} for how in ("written", "words", "crash")]
    assert mutants.what_became(answers, [job] * 3)[0] == "crash"
    assert mutants.what_became(answers[:2], [job] * 2)[0] == "words"
    assert mutants.what_became(answers[:1], [job])[0] == "same"
    monkeypatch.setattr(mutants, "same", lambda *_: False)
    assert mutants.what_became(answers[:1], [job])[0] == "changed"
