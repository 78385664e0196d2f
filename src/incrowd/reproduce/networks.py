"""The networks of the follow-up studies: their privacy measures as computed here, beside reference values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd import networks
from incrowd.errors import InputError
from incrowd.loops import forced
from incrowd.networks.compress import twin_classes
from incrowd.networks.solve.distances import diameter
from incrowd.progress import Watch
from incrowd.reproduce.data_sets import folder_of
from incrowd.reproduce.experiment import grid

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


COLUMNS = {
    "nodes": "n",
    "edges": "m",
    "diameter": "diameter",
    "antidimension": "ADIM",
    "attackers": "L(ADIM)",
    "best_single": "best node",
    "largest_twins": "twins",
    "exposing": "mu = 1",
}


@dataclass(frozen=True, slots=True)
class Network:
    """One network: what was computed and what was expected.

    `ours`, `reference`: by the names of `COLUMNS`, and ``steps``: [first k, last k, smallest set] where L(k) is
    constant. ``exposing`` is the share of nodes that alone single out somebody, in tenths of a percent. `cut`: whether
    the time limit came before all was computed: `ours` is no more than what was known then.
    """

    name: str
    ours: dict[str, Any]
    reference: dict[str, Any]
    cut: bool = False

    @property
    def differs(self) -> list[str]:
        """The names whose values are not the same."""
        return [name for name in (*COLUMNS, "steps") if self.ours[name] != self.reference[name]]

    def to_json(self) -> dict[str, Any]:
        """Return both as plain values."""
        return {
            "name": self.name,
            "ours": self.ours,
            "reference": self.reference,
            "differs": self.differs,
            "cut": self.cut,
        }


def references() -> list[dict[str, Any]]:
    """Return the reference values kept in the package."""
    text = files("incrowd.data").joinpath("networks_reference.json").read_text(encoding="utf-8")
    found: list[dict[str, Any]] = json.loads(text)["networks"]
    return found


def reproduce_networks(
    watch: Watch,
    *,
    data: str | Path | None = None,
    only: Sequence[str] | None = None,
    time_limit: float | None = None,
) -> list[Network]:
    """Compute the table: eight networks, each beside its reference values, in the order of the references.

    The watch gets an event per network; an interruption ends the run after the network at hand. `data` is a folder with
    ``networks/NAME.edges.gz``: largest connected components as edge lists. `only` are names of networks (None: all).
    `time_limit` is in seconds for each network, after which it is told as not judged (None: no limit). InputError is
    raised if a file is missing or no network; the message says where to get it and where to put it.
    """
    folder = folder_of(data)
    if time_limit is not None:  # loading the loops counts for no network
        with forced("compiled"):
            _measured(b"0 1\n1 2\n1 3\n", Watch())
    made = []
    for reference in references():
        if only is not None and reference["name"] not in only:
            continue
        path = None if folder is None else folder / "networks" / f"{reference['name']}.edges.gz"
        if path is None or not path.is_file():
            raise InputError(
                f"the file 'networks/{reference['name']}.edges.gz' is not there: take the network's published edges "
                f"({reference['source']}), keep its largest connected component as lines 'u v', put that there, "
                "compressed, in a folder, and name the folder with --data or in INCROWD_DATA"
            )
        watch.limit(time_limit)
        try:
            ours, cut = _measured(path, watch)
        finally:
            watch.limit(None)
        watch.tell("reproduce", network=reference["name"], antidimension=ours["antidimension"])
        made.append(Network(reference["name"], ours, {name: reference[name] for name in ours}, cut))
        if watch.interrupted:
            break
    return made


def _measured(path: Path | bytes, watch: Watch) -> tuple[dict[str, Any], bool]:
    """Return the values of a network, and whether its time was over before all of them were known."""
    graph = networks.read(path)
    found = networks.profile(graph, watch=watch)
    risks = networks.risks(graph, attackers=1, groups=1, watch=watch)
    widest = diameter(graph, watch)
    alone = risks.measure
    values = {
        "nodes": graph.nodes,
        "edges": graph.edges,
        "diameter": widest.lower,
        "antidimension": found.k,
        "attackers": found.attackers,
        "best_single": int(alone.max(initial=0)),
        "largest_twins": int(np.bincount(twin_classes(graph)).max()),
        "exposing": round(1000 * int((alone == 1).sum()) / graph.nodes),
        "steps": [[step.first, step.last, step.attackers] for step in found.steps],
    }
    return values, not (found.optimal and len(alone) == graph.nodes and widest.lower == widest.upper)


def text_of(found: Sequence[Network]) -> str:
    """Return the table as text: what was computed, and what was expected where it differs.

    The lines of text end with a line end.
    """
    rows = []
    for network in found:
        if network.cut:
            rows.append([network.name, *("-" for _ in COLUMNS)])
            continue
        cells = [network.name]
        for name in COLUMNS:
            ours, reference = (_cell(name, values[name]) for values in (network.ours, network.reference))
            cells.append(ours if ours == reference else f"{ours} (not {reference})")
        rows.append(cells)
    done = [network for network in found if not network.cut]
    cut = [network.name for network in found if network.cut]
    same = sum(not network.differs for network in done)
    lines = [
        "Networks: metric antidimension of largest connected components, beside reference values",
        "ADIM the largest k of any attacker set, L(ADIM) the smallest such set, best node the largest k of one "
        "attacker, twins the largest class of nodes that no other node tells apart, mu = 1 the share of nodes that "
        "alone single out somebody.",
        "",
        *grid(["network", *COLUMNS.values()], rows, left=1),
        "",
    ]
    for network in done:
        steps = [f"{first}-{last}: {size:,}" for first, last, size in network.ours["steps"] if size > 1]
        if steps:
            lines.append(f"L(k) is 1 for {network.name} but at k = {', '.join(steps)}.")
    if done:
        lines.append(f"[{'holds' if same == len(done) else 'does not hold'}] {same} of {len(done)} are as expected")
    lines += [f"  {n.name} differs in {', '.join(n.differs)}" for n in done if n.differs]
    if cut:
        lines.append(f"[not judged] not done within --time-limit: {', '.join(cut)}")
    return "\n".join(lines) + "\n"


def _cell(name: str, value: int) -> str:
    return f"{value / 10:.1f} %" if name == "exposing" else f"{value:,}"
