"""The whole way without a browser: hostile names and values are texts on every page, and nothing is asked of the outside."""

from __future__ import annotations

import csv
import io
import logging

import pytest

SCRIPT = "<script>alert(1)</script>"
NAME, QUOTED, VALUE = f"na{SCRIPT}me", "\"'><img src=x onerror=alert(2)>", f"{SCRIPT}{{{{ 7777 * 7777 }}}}"
STEPS = ("columns", "risks", "labels", "stars", "promise", "search", "release", "settings")


def table():
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow([NAME, QUOTED, "diagnosis"])
    for place in range(60):
        rows.writerow([VALUE if place % 3 else f"b{SCRIPT}", "fm"[place % 2], f"flu{SCRIPT}"])
    return out.getvalue().encode()


@pytest.fixture(scope="module")
def hostile(visitor):
    """A table whose names and values are scripts, released; its path."""
    place = visitor.opened("hostile.csv", table())
    answer = visitor.post(
        f"{place}/roles", {"role0": "quasi_identifiers", "role1": "quasi_identifiers", "role2": "sensitive"}
    )
    assert answer.headers["location"].endswith("/risks")
    visitor.search(place)
    return place


@pytest.mark.few(3)
@pytest.mark.parametrize("step", STEPS)
def test_scripts_in_names_and_values_are_texts(visitor, hostile, step):
    page = visitor.settled(f"{hostile}/{step}")
    assert SCRIPT not in page
    assert "<img" not in page
    assert "60481729" not in page
    assert page.count("<script") == 1


def test_what_is_fetched_into_a_page_is_text_too(visitor, hostile):
    for path, form in (
        ("values", {"column": "0"}),
        ("rows", {}),
        ("preview", {"column": "0", "kind": "prefix", "detail": "20", "some": "yes"}),
    ):
        part = visitor.post(f"{hostile}/{path}", form).text
        assert "&lt;script&gt;" in part
        assert "<script" not in part


def test_the_report_runs_nothing(visitor, hostile):
    report = visitor.get(f"{hostile}/report")
    assert report.status_code == 200
    assert "sandbox" in report.headers["content-security-policy"]
    assert "<script" not in report.text


def test_no_cell_is_on_a_page_that_nobody_asked_for_cells(visitor, hostile):
    for step in STEPS:
        page = visitor.settled(f"{hostile}/{step}")
        assert "{{ 7777" not in page and "alert(1)&lt;/script&gt;{{" not in page


def test_no_cell_is_logged(visitor, caplog):
    with caplog.at_level(logging.DEBUG):
        place = visitor.opened("canary.csv", b"age,sex\n" + b"Zaphod,f\n" * 30 + b"Trillian,m\n" * 30)
        visitor.search(place)
        visitor.text(f"{place}/release")
    assert "Zaphod" not in caplog.text
    assert "Trillian" not in caplog.text


def test_what_is_not_open_is_said_on_a_page(visitor):
    for path in ("/tables/00000000/columns", "/networks/00000000", "/tables/00000000/tasks/run/events"):
        answer = visitor.get(path)
        assert answer.status_code == 404
        assert "There is nothing here" in answer.text
