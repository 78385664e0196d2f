"""Options of the network questions: frozen, checked when they are made, with a help text and a unit for every field."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from incrowd.errors import InputError

__all__ = ["NetworkOptions", "RiskOptions", "SimulationOptions"]


@dataclass(frozen=True, kw_only=True)
class NetworkOptions:
    """What all network questions have in common.

    Parameters
    ----------
    time_limit : float, optional
        Seconds after which the search stops with the interval reached; above 0.
    threads : {1, 2}
        The answer does not depend on it.
    seed : int
        Seed of orders and samples, from 0.
    component : {"all", "largest"}
    show_labels : bool
        Whether results may name nodes.

    Raises
    ------
    InputError
        If an option is out of its range.
    """

    time_limit: float | None = field(
        default=None, metadata={"help": "stop after this long with the interval reached", "unit": "s"}
    )
    threads: int = field(default=1, metadata={"help": "threads, 1 or 2; the answer does not depend on it"})
    seed: int = field(default=0, metadata={"help": "seed of orders and samples"})
    component: str = field(default="all", metadata={"help": "'all', or 'largest' component only"})
    show_labels: bool = field(default=False, metadata={"help": "name nodes in results"})

    def __post_init__(self) -> None:
        if self.time_limit is not None and not self.time_limit > 0:
            raise InputError(f"time_limit must be above 0 seconds, not {self.time_limit}")
        if self.threads not in (1, 2):
            raise InputError(f"threads must be 1 or 2, not {self.threads}")
        if self.seed < 0:
            raise InputError(f"seed must be at least 0, not {self.seed}")
        if self.component not in ("all", "largest"):
            raise InputError(f"component must be 'all' or 'largest', not {self.component!r}")


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

    strategy: Literal["random", "greedy"] = field(
        default="random", metadata={"help": "how attackers are chosen: 'random' or 'greedy'"}
    )
    groups: int = field(default=200, metadata={"help": "random groups drawn"})
    sample: int = field(default=20_000, metadata={"help": "nodes examined alone (all, if there are no more)"})

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.strategy not in ("random", "greedy"):
            raise InputError(f"strategy must be 'random' or 'greedy', not {self.strategy!r}")
        for name, value in (("groups", self.groups), ("sample", self.sample)):
            if value < 1:
                raise InputError(f"{name} must be at least 1, not {value}")


@dataclass(frozen=True, kw_only=True)
class SimulationOptions(NetworkOptions):
    """Options of `simulate_attack`.

    Parameters
    ----------
    trials : int
        Attacks simulated, from 1.
    sybils : int, optional
        Accounts planted, from 3; 2.5 log2 n by default.
    targets : int, optional
        Members marked, from 1; as many as accounts by default.
    noise : float
        Share of the edges moved before publication, from 0 to 1.

    Raises
    ------
    InputError
        If an option is out of its range.
    """

    trials: int = field(default=20, metadata={"help": "attacks simulated"})
    sybils: int | None = field(default=None, metadata={"help": "accounts planted; 2.5 log2 n by default"})
    targets: int | None = field(default=None, metadata={"help": "members marked; as many as accounts by default"})
    noise: float = field(default=0.0, metadata={"help": "share of edges moved before publication, 0 to 1"})

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.trials < 1:
            raise InputError(f"trials must be at least 1, not {self.trials}")
        if self.sybils is not None and self.sybils < 3:
            raise InputError(f"sybils must be at least 3, not {self.sybils}")
        if self.targets is not None and self.targets < 1:
            raise InputError(f"targets must be at least 1, not {self.targets}")
        if not 0.0 <= self.noise <= 1.0:
            raise InputError(f"noise must be a share from 0 to 1, not {self.noise}")
