"""The check's own search for the cheapest pattern of a group, against the compiled mask's."""

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.tables.mask import Mask, mask_from_dict
from incrowd.tables.verify.bound.matching import PlainMask
from incrowd.tables.verify.bound.strict_numbers import Unreadable
from incrowd.tables.verify.mask import MaskReading
from oracle.masks_drawn import draw
from oracles.problems import random_levels


def test_the_least_cost_at_or_above_a_vector_is_that_of_a_compiled_mask():
    allowed = forbidden = 0
    for seed in range(120):
        rng = np.random.default_rng([21, seed])
        drawn = draw(seed)
        mask = mask_from_dict(drawn.spec)
        columns, heights = drawn.columns, [max(h, 1) for h in drawn.heights]
        try:
            patterns = mask.compile(columns, heights)
        except PolicyError:
            continue
        values = 5
        levels = [random_levels(rng, values, h, uniform=bool(seed % 2)) for h in heights]
        reading = MaskReading(drawn.spec, columns, heights)
        plain = PlainMask(levels, reading if seed % 3 else lambda vector, reads=reading: reads(vector))
        vectors = np.stack([rng.integers(0, h + 1, 12) for h in heights], axis=1).astype(np.int64)
        rows = rng.integers(0, values, vectors.shape)
        costs, allows = plain.least_costs(vectors, rows)
        for vector, row, cost, allow in zip(vectors.tolist(), rows.tolist(), costs, allows, strict=True):
            each = [level.cost[:, v].tolist() for level, v in zip(levels, row, strict=True)]
            free = [[0] * low + own[low:] for low, own in zip(vector, each, strict=True)]
            best = patterns.cheapest_above(vector, free)
            assert allow == (best is not None)
            if best is not None:
                assert cost == sum(own[x] for own, x in zip(each, best, strict=True))
            allowed += best is not None
            forbidden += best is None
    assert allowed > 200
    assert forbidden > 20


def test_columns_without_number_are_no_obstacle_to_a_mask_in_words_and_one_that_says_nothing_of_itself_is_given_up():
    names = [f"c{j}" for j in range(200)]
    levels = [random_levels(np.random.default_rng(0), 2, 1, uniform=True) for _ in names]
    start = np.array([[1] * 3 + [0] * 197])
    whole = sum(int(level.cost[1, 0]) for level in levels)
    groups = Mask(together=[names[i : i + 4] for i in range(0, 200, 4)])
    listed = Mask(patterns=[names[:i] for i in range(100, 200)])
    for mask, columns in ((Mask(), 3), (groups, 4), (groups & Mask(max_stars=9), 4), (Mask(max_stars=2), 200),
                          (listed, 100), (listed | groups, 4), (listed & groups, 100)):  # fmt: skip
        costs, allowed = PlainMask(levels, MaskReading(mask.to_dict(), names, [1] * 200)).least_costs(start, start * 0)
        assert allowed.all()
        assert costs[0] == (whole if columns == 200 else sum(int(level.cost[1, 0]) for level in levels[:columns]))
    reading = MaskReading({"max_stars": 2}, names, [1] * 200)
    with pytest.raises(Unreadable, match="too many level vectors"):
        PlainMask(levels, lambda vector: reading(vector)).least_costs(start, start * 0)
