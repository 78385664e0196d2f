"""Time the network measures: profiles, yardsticks, exact levels against an integer program, attackers, limits, reading.

    python benchmarks/networks.py [--data DIR] [--large] [--only profile,yardsticks,...]

DIR (or INCROWD_DATA) holds ``networks/*.edges.gz``. CPU seconds of one thread, loops compiled; ``--large`` adds 10^6
nodes. Single searches and all-pairs searches of igraph and NetworKit stand beside ours where they are installed.
"""

from __future__ import annotations

import argparse
import importlib
import math
import os
import tempfile
import time
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
from run import head, show

from incrowd import networks
from incrowd.kernels.networks.bfs import bfs
from incrowd.loops import forced

if TYPE_CHECKING:
    from collections.abc import Callable

    from incrowd.networks import Graph


def _attachment(n: int, rng: np.random.Generator, links: int) -> np.ndarray:
    """Preferential attachment by copying an end of a random earlier link."""
    ends = np.empty((n * links, 2), np.int64)
    ends[:, 0] = np.repeat(np.arange(n), links)
    flat = ends.reshape(-1)
    pick = rng.random(n * links)
    seed = links + 1
    ends[: seed * links, 1] = (ends[: seed * links, 0] + 1 + np.tile(np.arange(links), seed)) % seed
    for i in range(seed * links, n * links):
        flat[2 * i + 1] = flat[int(pick[i] * (2 * (i - i % links)))]
    return ends


