"""What the text of an option on the command line means."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from incrowd.settings.metadata import Setting

__all__ = ["from_option", "split"]


def split(text: str) -> tuple[str, ...]:
    """Return the parts of a text at its commas, without blanks around them; quotes as in CSV."""
    row = next(csv.reader([text], skipinitialspace=True), [])
    return tuple(part.strip() for part in row if part.strip())


def from_option(spec: Setting, value: Any) -> Any:
    """Return what an option's text means: each text of a repeated option for groups is one group."""
    return tuple(split(text) for text in value) if spec.shape == "groups" else value
