"""A bound written down: a stranger finds what the prices are worth, and every cut says in words what it says in arrays."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from math import ceil

import numpy as np

from incrowd.milp import Linear
from incrowd.tables.solve.bounds.certificate import NAME, VERSION, by_prices, written_cut
from incrowd.tables.solve.bounds.cuts import counting
from incrowd.tables.solve.bounds.cuts.flow import separate_flows
from incrowd.tables.solve.shared.instances import common_step, list_instances
from incrowd.tables.solve.shared.strong_formulation import strong
from incrowd.tables.values import Bound
from incrowd.tables.verify.bound.certificate import recheck
from oracles.brute_force import optimum
from oracles.lattice_cuts import cut_terms
from oracles.pricing import lagrangian
from oracles.problems import alike_problem, as_table, random_problem
from seeds import how_many


def test_prices_are_worth_to_a_stranger_what_counting_row_by_row_says_and_not_a_step_more():
    proven = 0
    for seed in range(how_many(300, 30)):
        rng = np.random.default_rng([201, seed])
        problem = random_problem(rng, rows=int(rng.integers(2, 7)))
        least, parts = optimum(problem), int(rng.integers(1, 5))
        if least is None:
            continue
        prices = rng.integers(0, 4 * parts, problem.types.t)
        step = common_step([level.cost for level in problem.levels])
        worth = lagrangian(problem, [Fraction(int(price), parts) for price in prices])
        value = max(ceil(worth / step) * step, 0)
        for claim in (value, value + step):
            written = by_prices(problem, least, Bound(claim, claim, "drawn"), prices, parts)
            assert (written["certificate"], written["version"]) == (NAME, VERSION)
            found = recheck(as_table(problem), json.loads(json.dumps(written)), least)
            assert found.proven == (claim == value)
        proven += value > 0
    assert proven


def cuts_of(seed):
    """A list, and cuts that the point of its linear program breaks."""
    rng = np.random.default_rng([202, seed])
    problem = alike_problem(rng, "suppress")
    instances = list_instances(problem)
    model = strong(instances)
    x = Linear(model.program).solve().x
    u = np.ones(instances.size)
    u[model.crowd] = x[instances.pairs :]
    x = x[: instances.pairs]
    cuts = counting.separate(instances, problem.k, x, u, least=0.01)
    return problem, instances, cuts + separate_flows(instances, problem.k, x, u, least=0.01)


def test_a_cut_in_words_is_the_cut_in_arrays_at_every_point():
    kinds = set()
    for seed in range(40):
        problem, instances, cuts = cuts_of(seed)
        rng = np.random.default_rng(seed)
        opened, rows = rng.integers(0, 2, instances.size), rng.integers(0, 5, instances.pairs)
        lists = [instances.members[a:b].tolist() for a, b in itertools.pairwise(instances.begins)]
        place = {
            pair: at for at, pair in enumerate(zip(instances.owners.tolist(), instances.members.tolist(), strict=True))
        }
        for cut in cuts:
            names = {}
            written = written_cut(cut, instances, np.arange(instances.t), lambda g, n=names: n.setdefault(g, len(n)))
            written = json.loads(json.dumps(written))
            own = list(names)  # what the words call 0, 1, ...
            named = [(tuple(instances.vectors[g].tolist()), tuple(lists[g])) for g in own]
            constant, opens, pairs = cut_terms(problem, written, cut.divisor, named)
            said = constant + sum(amount * int(opened[own[g]]) for g, amount in opens.items())
            said += sum(amount * int(rows[place[own[g], i]]) for (g, i), amount in pairs.items())
            meant = int((np.asarray(cut.opens) * opened[cut.instances]).sum() - cut.side) * cut.divisor
            assert said == meant + int((np.asarray(cut.value) * rows[cut.pairs]).sum())
            kinds.add(cut.kind)
    assert {"T", "C", "S", "F"} <= kinds
