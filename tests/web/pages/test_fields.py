"""Settings become fields and fields settings; what a form leaves as it was changes nothing."""

from __future__ import annotations

import pytest

from incrowd.policy.job import Job, every_setting
from incrowd.policy.sections import SECTIONS
from incrowd.web.pages.fields import ELSEWHERE, LABELS, PLAIN, changed, fields_of

NAMES = list(dict.fromkeys([*every_setting(), *(name for names in SECTIONS.values() for name in names)]))
FULL = Job().replace(
    quasi_identifiers=["age", "a, b", 'q"q'], sensitive=["ill"], identifiers=["name"], k=5, l=2.5, t="1/3", require=["p-sensitive p=2 column=ill"],
    weights={"age": "1/3"}, max_stars=2, keep=["age"], together=[["age", "a, b"]], max_level={"age": 1}, na=["NA", "?"], header=True,
    delimiter=";", sensitive_distance={"ill": "ordered"}, time_limit=7.5, seed=3, outliers="suppress",
)  # fmt: skip


@pytest.mark.parametrize("job", [Job(), FULL], ids=["empty", "full"])
def test_a_form_sent_back_as_it_was_changes_nothing(job):
    form = {field.name: field.value.replace("\n", "\r\n") for field in fields_of(job, NAMES)}
    assert changed(job, NAMES, form) == {}


def test_what_fields_show_means_what_they_were_made_of():
    shown = {field.name: field.value for field in fields_of(FULL, NAMES)}
    other = Job().replace(**changed(Job(), NAMES, shown))
    assert other == FULL


def test_every_setting_has_a_field_or_a_page_of_its_own():
    assert set(NAMES) - {field.name for field in fields_of(Job(), NAMES)} == set(ELSEWHERE)


@pytest.mark.parametrize(("name", "text", "value"), [
    ("k", "7", 7), ("k", "", None), ("keep", "age, sex", ("age", "sex")), ("keep", "", ()), ("t", "0.2", "1/5"), ("full_suppression", "no", False),
    ("together", "age, sex\nzip, sex", (("age", "sex"), ("zip", "sex"))), ("na", "NA\nno answer, ever", ("NA", "no answer, ever")),
])  # fmt: skip
def test_texts_are_read_as_the_setting_has_them(name, text, value):
    job = Job().replace(k=5, keep=["x"], full_suppression=True, sensitive=["ill"])
    found = job.replace(**changed(job, [name], {name: text}))
    wanted = job.replace(**{name: value})
    assert found == wanted


def test_what_a_form_does_not_hold_stays():
    assert changed(FULL, NAMES, {}) == {}
    assert changed(FULL, ["seed"], {"k": "9"}) == {}


def test_what_everybody_meets_has_a_label_of_its_own_and_keeps_its_capitals():
    found = {field.name: field for field in fields_of(Job(), NAMES)}
    assert set(PLAIN) | set(LABELS) <= set(found)
    assert (found["k"].label, found["time_limit"].label) == ("k: how many look alike", "Time limit in seconds")
    assert found["k"].help == PLAIN["k"][1] and found["max_stars"].label == LABELS["max_stars"]
    assert found["seed"].label == "Seed"
