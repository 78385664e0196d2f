"""Matrix Market files: what the first lines claim is held against the file's size before anything is laid out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import numpy as np

from incrowd.errors import InputError
from incrowd.networks.input.limits import AskingFile, check_declared, never

if TYPE_CHECKING:
    from collections.abc import Callable

    from incrowd.networks.values import Graph

__all__ = ["read_matrix_market"]

ENTRY = 4  # bytes that an entry takes at least: two indices, a blank, the end of the line
CELL = 2  # and a cell of an array


def read_matrix_market(data: bytes, ask: Callable[[], None] = never) -> Graph:
    """Read Matrix Market through SciPy: a square matrix, in which every stored entry other than zero is an edge.

    `data` is the content of the file, unpacked; `ask` is called between pieces of work and raises to stop. InputError
    is raised if it is no such file, holds zero bytes, is not square, claims more entries than its size can hold, or
    declares far more nodes than entries; also if an entry is negative or NaN.
    """
    from scipy.io import mmread

    from incrowd.networks.input.objects import graph_from_sparse

    if b"\0" in data:
        _unreadable("it holds zero bytes")
    head, at = _line(data, 0)
    words = head.lower().split()
    if len(words) != 5 or words[:2] != [b"%%matrixmarket", b"matrix"] or words[2] not in (b"coordinate", b"array"):
        _unreadable("it should start with %%MatrixMarket matrix, coordinate or array, and two words more")
    while True:
        if at >= len(data):
            _unreadable("the line of sizes is missing")
        line, at = _line(data, at)
        if line.strip() and not line.lstrip().startswith(b"%"):
            break
    dense = words[2] == b"array"
    sizes = [int(x) if x.isdigit() and len(x) < 19 else -1 for x in line.split()]
    if len(sizes) != (2 if dense else 3) or min(sizes) < 0:
        _unreadable(f"the line of sizes should hold {'two' if dense else 'three'} whole numbers")
    rows, columns = sizes[:2]
    if rows != columns:
        raise InputError(f"an adjacency matrix must be square, not {rows} x {columns}")
    if not rows:
        _unreadable("it has no row")
    symmetric = words[4] != b"general"
    held = (rows * (rows + 1) // 2 if symmetric else rows * rows) if dense else sizes[2]
    # the diagonal of a skew-symmetric array is not written, and the last line may lack its end
    if (held - rows if dense and symmetric else held) * (CELL if dense else ENTRY) > len(data) - at + 1:
        _unreadable(f"it claims {held:,} entries and is too short to hold them")
    check_declared(rows, held)
    # SciPy's reader runs past the end of a file whose last line has no end and is no number
    file = AskingFile(data if data.endswith(b"\n") else data + b"\n", ask)
    try:
        matrix = mmread(file, spmatrix=False)
    except (ValueError, TypeError, OverflowError):
        file.done()
        _unreadable("its lines are not as its first line says")
    file.done()
    if isinstance(matrix, np.ndarray):
        from scipy.sparse import coo_array

        matrix = coo_array(matrix)
    return graph_from_sparse(matrix, symmetric=symmetric or None, ask=ask)


def _line(data: bytes, at: int) -> tuple[bytes, int]:
    """Return the line at `at`, and where the next begins."""
    end = data.find(b"\n", at)
    end = len(data) if end < 0 else end
    return data[at:end], end + 1


def _unreadable(why: str) -> NoReturn:
    raise InputError(f"the Matrix Market file cannot be parsed: {why}")
