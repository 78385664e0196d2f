"""docs/reports.md does what it says: its blocks run, and its words are those of the report."""

import re
from pathlib import Path

import pytest

from report_pages import check_page

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "reports.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("block", re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
def test_its_python_runs(block, capsys, run_python):
    run_python(block, "reports.md", {})


def test_its_commands_run_and_the_sections_it_names_are_there(run_commands, demo, monkeypatch):
    monkeypatch.chdir(demo)
    assert len(run_commands(PAGE)) == 3
    text = check_page((demo / "report.html").read_text()).text
    named = [title for row in re.findall(r"^\| ([A-Z][^|]*) \|", PAGE, re.MULTILINE) for title in row.split(", ")]
    assert len(named) >= 8
    for title in named:
        assert title[:1].upper() + title[1:] in text, title
    for name in ("audit.html", "tradeoff.html"):
        check_page((demo / name).read_text())
