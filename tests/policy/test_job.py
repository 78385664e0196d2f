"""One job from keywords, options and TOML; every bad value is refused with name, value and range."""

import dataclasses
from fractions import Fraction

import pytest

from incrowd import Job, Mask, Policy
from incrowd.errors import PolicyError
from incrowd.policy.job import flat_settings, known_settings

JOB = Job().replace(
    source="t.csv",
    output="r.csv",
    quasi_identifiers=["a", "b", "c"],
    sensitive=["s"],
    identifiers=["i"],
    other="drop",
    numeric=["a"],
    k=7,
    mask=Mask(max_stars=2, keep=["c"], at_most_one=[["a", "b"]]),
    weights={"a": "1/3", "b": 0.1, "c": 2},
    outliers="suppress",
    suppressed="null",
    star="#",
    header=False,
    columns=["a", "b", "c", "s", "i"],
    delimiter=";",
    encoding="latin-1",
    na=["?"],
    strip=False,
    solver="greedy",
    time_limit=2.5,
    gap=0.01,
    work=10,
    seed=3,
    keep_order=True,
    keep_best=True,
    dry_run=True,
    memory="2GB",
    certificate="c.json",
)


def test_a_job_survives_its_file(tmp_path):
    job = JOB.replace(source=tmp_path / "in" / "t.csv", output=tmp_path / "r.csv", certificate=tmp_path / "c.json")
    job.save(tmp_path / "policy.toml")
    assert Job.load(tmp_path / "policy.toml") == job
    assert Policy.load(tmp_path / "policy.toml") == job.policy


def test_composed_masks_survive_the_file(tmp_path):
    mask = (Mask(max_stars=1) | Mask(keep=["a"])) & Mask(together=[["b", "c"]])
    job = Job().replace(qi="a,b,c", k=2, mask=mask)
    job.save(tmp_path / "policy.toml")
    assert Job.load(tmp_path / "policy.toml").policy.mask == mask
    with pytest.raises(PolicyError, match="composed"):
        job.replace(max_stars=2)


def test_a_setting_replaces_its_key_and_nothing_else():
    changed = JOB.replace(k=9, max_stars=1, seed=8, delimiter="|")
    assert changed.policy.k == 9
    assert changed.policy.mask == Mask(max_stars=1, keep=["c"], at_most_one=[["a", "b"]])
    assert changed.policy.reading.delimiter == "|"
    assert changed.seed == 8
    back = changed.replace(k=7, max_stars=2, seed=3, delimiter=";")
    assert back == JOB


def test_text_options_mean_what_objects_mean():
    texts = Job().replace(
        qi="a, b ,c", weight=["a=0.1", "b=1/3"], at_most_one="a,b", max_level=["a=1"], k="5", time_limit="2"
    )
    objects = Job().replace(
        quasi_identifiers=("a", "b", "c"), weights={"a": Fraction(1, 10), "b": "1/3"}, at_most_one=[["a", "b"]],
        max_level={"a": 1}, k=5, time_limit=2.0,
    )  # fmt: skip
    assert texts == objects


def test_a_float_weight_means_the_decimal_it_prints_as():
    assert dict(Job().replace(qi="a", weights={"a": 0.1}).policy.weights)["a"] == Fraction(1, 10)


REFUSALS = {
    "k zero": ({"k": 0}, "k must be a whole number of at least 1, not 0"),
    "k text": ({"k": "many"}, "k must be a whole number of at least 1, not 'many'"),
    "k half": ({"k": 2.5}, "k must be a whole number of at least 1, not 2.5"),
    "k flag": ({"k": True}, "k must be a whole number of at least 1, not True"),
    "unknown": ({"max_star": 1}, "there is no setting 'max_star' (did you mean 'max_stars'?)"),
    "twice": ({"qi": "a,a"}, "column 'a' is twice in quasi_identifiers"),
    "two roles": ({"qi": "a", "sensitive": "a"}, "column 'a' is in both quasi_identifiers and sensitive"),
    "two roles more": ({"qi": "a", "sensitive": "s", "identifier": "s"}, "in both sensitive and identifiers"),
    "mask line": ({"qi": "a,b", "keep": "aa"}, "mask.keep names 'aa', which is no quasi-identifier"),
    "weight column": ({"qi": "a,b", "weight": "z=1"}, "weight names 'z', which is no quasi-identifier"),
    "weight negative": (
        {"qi": "a", "weight": "a=-1"},
        "weight of 'a' must be a number of at least 0, not -1",
    ),
    "weight nan": ({"qi": "a", "weights": {"a": float("nan")}}, "weight of 'a' must be a number such as"),
    "weight text": (
        {"qi": "a", "weight": "a=heavy"},
        "weight of 'a' must be a number such as 2, 0.5 or '1/3'",
    ),
    "weight form": ({"qi": "a", "weight": "heavy"}, "weight must be written COLUMN=VALUE, not 'heavy'"),
    "weight twice": ({"qi": "a", "weight": ["a=1", "a=2"]}, "weight is given twice for column 'a'"),
    "choice": (
        {"outliers": "forbit"},
        "outliers must be 'forbid' or 'suppress', not 'forbit' (did you mean 'forbid'?)",
    ),
    "other": ({"other": "hide"}, "other must be 'keep' or 'drop', not 'hide'"),
    "star": ({"star": ""}, "star must be a text of at least one character"),
    "star blank": ({"star": " *"}, "star must not begin or end with a blank"),
    "stars": ({"max_stars": -1}, "max_stars must be a whole number of at least 0, not -1"),
    "delimiter": ({"delimiter": "::"}, "delimiter must be one character (or 'tab')"),
    "columns": ({"columns": "a,b,a"}, "columns names 'a' twice"),
    "numeric": ({"qi": "a", "numeric": "b"}, "numeric names 'b', which is no quasi-identifier"),
    "time": ({"time_limit": -1}, "time_limit must be a number of at least 0, not -1"),
    "seed": ({"seed": "x"}, "seed must be a whole number of at least 0, not 'x'"),
    "mask kind": ({"mask": 3}, "mask must be an incrowd.Mask"),
    "list": ({"quasi_identifiers": [1]}, "qi must be a list of texts"),
    "level": ({"qi": "a", "max_level": {"a": -1}}, "max_level of 'a' must be a whole number of at least 0"),
    "flag": ({"header": "yes"}, "header must be true or false, not 'yes'"),
    "path": ({"output": ""}, "output must be the path of a file"),
}


