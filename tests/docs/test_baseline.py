"""benchmarks/baseline.json has every case of the harness that took it, and the harness still takes one and compares it."""

from __future__ import annotations

import dataclasses
import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
FOLDED = json.loads((BENCHMARKS / "baseline.json").read_text())


@pytest.fixture(scope="module")
def harness():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(BENCHMARKS)
        patch.delitem(sys.modules, "cases", raising=False)  # the tests have one of their own
        import run

        yield run


def test_the_baseline_has_every_case_as_it_is_asked_now(harness):
    asked = {name: json.loads(json.dumps(settings)) for name, (_, settings) in harness.CASES.items()}
    assert {name: case["settings"] for name, case in FOLDED["cases"].items()} == asked
    assert FOLDED["values"] == list(harness.VALUES) and FOLDED["machine"] and FOLDED["source"]


@pytest.mark.parametrize("mode", ["work", "cpu"])
def test_what_was_run_has_a_value_for_every_seed_and_what_was_not_has_a_reason(harness, mode):
    for name, case in FOLDED["cases"].items():
        told = case[mode]
        if told is None:
            assert case[f"{mode}_why"], name
            continue
        assert set(told) == {"seeds", "median", "min", "max", *harness.VALUES, *harness.ALSO}, name
        assert set(told["seeds"]) <= set(harness.seeds_of(name)), name
        for key in harness.VALUES:
            values = [value for value in told[key] if value is not None]
            assert len(told[key]) == len(told["seeds"]) and (values or key == "excluded"), (name, key)
            assert not values or told["min"][key] <= told["median"][key] <= told["max"][key], (name, key)
        assert all(bound <= cost for bound, cost in zip(told["bound"], told["cost"], strict=True)), name


@pytest.mark.parametrize("page", ["README.md", "docs/understand/other-tools.md"])
def test_pages_that_compare_tools_say_of_incrowd_what_the_baseline_says(page):
    text = (BENCHMARKS.parent / page).read_text()
    for case, mode, digits in (("stars: Adult-2, k = 5", "cpu", 0), ("greedy: Adult-2, k = 5", "work", 1)):
        told = FOLDED["cases"][case][mode]["median"]
        cost, bound, seconds = f"{told['cost']:,}", f"{told['bound']:,}", f"{told['cpu']:.{digits}f}"
        assert re.search(rf"^\| incrowd.*\| {cost} \| {seconds} \|.* {bound}\b", text, re.MULTILINE), (page, case)


@pytest.mark.proofs
def test_a_case_run_again_costs_what_stands_there(tmp_path):
    words = ["--case", "^small: hospital, k = 5$", "--mode", "work", "--seeds", "0", "--raw", tmp_path / "runs.jsonl"]
    command = [sys.executable, BENCHMARKS / "run.py", "--compare", *words]
    clean = {name: value for name, value in os.environ.items() if name != "INCROWD_DATA"}
    done = subprocess.run(command, capture_output=True, text=True, env=clean)
    assert done.returncode == 0, done.stderr
    told = dict(
        zip(["case", "mode", "seeds", "cost", "bound"], done.stdout.splitlines()[-1].split(" | "), strict=False)
    )
    assert told == {
        "case": "| small: hospital, k = 5", "mode": "work", "seeds": "1",
        "cost": "975 / 975 (+0.00 %)", "bound": "975 / 975 (+0.00 %)",
    }  # fmt: skip
    assert json.loads((tmp_path / "runs.jsonl").read_text())["cpu"] > 0


def test_what_is_switched_off_is_there(harness):
    for where, changes in harness.OFF.values():
        tuning = importlib.import_module(f"incrowd.tables.solve.{where}")
        assert dataclasses.replace(tuning.DEFAULT, **changes) != tuning.DEFAULT
