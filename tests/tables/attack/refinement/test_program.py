"""The originals of a part that are left, against listing all of them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from incrowd.milp import Outcome
from incrowd.progress import Watch
from incrowd.tables.attack.refinement.exchange import Demand
from incrowd.tables.attack.refinement.part import part_around
from incrowd.tables.attack.refinement.program import Originals
from oracles.small_attacks import held
from seeds import how_many


def worlds(part):
    """Every original of a part, as rows by type of each class."""
    lists = []
    for types, size in zip(part.types, part.sizes.tolist(), strict=True):
        every = itertools.product(range(size + 1), repeat=len(types))
        lists.append([np.array(one) for one in every if sum(one) == size])
    return itertools.product(*lists)


def met(world, demand):
    return world[demand.place][list(demand.types)].sum() >= demand.rows


@pytest.mark.seeds
def test_an_original_is_found_if_and_only_if_one_is_left():
    released = held([(None, 0), (None, 0), (None, 0), (1, None), (1, None)], (2, 3))
    part = part_around(released, 0)
    assert part is not None
    outcomes = set()
    for seed in range(how_many(60, 12)):
        rng = np.random.default_rng(seed)
        originals, forbidden = Originals(part), []
        for _ in range(int(rng.integers(1, 6))):
            demands = []
            for place in {int(p) for p in rng.integers(0, len(part.types), int(rng.integers(1, 3)))}:
                kinds = rng.permutation(len(part.types[place]))[: int(rng.integers(1, len(part.types[place])))]
                rows = int(rng.integers(1, part.sizes[place] + 1))
                demands.append(Demand(place, tuple(sorted(kinds.tolist())), rows))
            forbidden.append(demands)
            assert originals.forbid(demands) in (True, False)
            assert not originals.forbid(demands)  # known by now
        asked = np.array([0])
        left = [
            world
            for world in worlds(part)
            if world[0][0] >= 1 and not any(all(met(world, one) for one in demands) for demands in forbidden)
        ]
        outcome, rows = originals.find(0, asked, Watch(), seed)
        assert outcome is (Outcome.OPTIMAL if left else Outcome.INFEASIBLE), seed
        if rows is not None:
            assert any(all((a == b).all() for a, b in zip(rows, world, strict=True)) for world in left)
        outcomes.add(outcome)
    assert len(outcomes) == 2
