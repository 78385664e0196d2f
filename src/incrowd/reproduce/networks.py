"""The networks of the follow-up studies: their privacy measures as computed here, beside reference values."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
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
MEANING = (
    "ADIM the largest k of any attacker set, L(ADIM) the smallest such set, best node the largest k of one attacker, "
    "twins the largest class of nodes that no other node tells apart, mu = 1 the share of nodes that alone single out "
    "somebody."
)


@dataclass(frozen=True, slots=True)
class Network:
    """One network: what was computed and what was expected, by the names of `COLUMNS` and ``steps``.

    ``steps``: [first k, last k, smallest set] where L(k) is constant. ``exposing`` is in tenths of a percent. `cut`:
    the time limit came before all was computed.
    """

    name: str
    ours: dict[str, Any]
    reference: dict[str, Any]
    cut: bool = False

    @property
    def differs(self) -> list[str]:
        """The names whose values are not the same."""
        return [name for name in self.ours if self.ours[name] != self.reference[name]]

    def to_json(self) -> dict[str, Any]:
        """Return both as plain values."""
        return asdict(self) | {"differs": self.differs}


def references() -> list[dict[str, Any]]:
    """Return the reference values kept in the package."""
    text = files("incrowd.data").joinpath("networks_reference.json").read_text(encoding="utf-8")
    found: list[dict[str, Any]] = json.loads(text)["networks"]
    return found


def reproduce_networks(
    watch: Watch, *, data: str | Path | None = None, time_limit: float | None = None
) -> list[Network]:
    """Compute the table: eight networks, each beside its reference values, until the watch is interrupted.

    `data` is a folder with ``networks/NAME.edges.gz``: largest connected components as edge lists. `time_limit` is in
    seconds for each network, after which it is told as not judged. InputError is raised if a file is missing or no
    network; the message says where to get it and where to put it.
    """
    folder = folder_of(data)
    if time_limit is not None:  # loading the loops counts for no network
        with forced("compiled"):
            _measured(b"0 1\n1 2\n1 3\n", Watch())
    made = []
    for reference in references():
        name = f"networks/{reference['name']}.edges.gz"
        if folder is None or not (folder / name).is_file():
            raise InputError(
                f"the file '{name}' is not there: take the network's published edges ({reference['source']}), keep its "
                "largest connected component as lines 'u v', put that there, compressed, in a folder, and name the "
                "folder with --data or in INCROWD_DATA"
            )
        watch.limit(time_limit)
        try:
            ours, cut = _measured(folder / name, watch)
        finally:
            watch.limit(None)
        watch.report("reproduce", network=reference["name"], antidimension=ours["antidimension"])
        made.append(Network(reference["name"], ours, {column: reference[column] for column in ours}, cut))
        if watch.interrupted:
            break
    return made


def _measured(path: Path | bytes, watch: Watch) -> tuple[dict[str, Any], bool]:
    """Return the values of a network, and whether its time was over before all of them were known."""
    graph = networks.read(path)
    found = networks.profile(graph, watch=watch)
    alone = networks.risks(graph, attackers=1, groups=1, watch=watch).measure
    widest = diameter(graph, watch)
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
    """Return the table as text: what was computed, and what was expected where it differs."""
    done, cut = [n for n in found if not n.cut], [n.name for n in found if n.cut]
    same = sum(not network.differs for network in done)
    lines = [
        "Networks: metric antidimension of largest connected components, beside reference values",
        MEANING,
        "",
        *grid(["network", *COLUMNS.values()], [[n.name, *(_cell(n, name) for name in COLUMNS)] for n in found], left=1),
        "",
    ]
    for network in done:
        steps = [f"{first}-{last}: {size:,}" for first, last, size in network.ours["steps"] if size > 1]
        if steps:
            lines.append(f"L(k) is 1 for {network.name} but at k = {', '.join(steps)}.")
    if done:
        lines.append(f"[{'holds' if same == len(done) else 'does not hold'}] {same} of {len(done)} are as expected")
    lines += [f"  {n.name} differs in {', '.join(n.differs)}" for n in done if n.differs]
    lines += [f"[not judged] not done within --time-limit: {', '.join(cut)}"] if cut else []
    return "\n".join(lines) + "\n"


def _cell(network: Network, name: str) -> str:
    if network.cut:
        return "-"
    ours, reference = (
        f"{values[name] / 10:.1f} %" if name == "exposing" else f"{values[name]:,}"
        for values in (network.ours, network.reference)
    )
    return ours if ours == reference else f"{ours} (not {reference})"
