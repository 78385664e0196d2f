"""The mask of a policy: from plain values, and with some of its words replaced."""

import pytest

from incrowd import Mask
from incrowd.errors import PolicyError
from incrowd.policy.mask_words import as_mask, with_words


def test_a_mask_is_itself_or_made_of_its_words():
    mask = Mask(max_stars=2)
    assert as_mask(mask) is mask
    assert as_mask({"max_stars": 2}) == mask
    with pytest.raises(PolicyError, match="mask must be an"):
        as_mask(2)


def test_words_replace_those_of_the_mask_and_no_line_of_a_composed_one():
    assert with_words(Mask(max_stars=2, keep=["a"]), {"max_stars": "3"}) == Mask(max_stars=3, keep=["a"])
    with pytest.raises(PolicyError, match="max_stars cannot replace a line"):
        with_words(Mask(max_stars=2) | Mask(keep=["a"]), {"max_stars": 3})
