"""Theorem 7 of Liang and Yuan, both ways, and its distance by a transportation problem."""

import functools
import itertools
from fractions import Fraction

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.hardness.matching_metric import METRIC, MatchingMetric, forward
from incrowd.hardness.matching_metric import emd as by_formula
from incrowd.hardness.sources.matching3d import NAMED, drawn
from oracles.hard import NONE, emd, largest_matching, partition, problem_of, shares, stars
from seeds import few_of, scaled

AT = [Fraction(1, 3), Fraction(3, 8), Fraction(2, 5)]
FOUR = ("1", "2", "3", "4")


def close(instance, t):
    values = [row[-1] for row in instance.table.rows]
    whole = shares(values, FOUR)
    return lambda block: emd(shares([values[i] for i in block], FOUR), whole, METRIC) <= t


def least(instance, t):
    """The optimum by every partition of the old rows and every number of new ones in each class.

    New rows are alike but for symbols that nothing else has, so only their number in a class counts: a class of a new
    and another row is all stars, one alone has none. (Each class may take as many as there are: at most the optimum.)
    """
    source = instance.source
    old, new = 3 * source.side, len(instance.table.rows) - 3 * source.side
    m = len(source.triples)
    rows = [row[:-1] for row in instance.table.rows]
    values = [row[-1] for row in instance.table.rows]
    whole = shares(values, FOUR)
    assert emd(shares(["4"], FOUR), whole, METRIC) <= t

    @functools.cache
    def near(group):
        return emd(shares(group, FOUR), whole, METRIC) <= t

    def price(block, fresh):
        if not near((*sorted(values[i] for i in block), *(["4"] * fresh))):
            return NONE
        return (len(block) + fresh) * m if fresh else len(block) * stars([rows[i] for i in block])

    blocks = itertools.chain.from_iterable(itertools.combinations(range(old), size) for size in range(1, old + 1))
    groups = {block: min(price(block, fresh) for fresh in range(new + 1)) for block in blocks}
    best = {(): 0}

    def go(left):
        if left not in best:
            first, *others = left
            best[left] = min(
                groups[(first, *some)] + go(tuple(i for i in others if i not in some))
                for size in range(len(others) + 1)
                for some in itertools.combinations(others, size)
            )
        return best[left]

    return go(tuple(range(old)))


def test_equation_5_is_the_transportation_problems_distance():
    rng = np.random.default_rng(1)
    for _ in range(200):
        total = int(rng.integers(1, 12))
        p, q = (
            [Fraction(int(x), total) for x in np.bincount(rng.integers(0, 4, total), minlength=4)] for _ in range(2)
        )
        assert by_formula(p, q) == emd(p, q, METRIC) == by_formula(q, p)


def test_the_four_points_are_a_metric():
    for a, b, c in itertools.product(range(4), repeat=3):
        assert METRIC[a][b] <= METRIC[a][c] + METRIC[c][b]
        assert METRIC[a][b] == METRIC[b][a]
        assert (METRIC[a][b] == 0) == (a == b)


def answer(source, t):
    """Check an instance against every partition, its witness and its way back; return its answer."""
    instance = forward(source, t)
    n, m, largest = source.side, len(source.triples), largest_matching(source.members())
    assert least(instance, t) == instance.optimum == 3 * n * m - 3 * largest
    assert instance.yes == (largest == n) == (instance.optimum <= instance.threshold)
    release = instance.table.released(instance.witness)
    assert instance.table.cost(release) == instance.optimum
    assert all(close(instance, t)(block) for block in instance.table.classes(release).values())
    found = instance.backward(release)
    assert source.disjoint(found)
    assert len(found) == largest
    return instance.yes


@pytest.mark.parametrize("t", few_of(AT))
def test_the_least_stars_are_all_old_cells_less_three_a_triple_of_a_largest_matching(t):
    rng = np.random.default_rng(3)
    sources = [drawn(rng, 2, int(rng.integers(2, 6)), perfect=bool(p)) for p in (0, 1)]
    assert {answer(source, t) for source in [*sources, NAMED["cube"], NAMED["pencil"]]} == {True, False}


@pytest.mark.proofs
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("t", AT)
def test_many_drawn_instances_have_the_optimum_of_every_partition(t, part):
    rng = np.random.default_rng([3, part])
    answers = []
    for _ in range(40):
        side = int(rng.integers(2, 4))
        answers.append(answer(drawn(rng, side, int(rng.integers(side, 3 * side)), perfect=bool(rng.integers(2))), t))
    assert 0 < sum(answers) < 40


def test_the_smallest_instance_by_every_partition_of_all_its_rows():
    source = drawn(np.random.default_rng(0), 1, 1, perfect=True)
    instance = forward(source, AT[0])
    assert len(instance.table.rows) == 9
    found, blocks = partition([row[:-1] for row in instance.table.rows], close(instance, AT[0]))
    assert found == instance.optimum == instance.threshold == 0
    assert instance.backward(instance.table.released(blocks)) == (0,)


@pytest.mark.parametrize("t", AT)
def test_a_triples_rows_are_at_exactly_t_and_smaller_classes_further(t):
    instance = forward(NAMED["cube"], t)
    n = len(instance.table.rows)
    assert n == 6 / (1 - 2 * t)
    values = [row[-1] for row in instance.table.rows]
    whole = shares(values, FOUR)
    assert emd(shares(["1", "2", "3"], FOUR), whole, METRIC) == t
    for few in (["1"], ["1", "2"], ["1", "1"], ["1", "1", "2"]):
        assert emd(shares(few, FOUR), whole, METRIC) > t
    assert emd(shares(["4"], FOUR), whole, METRIC) == Fraction(1, 2) - t


@pytest.mark.parametrize("t", AT)
def test_the_policys_model_judges_classes_as_the_definition_does(t):
    instance = forward(NAMED["cube"], t)
    problem, types = problem_of(instance)
    (requirement,) = problem.requirements
    good, n = close(instance, t), len(instance.table.rows)
    rng = np.random.default_rng(1)
    blocks = [sorted(int(i) for i in rng.choice(n, int(rng.integers(1, 8)), replace=False)) for _ in range(scaled(150))]
    met = 0
    for block in [*blocks, *NAMED["cube"].members(), (n - 1,)]:
        kinds = np.array([problem.types.kinds[types[i]] for i in block])
        one = np.zeros(len(block), np.int64)
        assert bool(requirement.meets(one, kinds, one + 1, 1)[0]) == good(block)
        met += good(block)
    assert met > scaled(5)


@pytest.mark.parametrize("no", [False, True])
@pytest.mark.parametrize("size", [2, 3, 5])
def test_drawn_instances_answer_as_asked(size, no):
    instance = MatchingMetric(size=size, no=no, seed=size).build()
    assert instance.yes is not no
    assert len(instance.table.rows) == 9 * size
    assert (largest_matching(instance.source.members()) == size) is not no


def test_what_cannot_be_is_refused():
    for t in ("1/4", "1/2"):
        with pytest.raises(PolicyError, match="at least 1/3 and below 1/2"):
            MatchingMetric(t=t)
    with pytest.raises(PolicyError, match="must be whole"):
        MatchingMetric(size=2, t="9/25").build()
