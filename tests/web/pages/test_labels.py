"""Hierarchies: levels as one types, kept where they fit, a file where one has it."""

from __future__ import annotations

import re
import tomllib

import pytest

from incrowd.errors import InputError, PolicyError
from incrowd.tables.hierarchy import Intervals, Prefix
from incrowd.web.pages.labels import spec_of
from web.visitor import words


def column(visitor, place, name):
    names = tomllib.loads(visitor.get(f"{place}/files/policy.toml").text)["quasi_identifiers"]
    return str(names.index(name))


def keep(visitor, place, at, **said):
    """Send the page's form with what it says of one column."""
    return visitor.post(f"{place}/labels", {f"{part}{at}": text for part, text in said.items()})


def test_levels_are_shown_without_labels_until_some_are_asked_for(visitor, place):
    form = {"column": column(visitor, place, "age"), "kind": "intervals", "detail": "10, 20"}
    said = words(visitor.post(f"{place}/preview", form).text)
    assert "40 different values" in said
    assert "20-" not in said
    assert "20-" in words(visitor.post(f"{place}/preview", form | {"some": "yes"}).text)


def test_what_does_not_fit_is_said_in_its_place(visitor, place):
    said = visitor.post(f"{place}/preview", {"column": column(visitor, place, "sex"), "kind": "dates", "detail": ""})
    assert said.status_code == 200
    assert 'class="bad"' in said.text
    assert "different labels" not in said.text


def test_a_hierarchy_is_kept_and_taken_out(visitor, place, policy):
    at = column(visitor, place, "age")
    keep(visitor, place, at, kind="intervals", detail="10, 20", top="")
    assert tomllib.loads(policy())["hierarchies"]["age"] == "intervals:10,20"
    before = policy()
    keep(visitor, place, at, kind="intervals", detail="10, 20", top="")
    assert policy() == before
    keep(visitor, place, at, kind="none", detail="")
    assert "age" not in tomllib.loads(policy()).get("hierarchies", {})
    assert "That did not work" in visitor.after(keep(visitor, place, at, kind="intervals", detail="x"))


def test_a_file_of_ones_own_is_used(visitor, place, policy):
    at = column(visitor, place, "sex")
    visitor.post(f"{place}/hierarchy", {"column": at}, files={"file": ("sex.csv", b"f;any;*\nm;any;*\n")})
    assert tomllib.loads(policy())["hierarchies"]["sex"] == "hierarchy1.csv"
    assert "different labels" in words(visitor.post(f"{place}/preview", {"column": at, "kind": "file"}).text)
    answer = visitor.post(f"{place}/hierarchy", {"column": at}, files={"file": ("sex.csv", b"broken")})
    assert "That did not work" in visitor.after(answer)
    assert tomllib.loads(policy())["hierarchies"]["sex"] == "hierarchy1.csv"
    visitor.post(f"{place}/hierarchy", {"column": at}, files={"file": ("sex.csv", b"f;other;*\nm;other;*\n")})
    assert tomllib.loads(policy())["hierarchies"]["sex"] == "hierarchy2.csv"


def test_bands_have_a_beginning_and_an_open_end(visitor, place, policy):
    at = column(visitor, place, "age")
    said = {"kind": "intervals", "detail": "10", "start": "5", "top": "45"}
    form = {"column": at, **said}
    assert "5-14" not in words(visitor.post(f"{place}/preview", form).text)
    shown = words(visitor.post(f"{place}/preview", form | {"some": "yes"}).text)
    assert "15-24" in shown
    assert "45+" in shown
    keep(visitor, place, at, **said)
    assert tomllib.loads(policy())["hierarchies"]["age"] == {"intervals": [10], "start": 5, "top": 45}
    before, page = policy(), visitor.text(f"{place}/labels")
    assert re.search(rf'name="start{at}"[^>]* value="5"', page)
    assert re.search(rf'name="top{at}"[^>]* value="45"', page)
    keep(visitor, place, at, **said)
    assert policy() == before
    assert "That did not work" in visitor.after(keep(visitor, place, at, **{**said, "start": "x"}))
    assert policy() == before


@pytest.mark.parametrize(
    ("kind", "detail", "spec"),
    [
        ("none", "5", None),
        ("intervals", "5, 10, 90+", Intervals([5, 10], top=90)),
        ("prefix", "3\n2", Prefix([3, 2])),
        ("prefix", "", Prefix()),
    ],
)
def test_a_form_describes_a_hierarchy(kind, detail, spec):
    assert spec_of(kind, detail) == spec


@pytest.mark.parametrize(
    ("kind", "detail"), [("intervals", ""), ("file", "/etc/passwd"), ("../x", ""), ("prefix", "x")]
)
def test_what_is_none_is_refused(kind, detail):
    with pytest.raises((InputError, PolicyError)):
        spec_of(kind, detail)
