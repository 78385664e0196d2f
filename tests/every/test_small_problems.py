"""Random small problems under every model: no bound above an optimum, no release that breaks its requirement."""

from __future__ import annotations

from every.small_problems import drawn, tried
from oracles.required_certificates import NAMES
from seeds import seeds


@seeds(2000, 17, first=20_000)
def test_solvers_bounds_and_both_checks_agree_with_every_partition(seed):
    tried(seed)


def test_every_family_is_drawn():
    assert [drawn(seed)[1] for seed in range(len(NAMES))] == list(NAMES)
