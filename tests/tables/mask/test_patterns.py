"""Compiled masks against plain enumeration, listed and searched alike."""

import itertools
import pickle
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd.errors import PolicyError
from incrowd.tables.mask import AllOf, Mask, Patterns, mask_from_dict
from incrowd.tables.mask.patterns import build
from oracle import masks as plain
from oracle.masks_drawn import draw
from seeds import scaled, seeds

if TYPE_CHECKING:
    from incrowd.tables.protocols import PatternSet

LISTED, SEARCHED = 1 << 20, 0

ADULT = [
    "age",
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "race",
    "sex",
    "native-country",
    "salary-class",
]


def compiled(drawn, list_up_to=LISTED):
    return Patterns.of(drawn.spec, drawn.columns, drawn.heights, list_up_to=list_up_to)


def run(blocks):
    blocks = list(blocks)
    for block in blocks:
        assert block.levels.dtype == np.int8
        assert block.costs.dtype == np.int64
        assert len(block.levels) == len(block.costs) > 0
    vectors = [tuple(map(int, row)) for block in blocks for row in block.levels]
    return vectors, [int(cost) for block in blocks for cost in block.costs]


def check(drawn):
    found = plain.vectors(drawn.spec, drawn.columns, drawn.heights)
    patterns = compiled(drawn)
    assert patterns.count() == len(found)
    known = set(found)
    for vector in itertools.product(*(range(top + 1) for top in drawn.heights)):
        assert patterns.allows(vector) == (vector in known)
    assert patterns.allows_full_suppression == (tuple(drawn.heights) in known)
    ordered = plain.by_cost(found, drawn.heights, drawn.costs, drawn.ties)
    for list_up_to in (LISTED, SEARCHED):
        vectors, costs = run(compiled(drawn, list_up_to).by_cost(drawn.costs, drawn.ties))
        assert vectors == ordered
        assert costs == [plain.cost_of(vector, drawn.costs) for vector in ordered]
    for _ in range(5):
        low = tuple(drawn.rng.randint(0, top) for top in drawn.heights)
        assert patterns.cheapest_above(low, drawn.costs) == plain.cheapest_above(found, low, drawn.heights, drawn.costs)
    if found:
        assert patterns.reach() == plain.reach(found, drawn.heights)
    else:
        with pytest.raises(ValueError, match="empty"):
            patterns.reach()


@seeds(600)
def test_a_compiled_mask_is_what_plain_enumeration_gives(seed):
    check(draw(seed))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.integers(min_value=0, max_value=2**32), st.integers(min_value=0, max_value=4))
def test_a_compiled_mask_is_what_plain_enumeration_gives_whatever_the_nesting(seed, depth):
    check(draw(seed, depth=depth))


@pytest.mark.proofs
@seeds(200, few=200, name="hundred")
def test_twenty_thousand_compiled_masks_are_what_plain_enumeration_gives(hundred):
    for seed in range(1000 + 100 * hundred, 1100 + 100 * hundred):
        check(draw(seed, depth=3))


def test_union_and_intersection_are_those_of_sets():
    for seed in range(scaled(100)):
        drawn = draw(seed, depth=0)
        if len(drawn.columns) < 3:
            continue
        other = {"max_stars": 1, "full_suppression": False, "together": [drawn.columns[:2]]}
        a, b = mask_from_dict(drawn.spec), mask_from_dict(other)

        def vectors(mask, drawn=drawn):
            patterns = Patterns.of(mask.to_dict(), drawn.columns, drawn.heights)
            return set(run(patterns.by_cost(drawn.costs, drawn.ties))[0])

        assert vectors(a | b) == vectors(a) | vectors(b)
        assert vectors(a & b) == vectors(a) & vectors(b)


def test_the_adult_user_mask_has_15_patterns():
    mask = Mask(
        max_stars=2,
        keep=["education", "salary-class"],
        together=["workclass", "occupation"],
        at_most_one=["age", "sex", "race"],
    )
    patterns = mask.compile(ADULT, [1] * 9)
    assert patterns.count() == 15
    assert patterns.reach() == (1,) * 9
    without = Mask(**{**mask.to_dict(), "full_suppression": False}).compile(ADULT, [1] * 9)
    assert without.count() == 14
    assert without.reach() == (1, 1, 0, 1, 1, 1, 1, 1, 0)


def test_two_stars_of_ten_columns_and_all_stars_are_57_patterns():
    columns = [f"c{j}" for j in range(10)]
    assert Mask(max_stars=2).compile(columns, [1] * 10).count() == 57


