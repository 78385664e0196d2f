"""What decides, beside the seed, which of equal rows is released how: something that only the whole original tells.

Rows that are equal on the quasi-identifiers differ in columns that pass unchanged. Were the choice among them a hash of
the row and a published seed alone, everybody could compute the hash that a hidden row would have under each guess of
its values, and drop the guesses under which another of the rows had been hidden. So the hash also takes sums over all
rows of the original: equal for the same table in any order, on every engine, and unknown to whoever lacks a cell of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from incrowd.tables.table import Table

__all__ = ["row_salt"]


def row_salt(table: Table, seed: int) -> str:
    """Return the seed with a fingerprint of all rows; neither is written anywhere but for the seed.

    Parameters
    ----------
    table : Table
    seed : int

    Notes
    -----
    32 sums of digits of a hash of each row, in one pass: for n rows some 32 log2(n) / 2 bits that nobody can guess.
    """
    digest = table.data.select(digest=table.engine.digest([table.data[c.id] for c in table.columns])).digest
    rows = digest.as_table()
    found = table.engine.one(rows.aggregate(**{f"s{i}": rows.digest.substr(i, 1).ascii_str().sum() for i in range(32)}))
    return f"{seed}|{'.'.join(str(int(found[f's{i}'] or 0)) for i in range(32))}"
