"""How well a network protects its members when an attacker controls some of its nodes and knows distances.

The public names of `incrowd.networks`; each is imported when it is first asked for, since the jobs and results behind
some of them stand above the rooms of this folder (their types are in ``__init__.pyi``):

``input``      a file or an object -> a simple graph
``compress``   components and twins; ``models``: what attackers see, by distances
``solve``      one file a method; ``curve`` joins the components, ``measure`` the stages, question by question
``methods``    the paper's algorithms and theorems by name, each with what it guarantees
``verify``     certificates rechecked by a stranger
``values``, ``answers``   what travels; ``words``, ``certificate``: what is made of an answer
``options``    what a question is asked with; ``memory_use``: what it takes
"""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "Classes": "incrowd.networks.values",
    "Graph": "incrowd.networks.values",
    "Measurement": "incrowd.results.network",
    "NetworkOptions": "incrowd.networks.options",
    "ReadOptions": "incrowd.networks.input.sources",
    "Recheck": "incrowd.networks.verify",
    "RiskOptions": "incrowd.networks.options",
    "Risks": "incrowd.results.network",
    "Simulation": "incrowd.results.network",
    "SimulationOptions": "incrowd.networks.options",
    "Step": "incrowd.networks.values",
    "anonymity": "incrowd.jobs.networks",
    "antidimension": "incrowd.jobs.networks",
    "check": "incrowd.jobs.networks",
    "classes": "incrowd.jobs.networks",
    "profile": "incrowd.jobs.networks",
    "read": "incrowd.jobs.networks",
    "risks": "incrowd.jobs.networks",
    "simulate_attack": "incrowd.jobs.networks",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'incrowd.networks' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
