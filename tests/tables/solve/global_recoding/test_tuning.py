"""Whatever is held, the release is the same."""

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.global_recoding import class_tables
from incrowd.tables.solve.global_recoding.lattice import Lattice
from incrowd.tables.solve.global_recoding.tuning import TUNING, Tuning
from oracles.problems import random_problem
from seeds import seeds


def test_something_is_held():
    assert TUNING.tables > 0 and TUNING.entries > 0 and 0 < TUNING.shrunk <= 1


@seeds(50)
def test_with_no_tables_held_the_release_is_the_same(seed):
    problem = random_problem(np.random.default_rng([25, seed]), full=True, outliers="suppress")
    found = Lattice(single=True).solve(problem, Watch())
    kept = class_tables.ClassTables.__init__.__defaults__
    try:
        class_tables.ClassTables.__init__.__defaults__ = (Tuning(tables=0, entries=0, shrunk=0.0),)
        again = Lattice(single=True).solve(problem, Watch())
    finally:
        class_tables.ClassTables.__init__.__defaults__ = kept
    assert again.certificate == found.certificate
