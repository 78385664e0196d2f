"""Set cover and dominating set against trying every choice, both ways."""

import itertools

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.hardness.links.domination import cover_of, graph_of, neighbourhoods
from incrowd.hardness.questions.graphs import DOMINATING_SET
from incrowd.hardness.sources.graphs import drawn as graph_drawn
from incrowd.hardness.sources.set_cover import SetCover, drawn
from oracles.hard import least_cover
from seeds import seeds


def dominating(graph, size):
    """Every dominating set of a size, by its definition."""
    near = {v: {v} for v in range(graph.nodes)}
    for u, v in graph.edges:
        near[u].add(v)
        near[v].add(u)
    for some in itertools.combinations(range(graph.nodes), size):
        if len(set().union(*(near[v] for v in some))) == graph.nodes:
            yield some


@seeds(300)
def test_the_smallest_dominating_set_is_as_large_as_the_least_cover_and_every_one_holds_a_cover(seed):
    rng = np.random.default_rng(seed)
    source = drawn(rng, int(rng.integers(4, 6)), int(rng.integers(2, 5)), 3)
    graph = graph_of(source)
    least = least_cover(source.universe, source.sets)
    assert not any(True for size in range(least) for _ in dominating(graph, size))
    found = [some for size in (least, least + 1) for some in dominating(graph, size)]
    assert found
    for some in found:
        cover = cover_of(source, some)
        assert source.covers(cover)
        assert len(cover) <= len(some)


@seeds(200)
def test_covers_by_neighbourhoods_are_the_dominating_sets(seed):
    rng = np.random.default_rng(seed)
    graph = graph_drawn(rng, 6, int(rng.integers(0, 12)))
    source = neighbourhoods(graph)
    for size in range(7):
        for some in itertools.combinations(range(6), size):
            assert source.covers(some) == DOMINATING_SET.solves(graph, some)


def test_a_graph_of_too_many_sets_is_refused_before_it_is_made():
    with pytest.raises(PolicyError, match="take a smaller source problem"):
        graph_of(SetCover(1, ((0,),) * 4000))


def test_sets_that_do_not_cover_have_no_such_graph():
    for source in (SetCover(2, ((0,),)), SetCover(0, ())):
        with pytest.raises(PolicyError, match="must cover every element"):
            graph_of(source)
