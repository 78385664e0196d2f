"""Every text of a template is escaped, and what a template lacks is an error of ours and no empty place."""

from __future__ import annotations

import jinja2
import pytest

from incrowd.web.pages.page import STEPS, fill


def test_texts_are_escaped():
    assert "&lt;b&gt;" in fill("values.html", values=["<b>"])


def test_what_is_missing_is_an_error():
    with pytest.raises(jinja2.UndefinedError):
        fill("values.html")


def test_control_characters_become_pictures():
    assert "\x1b" not in fill("values.html", values=["\x1b[31m"])


def test_every_step_has_a_page(visitor, place):
    for step, words in STEPS:
        page = visitor.settled(f"{place}/{step}")
        assert f'aria-current="page">{words}</a>' in page
        assert page.count("<h1>") == 1
        assert "The same without this page" in page
