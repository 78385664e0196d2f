"""Facts of a measured network: counts and sizes, no label of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.networks.answers import Measurement, Risks
from incrowd.networks.models import layers_around, metric_classes
from incrowd.networks.solve.re_identify import alone
from incrowd.networks.words import graph_words, words_of
from incrowd.progress import Watch
from incrowd.tables.measures.nice_bins import size_bins

if TYPE_CHECKING:
    from incrowd.networks.answers import Simulation
    from incrowd.networks.values import Graph, Int32, Int64


MOST_VISITS = 4 * 10**8  # node and edge visits that a report spends beyond the measurement itself
SAMPLE = 2000
PATIENCE = 20.0  # seconds
QUICK_VISITS = 10**8  # and that a summary spends: below a second


def network_facts(found: Measurement | Risks | Simulation) -> dict[str, Any]:
    """Return what a report shows of a network.

    `found` is the answer, with its graph. The facts are the keys of ``--json`` without labels and ``words``, the
    summary's sentences; for a measurement also ``steps`` (the curve), ``layers`` (nodes by distance to the witness),
    ``witness_classes`` and ``singled_out`` (what the witness sees; absent where it would take too long) and ``alone``
    (what single nodes single out). For a measurement distances are computed again: from the witness, up to 4 * 10^8
    visits of nodes and edges, and from up to 2000 single nodes for up to 20 s. Memory grows with the graph.
    """
    facts = {
        "nodes": found.graph.nodes,
        "edges": found.graph.edges,
        "components": found.graph.components,
        **found.to_json(),
    }
    facts |= {"network": graph_words(found.graph), "words": words_of(found).splitlines()}
    facts.pop("witness", None)
    facts.pop("worst_group", None)
    if isinstance(found, Measurement):
        facts["words"] = [line for line in facts["words"] if not line.startswith("Nodes: ")]
        sample = int(min(SAMPLE, max(64, 32 * MOST_VISITS // _visits(found.graph))))
        facts |= _witness(found) | {"alone": _alone(found.graph, sample, PATIENCE)}
        facts["steps"] = [
            {"first": s.first, "last": s.last, "attackers": s.attackers, "lower": s.lower} for s in found.steps
        ]
    elif isinstance(found, Risks):
        facts |= {"question": "risks", "alone": _shares(found.graph, found.singles, found.examined.size)}
    else:
        facts["question"] = "simulation"
    return facts


def verdict_facts(found: Measurement | Risks | Simulation) -> dict[str, Any]:
    """Return what a verdict on a network rests on, as far as it is had within a second.

    `found` is the answer, with its graph. The facts are the keys of ``--json``; for the questions about every k also
    ``alone`` (what single nodes single out, of a sample), where the network is not too large for it.
    """
    graph = found.graph
    facts: dict[str, Any] = {"nodes": graph.nodes, "edges": graph.edges, "components": graph.components}
    facts |= {"question": "risks" if isinstance(found, Risks) else "simulation", **found.to_json()}
    if facts["question"] in ("adim", "profile") and _visits(graph) * 2 <= QUICK_VISITS:
        batches = min(SAMPLE // 64, QUICK_VISITS // (2 * _visits(graph)))
        facts["alone"] = _alone(graph, 64 * batches, 1.0)
    return facts


def _witness(found: Measurement) -> dict[str, Any]:
    graph, members = found.graph, found.members
    if members is None or not 0 < members.size < graph.nodes:
        return {}
    layers, apart = layers_around(graph, members)
    told: dict[str, Any] = {"layers": layers, "unreached": apart}
    if members.size * _visits(graph) <= MOST_VISITS:
        told |= _seen(graph, members)
    return told


def _seen(graph: Graph, members: Int32) -> dict[str, Any]:
    classes = metric_classes(graph, members)
    size, times = np.unique(classes.sizes, return_counts=True)
    pairs = list(zip(size.tolist(), times.tolist(), strict=True))
    return {"witness_classes": size_bins(pairs, 1), "singled_out": classes.singled_out}


def _alone(graph: Graph, sample: int, seconds: float) -> dict[str, Any]:
    watch = Watch()
    watch.limit(seconds)
    found = alone(graph, sample, watch, seed=0)
    return _shares(graph, found.singles, found.examined.size)


def _shares(graph: Graph, singles: Int64, examined: int) -> dict[str, Any]:
    """Return how many single nodes single out somebody, and how many they single out at most."""
    return {
        "examined": int(examined),
        "all": examined == graph.nodes,
        "exposing": float((singles > 0).mean()) if examined else 0.0,
        "most": int(singles.max()) if examined else 0,
        "bins": _bins(singles),
    }


def _bins(singles: Int64) -> list[dict[str, Any]]:
    """Return nodes by how many members they single out: none, 1, 2 to 3, 4 to 7, ..."""
    bins = [{"label": "nobody", "nodes": int((singles == 0).sum())}]
    size, times = np.unique(singles[singles > 0], return_counts=True)
    for line in size_bins(list(zip(size.tolist(), times.tolist(), strict=True)), 1):
        label = f"{line['from']:,}" if line["from"] == line["to"] else f"{line['from']:,} to {line['to']:,}"
        bins.append({"label": label, "nodes": line["classes"]})
    return bins


def _visits(graph: Graph) -> int:
    return graph.nodes + 2 * graph.edges
