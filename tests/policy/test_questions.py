"""A policy that says too little is refused before any work, and k is held against the rows."""

import pytest

from incrowd import Policy
from incrowd.errors import InputError, PolicyError
from incrowd.policy.questions import check_rows, complete, star_of

GOOD = Policy(quasi_identifiers=("age", "sex"), k=3)


def test_a_policy_needs_quasi_identifiers_and_k():
    assert complete(GOOD) is GOOD
    with pytest.raises(PolicyError, match="no k is given"):
        complete(Policy(quasi_identifiers=("age",)))
    with pytest.raises(PolicyError, match="quasi-identifiers"):
        complete(Policy(k=3))


def test_k_is_at_most_the_rows():
    check_rows(GOOD, 3)
    check_rows(Policy(quasi_identifiers=("age",)), 0)
    with pytest.raises(InputError, match="k=3 is more than the table's 2 rows"):
        check_rows(GOOD, 2)


def test_a_star_is_a_text_or_nothing():
    assert star_of(GOOD) == "*"
    assert star_of(Policy(quasi_identifiers=("age",), suppressed="null")) is None
