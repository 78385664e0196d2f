"""Every solver on every family of small questions: its release is one, costs what it says, and nothing is claimed too much."""

from __future__ import annotations

import pytest

from properties.asking import answered
from properties.families import FAMILIES, question
from seeds import how_many

PAIRS = [(family, solver) for family, (_, solvers) in FAMILIES.items() for solver in solvers]
MOVES = 300
# what `make test` asks, with its first seed: what led through the most of the library, and every solver
FEW = {
    "limit-exact": 8, "limit-auto": 8, "limit-mondrian": 6, "p-sensitive-exact": 11, "beta-exact": 9, "beta, enhanced-exact": 9,
    "recursive-exact": 10, "distinct-exact": 11, "close, numeric-exact": 2, "entropy-ilp": 3, "frequency-mondrian": 0,
    "delta-improve": 0, "entropy and joint-auto": 0, "weights of stars-exact": 1, "weights of stars-instance_cover": 11,
    "entropy cost-greedy": 11, "nested, hierarchy-chain": 5, "mask 10-two_phase": 3, "hierarchies-subset_dp": 0, "stars-improve": 9,
    "stars-approximation": 0, "stars-ball_cover": 0, "stars-forest": 0, "missing, stars missing-improve": 0,
    "pairs, mask-matching": 0, "pairs-matching_local": 0, "pairs, 2-diversity-matching_textbook": 8,
}  # fmt: skip


@pytest.mark.few(*FEW)
@pytest.mark.parametrize(("family", "solver"), PAIRS, ids=[f"{family}-{solver}" for family, solver in PAIRS])
def test_no_release_is_cheaper_than_the_least_and_no_bound_above_it(family, solver):
    first = FEW.get(f"{family}-{solver}", PAIRS.index((family, solver)) % 7)
    for turn in range(how_many(20, 1)):
        asked, least = question(family, first + 7 * turn)
        answered(asked, solver, least, work=MOVES)
