"""The program that is proved, built where there is OCaml."""

import fcntl
import shutil
import subprocess
from pathlib import Path

import pytest

THEOREMS = Path(__file__).resolve().parents[2] / "theorems"


@pytest.fixture(scope="session")
def program():
    """Its path; what needs it is skipped by name where it cannot be built."""
    zarith = shutil.which("ocamlfind") and subprocess.run(["ocamlfind", "query", "zarith"], capture_output=True)
    if not zarith or zarith.returncode:
        pytest.skip("OCaml with Zarith is missing: the program that is proved is not built here")
    build = THEOREMS / "_build"
    build.mkdir(exist_ok=True)
    with (build / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run(["make", "-C", str(THEOREMS)], check=True, capture_output=True)
    return str(build / "incrowd-proved")
