"""What members of a class learn of one another."""

from __future__ import annotations

from incrowd.progress import Watch
from incrowd.tables.attack.classes import lowerings
from incrowd.tables.attack.rules import insiders
from incrowd.tables.attack.values import Exclusions
from oracles.small_attacks import held


def learned(rows, sizes, **how):
    released = held(rows, sizes, **how)
    return insiders(released, lowerings(released, Watch()), Exclusions.none())


def test_the_other_of_a_pair_has_another_value():
    found = learned([(0, None), (0, None)], (2, 2))
    assert (found["cells"], found["determined"]) == (2, 2)
    found = learned([(0, None), (0, None)], (2, 3))
    assert (found["cells"], found["determined"]) == (2, 0)
    found = learned([(0, None), (0, None)], (2, 2), closed=False)
    assert (found["cells"], found["determined"]) == (2, 0)


def test_in_larger_classes_it_takes_all_others():
    found = learned([(0, None)] * 3, (2, 2))
    assert (found["cells"], found["determined"]) == (0, 0)
    assert found["by_size"] == [{"size": 3, "cells": 3, "determined": 3}]


def test_columns_that_go_together_tell_of_both_only():
    found = learned([(None, None), (None, None)], (2, 2), vectors=[(0, 0), (1, 1)])
    assert (found["cells"], found["together"]) == (0, 1)
