"""The project only becomes smaller: every number of `scripts/size.py` is at most its ceiling, and no ceiling is ever raised."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import size

ROOT = Path(__file__).parents[1]
PYTHON = (3, 11)  # tokens are counted under this version: others cut f-strings differently
MOST_BESIDE = 4_000  # lines of ways that stand beside the ones they replace, for as long as both are measured
TOKENS = {"src": 10, "tests": 12}  # of a line


def told(text):
    """The ceilings, and by folder the lines that new ways may take until the old ones leave, of a `budget.toml`."""
    read = tomllib.loads(text)
    beside = read.get("beside", [])
    return read["most"], {
        folder: sum(one["lines"] for one in beside if one["new"].startswith(f"{folder}/")) for folder in TOKENS
    }


def test_nothing_is_larger_than_its_ceiling():
    most, beside = told((ROOT / "budget.toml").read_text())
    found = size.measured()
    assert set(found) == set(most)
    assert sum(beside.values()) <= MOST_BESIDE
    for name, number in found.items():
        if not name.endswith("tokens") or sys.version_info[:2] == PYTHON:
            folder, _, counted = name.partition("_")
            allowed = beside[folder] * {"code": 1, "lines": 1, "tokens": TOKENS[folder]}.get(counted, 0)
            assert number <= most[name] + allowed, f"{name}: write less, or take out what it replaces"


def test_every_way_beside_another_names_the_loser():
    for one in tomllib.loads((ROOT / "budget.toml").read_text()).get("beside", []):
        assert set(one) == {"new", "loser", "lines"}
        assert (ROOT / one["new"]).exists()
        assert (ROOT / one["loser"]).exists()


def test_no_ceiling_was_ever_raised():
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("needs the project's history")
    git = ["git", "-C", str(ROOT)]
    commits = subprocess.check_output([*git, "log", "--format=%H", "--", "budget.toml"], text=True).split()
    versions = [subprocess.check_output([*git, "show", f"{commit}:budget.toml"], text=True) for commit in commits]
    later = told((ROOT / "budget.toml").read_text())[0]
    for text in versions:
        before = told(text)[0]
        raised = {name: (before[name], most) for name, most in later.items() if most > before.get(name, most)}
        assert not raised, "ceilings are lowered only"
        later = before


def test_lines_are_counted_as_they_are(tmp_path):
    (tmp_path / "one.py").write_text(
        '"""A module.\n\nTwo."""\n\n# alone\nx = [  # beside\n    1,\n]\n\n\ndef f():\n    """One."""\n'
    )
    assert size.of_file(tmp_path / "one.py") == {"files": 1, "lines": 12, "code": 4, "tokens": 11, "docs": 5}
