"""An uploaded table, fresh for every module of tests."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module")
def place(visitor):
    rows = "".join(f"{20 + n % 40},{'fm'[n % 2]},{1000 + n % 7},{'flu' if n % 3 else 'gout'}\n" for n in range(200))
    return visitor.opened("people.csv", f"age,sex,zip,diagnosis\n{rows}".encode())


@pytest.fixture
def policy(visitor, place):
    """The policy's text as it stands, by a call."""
    return lambda: visitor.get(f"{place}/files/policy.toml").text