def _power_law(n: int, rng: np.random.Generator) -> np.ndarray:
    """Draw a power law by the configuration model, exponent 2.5, least degree 1."""
    degree = np.minimum(np.floor((1 - rng.random(n)) ** (-1 / 1.5)).astype(np.int64), n // 4)
    stubs = np.repeat(np.arange(n), degree)
    rng.shuffle(stubs)
    return stubs[: stubs.size // 2 * 2].reshape(-1, 2)


def _small_world(n: int, rng: np.random.Generator) -> np.ndarray:
    """Watts-Strogatz, ten neighbours, a tenth of the links moved."""
    u = np.repeat(np.arange(n), 5)
    v = (u + np.tile(np.arange(1, 6), n)) % n
    moved = rng.random(u.size) < 0.1
    v[moved] = rng.integers(0, n, int(moved.sum()))
    return np.stack([u, v], axis=1)


def _grid(n: int, rng: np.random.Generator) -> np.ndarray:
    """Square lattice."""
    i = np.arange(round(n**0.5) ** 2).reshape(round(n**0.5), -1)
    ends = [(i[:, :-1], i[:, 1:]), (i[:-1], i[1:])]
    return np.concatenate([np.stack([a.ravel(), b.ravel()], 1) for a, b in ends])


def _percolated(n: int, rng: np.random.Generator) -> np.ndarray:
    """Square lattice of which 70 % of the links are left."""
    ends = _grid(n, rng)
    return ends[rng.random(len(ends)) < 0.7]


def _geometric(n: int, rng: np.random.Generator) -> np.ndarray:
    """Random geometric graph in the unit square, average degree 10."""
    from scipy.spatial import cKDTree

    return cKDTree(rng.random((n, 2))).query_pairs((10 / np.pi / n) ** 0.5, output_type="ndarray")


FAMILIES: dict[str, Callable[[int, np.random.Generator], np.ndarray]] = {
    "random": lambda n, rng: rng.integers(0, n, (5 * n, 2)),  # Erdos-Renyi, average degree 10
    "attachment": lambda n, rng: _attachment(n, rng, 5),
    "small world": _small_world,
    "power law": _power_law,
    "tree": lambda n, rng: _attachment(n, rng, 1),
    "grid": _grid,
    "percolated grid": _percolated,
    "geometric": _geometric,
}
LARGE = ("random", "attachment", "small world", "power law", "tree", "grid")


def make(name: str, n: int, seed: int = 1) -> Graph:
    """Return the largest component of a network of the family `name` with `n` nodes."""
    return networks.read(FAMILIES[name](n, np.random.default_rng(seed)), component="largest")


def cpu(work: Callable[..., Any], *words: Any, runs: int = 1, **more: Any) -> tuple[float, Any]:
    """Return the CPU seconds of this process, the least of some runs, and the result."""
    least = math.inf
    for _ in range(runs):
        began = time.process_time()
        result = work(*words, **more)
        least = min(least, time.process_time() - began)
    return least, result


def real(data: Path | None, *names: str) -> list[tuple[str, Graph]]:
    """Return real networks by name, all of them without names."""
    if data is None:
        return []
    paths = [data / "networks" / f"{name}.edges.gz" for name in names] or sorted((data / "networks").glob("*.edges.gz"))
    return [(path.name.split(".")[0], networks.read(path)) for path in paths]


def profile(large: bool, data: Path | None) -> None:
    """Whole exact profile by family and size, and of the real networks; memory beside the edges."""
    head("network", "nodes", "edges", "ADIM", "its attackers", "searches", "s", "bytes a node")
    sizes = [(name, n) for name in FAMILIES for n in (1000, 10_000, 100_000)]
    sizes += [(name, 1_000_000) for name in LARGE] if large else []
    for name, graph in [*((name, make(name, n)) for name, n in sizes), *real(data)]:
        seconds, found = cpu(networks.profile, graph, runs=3)
        assert found.optimal
        searches = [*found.method.partition("(")[2].split(), "0"][0]
        tracemalloc.start()
        networks.profile(graph)
        memory = tracemalloc.get_traced_memory()[1] - graph.indices.nbytes
        tracemalloc.stop()
        share = f"{memory / graph.nodes:.0f}"
        show(name, graph.nodes, graph.edges, found.k, found.attackers, searches, f"{seconds:.4f}", share)


def intervals(large: bool, data: Path | None) -> None:
    """Exactly k beyond the distance matrix."""
    head("network", "nodes", "k", "attackers", "status", "s")
    for name, n, k in (("tree", 100_000, 162), ("power law", 100_000, 292), ("attachment", 100_000, 701)):
        graph = make(name, n)
        seconds, found = cpu(networks.antidimension, graph, exactly=k, time_limit=10)
        bounds = f"{found.lower_bound} to {found.upper_bound}"
        show(name, graph.nodes, k, bounds, found.status, f"{seconds:.2f}")


def yardsticks(large: bool, data: Path | None) -> None:
    """One search and all searches of the libraries, against our whole profile."""
    head(
        "network",
        "nodes",
        "one search, ms: ours",
        "igraph",
        "NetworKit",
        "all pairs, s: igraph",
        "NetworKit",
        "profile",
    )
    for name in ("random", "attachment", "grid"):
        for n in (10_000, 100_000):
            graph = make(name, n)
            edges = np.stack([np.repeat(np.arange(graph.nodes), graph.degrees), graph.indices], 1)
            edges = edges[edges[:, 0] < edges[:, 1]]
            dist, queue = np.empty(graph.nodes, np.int32), np.empty(graph.nodes, np.int32)
            searches = [
                lambda s, graph=graph, dist=dist, queue=queue: bfs(graph.indptr, graph.indices, s, dist, queue),
                *(search(edges, graph.nodes) for search in (igraph_search, networkit_search)),
            ]
            each = [
                math.nan if one is None else cpu(lambda one=one: [*map(one, range(20))])[0] / 20 for one in searches
            ]
            seconds, _ = cpu(networks.profile, graph, runs=3)
            every = [f"{one * graph.nodes:.0f}" for one in each[1:]]
            show(name, graph.nodes, *(f"{one * 1e3:.2f}" for one in each), *every, f"{seconds:.4f}")


def imported(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def igraph_search(edges: np.ndarray, n: int) -> Callable[[int], Any] | None:
    igraph = imported("igraph")
    graph = igraph and igraph.Graph(n=n, edges=edges)
    return graph and (lambda s: graph.distances(source=s))


def networkit_search(edges: np.ndarray, n: int) -> Callable[[int], Any] | None:
    networkit = imported("networkit")
    if networkit is None:
        return None
    networkit.setNumberOfThreads(1)
    graph = networkit.Graph(n)
    for a, b in edges.tolist():
        graph.addEdge(a, b)
    return lambda s: networkit.distance.BFS(graph, s, storePaths=False).run()


def literal(large: bool, data: Path | None) -> None:
    """Algorithm II as the paper states it, plainly, against the sweep that gives every k."""
    head("network", "nodes", "Algorithm II, s", "profile, s", "times")
    for name, n in (("random", 200), ("attachment", 200), ("tree", 200), ("random", 400)):
        graph = make(name, n)
        slow, stated = cpu(networks.antidimension, graph, method="algorithm-2")
        fast, found = cpu(networks.profile, graph, runs=5)
        assert found.k == stated.k
        show(name, graph.nodes, f"{slow:.2f}", f"{fast:.5f}", f"{slow / fast:.0f}")


def exactly(large: bool, data: Path | None) -> None:
    """ADIM=k by closed sets, against an integer program solved by HiGHS; wall seconds."""
    head("network", "k", "attackers", "closed sets, s", "HiGHS, s", "times")
    miserables = nx.Graph(nx.les_miserables_graph().edges)
    instances = [("karate", nx.Graph(nx.karate_club_graph().edges), k) for k in (1, 3, 5, 7, 9)]
    instances += [("les miserables", miserables, 8)]
    instances += [(f"random {n}", nx.gnp_random_graph(n, 0.15, seed=3), k) for n, k in ((25, 2), (30, 2), (35, 3))]
    instances += [("tree 30", nx.random_labeled_tree(30, seed=1), 3)]
    for name, whole, k in instances:
        graph = networks.read(whole, component="largest")
        wall = time.perf_counter()
        found = networks.antidimension(graph, exactly=k)
        ours = time.perf_counter() - wall
        wall = time.perf_counter()
        theirs = integer_program(graph, k, 30.0)
        seconds = time.perf_counter() - wall
        # its presolve has called feasible programs infeasible: a "*", where our set passes the recount
        wrong = theirs not in (found.attackers, "time")
        assert not wrong or networks.check(graph, found.certificate()).ok
        late = ">" if theirs == "time" else "*" if wrong else ""
        show(name, k, found.attackers, f"{ours:.4f}", f"{late}{seconds:.2f}", f"{seconds / ours:.0f}")
    for name, graph in real(data, "karate", "sanjuansur", "jazz", "email-Eu-core", "urv-email"):
        top = networks.profile(graph).k
        wall = time.perf_counter()
        assert all(networks.antidimension(graph, exactly=k).optimal for k in range(1, top + 1))
        show(name, f"1 to {top}", "", f"{time.perf_counter() - wall:.4f}", "", "")


def integer_program(graph: Graph, k: int, limit: float) -> int | str | None:
    """ADIM=k for HiGHS: pairs left together, each node at least k - 1 companions, one of them exactly that many."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import coo_array

    n = graph.nodes
    dist = nx.floyd_warshall_numpy(nx.from_scipy_sparse_array(graph.matrix()))
    pairs = [(u, w) for u in range(n) for w in range(u + 1, n)]
    y = {pair: n + i for i, pair in enumerate(pairs)}
    z = n + len(pairs)
    rows: list[tuple[dict[int, float], float, float]] = []
    for (u, w), name in y.items():
        apart = [s for s in range(n) if dist[s, u] != dist[s, w]]  # u and w themselves among them
        rows += [({name: 1, s: 1}, -np.inf, 1) for s in apart]
        rows.append(({name: 1} | dict.fromkeys(apart, 1), 1, np.inf))
    for u in range(n):
        near = {y[min(u, w), max(u, w)]: 1.0 for w in range(n) if w != u}
        rows.append((near | {u: k - 1}, k - 1, np.inf))
        rows.append((near | {z + u: n}, -np.inf, k - 1 + n))
        rows.append(({z + u: 1, u: 1}, -np.inf, 1))
    rows.append((dict.fromkeys(range(z, z + n), 1.0), 1, np.inf))
    rows.append((dict.fromkeys(range(n), 1.0), 1, n - 1))
    at = [(i, j, v) for i, (row, _, _) in enumerate(rows) for j, v in row.items()]
    i, j, v = (np.array(x) for x in zip(*at, strict=True))
    matrix = coo_array((v, (i, j)), shape=(len(rows), z + n)).tocsr()
    low, high = (np.array([row[side] for row in rows]) for side in (1, 2))
    cost = np.append(np.ones(n), np.zeros(z))
    found = milp(
        cost, constraints=LinearConstraint(matrix, low, high), integrality=np.ones(z + n), bounds=Bounds(0, 1),
        options={"time_limit": limit},
    )  # fmt: skip
    return "time" if found.status == 1 else None if found.status == 2 else round(found.fun)


def attackers(large: bool, data: Path | None) -> None:
    """(k, l)-anonymity, mostly where it is not 1 at once; then risks and simulated attacks."""
    head("network", "nodes", "l", "k", "s")
    cases = [("complete 4-partite", networks.read(nx.complete_multipartite_graph(50, 50, 50, 50)), 2)]
    cases += [(name, make(name, 10_000), 2) for name in ("random", "attachment")]
    for n, size in ((300, 2), (1000, 2), (150, 3), *(((10_000, 2),) if large else ())):
        dense = np.argwhere(np.triu(np.random.default_rng(1).random((n, n), np.float32) < 0.5, 1))
        cases.append(("dense random", networks.read(dense), size))
    for name, graph, size in cases:
        seconds, found = cpu(networks.anonymity, graph, attackers=size)
        show(name, graph.nodes, size, f"{found.lower_bound} to {found.upper_bound}", f"{seconds:.3f}")
    for name, graph in real(data, "urv-email", "facebook_combined"):
        seconds, found = cpu(networks.risks, graph, attackers=10)
        print(f"risks of {name}, 10 random: {found.re_identified:.3f} in {seconds:.2f} s")
        seconds, attack = cpu(networks.simulate_attack, graph, trials=5)
        print(f"attacks on {name}: {attack.recovered} of 5 recovered in {seconds:.2f} s", flush=True)


def limits(large: bool, data: Path | None) -> None:
    """CPU seconds over a time limit, by the clock of the processor; a million edges (10^7 with --large)."""
    head("question", "edges", "limit", "seconds over it", "status")
    graph = make("random", 2_000_000 if large else 200_000)
    wall, time.perf_counter = time.perf_counter, time.process_time
    for question, more in {"profile": {}, "anonymity": {"attackers": 2}, "risks": {"attackers": 2}}.items():
        for limit in (0.5, 1.0, 3.0):
            seconds, found = cpu(getattr(networks, question), graph, time_limit=limit, **more)
            status = "proven" if getattr(found, "optimal", False) else "interval"
            show(question, graph.edges, limit, f"{max(seconds - limit, 0):.2f}", status)
    time.perf_counter = wall


def reading(large: bool, data: Path | None) -> None:
    """Edge lists from a file."""
    head("edges", "labels", "nodes", "s")
    rng = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        for edges in (1_000_000, 10_000_000) if large else (1_000_000,):
            ends = rng.integers(0, edges // 10, (edges, 2))
            path = Path(folder) / "edges.txt"
            for kind, mark in (("integers", ""), ("texts", "n")):
                path.write_text("\n".join(f"{mark}{a} {mark}{b}" for a, b in ends.tolist()))
                seconds, graph = cpu(networks.read, path)
                show(edges, kind, graph.nodes, f"{seconds:.2f}")


PARTS = {part.__name__: part for part in (profile, intervals, yardsticks, literal, exactly, attackers, limits, reading)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("INCROWD_DATA"), help="folder with networks/")
    parser.add_argument("--large", action="store_true", help="also 10^6 nodes and 10^7 edges")
    parser.add_argument("--only", default=",".join(PARTS), help="parts, separated by commas")
    chosen = parser.parse_args()
    with forced("compiled"):
        small = make("tree", 300)
        networks.antidimension(small, exactly=2)
        networks.anonymity(small, attackers=2)
        networks.risks(small, attackers=2)
        for name in chosen.only.split(","):
            print(f"\n{name}: {PARTS[name].__doc__}\n", flush=True)
            PARTS[name](chosen.large, chosen.data and Path(chosen.data))


if __name__ == "__main__":
    main()
