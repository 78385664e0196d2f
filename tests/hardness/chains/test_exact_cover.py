"""Exact cover by threes as ADIM=k, against trying every choice of sets."""

import itertools

import numpy as np
import pytest

from incrowd import networks
from incrowd.errors import PolicyError
from incrowd.hardness import instance
from incrowd.hardness.chains.exact_cover import without
from incrowd.hardness.sources.set_cover import SetCover
from seeds import seeds


def exactly(source):
    """Every exact cover, by its definition."""
    for size in range(len(source.sets) + 1):
        for some in itertools.combinations(range(len(source.sets)), size):
            if sorted(u for s in some for u in source.sets[s]) == list(range(source.universe)):
                yield some


@seeds(400)
def test_the_answer_is_whether_an_exact_cover_is_there(seed):
    rng = np.random.default_rng(seed)
    source = without(rng, 6, int(rng.integers(3, 9)))
    right = bool(list(exactly(source)))
    assert (source.exact() is not None) == right
    if not source.covers(tuple(range(len(source.sets)))):
        assert not right
        with pytest.raises(PolicyError, match="must cover"):
            instance("exact-cover-network", source)
        return
    made = instance("exact-cover-network", source)
    assert made.yes == right
    assert made.threshold == 2
    if right:
        assert made.backward(made.witness) in set(exactly(source))


@seeds(40, 2)
def test_the_networks_smallest_node_set_is_an_exact_cover_or_larger(seed):
    for no in (False, True):
        made = instance("exact-cover-network", size=6, sets=4, k=1, seed=seed, no=no)
        found = networks.antidimension(made.edges, exactly=1, show_labels=True)
        assert found.optimal
        assert found.attackers == made.optimum
        assert (found.attackers <= made.threshold) == made.yes == (not no)
        back = made.backward(int(v) for v in found.witness)
        assert made.asks.solves(made.source, back) == made.yes


def test_what_is_no_exact_cover_problem_is_refused():
    with pytest.raises(PolicyError, match="multiple of three, not 7"):
        instance("exact-cover-network", size=7)
    with pytest.raises(PolicyError, match="needs a size of at least 6"):
        instance("exact-cover-network", size=3, no=True)
    with pytest.raises(PolicyError, match="multiple of three, not 4"):
        instance("exact-cover-network", SetCover(4, ((0, 1, 2), (1, 2, 3))))
    with pytest.raises(PolicyError, match="three elements, and 1 of 1"):
        instance("exact-cover-network", SetCover(2, ((0, 1),)))
    with pytest.raises(PolicyError, match="only 20 sets"):
        instance("exact-cover-network", size=6, sets=21, no=True)
