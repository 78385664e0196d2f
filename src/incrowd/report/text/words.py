"""Numbers, counts and lists of names as people write them: no power of ten, no "1 rows"."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from incrowd.errors import count_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["and_", "at_least", "at_most", "bound_words", "count_of", "others", "percent", "plain", "sentences", "up_to"]

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
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
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


def bound_words(facts: Mapping[str, Any]) -> str:
    """Return a release's lower bound: in the same words what of it can be recounted, where that is less.

    The facts hold ``lower_bound`` and ``lower_bound_checked``.
    """
    told, checked = facts["lower_bound"], facts["lower_bound_checked"]
    rest = f" (a solver's word; of it {at_least(checked)} can be recounted)" if checked < told else ""
    return f"{at_least(told)}{rest}"


def others(k: int) -> str:
    """Return how many rows look like one of a crowd of k rows; k is at least 2."""
    return "1 other" if k == 2 else f"{k - 1:,} others"


def and_(names: Sequence[str]) -> str:
    """Return names, of which there is at least one, as people list them: ``a, b and c``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def sentences(lines: Sequence[str], names: Sequence[str] = ()) -> list[str]:
    """Return lines as sentences: each begins with a capital letter and ends with a full stop.

    A line that ends with a full stop, a question mark or an exclamation mark keeps it. `names` are those of columns: a
    line that begins with one of them, or with k, keeps its first letter.
    """
    kept = ("k ", "k-", *(f"{name} " for name in names))
    begun = [line if line.startswith(kept) else line[:1].upper() + line[1:] for line in lines]
    return [line if line.endswith((".", "?", "!")) else f"{line}." for line in begun]
