"""A report is refused before anything runs, and written whole or not at all."""

import pytest

from incrowd.errors import InputError
from incrowd.report.pages import html
from incrowd.report.pages.page import Page
from incrowd.report.text.verdict import Verdict

PAGE = Page("T", "S", Verdict("yes", "Yes."))


def test_a_page_is_written_and_what_cannot_be_drawn_leaves_nothing(tmp_path, monkeypatch):
    html.write_page(PAGE, tmp_path / "r.html")
    assert "<!doctype html>" in (tmp_path / "r.html").read_text()

    def broken(_):
        raise InputError("no chart")

    monkeypatch.setattr(Page, "html", broken)
    with pytest.raises(InputError, match="no chart"):
        html.write_page(PAGE, tmp_path / "other.html")
    assert [path.name for path in tmp_path.iterdir()] == ["r.html"]


def test_a_place_that_cannot_be_and_charts_that_cannot_be_drawn_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(html, "check_drawing", lambda: None)
    html.check_report(tmp_path / "r.html")
    with pytest.raises(InputError, match="folder does not exist"):
        html.check_report(tmp_path / "no" / "r.html")
    with pytest.raises(InputError, match="also"):
        html.check_report(tmp_path / "r.html", tmp_path / "r.html")

    def refuses():
        raise InputError("charts cannot be drawn")

    monkeypatch.setattr(html, "check_drawing", refuses)
    with pytest.raises(InputError, match="charts cannot be drawn"):
        html.check_report(tmp_path / "r.html")
    html.check_report(tmp_path / "r.html", charts=False)
