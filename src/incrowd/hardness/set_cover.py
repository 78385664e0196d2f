"""3-Set Cover -> pattern-guided 3-anonymity with two patterns and three columns."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import InputError, PolicyError
from incrowd.hardness.problem import refuse_cells, refuse_joins
from incrowd.hardness.problems import SETS
from incrowd.hardness.questions import COVER
from incrowd.hardness.reduction import BREDERECK, CHATTERJEE, Reduction, goal_setting, named_setting, refuse_unknown
from incrowd.hardness.sources.set_cover import NAMED, SetCover, drawn
from incrowd.hardness.values import Blocks, Instance, Table
from incrowd.settings import setting

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

COLUMNS = ("element", "left", "right")


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCoverPatterns(Reduction):
    """The reduction of Theorem 1.

    Every element u gives two rows (u, fresh, fresh), every set S = {a, b, c} three rows (a, S, S), (b, S, S), (c, S,
    S). k = 3; the patterns are (shown, star, star) and (star, shown, shown), and no other: not even full suppression.

    Parameters
    ----------
    size : int
        Elements |U| to be covered, at least 3.
    sets : int or None
        Sets of three elements; None: as many as the size, at least 4, and 1 for a size of 3.
    named : str or None
        A problem of `NAMED` in place of a random one.
    goal : int or None
        Sets of the cover; None: the least cover's, or one less for a no-instance.
    seed, no, solve
        As of `Reduction`.

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

    size: int = setting(9, "elements to be covered, at least 3", "integer", least=3, metavar="N")
    sets: int | None = setting(None, "sets of three (default: the size)", "integer", least=1, metavar="N")
    named: str | None = named_setting(NAMED)
    goal: int | None = goal_setting(COVER.goal, "those of the least cover")

    name = "set-cover"
    summary = "3-set cover as pattern-guided 3-anonymity with three columns and two patterns"
    kind = "table"
    paper = BREDERECK
    theorem = "Theorem 1"
    problem = SETS
    asks = COVER
    kept = ("goal",)

    def check(self) -> None:
        """Refuse unknown names and sizes without a cover."""
        refuse_unknown(self.named, NAMED)

    def build(self) -> Instance:
        """Return the instance: h is the least cover's size, or one less for a no-instance."""
        if self.named is not None:
            source = NAMED[self.named]
        else:
            sets = self.sets if self.sets is not None else 1 if self.size == 3 else max(self.size, 4)
            if self.size == 4:
                sets = min(sets, 4)
            source = drawn(np.random.default_rng(self.seed), self.size, sets, 3)
        return self.of(source)

    def of(self, source: SetCover) -> Instance:
        """Return the instance of sets of three elements each that cover together."""
        return forward(source, self.asked(lambda: most_sets(source, self.no)), solve=self.solve)


def most_sets(source: SetCover, no: bool) -> int:
    """Return the number of sets to ask for: the least cover's, or one less for a no-instance.

    PolicyError is raised if nothing covers every element, or a no-instance is asked for and one set does.
    """
    least = source.least()
    if least is None:
        raise PolicyError("the sets do not cover every element; ask for more sets")
    if no and len(least) < 2:
        raise PolicyError("one set covers everything, so no bound on the cover is missed; choose a size above 3")
    return len(least) - no


