"""What the generators share: names looked up, sizes refused, draws repeated until one fits."""

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.hardness.draw import DRAWS, even, refuse_unknown, until


def test_the_first_draw_that_fits_is_taken():
    rng = np.random.default_rng(5)
    numbers = [int(rng.integers(100)) for _ in range(DRAWS)]
    first = next(n for n in numbers if n > 90)
    assert until(5, lambda rng: int(rng.integers(100)), lambda n: n > 90, "large") == first


def test_after_200_draws_it_says_what_was_not_found():
    tried = []
    with pytest.raises(PolicyError, match="none of 200 draws is a unicorn at this size; choose another size or seed"):
        until(0, tried.append, lambda _: False, "a unicorn")
    assert len(tried) == DRAWS


def test_a_name_that_is_not_there_is_answered_with_the_nearest():
    refuse_unknown(None, {"hexagon": 1})
    refuse_unknown("hexagon", {"hexagon": 1})
    with pytest.raises(PolicyError, match=r"named must be one of hexagon, octahedron, not 'hexagn'.*hexagon"):
        refuse_unknown("hexagn", {"hexagon": 1, "octahedron": 2})


def test_an_odd_size_is_refused_with_the_reason():
    even(4, "never said")
    with pytest.raises(PolicyError, match="size must be even, not 5: halves are equal"):
        even(5, "halves are equal")
