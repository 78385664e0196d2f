"""A policy opened and saved unchanged has the same bytes; changed, only the lines of what changed differ."""

from __future__ import annotations

import difflib
import random

import pytest

from incrowd.policy.job import Job
from incrowd.web.studio.policy_text import rewritten

POLICY = """\
# the policy of the ward
qi = [
    "age",   # in years
    "sex",
    'zip',
]
sensitive = ["diagnosis"]   # nobody's business
k = 5
l=2

[mask]
max_stars=2 # at most two
keep = ["sex"]

[weights]
age = 2.5

[hierarchies]
age = "intervals:5,10"     # bands
zip = "prefix:3,1"

[job]
seed = 7
time_limit = 30
"""


def written(tmp_path, text):
    (tmp_path / "policy.toml").write_bytes(text.encode())
    return Job.load(tmp_path / "policy.toml")


def changed(tmp_path, text, **settings):
    before = written(tmp_path, text)
    after = before.replace(**settings)
    made = rewritten(text, before, after, tmp_path)
    again = written(tmp_path, made)
    assert again == after
    lines = [line for line in difflib.ndiff(text.splitlines(), made.splitlines()) if line[:1] in "+-"]
    return made, lines


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_what_is_not_changed_has_the_same_bytes(tmp_path, ends):
    text = POLICY.replace("\n", ends) + "# the end, without a line end"
    job = written(tmp_path, text)
    assert rewritten(text, job, job.replace(k=5, seed=7, max_stars=2), tmp_path) == text


@pytest.mark.parametrize(
    ("settings", "lines"),
    [
        ({"k": 7}, ["- k = 5", "+ k = 7"]),
        ({"max_stars": 3}, ["- max_stars=2 # at most two", "+ max_stars=3 # at most two"]),
        ({"max_stars": None}, ["- max_stars=2 # at most two"]),
        ({"weights": {"age": 2.5, "zip": 3}}, ["+ zip = 3"]),
        ({"weights": {}}, ["- age = 2.5"]),
        ({"hierarchies": {"age": "intervals:5,10", "zip": "prefix:2"}}, ['- zip = "prefix:3,1"', '+ zip = "prefix:2"']),
        ({"time_limit": 5}, ["- time_limit = 30", "+ time_limit = 5.0"]),
        ({"t": 0.2}, ["+ t = 0.2"]),
        ({"delimiter": ";"}, ["+ [read]", '+ delimiter = ";"', "+ "]),
        ({"quasi_identifiers": ["age", "sex", "zip", "ward"]}, ['+     "ward",']),
    ],
)
def test_only_lines_of_what_changed_differ(tmp_path, settings, lines):
    _, found = changed(tmp_path, POLICY, **settings)
    signs = [line for line in found if line.strip() not in ("+", "-", "?")]
    wanted = [line for line in lines if line.strip() not in ("+", "-")]
    assert sorted(signs) == sorted(wanted)


def test_a_column_taken_out_of_a_list_takes_its_line_alone(tmp_path):
    made, found = changed(
        tmp_path, POLICY, quasi_identifiers=["age", "sex"], hierarchies={"age": "intervals:5,10"}, keep=["sex"]
    )
    assert sorted(found) == sorted(["-     'zip',", '- zip = "prefix:3,1"'])
    assert "# in years" in made


def test_an_empty_policy_gets_what_is_said(tmp_path):
    made, _ = changed(tmp_path, "", quasi_identifiers=["a"], k=3, keep=["a"], hierarchies={"a": "prefix"}, seed=4)
    assert made.index("k = 3") < made.index("[mask]")


def test_keys_outside_their_table_and_by_another_name_stay_where_they_are(tmp_path):
    text = 'qi = ["a", "b"]\nk = 2\nmax_stars = 1\nseed = 3\n\n[hierarchy]\na = "prefix"\n'
    made, found = changed(tmp_path, text, max_stars=2, seed=4, hierarchies={"a": "prefix:1"})
    assert "[hierarchies]" not in made
    assert "[mask]" not in made
    assert len(found) == 6


def test_many_changes_one_after_the_other_say_what_was_meant(tmp_path):
    random.seed(5)
    columns = ["age", "sex", "zip", "ward"]
    text = POLICY
    for _ in range(150):
        job = written(tmp_path, text)
        some = random.sample(columns, random.randint(1, 4))
        if not {name for name, _ in job.policy.hierarchies} <= set(some):
            continue
        settings = random.choice([
            {"k": random.randint(1, 9)}, {"l": random.choice([None, 2, 2.5])}, {"t": random.choice([None, 0.25])},
            {"max_stars": random.choice([None, 1, 2])}, {"keep": random.sample(list(job.policy.quasi_identifiers), 1)},
            {"hierarchies": {name: random.choice(["prefix", "prefix:2"]) for name in random.sample(list(job.policy.quasi_identifiers), 1)}},
            {"weights": {name: random.choice([1.5, 2, "1/3"]) for name in random.sample(list(job.policy.quasi_identifiers), 1)}},
            {"together": random.choice([[], [["age", "zip"]]]) if {"age", "zip"} <= set(job.policy.quasi_identifiers) else []},
            {"na": random.choice([[], ["NA", "?"]])}, {"seed": random.randint(0, 3)}, {"outliers": random.choice(["forbid", "suppress"])},
            {"require": random.choice([[], ["t-closeness t=0.3 column=diagnosis"]])},
            {"sensitive": random.choice([["diagnosis"], ["diagnosis", "drug"]])},
        ])  # fmt: skip
        text, _ = changed(tmp_path, text, **settings)
    assert text.startswith("# the policy of the ward\n")
