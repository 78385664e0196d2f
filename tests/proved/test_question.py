"""What is handed to the program is the table, the policy and the claim, number by number."""

import numpy as np

from incrowd.proved.requirements import Required
from incrowd.tables.values import Problem
from incrowd.tables.verify.requirements.rules import Distinct
from oracles.pattern_lists import PatternList
from oracles.problems import as_table, star_levels, types_of
from proved.asked import question


def small():
    types = types_of(np.array([[0, 0], [0, 1], [0, 1]]))
    return as_table(Problem(types, star_levels(types), PatternList([1, 1]), 2, "suppress"))


def numbers(text):
    return [[int(one) for one in line.split()] for line in text.splitlines()]


def test_a_table_alone_is_written_as_the_program_reads_it():
    assert numbers(question(small()).text()) == [
        [2, 1, 2],  # k, whether rows of stars alone need no crowd, columns
        [1, 2], [1, 0, 0, 1],  # a value at two levels: itself at no cost, the star at 1
        [2, 2], [1, 0, 0, 1], [2, 0, 0, 1],
        [4], [0, 0], [0, 1], [1, 0], [1, 1],  # what the mask allows
        [3], [0, 0, 0], [0, 1, 0], [0, 1, 0],  # rows, each with the number of its other columns
        [0], [0], [0],  # nothing required, claimed or released
    ]  # fmt: skip


def test_a_claim_and_a_release_come_after_it():
    asked = question(
        small(), {"parts": 3, "prices": [1, 2]}, released=np.array([[1, 0, 0]] * 3), vectors=[(0, 1)] * 3,
        required=Required([(Distinct(code=np.array([0]), totals=np.array([3]), least=2),)], np.array([0])),
    )  # fmt: skip
    assert numbers(asked.text())[-10:] == [
        [1], [1, 1, 0, 2],  # one requirement: of numbers of values, what each number of other columns holds, at least 2
        [1, 3, 2, 1, 2, 0, 0],  # prices, in thirds; neither components nor trees
        [1, 3], *[[1, 0, 0]] * 3, *[[0, 1]] * 3,
    ]  # fmt: skip