def test_a_bad_value_is_refused_at_birth():
    for case, (given_settings, said) in REFUSALS.items():
        with pytest.raises(PolicyError) as caught:
            Job().replace(**given_settings)
        assert said in str(caught.value), case
        assert str(caught.value).count("\n") == 0


def test_jobs_are_frozen_and_equal_by_value():
    assert dataclasses.replace(JOB) == JOB
    with pytest.raises(dataclasses.FrozenInstanceError):
        JOB.seed = 1
    assert hash(JOB.policy) == hash(dataclasses.replace(JOB).policy)


def test_a_column_named_in_a_requirement_is_sensitive_and_no_quasi_identifier():
    policy = Policy(quasi_identifiers=("age",), require=("l-diversity l=2 column=ill",))
    assert policy.roles.sensitive == ("ill",)
    assert policy.sensitive == ()
    with pytest.raises(PolicyError, match="column 'age' is in both quasi_identifiers and sensitive"):
        Policy(quasi_identifiers=("age",), require=("l-diversity l=2 column=age",))


def test_k_anonymity_among_the_models_is_k_itself():
    assert Policy(require=("k-anonymity k=4",)).k == 4
    assert Policy(k=3, require=("k-anonymity k=4",)).k == 4
    assert Policy(k=3, require=("k-anonymity k=4",)).require == ()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"t": 1.5}, "t must be a number from 0 to 1, not 1.5"),
        ({"t": 0.5}, "t is about sensitive columns, and none is named"),
        ({"l": 2}, "l is about sensitive columns, and none is named"),
        ({"l": 0.9, "sensitive": "ill"}, "l must be a number of at least 1, not 0.9"),
        ({"sensitive": "ill", "sensitive_distance": "ill=ordered"}, "no t is given"),
        ({"sensitive": "ill", "t": 1, "sensitive_distance": "il=ordered"}, "did you mean 'ill'"),
        ({"sensitive": "ill", "t": 1, "sensitive_distance": "ill=far"}, "distance must be 'equal'"),
        ({"sensitive": "ill", "t": 1, "sensitive_distance": "ill"}, "must be written COLUMN=VALUE"),
    ],
)
def test_thresholds_that_cannot_be_meant_are_refused(settings, said):
    with pytest.raises(PolicyError, match=said):
        Job().replace(**settings)


def test_every_known_name_may_stand_in_a_policy_file_and_no_other():
    document = {name: None for name in known_settings() if name != "mask"}
    assert set(flat_settings(document, "p.toml")) == set(document)
    with pytest.raises(PolicyError, match="there is no key 'kk'"):
        flat_settings({"kk": 1}, "p.toml")


@pytest.mark.parametrize(("kind", "given"), [(Policy, "mask"), (Policy, "reading"), (Job, "policy")])
@pytest.mark.parametrize("value", [5, [[], {}], None])
def test_what_is_no_mask_no_reading_and_no_policy_is_refused_by_name(kind, given, value):
    with pytest.raises(PolicyError, match=f"{given} must be an?|how a table is read"):
        kind(**{given: value})


def test_none_is_the_default_of_a_setting_that_has_one():
    assert Policy(cost=None, star=None, outliers=None) == Policy()
    assert Job(solver=None, gap=None, seed=None) == Job()
