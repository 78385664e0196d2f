"""What is counted of every column of a table, before anybody says which part it plays."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from incrowd.tables.hierarchy.kinds import MISSING_WORDS
from incrowd.tables.hierarchy.proposals import Proposal, propose
from incrowd.tables.read.proposals import distinct_values

if TYPE_CHECKING:
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Opened

__all__ = ["ColumnProfile", "columns_of", "every_nth"]

SAMPLE_ROWS = 20_000


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """A column in numbers, and the hierarchy that its values suggest.

    Attributes
    ----------
    name : str
    rows, empty, missing : int
        Of the table; those without a value; those whose value is a word for a missing one.
    distinct : int
        Different values.
    blanks : float
        Blanks inside a value, on average: words less one.
    proposal : Proposal
    whole : bool
        Whether all distinct values were looked at (else those of a sample).
    """

    name: str
    rows: int
    empty: int
    missing: int
    distinct: int
    blanks: float
    proposal: Proposal
    whole: bool = True

    @property
    def filled(self) -> int:
        """Rows that say something."""
        return self.rows - self.empty - self.missing


def columns_of(engine: Engine, opened: Opened) -> list[ColumnProfile]:
    """Return the columns of a table in numbers.

    Parameters
    ----------
    engine : Engine
    opened : Opened
        Its rows lie in the engine.

    Notes
    -----
    One aggregate over the table and one GROUP BY a column; at most 200,000 values of a column leave the engine, and of
    a column with more those of a sample of 20,000 rows.
    """
    ids = [f"c{i}" for i in range(len(opened.names))]
    asked: dict[str, Any] = {"n": opened.data.count()}
    for i in ids:
        text = engine.text(opened.data[i])
        word = text.strip().lower()
        asked[f"{i}_distinct"] = text.nunique()
        asked[f"{i}_empty"] = text.isnull().sum()
        asked[f"{i}_missing"] = word.isin(sorted({"", *MISSING_WORDS})).sum()
        asked[f"{i}_blanks"] = (text.length() - text.replace(" ", "").length()).mean()
    with engine.guard(f"reading {opened.label}"):
        found = engine.one(opened.data.aggregate(**asked))
    rows = int(found["n"])
    sample = None
    columns = []
    for name, i in zip(opened.names, ids, strict=True):
        values = distinct_values(engine, opened, name)
        whole = values is not None
        if values is None:
            sample = sample or every_nth(opened, rows, SAMPLE_ROWS)
            values = distinct_values(engine, sample, name) or []
        counts = {key: int(found[f"{i}_{key}"] or 0) for key in ("empty", "missing", "distinct")}
        blanks = float(found[f"{i}_blanks"] or 0)
        columns.append(ColumnProfile(name, rows, **counts, blanks=blanks, proposal=propose(name, values), whole=whole))
    return columns


def every_nth(opened: Opened, rows: int, most: int) -> Opened:
    """Return a table with some of its rows, evenly spread over the input: the same for the same table.

    Parameters
    ----------
    opened : Opened
    rows : int
        Of the table.
    most : int
        Rows that are kept, at most; all of them where there are no more.
    """
    step = -(-rows // most)
    if step <= 1:
        return opened
    return dataclasses.replace(opened, data=opened.data.filter(opened.data["row_key"] % step == 0))
