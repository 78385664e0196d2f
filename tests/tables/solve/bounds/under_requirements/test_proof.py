"""The certificate of a bound under requirements: what it names, and what it never holds."""

from __future__ import annotations

import json

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.count_rules import Family
from incrowd.tables.solve.bounds.under_requirements import layout
from incrowd.tables.solve.bounds.under_requirements.prices import PricedRequirements, by_requirements
from incrowd.tables.values import Bound
from oracles.required import FAMILIES, random_required
from seeds import seeds


@seeds(160, 32)
def test_multipliers_name_an_instance_a_requirement_and_values_of_its_column(seed):
    rng = np.random.default_rng([53, seed])
    problem = random_required(rng, FAMILIES[seed % len(FAMILIES)], rows=9)
    found = layout.instances_of(problem, watch=Watch(), most_pairs=10**6)
    prices = PricedRequirements(problem, found, 4 * rng.random(problem.types.t), 40, below=1)
    for _ in range(12):
        prices.step(Watch())
    proof = prices.proof()
    bound = Bound(prices.bound(proof), prices.bound(proof), "prices")
    written = by_requirements(problem, prices.instances, 40, bound, proof)
    assert json.loads(json.dumps(written)) == written
    assert written["version"] == 2
    assert written["requirements"] == [asked.rule for asked in problem.requirements]
    assert len(written["prices"]) == written["row_types"] == problem.types.t
    m = problem.types.m
    rules = dict(layout.rules_of(problem))
    named = set()
    for entry in written["multipliers"]:
        *vector, name, place = entry[: m + 2]
        numbers = entry[m + 2 :]
        assert (tuple(vector), name, place) not in named
        named.add((tuple(vector), name, place))
        assert problem.patterns.allows(tuple(vector))
        values, rule = problem.sensitive.sizes[0], rules[place]
        if rule.family == Family.SHARES:
            assert all(0 <= v < max(problem.sensitive.sizes) for v in numbers[::2])
            assert all(mu > 0 for mu in numbers[1::2])
        elif rule.family in layout.CLOSE and len(problem.sensitive.names) == 1:
            assert len(numbers) == 1 + values


def test_every_part_of_the_value_is_counted_in_whole_numbers():
    rng = np.random.default_rng(5)
    problem = random_required(rng, "frequency", rows=9)
    found = layout.instances_of(problem, watch=Watch(), most_pairs=10**6)
    prices = PricedRequirements(problem, found, np.ones(problem.types.t), 40, below=1)
    prices.step(Watch())
    proof = prices.proof()
    assert isinstance(proof.value, int)
    assert prices.bound(proof) * proof.parts >= proof.value
    assert (prices.bound(proof) - prices.unit) * proof.parts < proof.value
