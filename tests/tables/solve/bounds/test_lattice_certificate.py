"""Cuts over the whole lattice written down: what they name is named once, and they are worth what was proven."""

from __future__ import annotations

import json

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.bounds.certificate import by_prices
from incrowd.tables.solve.bounds.column_generation import Pricing
from incrowd.tables.solve.bounds.lattice_certificate import by_lattice_cuts
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.verify.bound.certificate import recheck
from oracles.lattice_cuts import extent, worth
from oracles.problems import alike_problem, as_table


def proofs(count):
    """Problems whose bound rests on cuts: the cost of a release, the bound with its proof, and what is written."""
    for seed in range(count):
        problem = alike_problem(np.random.default_rng([211, seed]), ("forbid", "suppress")[seed % 2])
        first, encoded = Greedy().solve(problem, Watch()), encode(problem)
        pricing = Pricing(problem, encoded, first.plan, first.bound)
        pricing.round(Watch())
        pricing.cut(list_instances(problem, encoded), Watch())
        if pricing.proof is not None:
            cost = first.plan.cost(problem)
            written = by_lattice_cuts(problem, cost, pricing.bound, pricing.proof)
            yield problem, cost, pricing, json.loads(json.dumps(written))


def test_it_is_the_certificate_of_its_prices_with_one_leaf_of_cuts_beside_them():
    met = 0
    for problem, cost, pricing, written in proofs(16):
        proof = pricing.proof
        alone = by_prices(problem, cost, pricing.bound, proof.prices, pricing.parts)
        (tree,) = written["trees"]
        assert {**written, "trees": []} == json.loads(json.dumps(alone))
        assert [c for c, _ in tree["tree"]["weights"]] == list(range(len(tree["cuts"])))
        assert [weight for _, weight in tree["tree"]["weights"]] == list(proof.weights)
        assert [cut["kind"] for cut in tree["cuts"]] == [cut.kind for cut in proof.cuts]
        named = [(tuple(name[:-1]), extent(problem, name[:-1], name[-1])) for name in tree["instances"]]
        assert len(set(named)) == len(named)
        met += 1
    assert met > 3


def test_it_is_worth_what_was_proven_to_a_plain_recount_and_to_the_check():
    for problem, cost, pricing, written in proofs(16):
        assert worth(problem, written["prices"], pricing.parts, written["trees"][0]) == pricing.proof.value
        found = recheck(as_table(problem), written, cost)
        assert found.proven and found.lower_bound >= pricing.bound.value
