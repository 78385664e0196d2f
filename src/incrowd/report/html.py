"""Facts of a release, an audit, a network or a trade-off -> its report as one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from incrowd.whole import write_whole

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
    write_whole(Path(path), text)
