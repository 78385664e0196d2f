"""Set cover -> dominating set (the standard reduction, in Theorem 2 of Chatterjee et al.) -> set cover again."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from incrowd.errors import PolicyError
from incrowd.hardness.problems.limits import refuse_joins
from incrowd.hardness.sources.graphs import Graph
from incrowd.hardness.sources.set_cover import SetCover

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["cover_of", "graph_of", "neighbourhoods"]


def graph_of(source: SetCover) -> Graph:
    """Return the graph whose dominating sets are as small as the covers.

    Its nodes 0 to n - 1 are the elements, n + s is set s. A set is joined with its elements and with all other sets.
    The source has n elements, at least one, and m sets that cover together; PolicyError is raised if there is no
    element, or the sets do not cover.

    Notes
    -----
    **The smallest dominating set has as many nodes as the smallest cover.** *Proof.* The sets of a cover (one at least)
    dominate the elements, and, being joined with them, all sets. Conversely put a set that holds it in place of every
    element of a dominating set (`cover_of`): it dominates the element and, being joined with them, all sets, all that
    the element did. Now only sets are left that dominate every element: a cover.

    O(n m + m^2) time and memory.
    """
    n, m = source.universe, len(source.sets)
    refuse_joins(m * (m - 1) // 2 + sum(map(len, source.sets)))
    if n < 1 or not source.covers(tuple(range(len(source.sets)))):
        raise PolicyError("the sets must cover every element, and there must be one")
    edges = [(u, n + s) for s, members in enumerate(source.sets) for u in members]
    edges += itertools.combinations(range(n, n + len(source.sets)), 2)
    return Graph(n + len(source.sets), tuple(sorted(edges)))


def cover_of(source: SetCover, dominating: Sequence[int]) -> tuple[int, ...]:
    """Return the cover that a dominating set of `graph_of` holds, with no more sets than it has nodes.

    The sets of `source` cover together. The cover is given as indices of sets, ascending: those in the dominating set,
    and for every element in it the first set that holds the element.
    """
    first: dict[int, int] = {}
    for s, members in enumerate(source.sets):
        for u in members:
            first.setdefault(u, s)
    return tuple(sorted({v - source.universe if v >= source.universe else first[v] for v in dominating}))


def neighbourhoods(source: Graph) -> SetCover:
    """Return the sets whose covers are the dominating sets: of every node itself and the nodes that it is joined with.

    Every one of the n nodes is in its own set, so the sets cover. A cover by the sets of some nodes is a dominating set
    of these nodes, by the definition of both. With m edges it takes O(n + m) time.
    """
    near = [{v} for v in range(source.nodes)]
    for u, v in source.edges:
        near[u].add(v)
        near[v].add(u)
    return SetCover(source.nodes, tuple(tuple(sorted(some)) for some in near))