def test_full_suppression_overrules_every_rule_and_can_be_taken_out():
    columns, heights = ["a", "b"], [2, 1]
    strict = {
        "max_stars": 0,
        "keep": ["a"],
        "at_most_one": ["a", "b"],
        "max_level": {"b": 0},
        "patterns": [[]],
    }
    patterns = Mask(**strict).compile(columns, heights)
    assert patterns.count() == 2
    assert patterns.allows((2, 1))
    assert patterns.allows_full_suppression
    assert not Mask(full_suppression=False).compile(columns, heights).allows((2, 1))
    assert Mask(full_suppression=False).compile(columns, heights).count() == 5


def test_a_column_without_levels_is_never_a_star():
    patterns = Mask(max_stars=1, full_suppression=False).compile(["a", "b", "c"], [0, 1, 1])
    assert patterns.count() == 3
    assert patterns.reach() == (0, 1, 1)
    assert Mask(together=["a", "b"], full_suppression=False).compile(["a", "b"], [0, 1]).reach() == (0, 0)


def test_a_table_in_which_nothing_can_change_has_one_pattern():
    for mask in (Mask(), Mask(full_suppression=False), Mask(max_stars=0), Mask(patterns=[["a"]])):
        patterns = mask.compile(["a"], [0])
        assert patterns.count() == 1
        assert patterns.allows((0,))
        assert run(patterns.by_cost([[0]], [[0]])) == ([(0,)], [0])


def test_no_columns_have_the_one_empty_pattern():
    for list_up_to in (LISTED, SEARCHED):
        patterns = Mask(max_stars=1).compile([], [], list_up_to=list_up_to)
        assert patterns.count() == 1
        assert run(patterns.by_cost([], [])) == ([()], [0])
        assert patterns.cheapest_above((), []) == ()


def test_one_column_has_its_levels():
    assert run(Mask().compile(["a"], [3]).by_cost([[0, 4, 2, 9]], [[0] * 4])) == (
        [(0,), (2,), (1,), (3,)],
        [0, 2, 4, 9],
    )


def test_sixty_columns_are_counted_and_searched_in_exact_order():
    columns = [f"c{j}" for j in range(60)]
    patterns = Mask().compile(columns, [1] * 60)
    assert patterns.count() == 2**60
    costs = [[0, 1 + j % 3] for j in range(60)]
    ties = [[0, j * j % 7] for j in range(60)]
    blocks = patterns.by_cost(costs, ties)
    vectors, charged = [], []
    while len(vectors) < 2000:
        block, paid = run([next(blocks)])
        vectors += block
        charged += paid
    # Everything that costs at most 3 has at most 3 stars: small enough to be listed plainly.
    few = [
        tuple(int(j in chosen) for j in range(60))
        for size in range(4)
        for chosen in itertools.combinations(range(60), size)
    ]
    expected = plain.by_cost([v for v in few if plain.cost_of(v, costs) <= 3], [1] * 60, costs, ties)
    assert 1500 < len(expected) < len(vectors)
    assert vectors[: len(expected)] == expected
    assert charged == [plain.cost_of(vector, costs) for vector in vectors]
    assert charged[len(expected)] == 4


def test_a_long_search_is_exact_over_blocks_and_wide_vectors():
    # 2^13 vectors of 70 columns: their numbers do not fit into one machine word.
    columns = [f"c{j}" for j in range(70)]
    rng = np.random.default_rng(5)
    free = sorted(rng.choice(70, 13, replace=False).tolist())
    mask = Mask(keep=[c for j, c in enumerate(columns) if j not in free], full_suppression=False)
    costs = [[0, int(rng.integers(0, 4))] for _ in columns]
    ties = [[0, int(rng.integers(0, 3))] for _ in columns]
    listed = run(mask.compile(columns, [1] * 70).by_cost(costs, ties))
    searched = run(mask.compile(columns, [1] * 70, list_up_to=SEARCHED).by_cost(costs, ties))
    assert listed == searched
    every = []
    for levels in itertools.product((0, 1), repeat=13):
        vector = [0] * 70
        for j, level in zip(free, levels, strict=True):
            vector[j] = level
        every.append(tuple(vector))
    assert listed[0] == plain.by_cost(every, [1] * 70, costs, ties)


def test_blocks_grow_to_their_limit():
    columns = [f"c{j}" for j in range(12)]
    costs = [[0, 1]] * 12
    listed = Mask().compile(columns, [1] * 12).by_cost(costs, costs)
    assert [len(block.levels) for block in listed] == [256, 512, 1024, 2048, 256]
    searched = Mask().compile(columns, [1] * 12, list_up_to=SEARCHED).by_cost(costs, costs)
    assert [len(block.levels) for block in searched] == [128, 256, 512, 1024, 1024, 1024, 128]


