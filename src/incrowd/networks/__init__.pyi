"""The types of the public names of `incrowd.networks`."""

from incrowd.jobs.networks import (
    anonymity,
    antidimension,
    check,
    classes,
    profile,
    read,
    risks,
    simulate_attack,
)
from incrowd.networks.input.sources import ReadOptions
from incrowd.networks.options import NetworkOptions, RiskOptions, SimulationOptions
from incrowd.networks.values import Classes, Graph, Step
from incrowd.networks.verify import Recheck
from incrowd.results.network import Measurement, Risks, Simulation

__all__ = [
    "Classes",
    "Graph",
    "Measurement",
    "NetworkOptions",
    "ReadOptions",
    "Recheck",
    "RiskOptions",
    "Risks",
    "Simulation",
    "SimulationOptions",
    "Step",
    "anonymity",
    "antidimension",
    "check",
    "classes",
    "profile",
    "read",
    "risks",
    "simulate_attack",
]
