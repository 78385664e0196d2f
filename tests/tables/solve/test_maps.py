"""Every folder of methods names its files and folders, no others, and its papers by keys of papers/refs.bib."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import incrowd.tables.solve

SOLVE = Path(incrowd.tables.solve.__file__).parent
REFS = Path(__file__).parents[3] / "papers" / "refs.bib"
FOLDERS = sorted(path.parent.relative_to(SOLVE).as_posix() for path in SOLVE.rglob("__init__.py"))


def map_of(folder):
    """What the docstring of a folder says."""
    return (SOLVE / folder / "__init__.py").read_text(encoding="utf-8").split('"""')[1]


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_says_what_its_files_do(folder):
    there = {path.stem for path in (SOLVE / folder).glob("*.py")} - {"__init__"}
    there |= {path.parent.name for path in (SOLVE / folder).glob("*/__init__.py")}
    named = set(re.findall(r"``([a-z_]+)``", map_of(folder)))
    assert there <= named
    known = {path.stem for path in SOLVE.rglob("*.py")} | {path.parent.name for path in SOLVE.rglob("__init__.py")}
    assert named <= known


@pytest.mark.parametrize("folder", FOLDERS)
def test_papers_are_named_by_their_keys(folder):
    keys = set(re.findall(r"^@\w+\{(.*),$", REFS.read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"\b(?:[A-Z][a-z]+){2,}(?:\d{4})?\b", map_of(folder)))
    assert named <= keys
    assert len(keys) > 10
