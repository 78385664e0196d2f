"""What an attack is told of a policy."""

from __future__ import annotations

from incrowd import Policy
from incrowd.jobs.attack import asked_of


def test_it_is_the_policy_and_what_is_known_of_values():
    policy = Policy(quasi_identifiers=("a", "b"), k=3, outliers="suppress", star="?", weights=(("a", 2),))
    asked = asked_of(policy, {"a": ("x", "y")})
    assert (asked.names, asked.k, asked.outliers, asked.star) == (("a", "b"), 3, "suppress", "?")
    assert (asked.domains, dict(asked.weights), asked.fitted) == ({"a": ("x", "y")}, {"a": 2}, {})
    assert asked_of(Policy(quasi_identifiers=("a",), k=2, suppressed="null"), {}).star is None
