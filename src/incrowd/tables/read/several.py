"""Several files of equal columns as one table."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import ibis

from incrowd.errors import InputError, count_of
from incrowd.tables.table import KEY, Opened

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from incrowd.tables.engine.base import Engine

__all__ = ["open_several"]

ROWS = 1 << 40  # more than any file has: what separates the keys of one file's rows from the next one's


def open_several(engine: Engine, files: Sequence[Path], open_one: Callable[[Path], Opened], label: str) -> Opened:
    """Return files, one or more, as one table, in their order; its columns are in the order of the first file.

    `open_one` returns one of them inside the engine, and `label` is what messages call the table. InputError is raised
    if one cannot be read, or its columns have other names or types than those of the first.

    Every file is kept in the engine, and then all of them together: for a moment twice the table's size.
    """
    opened: list[Opened] = []
    for file in files:
        found = open_one(file)
        opened.append(found if not opened else _like(opened[0], found))
    first = opened[0]
    if len(opened) == 1:
        return dataclasses.replace(first, label=label)
    parts = [
        one.data.mutate(**{KEY: one.data[KEY].cast("int64") + ibis.literal(number * ROWS, "int64")})
        for number, one in enumerate(opened)
    ]
    with engine.guard(f"reading {label}"):
        data = engine.keep(ibis.union(*parts, distinct=False))
    for one in opened:
        engine.forget(one.data)
    notes = dict.fromkeys(note for one in opened[:1] for note in one.notes)
    return dataclasses.replace(
        first,
        data=data,
        label=label,
        notes=(*notes, f"{count_of(len(opened), 'file')} were read as one table"),
        quotable=all(one.quotable for one in opened),
    )


def _like(first: Opened, other: Opened) -> Opened:
    """Return a file's columns in the order of those of the first."""
    told = first.quotable and other.quotable
    if set(first.names) != set(other.names):
        lacks = [name for name in first.names if name not in other.names]
        more = [name for name in other.names if name not in first.names]
        said = f"lacks {', '.join(lacks[:3])}" if lacks else f"has {', '.join(more[:3])} besides"
        detail = said if told else f"has {len(other.names)} columns and not the same {len(first.names)}"
        raise InputError(f"the files of one table have the same columns, but {other.label} {detail} ({first.label})")
    places = [other.names.index(name) for name in first.names]
    data = other.data.select(KEY, **{f"c{i}": other.data[f"c{place}"] for i, place in enumerate(places)})
    kinds, others = first.data.schema(), data.schema()
    for i, name in enumerate(first.names):
        if kinds[f"c{i}"].copy(nullable=True) != others[f"c{i}"].copy(nullable=True):
            shown = f"column {name!r}" if told else f"column {i + 1}"
            raise InputError(
                f"{shown} has one type in {first.label} and another in {other.label}; give it the same in all files"
            )
    return dataclasses.replace(other, data=data, names=first.names)
