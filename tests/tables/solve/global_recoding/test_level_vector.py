"""What a vector's release costs, suppresses and lacks, against its definition."""

import dataclasses
import itertools

import numpy as np

from incrowd.tables.solve.global_recoding.class_tables import ClassTables
from incrowd.tables.solve.global_recoding.level_vector import VectorReleases
from oracles.problems import random_problem, stars, types_of
from oracles.required import FAMILIES, random_required
from oracles.single_recoding import vector_release
from seeds import seeds


@seeds(300)
def test_every_vector_has_the_release_that_its_definition_gives(seed):
    rng = np.random.default_rng([24, seed])
    problem = random_problem(rng) if seed % 2 else random_required(rng, FAMILIES[seed // 2 % len(FAMILIES)])
    most = int(rng.integers(problem.types.n + 1))
    problem = dataclasses.replace(problem, most_suppressed=most)
    releases = VectorReleases(problem, ClassTables(problem))
    for vector in itertools.product(*(range(h + 1) for h in problem.top)):
        expected, found = vector_release(problem, vector), releases.at(vector)
        assert found.fits == (expected is not None)
        assert found.cost >= releases.shown_cost(vector)
        if expected is not None:
            assert (found.cost, found.suppressed) == expected
            assert found.within == (found.suppressed <= most)
            assert found.good == found.within


def test_suppressed_rows_need_a_crowd_where_outliers_are_forbidden():
    rows = [(0, 0), (0, 0), (1, 0)]
    for rule, fits in (("forbid", False), ("suppress", True)):
        problem = stars(types_of(rows), 2, rule)
        found = VectorReleases(problem, ClassTables(problem)).at((0, 0))
        assert (found.suppressed, found.fits) == (1, fits)
