"""The curve of networks in several components, against all subsets."""

import random
import time
from itertools import pairwise

import numpy as np
import pytest

from incrowd import networks
from incrowd.networks.curve import steps_of, whole_curve
from incrowd.networks.options import NetworkOptions
from incrowd.progress import Watch
from networks.test_measure import graph_of
from oracles import networks as plain
from oracles.network_families import draw


def test_components_swept_apart_and_joined_are_the_curve_of_the_whole():
    for seed in range(12):
        rng = random.Random(seed)
        sizes = [rng.randint(1, 4) for _ in range(rng.randint(1, 3))]
        edges, at = [], 0
        for size in sizes:
            edges += [(at + rng.randrange(i), at + i) for i in range(1, size)]
            at += size
        if at < 3 or not edges:
            continue
        found = networks.read(edges)
        near = plain.adjacency(found.nodes, [(u, int(v)) for u in range(found.nodes)
                                             for v in found.indices[found.indptr[u]:found.indptr[u + 1]]])  # fmt: skip
        truth, _ = plain.curves(near)
        curve = whole_curve(found, 1, None, NetworkOptions(), Watch())
        known = {k: int(curve.upper[k]) for k in range(1, curve.upper.size) if curve.upper[k] < found.nodes}
        assert known == truth
        assert (curve.lower == curve.upper)[1:].all()
        steps = steps_of(curve, max(truth))
        assert {k: step.attackers for step in steps for k in range(step.first, step.last + 1)} == truth
        dist = plain.distances(near)
        assert all(plain.mu(dist, step.witness.tolist()) >= step.last for step in steps)


class Asked(Watch):
    """A watch whose time is over when it is asked the nth time."""

    def __init__(self, asks):
        super().__init__()
        self.asks = asks

    @property
    def stopped(self):
        self.asks -= 1
        return self.asks < 0


def test_wherever_the_time_ends_the_curve_is_an_interval_that_holds():
    rng = random.Random(7)
    cut = 0
    for asks in range(40):
        n, edges = draw(rng, 3, 40)
        found = networks.read(edges) if asks % 2 else graph_of(n, edges)
        n = found.nodes
        near = [found.indices[found.indptr[u] : found.indptr[u + 1]].tolist() for u in range(n)]
        exact = whole_curve(found, 1, None, NetworkOptions(), Watch())
        curve = whole_curve(found, 1, None, NetworkOptions(), Asked(asks // 4))
        dist = plain.distances(near)
        for k in range(1, n):
            low, high, members, decided = curve.interval(k)
            true = exact.interval(k)[1]
            assert low is None or true is None or low <= true
            assert high is None or (true is not None and true <= high == len(members))
            assert members is None or plain.mu(dist, members.tolist()) >= k
            assert not decided or high == true
            cut += not decided
    assert cut > 100


class Timed(Asked):
    """One that writes down when it is asked, in seconds of this process."""

    def __init__(self, asks):
        super().__init__(asks)
        self.times = []

    @property
    def stopped(self):
        self.times.append(time.process_time())
        return Asked.stopped.fget(self)


@pytest.mark.parametrize(("shape", "asks"), [("cycle", 12), ("path", 10**9), ("tree", 40)])
def test_long_networks_hear_within_two_seconds_that_the_time_is_over(shape, asks):
    n = 100_000
    nodes = np.arange(1, n)
    above = nodes - 1 if shape != "tree" else np.random.default_rng(5).integers(np.maximum(0, nodes - 5), nodes)
    ends = np.stack([above, nodes], 1)
    found = networks.read(np.concatenate([ends, [[0, n - 1]]]) if shape == "cycle" else ends)
    watch = Timed(asks)
    curve = whole_curve(found, 1, None, NetworkOptions(), watch)
    assert (curve.lower <= curve.upper).all()
    assert bool((curve.lower[1:] == curve.upper[1:]).all()) == (shape == "path")
    assert max(b - a for a, b in pairwise([*watch.times, time.process_time()])) < 2
