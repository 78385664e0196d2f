"""Which class a connected graph is in, and what its program answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.networks.solve.families.cographs import cograph_curve, cotree_of
from incrowd.networks.solve.families.cycles import cycle_curve, cycle_exactly, cycle_of
from incrowd.networks.solve.families.grids import grid_curve, grid_exactly, grid_of
from incrowd.networks.solve.families.multipartite import multipartite_curve, multipartite_exactly, parts_of
from incrowd.networks.solve.families.trees import tree_curve
from incrowd.networks.solve.families.unicyclic import unicyclic_curve

if TYPE_CHECKING:
    from incrowd.networks.solve.sweep import Curve
    from incrowd.networks.values import Int32, Int64
    from incrowd.progress import Watch

__all__ = ["family_curve", "family_exactly"]


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
    O((n + m) log n) time to tell, O(n) where degrees alone rule the classes out.
    """
    n, edges = indptr.size - 1, indices.size // 2
    top = int(np.diff(indptr).max())
    last = top if last is None else min(last, top)
    if first > last:
        return None
    if edges == n - 1:
        return tree_curve(indptr, indices, first, last, watch), "the program for trees"
    around = cycle_of(indptr, indices)
    if around is not None:
        return cycle_curve(around, first, last), "the closed form for cycles"
    if edges == n:
        found = unicyclic_curve(indptr, indices, first, last, watch)
        if found is not None:
            return found, "the program for graphs with one cycle"
    grid = grid_of(indptr, indices)
    if grid is not None:
        return grid_curve(grid, first, last), "the closed form for grids"
    parts = parts_of(indptr, indices)
    if parts is not None:
        return multipartite_curve(parts, first, last), "the closed form for complete multipartite graphs"
    cotree = cotree_of(indptr, indices)
    if cotree is not None:
        return cograph_curve(cotree, np.diff(indptr), first, last, watch), "the program for cographs"
    return None


def family_exactly(indptr: Int64, indices: Int32, k: int) -> tuple[Int32 | None, str] | None:
    """Return the least set of measure exactly `k` of a connected graph, if it is in a class with a closed form.

    Parameters
    ----------
    indptr, indices : CSR arrays of a connected graph of at least two nodes
    k : int
        From 1.

    Returns
    -------
    (s,) int32 or None
        A least set; None where there is none.
    str
        The class, in a few words.
    None
        For a graph in none of these classes: cycles, grids and complete multipartite graphs.

    Notes
    -----
    O(n + m) time, and for complete multipartite graphs which sums of parts are k.
    """
    around = cycle_of(indptr, indices)
    if around is not None:
        return cycle_exactly(around, k), "the closed form for cycles"
    grid = grid_of(indptr, indices)
    if grid is not None:
        return grid_exactly(grid, k), "the closed form for grids"
    parts = parts_of(indptr, indices)
    if parts is not None:
        return multipartite_exactly(parts, k), "the closed form for complete multipartite graphs"
    return None
