"""A mask as data: its leaves and their lines, how parts are combined, what does not fit."""

import pytest

from incrowd.errors import PolicyError
from incrowd.tables.mask.description import check, combined, composition, describe, leaves, mentions

NESTED = {"any": [{"keep": ["a"]}, {"all": [{"max_stars": 1}, {"max_level": {"b": 2}}]}]}


def test_leaves_come_in_the_order_written_each_with_its_line_of_the_policy():
    lines = dict(leaves(NESTED))
    assert list(lines) == ["mask.any[0]", "mask.any[1].all[0]", "mask.any[1].all[1]"]
    assert lines["mask.any[1].all[1]"] == {"max_level": {"b": 2}}
    assert [composition(said) for said in (NESTED, NESTED["any"][1], {})] == ["any", "all", None]


@pytest.mark.parametrize(
    ("verdicts", "expected"), [((True, False, False), True), ((False, True, True), True), ((False, True, False), False)]
)
def test_verdicts_of_the_leaves_are_combined_as_the_parts_are(verdicts, expected):
    assert combined(NESTED, iter(verdicts)) == expected


def test_mentions_lead_to_the_line_that_names_a_column():
    assert list(mentions(NESTED)) == [("mask.any[0].keep", "a", None), ("mask.any[1].all[1].max_level", "b", 2)]


def test_what_does_not_fit_the_columns_is_refused_with_its_line():
    check(NESTED, {"a": 1, "b": 2})
    with pytest.raises(PolicyError, match=r"mask\.any\[1\]\.all\[1\]\.max_level gives column 'b' level 2"):
        check(NESTED, {"a": 1, "b": 1})
    with pytest.raises(PolicyError, match=r"mask\.any\[0\]\.keep names 'a', which is not a quasi-identifier"):
        check(NESTED, {"b": 2})


def test_one_part_alone_is_told_without_its_composition():
    assert describe({"all": [{"max_stars": 0}]}) == describe({"max_stars": 0})
