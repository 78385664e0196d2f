"""A server that runs in the process of the tests, with nothing below its root but what a test puts there."""

from __future__ import annotations

import pytest

# `incrowd serve --root` runs until a signal, in a process of its own: this is what it runs, in a thread (see test_server.py
# for the command itself)
from incrowd.web.server import running
from web.visitor import Visitor

ROWS = ["31,f,flu", "31,f,cold", "47,m,flu", "47,m,cold", "52,m,flu", "52,f,cold"] * 12
SMALL = ("age,sex,diagnosis\n" + "\n".join(ROWS) + "\n").encode()


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("root")
    (folder / "small.csv").write_bytes(SMALL)
    return folder


@pytest.fixture(scope="module")
def server(root):
    with running(root=root) as made:
        yield made


@pytest.fixture(scope="module")
def visitor(server):
    made = Visitor(server)
    yield made
    made.close()


@pytest.fixture(scope="module")
def proposed(visitor):
    """A small table, open and looked at, and the policy that was proposed for it."""
    opened = visitor.opened("small.csv", SMALL)
    return opened, visitor.get(f"{opened}/files/policy.toml").text


@pytest.fixture
def place(visitor, proposed):
    """A small table, open, with the policy that was proposed for it; perhaps with a release of before."""
    visitor.post(f"{proposed[0]}/text", {"text": proposed[1]})
    return proposed[0]


@pytest.fixture
def small():
    return SMALL
