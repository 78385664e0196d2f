"""Options of the network questions: frozen, checked when they are made."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from incrowd.errors import InputError
from incrowd.memory import as_bytes
from incrowd.settings import shortened

if TYPE_CHECKING:
    from incrowd.networks.values import Graph

MOST_SYBILS = 128  # accounts: every two and every three of them may mark a member


def whole_number(name: str, value: Any, least: int | None = None) -> int:
    """Return an option that is a whole number, or refuse it.

    `name` is what the message calls it. `value` is of any type: an int, or what stands for one (a NumPy integer).
    InputError is raised if it is no whole number or one smaller than `least`.
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise InputError(f"{name} must be a whole number, not {shortened(value)}") from None
    if least is not None and number < least:
        raise InputError(f"{name} must be at least {least}, not {shortened(number)}")
    return number


def _real(value: Any) -> float:
    """Return a number as a float; NaN for what is none."""
    try:
        return float(value) if not isinstance(value, str | bytes) else math.nan
    except OverflowError:
        return math.inf
    except (TypeError, ValueError):
        return math.nan


@dataclass(frozen=True, kw_only=True)
class NetworkOptions:
    """What all network questions have in common.

    Parameters
    ----------
    time_limit : float, optional
        Seconds after which the search stops with the interval reached; above 0.
    seed : int
        Seed of orders and samples, from 0.
    component : {"all", "largest"}
    show_labels : bool
        Whether results may name nodes.
    memory : str, optional
        What the whole process may hold, as ``"2GB"``; near it the search stops with the interval reached.

    Raises
    ------
    InputError, PolicyError
        If an option is out of its range, or the memory is no size.
    """

    time_limit: float | None = None
    seed: int = 0
    component: str = "all"
    show_labels: bool = False
    memory: str | None = None

    def __post_init__(self) -> None:
        if self.time_limit is not None and not _real(self.time_limit) > 0:
            raise InputError(f"time_limit must be above 0 seconds, not {shortened(self.time_limit)}")
        whole_number("seed", self.seed, 0)
        if self.component not in ("all", "largest"):
            raise InputError(f"component must be 'all' or 'largest', not {shortened(self.component)}")
        if self.memory is not None:
            as_bytes(self.memory)


@dataclass(frozen=True, kw_only=True)
class RiskOptions(NetworkOptions):
    """Options of `risks`.

    Parameters
    ----------
    strategy : {"random", "greedy"}
        How groups of attackers are chosen.
    groups : int
        Random groups drawn, from 1.
    sample : int
        Nodes examined alone, from 1; all, if there are no more.

    Raises
    ------
    InputError
        If an option is out of its range.
    """

    strategy: Literal["random", "greedy"] = "random"
    groups: int = 200
    sample: int = 20_000

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.strategy not in ("random", "greedy"):
            raise InputError(f"strategy must be 'random' or 'greedy', not {shortened(self.strategy)}")
        whole_number("groups", self.groups, 1)
        whole_number("sample", self.sample, 1)


@dataclass(frozen=True, kw_only=True)
class SimulationOptions(NetworkOptions):
    """Options of `simulate_attack`.

    Parameters
    ----------
    trials : int
        Attacks simulated, from 1.
    sybils : int, optional
        Accounts planted, from 3 to 128; 2.5 log2 n by default.
    targets : int, optional
        Members marked, from 1; as many as accounts by default.
    noise : float
        Share of the edges moved before publication, from 0 to 1.

    Raises
    ------
    InputError
        If an option is out of its range.
    """

    trials: int = 20
    sybils: int | None = None
    targets: int | None = None
    noise: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        whole_number("trials", self.trials, 1)
        if self.sybils is not None:
            whole_number("sybils", self.sybils, 3)
            if self.sybils > MOST_SYBILS:
                raise InputError(f"sybils must be at most {MOST_SYBILS}, not {shortened(self.sybils)}")
        if self.targets is not None:
            whole_number("targets", self.targets, 1)
        if not 0.0 <= _real(self.noise) <= 1.0:
            raise InputError(f"noise must be a share from 0 to 1, not {shortened(self.noise)}")


# What a question about a network takes, as measured: bytes of a node and of an edge beside the graph itself.

# Of the sweep and of what single nodes and groups are searched with; of counting and joining components.
NODE, EDGE = 360, 8
PART_NODE, PART_EDGE = 40, 40
# Python objects of a node where twins are looked for, which only small networks are.
TWIN_NODE, TWIN_EDGE, TWINS = 500, 24, 200_000


def least_bytes(graph: Graph) -> int:
    """Return about how many bytes any question takes beside the graph, within a factor of two.

    Distances between all nodes, pairs and the search for "exactly k" take more; without room they are left out.
    """
    nodes, edges = graph.nodes, graph.edges
    least = max(NODE * nodes + EDGE * edges, PART_NODE * nodes + PART_EDGE * edges)
    return max(least, TWIN_NODE * nodes + TWIN_EDGE * edges) if nodes <= TWINS else least
