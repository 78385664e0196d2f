"""The tree keeps its shape: small folders and modules, no circle, and a test where one looks for it.

Read from the sources alone; nothing is imported.
"""

from __future__ import annotations

import ast
import functools
import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MOST_IN_A_FOLDER, MOST_AT_THE_ROOT, MOST_LINES = 20, 8, 350
# The one circle there may be: a value and the protocol that it is asked by.
CIRCLES = {("incrowd.tables.protocols", "incrowd.tables.values")}
ENDINGS = re.compile(r"(ing|ings|ed)$")
# What ends like a participle and is the name of a thing.
NOUNS = {
    "annealing": "the method's name",
    "bisection_padded": "the name that `incrowd list instances` gives the construction",
    "common_coding": "one code for the cells of two tables",
    "counting": "the bound that counts, and the cuts that do",
    "drawings": "charts of the web app, as SVG",
    "fixing": "the textbook's word: a variable fixed by its reduced cost",
    "global_recoding": "the field's word: one recoding for the whole table",
    "grouping": "the kernels that group rows",
    "matching": "a set of pairs, and the method that finds a cheapest one",
    "pairing": "which released row is which original row",
    "proved": "the checker whose theorems are proved, named as its option is",
    "reading": "what a policy's words mean to the check",
    "recoding": "how cells are changed: by levels or by ranges",
    "reduced_cost_fixing": "the textbook's word: a variable fixed by its reduced cost",
    "relaxed": "Mondrian's own name for its second form",
    "settings": "choices",
    "single_recoding": "one recoding for the whole table, as the check reads it",
    "shared": "what several methods use",
    "simplex_matching": "the paper's name: a matching of pairs and triples",
    "tuning": "the constants of a search, chosen by measuring",
}


def modules(root: Path) -> dict[str, Path]:
    """Every module below ``src``, by its dotted name."""
    found = {}
    for path in sorted((root / "src").rglob("*.py")):
        name = ".".join(path.relative_to(root / "src").with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


def own(root: Path) -> dict[str, Path]:
    """The modules that are files of their own: no folder's ``__init__``."""
    return {name: path for name, path in modules(root).items() if path.name != "__init__.py"}


def mirrored(root: Path, path: Path) -> Path:
    """Where the test of a module lies."""
    inside = path.relative_to(root / "src" / "incrowd")
    return root / "tests" / inside.with_name(f"test_{inside.name}")


def excused(root: Path) -> dict[str, str]:
    """The modules without a test, by path, each with the reason that `tests/UNMIRRORED.md` gives."""
    text = (root / "tests" / "UNMIRRORED.md").read_text(encoding="utf-8")
    return dict(re.findall(r"(?m)^- `([^`]+)`: (\S.*)$", text))


def without_a_test(root: Path) -> set[str]:
    """Modules that have neither a test at their path nor a reason."""
    reasons = excused(root)
    paths = {
        str(path.relative_to(root / "src" / "incrowd"))
        for path in own(root).values()
        if not mirrored(root, path).is_file()
    }
    return paths - set(reasons)


def excused_for_nothing(root: Path) -> set[str]:
    """Lines of the list whose module is not there or has a test."""
    there = {str(path.relative_to(root / "src" / "incrowd")): path for path in own(root).values()}
    return {name for name in excused(root) if name not in there or mirrored(root, there[name]).is_file()}


def full_folders(root: Path) -> dict[str, int]:
    """Folders with more modules than may be."""
    count = Counter(str(path.parent.relative_to(root / "src")) for path in own(root).values())
    return {
        folder: n for folder, n in count.items() if n > (MOST_AT_THE_ROOT if folder == "incrowd" else MOST_IN_A_FOLDER)
    }


def long_modules(root: Path) -> dict[str, int]:
    """Modules with more lines than may be."""
    lines = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in modules(root).items()}
    return {name: n for name, n in lines.items() if n > MOST_LINES}


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


