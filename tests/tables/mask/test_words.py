"""The words of a mask: what they refuse, mean, say and how they travel."""

import itertools
import tomllib

import pytest

from incrowd.errors import PolicyError
from incrowd.tables.mask import Mask, mask_from_dict
from oracle import masks as plain
from oracle.masks_drawn import draw
from seeds import seeds


@seeds(400)
def test_what_a_mask_allows_are_the_definitions(seed):
    drawn = draw(seed)
    mask, top = mask_from_dict(drawn.spec), dict(zip(drawn.columns, drawn.heights, strict=True))
    for vector in itertools.islice(itertools.product(*(range(h + 1) for h in drawn.heights)), 0, None, 7):
        level = dict(zip(drawn.columns, vector, strict=True))
        assert mask.allows(level, top) == plain.allowed(drawn.spec, level, top)


@seeds(400)
def test_a_mask_survives_its_dict_exactly(seed):
    mask = mask_from_dict(draw(seed, depth=3).spec)
    again = Mask.from_dict(mask.to_dict())
    assert again == mask
    assert hash(again) == hash(mask)
    assert again.to_dict() == mask.to_dict()


def test_a_dict_holds_only_what_differs_from_the_defaults():
    assert Mask().to_dict() == {}
    assert Mask(full_suppression=False, keep=["a"]).to_dict() == {"keep": ["a"], "full_suppression": False}
    assert (Mask(max_level={"a": 1}) | Mask(max_stars=0)).to_dict() == {
        "any": [{"max_level": {"a": 1}}, {"max_stars": 0}]
    }


def test_a_policy_in_toml_is_read_as_written():
    text = """
    [mask]
    max_stars = 2
    keep = ["education"]
    at_most_one = ["sex", "race"]
    max_level = {age = 1}
    patterns = [["age"], {age = 1}, []]
    """
    mask = mask_from_dict(tomllib.loads(text)["mask"])
    assert mask == Mask(
        max_stars=2,
        keep=["education"],
        at_most_one=[["sex", "race"]],
        max_level={"age": 1},
        patterns=[["age"], {"age": 1}, []],
    )


def test_one_group_may_stand_for_a_list_of_groups():
    for rule in ("together", "at_most_one", "never_together"):
        assert Mask(**{rule: ["a", "b"]}) == Mask(**{rule: [["a", "b"]]})
    assert Mask(patterns=["a", "b"]) == Mask(patterns=[["a", "b"]])
    assert Mask(patterns={"a": 1}) == Mask(patterns=[{"a": 1}]) == Mask(patterns=[[("a", 1)]])
    assert Mask(keep="a") == Mask(keep=["a"])


def test_level_0_in_a_listed_pattern_is_the_same_as_not_naming_the_column():
    assert Mask(patterns=[{"a": 1, "b": 0}]) == Mask(patterns=[{"a": 1}])
    assert Mask(patterns=[{"a": 0}]) == Mask(patterns=[[]])


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"max_star": 2}, ["mask has no rule 'max_star'", "did you mean 'max_stars'"]),
        ({"any": [{}, {"kep": ["a"]}]}, ["mask.any[1] has no rule 'kep'", "did you mean 'keep'"]),
        ({"any": [{}, {"max_stars": -1}]}, ["mask.any[1].max_stars", "-1"]),
        ({"any": [{}], "keep": ["a"]}, ["mask.any", "'keep'", "alone"]),
        ({"all": {}}, ["mask.all", "list", "{}"]),
        ({"all": []}, ["mask.all", "at least 1"]),
        ({"all": [3]}, ["mask.all[0]", "3"]),
        (3, ["mask must be a table", "3"]),
    ],
)
def test_a_bad_dict_is_refused_with_its_line(data, words):
    with pytest.raises(PolicyError) as refused:
        mask_from_dict(data)
    assert all(word in str(refused.value) for word in words), str(refused.value)


@pytest.mark.parametrize(
    ("mask", "words"),
    [
        (Mask(keep=["educaton"]), ["mask.keep", "'educaton'", "did you mean 'education'"]),
        (Mask(together=["age", "zip"]), ["mask.together", "'zip'"]),
        (Mask() & Mask(at_most_one=["age", "aeg"]), ["mask.all[1].at_most_one", "'aeg'", "'age'"]),
        (Mask(max_level={"age": 3}), ["mask.max_level", "'age'", "level 3", "0 to 2"]),
        (Mask(patterns=[{"age": 3}]), ["mask.patterns", "'age'", "level 3", "0 to 2"]),
        (Mask(patterns=[["sex"]]), ["mask.patterns", "'sex'"]),
        (Mask(max_level={"sex": 0}), ["mask.max_level", "'sex'"]),
        (Mask(never_together=["sex", "age"]), ["mask.never_together", "'sex'"]),
    ],
)
def test_rules_that_do_not_fit_the_columns_are_refused_by_both_readings(mask, words):
    columns, heights = ["age", "education"], [2, 1]
    for read in (
        lambda: mask.compile(columns, heights),
        lambda: mask.allows({"age": 0, "education": 0}, dict(zip(columns, heights, strict=True))),
    ):
        with pytest.raises(PolicyError) as refused:
            read()
        assert all(word in str(refused.value) for word in words), str(refused.value)


def test_levels_outside_of_a_column_are_not_allowed():
    assert not Mask().allows({"a": 2, "b": 0}, {"a": 1, "b": 1})
    assert not Mask().allows({"a": -1, "b": 0}, {"a": 1, "b": 1})
    with pytest.raises(ValueError, match="same columns"):
        Mask().allows({"a": 0}, {"a": 1, "b": 1})


def test_every_mask_is_frozen_and_joined_with_masks_alone():
    for mask, name, joined in ((Mask(), "max_stars", Mask.__or__), (Mask() | Mask(), "parts", Mask.__and__)):
        with pytest.raises(AttributeError):
            setattr(mask, name, None)
        assert joined(mask, {}) is NotImplemented
    assert len({Mask(keep=["a"]), Mask(keep=("a",)), Mask() & Mask()}) == 2


def test_columns_are_those_the_rules_name():
    mask = Mask(keep=["c"], together=["a", "c"], max_level={"d": 1}) | Mask(patterns=[["e"], {"a": 1}])
    assert mask.columns() == ("c", "a", "d", "e")
    assert Mask(max_stars=2).columns() == ()
