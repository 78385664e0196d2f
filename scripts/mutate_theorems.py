"""Change one definition of the proved checker at a time (`theorems/mutants.txt`): each change must make a proof fail.

    python scripts/mutate_theorems.py [NUMBER ...]

Compiles the theorems once, then every changed module and what stands on it, until Coq refuses. The exit status is 1 if
a changed definition is still proved. Needs `coqc`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1] / "theorems"
MODULES = re.search(r"^MODULES := (.*) Extraction$", (ROOT / "Makefile").read_text(), re.MULTILINE)[1].split()


def refused(folder: Path, modules: list[str]) -> str | None:
    """Compile modules one after another; return the one that Coq refuses."""
    for name in modules:
        command = ["coqc", "-Q", ".", "Incrowd", f"{name}.v"]
        if subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=300).returncode:  # noqa: S603
            return name
    return None


def main() -> int:
    """Print what became of every mutant: a module, what the change means, lines that stand there and those instead."""
    blocks = (ROOT / "mutants.txt").read_text(encoding="utf-8").strip("\n").split("\n\n")
    survived = 0
    with tempfile.TemporaryDirectory() as place:
        base, work = Path(place, "base"), Path(place, "work")
        shutil.copytree(ROOT, base, ignore=shutil.ignore_patterns("_build"))
        if refused(base, MODULES) is not None:
            sys.exit("the theorems themselves are not proved")
        for number in [int(asked) for asked in sys.argv[1:]] or range(1, len(blocks) + 1):
            head, *lines = blocks[number - 1].strip("\n").split("\n")
            module, _, meaning = head.removeprefix("# ").partition(": ")
            old, new = ("\n".join(line[1:] for line in lines if line[0] == mark) for mark in "-+")
            shutil.rmtree(work, ignore_errors=True)
            shutil.copytree(base, work)
            text = (work / f"{module}.v").read_text()
            if text.count(old) != 1:
                sys.exit(f"mutant {number}: {module}.v has {old!r} {text.count(old)} times")
            (work / f"{module}.v").write_text(text.replace(old, new))
            by = refused(work, MODULES[MODULES.index(module) :])
            survived += by is None
            print(f"{number} {module}: {meaning}: {by or 'STILL PROVED'}", flush=True)
    return int(survived > 0)


if __name__ == "__main__":
    sys.exit(main())
