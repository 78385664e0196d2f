"""The script that changes one thing in the package and asks whether `verify` is deceived."""

from __future__ import annotations

import dataclasses
import importlib.util
import itertools
import json
import sys
from pathlib import Path

import pytest

import incrowd
from incrowd.tables.verify.release import pairing
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
    for name in [name for name in sys.modules if name.startswith("mutate") and name not in known]:
        del sys.modules[name]


@pytest.fixture
def trials(mutants):
    return sys.modules["mutate_verify_trials"]


@pytest.fixture
def changes(mutants):
    return sys.modules["mutate_verify_changes"]


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


TINY = """
from dataclasses import dataclass

LIMIT = 3


def inner(x):
    return [y + 1 for y in x]


def outer():
    def held():
        return 1
    return held


def usual(x=5):
    return x + LIMIT


@dataclass(frozen=True)
class Part:
    size: int = 8
"""


@pytest.fixture
def tiny(changes, tmp_path, monkeypatch):
    """A module of one file, and what changes a text in it."""
    (tmp_path / "tiny_held.py").write_text(TINY, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(changes, "SRC", tmp_path)
    module = importlib.import_module("tiny_held")
    known = changes.functions()
    yield module, lambda old, new: changes.change(str(tmp_path / "tiny_held.py"), TINY.replace(old, new), known)
    del sys.modules["tiny_held"]


def test_a_change_reaches_functions_that_others_hold(tiny):
    module, change = tiny
    inner, outer = module.inner, module.outer
    assert change("y + 1", "y + 2") and inner([1]) == [3] and outer()() == 1
    assert change("return 1", "return 7") and outer()() == 7


def test_a_change_reaches_defaults_constants_and_fields(tiny):
    module, change = tiny
    usual, part = module.usual, module.Part
    assert change("x=5", "x=6") and usual() == 9
    assert change("LIMIT = 3", "LIMIT = 4") and usual(5) == 9
    assert change("size: int = 8", "size: int = 9") and part().size == 9


def test_a_class_made_otherwise_takes_the_package_imported_anew(tiny):
    assert not tiny[1]("frozen=True", "frozen=False")


@pytest.fixture
def job(tmp_path, trials):
    """A job and its release."""
    asked = released.Asked(ROWS, {"quasi_identifiers": list(released.QUASI), "sensitive": ["ill", "pay"], "k": 2})
    incrowd.Job().replace(**released.save(asked, tmp_path)).policy.save(tmp_path / "policy.toml")
    (tmp_path / "out").mkdir()
    incrowd.anonymize(
        tmp_path / "original.csv", policy=tmp_path / "policy.toml", output=tmp_path / "out" / "release.csv",
        certificate=tmp_path / "out" / "certificate.json", solver="exact",
    )  # fmt: skip
    clean = trials.files_of(tmp_path / "out")
    return {"asked": asked, "folder": str(tmp_path), "seed": 0, "options": {"solver": "exact"}, "clean": clean}


def dearer(out):
    """Let a certificate claim one more than its release costs, as cost and as bound."""
    path = out / "certificate.json"
    honest = json.loads(path.read_text(encoding="utf-8"))
    cost = honest["cost"] + 1
    told = honest | {"cost": cost, "lower_bound": cost, "lower_bound_checked": cost}
    path.write_text(json.dumps(told), encoding="utf-8")


def alone(out):
    """Show one row as it is, in a class of its own."""
    lines = (out / "release.csv").read_text(encoding="utf-8").splitlines()
    shown = ["20,m,z,r,1,n" if line.endswith(",r,1,n") else line for line in lines]
    (out / "release.csv").write_text("\n".join(shown) + "\n", encoding="utf-8")


def test_a_wrong_release_and_a_bound_too_high_are_wrong_and_not_past(trials, job, tmp_path):
    out = tmp_path / "out"
    assert trials.judged(job, out, always=True) == {
        "wrong": False, "past": False, "refused": False, "good": True, "above": False
    }  # fmt: skip
    dearer(out)
    found = trials.judged(job, out)
    assert found["above"] and found["refused"] and not found["past"]
    alone(out)
    found = trials.judged(job, out)
    assert not found["good"] and found["wrong"] and found["refused"] and not found["past"]
    answer = {"how": "written", "out": str(out)}
    assert trials.became(answer, job)[0] == "verify"


def test_a_check_with_a_fault_lets_things_past_and_that_is_told(trials, job, tmp_path, monkeypatch):
    out, answer = tmp_path / "out", {"how": "own check", "out": str(tmp_path / "out")}
    dearer(out)
    with monkeypatch.context() as fault:  # as if a bound were taken as it is claimed
        real = incrowd.verify
        fault.setattr(incrowd, "verify", lambda *files, certificate: believing(real(*files), certificate))
        assert trials.became(answer, job)[0] == "past"
    assert trials.became(answer, job)[0] == "own check"
    alone(out)
    with monkeypatch.context() as fault:  # as if classes were not counted
        count = pairing.recount_classes
        fault.setattr(pairing, "recount_classes", lambda *a: count(*a[:-1], dataclasses.replace(a[-1], k=1)))
        assert trials.became(answer, job)[0] == "past"
    assert trials.became(answer, job)[0] == "own check"


def believing(found, certificate):
    """A verdict that takes a certificate's bound for proven."""
    if certificate is None:
        return found
    claims = json.loads(Path(certificate).read_text(encoding="utf-8"))
    told = incrowd.results.check.Violations()
    told.cost, told.lower_bound, told.proven = claims["cost"], claims["lower_bound"], True
    return told


def test_a_check_that_shares_the_change_and_believes_is_told(trials, job, tmp_path):
    out = tmp_path / "out"
    alone(out)
    believed = [{"certificate": False, "good": True, "bound": "0", "proven": False}]
    answer = {"how": "written", "out": str(out), "believed": believed}
    assert trials.became(answer, job)[0] == "shared"
    believed[0]["good"] = False
    assert trials.became(answer, job)[0] == "verify"


def test_the_worst_of_a_mutants_jobs_is_what_became_of_it(trials, job, tmp_path, monkeypatch):
    out = str(tmp_path / "out")
    hows = [trials.became({"how": how, "out": out, "why": ""}, job) for how in ("written", "words", "crash")]
    assert [how for how, _ in hows] == ["same", "words", "crash"]
    assert trials.worst(hows)[0] == "crash" and trials.worst(hows[:2])[0] == "words"
    changed = trials.became({"how": "written", "out": out}, job | {"clean": "others"})
    assert changed[0] == "changed" and trials.worst([*hows[:2], changed])[0] == "words"


def test_what_a_file_tells_is_not_tried_again(trials, mutants, tmp_path):
    path = tmp_path / "found.jsonl"
    module = "incrowd/tables/costs.py"
    one, two = itertools.islice(
        mutants.more_mutants((SCRIPTS.parent / "src" / module).read_bytes(), module, "costs"), 2
    )
    trials.Lines(path, 2.0).tried(one, "changed", "a job")
    trials.Lines(path, 2.0).tried(two, "limit", "a job")
    assert trials.Lines(path, 2.0).mutant(one) == ("changed", "a job")
    assert trials.Lines(path, 2.0).mutant(two) is not None and trials.Lines(path, 9.0).mutant(two) is None
    assert trials.Lines(None, 2.0).mutant(one) is None


APART = [("20", "f", "x"), ("20", "m", "y"), ("30", "g", "z"), ("30", "h", "w")]
ALIKE = [("20", "f", "x")] * 2 + [("30", "m", "y")] * 2
# What is asked, a change of what makes releases of it, and the same fault in what checks them.
PLANTED = {
    "mask": (APART, {"mask": {"max_stars": 1}}, "mask/vocabulary.py", b"stars > self.limit", "stars > self.limit + 9"),
    "cost": (APART, {}, "tables/costs.py", b"star if 0 < level == height", "star * 3 if 0 < level == height"),
    "model": (
        ALIKE, {"require": ["l-diversity l=2 column=ill"]}, "models/requirement.py",
        b"self.limit.numerator, self.limit.denominator", "9 * self.limit.numerator, self.limit.denominator",
    ),
}  # fmt: skip


def fault_in_check(fault, name):
    """Let the check as it runs here believe what the change with that name makes."""
    if name == "mask":
        fault.setattr("incrowd.check.mask.Mask.too_high", lambda *_: False)
    elif name == "cost":
        costs = importlib.import_module("incrowd.tables.verify.release.costs")
        real = costs.leaves
        fault.setitem(costs.READINGS, "leaves", lambda tree: [[3 * cost for cost in line] for line in real(tree)])
    else:
        fault.setattr("incrowd.check.rules.Requirement.met", lambda *_: True)


@pytest.mark.proofs
def test_the_same_fault_in_maker_and_check_is_past_and_in_the_maker_alone_is_not(trials, tmp_path, monkeypatch):
    jobs = sys.modules["mutate_verify_jobs"]
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    worker, lines = trials.Worker(5.0), trials.Lines(None, 5.0)
    try:
        for seed, (name, (cells, said, module, old, new)) in enumerate(PLANTED.items()):
            rows = [(*cell, ill, "1", "n") for cell, ill in zip(cells, "ppqq", strict=True)]
            policy = {"quasi_identifiers": list(released.QUASI), "sensitive": ["ill"], "k": 2, **said}
            job = jobs.written(seed, tmp_path, released.Asked(rows, policy), {"solver": "greedy"})
            tried = trials.Trials([job], worker, tmp_path / "files", lines, 2)
            module = f"incrowd/tables/{module}"
            source = (SCRIPTS.parent / "src" / module).read_bytes()
            begin = source.index(old)
            line = source[:begin].count(b"\n") + 1
            mutant = sys.modules["mutate"].Mutant(module, "", "", line, "", "", begin, begin + len(old), new)
            assert tried.reached(mutant)
            assert tried.try_out(mutant, 0)[0] in ("verify", "own check"), name
            tried.known.clear()
            with monkeypatch.context() as fault:
                fault_in_check(fault, name)
                assert tried.try_out(mutant, 0)[0] == "past", name
    finally:
        worker.close()
