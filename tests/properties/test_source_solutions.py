"""Solutions of source problems in graphs are judged by their definition; wrong ones come out of no release, so no door asks."""

import itertools

import numpy as np

from incrowd.hardness.questions import BISECTION, CLIQUE, DOMINATING_SET, HALF_CLIQUE, TRIANGLES, TRIANGLES_AND_STARS
from incrowd.hardness.sources import Graph, drawn_graph
from seeds import seeds


def threes(edges, *, star, triangle):
    """Every way to cut the edges into triangles and (or) 4-stars, as sets of triples of edge numbers."""

    def fits(three):
        a, b, c = (set(edges[e]) for e in three)
        return (star and len(a & b & c) == 1) or (triangle and len(a | b | c) == 3)

    def cut(left):
        if not left:
            yield ()
            return
        first, *others = left
        for pair in itertools.combinations(others, 2):
            three = (first, *pair)
            if fits(three):
                for rest in cut([e for e in others if e not in pair]):
                    yield (three, *rest)

    yield from cut(list(range(len(edges))))


PATH = Graph(4, ((0, 1), (1, 2), (2, 3)))


@seeds(200)
def test_cliques_and_dominating_sets_are_those_of_the_definition(seed):
    rng = np.random.default_rng(seed)
    source = drawn_graph(rng, 6, int(rng.integers(0, 16)))
    there = set(source.edges)
    near = {v: {v} | {u for e in there if v in e for u in e} for v in range(6)}
    for size in range(7):
        for some in itertools.combinations(range(6), size):
            clique = all(pair in there for pair in itertools.combinations(some, 2))
            assert CLIQUE.solves(source, some) == clique
            assert (HALF_CLIQUE.solves(source, some) and HALF_CLIQUE.meets(source, some, 3)) == (clique and size >= 3)
            assert DOMINATING_SET.solves(source, some) == ({u for v in some for u in near[v]} == set(range(6)))


@seeds(100)
def test_edge_partitions_are_those_of_the_definition(seed):
    source = drawn_graph(np.random.default_rng(seed), 5, 6)
    for star, asks in ((True, TRIANGLES_AND_STARS), (False, TRIANGLES)):
        right = {frozenset(map(frozenset, cut)) for cut in threes(source.edges, star=star, triangle=True)}
        for first in itertools.combinations(range(6), 3):
            cut = (first, tuple(sorted(set(range(6)) - set(first))))
            assert asks.solves(source, cut) == (frozenset(map(frozenset, cut)) in right)


def test_parts_that_miss_or_repeat_an_edge_are_none():
    triangle = Graph(3, ((0, 1), (0, 2), (1, 2)))
    assert TRIANGLES.solves(triangle, ((0, 1, 2),))
    assert not TRIANGLES.solves(triangle, ((0, 1), (2,)))
    assert not TRIANGLES.solves(triangle, ())
    told = TRIANGLES.report(triangle, ((0, 1, 2),), {"nodes": ("a", "b", "c")})
    assert told.lines == ("a b, a c, b c",)


def test_halves_are_judged_by_their_cut_and_said_by_name():
    assert BISECTION.solves(PATH, (0, 1))
    assert not BISECTION.solves(PATH, (0, 1, 2))
    assert not BISECTION.solves(PATH, (0, 0))
    assert BISECTION.meets(PATH, (0, 1), 1)
    assert not BISECTION.meets(PATH, (0, 2), 1)
    told = BISECTION.report(PATH, (0, 1), {"nodes": ("a", "b", "c", "d")})
    assert told.facts == {"half": ["a", "b"], "other_half": ["c", "d"], "cut": 1}
    assert CLIQUE.report(PATH, (0, 1), {}).facts == {"clique": ["0", "1"]}
    assert CLIQUE.meets(PATH, (0, 1), 2)
    assert not CLIQUE.meets(PATH, (0, 1), 3)
    assert DOMINATING_SET.meets(PATH, (1, 3), 2)
    assert not DOMINATING_SET.meets(PATH, (1, 3), 1)
    assert DOMINATING_SET.report(PATH, (1, 3), {}).lines == ("1", "3")
