from __future__ import annotations

import importlib
import pkgutil

import networkx as nx

from incrowd import networks
from incrowd.kernels import networks as kernels
from incrowd.kernels.networks import warm


def signatures():
    found = {}
    by_kernels = {"spread", "mix", "absorb"}
    for module in pkgutil.iter_modules(kernels.__path__):
        kernel = importlib.import_module(f"{kernels.__name__}.{module.name}")
        called = {name: getattr(kernel, name) for name in kernel.__all__ if name not in by_kernels}
        found |= {(module.name, n): len(f.signatures) for n, f in called.items() if hasattr(f, "signatures")}
    return found


def test_warm_compiles_all_that_the_network_functions_call():
    warm.warm()
    before = signatures()
    assert len(before) > 25 and all(before.values())
    for whole in (
        nx.karate_club_graph(),
        nx.path_graph(300),
        nx.cycle_graph(12),
        nx.complete_graph(5),
        nx.empty_graph(3),
        nx.windmill_graph(3, 3),  # a cograph
        nx.Graph([*nx.star_graph(8).edges, (1, 2), (2, 9)]),  # one cycle
    ):
        networks.profile(whole)
        networks.antidimension(whole, at_least=2)
        networks.antidimension(whole, exactly=2)
        networks.anonymity(whole, attackers=3)
        networks.risks(whole, attackers=2, groups=3)
        networks.risks(whole, attackers=2, strategy="greedy")
        networks.simulate_attack(whole, trials=1)
        networks.classes(whole, [0])
    networks.read(b"0 1\n1 2\n3 4\n", component="largest")
    networks.read(b"a b\nb c\n")
    networks.read(nx.to_scipy_sparse_array(nx.path_graph(4)))
    networks.read(b"0 1\n1 999999999999\n")
    assert signatures() == before
