"""Theorem 1.5 of Blocki and Williams, both ways, and its two worked examples."""

import itertools

import networkx as nx
import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.hardness.one_in_three import OneInThree, depth, forward, gadgets
from incrowd.hardness.sources.one_in_three import NAMED, Formula
from incrowd.progress import Watch
from incrowd.tables.solve.exact.exact import Exact
from oracles.hard import one_in_three, problem_of, released


def star_partitions(graph):
    """Every cut of the edges into 4-stars, by the centre of every edge: nodes in turn, with what is left at them."""
    at = graph.at()
    order = sorted(range(graph.nodes), key=lambda v: len(at[v]))

    def go(left):
        if not left:
            yield ()
            return
        # the edge with the fewest stars that could hold it
        best = None
        for e in left:
            options = [
                (v, three)
                for v in graph.edges[e]
                for three in itertools.combinations([f for f in at[v] if f in left], 3)
                if e in three
            ]
            if best is None or len(options) < len(best):
                best = options
            if len(best) < 2:
                break
        for _, three in best:
            for rest in go(left - set(three)):
                yield (three, *rest)

    assert order
    yield from go(frozenset(range(len(graph.edges))))


def formulas(count):
    rng = np.random.default_rng(7)
    for _ in range(count):
        variables = int(rng.integers(3, 5))
        clauses = tuple(
            tuple(int(v + 1) * int(rng.choice([-1, 1])) for v in rng.choice(variables, 3, replace=False))
            for _ in range(int(rng.integers(1, 4)))
        )
        yield Formula(variables, clauses)


def test_the_graph_has_a_partition_exactly_where_the_formula_has_a_solution():
    answers = []
    for formula in formulas(25):
        graph = gadgets(formula).graph
        found = next(star_partitions(graph), None)
        assert (found is not None) == bool(one_in_three(formula.variables, formula.clauses))
        assert forward(formula).yes == (found is not None)
        answers.append(found is not None)
    assert 3 < sum(answers) < 22


def test_every_partition_is_one_solution_and_every_solution_one_partition():
    for formula in [*NAMED.values(), *formulas(6)]:
        instance = forward(formula)
        found = []
        for parts in star_partitions(gadgets(formula).graph):
            found.append(instance.backward(instance.table.released(parts)))
            assert formula.holds(found[-1])
        used = {abs(v) for clause in formula.clauses for v in clause}
        distinct = {
            tuple(values[v - 1] for v in sorted(used)) for values in one_in_three(formula.variables, formula.clauses)
        }
        assert sorted(tuple(values[v - 1] for v in sorted(used)) for values in found) == sorted(distinct)


def test_the_papers_first_example_has_exactly_two_partitions():
    assert len(list(star_partitions(gadgets(NAMED["example-1"]).graph))) == 2


def test_the_papers_second_example_has_none():
    assert list(star_partitions(gadgets(NAMED["example-2"]).graph)) == []


def test_the_graph_is_simple_triangle_free_and_of_the_degrees_of_the_proof():
    for formula in [*NAMED.values(), *formulas(25)]:
        graph = gadgets(formula).graph  # simple: `Graph` refuses anything else
        assert graph.triangles() == []
        degrees = sorted({len(edges) for edges in graph.at()})
        assert set(degrees) <= {1, 3, 4}
        clauses = len(formula.clauses)
        assert [len(edges) for edges in graph.at()].count(4) == 3 * clauses  # the centres
        assert [len(edges) for edges in graph.at()].count(1) == 3 * clauses  # and their private ends


def test_the_graph_need_not_be_bipartite():
    """x and y meet once with equal and once with unequal signs: an odd cycle, against the paper's remark."""
    equal = gadgets(Formula(4, ((1, 2, 3), (1, -2, 4)))).graph
    assert not nx.is_bipartite(nx.Graph(equal.edges))
    assert nx.is_bipartite(nx.Graph(gadgets(NAMED["one-clause"]).graph.edges))


def test_trees_are_as_deep_as_needed_and_never_shallower_than_two():
    assert [depth(uses) for uses in range(8)] == [2, 2, 3, 3, 4, 4, 4, 4]
    for uses in range(1, 40):
        d = depth(uses)
        assert 3 * 2 ** (d - 1) - 3 >= 3 * uses
        assert d == 2 or 3 * 2 ** (d - 2) - 3 < 3 * uses


@pytest.mark.parametrize("name", NAMED)
def test_exact_answers_the_named_formulas(name):
    instance = OneInThree(named=name).build()
    problem, types = problem_of(instance)
    solution = Exact().solve(problem, Watch())
    cost = solution.plan.cost(problem)
    assert solution.bound.value == cost
    assert (cost <= instance.threshold) == instance.yes == (name != "example-2")
    if instance.yes:
        assert instance.source.holds(instance.backward(released(instance, solution.plan, types)))


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_drawn_formulas_answer_as_asked(size):
    for no in (False, True)[: 1 + (size > 1)]:
        instance = OneInThree(size=size, variables=4, no=no, seed=size).build()
        assert instance.yes is not no
        assert bool(one_in_three(4, instance.source.clauses)) is not no
        if not no:
            assert instance.source.holds(instance.backward(instance.table.released(instance.witness)))


def test_one_clause_always_has_a_solution_so_a_no_instance_takes_two():
    assert len(OneInThree(size=1).build().source.clauses) == 1
    assert len(OneInThree(size=1, no=True).build().source.clauses) == 2


def test_what_cannot_be_is_refused():
    with pytest.raises(PolicyError, match="'example-1' is yes"):
        OneInThree(named="example-1", no=True).build()
    with pytest.raises(PolicyError, match="at least 3, not 2"):
        OneInThree(variables=2)
