"""The mask in words, with the number of patterns that it allows."""

from __future__ import annotations

import tomllib

from web.visitor import words


def test_rules_are_kept_and_counted(visitor, place, policy):
    before = words(visitor.text(f"{place}/stars"))
    assert "patterns of blurred columns are allowed" in before
    visitor.post(f"{place}/stars", {"max_stars": "1", "keep_shown": "yes", "keep": ["1"]})
    assert tomllib.loads(policy())["mask"] == {"max_stars": 1, "keep": ["sex"]}
    page = words(visitor.text(f"{place}/stars"))
    assert "at most 1 star" in page
    assert "sex is never changed" in page
    visitor.post(f"{place}/stars", {"max_stars": "", "keep_shown": "yes"})
    assert "mask" not in tomllib.loads(policy()) or tomllib.loads(policy())["mask"] == {}


def test_rules_that_fit_no_column_are_refused(visitor, place, policy):
    before = policy()
    visitor.post(f"{place}/stars", {"together": "age, nobody"})
    assert "That did not work" in words(visitor.text(f"{place}/stars"))
    assert policy() == before


def test_a_mask_of_several_is_left_to_its_text(visitor, place, policy):
    before = policy()
    visitor.post(
        f"{place}/text",
        {"text": 'quasi_identifiers = ["age", "sex"]\nk = 2\n[mask]\nany = [{ max_stars = 1 }, { keep = ["sex"] }]\n'},
    )
    assert "composed of several masks" in words(visitor.text(f"{place}/stars"))
    visitor.post(f"{place}/text", {"text": before})
