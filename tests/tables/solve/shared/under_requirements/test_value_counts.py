"""Rows of each value in every instance are those that a plain loop counts."""

import numpy as np

from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.under_requirements.value_counts import value_counts
from oracles.required import random_required
from seeds import seeds


@seeds(40)
def test_counts_are_those_of_a_loop(seed):
    random = np.random.default_rng([193, seed])
    instances = list_instances(random_required(random, "frequency"))
    code, rows = random.integers(0, 4, instances.pairs), random.integers(0, 5, instances.pairs)
    plain = np.zeros((instances.size, 4))
    for g, value, held in zip(instances.owners.tolist(), code.tolist(), rows.tolist(), strict=True):
        plain[g, value] += held
    assert (value_counts(instances, code, rows, 4) == plain).all()
