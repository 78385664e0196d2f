"""The greedy is Algorithm 1, wherever its row types lie."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest

from incrowd.errors import Infeasible
from oracle import greedy
from oracle.tables import MASKS, drawn
from properties.asking import ask, held, rows_of
from seeds import how_many


@pytest.mark.parametrize("outliers", ["forbid", "suppress"])
def test_its_groups_are_those_of_algorithm_1(outliers):
    alike = 0
    for seed in range(how_many(150, 4)):
        rng = random.Random(f"greedy {seed}")
        mask = rng.choice((None, {"max_stars": 2}, {"together": [["a", "b"]]}, {"at_most_one": [["a", "c"]]}))
        asked = drawn(
            f"greedy {seed}", rows=(12, 40), columns=4, values=4, k=rng.choice((2, 3, 4)), copies=0.4, outliers=outliers,
            mask=mask, weights=rng.choice(({}, {"a": 2, "b": "1/2"})),
        )  # fmt: skip
        made, left = greedy.groups(asked)
        cost = held(asked, ask(asked, "greedy"))
        before = greedy.cost(asked, made)
        stars = sum(asked.row_cost(asked.cells[i], asked.heights) for i in left)
        if not left or outliers == "suppress":
            alike += 1
            assert cost == before + stars
        else:
            assert cost > before
            assert cost <= before + stars + asked.k * asked.row_cost(asked.cells[0], asked.heights)
    assert alike > 2


@pytest.mark.parametrize("solver", ["greedy", "auto"])
def test_row_types_in_the_engine_give_a_release_too_and_the_greedy_the_same_one(solver):
    for seed in range(solver == "auto", how_many(40, 1) + (solver == "auto")):
        rng = random.Random(f"engine {seed}")
        asked = drawn(
            f"engine {seed}", rows=(30, 60), columns=3, values=6, k=rng.choice((2, 3, 5)), copies=0.3,
            outliers=rng.choice(("forbid", "suppress")), mask=rng.choice((None, *MASKS[:6])),
            hierarchies=None if seed % 2 else ["a"], weights=rng.choice(({}, {"b": 2})), nulls=seed % 10 == 3,
        )  # fmt: skip
        try:
            there = ask(asked, solver, types_in_memory=1, work=500)
        except Infeasible:
            continue
        cost = held(asked, there)
        assert there.facts["types_in_engine"]
        here = ask(asked, "greedy")
        if solver == "greedy":
            assert Counter(rows_of(there.table)[1]) == Counter(rows_of(here.table)[1])
            assert there.exact_lower_bound == here.exact_lower_bound
        else:
            assert cost <= here.exact_cost
            assert there.exact_lower_bound <= min(cost, here.exact_cost)


def test_its_bound_is_that_of_every_row_in_its_cheapest_crowd():
    for seed in range(how_many(60, 2)):
        asked = drawn(f"per row {seed}", rows=(12, 30), columns=4, k=3, copies=0.2, hierarchies=[None, ["a"]][seed % 2])
        release = ask(asked, "mondrian")
        assert release.exact_lower_bound == Fraction(asked.per_row())
