"""Every registered method has what the protocol asks for."""

from incrowd import registry
from incrowd.networks.methods.outcome import MATRIX_NODES, Method


def test_every_method_says_all_that_the_protocol_asks_for():
    for name in registry.names("methods"):
        method = registry.load("methods", name)()
        for told in Method.__annotations__:
            assert hasattr(method, told)
        assert method.question in ("adim", "at_least", "exactly")
        assert method.cites.startswith("Theorem")
        assert method.summary.split(":")[0] in (method.cites, f"Algorithm {method.summary.split()[1].rstrip(':')}")
        assert not method.guarantee.endswith(".")


def test_a_matrix_of_distances_stays_below_300_megabytes():
    assert 2 * MATRIX_NODES**2 < 300e6
