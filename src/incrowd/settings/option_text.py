"""What the text of an option on the command line means."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

from incrowd.errors import PolicyError

if TYPE_CHECKING:
    from incrowd.settings.metadata import Setting

__all__ = ["from_option", "split"]


def split(text: str) -> tuple[str, ...]:
    """Return the parts of a text at its commas, without blanks around them; quotes as in CSV.

    The text is one line; a part that holds a comma stands in double quotes. Empty parts are left out. PolicyError is
    raised if a part is longer than 131,072 characters, or a line ends inside the text outside quotes.
    """
    trouble = False
    try:
        row = next(csv.reader([text], skipinitialspace=True), [])
    except csv.Error:
        trouble = True
    if trouble:
        raise PolicyError("an option with several names must be one line of them with commas between, quoted as in CSV")
    return tuple(part.strip() for part in row if part.strip())


def from_option(spec: Setting, value: Any) -> Any:
    """Return what an option's text means: each text of a repeated option for groups is one group, and lists add up.

    `value` is as click gives it: a tuple of texts for groups and lists. For groups a tuple of tuples of names is
    returned, for a tuple of lists the names of all; else `value` itself.
    """
    if spec.shape == "groups":
        return tuple(split(text) for text in value)
    if spec.shape == "list" and isinstance(value, tuple) and not spec.repeat:  # what is repeated is an item itself
        return tuple(name for text in value for name in split(text))
    return value
