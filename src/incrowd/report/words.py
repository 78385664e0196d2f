"""Numbers, counts and lists of names as people write them: no power of ten, no "1 rows"."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

SMALLEST_CROWD = "people at least in every crowd"  # the card of all that hides people in crowds
CHECK = "The check (exit status 0: it holds; 1: it does not)"
HIGHEST_CHANCE = "highest chance to pick the right row"
DIGITS = 4  # significant ones of a number below one


def plain(value: Any) -> str:
    """Return a number in plain digits with separators of thousands; anything else as its text.

    A number below one keeps four significant digits, others one or two places; a bool is no number.
    """
    return _digits(value, round)


def at_least(value: Any) -> str:
    """Return a lower bound in plain digits, never rounded up; `value` is as for `plain`."""
    return _digits(value, math.floor)


def up_to(value: Any) -> str:
    """Return what is not exceeded in plain digits, never rounded down; `value` is as for `plain`."""
    return _digits(value, math.ceil)


def _digits(value: Any, rounded: Callable[[Fraction], int]) -> str:
    endless = isinstance(value, float) and not math.isfinite(value)
    if endless or isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        return str(value)
    exact = Fraction(repr(value)) if isinstance(value, float) else Fraction(value)
    if exact.denominator == 1:
        return f"{int(exact):,}"
    size = abs(exact)
    places = 1 if size >= 1000 else 2 if size >= 1 else DIGITS
    while size * 10**places < 10 ** (DIGITS - 1) and size < 1:
        places += 1
    shifted = rounded(exact * 10**places)
    whole, rest = divmod(abs(shifted), 10**places)
    tail = f"{rest:0{places}d}".rstrip("0")
    return f"{'-' if shifted < 0 else ''}{whole:,}{f'.{tail}' if tail else ''}"


def percent(share: float) -> str:
    """Return a share, 0 to 1, in percent, with one place.

    One that is not quite 0 or 1 becomes ``under 0.1%`` or ``over 99.9%``, and is not rounded to it.
    """
    if share in (0, 1):
        return f"{share:.0%}"
    text = f"{share:,.1%}"
    return "under 0.1%" if text == "0.0%" and share > 0 else "over 99.9%" if text == "100.0%" and share < 1 else text


def at_most(share: float) -> str:
    """Return how far something is from the best in percent, never rounded down; `share` is 0 or more."""
    exact = Fraction(repr(float(share)))
    up = Fraction(math.ceil(exact * 1000), 1000)
    return percent(share) if percent(share).startswith("under") else percent(float(up))


def others(k: int) -> str:
    """Return how many rows look like one of a crowd of k rows; k is at least 2."""
    return "1 other" if k == 2 else f"{k - 1:,} others"


def span(low: int, high: int) -> str:
    """Return a range of whole numbers in words: ``5``, or ``5 to 9``."""
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def sentences(lines: Sequence[str], names: Sequence[str] = ()) -> list[str]:
    """Return lines as sentences: each begins with a capital letter and ends with a full stop.

    A line that ends with a full stop, a question mark or an exclamation mark keeps it. `names` are those of columns: a
    line that begins with one of them, or with k, keeps its first letter.
    """
    kept = ("k ", "k-", *(f"{name} " for name in names))
    begun = [line if line.startswith(kept) else line[:1].upper() + line[1:] for line in lines]
    return [line if line.endswith((".", "?", "!")) else f"{line}." for line in begun]


# Texts that any page and any chart can hold: characters that XML forbids, or that nobody sees, made visible.
#
# A cell or a column's name may hold a form feed, an escape or half of a surrogate pair. The program that draws charts
# ends the whole process at one of them, and no browser shows them.

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


def _picture(sign: str) -> str:
    if sign < " ":
        return chr(PICTURES + ord(sign))
    return ITS_PICTURE if sign == DELETE else UNKNOWN


# The models that a release or a table is held to, in words: name, what was asked and what is reached.
def models_of(facts: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the models a release or table was held to.

    The facts are those of an audit, with ``models``, or of a release, with ``requirements``, each with its rule as the
    policy writes it. A model has ``name``, ``column``, ``asked``, ``reached``, ``ok`` and ``settings``. ``ok`` is True
    for a release: one that exists meets them.
    """
    if "models" in facts:
        return list(facts["models"])
    return [_model(line) for line in facts.get("requirements", [])]


def _model(line: Mapping[str, Any]) -> dict[str, Any]:
    name, *settings = str(line["rule"]).split()
    pairs = dict(part.split("=", 1) for part in settings if "=" in part)
    threshold = next(iter(pairs), None)
    more = {key: value for key, value in pairs.items() if key not in (threshold, "column", "columns")}
    return {
        "name": name,
        "column": ", ".join(line["columns"]),
        "asked": None if threshold is None else pairs[threshold],
        "reached": line["reached"],
        "ok": True,
        "settings": more,
    }


def model_name(model: Mapping[str, Any]) -> str:
    """Return a model, as `models_of` returns them, with its column and its settings."""
    name = str(model["name"]) + (f" of {model['column']}" if model.get("column") else "")
    settings = model.get("settings")
    return name + (f" ({', '.join(f'{key} {value}' for key, value in settings.items())})" if settings else "")


def threshold_text(model: Mapping[str, Any]) -> str:
    """Return the two thresholds of a model in words: ``1/3 asked, 0.25 reached``.

    The model is as `models_of` returns them.
    """
    none = "none" if model["ok"] is False else "nothing to measure"
    reached = none if model["reached"] is None else plain(model["reached"])
    return f"{plain(model['asked'])} asked, {reached} reached"
