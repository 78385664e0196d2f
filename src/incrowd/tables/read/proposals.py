"""Stage 1: hierarchies proposed for the quasi-identifiers that have none, from their distinct values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from incrowd.tables.hierarchy.kinds import Seen
from incrowd.tables.hierarchy.proposals import Proposal, propose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Opened

__all__ = ["MOST_VALUES", "distinct_values", "propose_hierarchies"]

MOST_VALUES = 200_000  # distinct ones of a column that are looked at: some 100 MB with their lines


def propose_hierarchies(engine: Engine, opened: Opened, columns: Sequence[str]) -> tuple[Proposal, ...]:
    """Return what is proposed for some columns, in their order.

    `opened` is the table as it came in. A column that it does not have is left out: the roles say so. There is one
    GROUP BY per column; its distinct values leave the engine where they are at most 200,000.
    """
    found = []
    for name in columns:
        if name not in opened.names:
            continue
        values = distinct_values(engine, opened, name)
        if values is None:
            why = f"it has more than {MOST_VALUES:,} values"
            found.append(Proposal(name, None, why, Seen("texts", MOST_VALUES)))
        else:
            found.append(propose(name, values))
    return tuple(found)


def distinct_values(engine: Engine, opened: Opened, name: str) -> list[str] | None:
    """Return the distinct values of a column as sorted texts, without the missing one; None where they are too many."""
    text = engine.text(opened.data[f"c{opened.names.index(name)}"])
    with engine.guard(f"counting the values of column {name!r}"):
        values = opened.data.select(v=text).filter(lambda rows: rows.v.notnull()).distinct().limit(MOST_VALUES + 1)
        found = engine.fetch(values).column("v").to_pylist()
    return sorted(found) if len(found) <= MOST_VALUES else None
