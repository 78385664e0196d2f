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


@pytest.fixture
def place(visitor, small):
    """A small table, open and looked at; closed afterwards."""
    opened = visitor.opened("small.csv", small)
    yield opened
    visitor.post(f"{opened}/close")


@pytest.fixture
def small():
    return SMALL
