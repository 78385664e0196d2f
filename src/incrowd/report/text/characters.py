"""Texts that any page and any chart can hold: characters that XML forbids, or that nobody sees, made visible.

A cell or a column's name may hold a form feed, an escape or half of a surrogate pair. The program that draws charts
ends the whole process at one of them, and no browser shows them.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = ["visible", "visible_in"]

# XML 1.0 forbids the controls below the blank (but tab and line ends), surrogates, U+FFFE and U+FFFF; HTML takes the
# other controls and non-characters for mistakes
UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef"
    + "".join(chr(plane + last) for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF))
    # signs that nobody sees, and those that turn the way of reading: soft hyphen, zero widths, marks, separators, tags
    + "\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    + "\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
PICTURES = 0x2400  # of the controls, one by one
DELETE, ITS_PICTURE = "\x7f", "\u2421"
UNKNOWN = "\ufffd"


def visible(text: str) -> str:
    """Return a text with control pictures (U+2400 on) for controls and U+FFFD for what has none."""
    return UNSEEN.sub(lambda found: _picture(found[0]), text)


def visible_in(value: Any) -> Any:
    """Return lists and mappings, however nested, with every text in them (keys too) as `visible` gives it.

    Tuples become lists. What is no text, list, tuple or dict is kept as it is. RecursionError is raised if `value` is
    nested too deep.
    """
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {visible_in(key): visible_in(held) for key, held in value.items()}
    return [visible_in(held) for held in value] if isinstance(value, list | tuple) else value


def _picture(sign: str) -> str:
    if sign < " ":
        return chr(PICTURES + ord(sign))
    return ITS_PICTURE if sign == DELETE else UNKNOWN
