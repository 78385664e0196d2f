"""The rules of a mask in sentences."""

import pytest

from incrowd.tables.mask import Mask


@pytest.mark.parametrize(
    ("mask", "sentence"),
    [
        (Mask(max_stars=2), "at most 2 stars"),
        (Mask(max_stars=1), "at most 1 star"),
        (Mask(max_stars=0), "no stars"),
        (Mask(keep=["education"]), "education is never changed"),
        (Mask(keep=["a", "b", "c"]), "a, b and c are never changed"),
        (
            Mask(together=["workclass", "occupation"]),
            "workclass and occupation change together or not at all",
        ),
        (Mask(at_most_one=["age", "sex", "race"]), "at most one of age, sex, race changes"),
        (Mask(never_together=["a", "b"]), "a and b never both change in one row"),
        (Mask(never_together=["a", "b", "c"]), "a, b and c never all change in one row"),
        (Mask(max_level={"age": 2}), "age is coarsened to level 2 at most"),
        (Mask(max_level={"age": 0}), "age is never changed"),
        (
            Mask(patterns=[[], ["a"], ["a", "b"], {"c": 2, "a": 1}]),
            "only listed patterns (4): nothing changed; a starred; a and b starred; c at level 2 and a at level 1",
        ),
        (Mask(), "every pattern is allowed"),
        (Mask(max_stars=1), "a row of stars alone is allowed, whatever else is said"),
        (Mask(full_suppression=False), "a row of stars alone is not allowed"),
    ],
)
def test_every_rule_is_told_in_a_sentence(mask, sentence):
    assert sentence in mask.describe()


def test_a_long_list_of_patterns_is_cut_short():
    sentence = Mask(patterns=[{"a": level} for level in range(1, 10)]).describe()[0]
    assert sentence.startswith("only listed patterns (9): ")
    assert sentence.endswith("a at level 5; 4 more")
