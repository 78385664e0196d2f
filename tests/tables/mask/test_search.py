"""Patterns one after another, only as far as they are asked for."""

import itertools

from incrowd.tables.mask.patterns import Keys, build, cheapest_rests, search
from oracle import masks as plain

COLUMNS, HEIGHTS = ["a", "b", "c"], (1, 2, 1)
COSTS = [[0, 3], [0, 1, 4], [0, 2]]


def test_keys_rise_strictly_and_tell_the_vectors_of_the_set():
    said = {"max_stars": 1, "full_suppression": False}
    keys = Keys.of(HEIGHTS, COSTS)
    found = list(search(build(said, COLUMNS, HEIGHTS), keys))
    assert all(a < b for a, b in itertools.pairwise(found))
    assert sorted(map(keys.vector, found)) == plain.vectors(said, COLUMNS, HEIGHTS)
    assert keys.costs(found).tolist() == [plain.cost_of(keys.vector(key), COSTS) for key in found]


def test_the_first_key_is_the_cheapest_rest_of_the_first_state():
    automaton, keys = build({}, COLUMNS, HEIGHTS), Keys.of(HEIGHTS, COSTS)
    assert next(search(automaton, keys)) == cheapest_rests(automaton, keys)[0][0] == 0


def test_an_empty_set_yields_nothing():
    empty = build({"full_suppression": False, "patterns": [["a", "b", "c"]]}, COLUMNS, HEIGHTS)
    assert list(search(empty, Keys.of(HEIGHTS, COSTS))) == []