def forward(source: SetCover, most: int, *, solve: bool = True) -> Instance:
    """Return the instance that asks for a cover of at most `most` sets (Theorem 1; see `SetCoverPatterns`).

    The source has |U| elements and |F| sets of three elements each, which together cover; otherwise PolicyError is
    raised. Without `solve` no least cover is sought, and the answer stays open. The table has 2 |U| + 3 |F| rows. A
    least cover is found by an integer program of |F| variables without a time limit.
    """
    refuse_other_widths(source)
    if not source.covers(tuple(range(len(source.sets)))):
        raise PolicyError("the sets must cover every element; without a cover there is no release at all")
    refuse_cells(2 * source.universe + 3 * len(source.sets), len(COLUMNS))
    least = source.least() if solve else None
    rows = [(f"u{u}", f"x{u}.{i}.1", f"x{u}.{i}.2") for u in range(source.universe) for i in range(2)]
    rows += [(f"u{u}", f"S{s}", f"S{s}") for s, members in enumerate(source.sets) for u in members]
    base = 4 * source.universe + 3 * len(source.sets)
    table = Table(quasi_identifiers=COLUMNS, rows=tuple(rows))
    return Instance(
        name=SetCoverPatterns.name,
        kind="table",
        question=f"is there a release with at most the threshold's stars (a cover by at most {most} sets)?",
        threshold=base + 3 * most,
        yes=None if least is None else len(least) <= most,
        optimum=None if least is None else base + 3 * len(least),
        theorem=SetCoverPatterns.theorem,
        paper=SetCoverPatterns.paper,
        source=source,
        backward=lambda released: backward(source, table, released),
        policy={
            "quasi_identifiers": list(COLUMNS),
            "k": 3,
            "outliers": "forbid",
            "mask": {"patterns": [["left", "right"], ["element"]], "full_suppression": False},
        },
        table=table,
        witness=None if least is None else blocks_of(source, least),
        more={
            "elements": source.universe,
            "sets": len(source.sets),
            **({} if least is None else {"least_cover": len(least)}),
        },
        asks=COVER,
        goal=most,
    )


def refuse_other_widths(source: SetCover) -> None:
    """Refuse sets of more or fewer than three elements. The message of the PolicyError says how many there are."""
    others = sum(len(members) != 3 for members in source.sets)
    if others:
        raise PolicyError(f"every set must have three elements, and {others} of {len(source.sets)} have more or fewer")


def blocks_of(source: SetCover, cover: tuple[int, ...]) -> Blocks:
    """Return the blocks of a cover's release: rows that look alike.

    There is one block per element, and one per set outside the cover. `cover` holds the indices of sets that cover
    together.
    """
    blocks = [[2 * u, 2 * u + 1] for u in range(source.universe)]
    for s, members in enumerate(source.sets):
        first = 2 * source.universe + 3 * s
        if s in cover:
            for i, u in enumerate(members):
                blocks[u].append(first + i)
        else:
            blocks.append([first, first + 1, first + 2])
    return tuple(tuple(block) for block in blocks)


def backward(source: SetCover, table: Table, released: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """Return the cover that a release holds: the sets whose rows show the element.

    It has (stars - 4 |U| - 3 |F|) / 3 sets, given as indices, ascending. `released` holds (rows, 3) texts in the order
    of the instance's table; InputError is raised if it is no release of the table.
    """
    shown = {i for cells, members in table.classes(released).items() if cells[0] != "*" for i in members}
    first = 2 * source.universe
    return tuple(s for s in range(len(source.sets)) if first + 3 * s in shown)


# Set Cover -> ADIM=k: the smallest node set of measure exactly k.
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
        return network_forward(source, self.k, self.asked(lambda: most_sets(source, self.no)), solve=self.solve)


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


def network_forward(source: SetCover, k: int, most: int, *, solve: bool = True) -> Instance:
    """Return the network of a set cover problem (Theorem 2; see `SetCoverNetwork`).

    It asks for at most `most` nodes of measure exactly k. More than there are elements or sets count as that many,
    which always suffice. Without `solve` no least cover is sought, and the answer stays open. PolicyError is raised if
    k is below 1, or the sets do not cover together. With N = k + c (elements + sets) nodes the list of edges takes
    O(N^2) time and memory. A least cover is found by an integer program of one variable per set without a time limit.
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
        backward=lambda nodes: network_backward(source, at, nodes),
        edges=tuple(sorted(edges)),
        witness=None if least is None else tuple(at.of_set(s)[0] for s in least),
        more={"exactly": k, "nodes": at.nodes, "edges": len(edges), "elements": source.universe,
              "sets": len(source.sets)},
        asks=COVER,
        goal=most,
    )  # fmt: skip


def network_backward(source: SetCover, at: Clones, nodes: Iterable[int]) -> tuple[int, ...]:
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
