"""Every solver on every family of small questions: its release is one, costs what it says, and nothing is claimed too much."""

from __future__ import annotations

import functools

import pytest

from properties.asking import answered
from properties.families import FAMILIES
from seeds import how_many

PAIRS = [(family, solver) for family, (_, solvers) in FAMILIES.items() for solver in solvers]
MOVES = 300


@functools.lru_cache(4)
def question(family, seed):
    asked = FAMILIES[family][0](seed)
    return asked, asked.least()


@pytest.mark.few(24)
@pytest.mark.parametrize(("family", "solver"), PAIRS, ids=[f"{family}-{solver}" for family, solver in PAIRS])
def test_no_release_is_cheaper_than_the_least_and_no_bound_above_it(family, solver):
    place = PAIRS.index((family, solver))
    for turn in range(how_many(20, 1)):
        asked, least = question(family, place % 7 + 7 * turn)
        answered(asked, solver, least, work=MOVES)
