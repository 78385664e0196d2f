"""The part that is proposed for each column, with its reason: by its name and by counts, never by a single value."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from incrowd.jobs.proposal.columns import ColumnProfile

__all__ = ["Part", "parts_of", "with_warnings"]

SENSITIVE = re.compile(
    r"diagnos|disease|illness|condition|salary|income|wage|religio|politic|sexual|drug|medication|treatment|"
    r"result|test|score|grade|offen[cs]e|debt|health|icd|therap|befund|krankheit|choroba|rozpoznanie",
    re.IGNORECASE,
)
A_NAME = re.compile(
    r"^(full|first|last|given|family|patient|person|sur|vor|nach|user)?[_\s-]?name$|nazwisko|^imi[eę]$|e?-?mail($|[_\W])|"
    r"(^|[_\W])(phone|telefon|tel|mobile|handy|ssn|pesel|iban|passport|address|adresse|adres|street|strasse|straße|ulica)($|[_\W])",
    re.IGNORECASE,
)
A_NUMBER = re.compile(r"(^|[_\W])(name|id|number|nr|no|key|uuid|guid)($|[_\W])|[a-z]Id$", re.IGNORECASE)
PLACE = re.compile(r"(^|[_\W])(lat|latitude|lon|lng|long|longitude)($|[_\W])", re.IGNORECASE)
SAYS_NOTHING = re.compile(
    r"^([a-z]|[vxyqc]|col|column|var|variable|field|feld|spalte|f|code|grp|group|gruppe|class|klasse|cat|category|type|typ|"
    r"kind|art|flag|value|wert|attr|attribute|unnamed)[_\W]*\d*$",
    re.IGNORECASE,
)
MANY = 5  # rows for each value, below which a column called a number names people
HALF = 2
FREE_TEXT = 1.5  # blanks inside a value on average
FEW_ROWS = 20


@dataclass(frozen=True, slots=True)
class Part:
    """What is proposed for one column.

    Attributes
    ----------
    column : ColumnProfile
    role : str
        ``quasi_identifiers``, ``sensitive``, ``identifiers`` or ``other``.
    why : str
        The reason.
    """

    column: ColumnProfile
    role: str
    why: str


def parts_of(columns: Sequence[ColumnProfile], told: Mapping[str, str], alike: Sequence[tuple[str, str]]) -> list[Part]:
    """Return what is proposed for every column, in their order.

    `told` maps dates of birth to the age that tells them: the date is left out, for the age says the same more
    coarsely. `alike` are columns that tell each other: what says the same as a sensitive column is sensitive.
    """
    parts = {column.name: _part(column) for column in columns}
    for date, age in told.items():
        if parts[date].role == "quasi_identifiers":
            parts[date] = Part(parts[date].column, "identifiers", f"dropped: {shown(age)} says the same, more coarsely")
    for pair in alike:
        for one, other in (pair, pair[::-1]):
            if parts[one].role == "sensitive" and parts[other].role == "quasi_identifiers":
                parts[other] = Part(parts[other].column, "sensitive", f"says the same as {shown(one)}")
    return list(parts.values())


def with_warnings(parts: Sequence[Part], told: Mapping[str, Sequence[str]]) -> list[Part]:
    """Return the parts, those of columns that give a quasi-identifier away with a warning in their reason.

    `told` holds, by the name of a column that passes unchanged, the quasi-identifiers that it tells.
    """
    return [_warned(part, told.get(part.column.name, ())) for part in parts]


def _warned(part: Part, told: Sequence[str]) -> Part:
    if not told:
        return part
    names = ", ".join(map(shown, told))
    why = f"{part.why}; BUT it tells {names}: kept as it is, it gives away what is hidden there"
    return replace(part, why=why)


def shown(name: str) -> str:
    """Return a column's name for a comment: quoted where it holds what is not printed."""
    return name if name.isprintable() else repr(name)


def _part(column: ColumnProfile) -> Part:
    role, why = _names_people(column) or _by_kind(column)
    return Part(column, role, why)


def _names_people(column: ColumnProfile) -> tuple[str, str] | None:
    """Return why a column names people, or None."""
    seen, distinct, filled = column.proposal.seen, column.distinct, column.filled
    if seen.kind in ("nothing", "one value") and seen.said < HALF:
        return None
    if A_NAME.search(column.name):
        return "identifiers", "dropped: its name says that it names people"
    if A_NUMBER.search(column.name) and distinct * MANY >= filled:
        return "identifiers", "dropped: its name and its many values say that it names people"
    if seen.kind == "dates" or seen.form in ("age", "decimal", "postcode", "icd"):
        return None
    if column.blanks >= FREE_TEXT and distinct * MANY >= filled and filled >= FEW_ROWS:
        return "identifiers", "dropped: free text may name people"
    if distinct >= filled > 1:
        return "identifiers", "dropped: every row has a value of its own"
    if seen.kind != "numbers" and distinct * HALF >= filled >= FEW_ROWS:
        return "identifiers", "dropped: nearly every row has a value of its own"
    return None


def _by_kind(column: ColumnProfile) -> tuple[str, str]:
    seen = column.proposal.seen
    if seen.kind == "nothing":
        return "other", "it holds no values"
    if seen.kind == "one value":
        return "other", "all its values are one"
    if seen.form == "icd" or SENSITIVE.search(column.name):
        return "sensitive", "what nobody may learn of a person"
    if seen.form == "decimal" and not PLACE.search(column.name):
        return "sensitive", "measured values, which hardly anybody else knows"
    if column.proposal.spec is not None:
        return "quasi_identifiers", f"others may know it; {column.proposal.why}"
    if column.distinct * FEW_ROWS > column.filled and column.filled >= FEW_ROWS:
        return "quasi_identifiers", "others may know it; its values are rare: group them in a hierarchy"
    if SAYS_NOTHING.search(column.name):
        return "quasi_identifiers", (
            "its name does not say what it holds: taken for known, the careful choice; "
            "sensitive, if nobody may learn it"
        )
    return "quasi_identifiers", "others may know it"
