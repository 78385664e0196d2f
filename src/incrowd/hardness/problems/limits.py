"""How large a source problem, and the table or network that is made of it, may be; asked before allocating."""

from __future__ import annotations

from incrowd.errors import PolicyError

__all__ = [
    "MOST_BYTES", "MOST_CELLS", "MOST_ITEMS", "MOST_JOINS", "MOST_NAME", "MOST_PARTS", "refuse_cells", "refuse_joins",
]  # fmt: skip

MOST_BYTES = 1 << 22  # of a file
MOST_ITEMS = 5_000  # nodes, elements, variables, rows
MOST_PARTS = 50_000  # edges, sets, clauses, triples; and elements that the sets name together
MOST_NAME = 200  # characters of a name
MOST_CELLS = 4_000_000  # of a table that is made
MOST_JOINS = 4_000_000  # edges of a network that is made


def refuse_cells(rows: int, columns: int) -> None:
    """Refuse a table that would be too large.

    PolicyError is raised if there are more than four million cells; `rows` and `columns` are at least 0.
    """
    if rows * columns > MOST_CELLS:
        raise PolicyError(
            f"the table would have {rows:,} rows and {columns:,} columns, more than {MOST_CELLS:,} cells; "
            "take a smaller source problem"
        )


def refuse_joins(edges: int) -> None:
    """Refuse a network that would be too large.

    PolicyError is raised if there are more than four million edges; `edges` is at least 0.
    """
    if edges > MOST_JOINS:
        raise PolicyError(
            f"the network would have {edges:,} edges, more than {MOST_JOINS:,}; take a smaller source problem"
        )
