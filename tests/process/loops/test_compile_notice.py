"""Loops are compiled once on a machine: time limits stand still meanwhile, and whoever waits long is told."""

import os
import subprocess
import sys

import pytest

LOOPS = """
import time
from incrowd import loops as compile_notice
from incrowd.progress import Watch, search_time
{before}
watch = Watch()
watch.limit(1000.0)
left, began = watch.deadline - search_time(), time.perf_counter()
import numpy as np
from incrowd.kernels.grouping.frequent import crowds, frequent, hash_nodes
from incrowd.loops import forced
nodes, one = np.zeros((2, 2), np.int32), np.zeros(1, np.int64)
with forced("compiled"):
    table = hash_nodes(nodes)
    for weights in (np.ones(2, np.int32), np.ones(2, np.int64)):
        _, rows, hashes = frequent(table, one, one + 1, np.zeros((1, 1), np.int8), weights, 2)
        crowds(nodes, one, rows, hashes, np.ones(2, np.bool_), weights, 2)
took, gone = time.perf_counter() - began, left - watch.deadline + search_time()
heard = compile_notice.total
print(heard.loops, heard.seconds > 0, took - gone >= 0.99 * heard.seconds, took >= gone > 0)
"""
ELSEWHERE = """
import incrowd.loops, numba
incrowd.loops.LONG = 0.0

@numba.njit
def one():
    return 1

one()
"""


def ran(code, cache):
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "NUMBA_CACHE_DIR": str(cache)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split(), done.stderr


@pytest.mark.proofs
def test_the_clock_of_limits_stands_still_and_a_process_that_compiles_for_long_says_so_once(tmp_path):
    (loops, *rest), said = ran(LOOPS.format(before="compile_notice.LONG = 0.01"), tmp_path)
    assert int(loops) > 3 and rest == ["True", "True", "True"]
    assert said.startswith("compiling loops for this machine, ") and said.count("\n") == 1
    (loops, *rest), said = ran(LOOPS.format(before="compile_notice.LONG = 0.01"), tmp_path)
    assert (loops, said) == ("0", ""), "all of it was kept"


@pytest.mark.proofs
def test_what_takes_no_three_seconds_is_not_told(tmp_path):
    (loops, *_), said = ran(LOOPS.format(before="compile_notice.LONG = 1000.0"), tmp_path)
    assert int(loops) > 3 and said == ""


def test_what_others_compile_is_not_told(tmp_path):
    assert ran(ELSEWHERE, tmp_path) == ([], "")
