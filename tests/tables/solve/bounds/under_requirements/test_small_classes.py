"""The list of small classes against every count."""

from __future__ import annotations

import numpy as np

from incrowd.tables.solve.bounds.under_requirements import small_classes
from oracles.inner_problems import valid_counts
from oracles.required import FAMILIES, random_required
from seeds import seeds


@seeds(160, 16)
def test_every_valid_class_is_listed_once_and_no_other(seed):
    rng = np.random.default_rng([43, seed])
    problem = random_required(rng, FAMILIES[seed % len(FAMILIES)], rows=6)
    for below in (2, 4, 9):
        vectors, sizes = small_classes.valid_classes(problem, below)
        made = [tuple(row) for row in vectors.tolist()]
        kinds = int(problem.types.kinds.max()) + 1
        assert all(not any(row[kinds:]) for row in made)
        assert len(set(made)) == len(made)
        assert {row[:kinds] for row in made} == valid_counts(problem, below - 1)
        assert sizes.tolist() == sorted(map(sum, made))


def test_too_many_classes_are_not_listed():
    rng = np.random.default_rng(1)
    problem = random_required(rng, "equal", rows=6)
    held = np.bincount(problem.types.kinds, weights=problem.types.counts)
    assert small_classes.possible_classes(problem, 100) == np.prod(held + 1) - 1
    assert small_classes.listed_below(problem, 100)
    assert not small_classes.listed_below(problem, 1)
