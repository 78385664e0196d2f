"""How a message repeats a value that came from outside: on one line, and never at the price of the machine."""

from __future__ import annotations

from typing import Any

__all__ = ["MOST_BITS", "MOST_CHARACTERS", "shortened"]

MOST_BITS = 4096  # a longer whole number is not written out, and no number of a setting is longer
MOST_CHARACTERS = 80  # of a value in a message


def shortened(value: Any) -> str:
    """Return a value that came from outside as a message repeats it: at most 80 characters of it.

    The value may be of any type and size; a whole number of more than 4096 bits is only described. The value's ``repr``
    is built whole before it is cut, so time and memory grow with the value.
    """
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return f"a whole number of {value.bit_length()} bits"
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of too many digits in it
        text = f"a {type(value).__name__}"
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}..."
