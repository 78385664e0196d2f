from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.engine.base import Engine
from incrowd.tables.large import floor as module
from incrowd.tables.large.floor import floor
from incrowd.tables.large.sweep import sweep
from incrowd.tables.solve.bounds.counting import per_row_bound
from oracles.large import in_engine
from oracles.problems import random_problem
from seeds import how_many

TELLING = (6, 18, 28, 29, 39, 41, 44, 45, 46, 50, 51, 53, 55, 59)  # drawn, with a cost above 0


def test_a_bound_that_is_broken_off_lies_below_the_one_that_is_not(monkeypatch):
    """It is what the patterns looked at prove: never more than the bound of all of them, and it grows with them."""
    weaker = 0
    with Engine() as engine:
        for seed in TELLING[: how_many(len(TELLING), 3)]:
            problem = random_problem(np.random.default_rng([95, seed]), rows=30, full=True, outliers="forbid")
            types, instances = in_engine(engine, problem)
            swept = sweep(types, instances, problem.types.n, Watch())
            whole = floor(types, instances, swept, Watch())
            assert (whole.value, whole.complete) == (per_row_bound(problem, threads=1).value, True)
            before = 0
            for most in (0, 1 + seed % 3):
                with monkeypatch.context() as patched:
                    patched.setattr(module, "PATTERNS", most)
                    part = floor(types, instances, swept, Watch())
                assert before <= part.value <= whole.value
                assert not part.complete or most > 0 or not whole.value  # none asks where no row costs a thing
                before = part.value
                weaker += part.value < whole.value
    assert weaker
