"""Covers are judged by their definition."""

import itertools

import numpy as np

from incrowd.hardness.questions.covers import COVER, EXACT_COVER
from incrowd.hardness.sources.set_cover import SetCover, drawn
from seeds import seeds

HALVES = SetCover(4, ((0, 1), (2, 3), (1, 2)))


@seeds(200)
def test_covers_and_exact_covers_are_those_of_the_definition(seed):
    rng = np.random.default_rng(seed)
    source = drawn(rng, 6, int(rng.integers(2, 6)), 3)
    for size in range(len(source.sets) + 1):
        for chosen in itertools.combinations(range(len(source.sets)), size):
            held = [u for s in chosen for u in source.sets[s]]
            assert COVER.solves(source, chosen) == (set(held) == set(range(6)))
            assert EXACT_COVER.solves(source, chosen) == (sorted(held) == list(range(6)))


def test_a_cover_meets_a_goal_by_its_size_and_is_said_by_name():
    assert COVER.meets(HALVES, (0, 1), 2)
    assert not COVER.meets(HALVES, (0, 1, 2), 2)
    assert not COVER.solves(HALVES, (0, 0, 1))
    told = COVER.tell(HALVES, (0, 1), {"sets": ("left", "right", "mid")})
    assert (told.sentence, told.lines, told.facts) == (
        "a cover by 2 sets", ("left", "right"), {"cover": ["left", "right"]},
    )  # fmt: skip
    assert EXACT_COVER.tell(HALVES, (0, 1), {}).lines == ("S0", "S1")
