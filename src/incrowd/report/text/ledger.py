"""What the ledger says of earlier releases, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.errors import count_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def earlier_words(line: Mapping[str, Any]) -> str:
    """Return what an earlier release means for the next one.

    The line is as `incrowd.jobs.ledger.earlier` makes it.
    """
    shared, said = line["shared"], f"'{line['release']}' ({line['people']}, {line['added']})"
    if shared is None:
        return f"{said} was released of these people before; how many are in both cannot be told from the ledger"
    if shared["least"] == shared["most"]:
        return f"{count_of(shared['keys'], 'key')} of this table {'is' if shared['keys'] == 1 else 'are'} in {said} too"
    return (
        f"about {count_of(shared['keys'], 'key')} of this table (19 times in 20 from {shared['least']:,} to "
        f"{shared['most']:,}) are in {said} too"
    )


def ledger_lines(entries: Sequence[Mapping[str, Any]]) -> str:
    """Return the ledger as lines, one a release.

    The entries are as `incrowd.jobs.ledger.read_ledger` returns them.
    """
    if not entries:
        return "The ledger is empty.\n"
    lines = []
    for one in entries:
        keys = "not counted" if one["keys"] is None else count_of(one["keys"], "key")
        by = f" by {', '.join(one['key'])}" if one["key"] else ""
        asked = "" if one.get("k") is None else f", k={one['k']}"
        lines.append(f"{one['added']}  {one['people']}: '{one['release']}'{asked}, {keys}{by}")
    return "\n".join(lines) + "\n"
