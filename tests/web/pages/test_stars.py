"""The mask in words, with the number of patterns that it allows."""

from __future__ import annotations

import tomllib

from web.visitor import words


def test_the_page_stands_while_the_patterns_are_counted(visitor, place, server, monkeypatch):
    desk = server.studio.tables[place.rpartition("/")[2]]
    assert "patterns of blurred columns are allowed" in words(visitor.post(f"{place}/patterns").text)
    with monkeypatch.context() as patch:
        patch.setattr(type(desk.questions.counting(desk.job)), "state", property(lambda _: "working"), raising=False)
        page = visitor.text(f"{place}/stars")
    assert f'data-load="{place}/patterns"' in page
    assert "Columns that are never changed" in words(page)


def test_what_does_not_fit_is_said_where_it_is_counted(visitor, place, policy):
    before = policy()
    visitor.post(f"{place}/text", {"text": 'quasi_identifiers = ["sex"]\nk = 2\n[hierarchies]\nsex = "dates"\n'})
    said = visitor.post(f"{place}/patterns")
    assert said.status_code == 200
    assert 'class="bad"' in said.text
    visitor.post(f"{place}/text", {"text": before})


def test_rules_are_kept_and_counted(visitor, place, policy):
    visitor.post(f"{place}/patterns")  # when the values are counted
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
    assert "That did not work" in visitor.after(visitor.post(f"{place}/stars", {"together": "age, nobody"}))
    assert policy() == before


def test_a_mask_of_several_is_left_to_its_text(visitor, place, policy):
    before = policy()
    visitor.post(
        f"{place}/text",
        {"text": 'quasi_identifiers = ["age", "sex"]\nk = 2\n[mask]\nany = [{ max_stars = 1 }, { keep = ["sex"] }]\n'},
    )
    assert "composed of several masks" in words(visitor.text(f"{place}/stars"))
    visitor.post(f"{place}/text", {"text": before})
