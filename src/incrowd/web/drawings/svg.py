"""Elements of a drawing, every text and attribute escaped."""

from __future__ import annotations

import html
from typing import Any

from markupsafe import Markup

__all__ = ["drawing", "element"]


def element(name: str, text: str | None = None, **attributes: Any) -> str:
    """Return one element.

    The text inside it is escaped. Among the attributes ``class_`` stands for ``class``, other underscores for hyphens;
    numbers are rounded to a tenth.
    """
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{html.escape(_plain(value))}"' for key, value in attributes.items()
    )
    return f"<{name}{said}/>" if text is None else f"<{name}{said}>{html.escape(text)}</{name}>"


def _plain(value: Any) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def drawing(width: float, height: float, alternative: str, parts: list[str]) -> Markup:
    """Return a drawing that a page shows as it is.

    `width` and `height` are in its own units; the page scales it. `alternative` is what it shows, for those who do not
    see it, and `parts` are made by `element`.
    """
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="drawing" role="img" aria-label="{html.escape(alternative)}" '
        f'viewBox="0 0 {width:g} {height:g}">'
    )
    return Markup(head + "".join(parts) + "</svg>")  # noqa: S704 - every part is escaped
