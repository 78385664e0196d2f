"""The answers to questions about a network: counts, bounds and sets by index, without text, certificate or page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from incrowd.networks.values import Graph, Int32, Int64, Label, Question, Status, Step

__all__ = ["Measurement", "Risks", "Simulation"]


@dataclass(frozen=True, eq=False)
class Measurement:
    """The answer to one question about a network, exact or an interval.

    Attributes
    ----------
    graph : Graph
    question : str
        ``adim``, ``profile``, ``at_least``, ``exactly`` or ``attackers``.
    k : int
        The level reached (``adim``, ``profile``, ``attackers``) or asked for.
    attackers : int or None
        Size of the witness; None when no set is known (with `optimal`: when none exists).
    members : (attackers,) int32 or None
        The witness by index, sorted.
    lower_bound, upper_bound : int or None
        On the number of attackers with ``at_least`` and ``exactly`` (None: no set exists, or none is known), on k
        otherwise.
    optimal : bool
        True when the bounds meet, so also when it is proven that no set exists.
    status : str
        ``optimal``, ``time_limit``, ``interrupted`` or ``heuristic``.
    method : str
        What decided, in a few words.
    seconds : float
        Wall time.
    steps : tuple of Step
        The curve, with ``adim`` and ``profile``.
    allowed : int or None
        With ``attackers``: how many the attacker may control.
    show_labels : bool
        Whether `to_json` and `summary` may name nodes.
    remarks : tuple of str
        What is to be said of the answer, such as what a method of the paper guarantees.
    """

    graph: Graph = field(repr=False)
    question: Question
    k: int
    attackers: int | None
    members: Int32 | None
    lower_bound: int | None
    upper_bound: int | None
    optimal: bool
    status: Status
    method: str
    seconds: float
    steps: tuple[Step, ...] = ()
    allowed: int | None = None
    show_labels: bool = False
    remarks: tuple[str, ...] = ()

    @property
    def witness(self) -> list[Label] | None:
        """The attackers in the graph's own labels; None when there are none."""
        return None if self.members is None else [self.graph.label(i) for i in self.members]

    @property
    def profile(self) -> list[dict[str, int]]:
        """``{k, attackers}`` for every k up to the ADIM (or the best known)."""
        return [{"k": k, "attackers": s.attackers} for s in self.steps for k in range(s.first, s.last + 1)]

    def to_json(self) -> dict[str, Any]:
        """Return the keys of the contract; no label unless `show_labels`."""
        graph = self.graph
        out: dict[str, Any] = {
            "nodes": graph.nodes,
            "edges": graph.edges,
            "components": graph.components,
            "directed_merged": graph.directed_merged,
            "loops_dropped": graph.loops_dropped,
            "duplicates_dropped": graph.duplicates_dropped,
            "question": self.question,
            "k": self.k,
            "attackers": self.attackers,
            "witness": self.witness if self.show_labels else None,
            "lower_bound": self.lower_bound,
            "upper_bound": self.upper_bound,
            "optimal": self.optimal,
            "status": self.status,
            "method": self.method,
            "seconds": self.seconds,
            "notes": [*graph.notes, *self.remarks],
        }
        if self.allowed is not None:
            out["attackers_allowed"] = self.allowed
        if self.question == "profile":
            out["profile"] = self.profile
        return out


@dataclass(frozen=True, eq=False)
class Risks:
    """What attackers learn: alone, and as a group.

    Attributes
    ----------
    attackers : int
    strategy : str
        ``random`` or ``greedy``.
    re_identified, worst : float
        Share of the other members who are alone in their class: mean over the random groups drawn (for ``greedy``:
        of the one group), and the largest met.
    interval : (float, float)
        95 % confidence interval of the mean; for ``greedy`` the value itself twice.
    groups : int
        Groups drawn.
    measure : (s,) int64
        mu of every node examined alone.
    singles : (s,) int64
        Members that every node examined singles out alone.
    examined : (s,) int32
        Which nodes those are: all, or a seeded sample.
    exposed : float
        Share of the examined nodes that single out somebody.
    members : (attackers,) int32
        The worst group met, by index.
    status : str
    seed : int
    seconds : float
    """

    graph: Graph = field(repr=False)
    attackers: int
    strategy: str
    re_identified: float
    worst: float
    interval: tuple[float, float]
    groups: int
    measure: Int64
    singles: Int64
    examined: Int32
    exposed: float
    members: Int32
    status: Status
    seed: int
    seconds: float
    show_labels: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the content of the key ``risks``."""
        return {
            "attackers": self.attackers,
            "strategy": self.strategy,
            "re_identified": self.re_identified,
            "interval": list(self.interval),
            "worst": self.worst,
            "groups": self.groups,
            "examined": int(self.examined.size),
            "exposed_nodes_share": self.exposed,
            "best_single_measure": int(self.measure.max()),
            "most_singled_out_by_one": int(self.singles.max()),
            "worst_group": [self.graph.label(i) for i in self.members] if self.show_labels else None,
            "status": self.status,
            "seed": self.seed,
            "seconds": self.seconds,
        }


@dataclass(frozen=True, eq=False)
class Simulation:
    """What a simulated attack achieved.

    Attributes
    ----------
    sybils, targets : int
        Accounts planted, members marked.
    trials : int
    recovered : int
        Trials in which the planted accounts were found again, and only them.
    ambiguous : int
        Trials in which more than one place fitted (or the search gave up).
    re_identified : float
        Mean share of the targets found, over all trials.
    interval : (float, float)
        95 % confidence interval of the share of trials recovered (Wilson).
    by_distance : float
        Mean share of all members singled out by their distances to the recovered accounts.
    noise : float
        Share of edges moved before publication.
    status : str
    seed : int
    seconds : float
    """

    graph: Graph = field(repr=False)
    sybils: int
    targets: int
    trials: int
    recovered: int
    ambiguous: int
    re_identified: float
    interval: tuple[float, float]
    by_distance: float
    noise: float
    status: Status
    seed: int
    seconds: float

    @property
    def success(self) -> float:
        """Share of the trials recovered."""
        return self.recovered / self.trials if self.trials else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return the content of the key ``simulation``."""
        return {
            "sybils": self.sybils,
            "targets": self.targets,
            "trials": self.trials,
            "recovered": self.recovered,
            "ambiguous": self.ambiguous,
            "success": self.success,
            "interval": list(self.interval),
            "re_identified": self.re_identified,
            "singled_out_by_distance": self.by_distance,
            "noise": self.noise,
            "status": self.status,
            "seed": self.seed,
            "seconds": self.seconds,
        }
