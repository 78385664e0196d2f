"""Three-dimensional matching as a source problem, against trying everything."""

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.hardness.sources.matching3d import NAMED, Matching3D, drawn
from oracles.hard import largest_matching
from seeds import scaled


@pytest.mark.parametrize("perfect", [True, False])
def test_a_largest_matching_is_what_trying_all_finds(perfect):
    rng = np.random.default_rng(4)
    for _ in range(scaled(40)):
        side = int(rng.integers(1, 5))
        source = drawn(rng, side, int(rng.integers(side, min(side**3, 3 * side) + 1)), most=3, perfect=perfect)
        found = source.largest()
        assert source.disjoint(found)
        assert len(found) == largest_matching(source.members())
        assert max(source.occurrences().values()) <= 3
        assert not perfect or len(found) == side


def test_the_named_matchings_are_as_large_as_known():
    sizes = {name: largest_matching(source.members()) for name, source in NAMED.items()}
    assert sizes == {"cube": 2, "pencil": 1, "three": 3}
    assert {name: len(source.largest()) for name, source in NAMED.items()} == sizes


def test_impossible_triples_say_why():
    with pytest.raises(PolicyError, match="hold no perfect matching of 3"):
        drawn(np.random.default_rng(0), 3, 2, perfect=True)
    with pytest.raises(PolicyError, match="at most 9 triples"):
        drawn(np.random.default_rng(0), 3, 10, most=3, perfect=False)
    with pytest.raises(PolicyError, match="from 0 to 1"):
        Matching3D(2, ((0, 0, 2),))
    with pytest.raises(PolicyError, match="given once"):
        Matching3D(2, ((0, 0, 0), (0, 0, 0)))