def participles(root: Path) -> set[str]:
    """Modules that say what they are doing instead of what they are."""
    return {
        name
        for name in modules(root)
        if ENDINGS.search(name.rpartition(".")[2]) and name.rpartition(".")[2] not in NOUNS
    }


CHECKS = {
    "every module has a test at its path, or a line in tests/UNMIRRORED.md": without_a_test,
    "every line of tests/UNMIRRORED.md is of a module without a test": excused_for_nothing,
    "no folder has more than 20 modules, and the root no more than 8": full_folders,
    "no module has more than 350 lines": long_modules,
    "no circle of imports but between values and protocols": lambda root: circles(root) - CIRCLES,
    "no module is named by a participle": participles,
}


@pytest.mark.parametrize("claim", CHECKS)
def test_the_tree_keeps_its_shape(claim):
    assert not CHECKS[claim](ROOT), claim


def test_every_noun_that_ends_like_a_participle_is_a_modules_name():
    names = {name.rpartition(".")[2] for name in modules(ROOT)}
    assert set(NOUNS) == {name for name in names if ENDINGS.search(name)}


def test_the_one_circle_that_may_be_is_there():
    assert circles(ROOT) == CIRCLES


@pytest.fixture
def tree(tmp_path):
    """A tree in order: write into it by path, with the fault that a test plants."""

    def write(path: str, text: str = "") -> Path:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
        return tmp_path

    for path in ("__init__.py", "good.py", "room/__init__.py", "room/one.py"):
        write(f"src/incrowd/{path}")
    write("tests/test_good.py")
    write("tests/room/test_one.py")
    write("tests/UNMIRRORED.md", "# Modules without a test\n")
    return write


def faults(root: Path) -> set[str]:
    """The claims that do not hold."""
    return {claim for claim, check in CHECKS.items() if check(root)}


FAULTS = {
    "a module without a test": ([("src/incrowd/room/two.py", "")], "every module has"),
    "a test at another path": ([("src/incrowd/two.py", ""), ("tests/room/test_two.py", "")], "every module has"),
    "a reason for what has a test": ([("tests/UNMIRRORED.md", "- `good.py`: why not\n")], "every line"),
    "a reason for what is not there": ([("tests/UNMIRRORED.md", "- `bad.py`: why not\n")], "every line"),
    "21 modules in a folder": (
        [(path, "") for i in range(20) for path in (f"src/incrowd/room/m{i}.py", f"tests/room/test_m{i}.py")],
        "no folder",
    ),
    "9 modules at the root": (
        [(path, "") for i in range(8) for path in (f"src/incrowd/m{i}.py", f"tests/test_m{i}.py")],
        "no folder",
    ),
    "351 lines": ([("src/incrowd/good.py", "x = 1\n" * 351)], "no module has"),
    "a circle": (
        [("src/incrowd/good.py", "import incrowd.room.one"), ("src/incrowd/room/one.py", "from incrowd import good")],
        "no circle",
    ),
    "a circle through a late import": (
        [("src/incrowd/good.py", "def f():\n    from .room import one"), ("src/incrowd/room/one.py", "from .. import good")],
        "no circle",
    ),
    "a circle through an annotation": (
        [
            ("src/incrowd/good.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from incrowd.room.one import A"),
            ("src/incrowd/room/one.py", "from incrowd.good import B"),
        ],
        "no circle",
    ),
    "a participle": ([("src/incrowd/room/solving.py", ""), ("tests/room/test_solving.py", "")], "no module is named"),
    "a folder that is a participle": ([("src/incrowd/merged/__init__.py", "")], "no module is named"),
}  # fmt: skip


def test_a_tree_in_order_has_no_fault(tree):
    root = tree("src/incrowd/version.py")
    assert faults(tree("tests/UNMIRRORED.md", "- `version.py`: one constant\n")) == set()
    assert circles(root) == set()


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_seen_and_no_other(tree, fault):
    files, claim = FAULTS[fault]
    for path, text in files:
        root = tree(path, text)
    (found,) = faults(root)
    assert found.startswith(claim)
