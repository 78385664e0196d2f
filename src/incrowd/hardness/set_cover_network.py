"""Set Cover -> ADIM=k: the smallest node set of measure exactly k."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import InputError, PolicyError
from incrowd.hardness.draw import goal_setting, named_setting, refuse_unknown
from incrowd.hardness.papers import CHATTERJEE
from incrowd.hardness.problems.limits import refuse_joins
from incrowd.hardness.problems.sets import SETS
from incrowd.hardness.questions.covers import COVER
from incrowd.hardness.reduction import Reduction
from incrowd.hardness.set_cover import most_sets
from incrowd.hardness.sources.set_cover import NAMED, SetCover, drawn
from incrowd.hardness.values import Instance
from incrowd.settings import setting

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Clones", "SetCoverNetwork", "backward", "clones", "forward"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCoverNetwork(Reduction):
    """The reduction of Theorem 2: k clique nodes joined to all, c clones of every element and of every set.

    Element clones are all joined with each other, set clones with none of their kind; an element's clone meets a set's
    clone if and only if the element is *not* in the set. c = k + 1 + min(elements, sets).

    Parameters
    ----------
    size : int
        Elements to be covered, at least 3.
    sets : int or None
        Sets of three elements; None: the size less one, and 1 for a size of 3.
    k : int
        Measure to be reached exactly, at least 1.
    named : str or None
        A problem of `NAMED` in place of a random one.
    goal : int or None
        Sets of the cover; None: the least cover's, or one less for a no-instance.
    seed, no, solve
        As of `Reduction`.

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

    size: int = setting(6, "elements to be covered, at least 3", "integer", least=3, metavar="N")
    sets: int | None = setting(
        None, "sets of three (default: the size less one, 1 for three)", "integer", least=1, metavar="N"
    )
    k: int = setting(2, "measure to be reached exactly", "integer", least=1, metavar="K")
    named: str | None = named_setting(NAMED)
    goal: int | None = goal_setting(COVER.goal, "those of the least cover")

    name = "set-cover-network"
    summary = "set cover as the smallest node set of measure exactly k of a network"
    kind = "network"
    paper = CHATTERJEE
    theorem = "Theorem 2"
    problem = SETS
    asks = COVER
    kept = ("k", "goal")

    def check(self) -> None:
        """Refuse unknown names."""
        refuse_unknown(self.named, NAMED)

    def build(self) -> Instance:
        """Return the instance: the threshold is the least cover's size, or one less for a no-instance."""
        if self.named is not None:
            source = NAMED[self.named]
        else:
            sets = self.sets if self.sets is not None else 1 if self.size == 3 else max(self.size - 1, 2)
            source = drawn(np.random.default_rng(self.seed), self.size, sets, 3)
        return self.of(source)

    def of(self, source: SetCover) -> Instance:
        """Return the instance of sets that cover together; they may have any number of elements."""
        return forward(source, self.k, self.asked(lambda: most_sets(source, self.no)), solve=self.solve)


@dataclass(frozen=True, slots=True)
class Clones:
    """Which nodes stand for what: 0 to k - 1 the clique, then c nodes for every element, then c for every set.

    `elements` and `sets` say how many there are, and c is the number of clones of each element and of each set.
    """

    elements: int
    sets: int
    k: int
    c: int

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return self.k + self.c * (self.elements + self.sets)

    def of_element(self, u: int) -> range:
        """Return the c nodes of element u, 0 to ``elements - 1``."""
        return range(self.k + self.c * u, self.k + self.c * (u + 1))

    def of_set(self, s: int) -> range:
        """Return the c nodes of set s, 0 to ``sets - 1``."""
        return self.of_element(self.elements + s)


def clones(source: SetCover, k: int) -> Clones:
    """Return the layout with c = k + 1 + min(elements, sets): no least cover is larger than that minimum.

    `k` is the measure to be reached, at least 1.
    """
    return Clones(source.universe, len(source.sets), k, k + 1 + min(source.universe, len(source.sets)))


def forward(source: SetCover, k: int, most: int, *, solve: bool = True) -> Instance:
    """Return the network of a set cover problem (Theorem 2; see `SetCoverNetwork`).

    It asks for at most `most` nodes of measure exactly k. More than there are elements or sets count as that many,
    which always suffice. Without `solve` no least cover is sought, and the answer stays open. PolicyError is raised if
    k is below 1, or the sets do not cover together.

    Notes
    -----
    With N = k + c (elements + sets) nodes the list of edges takes O(N^2) time and memory. A least cover is found by an
    integer program of one variable per set without a time limit.
    """
    if k < 1:
        raise PolicyError(f"k must be at least 1, not {k}")
    if not source.covers(tuple(range(len(source.sets)))):
        raise PolicyError("the sets must cover every element")
    at = clones(source, k)
    refuse_joins(at.nodes * (at.nodes - 1) // 2)
    most = min(most, at.c - k - 1)
    least = source.least() if solve else None
    edges = list(itertools.combinations(range(k), 2))
    edges += [(v, w) for v in range(k) for w in range(k, at.nodes)]
    edges += list(itertools.combinations(range(k, k + at.c * source.universe), 2))
    for s, members in enumerate(source.sets):
        for u in set(range(source.universe)) - set(members):
            edges += [(v, w) for v in at.of_element(u) for w in at.of_set(s)]
    return Instance(
        name=SetCoverNetwork.name,
        kind="network",
        question=f"is there a node set of measure exactly {k} with at most the threshold's nodes (a cover that small)?",
        threshold=most,
        yes=None if least is None else len(least) <= most,
        optimum=None if least is None else len(least),
        theorem=SetCoverNetwork.theorem,
        paper=SetCoverNetwork.paper,
        source=source,
        backward=lambda nodes: backward(source, at, nodes),
        edges=tuple(sorted(edges)),
        witness=None if least is None else tuple(at.of_set(s)[0] for s in least),
        more={"exactly": k, "nodes": at.nodes, "edges": len(edges), "elements": source.universe,
              "sets": len(source.sets)},
        asks=COVER,
        goal=most,
    )  # fmt: skip


def backward(source: SetCover, at: Clones, nodes: Iterable[int]) -> tuple[int, ...]:
    """Return the cover that a node set of measure exactly k holds: the sets with a clone in it.

    The cover is given as indices of sets, ascending. `at` says which nodes stand for which element and set, and `nodes`
    are nodes of the network in any order. InputError is raised if a node is none of the network's. ValueError is raised
    if the sets are no cover: then the measure is not k, or the set is too large (more than c - k - 1 nodes).
    """
    chosen = sorted(set(nodes))
    if chosen and not 0 <= chosen[0] <= chosen[-1] < at.nodes:
        raise InputError(f"nodes must be from 0 to {at.nodes - 1}")
    first = at.of_set(0)[0]
    found = tuple(sorted({(v - first) // at.c for v in chosen if v >= first}))
    if not source.covers(found):
        raise ValueError(
            "the sets with a clone among the nodes do not cover: the measure is not k within the threshold"
        )
    return found
