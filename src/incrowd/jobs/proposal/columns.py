"""What is counted of every column of a table, before anybody says which part it plays."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

import ibis

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
    """Return the columns of a table, whose rows lie in the engine, in numbers.

    Notes
    -----
    Two GROUP BYs a column; at most 200,000 values of a column leave the engine, and of
    a column with more those of a sample of 20,000 rows.
    """
    counts = _counts(engine, opened)
    rows = counts[0]["rows"]
    sample = None
    columns = []
    for name, counted in zip(opened.names, counts, strict=True):
        values = distinct_values(engine, opened, name)
        whole = values is not None
        if values is None:
            sample = sample or every_nth(opened, rows, SAMPLE_ROWS)
            values = distinct_values(engine, sample, name) or []
        filled = rows - counted["empty"]
        columns.append(
            ColumnProfile(
                name, rows, counted["empty"], counted["missing"], counted["distinct"],
                blanks=counted["blanks"] / filled if filled else 0.0, proposal=propose(name, values), whole=whole,
            )
        )  # fmt: skip
    return columns


def _counts(engine: Engine, opened: Opened) -> list[dict[str, int]]:
    """Return rows, empty cells, words for a missing value, distinct values and blanks of every column, in their order.

    Texts are looked at once a value, not once a row.
    """
    asked = []
    for place in range(len(opened.names)):
        text = engine.text(opened.data[f"c{place}"])
        counted = opened.data.select(v=text).group_by("v").aggregate(n=lambda rows: rows.count())
        word = counted.v.strip().lower()
        blanks = counted.v.length() - counted.v.replace(" ", "").length()
        asked.append(
            counted.aggregate(
                rows=counted.n.sum(),
                distinct=counted.v.count(),
                empty=counted.v.isnull().ifelse(counted.n, 0).sum(),
                missing=word.isin(sorted({"", *MISSING_WORDS})).ifelse(counted.n, 0).sum(),
                blanks=(counted.n * blanks).sum(),
            ).mutate(place=ibis.literal(place, "int64"))
        )
    with engine.guard(f"reading {opened.label}"):
        found = engine.fetch(asked[0].union(*asked[1:]) if len(asked) > 1 else asked[0]).to_pylist()
    found.sort(key=lambda one: one["place"])
    return [{key: int(value or 0) for key, value in one.items()} for one in found]


def every_nth(opened: Opened, rows: int, most: int) -> Opened:
    """Return a table with some of its rows, evenly spread over the input: the same for the same table.

    `rows` are those of the table. At most `most` rows are kept; all of them where there are no more.
    """
    step = -(-rows // most)
    if step <= 1:
        return opened
    return dataclasses.replace(opened, data=opened.data.filter(opened.data["row_key"] % step == 0))
