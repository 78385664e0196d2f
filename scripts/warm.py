"""Compile the loops that jobs need, once: the fewest small jobs that call them all, a process a core.

The compiled code stays in the package's folder or the user's cache. A loop that none of these jobs calls is compiled by
the first job that does.
"""

from __future__ import annotations

import itertools
import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

os.environ.setdefault("INCROWD_LOOPS", "compiled")  # small jobs would run their loops as plain Python

import numpy as np
import pyarrow as pa

import incrowd
from incrowd import networks

if TYPE_CHECKING:
    from collections.abc import Callable

QI = ["age", "sex", "place"]
MODELS: dict[str, list[Any]] = {
    "frequency": [incrowd.LDiversity(2, "ill")],
    "distinct": [incrowd.LDiversity(2, "ill", kind="distinct")],
    "matrix": [incrowd.TCloseness("0.5", "ill", distance=[[0, 1, 1], [1, 0, 1], [1, 1, 0]])],
    "delta": [incrowd.DeltaDisclosure(2, "ill")],
}


def people(rows: int = 60, seed: int = 0) -> pa.Table:
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "age": rng.integers(20, 26, rows),
            "sex": pa.array(rng.choice(["f", "m"], rows)),
            "place": pa.array(rng.choice(["p", "q", "r"], rows)),
            "ill": pa.array(rng.choice(["a", "b", "c"], rows)),
            "pay": rng.integers(1, 5, rows),
        }
    )


def released(k: int = 3, rows: int = 60, **policy: Any) -> None:
    """Make a release within a second, and verify it with its certificate."""
    table = people(rows)
    with incrowd.anonymize(table, k=k, time_limit=2, **{"quasi_identifiers": QI, **policy}) as release:
        proof = None if policy.get("recoding") == "ranges" else release.certificate()
        found = incrowd.verify(table, release.table, release.job, certificate=proof)
    if found:
        raise SystemExit(f"a tiny release did not verify: {policy}")


def asked_of_tables() -> None:
    """Ask what there is to ask of a table and its release."""
    table = people()
    with incrowd.anonymize(table, quasi_identifiers=QI, sensitive=["ill"], k=3, time_limit=1) as release:
        incrowd.attack(release, original=table)
        with incrowd.anonymize(table, quasi_identifiers=QI[:2], sensitive=["ill"], k=3, time_limit=1) as other:
            incrowd.attack(release, others=[other], same_people=True)
        incrowd.usefulness(table, release.table, release.job)
    incrowd.audit(table, quasi_identifiers=QI, sensitive=["ill"])
    incrowd.tradeoff(table, quasi_identifiers=QI, ks=[2, 3], time_limit=1)
    incrowd.estimate(table, quasi_identifiers=QI, k=3)
    incrowd.kernel(table, quasi_identifiers=QI, k=3)


def asked_of_networks() -> None:
    """Ask every question of small networks."""
    path, star = [(i, i + 1) for i in range(70)], [(0, i) for i in range(1, 9)]
    drawn = [tuple(map(int, pair)) for pair in np.random.default_rng(0).integers(0, 60, (150, 2))]
    for edges in (path, [*path, (0, 70)], drawn, [*star, (1, 2), (2, 9)], list(itertools.combinations(range(5), 2))):
        graph = networks.read("".join(f"{u} {v}\n" for u, v in edges).encode())
        networks.profile(graph)
        networks.antidimension(graph, at_least=2)
        networks.antidimension(graph, exactly=2)
        networks.anonymity(graph, attackers=3)
        networks.risks(graph, attackers=2, groups=3)
        networks.risks(graph, attackers=2, strategy="greedy")
        networks.simulate_attack(graph, trials=1)
        networks.classes(graph, [0])
    networks.read(b"a b\nb c\n", component="largest")
    networks.read(b"0 1\n1 999999999999\n")


def jobs() -> dict[str, Callable[[], Any]]:
    """Return jobs that together call every loop that the jobs of all kinds call, the longest to compile first."""
    rules = MODELS["frequency"]
    return {
        "rules, improve": partial(released, 3, require=rules, solver="improve", outliers="suppress"),
        "grid": partial(released, recoding="grid", numeric=["age"]),
        "networks": asked_of_networks,
        "tables": asked_of_tables,
        "rules": partial(released, 2, require=rules, rows=24),
        "rules, greedy": partial(released, 2, require=rules, solver="greedy"),
        **{name: partial(released, 2, require=MODELS[name], rows=24) for name in ("distinct", "delta", "matrix")},
        "improve": partial(released, 2, rows=12, solver="improve"),
        "matched": partial(released, 2, rows=80, solver="matching_local"),
        "matched, small": partial(released, 2, rows=12, solver="matching_local"),
        "k = 2": partial(released, 2),
        "k = 2, suppressed": partial(released, 2, outliers="suppress", suppressed="null"),
        "ranges": partial(released, recoding="ranges", numeric=["age"], solver="mondrian"),
        "global": partial(released, recoding="global", numeric=["age"]),
        "one column": partial(released, recoding="grid", numeric=["age"], quasi_identifiers=["age"]),
    }


def run(name: str) -> None:
    """Run one."""
    jobs()[name]()


def main() -> None:
    with ProcessPoolExecutor(min(os.cpu_count() or 1, 8)) as pool:
        list(pool.map(run, jobs()))
    print(f"compiled: the loops of {len(jobs())} jobs")


if __name__ == "__main__":
    main()
