import itertools

import numpy as np

from incrowd.policy.job import Policy
from incrowd.tables.hierarchy import Fitted, Hierarchy
from incrowd.tables.mask.on_grid import kinds_of, patterns_of
from oracles.grid import drawn_mask


def ladder(height):
    """A ladder of so many levels above the value, the star among them."""
    return Fitted(Hierarchy(lines=(("1", *("a",) * (height - 1)), ("2", *("b",) * (height - 1)))), missing=False)


def test_a_mask_over_ladders_says_what_it_says_of_value_range_and_star():
    rng = np.random.default_rng(4)
    for _ in range(150):
        heights = {"age": int(rng.integers(1, 5)), "sex": 1, "paid": int(rng.integers(1, 4))}
        policy = Policy(
            quasi_identifiers=tuple(heights), numeric=("age", "paid"), k=2, recoding="grid",
            mask=drawn_mask(rng, tuple(heights), {"age", "paid"}),
        )  # fmt: skip
        patterns = patterns_of(policy, {name: ladder(heights[name]) for name in ("age", "paid")})
        kinds = kinds_of(policy, heights)
        for vector in itertools.product(*(range(top + 1) for top in heights.values())):
            told = [
                level if name == "sex" else 2 if level == heights[name] else min(level, 1)
                for name, level in zip(heights, vector, strict=True)
            ]
            assert patterns.allows(vector) == kinds.allows(told), (policy.mask, vector)
        assert patterns_of(policy, {}).heights == kinds.heights == (2, 1, 2)
