"""Masks that leave no pattern name the lines that do it."""

import re

import pytest
from tests.seeds import how_many

from incrowd.errors import PolicyError
from incrowd.tables.mask import Mask, explain_empty
from oracle import masks as plain
from oracle.masks_drawn import draw
from seeds import scaled

COLUMNS, HEIGHTS = ["a", "b", "c"], [1, 1, 2]


@pytest.mark.parametrize(
    ("mask", "sentence"),
    [
        (
            Mask(keep=["a"], patterns=[["a"]], full_suppression=False),
            "mask.patterns leaves none together with mask.keep and mask.full_suppression; loosen one of them",
        ),
        (
            Mask(patterns=[["a", "b", "c"]], full_suppression=False),
            "mask.patterns leaves none together with mask.full_suppression; loosen one of them",
        ),
        (
            Mask(max_stars=2, keep=["c"], together=["a", "b"], patterns=[["a"]], full_suppression=False),
            "mask.patterns leaves none together with mask.together and mask.full_suppression; loosen one of them",
        ),
        (
            Mask(full_suppression=False) & Mask(keep=["b"]) & Mask(max_stars=3, patterns=[["b"]]),
            "mask.all[2].patterns leaves none together with mask.all[0].full_suppression and "
            "mask.all[1].keep; loosen one of them",
        ),
        (
            (Mask(patterns=[["a"]], full_suppression=False) | Mask(patterns=[["b"]]))
            & Mask(patterns=[["c"]])
            & Mask(full_suppression=False),
            "mask.all[2].full_suppression leaves none together with mask.all[0] and mask.all[1].patterns; "
            "loosen one of them",
        ),
        (
            Mask(keep=["a"], patterns=[["a"]], full_suppression=False)
            | Mask(patterns=[["a", "b", "c"]], full_suppression=False),
            "no alternative allows one: mask.any[0]: mask.any[0].patterns leaves none together with "
            "mask.any[0].keep and mask.any[0].full_suppression; loosen one of them; mask.any[1]: "
            "mask.any[1].patterns leaves none together with mask.any[1].full_suppression; loosen one of them",
        ),
    ],
)
def test_the_sentence_names_the_line_and_the_earlier_ones_it_needs(mask, sentence):
    assert explain_empty(mask.to_dict(), COLUMNS, HEIGHTS) == f"mask allows no pattern: {sentence}"
    with pytest.raises(PolicyError) as refused:
        mask.compile(COLUMNS, HEIGHTS)
    assert str(refused.value) == f"mask allows no pattern: {sentence}"


def test_the_explanation_is_there_exactly_when_the_set_is_empty():
    empty = 0
    for seed in range(scaled(600)):
        drawn = draw(seed)
        said = explain_empty(drawn.spec, drawn.columns, drawn.heights)
        assert (said is None) == bool(plain.vectors(drawn.spec, drawn.columns, drawn.heights))
        empty += said is not None
    assert empty > scaled(20)


def test_each_line_named_is_needed_and_together_they_leave_nothing():
    checked = 0
    tables = how_many(500, 48)
    for seed in range(tables):
        parts = [draw(seed, depth=0).spec]
        drawn = draw(seed, depth=0)
        parts.append({**parts[0], "patterns": [drawn.rng.sample(drawn.columns, 1)], "full_suppression": False})
        said = explain_empty({"all": parts}, drawn.columns, drawn.heights)
        if said is None:
            continue
        named = re.findall(r"mask\.all\[(\d)\]\.(\w+)", said)

        def left(lines, parts=parts, drawn=drawn):
            kept = [{rule: part[rule] for rule in part if (str(i), rule) in lines} for i, part in enumerate(parts)]
            return plain.vectors({"all": kept}, drawn.columns, drawn.heights)

        assert not left(named)
        for line in named:
            assert left([other for other in named if other != line])
        checked += 1
    assert checked > tables / 10


def test_a_mask_that_allows_something_needs_no_explanation():
    assert explain_empty({}, COLUMNS, HEIGHTS) is None
    assert explain_empty({"full_suppression": False, "max_stars": 0}, COLUMNS, HEIGHTS) is None
