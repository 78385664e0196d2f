"""What classes of a search show: as high as their rows need, as the mask allows."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.search import free_state as at
from oracles.free_drawn import lowest, part, started
from seeds import seeds


def vector_of(whole):
    return part(whole, at.VECTOR, whole[at.M]).tolist()


@seeds(96, 24)
def test_a_class_with_a_row_more_or_fewer_is_shown_as_low_as_all_of_it_shares(seed):
    made = started(seed)
    if made is None:
        return
    problem, _, _, whole, _ = made
    group, types = part(whole, at.CLASS, whole[at.ROWS]), part(whole, at.TYPE, whole[at.ROWS])
    rng = np.random.default_rng(seed)
    for _ in range(10):
        r, c = int(rng.integers(group.size)), int(rng.integers(whole[at.CLASSES]))
        mine = types[group == c]
        price = at.join(whole, c, types[r], whole[at.VECTOR])
        if c == whole[at.SUPPRESSED]:
            assert vector_of(whole) == list(problem.top)
        elif price < at.NEVER:
            found, least = vector_of(whole), lowest(problem, np.append(mine, types[r]))
            assert problem.patterns.allows(tuple(found))
            assert price == problem.row_costs(found)[types[r]]
            assert (np.array(found) >= least).all()
            assert whole[at.ABOVE] or found == least
        own = int(group[r])
        others = types[(group == own) & (np.arange(group.size) != r)]
        price = at.shown(whole, own, r, whole[at.VECTOR])
        if others.size and own != whole[at.SUPPRESSED]:
            found, least = vector_of(whole), lowest(problem, others)
            assert problem.patterns.allows(tuple(found))
            assert price == problem.row_costs(found)[others[0]]
            assert (np.array(found) >= least).all()
            assert whole[at.ABOVE] or found == least


def test_draws_are_spread_over_the_unit_interval():
    whole = np.zeros(at.HEAD, np.int64)
    drawn = np.array([at.draw(whole) for _ in range(4000)])
    assert ((drawn >= 0) & (drawn < 1)).all()
    assert (np.abs(np.histogram(drawn, bins=8, range=(0, 1))[0] - 500) < 100).all()
