"""Rows that groups break: never one that a group which meets its rule breaks, always one where it fails."""

import numpy as np
import pytest

from incrowd.tables.solve.shared.under_requirements.separation import SEPARABLE, broken_rows
from oracles.count_rules import counts_of, keeps
from oracles.models_drawn import TWINS, Drawn
from seeds import seeds


@pytest.mark.parametrize("name", sorted(TWINS))
@seeds(200)
def test_a_group_that_fails_a_rule_breaks_a_row_that_no_group_that_meets_it_breaks(name, seed):
    drawn = Drawn(seed)
    random = np.random.default_rng(seed)
    kinds = drawn.domain.counts.size
    for model, *_ in TWINS[name](drawn):
        for rule in model.bind(drawn.domain).count_rules():
            if rule.family not in SEPARABLE:
                continue
            groups = [counts_of(rule, range(kinds), random.integers(0, 4, kinds)) for _ in range(12)]
            counts = np.array([group for group in groups if sum(group)], np.float64).reshape(-1, rule.values)
            sizes = counts.sum(axis=1)
            need = int(random.integers(1, 6))
            met = np.array(
                [keeps(rule, group.tolist()) and size >= need for group, size in zip(counts, sizes, strict=True)]
            )
            ones = np.ones(len(counts))
            found, values, opens = broken_rows(rule, counts, ones, needs=np.full(len(counts), need), least=1e-7)
            failing = np.array([not keeps(rule, group.tolist()) for group in counts])
            assert set(np.flatnonzero(failing)) <= set(found.tolist()), model.describe()
            broken = values @ counts.T + opens[:, None] > 1e-7
            assert not broken[:, met].any(), model.describe()
            closed = broken_rows(rule, 0 * counts, 0 * ones, needs=np.full(len(counts), need), least=1e-7)
            assert not closed[0].size  # the empty group breaks nothing
