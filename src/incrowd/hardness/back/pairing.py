"""Which released row is which row of the table, where the release has them in an order of its own."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from incrowd.errors import InputError
from incrowd.hardness.values import STAR, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["in_order"]

MOST_ROWS = 5_000
MOST_CELLS = 40_000_000  # comparisons of a table's rows with what is released


def in_order(table: Table, released: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Return the released rows in the table's order, each under a row that it is a release of.

    Any such order will do: which rows look alike, what they cost and what they show does not depend on it, so the
    release keeps what it is asked for under every one of them.

    `released` holds (n, columns) texts for the table's n rows: quasi-identifiers, then sensitive cells, in any order of
    the rows. InputError is raised if there is no such order, or too much to compare.

    Notes
    -----
    In the table's own order O(n) time; otherwise a matching of rows with different shown rows, O(n^2) memory and
    O(n^2.5) time at worst.
    """
    width, rows = len(table.quasi_identifiers), [tuple(row) for row in released]
    if len(rows) != len(table.rows):
        raise InputError(f"a release of this table has {len(table.rows)} rows, not {len(rows)}")
    if all(fits(row, out, width) for row, out in zip(table.rows, rows, strict=True)):
        return tuple(rows)
    kinds = sorted(set(rows))
    if len(rows) > MOST_ROWS or len(rows) * len(kinds) * width > MOST_CELLS:
        raise InputError(
            f"the release has {len(rows):,} rows in an order of its own, too many to sort; keep the table's order "
            "(--keep-order)"
        )
    allowed = _allowed(table, kinds, width)
    places = defaultdict(list)
    for j, row in enumerate(rows):
        places[row].append(j)
    # a column for every released row: those of one kind are alike
    order = [j for kind in kinds for j in places[kind]]
    of_kind = np.repeat(np.arange(len(kinds)), [len(places[kind]) for kind in kinds])
    partner = maximum_bipartite_matching(csr_array(allowed[:, of_kind]), perm_type="column")
    if (partner < 0).any():
        raise InputError(
            "it is no release of this table: its rows are not the table's, with stars (*) in place of cells"
        )
    return tuple(rows[order[int(j)]] for j in partner)


def fits(row: Sequence[str], out: Sequence[str], width: int) -> bool:
    """Return whether one row is a release of another: `out` of the original `row`.

    `width` is the number of quasi-identifiers; what follows them must be equal.
    """
    return out[width:] == row[width:] and all(cell in (STAR, own) for cell, own in zip(out[:width], row, strict=False))


def _allowed(table: Table, kinds: Sequence[tuple[str, ...]], width: int) -> NDArray[np.bool_]:
    """Return which row may be released as which kind, shape (rows, kinds)."""
    found = np.ones((len(table.rows), len(kinds)), np.bool_)
    for j in range(len(table.columns)):
        number = {value: code for code, value in enumerate({row[j] for row in table.rows})}
        own = np.array([number[row[j]] for row in table.rows])
        shown = np.array([-1 if j < width and kind[j] == STAR else number.get(kind[j], -2) for kind in kinds])
        found &= (shown[None, :] == -1) | (shown[None, :] == own[:, None])
    return found
