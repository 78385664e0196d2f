"""Facts of a release, an audit, a network or a trade-off -> its report as one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from incrowd.whole import whole_file

if TYPE_CHECKING:
    from incrowd.report.page import Page

__all__ = ["write_page"]


def write_page(page: Page, path: str | Path) -> None:
    """Write a page, whole or not at all.

    Raises
    ------
    InputError
        If the folder does not exist or cannot be written to.
    """
    text = page.html()
    with whole_file(Path(path)) as staged:
        staged.write_text(text, encoding="utf-8", newline="\n")
