"""Set cover -> pattern-guided 3-anonymity with two patterns and three columns; set cover -> ADIM=k."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError
from incrowd.hardness.construction import BREDERECK, CHATTERJEE, Construction, table_instance, whole
from incrowd.hardness.questions import COVER
from incrowd.hardness.sources import SetCover, drawn_sets, refuse_cells, refuse_joins
from incrowd.hardness.values import Blocks, Instance, Shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np

COLUMNS = ("element", "left", "right")


@dataclass(frozen=True, kw_only=True)
class SetCoverPatterns(Construction):
    """The reduction of Theorem 1.

    Every element u gives two rows (u, fresh, fresh), every set S = {a, b, c} three rows (a, S, S), (b, S, S), (c, S,
    S). k = 3; the patterns are (shown, star, star) and (star, shown, shown), and no other: not even full suppression.

    Notes
    -----
    **Optimum = 4 |U| + 3 |F| + 3 h**, h the size of a least cover. *Proof.* An element's rows are unique
    in the last two columns, so both get (shown, star, star): 4 |U| stars. A set's name stands in its own three rows
    only, so they get (star, shown, shown) all three or none: 3 stars or 6 stars, that is 3 |F| + 3 |F'| for the family
    F' of the sets that show the element. The class of u has the two rows of u and one row of every set of F' that
    holds u; it needs one of these, so F' is a cover. Conversely every cover F' gives such a release. Without a cover
    there is no release.

    With the all-star pattern beside them the equality fails: an uncovered element may be suppressed for 2 more stars
    where one more set costs 3 (a test). So the policy says ``full_suppression = false``.

    References
    ----------
    .. [1] R. Bredereck, A. Nichterlein, R. Niedermeier, "Pattern-Guided k-Anonymity", Algorithms 2013, 6(4), Theorem 1.
    """

    size: int = whole(9, "elements to be covered, at least 3", least=3)
    sets: int | None = whole(None, "sets of three (default: the size, 1 for three)")

    name = "set-cover"
    summary = "3-set cover as pattern-guided 3-anonymity with three columns and two patterns"
    paper = BREDERECK
    theorem = "Theorem 1"
    source = SetCover
    asks = COVER
    kept = ("goal",)

    def draw(self, rng: np.random.Generator) -> SetCover:
        """Return sets of three that cover together."""
        return drawn_sets(rng, self.size, self.sets or (1 if self.size == 3 else self.size))

    def lacks(self, source: SetCover) -> str:
        """Return whether the sets have other than three elements, or leave one out."""
        return other_widths(source) or uncovered(source)

    def best(self, source: SetCover) -> tuple[int, ...] | None:
        """Return a least cover."""
        return source.least()

    def forward(self, source: SetCover, goal: int | None) -> Instance:
        """Return two rows for every element, then three for every set."""
        assert goal is not None
        refuse_cells(2 * source.universe + 3 * len(source.sets), len(COLUMNS))
        rows = [(f"u{u}", f"x{u}.{i}.1", f"x{u}.{i}.2") for u in range(source.universe) for i in range(2)]
        rows += [(f"u{u}", f"S{s}", f"S{s}") for s, members in enumerate(source.sets) for u in members]
        first = 2 * source.universe

        def witness(cover: tuple[int, ...]) -> Blocks:
            """Return a block for every element, and one for every set outside the cover."""
            blocks = [[2 * u, 2 * u + 1] for u in range(source.universe)]
            for s, members in enumerate(source.sets):
                place = range(first + 3 * s, first + 3 * s + 3)
                if s in cover:
                    for row, u in zip(place, members, strict=True):
                        blocks[u].append(row)
                else:
                    blocks.append([*place])
            return tuple(map(tuple, blocks))

        def backward(classes: Shown) -> tuple[int, ...]:
            """Return the sets whose rows show the element: (stars - 4 |U| - 3 |F|) / 3 of them."""
            shown = {i for cells, members in classes.items() if cells[0] != "*" for i in members}
            return tuple(s for s in range(len(source.sets)) if first + 3 * s in shown)

        return table_instance(
            COLUMNS, rows, k=3, threshold=4 * source.universe + 3 * (len(source.sets) + goal),
            mask={"patterns": [["left", "right"], ["element"]], "full_suppression": False},
            witness=witness, backward=backward,
        )  # fmt: skip


def other_widths(source: SetCover) -> str:
    """Return how many sets have more or fewer than three elements, or an empty text."""
    others = sum(len(members) != 3 for members in source.sets)
    many = f"every set must have three elements, and {others} of {len(source.sets)} have more or fewer"
    return many if others else ""


def uncovered(source: SetCover) -> str:
    """Return that the sets do not cover together, or an empty text."""
    covered = source.covers(range(len(source.sets)))
    return "" if covered else "the sets must cover every element; without a cover there is no solution at all"


@dataclass(frozen=True, kw_only=True)
class SetCoverNetwork(Construction):
    """The reduction of Theorem 2: k clique nodes joined to all, c clones of every element and of every set.

    Element clones are all joined with each other, set clones with none of their kind; an element's clone meets a set's
    clone if and only if the element is *not* in the set. c = k + 1 + min(elements, sets).

    Notes
    -----
    **adim_k = size h of a least cover**, if c >= k + h + 1. *Proof.* Distances are 0, 1 or 2. Take one
    clone of each set of a cover: the k clique nodes see only ones; an element's clones see a 2 for a set that covers
    it; set clones see 2 throughout. So the clique nodes are a class of k, and every other class holds all c clones of
    an element, or the at least c - 1 >= k clones left of a set: the measure is k.

    Conversely let V' have measure k and fewer than h nodes. The c - |V'| > k clones left of an element or set are in
    one class, so the class of k nodes holds none of them: it is all the k clique nodes, and none of these is in V'. So
    every element's clones left differ from a clique node at some node of V'. That node is no element clone, which both
    see at 1, so it is a clone of a set that they see at 2, one that the element is in: the sets with a clone in V'
    cover, and there are fewer than h of them, a contradiction. (The same argument for |V'| <= c - k - 1 gives the
    cover that a node set holds.)

    References
    ----------
    .. [1] T. Chatterjee, B. DasGupta, N. Mobasheri, V. Srinivasan, I. G. Yero, "On the Computational Complexities of
       Three Privacy Measures for Large Networks Under Active Attack", Theorem 2 (a) and (b).
    """

    size: int = whole(6, "elements to be covered, at least 3", least=3)
    sets: int | None = whole(None, "sets of three (default: the size less one, 1 for three)")
    k: int = whole(2, "measure to be reached exactly", metavar="K")

    name = "set-cover-network"
    summary = "set cover as the smallest node set of measure exactly k of a network"
    kind = "network"
    paper = CHATTERJEE
    theorem = "Theorem 2"
    source = SetCover
    asks = COVER
    kept = ("k", "goal")

    def draw(self, rng: np.random.Generator) -> SetCover:
        """Return sets of three that cover together."""
        return drawn_sets(rng, self.size, self.sets or (1 if self.size == 3 else self.size - 1))

    def lacks(self, source: SetCover) -> str:
        """Return whether the sets, which may have any number of elements, leave one out."""
        return uncovered(source)

    def best(self, source: SetCover) -> Any:
        """Return a least cover."""
        return source.least()

    def forward(self, source: SetCover, goal: int | None) -> Instance:
        """Return the network; the list of its edges takes O(N^2) time and memory for N nodes.

        Nodes 0 to k - 1 are the clique; then come c for every element, then c for every set. More than min(elements,
        sets) nodes are never asked for: that many always suffice.
        """
        assert goal is not None
        k, elements, most = self.k, source.universe, min(source.universe, len(source.sets))
        c = k + 1 + most
        nodes, sets = k + c * (elements + len(source.sets)), k + c * elements
        refuse_joins(nodes * (nodes - 1) // 2)
        edges = list(itertools.combinations(range(k), 2))
        edges += [(v, w) for v in range(k) for w in range(k, nodes)]
        edges += list(itertools.combinations(range(k, sets), 2))
        for s, members in enumerate(source.sets):
            for u in set(range(elements)) - set(members):
                edges += itertools.product(range(k + c * u, k + c * (u + 1)), range(sets + c * s, sets + c * (s + 1)))

        def backward(chosen: Iterable[int]) -> tuple[int, ...]:
            """Return the sets with a clone among the nodes; ValueError is raised if they are no cover."""
            chosen = set(chosen)
            if not all(0 <= v < nodes for v in chosen):
                raise InputError(f"nodes must be from 0 to {nodes - 1}")
            found = tuple(sorted({(v - sets) // c for v in chosen if v >= sets}))
            if not source.covers(found):
                raise ValueError("the sets with a clone among the nodes do not cover: the measure is another than k")
            return found

        return Instance(
            threshold=min(goal, most), goal=min(goal, most), edges=tuple(sorted(edges)), backward=backward,
            witness=lambda cover: tuple(sets + c * s for s in cover),
            more={"exactly": k, "nodes": nodes, "edges": len(edges)},
        )  # fmt: skip
