"""The kinds of inputs, and how often each is drawn."""

from __future__ import annotations

import random

from fuzz.arguments import python
from fuzz.case import Case
from fuzz.certificates import certificate
from fuzz.commands import command
from fuzz.hierarchies import hierarchy
from fuzz.networks import network, network_certificate
from fuzz.policies import policy
from fuzz.tables import table

__all__ = ["KINDS", "SHARES", "case_of"]

KINDS = {
    "network": network, "network certificate": network_certificate, "policy": policy, "python": python, "command": command,
    "table": table, "hierarchy": hierarchy, "certificate": certificate,
}  # fmt: skip
# per thousand inputs: a network takes milliseconds, a job on a table the tenths of a second that its engine needs
SHARES = {
    "network": 480, "network certificate": 180, "policy": 150, "python": 100, "command": 40, "table": 25, "hierarchy": 15, "certificate": 10,
}  # fmt: skip


def case_of(kind: str, seed: int, index: int) -> Case:
    """Input number `index` of a kind."""
    return KINDS[kind](random.Random(f"{kind}/{seed}/{index}"), seed * 1_000_003 + index)
