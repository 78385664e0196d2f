"""No module imports what imports it, directly or by way of others; no name decides outside its room. Read from sources."""

from __future__ import annotations

import ast
import functools
import re
from pathlib import Path

import pytest

from incrowd import registry
from incrowd.tables.recoding import RECODINGS

ROOT = Path(__file__).parents[1]
# The one circle there may be: a value and the protocol that it is asked by.
CIRCLES = {("incrowd.tables.protocols", "incrowd.tables.values")}


def modules(root: Path) -> dict[str, Path]:
    """Every module below ``src``, by its dotted name."""
    found = {}
    for path in sorted((root / "src").rglob("*.py")):
        name = ".".join(path.relative_to(root / "src").with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


def imports(root: Path) -> dict[str, set[str]]:
    """Which modules each imports: late ones and those for annotations too, names from a folder by the folder."""
    there = modules(root)
    found = {}
    for name, path in there.items():
        asked: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                asked |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                base = node.module or ""
                if node.level:
                    folder = (name if path.name == "__init__.py" else name.rpartition(".")[0]).split(".")
                    base = ".".join([*folder[: len(folder) - node.level + 1], *filter(None, [base])])
                asked |= {f"{base}.{alias.name}" if f"{base}.{alias.name}" in there else base for alias in node.names}
        found[name] = {one for one in asked if one in there and one != name and there[one].name != "__init__.py"}
    return found


@functools.cache
def circles(root: Path) -> set[tuple[str, ...]]:
    """The sets of modules that reach one another, each sorted."""
    arrows = imports(root)

    def reached(start: str) -> set[str]:
        seen, left = set(), [start]
        while left:
            for one in arrows[left.pop()] - seen:
                seen.add(one)
                left.append(one)
        return seen

    # what nothing imports, or imports nothing, is in no circle: peel until all that is left is between circles
    kept = set(arrows)
    while True:
        inner = {name for name in kept if arrows[name] & kept and any(name in arrows[one] for one in kept)}
        if inner == kept:
            break
        kept = inner
    reach = {name: reached(name) for name in kept}
    found = {tuple(sorted(o for o in reach if o in reach[name] and name in reach[o])) for name in kept}
    return {one for one in found if len(one) > 1}


def test_there_is_no_circle_but_between_values_and_protocols():
    assert circles(ROOT) == CIRCLES


@pytest.fixture
def tree(tmp_path):
    """A tree in order: write into it by path, with the circle that a test plants."""

    def write(path: str, text: str = "") -> Path:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
        return tmp_path

    for path in ("__init__.py", "good.py", "room/__init__.py", "room/one.py"):
        write(f"src/incrowd/{path}")
    return write


PLANTED = {
    "plain": [
        ("src/incrowd/good.py", "import incrowd.room.one"),
        ("src/incrowd/room/one.py", "from incrowd import good"),
    ],
    "through a late import": [
        ("src/incrowd/good.py", "def f():\n    from .room import one"),
        ("src/incrowd/room/one.py", "from .. import good"),
    ],
    "through an annotation": [
        ("src/incrowd/good.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from incrowd.room.one import A"),
        ("src/incrowd/room/one.py", "from incrowd.good import B"),
    ],
}  # fmt: skip


def test_a_tree_in_order_has_no_circle(tree):
    assert circles(tree("src/incrowd/version.py")) == set()


@pytest.mark.parametrize("circle", PLANTED)
def test_a_planted_circle_is_seen(tree, circle):
    for path, text in PLANTED[circle]:
        root = tree(path, text)
    assert circles(root) == {("incrowd.good", "incrowd.room.one")}


def test_definitions_import_nothing_of_the_package():
    files = sorted((ROOT / "tests" / "oracle").glob("*.py"))
    assert len(files) > 5
    for path in files:
        assert not re.search(r"^\s*(import|from) incrowd\b", path.read_text(encoding="utf-8"), re.MULTILINE), path.name


# Rooms that may ask for a recoding, an engine or a solver by its name, and what lists the names.
ROOMS = ("registry.py", "check/", "policy/", "reproduce/", "networks/", "tables/range")
ROOMS += ("tables/engine/", "tables/solve/", "tables/recoding/")
NAMED = {*registry.SOLVERS, *RECODINGS, "spark"} - {"levels", "matching"}  # which other things are called too


def test_no_name_of_a_recoding_an_engine_or_a_solver_decides_outside_its_room():
    src, found = ROOT / "src" / "incrowd", []
    for path in (one for one in src.rglob("*.py") if not one.relative_to(src).as_posix().startswith(ROOMS)):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare):
                said = {getattr(one, "value", "") for one in ast.walk(node) if isinstance(one, ast.Constant)}
                if NAMED & said:
                    found.append(ast.unparse(node))
    assert found == ["table.kind == 'spark'"]  # the kind of a table that came in
