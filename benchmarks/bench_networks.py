"""Time the network measures: profiles, yardsticks, exact levels against an integer program, attackers, reading.

    python benchmarks/bench_networks.py [--data DIR] [--large] [--only profile,yardsticks,...]

DIR (or INCROWD_DATA) holds ``networks/*.edges.gz``. CPU seconds of one thread, compiled kernels warm; ``--large`` adds
10^6 nodes. Single searches and all-pairs searches of igraph and NetworKit stand beside ours where they are installed.
"""

from __future__ import annotations

import argparse
import math
import os
import tempfile
import time
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
from network_families import make
from warmed import warmed

from incrowd import networks
from incrowd.kernels.networks.bfs import bfs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from incrowd.networks import Graph

SIZES = {
    "random": (1_000, 10_000, 100_000),
    "attachment": (1_000, 10_000, 100_000),
    "small world": (1_000, 10_000, 100_000),
    "power law": (1_000, 10_000, 100_000),
    "tree": (1_000, 10_000, 100_000),
    "grid": (1_000, 10_000, 100_000),
    "percolated grid": (1_000, 10_000, 100_000),
    "geometric": (1_000, 10_000, 100_000),
}
LARGE = ("random", "attachment", "small world", "power law", "tree", "grid")


def cpu(work: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of this process and the result."""
    began = time.process_time()
    result = work()
    return time.process_time() - began, result


def profile(large: bool, data: Path | None) -> None:
    """Whole exact profile by family and size, and of the real networks; memory beside the edges."""
    print("family                 nodes      edges   ADIM   L(ADIM)  searches   cpu s   bytes/node")
    cases = [(name, n) for name, sizes in SIZES.items() for n in sizes]
    cases += [(name, 1_000_000) for name in LARGE] if large else []
    for name, n in cases:
        _one_profile(name, make(name, n))
    for path in sorted((data / "networks").glob("*.edges.gz")) if data else ():
        _one_profile(path.name.split(".")[0], networks.read(path))


def _one_profile(name: str, graph: Graph) -> None:
    seconds, found = min((cpu(lambda: networks.profile(graph)) for _ in range(3)), key=lambda x: x[0])
    assert found.optimal
    searches = [*found.method.partition("(")[2].split(), "0"][0]
    memory = _peak(lambda: networks.profile(graph)) - graph.indices.nbytes
    print(
        f"{name:20} {graph.nodes:8} {graph.edges:10} {found.k:6} {found.attackers:9} {searches:>9}"
        f" {seconds:9.4f} {memory / graph.nodes:8.0f}",
        flush=True,
    )


def intervals(large: bool, data: Path | None) -> None:
    """Exactly k beyond the distance matrix."""
    print("network            nodes      k   least attackers    status        cpu s")
    for name, n, k in (("tree", 100_000, 162), ("power law", 100_000, 292), ("attachment", 100_000, 701)):
        graph = make(name, n)
        seconds, found = cpu(lambda graph=graph, k=k: networks.antidimension(graph, exactly=k, time_limit=10))
        bounds = f"{found.lower_bound} to {found.upper_bound}"
        print(f"{name:14} {graph.nodes:9} {k:6} {bounds:>17} {found.status:>10} {seconds:12.2f}", flush=True)


def _peak(work: Callable[[], Any]) -> int:
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def yardsticks(large: bool, data: Path | None) -> None:
    """One search and all searches of the libraries, against our whole profile."""
    print(
        "family            nodes   one search, ms: ours   igraph  networkit |"
        " all pairs, s: igraph  networkit | profile s"
    )
    for name in ("random", "attachment", "grid"):
        for n in (10_000, 100_000):
            graph = make(name, n)
            edges = np.stack([np.repeat(np.arange(graph.nodes), graph.degrees), graph.indices], 1)
            edges = edges[edges[:, 0] < edges[:, 1]]
            row = [_ours(graph), *_igraph(edges, graph.nodes), *_networkit(edges, graph.nodes)]
            seconds = min(cpu(lambda graph=graph: networks.profile(graph))[0] for _ in range(3))
            ours, ig, ig_all, nk, nk_all = row
            print(
                f"{name:14} {graph.nodes:8} {ours * 1e3:23.2f} {ig * 1e3:8.2f} {nk * 1e3:10.2f} |"
                f" {ig_all:20.0f} {nk_all:10.0f} | {seconds:9.4f}",
                flush=True,
            )


def _ours(graph: Graph) -> float:
    dist, queue = np.empty(graph.nodes, np.int32), np.empty(graph.nodes, np.int32)
    return cpu(lambda: [bfs(graph.indptr, graph.indices, s, dist, queue) for s in range(20)])[0] / 20


def _igraph(edges: np.ndarray, n: int) -> tuple[float, float]:
    try:
        import igraph
    except ImportError:
        return math.nan, math.nan
    graph = igraph.Graph(n=n, edges=edges)
    one = cpu(lambda: [graph.distances(source=s) for s in range(20)])[0] / 20
    return one, one * n


def _networkit(edges: np.ndarray, n: int) -> tuple[float, float]:
    try:
        import networkit
    except ImportError:
        return math.nan, math.nan
    networkit.setNumberOfThreads(1)
    graph = networkit.Graph(n)
    for a, b in edges.tolist():
        graph.addEdge(a, b)
    one = cpu(lambda: [networkit.distance.BFS(graph, s, storePaths=False).run() for s in range(20)])[0] / 20
    return one, one * n


def literal(large: bool, data: Path | None) -> None:
    """Algorithm II as the paper states it, plainly, against the sweep that gives every k."""
    print("family            nodes  Algorithm II s   profile s   times")
    for name, n in (("random", 200), ("attachment", 200), ("tree", 200), ("random", 400)):
        graph = make(name, n)
        slow, literal = cpu(lambda graph=graph: networks.antidimension(graph, method="algorithm-2"))
        fast, found = min((cpu(lambda graph=graph: networks.profile(graph)) for _ in range(5)), key=lambda x: x[0])
        assert found.k == literal.k
        print(f"{name:14} {graph.nodes:8} {slow:15.2f} {fast:11.5f} {slow / fast:7.0f}", flush=True)


def exactly(large: bool, data: Path | None) -> None:
    """ADIM=k by closed sets, against an integer program solved by HiGHS."""
    print("instance               k   attackers   closed sets s   HiGHS s   times")
    miserables = nx.les_miserables_graph()
    for u, v in miserables.edges:
        miserables[u][v].clear()
    instances: list[tuple[str, Any, int]] = [
        ("karate", nx.Graph(nx.karate_club_graph().edges), k) for k in (1, 3, 5, 7, 9)
    ]
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
        late = ">" if theirs == "time" else "*" if wrong else " "
        print(
            f"{name:18} {k:6} {found.attackers!s:>10} {ours:15.4f} {late}{seconds:8.2f} {seconds / ours:8.0f}",
            flush=True,
        )
    for path in _real(data, ("karate", "sanjuansur", "jazz", "email-Eu-core", "urv-email")):
        graph = networks.read(path)
        top = networks.profile(graph).k
        wall = time.perf_counter()
        answers = [networks.antidimension(graph, exactly=k) for k in range(1, top + 1)]
        assert all(a.optimal for a in answers)
        print(f"{path.name.split('.')[0]:18} 1..{top:<3} {'':>8} {time.perf_counter() - wall:15.4f}", flush=True)


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
    cost = np.zeros(z + n)
    cost[:n] = 1
    found = milp(
        cost,
        constraints=LinearConstraint(matrix, low, high),
        integrality=np.ones(z + n),
        bounds=Bounds(0, 1),
        options={"time_limit": limit},
    )
    if found.status == 1:
        return "time"
    return None if found.status == 2 else round(found.fun)


def attackers(large: bool, data: Path | None) -> None:
    """(k, l)-anonymity, mostly where it is not 1 at once, and the graded risks."""
    print("network                 nodes  l   k                cpu s")
    for n, size in ((300, 2), (1000, 2), (150, 3), *(((10_000, 2),) if large else ())):
        _one_anonymity("dense random", networks.read(_dense(n)), size)
    _one_anonymity("complete 4-partite", networks.read(nx.complete_multipartite_graph(50, 50, 50, 50)), 2)
    for name in ("random", "attachment"):
        _one_anonymity(name, make(name, 10_000), 2)
    for path in _real(data, ("urv-email", "facebook_combined")):
        graph = networks.read(path)
        seconds, found = cpu(lambda graph=graph: networks.risks(graph, attackers=10))
        print(f"risks of {path.name.split('.')[0]:18} 10 random: {found.re_identified:.3f} {seconds:8.2f}")
        seconds, attack = cpu(lambda graph=graph: networks.simulate_attack(graph, trials=5))
        print(f"attacks on {path.name.split('.')[0]:18} recovered {attack.recovered} of 5 {seconds:8.2f}", flush=True)


def _dense(n: int) -> np.ndarray:
    """Edges of a random graph, every pair with probability one half."""
    return np.argwhere(np.triu(np.random.default_rng(1).random((n, n), np.float32) < 0.5, 1))


def _one_anonymity(name: str, graph: Graph, size: int) -> None:
    seconds, found = cpu(lambda: networks.anonymity(graph, attackers=size))
    print(f"{name:20} {graph.nodes:8} {size:2} {found.lower_bound}..{found.upper_bound} {seconds:20.3f}", flush=True)


def reading(large: bool, data: Path | None) -> None:
    """Edge lists from a file."""
    rng = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        for edges in (1_000_000, 10_000_000) if large else (1_000_000,):
            ends = rng.integers(0, edges // 10, (edges, 2))
            path = Path(folder) / "edges.txt"
            for kind, mark in (("integers", ""), ("texts", "n")):
                path.write_text("\n".join(f"{mark}{a} {mark}{b}" for a, b in ends.tolist()))
                seconds, graph = cpu(lambda path=path: networks.read(path))
                print(f"{edges:9} edges of {kind:8} {graph.nodes:8} nodes {seconds:8.2f} s", flush=True)


def _real(data: Path | None, names: tuple[str, ...]) -> Iterator[Path]:
    for name in names if data else ():
        assert data is not None
        yield data / "networks" / f"{name}.edges.gz"


PARTS = {
    "profile": profile,
    "intervals": intervals,
    "yardsticks": yardsticks,
    "literal": literal,
    "exactly": exactly,
    "attackers": attackers,
    "reading": reading,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("INCROWD_DATA"), help="folder that holds networks/")
    parser.add_argument("--large", action="store_true", help="also 10^6 nodes and 10^7 edges")
    parser.add_argument("--only", default=",".join(PARTS), help="parts, separated by commas")
    chosen = parser.parse_args()
    warmed()
    networks.antidimension(nx.path_graph(200), exactly=2)
    networks.profile(make("tree", 300))
    for name in chosen.only.split(","):
        print(f"-- {name}: {PARTS[name].__doc__}", flush=True)
        PARTS[name](chosen.large, Path(chosen.data) if chosen.data else None)


if __name__ == "__main__":
    main()
