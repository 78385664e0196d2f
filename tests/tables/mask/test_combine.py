"""Masks made of masks."""

import pytest

from incrowd.errors import PolicyError
from incrowd.tables.mask import AllOf, AnyOf, Mask


@pytest.mark.parametrize("parts", [(), (3,), Mask(), "ab"])
def test_a_composed_mask_needs_a_list_of_masks(parts):
    with pytest.raises(PolicyError, match=r"mask\.any"):
        AnyOf(parts)


def test_or_and_and_flatten_and_keep_their_order():
    a, b, c = Mask(max_stars=1), Mask(keep=["x"]), Mask(max_stars=0)
    assert a | b | c == AnyOf((a, b, c))
    assert a & (b & c) == AllOf((a, b, c))
    assert (a | b) & c == AllOf((AnyOf((a, b)), c))
    with pytest.raises(TypeError):
        a | 3


def test_composed_masks_read_as_alternatives_and_conjunctions():
    a, b = Mask(max_stars=1), Mask(keep=["x"], full_suppression=False)
    assert (a | b).describe() == [
        "either: at most 1 star; a row of stars alone is allowed, whatever else is said",
        "or: x is never changed; a row of stars alone is not allowed",
    ]
    assert ((a | b) & a).describe()[0].startswith("all of this: (either: at most 1 star;")
    assert ((a | b) & a).describe()[1].startswith("and: at most 1 star;")
    assert AnyOf((a,)).describe() == a.describe()
