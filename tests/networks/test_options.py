"""Options of the network questions."""

import dataclasses

import pytest

from incrowd.errors import InputError
from incrowd.networks.options import NetworkOptions, RiskOptions, SimulationOptions


@pytest.mark.parametrize(
    ("kind", "setting"),
    [
        (NetworkOptions, {"time_limit": 0.0}),
        (NetworkOptions, {"time_limit": float("nan")}),
        (NetworkOptions, {"seed": -1}),
        (NetworkOptions, {"component": "big"}),
        (RiskOptions, {"strategy": "best"}),
        (RiskOptions, {"groups": 0}),
        (RiskOptions, {"sample": 0}),
        (SimulationOptions, {"trials": 0}),
        (SimulationOptions, {"sybils": 2}),
        (SimulationOptions, {"targets": 0}),
        (SimulationOptions, {"noise": 1.1}),
        (NetworkOptions, {"time_limit": [1]}),
        (NetworkOptions, {"time_limit": "1"}),
        (NetworkOptions, {"seed": None}),
        (NetworkOptions, {"seed": 1.5}),
        (NetworkOptions, {"component": ["all"]}),
        (RiskOptions, {"groups": "9"}),
        (SimulationOptions, {"trials": {}}),
        (SimulationOptions, {"noise": 10**400}),
        (SimulationOptions, {"noise": None}),
    ],
)
def test_a_value_out_of_its_range_is_refused_by_name(kind, setting):
    with pytest.raises(InputError, match=next(iter(setting))):
        kind(**setting)


def test_every_option_has_a_help_text_and_is_frozen():
    for kind in (NetworkOptions, RiskOptions, SimulationOptions):
        assert all(setting.metadata["help"] for setting in dataclasses.fields(kind))
        with pytest.raises(dataclasses.FrozenInstanceError):
            kind().seed = 1


def test_no_more_accounts_are_planted_than_can_be_told_apart_by_pairs_and_triples():
    assert SimulationOptions(sybils=128).sybils == 128
    with pytest.raises(InputError, match="sybils must be at most 128"):
        SimulationOptions(sybils=129)
