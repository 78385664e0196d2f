"""A policy's text with some settings changed: comments, order and all other lines stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import tomlkit
from tomlkit.items import Array

from incrowd.policy.document import document_of
from incrowd.policy.keys import ALIASES
from incrowd.tables.hierarchy import Dates, Intervals, Prefix, as_spec, option_text

if TYPE_CHECKING:
    from collections.abc import Iterator, MutableMapping
    from pathlib import Path

    from incrowd.policy.job import Job
    from incrowd.tables.hierarchy import Spec

__all__ = ["rewritten"]

TABLES = ("mask", "weights", "hierarchies", "read", "job", "sensitive_distance")
WHOLE = ("mask",)  # whose keys a policy may also hold outside the table
NOTHING = object()


def rewritten(text: str, before: Job, after: Job, folder: Path) -> str:
    """Return the text of a policy file with what differs between two jobs written into it.

    `text` is the TOML that `before` was read from, and `folder` the policy's, from which files are named. The very text
    is returned where nothing differs; else only the lines of the settings that differ are other ones. A setting that
    has its default again loses its line.
    """
    changes = list(_changes(document_of(before.policy, before, folder), document_of(after.policy, after, folder)))
    if not changes:
        return text
    document = tomlkit.parse(text)
    specs = dict(after.policy.hierarchies)
    for table, key, value in changes:
        said = value if table != "hierarchies" or value is NOTHING else _in_words(specs[key], value)
        _put(document, table, key, _in_one_line(said) if table else said)
    return tomlkit.dumps(document)


def _in_words(spec: Spec, plain: Any) -> Any:
    """Return a hierarchy in a few words where they say all of it, else as it is."""
    if isinstance(spec, (Intervals, Dates, Prefix)) and as_spec(option_text(spec), "") == spec:
        return option_text(spec)
    return plain


def _in_one_line(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    made = tomlkit.inline_table()
    made.update(value)
    return made


def _changes(old: dict[str, Any], new: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Yield table (or nothing), key and new value of what differs; `NOTHING` for what is gone."""
    for name in dict.fromkeys([*old, *new]):
        one, other = old.get(name, NOTHING), new.get(name, NOTHING)
        if one == other:
            continue
        tables = name in TABLES and all(part is NOTHING or isinstance(part, dict) for part in (one, other))
        if not tables:
            yield "", name, other
            continue
        inner_old: dict[str, Any] = one if isinstance(one, dict) else {}
        inner_new: dict[str, Any] = other if isinstance(other, dict) else {}
        for key in dict.fromkeys([*inner_old, *inner_new]):
            if inner_old.get(key, NOTHING) != inner_new.get(key, NOTHING):
                yield name, key, inner_new.get(key, NOTHING)


def _put(document: Any, table: str, key: str, value: Any) -> None:
    place, name = _found(document, table, key)
    if value is NOTHING:
        if place is not None:
            del place[name]
        return
    if place is not None:
        place[name] = _styled(place.get(name), value)
        return
    if not table:
        document[key] = value
        return
    spelled = _spelling(document, table)
    if spelled is None:
        document[table] = tomlkit.table()
        spelled = table
    document[spelled][key] = value


def _found(document: Any, table: str, key: str) -> tuple[MutableMapping[str, Any] | None, str]:
    """Return where a setting stands in a document, and by which of its names; (None, key) where it does not."""
    places: list[Any] = [document]
    spelled = _spelling(document, table) if table else None
    if spelled is not None:
        places.insert(0, document[spelled])
    if table and table not in (*WHOLE, "read", "job"):
        places = places[:-1]  # keys of weights are columns, and no settings
    columns = table in ("weights", "hierarchies", "sensitive_distance")
    for place in places:
        for name in place:
            if name == key or (not columns and ALIASES.get(name) == key):
                return place, name
    return None, key


def _spelling(document: Any, table: str) -> str | None:
    """Return the name that a table has in a document, of those that it may have."""
    names = [name for name in document if name == table or ALIASES.get(name) == table]
    return next((name for name in names if isinstance(document[name], dict)), None)


def _styled(old: Any, value: Any) -> Any:
    """Return a value written as the one that it replaces: a list keeps its lines and their comments."""
    if isinstance(value, list) and isinstance(old, Array):
        return _list(old, value)
    return value


def _list(old: Array, value: list[Any]) -> Any:
    """Return a list with entries taken out and put at its end, where that gives the new one; else one written anew."""
    lines = "\n" in old.as_string()
    for place in range(len(old) - 1, -1, -1):
        if old[place] not in value:
            del old[place]
    for entry in value:
        if entry not in old:
            old.append(entry)
    if list(old) == value:
        return old
    made = tomlkit.array()
    made.extend(value)
    return made.multiline(lines)