def test_groups_of_one_rule_are_read_side_by_side_so_that_states_stay_few():
    # Thirty pairs, the partners thirty columns apart: read in the given order they would need 2^30 states.
    columns = [f"a{j}" for j in range(30)] + [f"b{j}" for j in range(30)]
    pairs = [[f"a{j}", f"b{j}"] for j in range(30)]
    mask = Mask(together=pairs, full_suppression=False)
    patterns = mask.compile(columns, [1] * 60)
    assert patterns.count() == 2**30 - 1
    assert patterns.automaton.states < 400


def test_a_chain_of_overlapping_groups_stays_small():
    columns = [f"c{j}" for j in range(40)]
    shuffled = [columns[(7 * j) % 40] for j in range(40)]
    chain = [[shuffled[j], shuffled[j + 1]] for j in range(39)]
    patterns = Mask(at_most_one=chain, full_suppression=False).compile(columns, [1] * 40)
    # Subsets of a path without neighbours: the Fibonacci numbers.
    a, b = 1, 2
    for _ in range(39):
        a, b = b, a + b
    assert patterns.count() == b
    assert patterns.automaton.states < 200


def test_the_automaton_has_no_superfluous_states():
    for seed in range(200):
        drawn = draw(seed)
        patterns = compiled(drawn)
        if patterns.count() == 0:
            assert patterns.automaton.states == 0
            continue
        order = patterns.automaton.order
        found = [tuple(v[j] for j in order) for v in plain.vectors(drawn.spec, drawn.columns, drawn.heights)]
        # Myhill-Nerode: one state per different set of completions.
        needed = 0
        for layer in range(len(order) + 1):
            rests = {}
            for vector in found:
                rests.setdefault(vector[:layer], set()).add(vector[layer:])
            needed += len({frozenset(rest) for rest in rests.values()})
        assert patterns.automaton.states == needed


def test_rules_that_are_too_entangled_are_refused():
    columns = [f"c{j}" for j in range(24)]
    mask = AllOf(tuple(Mask(max_stars=12, keep=[c]) | Mask(max_level={c: 1}) for c in columns))
    with pytest.raises(PolicyError, match="too entangled"):
        build({"together": [["c0", "c1"], ["c2", "c3"]]}, columns, [1] * 24, most=20)
    with pytest.raises(PolicyError, match=r"too entangled: its rules need more than 1,000 states"):
        build(mask.to_dict(), columns, [2] * 24, most=1000)


def test_a_patterns_object_is_a_pattern_set_and_travels():
    patterns: PatternSet = Mask(max_stars=1).compile(["a", "b", "c"], [1, 2, 1])
    again = pickle.loads(pickle.dumps(patterns))
    assert again.count() == patterns.count()
    assert again.heights == (1, 2, 1)
    with pytest.raises(AttributeError):
        patterns.heights = (1,)


@pytest.mark.parametrize(("columns", "heights"), [(["a"], [1, 1]), (["a", "a"], [1, 1]), (["a"], [-1])])
def test_columns_and_heights_have_to_fit(columns, heights):
    with pytest.raises(ValueError, match="height"):
        Mask().compile(columns, heights)


def test_more_levels_than_a_byte_holds_are_refused():
    assert Mask().compile(["a"], [127]).reach() == (127,)
    with pytest.raises(PolicyError, match="'a' has 128 levels"):
        Mask().compile(["a"], [128])


def test_costs_have_to_fit_the_columns_and_the_machine():
    patterns = Mask().compile(["a", "b"], [1, 1])
    with pytest.raises(ValueError, match="costs must hold"):
        patterns.by_cost([[0, 1]], [[0, 0], [0, 0]])
    with pytest.raises(ValueError, match="ties must hold"):
        patterns.by_cost([[0, 1], [0, 1]], [[0, 0], [0, 0, 0]])
    with pytest.raises(PolicyError, match="62 bits"):
        patterns.by_cost([[0, 2**61], [0, 2**61]], [[0, 0], [0, 0]])
    with pytest.raises(ValueError, match="2 entries here, not 1"):
        patterns.cheapest_above((0,), [[0, 1], [0, 1]])
    assert not patterns.allows((0, 2))


def test_large_costs_stay_exact():
    big = 2**59
    costs = [[0, big], [0, big + 1], [0, big - 1]]
    for list_up_to in (LISTED, SEARCHED):
        patterns = Mask(max_stars=1).compile(["a", "b", "c"], [1, 1, 1], list_up_to=list_up_to)
        vectors, paid = run(patterns.by_cost(costs, [[0, 0]] * 3))
        assert vectors == [(0, 0, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (1, 1, 1)]
        assert paid == [0, big - 1, big, big + 1, 3 * big]
