"""The words of a mask: what they refuse, mean, say and how they travel."""

import itertools
import tomllib

import pytest

from incrowd.errors import PolicyError
from incrowd.tables.mask import AllOf, AnyOf, Mask, PatternMask
from oracles import masks as plain
from oracles.masks_drawn import draw
from seeds import seeds


@seeds(400)
def test_the_plain_reading_agrees_with_the_definitions(seed):
    drawn = draw(seed)
    mask = PatternMask.from_dict(drawn.spec)
    top = dict(zip(drawn.columns, drawn.heights, strict=True))
    for vector in itertools.product(*(range(h + 1) for h in drawn.heights)):
        level = dict(zip(drawn.columns, vector, strict=True))
        assert mask.allows(level, top) == plain.allowed(drawn.spec, level, top)


@seeds(400)
def test_a_mask_survives_its_dict_exactly(seed):
    mask = PatternMask.from_dict(draw(seed, depth=3).spec)
    again = PatternMask.from_dict(mask.to_dict())
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
    mask = PatternMask.from_dict(tomllib.loads(text)["mask"])
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
    assert Mask(patterns={"a": 1}) == Mask(patterns=[{"a": 1}])
    assert Mask(keep="a") == Mask(keep=["a"])


def test_level_0_in_a_listed_pattern_is_the_same_as_not_naming_the_column():
    assert Mask(patterns=[{"a": 1, "b": 0}]) == Mask(patterns=[{"a": 1}])
    assert Mask(patterns=[{"a": 0}]) == Mask(patterns=[[]])


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"max_stars": -1}, ["mask.max_stars", "-1", "at least 0"]),
        ({"max_stars": True}, ["mask.max_stars", "True"]),
        ({"max_stars": 1.5}, ["mask.max_stars", "1.5"]),
        ({"max_stars": "2"}, ["mask.max_stars", "'2'"]),
        ({"keep": 3}, ["mask.keep", "3"]),
        ({"keep": {"a": 1}}, ["mask.keep", "{'a': 1}"]),
        ({"keep": {"a"}}, ["mask.keep", "{'a'}"]),
        ({"keep": ["a", 2]}, ["mask.keep", "2"]),
        ({"keep": ["a", ""]}, ["mask.keep", "''"]),
        ({"keep": ["a", "b", "a"]}, ["mask.keep", "'a'", "twice"]),
        ({"together": [["a", "a"]]}, ["mask.together", "'a'", "twice"]),
        ({"together": [["a"]]}, ["mask.together", "at least 2", "['a']"]),
        ({"at_most_one": ["a"]}, ["mask.at_most_one", "at least 2", "['a']"]),
        ({"at_most_one": [[]]}, ["mask.at_most_one", "at least 2", "[]"]),
        ({"at_most_one": "a,b"}, ["mask.at_most_one", "'a,b'"]),
        ({"at_most_one": [["a", "b"], "c"]}, ["mask.at_most_one", "mixes", "'c'"]),
        ({"never_together": [["a"]]}, ["mask.never_together", "keep"]),
        ({"max_level": {"a": -2}}, ["mask.max_level.a", "-2", "at least 0"]),
        ({"max_level": ["a"]}, ["mask.max_level", "['a']"]),
        ({"max_level": [("a", 1), ("a", 2)]}, ["mask.max_level", "'a'", "twice"]),
        ({"full_suppression": 1}, ["mask.full_suppression", "1", "true or false"]),
        ({"patterns": []}, ["mask.patterns", "at least 1"]),
        ({"patterns": [["a", "a"]]}, ["mask.patterns", "'a'", "twice"]),
        ({"patterns": [{"a": "b"}]}, ["mask.patterns.a", "'b'"]),
        ({"patterns": [["a"], "b"]}, ["mask.patterns", "mixes"]),
        ({"patterns": 4}, ["mask.patterns", "4"]),
    ],
)
def test_bad_values_are_refused_at_birth_with_value_and_range(setting, words):
    with pytest.raises(PolicyError) as refused:
        Mask(**setting)
    assert all(word in str(refused.value) for word in words), str(refused.value)


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
        PatternMask.from_dict(data)
    assert all(word in str(refused.value) for word in words), str(refused.value)


@pytest.mark.parametrize("parts", [(), (3,), Mask(), "ab"])
def test_a_composed_mask_needs_a_list_of_masks(parts):
    with pytest.raises(PolicyError, match=r"mask\.any"):
        AnyOf(parts)


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


def test_or_and_and_flatten_and_keep_their_order():
    a, b, c = Mask(max_stars=1), Mask(keep=["x"]), Mask(max_stars=0)
    assert a | b | c == AnyOf((a, b, c))
    assert a & (b & c) == AllOf((a, b, c))
    assert (a | b) & c == AllOf((AnyOf((a, b)), c))
    with pytest.raises(TypeError):
        a | 3


def test_every_mask_is_frozen():
    for mask, name in ((Mask(), "max_stars"), (Mask() | Mask(), "parts")):
        with pytest.raises(AttributeError):
            setattr(mask, name, None)
    assert len({Mask(keep=["a"]), Mask(keep=("a",)), Mask() & Mask()}) == 2


def test_columns_are_those_the_rules_name():
    mask = Mask(keep=["c"], together=["a", "c"], max_level={"d": 1}) | Mask(patterns=[["e"], {"a": 1}])
    assert mask.columns() == ("c", "a", "d", "e")
    assert Mask(max_stars=2).columns() == ()


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


def test_composed_masks_read_as_alternatives_and_conjunctions():
    a, b = Mask(max_stars=1), Mask(keep=["x"], full_suppression=False)
    assert (a | b).describe() == [
        "either: at most 1 star; a row of stars alone is allowed, whatever else is said",
        "or: x is never changed; a row of stars alone is not allowed",
    ]
    assert ((a | b) & a).describe()[0].startswith("all of this: (either: at most 1 star;")
    assert ((a | b) & a).describe()[1].startswith("and: at most 1 star;")
    assert AnyOf((a,)).describe() == a.describe()
