"""The walk over all instances: what `verify` does with arrays is what `incrowd.check` does row type by row type."""

import copy
import itertools
from types import SimpleNamespace

import numpy as np
import pytest

from incrowd.check.prices import Problem
from incrowd.tables.verify import recount
from properties.attacked import random_levels
from seeds import how_many


def drawn_table(rng, n):
    """A table of n rows and 1 to 4 columns with heights 1 to 3 under any mask, as the check of certificates sees it."""
    m = int(rng.integers(1, 5))
    columns = [np.unique(rng.integers(0, rng.integers(1, 6), n), return_inverse=True) for _ in range(m)]
    codes, counts = np.unique(np.stack([of for _, of in columns], axis=1), axis=0, return_counts=True)
    heights = rng.integers(1, 4, m).tolist()
    vectors = list(itertools.product(*(range(h + 1) for h in heights)))
    allowed = {v for v in vectors if rng.random() < 0.6} | {tuple(heights)}
    levels = tuple(
        random_levels(rng, len(values), h, uniform=False) for (values, _), h in zip(columns, heights, strict=True)
    )
    return recount.Compiled(
        codes.astype(np.int32), counts.astype(np.int64), levels, SimpleNamespace(allows=allowed.__contains__),
        int(rng.integers(1, min(5, n) + 1)), ("forbid", "suppress")[int(rng.integers(2))], scale=1,
    )  # fmt: skip


def found_by(problem, prices, parts, everything):
    """Instances by vector and what they show, with their row types, need and cost."""
    top = problem.listed()
    walk = problem.instances(prices, parts, top, everything=everything)
    return sorted((one.vector, tuple(one.types), one.need, one.cost) for one in walk)


@pytest.mark.parametrize("seed", range(how_many(200, 40)))
def test_the_instances_that_matter_are_those_of_the_check(seed, monkeypatch):
    rng = np.random.default_rng([71, seed])
    if seed % 3 == 0:  # keys of several words, and few pairs at a time
        monkeypatch.setattr(recount, "WORD", 8)
        monkeypatch.setattr(recount, "PAIRS", 1)
    problem, parts = drawn_table(rng, int(rng.integers(1, 40))), int(rng.integers(1, 4))
    if not problem.listed() and not problem.vectors:
        return
    prices = rng.integers(-3, 3 * parts * max(problem.dearest, 1), problem.t).tolist()
    twin = copy.copy(problem)
    twin.instances = Problem.instances.__get__(twin)
    for everything in (False, True):
        assert found_by(problem, prices, parts, everything) == found_by(twin, prices, parts, everything)
