"""How well a network protects its members when an attacker controls some of its nodes and knows distances."""

from incrowd.networks.measure import (
    anonymity,
    antidimension,
    check,
    classes,
    profile,
    read,
    risks,
    simulate_attack,
)
from incrowd.networks.options import NetworkOptions, RiskOptions, SimulationOptions
from incrowd.networks.read.sources import ReadOptions
from incrowd.networks.values import Classes, Graph, Measurement, Risks, Simulation, Step
from incrowd.networks.verify.recheck import Recheck

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
