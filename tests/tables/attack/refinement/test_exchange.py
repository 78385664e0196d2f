"""Exchanges are added up in whole numbers, and refused where what results is no release."""

from __future__ import annotations

import dataclasses

from incrowd.tables.attack.refinement.exchange import Demand, Ground, demands_of, least_moves
from incrowd.tables.attack.refinement.part import instance_of, part_around
from oracles.small_attacks import held

ROWS = [(0, 0), (0, 0), (0, None), (0, None), (0, None), (1, None), (1, None)]


def ground_of(released, slack=0):
    classes = {instance_of(released, c): int(n) for c, n in enumerate(released.sizes)}
    part = part_around(released, 0)
    assert part is not None
    return Ground(part, classes, slack)


def place_of(ground, instance):
    return next(i for i in range(len(ground.part.types)) if ground.part.instance(i) == instance)


def row_of(ground, place, code):
    return ground.part.types[place].tolist().index(list(code))


def test_a_row_moves_where_both_classes_stay_large_enough():
    ground = ground_of(held(ROWS, (2, 2)))
    place = place_of(ground, ((0, 1), (0, 0)))
    row, other = row_of(ground, place, (0, 0)), row_of(ground, place, (0, 1))
    there = ((0, 0), (0, 0))
    assert ground.gain({(place, there, row): 1}) == 1
    assert ground.gain({(place, there, other): 1}) is None  # that instance does not show it
    assert ground.gain({(place, there, row): 2}) is None  # one row would be left
    assert ground.gain({(place, there, row): 3}) == 3  # none is left
    assert ground.gain({(place, there, row): 4}) is None  # there are three
    assert ground.gain({(place, ((0, 0), (0, 1)), other): 1}) is None  # a class of one
    assert ground.gain({(place, ((0, 0), (0, 1)), other): 3}) == 3
    assert ground.gain({(place, ((0, 0), (0, 7)), other): 3}) is None  # no value is known by that code
    assert not dataclasses.replace(ground, slack=1).pays({(place, there, row): 1})


def test_masks_outliers_and_the_suppression_limit_are_kept():
    ground = ground_of(held(ROWS, (2, 2), vectors={(0, 0), (0, 1), (1, 1)}))
    place = place_of(ground, ((0, 1), (1, 0)))
    rows = row_of(ground, place, (1, 0))
    assert ground.gain({(place, ((1, 0), (0, 0)), rows): 2}) is None  # not allowed
    assert ground.gain({(place, ((0, 0), (1, 0)), rows): 2}) == 2
    free = ground_of(held(ROWS, (2, 2), outliers="suppress"))
    stars = ((1, 1), (0, 0))
    assert ground.gain({(place, stars, rows): 1}) is None
    place = place_of(free, ((0, 1), (0, 0)))
    assert free.gain({(place, stars, 0): 1}) == -1
    limited = dataclasses.replace(free.part.released, most_suppressed=0)
    limited = dataclasses.replace(free, part=dataclasses.replace(free.part, released=limited))
    assert limited.gain({(place, stars, 0): 1}) is None


def test_what_need_not_move_stays_and_unconnected_moves_are_told_apart():
    ground = ground_of(held(ROWS, (2, 2)))
    one, two = place_of(ground, ((0, 1), (0, 0))), place_of(ground, ((0, 1), (1, 0)))
    a, b = row_of(ground, one, (0, 0)), row_of(ground, two, (1, 1))
    first, second = {(one, ((0, 0), (0, 0)), a): 3}, {(two, ((0, 0), (1, 1)), b): 2}
    found = least_moves(ground, {**first, **second})
    assert sorted(map(len, found)) == [1, 1]
    assert {(one, ((0, 0), (0, 0)), a): 1} in found and second in found


def test_demands_are_of_all_rows_that_an_instance_shows():
    ground = ground_of(held([(None, None)] * 4 + [(0, 0)] * 2, (2, 2)))
    place = place_of(ground, ((1, 1), (0, 0)))
    row = row_of(ground, place, (0, 0))
    demands = demands_of(ground.part, {(place, ((0, 1), (0, 0)), row): 2})
    assert demands == [Demand(place, (row_of(ground, place, (0, 0)), row_of(ground, place, (0, 1))), 2)]
    # two instances that show a row in common: the very rows are asked for
    overlapping = {(place, ((0, 1), (0, 0)), row): 1, (place, ((0, 0), (0, 0)), row): 1}
    assert demands_of(ground.part, overlapping) == [Demand(place, (row,), 2)]
    # what every original has is not asked for
    assert demands_of(ground.part, {(place, ((1, 1), (0, 0)), row): 2}) == []
