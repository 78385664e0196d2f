"""Which class a connected graph is in, and what its program answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.networks.solve.families.trees import tree_curve

if TYPE_CHECKING:
    from incrowd.networks.solve.sweep import Curve
    from incrowd.networks.values import Int32, Int64
    from incrowd.progress import Watch

__all__ = ["family_curve"]


def family_curve(
    indptr: Int64, indices: Int32, *, first: int, last: int | None, watch: Watch
) -> tuple[Curve, str] | None:
    """Least attackers for every level `first`..`last` of a connected graph, if it is in a class with a program.

    Parameters
    ----------
    indptr, indices : CSR arrays of a connected graph of at least two nodes
    first : int
        From 1.
    last : int or None
        None, or more than the largest degree: up to the largest degree.
    watch : Watch

    Returns
    -------
    Curve
        As `incrowd.networks.solve.sweep.sweep` returns it.
    str
        The class, in a few words.
    None
        For a graph in none of the classes.

    Notes
    -----
    O(n + m) time to tell.
    """
    n, edges = indptr.size - 1, indices.size // 2
    top = int(np.diff(indptr).max())
    last = top if last is None else min(last, top)
    if first > last:
        return None
    if edges == n - 1:
        return tree_curve(indptr, indices, first, last, watch), "the program for trees"
    return None
