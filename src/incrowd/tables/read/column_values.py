"""The distinct values of one column with their rows, before anything is made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Opened

__all__ = ["column_values"]


def column_values(engine: Engine, opened: Opened, name: str) -> tuple[list[str | None], list[int]]:
    """Return the distinct values of a column, spelled out and sorted by their bytes, None first, with their rows.

    `opened` is the table as it came in. This takes one GROUP BY; outside the engine are the distinct values.
    """
    text = engine.text(opened.data[f"c{opened.names.index(name)}"])
    with engine.guard(f"counting the values of column {name!r}"):
        counted = opened.data.select(v=text).group_by("v").aggregate(n=lambda rows: rows.count())
        found = engine.fetch(counted.select("v", "n")).to_pylist()
    found.sort(key=lambda one: (one["v"] is not None, (one["v"] or "").encode()))
    return [one["v"] for one in found], [int(one["n"]) for one in found]
