"""Facts of a release, an audit, a network or a trade-off -> its report as one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.atomic_file import write_whole
from incrowd.report.charts.process import check_drawing
from incrowd.tables.write import check_output

if TYPE_CHECKING:
    from incrowd.report.pages.page import Page

__all__ = ["check_report", "write_page"]


def check_report(path: str | Path, *others: Any, charts: bool = True) -> None:
    """Refuse a report that cannot be written, or whose charts cannot be drawn, before anything runs.

    The report goes to `path`, and must not replace any of the files `others`. `charts` says whether the page may hold
    any; one that holds none needs nothing to draw with. InputError is raised as by `check_output`, which `others` go
    to, and by `check_drawing`.
    """
    check_output(path, *others, any_ending=True)
    if charts:
        check_drawing()


def write_page(page: Page, path: str | Path) -> None:
    """Write a page, whole or not at all.

    Its charts are drawn now, all in one process. A file that stands at `path` is replaced. InputError is raised if it
    cannot be written, or its charts cannot be drawn.
    """
    text = page.html()
    write_whole(Path(path), text)
