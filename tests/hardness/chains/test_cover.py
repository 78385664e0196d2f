"""Set cover by way of dominating set as ADIM=k, against trying every cover."""

import numpy as np
import pytest

from incrowd import networks
from incrowd.errors import PolicyError
from incrowd.hardness import instance
from incrowd.hardness.sources.set_cover import SetCover, drawn
from oracles.hard import least_cover
from seeds import seeds


@seeds(120, 8)
def test_the_smallest_node_set_holds_a_least_cover(seed):
    rng = np.random.default_rng(seed)
    source = drawn(rng, int(rng.integers(4, 6)), int(rng.integers(2, 4)), 3)
    k, right = int(rng.integers(1, 3)), least_cover(source.universe, source.sets)
    made = instance("set-cover-domination-network", source, k=k)
    no = instance("set-cover-domination-network", source, k=k, goal=right - 1)
    assert (made.optimum, made.yes, no.yes) == (right, True, False)
    found = networks.antidimension(made.edges, exactly=k, show_labels=True)
    assert found.optimal
    assert found.attackers == right
    cover = made.backward(int(v) for v in found.witness)
    assert source.covers(cover)
    assert len(cover) == right


def test_sets_that_do_not_cover_are_refused():
    with pytest.raises(PolicyError, match="must cover"):
        instance("set-cover-domination-network", SetCover(2, ((0,),)), goal=1)
