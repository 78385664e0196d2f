from __future__ import annotations

import networkx as nx
import numpy as np

from incrowd.tables.solve.shared.components import labels, split
from incrowd.tables.solve.shared.instances import list_instances
from oracles.problems import random_problem
from seeds import scaled


def test_parts_share_no_instance_but_the_fully_suppressed_one_and_hold_everything():
    several = 0
    for seed in range(scaled(120)):
        instances = list_instances(random_problem(np.random.default_rng([50, seed])))
        graph = nx.empty_graph(instances.t)
        groups = np.split(instances.members, instances.begins[1:-1]) if instances.size else []
        for g, members in enumerate(groups):
            if g != instances.hub:
                nx.add_path(graph, members.tolist())
        wanted = sorted(nx.connected_components(graph), key=min)
        label = labels(instances)
        assert [set(np.flatnonzero(label == c).tolist()) for c in range(len(wanted))] == wanted
        parts = split(instances, label)
        assert [set(part.types.tolist()) for part in parts] == wanted
        assert sorted(np.concatenate([part.places for part in parts]).tolist()) == list(range(instances.pairs))
        for part in parts:
            own = part.instances
            assert (part.types[own.members] == instances.members[part.places]).all()
            assert (part.ids[own.owners] == instances.owners[part.places]).all()
            assert (own.costs == instances.costs[part.ids]).all() and (own.needs == instances.needs[part.ids]).all()
            assert own.hub == -1 or part.ids[own.hub] == instances.hub
        several += len(parts) > 1
    assert several > scaled(10)
