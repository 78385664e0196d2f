"""Compiles the kernels of the search without candidates for the types it calls them with."""

from __future__ import annotations

from numba import types

from incrowd.kernels.search import loose_moves, loose_transfers
from incrowd.kernels.search.near_types import near_types

__all__ = ["warm"]


def warm() -> None:
    """Compile the kernels; the compiled code is cached on disk."""
    whole, real, table = types.int64[::1], types.float64[::1], types.int64[:, ::1]
    number, size = types.float64, types.int64
    near_types.compile((table, table, whole, table, whole, whole, whole, size, size, size, table))
    loose_transfers.fill.compile((whole, real, whole))
    loose_transfers.note.compile((whole,))
    loose_moves.anneal.compile((whole, real, size, number, number, types.boolean, real))
    loose_moves.mend.compile((whole, real, size, size, number, types.boolean))
