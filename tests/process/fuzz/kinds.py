"""The kinds of inputs, and how often each is drawn."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from process.fuzz.arguments import python
from process.fuzz.certificates import certificate
from process.fuzz.commands import command
from process.fuzz.hierarchies import hierarchy
from process.fuzz.networks import network, network_certificate
from process.fuzz.policies import policy
from process.fuzz.tables import table

if TYPE_CHECKING:
    from process.fuzz.case import Case

__all__ = ["KINDS", "SHARES", "case_of"]

KINDS = {
    "network": network, "network-certificate": network_certificate, "policy": policy, "python": python, "command": command,
    "table": table, "hierarchy": hierarchy, "certificate": certificate,
}  # fmt: skip
# per thousand inputs: a network takes milliseconds, a job on a table the tenths of a second that its engine needs
SHARES = {
    "network": 440, "network-certificate": 220, "policy": 190, "python": 110, "command": 15, "table": 10, "hierarchy": 8,
    "certificate": 7,
}  # fmt: skip


def case_of(kind: str, seed: int, index: int) -> Case:
    """Input number `index` of a kind."""
    return KINDS[kind](random.Random(f"{kind}/{seed}/{index}"), seed * 1_000_003 + index)
