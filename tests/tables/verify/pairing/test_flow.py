"""The flow against SciPy's and against trying everything, and its start against traps."""

import itertools

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from incrowd.tables.verify.pairing import flow as assign
from incrowd.tables.verify.pairing.flow import unmet
from seeds import seeds


def csr(neighbours):
    start = np.append(0, np.cumsum([len(n) for n in neighbours])).astype(np.int64)
    return start, np.array([o for n in neighbours for o in n], np.int32)


def short(supply, demand, neighbours):
    start, adjacent = csr(neighbours)
    return unmet(np.array(supply, np.int64), np.array(demand, np.int64), start, adjacent)[0]


def without(supply, demand, neighbours):
    start, adjacent = csr(neighbours)
    return unmet(np.array(supply, np.int64), np.array(demand, np.int64), start, adjacent)[1]


def scipy_flow(supply, demand, neighbours):
    a, b = len(supply), len(demand)
    capacity = np.zeros((a + b + 2, a + b + 2), np.int32)
    capacity[0, 2 : 2 + a] = supply
    capacity[2 + a :, 1] = demand
    for r, near in enumerate(neighbours):
        capacity[[2 + o for o in near], 2 + a + r] = 10**6
    return maximum_flow(csr_array(capacity), 0, 1).flow_value


def halls_bound(supply, demand, neighbours):
    """The most that any set of takers lacks (König and Hall): the deficiency, by trying every set."""
    worst = 0
    for size in range(len(demand) + 1):
        for some in itertools.combinations(range(len(demand)), size):
            near = set().union(*(neighbours[r] for r in some))
            worst = max(worst, sum(demand[r] for r in some) - sum(supply[o] for o in near))
    return worst


def an_instance(random, most):
    a, b = random.integers(1, most, 2)
    supply, demand = random.integers(1, 5, a), random.integers(1, 5, b)
    dense = random.random()
    return supply, demand, [np.flatnonzero(random.random(a) < dense).tolist() for _ in range(b)]


def test_unmet_demand_is_the_worst_lack_of_any_set_of_takers():
    random = np.random.default_rng(1)
    for _ in range(300):
        supply, demand, neighbours = an_instance(random, 8)
        assert short(supply, demand, neighbours).sum() == halls_bound(supply, demand, neighbours)


@pytest.mark.parametrize("most", [12, 60])
def test_met_demand_is_the_maximum_flow_of_scipy(most):
    random = np.random.default_rng(most)
    for _ in range(200):
        supply, demand, neighbours = an_instance(random, most)
        met = demand.sum() - short(supply, demand, neighbours).sum()
        assert met == scipy_flow(supply, demand, neighbours)


def test_unmet_demand_is_within_the_demand():
    random = np.random.default_rng(3)
    for _ in range(100):
        supply, demand, neighbours = an_instance(random, 20)
        left = short(supply, demand, neighbours)
        assert (left >= 0).all()
        assert (left <= demand).all()


def test_who_goes_without_in_some_greatest_assignment_is_who_may_ask_for_less_at_no_loss():
    random = np.random.default_rng(4)
    for _ in range(150):
        supply, demand, neighbours = an_instance(random, 8)
        most = scipy_flow(supply, demand, neighbours)
        less = [scipy_flow(supply, demand - (np.arange(len(demand)) == r), neighbours) for r in range(len(demand))]
        assert without(supply, demand, neighbours).tolist() == [flow == most for flow in less]


@pytest.mark.order
def test_who_goes_without_does_not_hang_on_the_order_of_givers_and_takers(repeats):
    random = np.random.default_rng(5)
    for _ in range(5 * repeats):
        supply, demand, neighbours = an_instance(random, 12)
        g, t = random.permutation(len(supply)), random.permutation(len(demand))
        place = np.argsort(g)
        moved = [random.permutation([int(place[o]) for o in neighbours[r]]).astype(int).tolist() for r in t]
        assert without(supply[g], demand[t], moved).tolist() == without(supply, demand, neighbours)[t].tolist()


@seeds(20)
def test_a_hidden_assignment_is_found_among_decoys(seed):
    random = np.random.default_rng(seed)
    a, b = 150, 100
    hidden = random.integers(0, 3, (b, a)) * (random.random((b, a)) < 0.05)
    hidden[random.integers(0, b, a), np.arange(a)] += 1
    hidden[np.arange(b), random.integers(0, a, b)] += 1
    decoys = random.random((b, a)) < random.choice([0.0, 0.02, 0.1])
    neighbours = [np.flatnonzero(row).tolist() for row in (hidden > 0) | decoys]
    assert not short(hidden.sum(axis=0), hidden.sum(axis=1), neighbours).any()


def test_long_chains_are_followed_to_their_end():
    # two cycles' worth of takers that share givers pairwise; the only spare giver is at the far end
    n = 2000
    neighbours = [[i, i + 1] for i in range(n)] + [[0, 1]]
    assert not short([1] * (n + 1), [1] * (n + 1), neighbours).any()
    assert short([1] * n + [0], [1] * (n + 1), neighbours).sum() == 1


def test_a_full_pool_of_parts_grows_and_loses_nothing(monkeypatch):
    states = []
    phase = assign._phase
    monkeypatch.setattr(assign, "SPARE", 1)
    monkeypatch.setattr(assign, "_phase", lambda *args: states.append(phase(*args)) or states[-1])
    random = np.random.default_rng(5)
    for _ in range(30):
        a = b = 60
        neighbours = [sorted(random.choice(a, 20, replace=False).tolist()) for _ in range(b)]
        supply, demand = random.integers(50, 500, a), random.integers(50, 500, b)
        met = demand.sum() - short(supply, demand, neighbours).sum()
        assert met == scipy_flow(supply, demand, neighbours)
    assert assign.FULL in states


def test_nobody_asks_for_nothing():
    assert short([], [], []).size == 0
    assert short([3], [], []).size == 0
    assert short([], [2], [[]]).tolist() == [2]
