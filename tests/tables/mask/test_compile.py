"""From a description to the set of level vectors."""

import pytest

from incrowd.errors import PolicyError
from incrowd.tables.mask import Mask
from incrowd.tables.mask.compile import compile_mask


def test_a_description_and_its_mask_are_compiled_to_the_same_set():
    said = {"max_stars": 1, "keep": ["a"], "full_suppression": False}
    made, by_mask = compile_mask(said, ["a", "b"], [1, 2]), Mask(**said).compile(["a", "b"], [1, 2])
    assert made.count() == by_mask.count() == 3
    assert made.reach() == by_mask.reach() == (0, 2)


def test_a_set_without_vectors_is_refused_with_the_lines_that_leave_none():
    with pytest.raises(PolicyError, match=r"mask\.full_suppression leaves none together with mask\.patterns"):
        compile_mask({"patterns": [["a"]], "full_suppression": False}, ["a"], [1])
