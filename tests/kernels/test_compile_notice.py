"""Kernels are compiled once on a machine, and whoever waits for it is told."""

import os
import subprocess
import sys

import pytest

from incrowd.kernels.compile_notice import SAID

CALL = "from incrowd.kernels.hash_table import room; assert room(9) == 32; assert room(9.0) == 32"
ELSEWHERE = """
import incrowd.kernels, numba

@numba.njit
def one():
    return 1

one()
"""
COUNT = f"""{CALL}
from incrowd.kernels.compile_notice import compiled
print(compiled())
"""


def ran(code, cache):
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache), "INCROWD_LOOPS": "compiled"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr if code is not COUNT else int(done.stdout)


def test_the_first_process_says_once_that_it_compiles_and_the_next_does_not(tmp_path):
    assert ran(CALL, tmp_path) == f"{SAID}\n"
    assert ran(CALL, tmp_path) == ""


@pytest.mark.proofs
def test_what_was_compiled_is_counted(tmp_path):
    assert ran(COUNT, tmp_path) > 0
    assert ran(COUNT, tmp_path) == 0


def test_what_others_compile_is_not_told(tmp_path):
    assert ran(ELSEWHERE, tmp_path) == ""
