"""``incrowd serve`` in the shell: its routes, and one sentence for what it lacks."""

from __future__ import annotations

import json
import signal
import sys

import pytest

from incrowd.cli.commands.serve import ended_by_ctrl_c


def test_routes_are_listed_in_both_ways(run):
    status, out, err = run("serve", "--routes", "--json")
    routes = json.loads(out)
    assert (status, err) == (0, "")
    assert {"path": "/enter", "methods": ["GET"]} in routes
    assert all(set(route) == {"path", "methods"} for route in routes)
    status, out, err = run("serve", "--routes")
    assert (status, err) == (0, "")
    assert len(out.splitlines()) == len(routes)


@pytest.mark.parametrize("library", ["starlette", "uvicorn", "tomlkit", "python_multipart", "jinja2"])
def test_without_the_extra_it_says_what_to_install(run, monkeypatch, library):
    monkeypatch.setitem(sys.modules, library, None)
    status, out, err = run("serve", "--no-browser")
    assert (status, out) == (2, "")
    assert "incrowd serve needs what is not installed (the extra web): pip install starlette " in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nobody.csv", "--no-browser"), "there is no file 'nobody.csv'"),
        (("--root", "nobody", "--no-browser"), "'nobody' is no folder"),
        (("--json",), "--json goes with --routes"),
        (("--port", "70000"), "70000"),
    ],
)
def test_wrong_use_is_one_sentence(run, words, said):
    status, out, err = run("serve", *words)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_one_ctrl_c_is_the_end_and_a_second_one_ends_at_once():
    before = signal.getsignal(signal.SIGINT)
    with ended_by_ctrl_c() as until:
        signal.raise_signal(signal.SIGINT)
        assert until() is True
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before
